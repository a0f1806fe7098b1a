#!/usr/bin/env python3
"""Runs programs that must be refused and compares the messages with the `% error: text` beside the offending lines.

usage: run_errors.py LAC FILE.la...      LAC_BLESS=1 rewrites the comments; review the difference

Every line with `% error: text` must give exactly one error whose message is `text`, and no other line may give one. A
program marked `% while running` fails on every target when run (vulkan where there is a device); the others fail when compiled. Exit status 1 each.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

MARK = re.compile(r"\s*% error:[ ]?(.*)$")


def expected_of(text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        match = MARK.search(line)
        if match:
            found.append((number, match.group(1)))
    return found


def errors_of(lac, words, path):
    """(exit status, [(line, message)], stderr)"""
    done = subprocess.run([lac, *words, str(path)], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    pattern = re.compile(re.escape(str(path)) + r":(\d+):\d+: error: (.*)$", re.MULTILINE)
    found = [(int(line), message) for line, message in pattern.findall(done.stderr)]
    return done.returncode, found, done.stderr


def bless(path, text, found):
    lines = [MARK.sub("", line) for line in text.splitlines()]
    for number, message in found:
        lines[number - 1] += "  % error: " + message
    path.write_text("\n".join(lines) + "\n")


def targets(lac):
    device = subprocess.run([lac, "devices"], capture_output=True, timeout=60).returncode == 0
    return ["interp", "cpu"] + ["vulkan"] * device


def check(lac, path):
    text = path.read_text()
    running = "% while running" in text
    commands = [["run", "--target=" + target] for target in targets(lac)] if running else [["check"], ["run"]]
    problems = []
    for command in commands:
        status, found, stderr = errors_of(lac, command, path)
        if os.environ.get("LAC_BLESS") == "1":
            bless(path, text, found)
            text = path.read_text()
        if status != 1:
            problems.append(f"{' '.join(command)}: exit status {status}\n{stderr}")
        elif sorted(found) != sorted(expected_of(text)):
            problems.append(f"{' '.join(command)}: expected {expected_of(text)}\n{stderr}")
    return problems


def main():
    lac, files = sys.argv[1], [Path(word) for word in sys.argv[2:]]
    failed = 0
    for path in files:
        problems = check(lac, path)
        failed += bool(problems)
        for problem in problems:
            print(f"{path.name}: {problem}")
    print(f"{len(files)} programs, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
