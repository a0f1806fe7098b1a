#!/usr/bin/env python3
"""The target vulkan-fragment: what it runs is right, double precision it refuses.

usage: fragment_test.py LAC        exits 77 without a device
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import run_programs  # noqa: E402

TESTS = Path(__file__).resolve().parent.parent
FOLDERS = ["programs", "conformance/elementwise", "conformance/expressions", "conformance/reduce", "conformance/shape"]
# In single precision, as on vulkan.
EXCEPTIONS = {known.program for known in run_programs.read_exceptions() if known.precision == "single"}
LAC = ""

# Points are drawn in every trip, the last of which the device decides.
POINTS = """
param n = 37
x = sin((1:n)');
y = zeros(n, 3);
p = 1 + mod(7 * (1:n)', n);
s = norm(x);
k = 0;
while s > 1e-2 && k < 200
  x(p) = 0.9 * x;
  x(2) = s / 8;
  y(:, 2) = y(:, 2) + x;
  s = norm(x);
  k++;
end
output x
output y
output k
"""

CG = """
param n = 9                                  % n^2 unknowns: no multiple of 4 where n is odd
e = ones(n, 1);
T = spdiags([-e 2*e -e], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
b = A * (1 + sin((1:n^2)'));
[x, k, relres] = cg(A, b, 1e-5, 300);
output x
output k
"""


# Each makes Inf or NaN of the zeros in the lanes of a texel that are no elements; all sums are of numbers that singles hold.
POISONS = ("1 ./ x", "log(0 * x + 1) ./ x", "(x - x) ./ x + x", "x ./ (x .* x)", "2 .^ (1 - x) ./ x", "x .* (1 ./ x ./ x)")
PADDED = """
param n = 5
x = 2 .^ mod((1:n)', 5);
y = POISON;
A = mod((1:n)' * (1:n), 4) .* x;
B = A ./ x;
z = B * y;
w = A' * y;
[m, at] = max(y);
v = y;
v(n) = 7;
c = [y; x];
printf("%.9g ", sum(y), prod(x ./ x), m, at, min(y), any(y > 100), all(y < 100), y' * x, sum(B(:)), max(max(B)));
printf("%.9g ", z, w, sum(B), sum(B, 2), max(B), min(B, [], 2), v, c, y', B');
printf("\\n");
"""


PRODUCTS = """
param n = 8
param m = 12
param p = 4
A = sin((1:n)' * (1:m)); B = cos((1:m)' * (1:p)); x = sin((1:m)'); y = cos((1:n)');
C = A * B; D = A' * C; E = C * B'; F = B' * A'; g = A * x; h = A' * y; K = (A + 1) * B; L = 2 * A * B + C; w = y' * A;
printf("%.6g ", C, D, E, F, g, h, K, L, w);
"""


class FragmentTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.messages = Path(self.folder.name, "messages")

    def run_lac(self, program, *options, arguments=()):
        environment = {**os.environ, "LAC_VULKAN_VALIDATION": "1", "LAC_VULKAN_MESSAGES": str(self.messages)}
        done = subprocess.run([LAC, "run", *options, "--precision=single", str(program), *arguments],
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env=environment)
        if self.messages.exists():
            counts = re.findall(r"^messages: (\d+)$", self.messages.read_text(), re.MULTILINE)
            self.assertTrue(all(count == "0" for count in counts), self.messages.read_text())
        return done

    def test_programs_are_right(self):
        for folder in FOLDERS:
            for path in sorted((TESTS / folder).glob("*.la")):
                program = run_programs.Program(path)
                if folder != "programs" and run_programs.mark(program.text, "single") is None:
                    continue
                if folder == "programs" and path.stem in EXCEPTIONS:
                    continue
                with self.subTest(program=f"{folder}/{path.stem}"):
                    done = self.run_lac(path, "--target=vulkan-fragment", "--print=none", arguments=program.arguments)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    marked = run_programs.tolerance_of(run_programs.mark(program.text, "single")) or 0
                    tolerance = max(marked, run_programs.VULKAN_TOLERANCE["single"])
                    self.assertIsNone(run_programs.difference(program.expected, done.stdout, tolerance), done.stdout)

    def test_double_is_refused_by_its_own_message(self):
        program = Path(self.folder.name, "double.la")
        program.write_text("precision double\nx = (1:10)' / 3; printf('%g\\n', sum(sin(x)));")
        done = subprocess.run([LAC, "run", "--target=vulkan-fragment", str(program)], capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1)
        self.assertIn("vulkan-fragment computes in single precision: leave double out, or use --target=vulkan", done.stderr)

    def cg(self, n, *options):
        """trips, the bytes of x, what crossed between host and device"""
        program, x = Path(self.folder.name, "cg.la"), Path(self.folder.name, "x.csv")
        program.write_text(CG)
        done = self.run_lac(program, *options, "--stats=json", "--print=full", "-o", f"x={x}", arguments=[f"n={n}"])
        self.assertEqual(done.returncode, 0, done.stderr)
        trips = int(re.search(r"k = (\d+)", done.stdout).group(1))
        return trips, x.read_text(), json.loads(done.stderr.splitlines()[-1])["transfers"]

    def test_what_is_in_the_padding_leaks_nowhere(self):
        program = Path(self.folder.name, "padded.la")
        for poison in POISONS:
            program.write_text(PADDED.replace("POISON", poison))
            for n in (1, 2, 3, 4, 5, 6, 7, 13):
                with self.subTest(poison=poison, n=n):
                    expected = self.run_lac(program, "--target=interp", arguments=[f"n={n}"])
                    found = self.run_lac(program, "--target=vulkan-fragment", arguments=[f"n={n}"])
                    self.assertEqual(found.returncode, 0, found.stderr)
                    self.assertEqual(expected.stdout, found.stdout)

    def test_products_take_five_texels_for_sixteen_multiply_adds(self):
        program = Path(self.folder.name, "products.la")
        program.write_text(PRODUCTS)
        texts = Path(self.folder.name, "glsl")
        subprocess.run([LAC, "emit", "glsl", "--quiet", "--target=vulkan-fragment", "--precision=single", program, "-o", texts],
                       check=True, timeout=60)
        for name, fetches in (("C", 5), ("D", 5), ("g", 5), ("F", 4 + 4)):
            block = (texts / f"{name}_part.frag").read_text().split("k += 4) {")[1].split("}")[0]
            self.assertEqual(len(re.findall("texelFetch|lac_packed", block)), fetches, name)
        # Columns that begin with texels and such that do not, both for the result and the factors; parts of a sum; nothing.
        for sizes in ("8 12 4", "7 12 4", "8 9 3", "4 4 1", "0 4 4", "4 0 4", "12 4100 5", "8 8200 3", "1 4 4", "4 4 0"):
            with self.subTest(sizes=sizes):
                arguments = [f"{name}={size}" for name, size in zip("nmp", sizes.split(), strict=True)]
                expected = self.run_lac(program, "--target=interp", arguments=arguments).stdout.split()
                found = self.run_lac(program, "--target=vulkan-fragment", arguments=arguments)
                self.assertEqual(found.returncode, 0, found.stderr)
                for a, b in zip(expected, found.stdout.split(), strict=True):
                    self.assertLessEqual(abs(float(a) - float(b)), 2e-4 * (1 + abs(float(a))))

    def test_a_long_sum_is_few_passes(self):
        program = Path(self.folder.name, "sum.la")
        program.write_text("x = (1:2^20)' * 1e-6;\nprintf('%.3e\\n', sum(x .* x));\n")
        done = self.run_lac(program, "--target=vulkan-fragment", "--stats=json")
        self.assertAlmostEqual(float(done.stdout), (2**20 + 0.5) ** 3 / 3e12, delta=40)
        self.assertLessEqual(json.loads(done.stderr.splitlines()[-1])["transfers"]["render_passes"], 4)

    def test_points_in_a_loop_that_the_device_ends(self):
        program = Path(self.folder.name, "points.la")
        program.write_text(POINTS)
        found = {}
        for loops in ("auto", "host"):
            done = self.run_lac(program, "--target=vulkan-fragment", "--stats=json", "--loops=" + loops)
            found[loops] = (done.stdout, json.loads(done.stderr.splitlines()[-1])["transfers"])
        self.assertEqual(found["auto"][0], found["host"][0])
        trips = int(re.search(r"k = (\d+)", found["auto"][0])[1])
        self.assertGreater(trips, 20)
        self.assertEqual(found["host"][1]["polls"], 0)
        self.assertLessEqual(found["auto"][1]["polls"], trips / 8 + 4)
        self.assertLessEqual(found["auto"][1]["scalar_readbacks"], 4)

    def test_conjugate_gradients(self):
        for n in (9, 15, 64):
            with self.subTest(n=n):
                expected, x_expected, _ = self.cg(n, "--target=interp")
                trips, x, transfers = self.cg(n, "--target=vulkan-fragment")
                trips_host, x_host, host = self.cg(n, "--target=vulkan-fragment", "--loops=host")
                trips_unfused, _, unfused = self.cg(n, "--target=vulkan-fragment", "--loops=host", "--no-fuse")
                before = 12  # passes before the loop, at most
                self.assertLessEqual(host["render_passes"], 6 * trips_host + before)
                self.assertGreaterEqual(unfused["render_passes"], 12 * trips_unfused)
                self.assertEqual((trips, x), (trips_host, x_host))
                self.assertLessEqual(abs(trips - expected), 0.08 * expected + 1)
                for a, b in zip(x_expected.split(), x.split(), strict=True):
                    self.assertLessEqual(abs(float(a) - float(b)), 2e-3)
                # What is drawn beyond the end of a chunk counts too.
                self.assertGreaterEqual(transfers["render_passes"], host["render_passes"])
                self.assertLessEqual(transfers["scalar_readbacks"], trips / 8 + 4)
                self.assertLessEqual(transfers["polls"], trips / 8 + 4)


def main():
    global LAC
    LAC = sys.argv[1]
    if not run_programs.has_device(LAC):
        print("SKIPPED: no Vulkan device")
        return run_programs.SKIP
    result = unittest.main(argv=[sys.argv[0]], exit=False).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
