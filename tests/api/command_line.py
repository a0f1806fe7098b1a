"""`lac` as tests of the command line call it."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAC = os.path.abspath(sys.argv.pop(1))

SQUARE = """\
% Squares things.
param A(n, n) sparse symmetric   % the matrix
param s = 2                      % a factor
output y
y = s * (A * ones(n, 1));
"""

MATRIX = """\
%%MatrixMarket matrix coordinate real symmetric
3 3 4
1 1 2
2 2 3
3 3 4
3 1 -1
"""


def lac(*words, stdin=None, cwd=None, env=None):
    return subprocess.run([LAC, *words], capture_output=True, text=True, input=stdin, cwd=cwd, timeout=60,
                          env={**os.environ, **(env or {})})


class CommandLine(unittest.TestCase):
    """Each test has a folder of its own, with a program and its matrix."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.program = self.write("square.la", SQUARE)
        self.matrix = self.write("a.mtx", MATRIX)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def check(self, done, status, *fragments):
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        for fragment in fragments:
            self.assertIn(fragment, done.stderr)
