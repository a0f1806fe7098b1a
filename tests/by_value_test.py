#!/usr/bin/env python3
"""Sizes that are computed from a parameter by what leaves polynomials: a run compiles for the value that is given
(Options::by_value), so its shapes are known and its loops are kernels and nothing else; and it prints what it should.

usage: by_value_test.py LAC
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PCG = """d = zeros(m, n); d(3, 3) = 1; p = zeros(cells, 1);
A = spdiags(ones(cells, 1) * [-1 2.5 -1], -1:1, cells, cells);
for k = 1:3
  [p, flag, residual, t] = pcg(A, d(:), 1e-6, 500, [], [], p);
  d(k, 1) = 1;
end
printf("%.6f %d\\n", norm(p), flag);
"""
# What stands in front of PCG: how many rows and cells the grid has.
GRIDS = {
    "half": "param n = 16\nm = 3 * n / 2; cells = m * n;\n",
    "range": "param n = 16\nx = 0:1/n:1; m = numel(x) - 1; cells = n^2;\n",
    "root": "param n = 16\nm = sqrt(n^2); cells = n * m;\n",
    "grows": "param n = 16\nm = 2 * n; cells = m * n;\n",
}

GROWN = """param n = 5
x = zeros(1, n); x(floor(n/2) + (1:7)) = 1;
y = 1:n; y(end + (1:floor(n/2))) = 0;
m = 4/2; z = 1:5; z(m + (1:7)) = 1;
o = zeros(floor(n/2), 1) + ones(n - floor(n/2) - mod(n, 2), 1);
printf("%d %d %d %d ", numel(x), numel(y), numel(z), sum(o)); printf("%d ", 1 ./ [-(0:2), 1]);
"""


def run(lac, program, *arguments):
    done = subprocess.run([lac, "run", "-q", str(program), *arguments], capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


def loop_of_pcg(lac, program, folder, size):
    statistics = folder / "statistics.json"
    text = run(lac, program, f"--stats=json:{statistics}", f"n={size}")
    loops = json.loads(statistics.read_text())["loops"]
    return text, next(loop for loop in loops if "pcg.la" in json.dumps(loop))


def main(lac):
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for grid, head in GRIDS.items():
            program = folder / f"{grid}.la"
            program.write_text(head + PCG)
            for size in (4, 16, 50):
                text, loop = loop_of_pcg(lac, program, folder, size)
                expected = run(lac, program, "--target=interp", f"n={size}")
                if text != expected:
                    failures.append(f"{grid}, n = {size}: {text!r}, on the interpreter {expected!r}")
                if size > 4 and (loop["launches"] > 2 * loop["trips"] or loop["steps"] > 0):
                    failures.append(f"{grid}, n = {size}: a trip of pcg is more than two kernels: {loop}")
        said = [run(lac, folder / "half.la", "n=7", target) for target in ("--target=cpu", "--target=interp")]
        if said[0] != said[1] or "conversion of 10.5 to int64_t value failed" not in said[0]:
            failures.append(f"an odd size: {said}")
        # What grows by positions behind its end still does.
        (folder / "grown.la").write_text(GROWN)
        for size in (2, 3, 5, 9):
            grown = [run(lac, folder / "grown.la", f"n={size}", target) for target in ("--target=cpu", "--target=interp")]
            rows = size // 2 + 7
            if grown[0] != grown[1] or not grown[0].startswith(f"{max(rows, size)} {size + size // 2} "):
                failures.append(f"positions behind the end, n = {size}: {grown}")
        # An executable is for all values.
        built = folder / "half"
        subprocess.run([lac, "build", str(folder / "half.la"), "-o", str(built)], check=True, timeout=300)
        for size in (4, 50):
            done = subprocess.run([str(built), f"n={size}"], capture_output=True, text=True, timeout=120)
            if done.stdout != run(lac, folder / "half.la", f"n={size}"):
                failures.append(f"the executable for n = {size}: {done.stdout!r} {done.stderr!r}")
    print("\n".join(failures) or "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
