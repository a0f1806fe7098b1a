#!/usr/bin/env python3
"""From text to first result: whole processes of lac and of Octave, in turns, as ratios of medians.

usage: start.py LAC [--rounds=N] [PROGRAM.la...]     default: samples/ and tests/conformance/applications

For each program, in each round: Octave; lac with an empty cache (first); lac again (second). The last lines are the
geometric means over all programs.
"""
import argparse
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHIMS = ROOT / "tests" / "octave"
sys.path.insert(0, str(ROOT / "tests"))
from run_programs import programs_of  # noqa: E402


def seconds(command, folder, env):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL)
    elapsed = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')[-500:]}")
    return elapsed


def measure(lac, octave, program, rounds):
    times = {"octave": [], "first": [], "second": []}
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / program.name
        shutil.copy(program, copy)
        for _ in range(rounds):
            cache = Path(scratch) / "cache"
            shutil.rmtree(cache, ignore_errors=True)
            env = {**os.environ, "LAC_CACHE_DIR": str(cache)}
            if octave:
                quiet = f"addpath('{SHIMS}'); warning('off', 'all'); source('{copy}');"
                times["octave"].append(seconds([octave, "--quiet", "--no-gui", "--norc", "--eval", quiet], scratch, env))
            for which in ("first", "second"):
                times[which].append(seconds([lac, "run", str(copy)], scratch, env))
    return {name: statistics.median(values) if values else math.nan for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lac", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("programs", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    programs = [path.resolve() for path in arguments.programs] or [
        path for folder in ("tests/conformance/applications", "samples") for path in programs_of(ROOT / folder)]
    octave = shutil.which("octave-cli")
    if not octave:
        print("octave-cli is not here: no ratios")
    print(f"{'program':24} {'octave':>9} {'first':>9} {'second':>9}  first/octave second/octave   (ms, medians of "
          f"{arguments.rounds})")
    ratios = {"first": [], "second": []}
    for program in programs:
        times = measure(arguments.lac, octave, program, arguments.rounds)
        for which, found in ratios.items():
            found.append(times[which] / times["octave"])
        print(f"{program.stem:24} {1e3 * times['octave']:9.1f} {1e3 * times['first']:9.1f} {1e3 * times['second']:9.1f}"
              f"  {ratios['first'][-1]:12.2f} {ratios['second'][-1]:13.2f}", flush=True)
    for which, found in ratios.items():
        print(f"{which} run, of Octave's time, geometric mean of {len(found)}: "
              f"{math.exp(sum(map(math.log, found)) / len(found)):.3f}")


if __name__ == "__main__":
    main()
