#!/usr/bin/env python3
"""Programs of complex values beside the same of real ones, on one thread, in turns.

usage: complex.py LAC [--rounds=N]     default: 9 rounds

A complex value is two words: where memory decides, a complex program handles half as many elements a second as the real
one. So sizes are such that both are in a cache or neither is (of 32 MiB, say): between, the real one alone has it. Times are what lac says of its own run, compiled before it runs (--compile=first); the ratio is elements a second,
complex over real, of medians.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

CG = """
x = zeros(size(b));
r = b;
p = r;
rho = r' * r;
for k = 1:trips
  q = A * p;
  alpha = rho / (p' * q);
  x += alpha * p;
  r -= alpha * q;
  before = rho;
  rho = r' * r;
  p = r + rho / before * p;
end
printf("%.6e\\n", norm(x));
"""
POISSON = "T = spdiags(ones(n, 1) * [-1 2 -1], -1:1, n, n); A = kron(speye(n), T) + kron(T, speye(n));\n"
SPLIT = """
x = (-n/2:n/2 - 1)' * (100 / n);
k = 2*pi/100 * [0:n/2 - 1, -n/2:-1]';
u = exp(-x.^2) * one;
half = exp(-1e-3 * step * 0.5 * x.^2);
free = exp(-1e-3 * step * 0.5 * k.^2);
for s = 1:trips
  u = half .* ifft(free .* fft(half .* u));
end
printf("%.6e\\n", norm(u));
"""
SHIFTED = POISSON + "A = A + SHIFT * speye(n^2);\n"
COMPRESSED = POISSON + "[i, j, v] = find(A); A = sparse(i, j, v, n^2, n^2);\n"
ONES = ("b = ones(n^2, 1);", "b = ones(n^2, 1) * (1 + 0.5i);")
# name, sizes, what both have, what makes it real, what makes it complex, the rest
PROGRAMS = [
    ("CG, Poisson 200^2", "n=200 trips=4000", POISSON, *ONES, CG),
    ("CG, Poisson 2048^2", "n=2048 trips=60", POISSON, *ONES, CG),
    ("CG, shifted 200^2", "n=200 trips=4000", "", SHIFTED.replace("SHIFT", "0.1") + ONES[0],
     SHIFTED.replace("SHIFT", "(0.1 + 0.05i)") + ONES[1], CG),
    ("CG, shifted 2048^2", "n=2048 trips=60", "", SHIFTED.replace("SHIFT", "0.1") + ONES[0],
     SHIFTED.replace("SHIFT", "(0.1 + 0.05i)") + ONES[1], CG),
    ("CG, real csr 1500^2", "n=1500 trips=60", COMPRESSED, *ONES, CG),
    ("CG, dense 3000", "n=3000 trips=200", "A = cos((1:n)' * (1:n)); A = A + A' + 2 * n * eye(n);\n", "b = ones(n, 1);",
     "B = sin((1:n)' * (1:n)); A = A + 1i * (triu(B, 1) - triu(B, 1)'); b = ones(n, 1) * (1 + 0.5i);", CG),
    ("split-step Fourier", "n=1048576 trips=20", "", "one = 1; step = 1;", "one = 1 + 1i; step = 1i;", SPLIT),
]


def milliseconds(lac, program, folder):
    statistics_file = Path(folder) / "stats.json"
    command = [lac, "run", "--compile=first", "--threads", "1", f"--stats=json:{statistics_file}", program]
    env = {**os.environ, "LAC_CACHE_DIR": str(Path(folder) / "cache")}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr[-500:]}")
    return json.loads(statistics_file.read_text())["run_ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lac", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    print(f"{'program':22} {'real, ms':>10} {'complex, ms':>12} {'elements/s':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for name, sizes, common, real, complex_, rest in PROGRAMS:
            times = {}
            for round_ in range(arguments.rounds + 1):  # the first one compiles
                for kind, own in (("real", real), ("complex", complex_)):
                    program = Path(folder) / f"{kind}.la"
                    words = "".join(f"param {size.replace('=', ' = ')}\n" for size in sizes.split())
                    program.write_text(words + "precision double\n" + common + own + rest)
                    taken = milliseconds(arguments.lac, program, folder)
                    if round_ > 0:
                        times.setdefault(kind, []).append(taken)
            real_ms, complex_ms = statistics.median(times["real"]), statistics.median(times["complex"])
            print(f"{name:22} {real_ms:10.1f} {complex_ms:12.1f} {real_ms / complex_ms:11.2f}", flush=True)


if __name__ == "__main__":
    main()
