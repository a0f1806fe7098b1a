#!/usr/bin/env python3
"""`load` of files that are there when a program is compiled, and files of variables between lac and Octave.

usage: saved_files_test.py LAC              what is looked at while compiling, and what is found while running
       saved_files_test.py LAC --octave     files that one of both writes and the other reads; 77 without octave-cli
"""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAC = ""

VARIABLES = """
s = 1.5; m = [1 2; 3 1/3]; v = [1; 2]; z = 1 + 2i; zm = [1 2i]; neg = -0; big = 1e300;
b = true; bm = [true false]; t = 'abc'; dq = "x\\ny"; es = ''; u = "h\u00e9llo";
f = single(pi); fm = single([1 2; 3 4]); fz = single(1 + 2i); i8 = int8([1 -2]); i64 = int64([1 2; 3 4]);
e = []; e3 = zeros(0, 3); special = [Inf -Inf NaN NA];
nd = reshape(1:8, 2, 2, 2); ndi = uint8(nd); ndb = reshape([true false], 1, 1, 2);
sp = sparse([1 0; 0 2]); zs = sparse([0 1i]); id = eye(3); ob = eye(2, 3); p = eye(3)([2 3 1], :); r = 0:0.1:1;
c = {1, 'two', [3 4]; {}, true, {int8(1)}}; ec = {}; ch = cell(2, 2);
st.a = 1; st.b = 'q'; st.c = {1, 'x'}; st.d.e = [1 2 3]; sa = struct('p', {1, 2}); em = struct();
"""
SHOWN = """
names = fieldnames(q);
for k = 1:numel(names)
  name = names{k};
  if ! ismember(name, {"c", "ec", "ch", "st", "sa", "em"})
    x = q.(name);
    printf("%s: %s, %s, sparse %d:", name, class(x), mat2str(size(x)), issparse(x));
    x = double(x(:));
    if issparse(x), x = full(x); end
    printf(" %.17g", real(x), imag(x));
    printf("\\n");
  end
end
q.c, q.ec, q.ch, q.st, q.sa(2), q.em, q.id, q.p
"""
FORMATS = ("-text", "-v6", "-v7")


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = Path(self.folder.name, name)
        if text is not None:
            path.write_text(text)
        return path

    def run_program(self, command, status=0):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.folder.name,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, done.stderr

    def lac(self, text, status=0, options=()):
        program = self.path("program.la", text)
        return self.run_program([LAC, "run", "--precision=double", "--print=none", *options, program], status)


def text_file(**variables):
    return "".join(f"# name: {name}\n# type: {kind}\n\n\n" for name, kind in variables.items())


class WhileCompiling(Folder):
    PROGRAM = "load d.txt\nprintf('%d ', size(A)); disp(name)\n"

    def matrix(self, rows):
        return f"matrix\n# rows: {rows}\n# columns: 2\n" + " 1 2\n" * rows

    def string(self, text):
        return f"string\n# elements: 1\n# length: {len(text)}\n{text}"

    def test_extents_and_lengths_may_change(self):
        self.path("d.txt", text_file(A=self.matrix(2), name=self.string("abc")))
        self.run_program([LAC, "build", self.path("p.la", self.PROGRAM), "-o", "p"])
        self.assertEqual(self.run_program(["./p"])[0], "2 2 abc\n")
        self.path("d.txt", text_file(A=self.matrix(5), name=self.string("abcdef")))
        self.assertEqual(self.run_program(["./p"])[0], "5 2 abcdef\n")

    def test_classes_and_names_may_not(self):
        self.path("d.txt", text_file(A=self.matrix(2), name=self.string("abc")))
        self.run_program([LAC, "build", self.path("p.la", self.PROGRAM), "-o", "p"])
        self.path("d.txt", text_file(A=self.matrix(2), name="scalar\n3"))
        self.assertIn("load: d.txt: name is 1x1 double, where 1xn char was expected", self.run_program(["./p"], 1)[1])
        self.path("d.txt", text_file(A=self.matrix(2)))
        self.assertIn("no data found in file 'd.txt'", self.run_program(["./p"], 1)[1])
        self.path("d.txt", text_file(A=self.matrix(2), name=self.string("abc"), B="scalar\n1"))
        self.assertIn("d.txt holds 'B'", self.run_program(["./p"], 1)[1])
        self.path("d.txt").unlink()
        self.assertIn("load: unable to find file d.txt", self.run_program(["./p"], 1)[1])

    def test_a_run_compiles_anew_where_the_file_has_changed(self):
        self.path("d.txt", text_file(x=self.string("abc")))
        self.assertEqual(self.lac("load d.txt\nx\n")[0], "x = abc\n")
        self.path("d.txt", text_file(x="scalar\n7"))
        self.assertEqual(self.lac("load d.txt\nx\n")[0], "x = 7\n")

    def test_what_is_not_there(self):
        error = self.lac("load d.txt\nx\n", 1)[1]
        self.assertIn("what 'd.txt' holds must be known while the program is compiled: it does not exist yet", error)
        self.assertNotIn("'x' undefined", error)
        self.assertIn("load: unable to find file t.txt", self.lac("x = load('t.txt');\n", 1)[1])

    def test_a_table_need_not_be_there(self):
        self.run_program([LAC, "build", self.path("p.la", "x = load('t.txt')\n"), "-o", "p"])
        self.path("t.txt", "1,2\n3 4\n")
        self.assertEqual(self.run_program(["./p"])[0], "x =\n\n   1   2\n   3   4\n\n")

    def test_a_table_has_the_name_of_its_file(self):
        self.path("2 wells-a.txt", "1 2\n")
        self.assertEqual(self.lac("load('2 wells-a.txt')\nX2_wells_a\n")[0], "X2_wells_a =\n\n   1   2\n\n")

    def test_matrix_market(self):
        self.path("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 5\n")
        self.assertEqual(self.lac("A = load('A.mtx'); printf('%d %d\\n', issparse(A), A(2, 1))\n")[0], "1 5\n")

    def test_the_sandbox(self):
        self.path("d.txt", text_file(x="scalar\n7"))
        for text in ("load d.txt\nx\n", "x = load('d.txt')\n", "x = 1; save d.txt x\n"):
            self.assertIn("this program may not reach files", self.lac(text, 1, ["--sandbox"])[1])
        self.assertEqual(self.path("d.txt").read_text(), text_file(x="scalar\n7"))

    def test_checking_looks_at_no_files(self):
        self.run_program([LAC, "check", self.path("p.la", "load d.txt\nx\n")])

    def test_memory_of_the_run(self):
        self.path("d.txt", "1\n" * 100000)
        error = self.lac("x = load('d.txt'); disp(size(x))\n", 1, ["--memory-limit=1M"])[1]
        self.assertIn("memory", error)

    def test_memory_of_the_look(self):
        self.path("d.txt", text_file(x="double_range\n# base, limit, increment\n0 1e9 1"))
        error = self.lac("load('d.txt'); disp(size(x))\n", 1, ["--memory-limit=1M"])[1]
        self.assertIn("d.txt: what it holds takes more than 1048576 bytes", error)

    def test_more_values_than_a_program_loads(self):
        cells = "".join("# name: <cell-element>\n# type: scalar\n1\n" for _ in range(10001))
        self.path("d.txt", text_file(x="cell\n# rows: 1\n# columns: 10001\n" + cells, y="scalar\n7"))
        self.assertIn("more than 10000 matrices and strings", self.lac("load d.txt x\n", 1)[1])
        self.assertEqual(self.lac("load d.txt y\ny\n")[0], "y = 7\n")

    def test_what_cannot_be_loaded_is_named(self):
        self.path("d.txt", text_file(f="function handle\n@<anonymous>\n@() 1\n", y="scalar\n7"))
        self.assertEqual(self.lac("load d.txt y\ny\n")[0], "y = 7\n")
        self.assertIn("'f' in 'd.txt' is a function handle", self.lac("load d.txt\n", 1)[1])

    def test_a_damaged_file_is_all_that_is_said(self):
        self.path("d.mat", "MATLAB 5.0 MAT-file")
        self.assertIn("load: d.mat: the MAT file cannot be read: it ends too early, or is damaged\n",
                      self.lac("load d.mat\n", 1)[1])
        self.path("folder").mkdir()
        self.assertIn("load: folder: it is a directory, and no file\n", self.lac("load folder\n", 1)[1])


class WithOctave(Folder):
    def octave(self, text):
        return self.run_program(["octave-cli", "-q", "--no-history", self.path("program.m", text)])[0]

    def test_octave_reads_what_lac_writes(self):
        for option in FORMATS:
            self.lac(f"{VARIABLES}\nsave('{option}', 'd.dat')\n")
            self.octave(f"{VARIABLES}\nsave('{option}', 'o.dat')\n")
            read = self.octave(f"q = load('d.dat');\n{SHOWN}")
            self.assertEqual(read, self.octave(f"q = load('o.dat');\n{SHOWN}"), option)

    def test_lac_reads_what_octave_writes(self):
        for option in FORMATS:
            self.octave(f"{VARIABLES}\nsave('{option}', 'd.dat')\n")
            expected = self.octave(f"q = load('d.dat');\n{SHOWN}")
            self.assertEqual(self.lac(f"q = load('d.dat');\n{SHOWN}")[0], expected, option)

    def test_the_text_is_octaves(self):
        text = VARIABLES.replace("r = 0:0.1:1;", "")
        self.lac(f"{text}\nsave('-text', 'lac.dat')\n")
        self.octave(f"{text}\nsave('-text', 'octave.dat')\n")
        lines = [self.path(name).read_text().splitlines()[1:] for name in ("lac.dat", "octave.dat")]
        self.assertEqual(*lines)

    def test_tables(self):
        text = "A = [1.5 -2; 1e10 NaN; Inf 0]; x = single(pi);\nsave('-ascii', '{}', 'A', 'x')\n"
        self.lac(text.format("lac.dat"))
        self.octave(text.format("octave.dat"))
        self.assertEqual(self.path("lac.dat").read_text(), self.path("octave.dat").read_text())


if __name__ == "__main__":
    LAC = str(Path(sys.argv[1]).resolve())
    with_octave = "--octave" in sys.argv
    if with_octave and not shutil.which("octave-cli"):
        print("SKIPPED: no octave-cli")
        sys.exit(77)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(WithOctave if with_octave else WhileCompiling)
    sys.exit(0 if unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful() else 1)
