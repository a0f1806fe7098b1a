#!/usr/bin/env python3
"""What a program does to the world outside: exit statuses, messages, files, pictures; on interp, cpu and as a built program.

usage: effects_test.py LAC
"""
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

LAC = ""
TARGETS = ("interp", "cpu")


def decoded(path):
    """(width, height, colour type, palette, the rows of samples) of an 8-bit PNG without filters beyond libpng's."""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunks[kind] = chunks.get(kind, b"") + data[at + 8:at + 8 + length]
        at += 12 + length
    width, height, bits, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert bits == 8
    raw, rows, above = zlib.decompress(chunks[b"IDAT"]), [], [0] * width
    for i in range(height):
        kind, line = raw[i * (width + 1)], list(raw[i * (width + 1) + 1:(i + 1) * (width + 1)])
        for j in range(width):
            left, up, corner = line[j - 1] if j else 0, above[j], above[j - 1] if j else 0
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
            line[j] = (line[j] + (0, left, up, (left + up) // 2, near[2])[kind]) % 256
        rows.append(line)
        above = line
    return width, height, colour, list(chunks.get(b"PLTE", b"")), rows


class Effects(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def run_text(self, text, target, status=0):
        done = subprocess.run([LAC, "run", "--target=" + target, "--print=none", "-"], input=text, capture_output=True,
                              text=True, timeout=60, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def on_targets(self, text, status=0):
        for target in TARGETS:
            with self.subTest(target=target):
                yield self.run_text(text, target, status)

    def test_exit_ends_with_its_status_and_without_a_message(self):
        for done in self.on_targets('printf("a\\n"); exit(3); printf("b\\n");', 3):
            self.assertEqual((done.stdout, done.stderr), ("a\n", ""))
        for done in self.on_targets('for k = 1:5\n  if k == 3\n    exit\n  end\n  k\nend'):
            self.assertEqual((done.stdout, done.stderr), ("k = 1\nk = 2\n", ""))

    def test_errors(self):
        for done in self.on_targets('s = sprintf("%d", 7); error("my:id", "value %s of %d", s, 8);', 1):
            self.assertIn("error: value 7 of 8", done.stderr)
        for done in self.on_targets('s = sprintf("%d", 7); error(["100% " s]);', 1):
            self.assertIn("error: 100% 7", done.stderr)
        for done in self.on_targets('error("my:id")', 1):
            self.assertIn("requires message", done.stderr)
        for done in self.on_targets('x = 3; assert(x==4)', 1):
            self.assertIn("assert (x == 4) failed", done.stderr)
        for done in self.on_targets('s = sprintf("%d", 7); assert(s, "8")', 1):
            self.assertIn("Strings don't match", done.stderr)
        for done in self.on_targets('x = sprintf("%y", 1)', 1):
            self.assertIn("sprintf: invalid format", done.stderr)

    def test_warnings_go_to_stderr_and_can_be_switched(self):
        text = ('warning("one %d", 1); warning("a:b", "two"); warning("off", "a:b"); warning("a:b", "three");\n'
                'warning("four"); warning("on", "a:b"); warning("a:b", "five"); warning("off"); warning("six");')
        for done in self.on_targets(text):
            self.assertEqual(done.stderr, "".join(f"warning: {word}\n" for word in ("one 1", "two", "four", "five")))

    def test_matrices_go_to_files_and_come_back(self):
        text = ('A = [1 2.5; -3 4; 5 1e-300]; write("a.mtx", A); write("a.npy", A); write("a.csv", A);\n'
                'S = speye(3); write("s.mtx", S);\n'
                'name = sprintf("b%d.mtx", 7); write(name, A(:, 1));\n')
        back = ('for k = 1:2\n A = read("a.mtx");\nend\nprintf("%g ", A); B = read("a.npy"); C = read("a.csv");\n'
                'printf("%d %d\\n", isequal(A, B), isequal(B, C));\nS = read("s.mtx"); printf("%d %d\\n", issparse(S), nnz(S));\n'
                'x = read(sprintf("b%d.mtx", 7)); printf("%g ", 2 * x + 1); printf("%d %d\\n", size(x));')
        for target in TARGETS:
            self.run_text(text, target)
            done = self.run_text(back, target)
            self.assertEqual(done.stdout, "1 -3 5 2.5 4 1e-300 1 1\n1 3\n3 -5 11 3 1\n")
        for done in self.on_targets('A = read("none.mtx")', 1):
            self.assertIn("none.mtx", done.stderr)
        for done in self.on_targets('write("a.xyz", 1)', 1):
            self.assertIn("'.xyz' names no matrix format", done.stderr)

    def test_a_matrix_read_dense_stays_so_when_it_is_made_sparse(self):
        (self.folder / "m.csv").write_text("1,2\n3,4\n")
        text = ('function A = f(), A = read("m.csv"); printf("%d ", A(1, 2)); end\n'
                'A = read("m.csv"); B = A + 1; y = A(:, 1)\'; S = sparse((A)); T = sparse(+A); A(1, 1) = 7;\n'
                'printf("%d ", B, y, A, full(S + T), nnz(sparse(f())), issparse(sparse((read("m.csv")))));\n')
        for done in self.on_targets(text):
            self.assertEqual(done.stdout, "2 2 4 3 5 1 3 7 3 2 4 2 6 4 8 4 1 ")

    def test_pictures(self):
        text = ('imwrite(uint8([0 127.6 300; -5 NaN 7]), "grey.png");\n'
                'imwrite([0 0.5; 1 2], "real.png"); imwrite([1 2] > 1, "logical.png");\n'
                'imwrite([1 2; 3 2], jet(3), "map.png"); imwrite(uint8([0 1; 2 1]), jet(3), "bytes.png");\n')
        jet = [0, 0, 255, 0, 255, 255, 255, 255, 0]
        for _ in self.on_targets(text):
            self.assertEqual(decoded(self.folder / "grey.png"), (3, 2, 0, [], [[0, 128, 255], [0, 0, 7]]))
            self.assertEqual(decoded(self.folder / "real.png"), (2, 2, 0, [], [[0, 128], [255, 255]]))
            self.assertEqual(decoded(self.folder / "logical.png"), (2, 1, 0, [], [[0, 255]]))
            for name in ("map.png", "bytes.png"):
                self.assertEqual(decoded(self.folder / name), (2, 2, 3, jet, [[0, 1], [2, 1]]))
        for done in self.on_targets('imwrite([1 4], jet(3), "map.png")', 1):
            self.assertIn("outside the colormap of 3 colors", done.stderr)
        for done in self.on_targets('imwrite([1 2], "a.jpg")', 1):
            self.assertIn("only PNG files", done.stderr)
        for done in self.on_targets('imwrite(int16([1 2]), "a.png")', 1):
            self.assertIn("a picture of integers must be of class uint8 here", done.stderr)

    def test_clocks(self):
        for done in self.on_targets('tic; toc'):
            self.assertRegex(done.stdout, r"^Elapsed time is [0-9.e-]+ seconds\.\n$")

    def test_a_built_program_does_the_same(self):
        source = self.folder / "p.la"
        source.write_text('s = ["a" num2str(pi)];\ndisp(s)\nimwrite([1 2], hot(2), "p.png");\nexit(4)\n')
        subprocess.run([LAC, "build", str(source), "-o", str(self.folder / "p")], check=True, timeout=120)
        done = subprocess.run([str(self.folder / "p")], capture_output=True, text=True, timeout=60, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (4, "a3.1416\n"), done.stderr)
        self.assertEqual(decoded(self.folder / "p.png")[:3], (2, 1, 3))


if __name__ == "__main__":
    LAC = sys.argv.pop(1)
    unittest.main()
