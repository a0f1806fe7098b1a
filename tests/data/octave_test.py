#!/usr/bin/env python3
"""The samples under Octave, which finds the solver library through the shims of tests/octave, print what lac prints.

usage: octave_test.py LAC

The counts may differ by one where the order of a summation differs.
"""
import re
import shutil
import sys

from common import REPOSITORY, SAMPLES, SKIP, Checks, data_folder, lac_run, number, run


def octave_run(program, *arguments):
    return run(["octave-cli", "-q", "--no-history", "-p", REPOSITORY / "tests" / "octave", program, *arguments])


def compare(checks, lac, name, program, *arguments):
    status, expected, messages = octave_run(program, *arguments)
    checks.that(status == 0, f"{name} under Octave: exit status {status}\n{messages}")
    theirs = number(expected, "iterations")
    status, printed, messages = lac_run(lac, program, "cpu", *arguments)
    ours = number(printed, "iterations")
    print(f"{name}: {ours:g} iterations, Octave {theirs:g}")
    checks.that(status == 0, f"{name}: exit status {status}\n{messages}")
    checks.that(abs(ours - theirs) <= 1, f"{name}: {ours:g} iterations, Octave {theirs:g}")
    words = re.compile(r"^[a-z'*]+", re.MULTILINE)
    checks.that(words.findall(printed) == words.findall(expected), f"{name}: printed\n{printed}instead of\n{expected}")


def main():
    if not shutil.which("octave-cli"):
        print("SKIPPED: octave-cli is not installed")
        return SKIP
    lac = sys.argv[1]
    checks = Checks()
    compare(checks, lac, "poisson", SAMPLES / "poisson.la", "n=24")
    if checks.failures:
        return checks.finish()
    folder = data_folder()
    for name in ("gr_30_30", "mesh1e1", "pts5ldd03"):
        compare(checks, lac, name, SAMPLES / "solve.la", f"A={folder}/spd/{name}.mtx")
    contact = folder / "lcp/contact/FrictionContactProblem00071"
    compare(checks, lac, "contact", SAMPLES / "contact.la", f"A={contact}_M.mtx", f"b={contact}_q.mtx", "omega=0.46")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
