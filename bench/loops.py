#!/usr/bin/env python3
"""Loops over elements, small matrices and rows of sparse matrices beside the same in C, on one thread, in turns.

usage: loops.py LAC [--rounds=N] [PROGRAM...]     default: all programs of bench/loops, 9 rounds

NAME.c of bench/loops has its text in tests/conformance/loops/NAME.la. Both get the sizes below, C as macros; gcc has -O2
-march=native, lac compiles before it runs (--compile=first). Times are what each says of its own run, without compilation;
the last lines are the geometric mean and the worst of the ratios of medians.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "conformance" / "loops"
SIZES = {
    "recurrence": {"n": 1000000},
    "lu": {"n": 200},
    "knapsack": {"items": 400, "cap": 20000},
    "trisolve": {"n": 3000, "reps": 200, "row": 2000},
    "kalman": {"T": 100000},
    "mat4": {"reps": 1000000},
    "nbody": {"n": 40, "steps": 400},
    "mandel": {"n": 200, "limit": 200},
    "sor": {"n": 200, "sweeps": 60},
    "levinson": {"n": 3000},
    "heap_sort": {"n": 60000},
    "springs": {"n": 1000, "steps": 2000},
    "horner": {"n": 60000, "degree": 40},
    "banded_cholesky": {"n": 4000, "w": 40},
    "histogram": {"n": 1000000, "bins": 100},
    "smith_waterman": {"n": 800},
    "bellman_ford": {"n": 20000, "degree": 6},
    "contacts": {"n": 1000, "sweeps": 200},
}


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr[-500:]}")
    return done


def compile_c(name, sizes, folder):
    program = Path(folder) / name
    run(["gcc", "-O2", "-march=native", "-o", program, *(f"-D{key}={value}" for key, value in sizes.items()),
         ROOT / "bench" / "loops" / f"{name}.c", "-lm"])
    return program


def time_c(program):
    done = run([program])
    return float(done.stderr), done.stdout


def time_lac(lac, name, sizes, environment):
    done = run([lac, "run", "--compile=first", "--threads=1", "--stats=json", PROGRAMS / f"{name}.la",
                *(f"{key}={value}" for key, value in sizes.items())], env=environment)
    return json.loads(done.stderr.strip().splitlines()[-1])["run_ms"], done.stdout


def measure(lac, name, rounds):
    """Medians of both in ms, and whether they print the same."""
    times = {"c": [], "lac": []}
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "LAC_CACHE_DIR": str(Path(scratch) / "cache")}
        program = compile_c(name, SIZES[name], scratch)
        for _ in range(rounds):
            c, expected = time_c(program)
            mine, actual = time_lac(lac, name, SIZES[name], environment)
            times["c"].append(c)
            times["lac"].append(mine)
    return statistics.median(times["c"]), statistics.median(times["lac"]), expected.split() == actual.split()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lac", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=", ".join(SIZES))
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.programs if name not in SIZES]
    if unknown:
        parser.error(f"no such program: {', '.join(unknown)}; there are {', '.join(SIZES)}")
    print(f"{'program':18} {'C':>8} {'lac':>8}  lac/C   (ms, medians of {arguments.rounds})")
    ratios = []
    for name in arguments.programs or SIZES:
        c, mine, same = measure(arguments.lac, name, arguments.rounds)
        ratios.append(mine / c)
        print(f"{name:18} {c:8.2f} {mine:8.2f} {ratios[-1]:6.2f}{'' if same else '   they print different numbers'}",
              flush=True)
    print(f"lac's time over C's: geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, "
          f"worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
