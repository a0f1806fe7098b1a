#!/usr/bin/env python3
"""Sums of more terms than an invocation may add one after the other (ir/plan/turns.h), against their closed forms; and
the same as a large GPU does them, which shares out what a few workgroups would sum.

usage: long_test.py LAC        exits 77 without a device
"""
import os
import re
import subprocess
import sys

SKIP = 77
# Every sum is of ones or of small integers, so that single precision is exact: (target, program, what it prints).
CASES = (
    ("vulkan", "c = cumsum(ones(3000000, 2)); printf('%.0f %.0f %.0f', c(end, 1), c(end, 2), c(1500000, 1))",
     "3000000 3000000 1500000"),
    ("vulkan", "c = cumsum(ones(2, 3000000), 2); printf('%.0f %.0f', c(1, end), c(2, 1500000))", "3000000 1500000"),
    ("vulkan", "n = 70000; S = sparse([ones(1, n), 2], [1:n, 5], ones(1, n + 1), 3, n); "
               "printf('%.0f ', S * ones(n, 1)); printf('%.0f ', S * ones(n, 3))",
     "70000 1 0 70000 1 0 70000 1 0 70000 1 0"),
    ("vulkan", "printf('%.0f ', ones(3, 1e6) * ones(1e6, 2))", "1000000 " * 6),
    ("vulkan", "printf('%.0f ', ones(1e6, 3)' * ones(1e6, 1))", "1000000 " * 3),
    ("vulkan", "A = ones(150000, 12); C = A' * A; printf('%.0f %.0f %.0f', min(min(C)), max(max(C)), sum(sum(C)))",
     "150000 150000 21600000"),
    ("vulkan", "printf('%.0f ', sum(ones(3, 2000000), 2))", "2000000 " * 3),
    ("vulkan", "x = ones(3, 2000000); x(2, 1999999) = 2; [m, k] = max(x, [], 2); printf('%.0f ', m, k)",
     "1 2 1 1 1999999 1"),
    ("vulkan", "n = numel(find(ones(3, 1) > 2)); A = ones(300, 5)(:, 1:n); B = ones(5, 200)(1:n, :); C = A * B; "
               "printf('%.0f %.0f %.0f', size(C), max(max(C)))", "300 200 0"),
    ("vulkan", "x = ones(200, 1); s = 0; for k = 1:3000, x = 1 - x; s = s + sum(gamma(x + 2)) + max(x); end; "
               "printf('%.0f', s)", "901500"),
    ("vulkan-fragment", "A = ones(4, 20000); printf('%.0f ', A * ones(20000, 1))", "20000 " * 4),
    ("vulkan-fragment", "A = ones(5, 100000); y = A * ones(100000, 2); printf('%.0f', sum(sum(y)))", "1000000"),
)
# What is shared out there though no invocation would run too long.
SHARED = (
    "V = ones(200000, 8); w = ones(200000, 1); c = V' * w; printf('%.0f ', c)",
    "V = ones(10000, 10); c = V' * V; printf('%.0f', sum(sum(c)))",
    "W = ones(300000, 4); c = sum(W .* W, 1); printf('%.0f ', c)",
    "W = ones(4, 300000); c = sum(W .* W, 2); printf('%.0f ', c)",
    "A = ones(256, 4096); x = ones(4096, 1); c = A * x; printf('%.0f', sum(c))",
)


def run(lac, target, program, mode, *options):
    environment = {**os.environ, "LAC_VULKAN_MODE": mode}
    return subprocess.run([lac, "run", "--target=" + target, "--precision=single", *options, "-e", program],
                          capture_output=True, text=True, timeout=300, env=environment)


def main():
    lac = sys.argv[1]
    devices = subprocess.run([lac, "devices"], capture_output=True, text=True, timeout=60)
    if devices.returncode != 0:
        print("SKIPPED: no Vulkan device")
        return SKIP
    failures = 0
    for target, program, expected in CASES:
        for mode in ("plain", "wide"):
            done = run(lac, target, program, mode)
            if done.returncode != 0 or re.split(r"\s+", done.stdout.strip()) != expected.split():
                failures += 1
                print(f"{target}, {mode}: {program}\n  {done.stdout}{done.stderr}\n  instead of {expected}")
    for program in SHARED:
        few, many = (run(lac, "vulkan", program, mode, "--stats") for mode in ("plain", "wide"))
        kept = "_split " not in few.stderr or " cpu " not in devices.stdout
        if few.returncode != 0 or many.stdout != few.stdout or "_split " not in many.stderr or not kept:
            failures += 1
            print(f"shared out: {program}\n  {few.stdout}{few.stderr}\n  {many.stdout}{many.stderr}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
