#!/usr/bin/env python3
"""A program may name its variables as the shaders name theirs: every name that a shader declares is tried for the results
of every kind of operation. Needs no device.

usage: names_test.py LAC
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# NAME is the variable; the results are used, so that no pass drops them.
STATEMENTS = """
NAME = cumsum(x); NAME = cumprod(1 + x / 100); NAME = cumsum(A, 2); NAME = rand(40, 2);
NAME = A * x; NAME = A' * x; NAME = A * B; NAME = D * x; NAME = S * x; NAME = A(:, 1:2:end) * ones(20, 1);
NAME = sum(A, 2); NAME = sum(A); NAME = max(A); NAME = any(A > 0.5); NAME = sum(x .* b); NAME = sin(sum(x));
NAME = tril(A) + 3 * eye(40); NAME = (tril(A) + 3 * eye(40)) \\ x; [t, NAME] = min(A); [NAME, t] = min(A);
NAME = A(:, 3); NAME = A(idx, 2); NAME = A'; NAME = A .* A; NAME = [A, B]; NAME = exp(A) + x;
NAME = reshape(A, 20, 80) * ones(80, 1);
"""
PROGRAM = """
A = sin(reshape(1:1600, 40, 40)); B = cos(A); x = A(:, 1) + 1; b = x; idx = [3 1 2]; total = 0;
D = spdiags(ones(40, 1) * [1 2], 0:1, 40, 40); S = sparse([1 2 3], [2 3 1], [1 2 3], 40, 40);
"""
TAIL = """
NAME = x; NAME(3) = 2; total = total + sum(NAME);
NAME = x; NAME(idx) = [1 2 3]; total = total + sum(NAME);
for k = 1:3, x = x * 2; NAME = sum(x); if NAME > 3, x = x + 1; end, total = total + NAME; end
output total
"""
RESERVED = {"end", "total", "idx", "sum", "max", "min", "any", "sin", "cos", "exp", "ones", "rand", "eye", "x", "b", "t",
            "k", "if", "else", "for", "while", "return", "break", "continue", "do", "switch", "case", "function", "abs",
            "floor", "sqrt", "mod", "sign", "log", "pi", "size", "zeros", "find", "sort", "norm", "i", "j", "e"}
DECLARED = re.compile(r"\b(?:int|uint|bool|float|double|[iub]?vec[234]|sampler2D|image2D)\s+([a-z]\w*)")


def program(name):
    text = PROGRAM
    for statement in STATEMENTS.replace("\n", " ").split(";"):
        if statement.strip():
            text += statement.strip() + "; total = total + sum(sum(NAME));\n"
    return (text + TAIL).replace("NAME", name)


def emit(lac, name, layout):
    return subprocess.run([lac, "emit", "glsl", "--precision=single", "--layout=" + layout, "-e", program(name)],
                          capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)


def main():
    lac = sys.argv[1]
    layouts = ("buffer", "texel")
    declared = set()
    for layout in layouts:
        done = emit(lac, "plain", layout)
        if "without Vulkan" in done.stderr:
            print("SKIPPED: " + done.stderr)
            return 77
        if done.returncode != 0:
            print(done.stderr)
            return 1
        for line in done.stdout.splitlines():
            declared |= set(DECLARED.findall(line))
            if re.match(r"\s+(const |precise )*(int|uint|float|double) \w+ = .*, \w+ = ", line):
                declared |= set(re.findall(r", ([a-z]\w*) = ", line))
    names = sorted(name for name in declared - RESERVED
                   if not re.search(r"_|\d|^plain", name))  # others are made from the program's, or are long
    problems = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tries = [(name, layouts[len(name) % 2]) for name in names]
        for (name, layout), done in zip(tries, pool.map(lambda one: emit(lac, *one), tries)):
            if done.returncode != 0:
                problems.append(f"{name} ({layout}): {done.stderr[:300]}")
    print("\n".join(problems))
    print(f"{len(names)} names, {len(problems)} problems: {' '.join(names)}")
    return 1 if problems or len(names) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
