#!/usr/bin/env python3
"""Runs bench_classic, prints its lines as tables and writes a page with plots, which lac draws.

usage: classic.py LAC BENCH_CLASSIC [--seconds=S] [--page=FOLDER]     default: 0.5 seconds a line, build/bench-classic
"""
import argparse
import html
import json
import platform
import subprocess
import sys
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "classic"
# The operations that the first benchmarks showed, in one picture; the rest is in the table.
FIGURE = ("copy", "add", "multiply", "transposed_multiply", "cg_fixed", "projected_jacobi")
MARKS = {"naive C++": "k:x", "Eigen": "b--s", "OpenBLAS": "c--d", "lac cpu": "r-o", "lac vulkan": "m-^",
         "lac vulkan-fragment": "g-v"}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The classics</title><style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; margin: 1rem 0; }}
th, td {{ padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }}
th:first-child, td:first-child {{ text-align: left; }}
td.best {{ font-weight: 700; }}
img {{ max-width: 100%; }}
</style></head><body>
<h1>The classics</h1>
<p>{machine}. Single precision, milliseconds, medians of rounds in which all take turns. A call of a host: inputs lie in its
memory, results are read back into it. Peers and lac on the cpu take one thread; a device takes what it has, and the number
in brackets is its own time for the kernels. The best of a line is bold.</p>
{body}
</body></html>
"""


def measured(bench, seconds):
    """The lines of a run, as they come."""
    process = subprocess.Popen([bench, str(SAMPLES), str(seconds)], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        yield json.loads(line)
    if process.wait() != 0:
        sys.exit(f"{bench} ended with {process.returncode}")


def contenders(lines):
    return [name for name in MARKS if any(line["contender"] == name for line in lines)]


def rows(lines, columns):
    """(name, size) and the line of each contender, in the order in which they were measured."""
    found = {}
    for line in lines:
        found.setdefault((line["name"], line["size"]), {})[line["contender"]] = line
    return [(key, [by_name.get(column) for column in columns]) for key, by_name in found.items()]


def number(line):
    if line is None:
        return ""
    text = f"{line['ms']:.3g}" if line["ms"] < 100 else f"{line['ms']:.0f}"
    return f"{text} ({line['device_ms']:.3g})" if line.get("device_ms") else text


def text_table(lines):
    columns = contenders(lines)
    print(f"{'':22}{'':>12}" + "".join(f"{column:>22}" for column in columns))
    for (name, size), cells in rows(lines, columns):
        print(f"{name:22}{size:>12}" + "".join(f"{number(cell):>22}" for cell in cells))


def html_table(lines):
    columns = contenders(lines)
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = ""
    for (name, size), cells in rows(lines, columns):
        best = min(cell["ms"] for cell in cells if cell)
        body += f"<tr><td>{name.replace('_', ' ')}</td><td>{size}</td>"
        for cell in cells:
            body += f"<td{' class=best' if cell and cell['ms'] == best else ''}>{number(cell)}</td>"
        body += "</tr>\n"
    return f"<table><tr><th></th><th>size</th>{head}</tr>\n{body}</table>\n"


def vector(values):
    return "[" + " ".join("NaN" if value is None else f"{value:.6g}" for value in values) + "]"


def figure_of_operations(lines, columns):
    """The classical figure: an operation beside the other, times on a logarithmic axis."""
    text = 'set(gcf, "position", [0 0 900 420]);\n'
    for column in columns:
        times = {line["name"]: line["ms"] for line in lines if line["contender"] == column}
        text += f'semilogy(1:{len(FIGURE)}, {vector(times.get(name) for name in FIGURE)}, "{MARKS[column]}"); hold on;\n'
    labels = ", ".join(f'"{name.replace("_", " ")}"' for name in FIGURE)
    names = ", ".join(f'"{column}"' for column in columns)
    return text + (f'set(gca, "xtick", 1:{len(FIGURE)}, "xticklabel", {{{labels}}}); xlim([0.5 {len(FIGURE) + 0.5}]);\n'
                   f'ylabel("milliseconds"); title("1000 x 1000, results read back"); grid on;\n'
                   f'legend({names}, "location", "northwest");\n')


def figure_of_sizes(lines, columns, name):
    text = ""
    for column in columns:
        mine = [line for line in lines if line["name"] == name and line["contender"] == column]
        if not mine:
            continue
        points = [int(line["size"].split("x")[0]) * int(line["size"].split("x")[1]) for line in mine]
        text += (f'loglog({vector(points)}, {vector(line["ms"] for line in mine)}, "{MARKS[column]}", "displayname", '
                 f'"{column}"); hold on;\n')
    return text + (f'xlabel("elements"); ylabel("milliseconds"); title("{name.replace("_", " ")}"); grid on;\n'
                   'legend("location", "northwest");\n')


def draw(lac, folder, name, text):
    """The picture's file, as lac draws it."""
    program = folder / f"{name}.la"
    program.write_text(text + f'print("{name}.svg");\n')
    subprocess.run([lac, "run", "--figures=none", program.name], cwd=folder, check=True)
    program.unlink()
    return f'<p><img src="{name}.svg" alt="{name}"></p>\n'


def page(lac, folder, lines):
    folder.mkdir(parents=True, exist_ok=True)
    operations = [line for line in lines if line["group"] == "operations"]
    sizes = [line for line in lines if line["group"] == "sizes"]
    body = "<h2>Operations</h2>\n" + draw(lac, folder, "operations",
                                          figure_of_operations(operations, contenders(operations)))
    body += html_table(operations) + "<h2>Sizes</h2>\n"
    for name in ("reduce", "vector_operation", "wave_step"):
        body += draw(lac, folder, name, figure_of_sizes(sizes, contenders(sizes), name))
    body += html_table(sizes)
    machine = f"{platform.processor() or platform.machine()}, {platform.system()}"
    (folder / "index.html").write_text(PAGE.format(machine=html.escape(machine), body=body))
    (folder / "lines.json").write_text("".join(json.dumps(line) + "\n" for line in lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lac", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("bench")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--page", type=Path, default=Path("build/bench-classic"))
    arguments = parser.parse_args()
    lines = []
    for line in measured(arguments.bench, arguments.seconds):
        lines.append(line)
        print(f"\r{line['name']:22}{line['size']:>12}{line['contender']:>22}", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 56 + "\r", end="", file=sys.stderr)
    for group in ("operations", "sizes"):
        text_table([line for line in lines if line["group"] == group])
        print()
    wrong = [line for line in lines if line["difference"] != line["difference"]]
    if wrong:
        sys.exit("wrong results: " + ", ".join(f"{line['name']} by {line['contender']}" for line in wrong))
    worst = max(lines, key=lambda line: line["difference"])
    print(f"largest difference to naive C++: {worst['difference']:.2g} ({worst['name']}, {worst['contender']})")
    page(arguments.lac, arguments.page, lines)
    print(f"wrote {arguments.page / 'index.html'}")


if __name__ == "__main__":
    main()
