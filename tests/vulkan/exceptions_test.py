#!/usr/bin/env python3
"""The list of exceptions is short: every line names a program, and those of kind `open` are at most 2 %.

usage: exceptions_test.py
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import run_programs  # noqa: E402

CONFIGURATIONS = 3  # single buffer, single texel, double buffer


def main():
    programs = {path.stem for path in (Path(__file__).parent.parent / "programs").glob("*.la")}
    exceptions = run_programs.read_exceptions()
    problems = [f"there is no program {e.program}" for e in exceptions if e.program not in programs]
    problems += [f"{e.program}: {e.kind} is no kind" for e in exceptions if e.kind not in ("double", "open")]
    problems += [f"{e.program}: no reason" for e in exceptions if not e.reason.strip()]
    # A program in double only has one configuration less of each layout in single; the rest must run.
    left_out = sum((2 if e.layout == "any" and e.precision == "single" else 1) for e in exceptions if e.kind == "open")
    if left_out > 0.02 * CONFIGURATIONS * len(programs):
        problems.append(f"{left_out} of {CONFIGURATIONS * len(programs)} configurations are open: more than 2 %")
    print("\n".join(problems) or f"{len(exceptions)} exceptions, {left_out} of them open")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
