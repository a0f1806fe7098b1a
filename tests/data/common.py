"""What the data tests share: where the data is, how the program runs, how problems are collected.

The data folder is LAC_DATA_DIR, or shared/data beside the repository; without it a test exits 77, which CTest shows as
skipped. Its reference.json and INDEX.md hold the expected numbers.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

SKIP = 77
REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLES = REPOSITORY / "samples"
TARGETS = ("cpu", "interp")


def data_folder():
    """The folder of the matrices; ends the test as skipped when there is none."""
    folder = Path(os.environ.get("LAC_DATA_DIR") or REPOSITORY.parent / "shared" / "data")
    if not (folder / "reference.json").is_file():
        print(f"SKIPPED: no data in {folder}; LAC_DATA_DIR names another folder")
        sys.exit(SKIP)
    return folder


def reference(folder):
    return json.loads((folder / "reference.json").read_text())


def run(command):
    """(exit status, standard output, standard error) of a command, which must end within two minutes."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                          timeout=120, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def lac_run(lac, program, target, *arguments):
    return run([lac, "run", "--print=none", "--precision=double", f"--target={target}", program, *arguments])


def number(printed, name):
    """The value that a sample printed after NAME at the start of a line; NaN when there is none."""
    found = re.search(rf"^{re.escape(name)}\s+(\S+)", printed, re.MULTILINE)
    return float(found.group(1)) if found else float("nan")


class Checks:
    """Counts what was checked and says what is wrong."""

    def __init__(self):
        self.count = 0
        self.failures = 0

    def that(self, holds, what):
        self.count += 1
        if not holds:
            self.failures += 1
            print("FAILED: " + what)

    def finish(self):
        print(f"{self.count} checks, {self.failures} failed")
        return 1 if self.failures or not self.count else 0
