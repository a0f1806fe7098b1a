#!/usr/bin/env python3
"""Products with sparse matrices again and again, which take rows in slices from some product on where the machine can
(runtime/cpu/row_slices.h): the same bits as without compiled code, and as many matrices in slices as there should be.

usage: slices_test.py LAC
"""
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

# Two matrices of rows that are about as long, one with a long row, a vector, and zeros that nobody can foresee.
HEAD = """n = %d;
A = sparse([1:n 1:n 1:n]', [1:n, mod((1:n)*7, n) + 1, mod((1:n)*13 + 5, n) + 1]', cos((1:3*n)'), n, n);
B = sparse([1:n 1:n]', [1:n, mod((1:n)*5, n) + 1]', sin((1:2*n)'), n, n);
U = sparse([1:n, ones(1, n)]', [1:n, 1:n]', 1 + (1:2*n)'/n, n, n);
x = cos((1:n)'*0.7);
z = round(cos(1:9).^2 + sin(1:9).^2) - 1;
"""
TELL = "printf('%.17g ', y(1:ceil(end/40):end), sum(y(:))); printf('\\n');"
# What is computed, n, and how many matrices are taken in slices (None: whatever the plan makes of it).
PROGRAMS = [
    (f"for k = 1:9, y = A*(x + z(k)); {TELL} end", 1000, 1),
    (f"for k = 1:9, y = U*(x + z(k)); {TELL} end", 1000, 0),
    (f"for k = 1:3, y = A*(x + z(k)); {TELL} end", 1000, 0),
    # two matrices in one kernel, and one that is read forwards and backwards
    (f"X = cos((1:n)'*(1:1000)); for k = 1:7, X = X*0.9 + k; y = (B*X).*(A*X); {TELL} end", 300, 2),
    (f"X = cos((1:n)'*(1:8000)); for k = 1:7, X = X*0.9 + k; Y = A*flipud(X); y = (A*X).*Y; printf('%.17g ', Y(17, 33)); {TELL} end", 300, 1),
    (f"""X = cos((1:n)'*(1:1000)); L = [A; A; A]; for k = 1:7, X = X*0.9 + k; y = L*X; z = (B*X).*y(1:n, :);
         y = [y(1:9, 1:9); z(1:9, 1:9)]; {TELL} end""", 300, 2),
    # what the product reads is made by the same kernel, a piece ahead of it; by several threads
    (f"""p = x; r = x; y = 0*x; rho = r'*r; for k = 1:12, q = A*p; a = rho/(1 + abs(p'*q)); y += a*p; r -= a*q;
         now = r'*r; p = r + now/rho*p; rho = now; {TELL} end""", 70001, 1),
    (f"T = spdiags(ones(n, 1)*[1 -2 3], [-40 0 17], n, n); T(5, 9) = 2; p = x; y = 0*x; for k = 1:12, q = T*p; "
     f"y += 0.1*q; p = y + 0.5*p; {TELL} end", 70001, 1),
    # matrices that come and go, and one that a trip changes
    (f"for t = 1:4, C = A*(1 + t); for k = 1:9, y = C*(x + z(k)); end, {TELL} end", 1000, 2),
    (f"C = A; for k = 1:9, C(k, k) = k; y = C*(x + z(k)); {TELL} end", 1000, 0),
    (f"C = A; D = B; for k = 1:14, y = C*(x + z(mod(k, 9) + 1)); {TELL} t = C; C = D; D = t; end", 1000, None),
    # Inf and NaN, truth values, both precisions, a column after the other
    (f"x([3 77]) = [Inf NaN]; for k = 1:9, y = A*(x + z(k)); {TELL} end", 1000, 1),
    (f"C = A > 0.3; for k = 1:9, y = C*(x + z(k)); {TELL} end", 1000, 0),
    (f"C = A > -2; for k = 1:9, y = C*(x + z(k)); {TELL} end", 1000, 1),
    (f"x = single(x); for k = 1:9, y = A*(x + z(k)); {TELL} end", 1000, 1),
    (f"X = [x, -x, x.^2]; for k = 1:9, y = A'*(X + z(k)); {TELL} end", 1000, 1),
    (f"for k = 1:9, y = abs(A*(x.*x + z(k))) + x; {TELL} end", 1007, 1),
]
WAYS = [["--compile=first"], ["--compile=first", "--threads=3"], ["--compile=first", "--precision=single"],
        ["--compile=first", "--check=bounds"], ["--compile=first", "--no-fuse"], ["--compile=auto"]]


def run(lac, program, statistics, way):
    done = subprocess.run([lac, "run", "-q", f"--stats=json:{statistics}", *way, program], capture_output=True, text=True,
                          timeout=300)
    return done.stdout + done.stderr, json.loads(statistics.read_text())["memory"]["sliced_matrices"]


def machine_slices():
    try:
        flags = Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
    return all(flag in flags.split() for flag in ["avx512f", "avx512vl", "avx512dq", "fma"])


def main():
    lac, problems = sys.argv[1], []
    with tempfile.TemporaryDirectory() as scratch:
        program, statistics = Path(scratch) / "product.la", Path(scratch) / "statistics.json"
        for body, n, wanted in PROGRAMS:
            program.write_text(HEAD % n + body + "\n")
            uncompiled = {}
            for way in WAYS:
                without = ("--compile=never", *[word for word in way if word.startswith(("--precision", "--no"))])
                if without not in uncompiled:
                    uncompiled[without] = run(lac, program, statistics, without)[0]
                expected = uncompiled[without]
                printed, sliced = run(lac, program, statistics, way)
                if printed != expected:
                    problems.append(f"{' '.join(way)}: other bits than uncompiled, n = {n}: {body}\n{printed}\n{expected}")
                if way == ["--compile=first"] and machine_slices() and wanted is not None and sliced != wanted:
                    problems.append(f"{sliced} matrices in slices, not {wanted}, n = {n}: {body}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
