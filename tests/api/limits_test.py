#!/usr/bin/env python3
"""`lac` where the machine gives little: small stacks, little memory, no threads; and messages about hostile texts.

usage: limits_test.py LAC
"""
import os
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAC = ""
INVERSE = "x = inv([4 1; 1 3])"


def lac(*words, limits=None, as_nobody=False, env=None, text=True):
    """`limits`: resource -> value; `as_nobody`: limits on processes bind root no more."""

    def prepare():
        for kind, value in (limits or {}).items():
            resource.setrlimit(kind, (value, value))
        if as_nobody and os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

    return subprocess.run([LAC, *words], capture_output=True, text=text, timeout=60, preexec_fn=prepare, cwd="/",
                          env={**os.environ, **(env or {})})


class Limits(unittest.TestCase):
    def test_a_deep_text_on_a_small_stack(self):
        for opening, middle, closing in (("(", "1", ")"), ("[", "1", "]"), ("- ", "1", ""), ("abs(", "1", ")")):
            deep = f"x = {opening * 480}{middle}{closing * 480};\n"
            for verb in (["check"], []):
                done = lac(*verb, "-e", deep, limits={resource.RLIMIT_STACK: 1 << 20})
                self.assertEqual(done.returncode, 0, done.stderr[-300:])

    def test_deep_blocks_on_a_small_stack(self):
        text = "s = 0;\n" + "if s < 1\n" * 400 + "s = 5\n" + "end\n" * 400
        done = lac("-e", text, limits={resource.RLIMIT_STACK: 1 << 20})
        self.assertEqual((done.returncode, done.stdout), (0, "s = 5\n"), done.stderr[-300:])

    def test_no_room_for_the_linear_algebra(self):
        self.skip_where_limits_of_memory_end_everything(200 << 20)
        for expression in (INVERSE, "x = (ones(9) + 4 * eye(9)) \\ ones(9, 1)", "x = svd([4 1; 1 3])"):
            done = lac("-e", expression, limits={resource.RLIMIT_AS: 200 << 20})
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("out of memory", done.stderr)
            self.assertNotIn("internal error", done.stderr)

    def test_room_for_the_linear_algebra_in_half_a_gigabyte(self):
        self.skip_where_limits_of_memory_end_everything(500 << 20)
        done = lac("-e", INVERSE, limits={resource.RLIMIT_AS: 500 << 20})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_no_threads(self):
        """Kernels, the compiler and the library run on the one thread that there is, with the same results."""
        text = "rand('seed', 1); s = sum(rand(3000, 300)(:)) > 0\n" + INVERSE + "\n"
        wanted = lac("-e", text)
        try:
            done = lac("-e", text, "--threads", "4", limits={resource.RLIMIT_NPROC: 1}, as_nobody=True)
        except PermissionError:
            self.skipTest("lac is not for everybody to execute")
        self.assertEqual((done.returncode, done.stdout), (0, wanted.stdout), done.stderr)

    def test_no_threads_and_a_small_stack(self):
        limits = {resource.RLIMIT_NPROC: 1, resource.RLIMIT_STACK: 1 << 20}
        try:
            done = lac("check", "-e", "x = 1", limits=limits, as_nobody=True)
        except PermissionError:
            self.skipTest("lac is not for everybody to execute")
        self.assertIn(done.returncode, (0, 1))
        if done.returncode == 1:
            self.assertIn("the stack of this thread is too small to compile on, and no thread can be made", done.stderr)

    def test_partial_results_of_a_kernel_count(self):
        """A' * (A * x) is one kernel, with a column of partial results for each block of 256 rows."""
        rows, cols = 40000, 40
        text = f"A = rand({rows}, {cols}); x = ones({cols}, 1); y = A' * (A * x); printf('%d', all(y > 0))"
        matrices, partials = 8 * (rows * cols + rows), 8 * cols * -(-rows // 256)
        refused, fits = (lac("-q", "-e", text, f"--memory-limit={(matrices + part) // 1024}K")
                         for part in (partials // 2, 2 * partials))
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn("the memory limit of", refused.stderr)
        self.assertEqual((fits.returncode, fits.stdout), (0, "1"), fits.stderr)

    def skip_where_limits_of_memory_end_everything(self, limit):
        if lac("-e", "x = 1", limits={resource.RLIMIT_AS: limit}).returncode != 0:
            self.skipTest("this build needs more address space than that for anything")


class Messages(unittest.TestCase):
    def test_what_a_text_contains_steers_no_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "evil\x1b]0;title\x07.la")
            path.write_bytes(b"x = [1 2] + [1 2 3]; % \x1b[2J\xc2\x9b\n")
            data = Path(folder, "evil.csv")
            data.write_bytes(b"1,\x1b[31m2\n")
            program = Path(folder, "p.la")
            program.write_text("param A(n, n)\nprintf('%d', A(1));\n")
            failing = Path(folder, "f.la")
            failing.write_text("error('my:id', 'bad \\x1b[31m')\n".replace("\\x1b", "\x1b"))
            for words in ([str(path)], ["check", str(path)], [str(program), f"A={data}"], [str(failing)],
                          [folder + "/no\x1b.la"]):
                done = lac(*words, text=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                if str(program) not in words:  # words of data are shortened, and have '?' there
                    self.assertIn(b"\\x1b", done.stderr)
                for byte in (b"\x1b", b"\x07", b"\xc2\x9b"):
                    self.assertNotIn(byte, done.stderr, words)


if __name__ == "__main__":
    LAC = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
