#!/usr/bin/env python3
"""What `lac build` makes: which data it has code for, where it runs, how it is linked.

usage: build_test.py LAC
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from command_line import LAC, MATRIX, SQUARE, lac

PROGRAM = """\
% A product, scaled.
param A(m, n)
param x(n) = (1:columns(A))'
param s = 0.5
output y
y = s * (A * x) + sum(A(:));
k = 0;
while k < 3
  y += k * s;
  k++;
end
"""

# Name, contents: every storage and size class of A.
MATRICES = {
    "dense.csv": "1,2,3\n4,5,6\n",
    "csr.mtx": "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 4 2\n2 1 3\n3 3 4\n",
    "diagonal.mtx": "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n1 2 5\n2 2 3\n3 3 4\n",
    "row.csv": "1,2,3\n",
    "column.csv": "1\n2\n3\n",
    "one.csv": "7\n",
    "thin.mtx": "%%MatrixMarket matrix coordinate real general\n3 1 1\n2 1 5\n",
}
EMPTY = ["zeros(0,0)", "zeros(0,3)", "zeros(3,0)", "zeros(1,0)", "zeros(0,1)"]


class Build(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.write("p.la", PROGRAM)
        for name, text in MATRICES.items():
            cls.write(name, text)
        done = cls.lac("build", "p.la", "-o", "p", "-v")
        assert done.returncode == 0, done.stderr
        cls.report = done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def write(cls, name, text):
        (cls.folder / name).write_text(text)

    @classmethod
    def lac(cls, *words):
        return subprocess.run([LAC, *words], capture_output=True, text=True, cwd=cls.folder, timeout=120)

    def run_built(self, *words, program="p"):
        return subprocess.run([self.folder / program, *words], capture_output=True, text=True, cwd=self.folder,
                              timeout=60)

    def target_of(self, *words, program="p"):
        done = self.run_built(*words, "--stats=json:stats", program=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.folder / "stats").read_text())["target"], done

    def test_every_storage_and_size_has_code(self):
        for value in [*MATRICES, *EMPTY]:
            target, done = self.target_of("A=" + value)
            self.assertEqual((target, done.stderr), ("cpu", ""), value)
            self.assertEqual(done.stdout, self.lac("p.la", "A=" + value).stdout, value)

    def test_scalars_of_every_kind_and_parameters_with_computed_defaults_have_code(self):
        for words in (["s=2"], ["s=1"], ["s=0"], ["s=-3"], ["s=1e-3"], ["x=[3;2;1]"]):
            target, done = self.target_of("A=dense.csv", *words)
            self.assertEqual((target, done.stderr), ("cpu", ""), words)
            self.assertEqual(done.stdout, self.lac("p.la", "A=dense.csv", *words).stdout, words)

    def test_the_number_of_variants_has_a_limit(self):
        variants = [line for line in self.report.splitlines() if line.startswith("remark: compiled in: ")]
        self.assertEqual(len(variants), 16, self.report)
        self.assertIn("A: dense nxn", variants[0])
        for line in variants:
            self.assertIn("(for x86-64-v3, x86-64-v2)", line)

    def test_what_has_no_code_says_so_once_and_runs(self):
        done = self.lac("build", "p.la", "-o", "few", "--variants", "1", "--cpu", "x86-64-v2", "-v")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("compiled in: "), 1)
        self.assertIn("(for x86-64-v2)", done.stderr)
        self.assertEqual(self.target_of("A=dense.csv", program="few")[0], "cpu")
        target, done = self.target_of("A=one.csv", program="few")
        self.assertEqual(target, "interp")
        self.assertEqual(done.stderr.count("no compiled code serves this data (A: dense 1x1"), 1, done.stderr)
        self.assertEqual(done.stdout, self.lac("p.la", "A=one.csv").stdout)
        self.assertIn("target   interp, double\n", self.run_built("A=one.csv", "--stats", program="few").stderr)
        self.assertEqual(self.run_built("A=one.csv", "-q", program="few").stderr, "")

    def test_scalars_that_one_code_serves_are_no_kinds(self):
        names = [f"p{i}" for i in range(14)]
        self.write("reals.la", "".join(f"param {name} = 0.5\n" for name in names) + f"y = {' + '.join(names)}\n")
        done = self.lac("build", "reals.la", "-o", "reals", "-v", "--cpu=native")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("compiled in: "), 1, done.stderr)
        for words in ([], ["p0=3", "p5=0", "p13=1"]):
            target, run = self.target_of(*words, program="reals")
            self.assertEqual((target, run.stdout), ("cpu", self.lac("reals.la", *words).stdout))

    def test_logical_values_are_a_kind_of_their_own(self):
        self.write("flags.la", "param A(n, n)\nparam f = 1\nA, f\nislogical(A), islogical(f)\ny = sum(A(:)) + f\n")
        flags = ["A=ones(2,2) > 0", "f=true"]
        expected = self.lac("flags.la", *flags).stdout
        self.assertNotEqual(expected, self.lac("flags.la", "A=ones(2,2)", "f=1").stdout)
        for program, examples, target in (("numbers", [], "interp"), ("flags", flags, "cpu")):
            done = self.lac("build", "flags.la", "-o", program, "--variants", "2", "--cpu=native", *examples)
            self.assertEqual(done.returncode, 0, done.stderr)
            ran, run = self.target_of(*flags, program=program)
            self.assertEqual((ran, run.stdout), (target, expected))

    def write_branches(self):
        """branches.la calls a function of another file for dense data, two for sparse data, and one for nobody."""
        self.write("branches.la", "param A(n, n)\noutput y\n"
                                  "if issparse(A), y = scaled_sum(A); else y = 0; end\n"
                                  "y = y + last_row(A);\nif n < 0, y = exist(\"scaled_sum\") + not_there; end\n")
        self.write("scaled_sum.la", "% text of scaled_sum\nfunction r = scaled_sum(A)\n  r = sum(A(:)) * scale_of(A);\nend\n")
        self.write("scale_of.la", "function s = scale_of(A)\n  s = rows(A);\nend\n")
        self.write("last_row.la", "% text of last_row\nfunction r = last_row(A)\n"
                                  "  if A(1, 1) > 5\n    error(\"too large\");\n  end\n  r = sum(A(end, :));\nend\n")
        self.write("y.la", "this is no function {{{\n")
        self.write("small.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n2 3 5\n")
        self.write("large.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 7\n2 3 5\n")
        (self.folder / "elsewhere").mkdir(exist_ok=True)

    def run_elsewhere(self, program, *words):
        return subprocess.run([self.folder / program, *words], capture_output=True, text=True,
                              cwd=self.folder / "elsewhere", timeout=60)

    def test_functions_that_only_other_data_reaches_are_carried(self):
        self.write_branches()
        done = self.lac("build", "branches.la", "-o", "b1", "--variants", "1", "--cpu=native", "A=ones(3,3)")
        self.assertEqual(done.returncode, 0, done.stderr)
        run = self.run_elsewhere("b1", "A=../small.mtx", "-q", "--print=full", "-o", "y=-")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout, self.lac("branches.la", "A=small.mtx", "-q", "--print=full", "-o", "y=-").stdout)

    def test_each_text_is_carried_once_and_messages_name_it(self):
        self.write_branches()
        done = self.lac("build", "branches.la", "-o", "b16", "--cpu=native", "-v")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(done.stderr.count("compiled in: "), 3, done.stderr)
        content = (self.folder / "b16").read_bytes()
        self.assertEqual([content.count(b"% text of " + name) for name in (b"scaled_sum", b"last_row")], [1, 1])
        for value in ("large.mtx", "9*ones(3,3)", "9"):
            run = self.run_elsewhere("b16", "A=" + (value if value[0] != "l" else "../" + value))
            self.assertEqual((run.returncode, run.stderr), (1, self.lac("branches.la", "A=" + value).stderr))
            self.assertIn("last_row.la:4:", run.stderr)

    def test_no_code_is_made_of_passes_that_stopped(self):
        self.write("half.la", "param x(n)\noutput y\ny = sum(x .* x);\n")
        for words in (["build", "-o", "half"], ["build", "--emit=obj", "-o", "half"], ["emit", "llvm"], ["emit", "asm"],
                      ["emit", "glsl"]):
            for stop in ("dce", "schedule", "plan_memory"):
                done = self.lac(*words, "half.la", "--stop-after=" + stop)
                self.assertEqual((done.returncode, done.stdout), (1, ""), words)
                self.assertIn(f"error: --stop-after={stop} leaves nothing to make code of", done.stderr)
                self.assertFalse((self.folder / "half").exists())

    def test_version_and_help(self):
        done = self.run_built("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^p, built by lac \d+\.\d+\.\d+\n$")
        self.assertIn("--version", self.run_built("--help").stdout)

    def test_what_the_loader_fills_in_is_read_only(self):
        listed = subprocess.run(["readelf", "-Wld", self.folder / "p"], capture_output=True, text=True)
        self.assertIn("GNU_RELRO", listed.stdout)
        self.assertRegex(listed.stdout, r"FLAGS_1.*NOW.*PIE|FLAGS_1.*PIE.*NOW|BIND_NOW")

    def test_the_libraries_in_it_check_their_stack_and_buffers(self):
        cache = Path(LAC).parent / "CMakeCache.txt"
        if not cache.exists() or "CMAKE_BUILD_TYPE:STRING=Release" not in cache.read_text():
            self.skipTest("not a release build")
        listed = subprocess.run(["readelf", "-W", "--dyn-syms", self.folder / "p"], capture_output=True, text=True)
        names = set(re.findall(r"\bUND (__\w+)", listed.stdout))
        self.assertIn("__stack_chk_fail", names)
        self.assertTrue([name for name in names if name.endswith("_chk")], names)

    def test_nothing_is_left_beside_it_and_links_stay(self):
        folder = self.folder / "alone"
        folder.mkdir()
        (folder / "real").write_text("old")
        (folder / "link").symlink_to("real")
        done = self.lac("build", "-e", "x = 1", "-o", "alone/link", "--cpu=native")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(folder)), ["link", "real"])
        self.assertTrue((folder / "link").is_symlink())
        self.assertEqual(self.run_built(program="alone/link").stdout, "x = 1\n")

    def test_an_unknown_machine(self):
        done = self.lac("build", "-e", "x = 1", "-o", "q", "--cpu=pdp11")
        self.assertEqual(done.returncode, 1)
        self.assertIn("unknown --cpu 'pdp11'", done.stderr)
        self.assertFalse((self.folder / "q").exists())


class BuiltPrograms(unittest.TestCase):
    def test_a_built_program_keeps_to_its_limits(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "p.la").write_text('param n = 3\nx = rand(n, n);\nwrite("x.csv", x);\nprintf("%d\\n", n);\n')
            done = lac("build", "p.la", "-o", "p", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)

            def built(*words):
                return subprocess.run([folder / "p", *words], capture_output=True, text=True, cwd=folder, timeout=60)

            self.assertEqual(built("--sandbox").returncode, 1)
            self.assertIn("p.la:3:", built("--sandbox").stderr)
            self.assertFalse((folder / "x.csv").exists())
            self.assertEqual(built().returncode, 0)
            self.assertTrue((folder / "x.csv").exists())
            self.assertIn("the memory limit", built("n=1000", "--memory-limit=1M").stderr)

    def test_a_program_for_another_cpu_says_so(self):
        flags = Path("/proc/cpuinfo").read_text()
        if " avx2 " not in flags or " avx512f " in flags:
            self.skipTest("this machine runs all that could be asked for, or has no levels")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for cpu, fits in (("x86-64-v4", False), ("x86-64-v3", True), ("native", True)):
                done = lac("build", "-e", "param n = 4\nx = ones(n, 1) * 2\n", "--cpu=" + cpu, "-o", "p", cwd=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                done = subprocess.run([folder / "p"], capture_output=True, text=True, cwd=folder, timeout=60)
                self.assertEqual(done.returncode, 0 if fits else 1, done.stderr)
                if not fits:
                    self.assertRegex(done.stderr, "built for x86-64-v4, and this machine has no avx512")

    def test_a_built_program_prints_what_run_prints(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "p.la").write_text(SQUARE)
            (folder / "a.mtx").write_text(MATRIX)
            done = lac("build", "p.la", "-o", "p", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(folder)), ["a.mtx", "p", "p.la"])

            def built(*words):
                return subprocess.run([folder / "p", *words], capture_output=True, text=True, cwd=folder, timeout=60)

            for words in (["A=a.mtx"], ["A=a.mtx", "s=3"], ["A=a.mtx", "s=0.5"], ["A=5"], ["A=zeros(0,0)"]):
                done = built(*words)
                self.assertEqual((done.stdout, done.stderr), (lac("p.la", *words, cwd=folder).stdout, ""), words)
            self.assertIn("the matrix", built("--help").stdout)
            self.assertEqual(built().returncode, 2)
            self.assertEqual(built("A=a.mtx", "-o", "y=y.npy").returncode, 0)
            self.assertTrue((folder / "y.npy").exists())
            linked = subprocess.run(["ldd", folder / "p"], capture_output=True, text=True)
            self.assertNotIn("LLVM", linked.stdout)

    def test_data_that_ask_for_too_much(self):
        grow = "param T(n, 3)\nA = zeros(2, 2);\nfor k = 1:n\n  A(T(k, 1), T(k, 2)) = T(k, 3);\nend\ndisp(A(1, 2))\n"
        message = "p.la:4:3: error: out of memory or dimension too large for Octave's index type"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "p.la").write_text(grow)
            (folder / "t.csv").write_text("1,2,3.5\n4294967296,4294967296,1\n")
            (folder / "wraps.csv").write_text("1,2,3.5\n274177,67280421310721,1\n")
            (folder / "fits.csv").write_text("1,2,3.5\n2,3,1\n")
            self.assertEqual(lac("build", "p.la", "-o", "p", cwd=folder).returncode, 0)
            for program in ([LAC, "p.la"], [LAC, "--target=interp", "p.la"], [folder / "p"]):
                for data in ("t.csv", "wraps.csv"):
                    done = subprocess.run([*program, "T=" + data], capture_output=True, text=True, cwd=folder, timeout=60)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(message, done.stderr)
                done = subprocess.run([*program, "T=fits.csv"], capture_output=True, text=True, cwd=folder, timeout=60)
                self.assertEqual(done.stdout, "3.5000\n", done.stderr)

    def test_a_link_that_cannot_be_written(self):
        done = lac("build", "-e", "x = 1\n", "-o", "/no/such/folder/p")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/such/folder", done.stderr)


class OtherBuilds(unittest.TestCase):
    """Libraries that were compiled with other headers are refused by name: nothing else tells before they crash."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.libraries = Path(self.temporary.name, "libraries")
        self.libraries.mkdir()
        for file in Path(LAC).parent.joinpath("lib").iterdir():
            self.libraries.joinpath(file.name).symlink_to(file)

    def restamp(self, name):
        file = self.libraries / name
        data = file.read_bytes()
        file.unlink()
        self.assertRegex(data, rb"lac interface [0-9a-f]{32}\0")
        file.write_bytes(re.sub(rb"(lac interface )[0-9a-f]{32}\0", rb"\g<1>" + b"0" * 32 + b"\0", data))

    def environment(self):
        return {**os.environ, "LAC_LIBRARY_DIR": str(self.libraries)}

    def test_a_code_generator(self):
        words = ["run", "--no-cache", "--compile=first", "-e", "x = (1:5) * 2"]
        self.assertEqual(lac(*words, env=self.environment()).returncode, 0)
        self.restamp("liblac_codegen.so")
        done = lac(*words, env=self.environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn("liblac_codegen.so is of another build of lac", done.stderr)

    def test_the_archives_that_programs_are_linked_with(self):
        program = Path(self.temporary.name, "p")
        words = ["build", "-e", "x = (1:5) * 2", "-o", str(program)]
        self.assertEqual(lac(*words, env=self.environment()).returncode, 0)
        program.unlink()
        self.restamp("liblac_ir.a")
        done = lac(*words, env=self.environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn("liblac_ir.a is of another build of lac", done.stderr)
        self.assertFalse(program.exists())


if __name__ == "__main__":
    unittest.main(verbosity=1)
