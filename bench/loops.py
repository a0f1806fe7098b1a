#!/usr/bin/env python3
"""Loops over elements, small matrices and rows of sparse matrices beside the same in C, on one thread, in turns.

usage: loops.py LAC [--rounds=N] [PROGRAM...]     default: all programs of bench/loops, 9 rounds

NAME.c of bench/loops has its text in tests/conformance/loops/NAME.la; a NAME.cpp is the same with Eigen. All get the sizes
below, C as macros; gcc has -O2 -march=native, lac compiles before it runs (--compile=first). Times are what each says of
its own run, without compilation; the last lines are the geometric mean and the worst of the ratios of medians to C.
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
LOOPS = ROOT / "bench" / "loops"
EIGEN = Path("/usr/include/eigen3")
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


def compile_peers(name, sizes, folder):
    """The programs by the names of their columns."""
    programs = {}
    for peer, compiler, suffix in (("C", "gcc", ".c"), ("Eigen", "g++", ".cpp")):
        source = LOOPS / (name + suffix)
        if not source.exists() or (peer == "Eigen" and not EIGEN.exists()):
            continue
        programs[peer] = Path(folder) / (name + suffix + ".out")
        run([compiler, "-O2", "-march=native", "-isystem", EIGEN, "-I", ROOT, "-o", programs[peer],
             *(f"-D{key}={value}" for key, value in sizes.items()), source, "-lm"])
    return programs


def time_peer(program):
    done = run([program])
    return float(done.stderr), done.stdout


def time_lac(lac, name, sizes, environment):
    done = run([lac, "run", "--compile=first", "--threads=1", "--stats=json", PROGRAMS / f"{name}.la",
                *(f"{key}={value}" for key, value in sizes.items())], env=environment)
    return json.loads(done.stderr.strip().splitlines()[-1])["run_ms"], done.stdout


def measure(lac, name, rounds):
    """Medians by column in ms, and whether all print the same."""
    outputs = set()
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "LAC_CACHE_DIR": str(Path(scratch) / "cache")}
        peers = compile_peers(name, SIZES[name], scratch)
        times = {column: [] for column in (*peers, "lac")}
        for _ in range(rounds):
            for column, measured in times.items():
                time, output = (time_lac(lac, name, SIZES[name], environment) if column == "lac"
                                else time_peer(peers[column]))
                measured.append(time)
                outputs.add(tuple(output.split()))
    return {column: statistics.median(measured) for column, measured in times.items()}, len(outputs) == 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lac", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=", ".join(SIZES))
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.programs if name not in SIZES]
    if unknown:
        parser.error(f"no such program: {', '.join(unknown)}; there are {', '.join(SIZES)}")
    print(f"{'program':18} {'C':>8} {'lac':>8}  lac/C  {'Eigen':>8}   (ms, medians of {arguments.rounds})")
    ratios = []
    for name in arguments.programs or SIZES:
        medians, same = measure(arguments.lac, name, arguments.rounds)
        ratios.append(medians["lac"] / medians["C"])
        eigen = f" {medians['Eigen']:8.2f}" if "Eigen" in medians else ""
        print(f"{name:18} {medians['C']:8.2f} {medians['lac']:8.2f} {ratios[-1]:6.2f} {eigen}"
              f"{'' if same else '   they print different numbers'}".rstrip(), flush=True)
    print(f"lac's time over C's: geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, "
          f"worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
