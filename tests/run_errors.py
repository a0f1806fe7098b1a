#!/usr/bin/env python3
"""Runs programs that must be refused or warned of and compares the messages with the `% error: text` or
`% warning: text` beside the offending lines.

usage: run_errors.py LAC FILE.la...      LAC_BLESS=1 rewrites the comments; review the difference

Every line with `% error: text` must give exactly one error whose message is `text`, and no other line may give one;
likewise for warnings, unless only errors are marked. A line `% note: text` wants that note with some error. A program marked `% while running` is run on every target (vulkan where there is a device), with
the words after `% options:`; the others are compiled. The exit status is 1 where an error is expected, else 0.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

MARK = re.compile(r"\s*% (error|warning):[ ]?(.*)$")
NOTE = re.compile(r"^% note: (.*)$", re.MULTILINE)
OPTIONS = re.compile(r"^% options: (.*)$", re.MULTILINE)


def expected_of(text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        match = MARK.search(line)
        if match:
            found.append((number, match.group(1), match.group(2)))
    return found


def errors_of(lac, words, path):
    """(exit status, [(line, kind, message)], stderr)"""
    done = subprocess.run([lac, *words, str(path)], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    pattern = re.compile(re.escape(str(path)) + r":(\d+):\d+: (error|warning): (.*)$", re.MULTILINE)
    found = [(int(line), kind, message) for line, kind, message in pattern.findall(done.stderr)]
    return done.returncode, found, done.stderr


def bless(path, text, found):
    lines = [MARK.sub("", line) for line in text.splitlines()]
    for number, kind, message in found:
        lines[number - 1] += f"  % {kind}: {message}"
    path.write_text("\n".join(lines) + "\n")


def targets(lac):
    device = subprocess.run([lac, "devices"], capture_output=True, timeout=60).returncode == 0
    return ["interp", "cpu"] + ["vulkan"] * device


def check(lac, path):
    text = path.read_text()
    running = "% while running" in text
    options = (OPTIONS.findall(text) or [""])[0].split()
    commands = [["run", "--target=" + target, *options] for target in targets(lac)] if running else [["check"], ["run"]]
    problems = []
    for command in commands:
        status, found, stderr = errors_of(lac, command, path)
        kinds = {kind for _, kind, _ in expected_of(text)}
        if kinds == {"error"}:
            found = [entry for entry in found if entry[1] == "error"]
        if os.environ.get("LAC_BLESS") == "1":
            bless(path, text, found)
            text = path.read_text()
        for note in NOTE.findall(text):
            if f"note: {note}\n" not in stderr:
                problems.append(f"{' '.join(command)}: no note '{note}'\n{stderr}")
        wanted = int(any(kind == "error" for _, kind, _ in expected_of(text)))
        if status != wanted:
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
