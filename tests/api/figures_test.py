#!/usr/bin/env python3
"""What programs draw: files of figures on interp, cpu and from a built program, their contents, and what is refused.

usage: figures_test.py LAC            runs the tests
       figures_test.py --bless LAC    draws the pictures of docs/figures
"""
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
from pathlib import Path

LAC = ""
TARGETS = ("interp", "cpu")
NO_CAIRO = "libcairo.so.2"
ROOT = Path(__file__).resolve().parents[2]
PICTURES = ("lines.svg", "orders.svg", "bumps.svg")  # of docs/figures, by samples/figures.la
DATA = re.compile(r"base64,[^\"]*")  # pictures inside: their bytes are zlib's


class Figures(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def run_text(self, text, *words, target="cpu", status=0):
        (self.folder / "p.la").write_text(text)
        done = subprocess.run([LAC, "run", "--target=" + target, "--print=none", "--compile=never", *words, "p.la"],
                              capture_output=True, text=True, cwd=self.folder, timeout=120, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def figure(self, text, number=1):
        """The SVG text of a figure, the same from interp and cpu, and a document."""
        texts = []
        for target in TARGETS:
            self.run_text(text, target=target)
            texts.append((self.folder / f"p-figure{number}.svg").read_text())
        self.assertEqual(texts[0], texts[1])
        xml.dom.minidom.parseString(texts[0])
        return texts[0]

    def labels(self, svg):
        return [re.sub("<[^>]*>", "", each) for each in re.findall(r"<text[^>]*>(.*?)</text>", svg)]

    def test_lines_labels_and_legend(self):
        svg = self.figure("""
x = linspace(0, 10, 50);
plot(x, sin(x), 'r--', x, cos(x), 'linewidth', 2);
title('waves \\\\alpha^2'); xlabel("x"); ylabel("y < 1");
legend("sine", "cosine"); grid on
""".replace("\\\\", "\\"))
        labels = self.labels(svg)
        for expected in ("waves α2", "x", "y &lt; 1", "sine", "cosine", "0", "10", "-1.0", "1.0"):
            self.assertIn(expected, labels)
        self.assertIn('stroke="#ff0000" stroke-width="2.4" stroke-dasharray="6 4"', svg)
        self.assertIn('stroke="#0072bd" stroke-width="2.4"', svg)

    def test_where_figures_go(self):
        text = "figure(2); plot(1:3); figure(5); bar([1 2 3]);"
        done = self.run_text(text)
        self.assertEqual(done.stderr, "lac: wrote p-figure2.svg, p-figure5.svg\n")
        self.assertEqual(done.stdout, "")
        self.assertEqual(sorted(each.name for each in self.folder.glob("*.svg")), ["p-figure2.svg", "p-figure5.svg"])
        (self.folder / "out").mkdir()
        self.assertEqual(self.run_text(text, "--figures=out").stderr, "lac: wrote out/p-figure2.svg, out/p-figure5.svg\n")
        for each in self.folder.glob("*.svg"):
            each.unlink()
        for words in (["--figures=none"], ["--sandbox"]):
            self.assertEqual(self.run_text(text, *words).stderr, "")
            self.assertEqual(list(self.folder.glob("*.svg")), [])
        self.run_text("plot(1:3); close all; figure; hold on; clf")
        self.assertEqual(list(self.folder.glob("*.svg")), [])

    def test_print(self):
        for target in TARGETS:
            done = self.run_text("plot(1:3); print('a.svg', '-dsvg'); saveas(gcf, \"b.svg\"); print -dsvg c.svg\n"
                                 "n = 4; print(sprintf('frame%d.svg', n));", target=target)
            self.assertEqual(done.stderr, "")  # it is written: not once more
            texts = [(self.folder / name).read_text() for name in ("a.svg", "b.svg", "c.svg", "frame4.svg")]
            self.assertEqual(len(set(texts)), 1)
            for name in ("a.svg", "b.svg", "c.svg", "frame4.svg"):
                (self.folder / name).unlink()
        self.assertEqual(self.run_text("plot(1:3); print('a.svg'); title('later');").stderr, "lac: wrote p-figure1.svg\n")
        refused = self.run_text("plot(1:3); print('a.svg');", "--sandbox", status=1)
        self.assertIn("print: ", refused.stderr)

    def test_png(self):
        done = subprocess.run([LAC, "run", "--print=none", "-"], input="surf(magic(4)); print('a.png', '-r72');",
                              capture_output=True, text=True, cwd=self.folder, timeout=120, check=False)
        if NO_CAIRO in done.stderr:
            self.skipTest(NO_CAIRO + " is not here")
        self.assertEqual(done.returncode, 0, done.stderr)
        data = (self.folder / "a.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (560, 420))

    def test_pictures_of_the_manual(self):
        for target in TARGETS:
            subprocess.run([LAC, "run", "-q", "--target=" + target, ROOT / "samples" / "figures.la"], cwd=self.folder,
                           capture_output=True, timeout=120, check=True)
            for number, name in enumerate(PICTURES, 1):
                shown = (ROOT / "docs" / "figures" / name).read_text()
                drawn = (self.folder / f"figures-figure{number}.svg").read_text()
                self.assertEqual(DATA.sub("", drawn), DATA.sub("", shown), f"{name} on {target}; --bless writes it")

    def test_many_points_make_a_small_file(self):
        svg = self.figure("plot(sin((1:100000) * 12.9898) .* (1:100000));")
        self.assertLess(len(svg), 60_000)

    def test_edges_of_data(self):
        for data in ("[]", "zeros(1, 0)", "5", "[2 2 2]", "[1 NaN 3]", "[1 Inf -Inf 2]", "NaN", "single([1 2])",
                     "[1 2] > 1", "1e300 * [1 2]", "1e-300 * [1 2]", "sparse([1 0 2])"):
            svg = self.figure(f"plot({data});")
            self.assertNotIn("nan", svg.lower().replace("nan\"", ""))
            self.assertNotIn("inf", svg)
        svg = self.figure("plot([1 2 NaN 4 5]);")
        lines = [each for each in re.findall(r'<path d="([^"]*)"[^>]*stroke="#0072bd"', svg)]
        self.assertEqual([each.count("M") for each in lines], [2])  # the gap is seen

    def test_logarithmic(self):
        svg = self.figure("loglog([1 10 1000], [0 0.01 1], 'o-');")
        labels = self.labels(svg)
        for expected in ("100", "101", "103", "10−2", "100"):
            self.assertIn(expected, labels)

    def test_loops_functions_and_hold(self):
        svg = self.figure("""
function draw(k)
  plot(1:4, (1:4) * k, 'displayname', sprintf('k = %d', k));
end
hold on
for k = 1:3, draw(k); end
hold off
legend
""")
        for k in (1, 2, 3):
            self.assertIn(f"k = {k}", self.labels(svg))
        svg = self.figure("for k = 1:3, plot(1:4, (1:4) * k); end")
        self.assertEqual(svg.count('stroke="#0072bd"'), 1)  # the last one alone

    def test_every_mark(self):
        marks = {
            "stairs([1 3 2]);": "path", "stem([1 -2 3]);": "path", "area([1 2; 3 1; 2 2]);": "fill",
            "errorbar(1:3, [1 2 3], [.1 .2 .3]);": "path", "scatter(1:3, [3 1 2], 40, [1 2 3], 'filled');": "a3.16",
            "bar([1 2; 3 4], 'stacked');": "fill", "barh([1 2 3]);": "fill", "hist([1 2 2 3 3 3], 3);": "fill",
            "contour(magic(5));": "path", "[x, y] = meshgrid(1:5, 1:4); contourf(x, y, x .* y, 3); colorbar": "<image",
            "imagesc([1 2; 3 4]); axis equal tight": "<image", "image([1 20; 40 64]);": "<image",
            "pcolor([1 2 3; 4 5 6; 7 8 9]);": "fill", "surf(magic(4)); view(30, 40); zlabel('z');": ">z<",
            "mesh(magic(4)); shading flat": "path", "plot3(1:3, 1:3, [1 4 9], 'r');": "#ff0000",
            "quiver([1 0; 0 1], [0 1; 1 0]);": "path", "fill([0 1 1], [0 0 1], 'g', 'facealpha', 0.5);": 'fill-opacity="0.5"',
            "patch([0 1 1], [0 0 1], [1 0 0]);": "#ff0000", "plot(1:3); text(2, 2, 'here', 'fontsize', 14);": ">here<",
            "semilogx([1 10], [1 2]);": "path", "semilogy([1 2], [1 10]);": "path", "line([0 1], [0 1]);": "path",
            "scatter3(1:3, 1:3, 1:3);": "path", "subplot(2, 1, 1); plot(1:3); subplot(212); plot(3:-1:1);": "path",
            "plot(1:3, 'r;name;'); legend show": ">name<",
            "plot(1:3); set(gca, 'fontsize', 20, 'xtick', [1 2 3], 'xticklabel', {'a', 'b', 'c'});": ">b<",
            "figure('position', [0 0 300 200]); plot(1:3);": 'width="300"',
            "imagesc(magic(4)); colormap('gray'); caxis([0 10]); colorbar;": "<image",
            "plot(1:3); axis([0 5 0 10]); xlim([1 2]); axis off; box off": "path",
            "colormap(jet(8)); pcolor(magic(3));": "fill", "plot(1:3); cla; bar(1:3); ylim([0 4]); ylabel('y');": ">y<",
            "surf(magic(4)); zlim([0 20]); drawnow": "path", "plot(1:3); gcf; h = title('a');": ">a<",
        }
        for text, part in marks.items():
            self.assertIn(part, self.figure(text), text)

    def test_errors(self):
        for text, message in {
            "plot(1:3, 1:4)": "error: __plt2vv__: vector lengths must match",
            "plot(1:3, 'foo', 2)": "plot: 'foo' is neither a line style such as 'r--o' nor a property such as 'linewidth'",
            "plot(1:3, 'linewidth')": "plot: the property 'linewidth' has no value",
            "subplot(2, 2, 5)": "error: subplot: INDEX value must be >= 1 and <= ROWS*COLS",
            "xlim([2 1])": "error: xlim: axis limits must be increasing",
            "colormap('nothing')": "error: colormap: failed to set MAP <nothing>",
            "plot(1:3); print('a.pdf')": "print: .pdf files are outside the language: figures are written as .svg and .png",
            "bar([1 2; 3 4], 1:4)": "error: bar: X must be a vector",
            "barh([1 2 3 3], 1:4)": "error: barh: X vector values must be unique",
            "area(1:2, 1:2, ones(2))": "error: area: LVL must be a real scalar",
            "hist(1:3, ones(2))": "error: hist: bin specification must be a scalar or vector",
            "hist(1:3, 2, -1)": "error: hist: NORM must be a numeric constant > 0",
            "stem(1, 2, 3)": "stem: can not define Z for 2-D stem plot",
            "text(1, 2, [3 4], 'a')": "error: text: number of X, Y, and Z coordinates must match",
            "text([1 2], [3 4], {'a', 'b', 'c'})": "error: text: invalid combination of points and text strings",
            "colormap([2 0 0])": "error: colormap: all MAP values must be in the range [0,1]",
            "close(7)": "error: close: no figure has the number that is given",
        }.items():
            for target in TARGETS:
                self.assertIn(message, self.run_text(text, target=target, status=1).stderr)

    def test_built_program(self):
        (self.folder / "p.la").write_text("x = [1 2 4];\nplot(x); title('built');\n")
        subprocess.run([LAC, "build", "p.la", "-o", "p"], cwd=self.folder, check=True, timeout=300, capture_output=True)
        done = subprocess.run(["./p", "--print=none"], cwd=self.folder, capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(done.stderr, "lac: wrote p-figure1.svg\n")
        self.assertIn(">built<", (self.folder / "p-figure1.svg").read_text())


def bless(lac):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([lac, "run", "-q", ROOT / "samples" / "figures.la"], cwd=folder, check=True)
        for number, name in enumerate(PICTURES, 1):
            (ROOT / "docs" / "figures" / name).write_text(Path(folder, f"figures-figure{number}.svg").read_text())


if __name__ == "__main__":
    if sys.argv[1] == "--bless":
        bless(str(Path(sys.argv[2]).resolve()))
        sys.exit(0)
    LAC = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
