#!/usr/bin/env python3
"""Shader packs: the sample host plays them under validation, with the numbers of lac, also for inputs that the pack was not
made with; what a pack cannot have is refused where it stands.

usage: pack_test.py LAC        exits 77 without a device or a C compiler
"""
import array
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIP = 77
LAC = ""
HOST = Path(__file__).resolve().parents[2] / "samples" / "shader_pack" / "host.c"

CG = """
param n = 24
param tol = 1e-6
param b(n^2, 1) = sin((1:n^2)')
T = spdiags(ones(n, 1) * [-1 2 -1], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
x = zeros(size(b));
r = b;
p = r;
rho = r' * r;
k = 0;
while rho > tol && k < 500
  q = A * p;
  alpha = rho / (p' * q);
  x += alpha * p;
  r -= alpha * q;
  before = rho;
  rho = r' * r;
  p = r + rho / before * p;
  k++;
end
output x
output k
"""
# A loop that the device leaves from the middle, values that change places, and matrices of another kind.
SWAPS = """
param b(30, 1) = (1:30)'
u = b; v = zeros(30, 1); s = 1; t = 2; big = b > 40;
while true
  [u, v] = deal(v + 0.5 * u, u);
  [s, t] = deal(t, s + sum(u) / 1000);
  if s > 3, break, end
  big = u > 2;
end
output u
output v
output s
output t
output big
"""
# Loops inside, as many trips as the number of the trip; a matrix that an arm may keep.
INSIDE = """
param b(30, 1) = (1:30)'
x = b; best = b; s = 1; least = 1e9;
for k = 1:40
  old = x;
  for i = 1:mod(k, 4)
    x = 0.9 * x + 0.01 * i * x(30:-1:1);
  end
  s = norm(x - 10) + mod(k, 3);
  if s < least
    least = s;
    best = old + x;
  end
  if s < 20, break, end
end
output x
output best
"""
FIXED = """
param A(n, n) sparse
param b(n, 1)
x = zeros(n, 1);
for k = 1:40
  x = max(0, x - 0.2 * (A * x - b));
end
r = norm(A * x - b);
output x
output r
"""
NEVER_RUNS = """
param b(5, 1) = ones(5, 1)
x = b; k = 3; seen = 0;
while sum(x) > 100
  x = x / 2; k = k + 2; seen = 1;
end
y = x * k + seen;
output y
output k
"""
PRODUCTS = """
param A(20, 30) = cos((1:20)' * (1:30))
param B(30, 10) = sin((1:30)' * (1:10))
C = A * B;
s = sum(C, 2);
[m, i] = max(s);
d = C(:, 3)' / norm(C(:, 3));
output C
output s
output m
output i
output d
"""
# Scalars that begin as constants and are the data's from then on.
CARRIED = (
    "x = b; first = true; y = b;\nwhile sum(abs(x)) > 1\n  x = x * 0.9;\n  if first, y = cumsum(x); first = false; else y = y + x; end\nend\n",
    "x = b; t = true; y = b;\nwhile sum(abs(x)) > 1\n  x = x * 0.9;\n  if t, y = cumsum(x); else y = y - x; end\n  t = !t;\nend\n",
    "x = b; y = b; f = false;\nwhile sum(abs(x)) > 1\n  x = x * 0.9;\n  if f, y = y + cumsum(x); end\n  f = sum(abs(x)) > 5;\nend\n",
    "x = b; up = true; y = b;\nfor k = 1:10\n  if up, y = cumsum(x); else y = cumprod(x); end\n  up = sum(x) > 3; x = x * 0.9;\nend\n",
    "x = b; y = 1;\nfor k = 1:20\n  x = x * 0.9;\n  if sum(x) > 3, y = y + x(1); else x = x / 2; end\nend\n",
    "x = b; y = 0;\nwhile norm(x) > 0.5\n  x = x * 0.9;\n  if x(1) < 0.6, break; end\n  y++;\nend\n",
    "x = b; y = b;\nwhile sum(abs(x)) > 1\n  x = x * 0.9;\n  if max(cumsum(x)) > 3, y = y + cumsum(x); end\nend\n",
    "x = b; y = b;\nwhile sum(abs(x)) > 1\n  [x, i] = sort(x * 0.9, 'descend'); y = y + accumarray([3; 1; 3], x);\nend\n",
)
# Of a size that is given.
SORTED = "param n = 3\nparam b(n, 1)\nx = sort(b);\ny = sort(-b) + x;\noutput x\noutput y\n"
# Branches outside of loops, on what kernels compute: both arms are in the pack. Values that an arm leaves alone, that both
# make, that are numbers in one; loops, other branches and errors in an arm; what follows from the results.
BRANCHES = (
    "y = 1;\nif sum(b) > 10\n  b = 2 * b; y = 3;\nend\nx = b * y;\n",
    "y = b;\nif max(b) > 6, x = cumsum(b); y(2) = 5; else x = b - 1; end\n",
    "x = b; y = 0; t = b;\nif sum(b) > 10\n  while norm(x) > 0.5\n    x = x * 0.9; y++;\n  end\nelse\n  t = x; x = b + 1;\nend\n"
    "x = x + t * y;\n",
    "y = 7; x = b;\nif b(1) > 1\n  if b(2) > 4, x = x * 2; y = 7; else y = 8; end\nelse\n  y = 7; x = -x;\nend\nif y == 7, x(1) = y; end\n",
    "x = b; y = 2;\nif sum(b) > 20, error('too much'); end\nx = x + 1;\n",
    "x = b; y = sum(b);\nif y > 10\n  [x, y] = deal(x / y, norm(x));\nelse\n  for k = 1:3, x = x + k; end\nend\nz = x(2) * y;\nx = x * z;\n",
    "x = 0; y = 0;\nfor j = 1:2\n  y = x; z = b * j;\n  for i = 1:20\n    x = i;\n    if sum(abs(z)) < 1, break; end\n    z = z / 2;\n"
    "  end\nend\n",
    "x = b; y = 2; done = false;\nwhile sum(abs(x)) > 1\n  x = x * 0.9; y++; done = true;\nend\nif done, x = x * 100; end\n",
    "x = b; y = 1;\nfor k = 1:3\n  if sum(x) > 10, x = x / 2; y = y + k; else x = x + b; end\nend\n",
)
# Random numbers in arms, of the same count; constants as outputs behind what kernels compute; conditions that a loop does not
# change.
MORE_BRANCHES = (
    "if b(1) > 1, x = rand(3, 1); else, x = 2 * rand(3, 1); end\ny = rand(2, 2);\n",
    "y = b; x = [1; 2; 3];\ny(2) = 2;\n",
    "x = [1; 2; 3]; y = [4; 5; 6];\nif b(1) > 1, y = y + 1; end\n",
    "x = b; y = b(1);\nwhile sum(x) > 1\n  x = x * 0.5;\n  if b(1) > 1, x = x * 0.7; end\nend\n",
    "x = b; y = cumsum(b);\nfor k = 1:3\n  x = x * 0.5;\n  if y(3) > 5, x = cumsum(x); y = y / 2; end\nend\n",
    "x = b; y = 1;\nif b(1) > 1, if b(2) > 100, error('w'); else, x = x + 1; end, end\nx = x * 2;\n",
)
FAILS = """
param b(3, 1)
x = b; y = 2;
if sum(b) > 20, y = 3; x = cumsum(x); error('too much of %d', y); else x = cumsum(b) * 2; end
x = x + 1;
output x
output y
"""
SYSTEM = """
param b(576, 1) = sin((1:576)')
n = 24;
T = spdiags(ones(n, 1) * [-1 2 -1], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
"""
SOLVERS = (
    "[x, flag, relres, iter] = pcg(A, b, 1e-6, 100, @(v) v / 4);\noutput flag\noutput relres\noutput iter\n",
    "[x, flag] = bicgstab(A, b, 1e-6, 100);\noutput flag\n",
    "[x, flag] = lsqr(A, b, 1e-3, 60);\noutput flag\n",
)
BEHIND = "param b(3, 1) = [2; 5; 7]\nx = b; n = 2; done = false; k = 0;\nwhile sum(abs(x)) > 1\n  x = x * 0.9; n = 4; done = true; k++;\nend\n"
# program, line, what the message must hold
REFUSED = (
    ("x = sin((1:64)'); s = 1;\nfor k = 1:3\nfor i = 1:9 + 20000*(k == 3)\nx = 0.9 * x + 0.01 * i * x(64:-1:1);\nend\n"
     "s = norm(x);\nif s < 1e-3, break, end\nend\noutput x\n", 3, "makes more and more trips"),
    (BEHIND + "y = zeros(n, 1) + sum(x);\noutput y\n", 6, "a shader pack cannot have this"),
    (BEHIND + "y = b(1:n - 1) + sum(x);\noutput y\n", 6, "a shader pack cannot have this"),
    (BEHIND + "y = ones(k + 1, 1) * sum(x);\noutput y\n", 6, "a shader pack cannot have this"),
    (BEHIND + "for j = 1:k, x = x + 1; end\noutput x\n", 6, "a shader pack cannot have this"),
    ("param b(3, 1) = [2; 5; 7]\nx = b;\nfor k = 1:200000, x = x / 2 + cumsum(x) / 9; end\noutput x\n", None, "written out"),
    ("param b(3, 1) = [2; 5; 7]\nx = b; k = 1;\nfor i = 1:30\n  k = 2 * k; x = x * 0.9;\n  if sum(x) < 1, break; end\nend\noutput k\n",
     None, "computes in every trip"),
    ("param b(3, 1) = [2; 5; 7]\nx = b; a = 1; c = 2; d = 3; e = 4; f = 5; g = 6; h = 7;\nwhile sum(x) > 1\n"
     "  x = x * 0.9; [a, c, d, e, f, g, h] = deal(c, d, e, f, g, h, a);\nend\ny = x * a;\noutput y\n", None, "six scalars"),
    ("param A(4, 4) = magic(4) + 1\nx = A \\ ones(4, 1);\noutput x\n", 2, "the library step"),
    ("param b(9, 1) = ones(9, 1)\nx = b;\nif sum(b) > 3\n  x = [b; b];\nend\noutput x\n", 3, "a shader pack cannot have this"),
    ("param b(9, 1) = ones(9, 1)\nif sum(b) > 3\n  b = b + rand(9, 1);\nend\noutput b\n", 2, "random numbers of which"),
    ("param b(9, 1) = ones(9, 1)\nif sum(b) > 3, error('more'); else error('less'); end\noutput b\n", 2, "both end with an error"),
    ("param b(9, 1) = ones(9, 1)\nx = b; k = 0;\nwhile sum(x) > 1\n  x = x / 2 + 1e-3 * rand(9, 1); k++;\nend\noutput x\n", None,
     "random numbers"),
    ("param b(9, 1) = ones(9, 1)\nx = b;\nwhile sum(x) < 99\n  x = [x; sum(x)];\nend\noutput x\n", None, "a shader pack"),
    ("x = sparse([1 2], [1 2], [3 4]);\noutput x\n", 1, "the library step"),
    ("param b(5000, 1) = ones(5000, 1)\nx = sort(b);\noutput x\n", 2, "the library step sort"),
    ("param b(300, 300) = ones(300, 300)\nx = sort(b);\noutput x\n", 2, "the library step sort"),
    ("param b(4, 1) = [3; 1; 2; 9]\nx = find(b > 2);\noutput x\n", 2, "the library step find"),
    ("param A(2, 2) = [4 1; 1 3]\nx = [1; 2];\nwhile norm(x) > 1e-3\n  x = A \\ x;\nend\noutput x\n", 3,
     "the host drives it (library step solve)"),
)


def lac(*words, **options):
    return subprocess.run([LAC, *words], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, **options)


def format_of(element):
    return {"float32": "f", "float64": "d", "uint32": "I"}[element]


class PackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = Path(cls.folder.name)
        cls.host = cls.at / "host"
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", str(HOST), "-lvulkan", "-o", str(cls.host)],
                       check=True, timeout=120)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def pack(self, text, *words):
        program, folder = self.at / "program.la", self.at / "pack"
        shutil.rmtree(folder, ignore_errors=True)
        program.write_text(text)
        done = lac("build", "--emit=shaders", "-o", str(folder), str(program), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder, json.loads((folder / "pack.json").read_text())

    def play(self, folder):
        environment = {**os.environ, "VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation",
                       "VK_LAYER_ENABLES": "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT"}
        done = subprocess.run([str(self.host), str(folder)], capture_output=True, text=True, timeout=300, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("alidation", done.stdout + done.stderr)

    def outputs(self, folder, pack):
        found = {}
        for output in pack["outputs"]:
            values = array.array(format_of(output["element"]))
            values.frombytes((folder / f"{output['name']}.out").read_bytes())
            self.assertEqual(len(values), output["rows"] * output["cols"])
            found[output["name"]] = list(values)
        return found

    def expected(self, text, names, *words):
        program = self.at / "program.la"
        program.write_text(text)
        writes = sum((["-o", f"{name}={self.at}/{name}.csv"] for name in names), [])
        done = lac("run", "--target=interp", "--print=none", str(program), *words, *writes)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {}
        for name in names:
            rows = [[float(cell) for cell in line.split(",")] for line in (self.at / f"{name}.csv").read_text().split()]
            found[name] = [row[j] for j in range(len(rows[0])) for row in rows]
        return found

    def compare(self, text, words=(), values=(), tolerance=1e-4):
        """The pack made with `words` plays as lac runs with `values`, which replace inputs in the pack's data."""
        folder, pack = self.pack(text, *words)
        data = bytearray((folder / "data.bin").read_bytes())
        for name, numbers in values:
            (given,) = (each for each in pack["inputs"] if each["name"] == name and each["array"] == "values")
            content = struct.pack(f"{len(numbers)}{format_of(given['element'])}", *numbers)
            self.assertLessEqual(len(content), given["at"][2])
            data[given["data"]:given["data"] + len(content)] = content
        (folder / "data.bin").write_bytes(data)
        self.play(folder)
        found = self.outputs(folder, pack)
        given = [f"{name}={json.dumps(list(numbers)).replace(',', ';')}" for name, numbers in values]
        replaced = [word for word in words if not any(word.startswith(name + "=") for name, _ in values)]
        expected = self.expected(text, found, *replaced, *given)
        for name in found:
            largest = max(map(abs, expected[name])) or 1
            self.assertEqual(len(found[name]), len(expected[name]))
            for a, b in zip(found[name], expected[name]):
                self.assertLessEqual(abs(a - b), tolerance * largest, name)
        return found, pack

    def test_conjugate_gradients(self):
        found, pack = self.compare(CG, ("--precision=double",), tolerance=1e-9)
        self.assertGreater(found["k"][0], 8)  # more than the first chunk
        self.assertTrue(any("while" in command for command in pack["commands"]))
        self.compare(CG, ("--precision=single", "tol=1e-3"), tolerance=1e-3)

    def test_other_data_take_other_trips(self):
        few = [1.0] + [0.0] * 575
        words = ("--precision=double", "b=sin((1:576)')")
        first = self.compare(CG, words)[0]["k"]
        second = self.compare(CG, words, [("b", few)])[0]["k"]
        none = self.compare(CG, words, [("b", [0.0] * 576)])[0]["k"]
        self.assertNotEqual(first, second)
        self.assertEqual(none, [0])

    def test_values_change_places(self):
        self.compare(SWAPS, ("--precision=double",))
        self.compare(SWAPS, ("--precision=single", "b=(1:30)'"), [("b", [100.0] * 30)])

    def test_scalars_that_begin_as_constants(self):
        for text in CARRIED:
            for values in ([2.0, 5, 7], [0.1, 0.2, 0.1], [30.0, 1, 2]):
                with self.subTest(text=text, values=values):
                    self.compare("param b(3, 1)\n" + text + "output x\noutput y\n", ("--precision=double", "b=[2;5;7]"),
                                 [("b", values)])

    def test_a_column_of_any_length_is_sorted(self):
        self.compare(SORTED, ("--precision=single", "b=[7;2;5]"), [("b", [3.0, 9, 1])])

    def test_branches_outside_of_loops(self):
        for text in BRANCHES + MORE_BRANCHES:
            for values in ([2.0, 5, 7], [0.1, 0.2, 0.1], [3.0, 1, 2]):
                with self.subTest(text=text, values=values):
                    self.compare("param b(3, 1)\n" + text + "output x\noutput y\n", ("--precision=double", "b=[2;5;7]"),
                                 [("b", values)])

    def test_an_arm_that_ends_with_an_error(self):
        self.compare(FAILS, ("--precision=double", "b=[2;5;7]"))
        folder, _ = self.pack(FAILS, "--precision=double", "b=[30;1;1]")
        done = subprocess.run([str(self.host), str(folder)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("too much of", done.stderr)
        self.assertFalse((folder / "x.out").exists())

    def test_solvers_of_the_library(self):
        for text in SOLVERS:
            for values in ([], [("b", [0.0] * 576)], [("b", [1.0] + [0.0] * 575)]):
                with self.subTest(text=text, values=values):
                    _, pack = self.compare(SYSTEM + text + "output x\n", ("--precision=double",), values)

    def test_loops_inside_and_arms(self):
        for values in ([], [("b", [0.1] * 30)], [("b", [2.0] * 30)]):
            self.compare(INSIDE, ("--precision=double",), values)

    def test_fixed_trips_and_compressed_rows(self):
        matrix = self.at / "A.mtx"
        matrix.write_text("%%MatrixMarket matrix coordinate real general\n5 5 7\n1 1 2\n2 2 3\n3 3 2\n4 4 2\n5 5 2\n1 4 -1\n5 1 1\n")
        words = ("--precision=double", f"A={matrix}", "b=[1;2;3;-4;5]")
        self.compare(FIXED, words)
        self.compare(FIXED, words, [("b", [5.0, -1, 2, 2, 0.5])])

    def test_a_loop_that_never_runs(self):
        self.compare(NEVER_RUNS, ("--precision=double",))
        self.compare(NEVER_RUNS, ("--precision=double", "b=ones(5, 1)"), [("b", [900.0] * 5)])

    def test_products(self):
        self.compare(PRODUCTS, ("--precision=single",))

    def test_every_shader_is_there(self):
        folder, pack = self.pack(CG, "--precision=single")
        for shader in pack["shaders"]:
            for language in ("spirv", "hlsl", "msl", "essl"):
                self.assertTrue(language in shader["files"] or language in shader["not_in"], shader["name"])
            for file in shader["files"].values():
                self.assertGreater((folder / file).stat().st_size, 0)
        for buffer in pack["buffers"]:
            self.assertLessEqual(buffer["first"], buffer["last"])

    def test_what_a_pack_cannot_have(self):
        for text, line, message in REFUSED:
            program = self.at / "refused.la"
            program.write_text(text)
            folder = self.at / "refused"
            done = lac("build", "--emit=shaders", "-o", str(folder), str(program))
            self.assertEqual(done.returncode, 1, text)
            self.assertIn(message, done.stderr)
            if line:
                self.assertIn(f"refused.la:{line}:", done.stderr)
            self.assertFalse(folder.exists())


if __name__ == "__main__":
    LAC = str(Path(sys.argv.pop(1)).resolve())
    if subprocess.run([LAC, "devices"], capture_output=True, timeout=60).returncode != 0 or not shutil.which("cc"):
        print("SKIPPED: no Vulkan device, or no C compiler")
        sys.exit(SKIP)
    unittest.main()
