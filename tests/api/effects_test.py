#!/usr/bin/env python3
"""What a program does to the world outside: exit statuses, messages, files, pictures; on interp, cpu and as a built program.

usage: effects_test.py LAC
"""
import resource
import signal
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
    pixel = 3 if colour == 2 else 1
    count = width * pixel
    raw, rows, above = zlib.decompress(chunks[b"IDAT"]), [], [0] * count
    for i in range(height):
        kind, line = raw[i * (count + 1)], list(raw[i * (count + 1) + 1:(i + 1) * (count + 1)])
        for j in range(count):
            left, up, corner = (line[j - pixel], above[j], above[j - pixel]) if j >= pixel else (0, above[j], 0)
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
            line[j] = (line[j] + (0, left, up, (left + up) // 2, near[2])[kind]) % 256
        rows.append(line)
        above = line
    return width, height, colour, list(chunks.get(b"PLTE", b"")), rows


def blocks(data, at):
    """The bytes of the sub-blocks of a GIF at a place, and the place behind them."""
    text = b""
    while data[at]:
        text += data[at + 1:at + 1 + data[at]]
        at += 1 + data[at]
    return text, at + 1


def unpacked(text, bits):
    """The samples of GIF's LZW codes."""
    number = int.from_bytes(text, "little")
    clear, samples, table, before, size = 1 << bits, [], None, None, bits + 1
    while True:
        code = number & ((1 << size) - 1)
        number >>= size
        if code == clear:
            table, before, size = [[k] for k in range(clear)] + [None, None], None, bits + 1
            continue
        if code == clear + 1:
            return samples
        entry = table[code] if code < len(table) else before + before[:1]
        if before is not None:
            table.append(before + entry[:1])
        if len(table) == 1 << size and size < 12:
            size += 1
        samples += entry
        before = entry


def animation(path):
    """(width, height, repetitions or None, [(hundredths of a second, colours of the samples)]) of a GIF file."""
    data = Path(path).read_bytes()
    assert data[:6] == b"GIF89a" and not data[10] & 0x80
    width, height = struct.unpack("<HH", data[6:10])
    at, repeats, delay, frames = 13, None, None, []
    while data[at] != 0x3B:
        if data[at:at + 2] == b"!\xf9":
            delay, = struct.unpack("<H", data[at + 4:at + 6])
        elif data[at:at + 2] == b"!\xff":
            assert data[at + 2:at + 14] == b"\x0bNETSCAPE2.0"
            repeats, = struct.unpack("<H", data[at + 16:at + 18])
        if data[at] == 0x21:
            at = blocks(data, at + 2)[1]
            continue
        assert data[at:at + 9] == struct.pack("<BHHHH", 0x2C, 0, 0, width, height) and data[at + 9] & 0x80
        colours = 2 << (data[at + 9] & 7)
        table = data[at + 10:at + 10 + 3 * colours]
        at += 10 + 3 * colours
        text, end = blocks(data, at + 1)
        frames.append((delay, [tuple(table[3 * k:3 * k + 3]) for k in unpacked(text, data[at])]))
        at = end
    assert at == len(data) - 1
    return width, height, repeats, frames


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

    def test_doubles_that_become_single_beside_singles_say_so(self):
        rounded = "warning: 'x' is rounded to single: it is double here, single in the other branch, and has one class\n"
        head = "k = numel(find([1 2 3] > 1));\n"
        for text, warnings, shown in (
                ('if k > 2, x = single(1); else, x = 1/3; end, disp(class(x))', 1, "single\n"),
                ('if k > 2, x = single(1); else, x = 0.25; end, disp(class(x))', 0, "single\n"),
                ('if k > 2, x = single(1); else, x = [NaN Inf -0]; end, disp(x)', 0, "   NaN   Inf     0\n"),
                ('if k > 2, x = single(1); else, x = [0.5 0.1]; end, printf("%.9g ", x)', 1, "0.5 0.100000001 "),
                ('s.v = 1/3; if k > 2, s.v = single(1); end, z = 0.1i; if k > 2, z = single(1i); end, printf("%.9g %.9g", s.v, abs(z))',
                 None, "0.333333343 0.100000001"),
                # not in loops, where it would be said in every trip
                ('x = 1/3; for j = 1:k, if j > 1, x = single(x) * 2; end, end, printf("%.9g", x)', 0, "0.666666687"),
                # double holds what was single before the loop
                ('x = single(0.5); for j = 1:k, x = j / 3; end, printf("%.17g %s", x, class(x))', 0,
                 "0.66666666666666663 double"),
                ('x = single(0.1); for j = 1:k, y = x * 3; x = j / 3; end, printf("%.17g %.17g", x, y)', 0,
                 "0.66666666666666663 1"),
                ('x = 0; for j = 1:k, x = x + single(0.1); end, printf("%.9g %s", x, class(x))', 0, "0.200000003 single")):
            for done in self.on_targets(head + text):
                said = rounded.replace("'x'", "'s.v'") + rounded.replace("'x'", "'z'") if warnings is None else warnings * rounded
                self.assertEqual((done.stderr, done.stdout), (said, shown))

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
            self.assertIn("only PNG and GIF files", done.stderr)
        for done in self.on_targets('imwrite(int16([1 2]), "a.png")', 1):
            self.assertIn("a picture of integers must be of class uint8 here", done.stderr)

    def test_pictures_in_colours(self):
        text = ('c = cat(3, [0 1; 0.5 0], [0 0; 1 0], [1 0; 0 0]); imwrite(c, "real.png");\n'
                'imwrite(uint8(255 * c), "bytes.png"); imwrite(c > 0.5, "truth.png"); imwrite(c, "named", "PNG");\n'
                'imwrite(c, "still.gif");\n')
        for _ in self.on_targets(text):
            rows = [[0, 0, 255, 255, 0, 0], [128, 255, 0, 0, 0, 0]]
            for name in ("real.png", "bytes.png", "named"):
                self.assertEqual(decoded(self.folder / name), (2, 2, 2, [], rows))
            self.assertEqual(decoded(self.folder / "truth.png")[4], [[0, 0, 255, 255, 0, 0], [0, 255, 0, 0, 0, 0]])
            self.assertEqual(animation(self.folder / "still.gif")[3],
                             [(50, [(0, 0, 255), (255, 0, 0), (128, 255, 0), (0, 0, 0)])])

    def test_pictures_that_move(self):
        text = ('for k = 1:3\n'
                '  if k == 1, mode = "overwrite"; else, mode = "Append"; end\n'
                '  imwrite([1 k; 2 2], [1 0 0; 0 1 0; 0 0 1], "a.gif", "gif", "DelayTime", k / 10, "WriteMode", mode);\n'
                'end\n'
                'x = zeros(1, 300, 1, 2, "uint8"); x(1, :, 1, 1) = mod(0:299, 256); x(1, 5, 1, 2) = 7;\n'
                'imwrite(x, "b.gif", "delaytime", [0.02 1], "LoopCount", 3); imwrite(x, "c.gif", "LoopCount", 1);\n')
        red, green, blue = (255, 0, 0), (0, 255, 0), (0, 0, 255)
        for _ in self.on_targets(text):
            moved = [(10, [red, red, green, green]), (20, [red, green, green, green]), (30, [red, blue, green, green])]
            self.assertEqual(animation(self.folder / "a.gif"), (2, 2, 0, moved))
            width, height, repeats, frames = animation(self.folder / "b.gif")
            self.assertEqual((width, height, repeats, [delay for delay, _ in frames]), (300, 1, 3, [2, 100]))
            self.assertEqual(frames[0][1], [(k % 256,) * 3 for k in range(300)])
            self.assertEqual(frames[1][1], [(7 * (k == 4),) * 3 for k in range(300)])
            self.assertEqual(animation(self.folder / "c.gif")[2], None)
        (self.folder / "text.gif").write_text("no picture")
        for text, said in (
                ('imwrite(ones(2, 3), "a.gif", "WriteMode", "append")', "a.gif: its pictures are of another size"),
                ('imwrite(1, "text.gif", "WriteMode", "append")', "text.gif: no GIF file that pictures can be appended"),
                ('imwrite(ones(2, 2, 1, 2), "a.png")', "a PNG file has one picture"),
                ('imwrite(1, "a.gif", "DelayTime", -1)', "DelayTime must be between 0 and 655.35 seconds"),
                ('imwrite(1, "a.gif", "DelayTime", [1 2])', "DelayTime must either be a scalar or the number of frames"),
                ('imwrite(1, "a.gif", "LoopCount", 7e4)', "LoopCount must be Inf or between 0 and 65535"),
                ('[a, b] = meshgrid(0:1/16:1); imwrite(cat(3, a, b, 0 * a), "a.gif")', "a GIF has at most 256 colors"),
                ('imwrite(rand(2, 2, 2), "a.png")', "IMG 3rd dimension must be 1 or 3"),
                ('imwrite(rand(2, 2, 3), jet(4), "a.png")', "indexed image must have 2 or 4 dimensions"),
                ('imwrite(1, "a.png", "Colour", 1)', "invalid PARAMETER 'Colour'"),
                ('imwrite(1, "a.png", 1)', "no pair for all arguments"),
                ('imwrite(1, jet(2))', "no FILENAME specified"),
                ('imwrite([1 2] + 1i, "a.png")', "argument 1 is complex"),
                ('imwrite([2.5 1], [0 0 0; 1 1 1], "a.png")', "positions outside the colormap of 2 colors"),
                ('imwrite(1, ".", "gif", "WriteMode", "append")', "no file that pictures can be appended to"),
                ('imwrite(1, "a.gif", "WriteMode", "beside")', 'value for WriteMode option must be "append" or'),
                ('imwrite(zeros(0, 2), "a.png")', "invalid empty image")):
            for done in self.on_targets(text, 1):
                self.assertIn(said, done.stderr)
        self.assertEqual(len(animation(self.folder / "a.gif")[3]), 3)

    def test_a_disk_that_is_full_leaves_the_pictures_that_were_there(self):
        path = self.folder / "full.gif"
        self.run_text('imwrite(rand(200), "full.gif")', "cpu")
        before = path.read_bytes()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 1000, len(before) + 1000))

        done = subprocess.run([LAC, "run", "-q", "-"], input='imwrite(rand(200), "full.gif", "WriteMode", "append")',
                              capture_output=True, text=True, timeout=60, cwd=self.folder, preexec_fn=limit)
        self.assertIn("full.gif: cannot be written", done.stderr)
        self.assertEqual(path.read_bytes(), before)

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
