#!/usr/bin/env python3
"""Random programs, on the oracle, after every pass, natively, and in Octave: all must print the same.

usage: random_programs.py WORKER [--count N] [--seed S | --fresh] [--single] [--edges | --stencils | --lines | --loops | --aggregates |
                          --arrays | --complex | --integers | --rows | --recursions]
                          [--no-octave] [--no-native] [--check-bounds] [--keep DIR]

A disagreement is shrunk to a small program, which is written to DIR (default: the folder at hand) as random_SEED.la.
Numbers may differ by rounding: TOLERANCE relative to the largest number of the line that they stand in, or
SINGLE_TOLERANCE in programs that compute with `single` (--single).
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from lines import lines_program
from aggregates import aggregates_program
from complex_values import complex_program
from integer_values import integer_program
from arrays import arrays_program
from loops import loops_program
from recursions import recursions_program
from rows import rows_program
from statements import random_program
from stencils import stencil_program
from tree import Node, Program

SECONDS = 60  # after which a program counts as endless: a shrunk one may lack the line that ends its loop
TOLERANCE = 1e-8
SINGLE_TOLERANCE = 2e-3
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|Inf|NaN)")
# Octave prints a message where lac prints "error: message"; the words around the place of an index differ.
ERROR = re.compile(r"\berror: .*")

OCTAVE_LOOP = r"""
function run_one(la_path_)
  try
    source(la_path_);
  catch la_problem_
    printf("error: %s\n", la_problem_.message);
  end
end
addpath("@SHIMS@");
warning("off", "all");
crash_dumps_octave_core(false);
sigterm_dumps_octave_core(false);
sighup_dumps_octave_core(false);
while true
  line = fgetl(stdin);
  if ! ischar(line), break; end
  run_one(strtrim(line));
  printf("\n#end-of-program#\n");
  fflush(stdout);
end
"""


def in_time(process, work):
    """What work() gives; the process is ended when that takes too long."""
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    try:
        return work()
    finally:
        timer.cancel()


class Octave:
    """One process for many programs."""

    def __init__(self, shims):
        self.folder = tempfile.TemporaryDirectory()
        self.shims = shims
        self.process = None

    def start(self):
        loop = Path(self.folder.name) / "run_programs_loop.m"
        loop.write_text("1;\n" + OCTAVE_LOOP.replace("@SHIMS@", str(self.shims)))
        self.process = subprocess.Popen(["octave-cli", "-q", "--no-history", "--no-window-system", str(loop)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True)

    def run(self, text):
        if self.process is None or self.process.poll() is not None:
            self.start()
        path = Path(self.folder.name) / "program.m"
        path.write_text("1;\n" + text)
        self.process.stdin.write(f"{path}\n ")  # the blank: fgetl waits for what follows the line
        self.process.stdin.flush()
        return in_time(self.process, self.answer)

    def answer(self):
        lines = []
        for line in self.process.stdout:
            if line == "#end-of-program#\n":
                return "".join(lines).removesuffix("\n")
            lines.append(line)
        return "".join(lines) + "octave ended\n"


class Lac:
    """The worker process: {stage: text} for a program."""

    def __init__(self, worker, options=()):
        self.command, self.process = [worker, *options], None

    def run(self, text):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL)
        data = text.encode()
        self.process.stdin.write(f"{len(data)}\n".encode() + data + b"\n")
        self.process.stdin.flush()
        return in_time(self.process, self.answer)

    def answer(self):
        stages = {}
        while True:
            line = self.process.stdout.readline().decode()
            if not line.endswith("\n"):  # it ended, or was ended in the middle of a line
                return stages | {"crash": f"exit status {self.process.wait()}"}
            if line == "end\n":
                return stages
            name, size = line.removeprefix("stage ").rsplit(" ", 1)
            stages[name] = self.process.stdout.read(int(size)).decode(errors="replace")
            self.process.stdout.read(1)


def failed(text):
    return ERROR.search(text) is not None


def difference(expected, actual, tolerance=TOLERANCE):
    """What differs between two outputs, or None. Two failures agree when they happen after the same output."""
    if failed(expected) != failed(actual):
        return f"{'no ' * failed(expected)}{ERROR.search(expected + actual).group()[:100]}"
    a, b = (ERROR.sub("error", text).split("\n") for text in (expected.rstrip("\n"), actual.rstrip("\n")))
    if len(a) != len(b):
        return f"{len(b)} lines instead of {len(a)}"
    for x, y in zip(a, b):
        if x != y and (why := line_difference(x, y, tolerance)):
            return why
    return None


def line_difference(x, y, tolerance):
    p, q = NUMBER.findall(x), NUMBER.findall(y)
    if len(p) != len(q) or NUMBER.sub("#", x).split() != NUMBER.sub("#", y).split():
        return f"'{y[:80]}' instead of '{x[:80]}'"
    numbers = [(float(s), float(t)) for s, t in zip(p, q)]
    scale = max([1.0] + [abs(s) for s, _ in numbers if abs(s) < 1e300])
    for s, t in numbers:
        if s != t and not (s != s and t != t) and not abs(s - t) <= tolerance * scale:
            return f"{t!r} instead of {s!r} in '{x[:40]}'"
    return None


# Of programs that are wrong, where no Octave says whether they are.
SAID_BY_OCTAVE_TOO = ("subscripts must be either integers", "out of bound")


class Judge:
    def __init__(self, worker, octave, tolerance=TOLERANCE, options=()):
        self.lac, self.octave, self.tolerance = Lac(worker, options), octave, tolerance

    def verdict(self, text):
        """None when all agree, else (kind, why). The kind keeps a shrunk program on the track of its disagreement."""
        stages = self.lac.run(text)
        for bad in ("crash", "internal"):
            if bad in stages:
                return bad, stages[bad]
        reference = self.octave.run(text) if self.octave else None
        if "refused" in stages:
            if reference is not None and failed(reference):
                return None
            if reference is None and any(words in stages["refused"] for words in SAID_BY_OCTAVE_TOO):
                return None
            return "refused", stages["refused"]
        previous = "graph"
        for stage, printed in stages.items():
            if why := difference(stages["graph"], printed, self.tolerance):
                return f"{stage} against graph", f"{why} (equal up to {previous})"
            previous = stage
        if reference is not None and (why := difference(reference, stages["graph"], self.tolerance)):
            return "graph against Octave", why
        return None


def smaller(nodes):
    """Trees with one statement less, or one block replaced by what it holds."""
    for i, node in enumerate(nodes):
        yield nodes[:i] + nodes[i + 1:]
        if node.children is not None:
            if not node.head.startswith("function"):
                yield nodes[:i] + [c for c in node.children if not c.head.startswith("else")] + nodes[i + 1:]
            for children in smaller(node.children):
                yield nodes[:i] + [Node(node.head, children, node.foot)] + nodes[i + 1:]


OPERAND = re.compile(r"\(([^()]*)\)")


def simpler_texts(nodes):
    """Trees with one innermost parenthesis replaced by 1 or removed."""
    for i, node in enumerate(nodes):
        for found in OPERAND.finditer(node.head):
            for other in ("1", "(1:2)", "[1; 2]"):
                head = node.head[:found.start()] + other + node.head[found.end():]
                yield nodes[:i] + [Node(head, node.children, node.foot)] + nodes[i + 1:]
        if node.children is not None:
            for children in simpler_texts(node.children):
                yield nodes[:i] + [Node(node.head, children, node.foot)] + nodes[i + 1:]


def same_trouble(found, verdict):
    """Whether a smaller program disagrees as the one before did: neither another message nor a failure instead of other
    numbers."""
    if found is None or found[0] != verdict[0]:
        return False
    if found[0] == "refused":
        return first_line(found[1]) == first_line(verdict[1])
    return found[1].startswith(("error: ", "no error: ")) == verdict[1].startswith(("error: ", "no error: "))


def first_line(why):
    """Of a refusal: its message, so that shrinking does not wander to another one."""
    line = next((line for line in why.split("\n") if "error: " in line), why)
    return re.sub(r"\d+", "#", line.split("error: ")[-1])[:40]


def shrunk(program, judge, verdict, seconds=60):
    stop = time.monotonic() + seconds
    nodes, names = program.nodes, program.names

    def fails(candidate, candidate_names):
        return same_trouble(judge.verdict(Program(candidate, candidate_names).text()), verdict)

    progress = True
    while progress and time.monotonic() < stop:
        progress = False
        for name in list(names):
            fewer = [n for n in names if n != name]
            if fails(nodes, fewer):
                names, progress = fewer, True
        for generate in (smaller, simpler_texts):
            again = True
            while again and time.monotonic() < stop:
                again = False
                for candidate in generate(nodes):
                    if time.monotonic() > stop:
                        break
                    if sum(map(size, candidate)) < sum(map(size, nodes)) and fails(candidate, names):
                        nodes, again, progress = candidate, True, True
                        break
    return Program(nodes, names)


def size(node):
    return len(node.head) + 10 + sum(map(size, node.children or []))


def drawn(seed, given):
    for kind, program in (("stencils", stencil_program), ("lines", lines_program), ("loops", loops_program),
                          ("aggregates", aggregates_program), ("arrays", arrays_program), ("complex", complex_program),
                          ("integers", integer_program),
                          ("rows", rows_program), ("recursions", recursions_program)):
        if getattr(given, kind):
            return program(seed)
    return random_program(seed, given.single, given.edges)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("worker")
    arguments.add_argument("--count", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1, help="of the first program")
    arguments.add_argument("--fresh", action="store_true", help="a seed from the clock, which is printed")
    arguments.add_argument("--single", action="store_true", help="real numbers are singles")
    arguments.add_argument("--edges", action="store_true", help="with statements at the edges of sizes and ranges")
    arguments.add_argument("--stencils", action="store_true", help="loops over vectors on grids")
    arguments.add_argument("--lines", action="store_true", help="matrices whose lines are summed and read again")
    arguments.add_argument("--complex", action="store_true", help="complex values")
    arguments.add_argument("--integers", action="store_true", help="integer classes")
    arguments.add_argument("--aggregates", action="store_true", help="structs, cell arrays, arrays of structs, switch")
    arguments.add_argument("--rows", action="store_true", help="cells and structs of a number that the run finds")
    arguments.add_argument("--recursions", action="store_true", help="functions that call themselves and each other")
    arguments.add_argument("--arrays", action="store_true", help="arrays of three and four dimensions")
    arguments.add_argument("--loops", action="store_true", help="loops over elements, small matrices and sparse rows")
    arguments.add_argument("--no-native", action="store_true", help="no compiled code: several times as fast")
    arguments.add_argument("--check-bounds", action="store_true", help="compiled code asserts its accesses to memory")
    arguments.add_argument("--no-octave", action="store_true")
    arguments.add_argument("--keep", default=".", help="where shrunk programs go")
    arguments.add_argument("--most", type=int, default=5, help="stop after so many disagreements")
    arguments.add_argument("--shrink", type=int, default=60, help="seconds to shrink one")
    given = arguments.parse_args()
    seed = int(time.time()) % 10**8 * 1000 if given.fresh else given.seed
    octave = None
    if not given.no_octave:
        if shutil.which("octave-cli"):
            octave = Octave(Path(__file__).resolve().parent.parent / "octave")
        else:
            print("octave-cli is not installed: the stages of lac are compared with each other")
    options = ["--no-native"] * given.no_native + ["--check-bounds"] * given.check_bounds
    judge = Judge(given.worker, octave, SINGLE_TOLERANCE if given.single else TOLERANCE, options)
    print(f"{given.count} programs from seed {seed}", flush=True)
    found = 0
    for k in range(seed, seed + given.count):
        if k > seed and (k - seed) % 1000 == 0:
            print(f"{k - seed} drawn, {found} disagreements", flush=True)
        program = drawn(k, given)
        verdict = judge.verdict(program.text())
        if verdict is None:
            continue
        found += 1
        small = shrunk(program, judge, verdict, given.shrink)
        verdict = judge.verdict(small.text()) or verdict
        path = Path(given.keep) / f"random_{k}.la"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"% {verdict[0]}\n" + small.text())
        print(f"seed {k}: {verdict[0]}: {verdict[1]}\n{small.text()}", flush=True)
        if found >= given.most:
            break
    print(f"{found} disagreements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
