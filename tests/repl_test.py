#!/usr/bin/env python3
"""`lac repl`: from a pipe, and on a pseudo-terminal with Ctrl-C.

usage: repl_test.py LAC
"""
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

LAC = ""


def repl(text, *words, cwd=None):
    done = subprocess.run([LAC, "repl", *words], input=text, capture_output=True, text=True, timeout=120, cwd=cwd)
    return done.stdout, done.stderr, done.returncode


class Piped(unittest.TestCase):
    def check(self, text, out, *errors, words=(), status=0):
        stdout, stderr, code = repl(text, *words)
        self.assertEqual(stdout, out, stderr)
        for each in errors:
            self.assertIn(each, stderr)
        if not errors:
            self.assertEqual(stderr, "")
        self.assertEqual(code, status)

    def test_values_stay(self):
        self.check("x = 3\ny = [1 2 3];\ny * x\nans + 1\ny(2) = 7;\ny\nx++; x\n",
                   "x = 3\nans =\n\n   3   6   9\n\nans =\n\n    4    7   10\n\ny =\n\n   1   7   3\n\nx = 4\n")

    def test_variables_go_to_files_and_back(self):
        with tempfile.TemporaryDirectory() as folder:
            out, errors, _ = repl("x = 3; s.a = {1, 'q'};\nsave all.mat\nclear\nload all.mat\nx, s.a{2}\n", cwd=folder)
            self.assertEqual((out, errors), ("x = 3\nans = q\n", ""))

    def test_kinds_of_values(self):
        self.check('b = [1 2] > 1\nislogical(b)\nz = zeros(0, 3);\nsize(z)\ns = sparse([1 2], [1 2], [3 4]);\nissparse(s)\n'
                   'nnz(s * s)\nd = speye(2);\nd + s;\nfull(ans)\nl = b(2)\nclassy = single(0.1);\nclassy == 0.1\nr = 0.5;\n'
                   'r * 2\n[] \nn = -1;\nabs(n)\nm = NaN\n',
                   "b =\n\n  0  1\n\nans = 1\nans =\n\n   0   3\n\nans = 1\nans = 2\nans =\n\n   4   0\n   0   5\n\nl = 1\n"
                   "ans = 1\nans = 1\nans = [](0x0)\nans = 1\nm = NaN\n")

    def test_structure_stays(self):
        diagonal = "Diagonal Matrix\n\n   2   0   0\n   0   2   0\n\n"
        self.check("d = 2 * eye(2, 3);\nd\nd(1, 1:2)\ninv(d(:, 1:2))(1)\n[~, ~, P] = lu([1 2; 3 4]);\nP\nP * [5; 6]\n",
                   f"d =\n\n{diagonal}ans =\n\nDiagonal Matrix\n\n   2   0\n\nans = 0.5000\n"
                   "P =\n\nPermutation Matrix\n\n   0   1\n   1   0\n\nans =\n\n   6   5\n\n".replace("   6   5", "   6\n   5"))

    def test_integer_classes_stay(self):
        self.check('x = uint8([5 200]);\nx + 100\ny = int8(1);\nclass(y)\ny - 200\nz = int16([]);\nz\nc = {x, y};\nclass(c{2})\n',
                   "ans =\n\n  105  255\n\nans = int8\nans = -128\nz = [](0x0)\nans = int8\n")

    def test_strings(self):
        self.check('s = "ab\\n";\nprintf(s)\nt = [s "c"];\nlength(t)\nn = 4;\nu = sprintf("%d!", n)\nstrcmp(u, "4!")\n'
                   'w = ["ab"; "cd"];\nsize(w)\nw(2, 1)\ndisp(\'it\'\'s\')\n',
                   "ab\nans = 4\nu = 4!\nans = 1\nans =\n\n   2   2\n\nans = c\nit's\n")

    def test_functions_and_handles(self):
        self.check("function r = twice(x)\n  r = 2 * x;\nend\ntwice(4)\na = 3; f = @(x) a * x;\na = 100;\nf(2)\ng = @twice;\n"
                   "g(f(1))\nh = @(x) f(g(x));\nf = 1;\nh(2)\narrayfun(h, [1 2])\nfunction r = twice(x), r = 20 * x; end\n"
                   "twice(4)\n", "ans = 8\nans = 6\nans = 6\nans = 12\nans =\n\n    6   12\n\nans = 80\n")

    def test_blocks_are_collected(self):
        self.check("s = 0;\nfor k = 1:3\n  if k == 2\n    continue\n  end\n  s += k;\nend\ns\nx = [1 2\n3 4];\nx\n"
                   "y = 1 + ...\n  2\n%{\nx = 9\n%}\nk\ndo\n  s--;\nuntil s < 0\ns\n",
                   "s = 4\nx =\n\n   1   2\n   3   4\n\ny = 3\nk = 3\ns = -1\n")

    def test_errors_keep_the_session(self):
        self.check("x = 1:3;\nx(5)\ny = nosuch(2)\nz = (1;\nx * x\nif 1\nx(2)\nend\nq = 4; error('my:id', 'stop %d', 3); q = 5\nq\n",
                   "ans = 2\nq = 4\n", "input 2:1:3: error: ", "out of bound 3", "'nosuch' undefined", "operator *",
                   "stop 3")

    def test_a_parameter_that_does_not_fit_changes_nothing(self):
        self.check("A = ones(3, 4);\nparam A(n, n)\nn\nn = 'text';\nparam A(n, 4)\nn\n", "n = text\n",
                   "A is 3x4, not as declared", "'n' undefined")

    def test_values_that_a_branch_does_not_give(self):
        self.check("c = 0.5;\nif c > 1, x = 3; end\nx = 1;\nif c > 1, x = 3; end\nx\nexist('nothing')\nexist('x')\n",
                   "x = 1\nans = 0\nans = 1\n")
        self.check("c = 0.5;\nif c > 1, x = 3; end\nx\n", "", "'x' undefined")

    def test_random_numbers_go_on(self):
        whole = subprocess.run([LAC, "-e", "a = rand, b = rand, rand('seed', 3); c = rand, d = randn"], capture_output=True,
                               text=True, timeout=60).stdout
        for target in ("cpu", "interp"):
            self.check("a = rand\nb = rand\nrand('seed', 3);\nc = rand\nd = randn\n", whole, words=["--target=" + target])

    def test_warnings(self):
        self.check("sqrt(-1)\nwarning('off', 'a:b');\nwarning('a:b', 'quiet');\nwarning('loud')\n", "ans = NaN\n",
                   "warning: loud")
        self.assertNotIn("quiet", repl("warning('off', 'a:b');\nwarning('a:b', 'quiet');\n")[1])

    def test_exit(self):
        self.check("x = 1\nexit(3)\nx = 2\n", "x = 1\n", status=3)
        self.check("x = 1\n:quit\nx = 2\n", "x = 1\n")
        self.check("x = 1", "x = 1\n")

    def test_commands(self):
        self.check("x = [1 2; 3 4]; s = 'text'; f = @(x) x; n = 3;\n:type x\n:type n\n:type x * 2.5\n:type s\n:vars\n",
                   "x: integer, dense, 2 x 2\nn: integer, dense, scalar\nans: real, dense, x.rows x x.cols\ns: string\n"
                   "f: function\nn: integer, dense, scalar\ns: string\nx: integer, dense, 2 x 2\n")
        out = repl("x = rand(5, 1);\n:dump kernels sum(exp(x) + 1)\n:dump graph x\n:dump plan x + 1\n:dump llvm x + 1\n")
        for each in ("kernel", "= exp $0", "reduce", "define"):
            self.assertIn(each, out[0], out[1])
        self.assertIn("sum(x, dim)", repl(":help sum\n")[0])
        self.assertIn("trapz(x, y, dim)", repl(":help trapz\n")[0])
        self.assertIn(":load FILE", repl(":help\n")[0])
        for text, message in ((":nonsense\n", "no command ':nonsense'"), (":type nosuch(1)\n", "'nosuch' undefined"),
                              (":dump nothing 1\n", "no stage 'nothing'"), (":load /no/such.la\n", "/no/such.la"),
                              (":help nosuch\n", "no function 'nosuch'"), (":dump graph\n", ":dump STAGE EXPR")):
            self.check(text + "1 + 1\n", "ans = 2\n", message)

    def test_words_of_a_session(self):
        self.check("clear all; close all; clc; x = 3\ny = 4;\nzed = 5;\nwho\nclear y, x\nwho\nclear z*\nwho\nwhos\n"
                   "who = 2\nformat short; more off\n",
                   "x = 3\nx  y  zed\nx = 3\nx  zed\nx\nx: integer, dense, scalar\nwho = 2\n")
        self.check("x = 1; clear x\nx\n", "", "'x' undefined")
        self.check("format long\npi\nformat\npi\nx = 1;\nif x, clear x, end\nexist('x')\n",
                   "ans = 3.141592653589793\nans = 3.1416\nans = 0\n")

    def test_clear_takes_octaves_options(self):
        # What is left of a, b, bb and of the functions f and g, as Octave 7 leaves it.
        both = {"f", "g"}
        for line, variables, functions in (
                ("clear", "", both), ("clear all", "", set()), ("clear -a", "", set()), ("clear -all b", "", set()),
                ("clear -x a", "a", both), ("clear -exclusive b* f", "b  bb", both), ("clear -x", "", both),
                ("clear -v f b", "a  bb", both), ("clear -variables", "", both), ("clear variables", "", both),
                ("clear -f", "a  b  bb", set()), ("clear -f g a", "a  b  bb", {"f"}), ("clear functions g", "a  b  bb", {"f"}),
                ("clear f b", "a  bb", {"g"}), ("clear *", "", set()), ("clearvars b", "a  bb", both),
                ("clearvars -except b", "b", both)):
            out, errors, _ = repl("function f()\n  disp('f');\nend\nfunction g()\n  disp('g');\nend\na = 1; b = 2; bb = 3;\n"
                                  f"{line}\nwho\nf()\ng()\n")
            self.assertEqual(out, "".join(each + "\n" for each in [variables, *sorted(functions)] if each), line)
            self.assertEqual(errors.count("undefined"), 2 - len(functions), line + errors)
        for line, word in (("clear -q a", "-q"), ("clear -g", "-g"), ("clear a -x", "-x"), ("clear -f -x b", "-x"),
                           ("clear -regexp b", "-regexp"), ("clearvars a -except b", "-except")):
            self.check(f"a = 1; b = 2;\n{line}\nwho\n", "a  b\n", f"'{word}' is not understood here")

    def test_shapes_in_messages_are_numbers(self):
        self.check("n = 5;\nzeros(n, 3) * zeros(4, n)\n", "", "zeros(n, 3) is 5x3, zeros(4, n) is 4x5")

    def test_load_and_save(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "p.la").write_text("% help\nparam A(n, n)\nparam tol = 1e-6\nprecision double\nx = A * ones(n, 1);\n"
                                         "function r = f(x)\n  r = x + 1;\nend\ny = f(x)\noutput y\nx(9)\n")
            out, errors, _ = repl("A = [1 2; 3 4];\n:load p.la\nn, tol\nz = f(y);\n:save q.la\n", cwd=folder)
            self.assertEqual(out, "y =\n\n   4\n   8\n\nn = 2\ntol = 1.0000e-06\n", errors)
            self.assertIn("p.la:11:", errors)
            saved = subprocess.run([LAC, "q.la"], capture_output=True, text=True, cwd=folder, timeout=60)
            self.assertEqual(saved.stdout.splitlines()[:1], ["y ="], saved.stderr + (folder / "q.la").read_text())
            self.assertIn("no value and no default: set A first", repl(":load p.la\n", cwd=folder)[1])
            self.assertIn("not as declared", repl("A = [1 2 3];\n:load p.la\n", cwd=folder)[1])

    def test_targets(self):
        self.check("x = 2;\nx * [1 2]\n", "ans =\n\n   2   4\n\n", words=["--target=interp"])
        self.check("a = 0.1;\nb = a + 0;\nb == 0.1\n", "ans = 1\n", words=["--precision=single"])


class Terminal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            for end in pty.openpty():
                os.close(end)
        except OSError as error:
            raise unittest.SkipTest(f"no pseudo terminals here: {error}")

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        state = {**os.environ, "XDG_STATE_HOME": self.temporary.name, "TERM": "xterm", "HOME": self.temporary.name}
        self.process, self.terminal = self.start(state)
        self.seen = ""

    def start(self, environment):
        process, terminal = pty.fork()
        if process == 0:
            os.execve(LAC, [LAC, "repl"], environment)
        return process, terminal

    def tearDown(self):
        os.close(self.terminal)
        try:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        self.temporary.cleanup()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def expect(self, text, seconds=30):
        """Reads until the text appears; what comes behind it stays."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"{text!r} did not come; seen: {self.seen!r}")
            try:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                self.fail(f"{text!r} did not come; the program ended: {self.seen!r}")
        before, self.seen = self.seen.split(text, 1)
        return before

    def test_control_c_in_a_loop_keeps_the_session(self):
        self.expect("lac> ")
        self.type("x = 41;\n")
        self.expect("lac> ")
        self.type("k = 0; while k >= 0, k = k + 1; if k == 9, printf('%d!\\n', 1234 * k), end, end\n")
        self.expect("11106!")  # the loop runs
        self.type("\x03")
        self.expect("interrupted")
        self.expect("in trip ")
        self.expect("lac> ")
        self.type("x + 1\n")
        self.expect("ans = 42")
        self.type("while true, end\n")
        time.sleep(3)  # compiled by then
        self.type("\x03")
        self.expect("interrupted")
        self.type("k\n")
        self.expect("k = 0")

    def test_control_c_takes_a_line_back(self):
        self.expect("lac> ")
        self.type("for k = 1:3\n")
        self.expect("...> ")
        self.type("nonsense\x03")
        self.expect("lac> ")
        self.type("6 * 7\n")
        self.expect("ans = 42")

    def test_history_and_completion(self):
        self.expect("lac> ")
        self.type("variable = 17;\n")
        self.expect("lac> ")
        self.type("varia\t + 4\n")
        self.expect("ans = 21")
        self.expect("lac> ")
        self.type("\x1b[A\n")
        self.expect("ans = 21")
        self.type(":quit\n")
        _, status = os.waitpid(self.process, 0)
        self.assertEqual(status, 0)
        text = (Path(self.temporary.name) / "lac" / "history").read_text()
        self.assertIn("variable", text)


if __name__ == "__main__":
    LAC = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
