#!/usr/bin/env python3
"""Matrices that are larger than a binding of the device may be, against the cpu. Results must agree to the rounding of
their sums.

usage: large_test.py LAC
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SKIP = 77
PROGRAM = """
param n = 10
A = rand(n, n) - 0.25;
y = A * ones(n, 1);
z = A' * ones(n, 1);
B = 2 * A' + 1;
B(2, n) = 7;
k = 0;
while k < 3
  A = A / 2; k = k + 1;
  if sum(A(:, n)) > 1e9, break, end
end
printf("%.9g %.9g %.9g %.9g %.9g %.9g\\n", sum(y), norm(z), sum(B(:)), max(B(:, n)), B(n, 2), sum(A(n, :)))
"""
# 144 and 200 million bytes: more than the 2^27 that Vulkan promises of a binding, and that some devices have.
CASES = (("single", 6000, 2e-5), ("double", 5000, 1e-12))


def numbers(lac, program, *options):
    done = subprocess.run([lac, "run", *options, str(program)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return None, done.stderr
    return [float(number) for number in re.findall(r"\S+", done.stdout)], ""


def differ(expected, found, tolerance):
    return len(expected) != len(found) or any(abs(a - b) > tolerance * max(1, abs(a)) for a, b in zip(expected, found))


def main():
    lac = sys.argv[1]
    if subprocess.run([lac, "devices"], capture_output=True, timeout=60).returncode != 0:
        print("SKIPPED: no Vulkan device")
        return SKIP
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "large.la")
        for precision, n, tolerance in CASES:
            program.write_text(PROGRAM.replace("n = 10", f"n = {n}"))
            expected, _ = numbers(lac, program, "--target=cpu", "--precision=" + precision)
            found, message = numbers(lac, program, "--target=vulkan", "--precision=" + precision)
            if found is None or differ(expected, found, tolerance):
                failures += 1
                print(f"{precision} {n}x{n}: {message or found} instead of {expected}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
