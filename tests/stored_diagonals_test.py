#!/usr/bin/env python3
"""Products with matrices that come as diagonals: of every offset, symmetric or not, times numbers, Inf and NaN, in loops and
beside other matrices; compiled as sums of shifts, with all work in its trip, and by the interpreter.

usage: stored_diagonals_test.py LAC
"""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

VECTORS = ["(1:n)'", "ones(n, 1)", "[Inf; ones(n - 1, 1)]", "[ones(n - 1, 1); NaN]"]
BODIES = ["y = A*x;", "y = A'*x;", "y = (2*A)*x + (A + speye(n))*x;", "y = (A - A')*x;", "y = A*x; z = A*y; y = y + z;",
          "y = (A*s)*x;", "y = diag(A) .* x + A*x;", "y = kron(A, speye(2))*[x; x];",
          "y = x; for k = 1:3, y = A*y; y = y / (1 + max(abs(y))); end",
          "y = x; r = 0*x; for k = 1:4, r = x - A*y; y = y + 0.1*r; if norm(r) < 1e-9, break, end, end, y = [y; r];"]
WAYS = [[], ["--no-retime"], ["--no-fuse"], ["--target=interp", "--plan-of=cpu"], ["--target=interp"]]


def matrix(draw, symmetric):
    n = draw.choice([2, 3, 4, 5, 7, 16, 40])
    offsets = draw.sample(range(0 if symmetric else 1 - n, n), draw.randint(1, min(5, n)))
    entries = {(i, i + d): draw.choice([1, 2, -1, 0.5, 3]) for d in offsets for i in range(n)
               if 0 <= i + d < n and draw.random() < 0.9}
    entries = entries or {(0, 0): 1}
    lines = [f"{max(i, j) + 1} {min(i, j) + 1} {x}" if symmetric else f"{i + 1} {j + 1} {x}" for (i, j), x in entries.items()]
    kind = "symmetric" if symmetric else "general"
    return f"%%MatrixMarket matrix coordinate real {kind}\n{n} {n} {len(lines)}\n" + "\n".join(lines) + "\n"


def printed(lac, way, program, file):
    done = subprocess.run([lac, "run", "-q", *way, program, f"A={file}"], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        return done.stderr
    return [float(word) for word in done.stdout.split()]


def alike(a, b):
    if isinstance(a, str) or isinstance(b, str) or len(a) != len(b):
        return a == b
    return all(x == y or (x != x and y != y) or abs(x - y) <= 1e-12 * (1 + abs(x)) for x, y in zip(a, b))


def main():
    lac, problems, draw = sys.argv[1], [], random.Random(7)
    with tempfile.TemporaryDirectory() as scratch:
        program, file = Path(scratch) / "product.la", Path(scratch) / "A.mtx"
        for body in BODIES * 3:
            symmetric, x = draw.random() < 0.5, draw.choice(VECTORS)
            file.write_text(matrix(draw, symmetric))
            program.write_text(f"param A(n,n) sparse {'symmetric' if symmetric else ''}\nparam s = 0\nx = {x};\n{body}\n"
                               "printf('%.17g\\n', y);\n")
            results = [printed(lac, way, program, file) for way in WAYS]
            for way, result in zip(WAYS[:-1], results):
                if not alike(result, results[-1]):
                    problems.append(f"{' '.join(way) or 'cpu'}: {program.read_text()}{file.read_text()}{result}\n{results[-1]}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
