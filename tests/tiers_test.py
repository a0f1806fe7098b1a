#!/usr/bin/env python3
"""Programs print the same, to the last digit, however they are compiled: before they run, while they run, not at all,
and with the code of earlier runs.

usage: tiers_test.py LAC [--every=N] DIRECTORY...      --every=N: of N programs one, where a build is slow
"""
import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from run_programs import programs_of

WAYS = (["--compile=first"], ["--compile=never"], ["--compile=auto"], ["--compile=auto"],
        ["--compile=never", "--threads=1"])


def outcome(lac, options, program, folder, cache):
    arguments = program.with_suffix(".args")
    words = arguments.read_text().split("\n") if arguments.exists() else []
    done = subprocess.run([lac, "run", *options, str(program), *filter(None, words)], cwd=folder, capture_output=True,
                          text=True, errors="replace", env={**os.environ, "LAC_CACHE_DIR": str(cache)})
    return done.returncode, done.stdout, done.stderr


def longer(program, scratch):
    """The program with all digits shown, where that is still a program."""
    copy = Path(scratch) / program.name
    copy.write_text("format long\n" + program.read_text())
    return copy


def problem_of(lac, program):
    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch) / "cache"
        arguments = program.with_suffix(".args")
        if arguments.exists():
            (Path(scratch) / arguments.name).write_text(arguments.read_text())
        wanted = outcome(lac, WAYS[0], longer(program, scratch), program.parent, cache)
        tested = Path(scratch) / program.name
        if wanted[0] != 0:
            tested = program
            wanted = outcome(lac, WAYS[0], tested, program.parent, cache)
        for number, way in enumerate(WAYS[1:]):
            got = outcome(lac, way, tested, program.parent, cache)
            if got != wanted:
                shown = next(((a, b) for a, b in zip(got[1].split("\n") + got[2].split("\n"),
                                                     wanted[1].split("\n") + wanted[2].split("\n")) if a != b),
                             (got, wanted))
                return f"{program}: {' '.join(way)} (way {number + 1}): {shown[0]!r} instead of {shown[1]!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lac", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    lac = arguments.lac
    programs = [program for folder in arguments.folders for program in programs_of(folder)][::arguments.every]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [found for found in pool.map(lambda program: problem_of(lac, program), programs) if found]
    print(*problems, sep="\n")
    print(f"{len(programs)} programs, {len(problems)} differ")
    sys.exit(1 if problems or not programs else 0)


if __name__ == "__main__":
    main()
