#!/usr/bin/env python3
"""Loops that stay on the device: what crosses between host and device, and that nothing else changes.

usage: loops_test.py LAC        exits 77 without a device
"""
import array
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIP = 77
LAC = ""

POISSON = """
param n = 64
e = ones(n, 1);
T = spdiags([-e 2*e -e], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
b = A * (1 + sin((1:n^2)'));
"""

CG = """% the loop of conjugate gradients on a matrix and a right-hand side that are given
param A(n, n)
param b(n, 1)
param tol = 1e-5
param maxit = 300
x = zeros(size(b));
r = b;
p = r;
rho = r' * r;
limit = tol^2 * rho;
k = 0;
while rho > limit && k < maxit
  q = A * p;
  alpha = rho / (p' * q);
  x = x + alpha * p;
  r = r - alpha * q;
  rho_old = rho;
  rho = r' * r;
  p = r + rho / rho_old * p;
  k = k + 1;
end
output x
output k
output rho
"""

JACOBI = """
param A(n, n)
param b(n, 1)
param steps = 2000
d = full(diag(A));
x = zeros(size(b));
for k = 1:steps
  x = max(0, x - 0.5 * (A * x - b) ./ d);
end
output x
"""

PROJECTED = """
param A(n, n)
param b(n, 1)
[x, k, residual] = projected_jacobi(A, -b, zeros(size(b)), 0.5, 0, 2000);
output x
output k
"""

NOISY = """
x = (1:100)';
for k = 1:60
  x = 0.9 * x + 1;
  s = sum(x);
  if mod(k, 10) == 0, printf('%d %.4f\\n', k, s); end
  if s < 0, break; end
end
printf('end %d\\n', k);
"""

WAVE = (Path(__file__).resolve().parents[2] / "samples" / "wave_implicit.la").read_text().replace(
    "1e-9, 500", "1e-5, 500").replace("param n = 48", "param n = 64").replace("param steps = 40", "param steps = 20").replace(
        "\noutput u", "")

SOLVERS = """
param A(n, n)
param b(n, 1)
[x, flag, relres, k] = SOLVER(A, b, 1e-5, 300);
output x
output flag
output k
"""

# More trips than are recorded before the first text is shown.
TWICE = """
x = ones(40, 1);
s = x' * x;
k = 0;
while s < 1e30 && k < 300
  printf('%g %g\\n', s, s);
  x = 1.01 * x;
  s = x' * x;
  k = k + 1;
end
output s
"""

# What decides was computed before the loop, on the device.
DECIDED = """
x = (1:100)';
odd = sum(x) > 5000;
for k = 1:100
  if odd, x = x + rand(100, 1); else, x = x - rand(100, 1); end
end
y = rand(2, 1);
output x
output y
"""

NEVER_DECIDED = """
param n = 257
x = -ones(n, 1); y = (1:n)'; s = 0.5; k = 0;
while sum(x) > 0.5
  k++;
  if sum(y) > 3, s = sum(x .* y); end
  x = x * 0.8;
end
printf('%d %g %g\\n', k, s, x(1));
"""

SHARED_FUNCTIONS = """
x = ones(5, 1); j = 1;
for k = 1:3
  j = mod(j * 3 + k, 5) + 1;
  x = x - max(x) * 0.1;
end
printf('%g %g\\n', x(1), j);
"""

QUIET = NOISY.replace("if mod(k, 10) == 0, printf('%d %.4f\\n', k, s); end", "")

LEAVES = """
x = (1:50)';
k = 0;
while true
  k = k + 1;
  x = x / 2;
  if mod(k, 3) == 0, continue; end
  x = x + 0.125;
  if max(x) < 1 + 1 / 4, break; end
end
output k
output x
"""

NESTED = """
x = ones(20, 1);
total = 0;
for outer = 1:5
  for inner = 1:7
    x = x * 0.5 + outer;
    if sum(x) > 150, x = x - 1; end
  end
  total = total + norm(x);
end
output total
output x
"""

NEVER = """
param x(n, 1) = [1; 2; 3]
k = 0;
while sum(x) > 100
  x = 2 * x; k = k + 1;
end
output k
output x
"""

FAILS = """
x = (1:10)';
for k = 1:50
  x = x - 0.25;
  if min(x) < -2, error('negative in trip %d', k); end
end
"""

# Loops of single elements, one in the other, beside work of the device.
TABLE = """
param items = 30
param cap = 400
w = 1 + mod((1:items) * 37, 91); v = 1 + mod((1:items) * 53, 97);
best = zeros(cap + 1, 1);
for i = 1:items
  for c = cap:-1:w(i)
    t = best(c - w(i) + 1) + v(i);
    if t > best(c + 1)
      best(c + 1) = t;
    end
  end
end
best = 2 * best + 1;
output best
"""

# A recurrence inside of a loop that the host drives: it prints a matrix.
RECURRENCE = """
param n = 20000
x = ones(n, 1);
for round = 1:3
  for k = 2:n
    x(k) = 0.5 * x(k - 1) + x(k) / k;
  end
  x = x + 1;
  disp(x(1:2)');
end
output x
"""

FILTER = """
F = [1 0.1; 0 1]; H = [1 0]; P = eye(2); s = [0; 1]; r = 0;
for t = 1:20000
  s = F * s; P = F * P * F' + 0.01 * eye(2);
  K = P * H' / (H * P * H' + 1);
  s = s + K * (sin(t) - H * s); P = P - K * H * P;
  r = r + s(1)^2;
end
output r
output P
"""

FEW_TRIPS = """
param n = 200000
x = (1:n)' / n;
x = sqrt(x);
for k = 2:5
  x(k) = x(k - 1) + k;
end
output x
"""

FAILS_NATIVELY = """
x = (1:9000)';
for a = 1:3
  for k = 2:9000
    x(k) = x(k - 1) - 1;
    if x(k) < -5000 * a, error("at %d in %d: %g", k, a, x(k)); end
    if a == 3, x(k + 10) = 1; y = x(k * a); end
  end
  x = x + 4000;
end
"""


def run(text, *words, status=0):
    """(standard output, standard error, the statistics' object, the outputs' bytes)"""
    with tempfile.TemporaryDirectory() as folder:
        program, statistics = Path(folder, "program.la"), Path(folder, "statistics")
        program.write_text(text)
        outputs = [line.split()[1] for line in text.splitlines() if line.startswith("output ")]
        writes = sum((["-o", f"{name}={folder}/{name}.npy"] for name in outputs), [])
        done = subprocess.run([LAC, "run", str(program), "--print=none", f"--stats=json:{statistics}", *words, *writes],
                              capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        if done.returncode != status:
            raise AssertionError(f"exit status {done.returncode}: {done.stdout}{done.stderr}")
        values = {name: Path(folder, name + ".npy").read_bytes() for name in outputs} if status == 0 else {}
        return done.stdout, done.stderr, json.loads(statistics.read_text() or "{}"), values


def vulkan(text, *words, loops="device", status=0):
    return run(text, "--target=vulkan", "--precision=single", "--loops=" + loops, *words, status=status)


def trips(statistics):
    return sorted(loop["trips"] for loop in statistics["loops"])


class LoopsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        program = Path(cls.folder.name, "poisson.la")
        program.write_text(POISSON + "output A\noutput b\n")
        cls.data = []
        for name in ("A", "b"):
            file = f"{cls.folder.name}/{name}.mtx"
            cls.data.append(f"{name}={file}")
            subprocess.run([LAC, "run", str(program), "--print=none", "-o", f"{name}={file}"], check=True, timeout=120)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def both(self, text, *words):
        """The statistics of the loop on the device, once its results are those of the loop that the host drives."""
        device, host = vulkan(text, *words), vulkan(text, *words, loops="host")
        self.assertEqual(device[0], host[0])
        self.assertEqual(device[3], host[3])
        self.assertEqual(trips(device[2]), trips(host[2]))
        return device[2]

    def test_conjugate_gradients(self):
        statistics = self.both(CG, *self.data)
        transfers, (count,) = statistics["transfers"], trips(statistics)
        self.assertGreater(count, 50)
        self.assertEqual(transfers["uploads"], 2)
        self.assertLessEqual(transfers["scalar_readbacks"] + transfers["polls"], count / 8 + 4)
        cpu = run(CG, "--precision=single", *self.data)[2]
        self.assertLessEqual(abs(trips(cpu)[0] - count), 0.08 * count)

    def test_conjugate_gradients_300(self):
        statistics = self.both(CG, "tol=0", "maxit=300", *self.data)
        self.assertEqual(trips(statistics), [300])
        self.assertLessEqual(statistics["transfers"]["scalar_readbacks"], 300 / 8 + 4)

    def test_implicit_wave(self):
        """A solver that is entered in every step wastes little: of the dispatches a third at least are of trips that ran."""
        statistics = vulkan(WAVE)[2]
        steps, trips_of_pcg = trips(statistics)
        self.assertEqual(steps, 20)
        self.assertGreater(trips_of_pcg, 3 * steps)
        self.assertLessEqual(statistics["transfers"]["dispatches"], 3 * 4 * trips_of_pcg)

    def test_solvers_of_the_library(self):
        """What counts their trips does not depend on what the device decides."""
        for solver in ("pcg", "bicgstab"):
            statistics = self.both(SOLVERS.replace("SOLVER", solver), *self.data)
            self.assertGreater(trips(statistics)[0], 20)
            transfers = statistics["transfers"]
            self.assertLessEqual(transfers["scalar_readbacks"] + transfers["polls"], 16, solver)

    def test_projected_jacobi(self):
        statistics = self.both(JACOBI, *self.data)
        self.assertEqual(trips(statistics), [2000])
        self.assertLessEqual(statistics["transfers"]["waits"], 8)

    def test_projected_jacobi_with_its_residual(self):
        """The condition is computed in each trip, and the host looks at it less and less often."""
        statistics = self.both(PROJECTED, *self.data)
        self.assertEqual(trips(statistics), [2000])
        self.assertLessEqual(statistics["transfers"]["waits"], 8)

    def test_render_passes(self):
        """33^2 unknowns are not a multiple of the four numbers of a texel."""
        text = POISSON.replace("64", "33") + CG.split("param tol = 1e-5")[1].replace("param ", "").replace(
            "limit", "tol = 1e-5; limit", 1)
        expected = run(text, "--target=interp", "--precision=single")
        for loops in ("device", "host"):
            found = run(text, "--target=vulkan-fragment", "--loops=" + loops)
            self.assertLessEqual(abs(trips(found[2])[0] - trips(expected[2])[0]), 2)
            x, y = (array.array("f", values["x"][-4 * 33 * 33:]) for values in (found[3], expected[3]))
            self.assertLess(max(abs(a - b) for a, b in zip(x, y)), 1e-3)

    def test_text_in_order(self):
        noisy, quiet = self.both(NOISY)["transfers"], self.both(QUIET)["transfers"]
        self.assertLessEqual(noisy["waits"], quiet["waits"] + 1)
        text = vulkan(NOISY)[0].splitlines()
        self.assertEqual([line.split()[0] for line in text], ["10", "20", "30", "40", "50", "60", "end"])

    def test_one_scalar_twice_in_a_text(self):
        self.assertEqual(trips(self.both(TWICE)), [300])

    def test_decided_before(self):
        self.assertEqual(trips(self.both(DECIDED)), [100])

    def test_leaving(self):
        statistics = self.both(LEAVES)
        self.assertLess(statistics["transfers"]["waits"], trips(statistics)[0])

    def test_nested(self):
        self.assertEqual(trips(self.both(NESTED)), [5, 35])

    def test_no_trip(self):
        self.assertEqual(trips(self.both(NEVER)), [0])

    def test_no_trip_beside_a_decided_branch(self):
        for n in (5, 257, 5000):
            self.assertEqual(trips(self.both(NEVER_DECIDED, f"n={n}")), [0])

    def test_functions_of_host_and_kernels(self):
        """The host's mod and the kernel's max need the same functions of one shader."""
        for precision in ("single", "double"):
            text = f"precision {precision}\n" + SHARED_FUNCTIONS
            self.assertEqual(run(text, "--target=vulkan")[0], "0.729 3\n")

    def test_odd_chunks(self):
        for count in (1, 2, 3, 5, 7, 9, 13, 31, 33, 65):
            statistics = self.both(JACOBI, f"steps={count}", *self.data)
            self.assertEqual(trips(statistics), [count])

    def test_failure_inside(self):
        results = [vulkan(FAILS, loops=loops, status=1) for loops in ("device", "host")]
        texts = [result[1].split("program.la", 1)[1] for result in results]
        self.assertEqual(texts[0], texts[1])
        self.assertIn("negative in trip 13", results[0][1])

    def test_spilling(self):
        """A budget that holds only part of the matrices changes no result. Work stays in its trip: a kernel that does more
        needs more matrices at once."""
        large = vulkan(CG, "maxit=20", "--no-retime", *self.data)
        small = vulkan(CG, "maxit=20", "--no-retime", "--device-memory=130K", *self.data)
        self.assertEqual(large[3], small[3])
        self.assertEqual(large[2]["memory"]["evictions"], 0)
        self.assertGreater(small[2]["memory"]["evictions"], 0)

    def natively(self, text, *words, precision="double"):
        """The statistics of a run whose results are those of the target cpu."""
        found, cpu = (run(text, "--precision=" + precision, *words, *target) for target in (("--target=vulkan",), ()))
        self.assertEqual(found[0], cpu[0])
        self.assertEqual(found[3], cpu[3])
        self.assertEqual(trips(found[2]), trips(cpu[2]))
        return found[2]

    def straight(self, statistics):
        return sum(kernel["launches"] for kernel in statistics["kernels"] if kernel["kind"] == "straight")

    def dispatches(self, statistics):
        return sum(kernel["launches"] for kernel in statistics["kernels"] if kernel["kind"] == "main")

    def test_single_elements(self):
        for precision in ("double", "single"):
            statistics = self.natively(TABLE, precision=precision)
            self.assertGreater(self.straight(statistics), trips(statistics)[1])
            self.assertLessEqual(self.dispatches(statistics), 4)
            self.assertLessEqual(statistics["transfers"]["waits"], 4)

    def test_single_elements_inside_of_other_work(self):
        statistics = self.natively(RECURRENCE)
        self.assertEqual(self.straight(statistics), 3 * 19999)
        self.assertLessEqual(self.dispatches(statistics), 8)

    def test_small_matrices(self):
        self.assertLessEqual(self.dispatches(self.natively(FILTER)), 8)

    def test_native_only_where_it_pays(self):
        """Few trips over a matrix that lies on the device, and where it is not wanted."""
        self.assertEqual(self.straight(run(FEW_TRIPS, "--target=vulkan")[2]), 0)
        for loops in ("device", "host"):
            self.assertEqual(self.straight(vulkan(TABLE, "items=2", "cap=120", loops=loops)[2]), 0)

    def test_failure_in_a_native_loop(self):
        texts = [run(FAILS_NATIVELY, "--precision=double", "--target=" + target, status=1)[1].split("error: ", 1)[1]
                 for target in ("vulkan", "interp")]
        self.assertEqual(texts[0], texts[1])


def main():
    global LAC
    LAC = sys.argv.pop(1)
    if subprocess.run([LAC, "devices"], capture_output=True, timeout=60).returncode != 0:
        print("SKIPPED: no Vulkan device")
        return SKIP
    unittest.main()


if __name__ == "__main__":
    sys.exit(main())
