#!/usr/bin/env python3
"""Runs tests/programs on a Vulkan device under core and synchronisation validation, then the injected faults.

usage: modes.py LAC VULKAN_RETRY [--mode=plain|staging|one-queue|reverse-alloc|evict-all|narrow|brief|wide] [--jobs=N]

Prints what went wrong, and last "messages: M, injected: N, hung: H". Exits 0 when all programs are right and M and H
are 0, 77 without a device. LAC_VULKAN_DEVICE picks the device.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import faults_test  # noqa: E402
import run_programs  # noqa: E402

MODES = ("plain", "staging", "one-queue", "reverse-alloc", "evict-all", "narrow", "brief", "wide")
PROGRAMS = Path(__file__).resolve().parent.parent / "programs"


class Outcome:
    def __init__(self):
        self.problems = []
        self.messages = 0
        self.devices = 0
        self.hung = 0


def run_program(lac, path):
    """One program in all its configurations; validation writes to a file of its own."""
    outcome = Outcome()
    program = run_programs.Program(path)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "messages")
        program.environment = {**os.environ, "LAC_VULKAN_MESSAGES": str(log)}
        try:
            problems = run_programs.run_everywhere(lac, program, program.vulkan_configurations())
            outcome.problems = [f"{path.name}: {problem}" for problem in problems]
        except subprocess.TimeoutExpired as late:
            outcome.hung = 1
            outcome.problems = [f"{path.name}: hangs: {' '.join(late.cmd)}"]
        text = log.read_text() if log.exists() else ""
    counts = re.findall(r"^messages: (\d+)$", text, re.MULTILINE)
    outcome.messages, outcome.devices = sum(map(int, counts)), len(counts)
    if outcome.messages:
        outcome.problems.append(f"{path.name}: validation says\n{text}")
    if not counts and not outcome.problems:
        outcome.problems.append(f"{path.name}: no device was closed under validation")
    return outcome


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lac")
    parser.add_argument("retry")
    parser.add_argument("--mode", choices=MODES, default="plain")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not run_programs.has_device(options.lac):
        print("SKIPPED: no Vulkan device")
        return run_programs.SKIP
    os.environ["LAC_VULKAN_MODE"] = options.mode
    os.environ["LAC_VULKAN_VALIDATION"] = "1"
    with ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda path: run_program(options.lac, path), sorted(PROGRAMS.glob("*.la"))))
    faults = faults_test.run_all(options.lac, options.retry)
    problems = sum((outcome.problems for outcome in outcomes), []) + faults.problems
    messages = sum(outcome.messages for outcome in outcomes)
    hung = sum(outcome.hung for outcome in outcomes) + faults.hung
    if problems:
        print("\n".join(problems))
    print(f"{len(outcomes)} programs, {sum(outcome.devices for outcome in outcomes)} runs, {options.mode}: "
          f"{sum(bool(outcome.problems) for outcome in outcomes)} programs with problems")
    print(f"messages: {messages}, injected: {faults.injected}, hung: {hung}")
    return 1 if problems or messages or hung else 0


if __name__ == "__main__":
    sys.exit(main())
