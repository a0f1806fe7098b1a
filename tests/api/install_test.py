#!/usr/bin/env python3
"""Installs lac into a scratch folder, builds samples/embed against what was installed, and runs it.

usage: install_test.py CMAKE BUILD_DIRECTORY SAMPLE_DIRECTORY
"""
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    cmake, build, sample = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        prefix, work = Path(scratch, "prefix"), Path(scratch, "embed")
        run(cmake, "--install", build, "--prefix", str(prefix))
        run(cmake, "-G", "Ninja", "-S", sample, "-B", str(work), "-DCMAKE_PREFIX_PATH=" + str(prefix))
        run(cmake, "--build", str(work))
        printed = run(str(work / "embed"))
        program = Path(scratch, "program")
        run(str(prefix / "bin" / "lac"), "build", "-e", "x = 1 + 2", "-o", str(program))
        built = run(str(program))
    expected = "y = [221 281], nothing copied\naxpy.la:2: x is 2x1, but x(n, 1) needs 3 rows: n is 3, the columns of A\n"
    if printed != expected or built != "x = 3\n":
        sys.exit(f"embed printed\n{printed}and the built program\n{built}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
