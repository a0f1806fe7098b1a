#!/usr/bin/env python3
"""Runs programs of tests/programs and tests/conformance on every target and compares what they print with NAME.out.

usage: run_programs.py LAC PROGRAM.la            on interp and cpu; double, single where marked; 1 and 2 threads
       run_programs.py LAC DIRECTORY             the same of all programs of a folder, each configuration once
       run_programs.py --vulkan LAC PROGRAM.la   on vulkan: both precisions, layouts and ways to drive loops; 77 without it
       run_programs.py --vulkan LAC DIRECTORY    on vulkan: all programs of a folder in double, and in single where marked
       run_programs.py --check-bounds LAC DIRECTORY...  on cpu, compiled code asserting its accesses to memory; in single
                                         where marked
       run_programs.py --octave DIRECTORY...     all programs of the folders under octave-cli; exits 77 without it
       run_programs.py --bless DIRECTORY...      writes NAME.out as octave-cli prints it; exits 77 without it

Marks, as comment lines of a program:
    % tolerance: 1e-9     numbers may differ from NAME.out by this, relative to the larger of both and 1
    % single: 1e-4        also runs in single precision, with this tolerance; `exact` for none
Arguments are the lines of NAME.args. Output files of 1 and 2 threads must be equal byte by byte, and so must those of
loops that the host and the device drive. On vulkan, whose functions round otherwise, a program that is exact elsewhere
has the tolerance of VULKAN_TOLERANCE, and NA, a NaN that GLSL need not keep apart, equals NaN; what does not run there
is in tests/vulkan/exceptions.txt. NA equals NaN under --check-bounds too: which of two NaN an addition keeps is the
order of its operands, and LLVM orders them by the code around.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIP = 77
VULKAN_TOLERANCE = {"single": 2e-6, "double": 1e-12}
VULKAN_CONFIGURATIONS = [("single", "buffer"), ("single", "texel"), ("double", "buffer")]
SHIMS = Path(__file__).resolve().parent / "octave"
EXCEPTIONS = Path(__file__).parent / "vulkan" / "exceptions.txt"
NA = re.compile(r"\bNA\b")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|Inf|NaN)")


def mark(text, name):
    """The value of a `% name: value` line, or None."""
    found = re.search(rf"^\s*%\s*{name}:\s*(\S+)", text, re.MULTILINE)
    return found.group(1) if found else None


def programs_of(folder):
    """The programs of a folder, without those that need arguments and have none."""
    required = re.compile(r"^param [^=\n]*$", re.MULTILINE)
    return [path for path in sorted(Path(folder).resolve().glob("*.la"))
            if path.with_suffix(".args").exists() or not required.search(path.read_text())]


def tolerance_of(value):
    """None: byte by byte."""
    return None if value in (None, "exact") else float(value)


def close(expected, actual, tolerance):
    a, b = float(expected), float(actual)
    if a != a or b != b:
        return a != a and b != b
    return a == b or abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def difference(expected, actual, tolerance):
    """Why two texts differ, or None. With a tolerance, the text between the numbers must be equal up to blanks."""
    if expected == actual:
        return None
    if tolerance is None:
        return "the text differs"
    if NUMBER.sub("#", expected).split() != NUMBER.sub("#", actual).split():
        return "the text between the numbers differs"
    for a, b in zip(NUMBER.findall(expected), NUMBER.findall(actual)):
        if not close(a, b, tolerance):
            return f"{b} instead of {a}"
    return None


class Program:
    def __init__(self, path):
        self.path = Path(path)
        self.environment = None  # of the runs; None: this process's
        self.text = self.path.read_text()
        self.expected = self.path.with_suffix(".out").read_text()
        arguments = self.path.with_suffix(".args")
        self.arguments = arguments.read_text().split() if arguments.exists() else []
        self.outputs = sum((line.split()[1:] for line in self.text.splitlines() if line.startswith("output ")), [])

    def configurations(self):
        """(options, tolerance, key): results with equal keys must be equal byte by byte."""
        exact = tolerance_of(mark(self.text, "tolerance"))
        yield ["--target=interp", "--precision=double"], exact, "interp double"
        for plan in ("cpu", "vulkan"):
            yield ["--target=interp", "--precision=double", "--plan-of=" + plan], exact, "interp plan of " + plan
        for threads in ("1", "2"):
            yield ["--target=cpu", "--precision=double", "--threads=" + threads], exact, "cpu double"
        single = mark(self.text, "single")
        if single:
            yield ["--target=interp", "--precision=single"], tolerance_of(single), "interp single"
            for threads in ("1", "2"):
                yield ["--target=cpu", "--precision=single", "--threads=" + threads], tolerance_of(single), "cpu single"

    def few_configurations(self):
        """Each target once, in every precision: for corpora of many small programs."""
        for options, tolerance, key in self.configurations():
            if "plan of" not in key and "--threads=1" not in options:
                yield options, tolerance, key

    def checked_configurations(self):
        """On cpu, with every access of compiled code asserted."""
        for precision, marked in (("double", mark(self.text, "tolerance")), ("single", mark(self.text, "single"))):
            if precision == "double" or marked:
                options = ["--target=cpu", "--check=bounds", "--precision=" + precision]
                # 0 and not None: NaN is wider than NA, and so are the blanks around it
                yield options, tolerance_of(marked) or 0.0, "cpu checked " + precision

    def vulkan_configurations(self):
        """The same on vulkan, without the exceptions. Keys have no layout: it does not change a result's bits."""
        marks = {"double": mark(self.text, "tolerance"), "single": mark(self.text, "single")}
        skipped = {(e.precision, e.layout) for e in read_exceptions() if e.program == self.path.stem}
        for precision, layout in VULKAN_CONFIGURATIONS:
            if (precision, layout) in skipped or (precision, "any") in skipped:
                continue
            tolerance = max(tolerance_of(marks[precision]) or 0, VULKAN_TOLERANCE[precision])
            for loops in ("device", "host"):
                yield (["--target=vulkan", "--precision=" + precision, "--layout=" + layout, "--loops=" + loops],
                       tolerance, f"vulkan {precision} {layout}")
            if layout == "buffer":  # the rest differs only in what becomes a device loop
                yield ["--target=vulkan", "--precision=" + precision, "--layout=" + layout], tolerance, f"auto {precision}"

    def few_vulkan_configurations(self):
        """Double, and single where the program says that it means something there."""
        for precision, layout in (("double", "buffer"), ("single", "texel")):
            marked = mark(self.text, "single" if precision == "single" else "tolerance")
            if precision == "double" or marked:
                tolerance = max(tolerance_of(marked) or 0, VULKAN_TOLERANCE[precision])
                options = ["--target=vulkan", "--precision=" + precision, "--layout=" + layout]
                yield options, tolerance, "vulkan " + precision

    def run(self, lac, options, folder):
        """(what is wrong or None, standard output, the outputs' bytes)"""
        writes = sum((["-o", f"{name}={folder}/{name}.npy"] for name in self.outputs), [])
        done = subprocess.run([lac, "run", *options, "--print=none", "--figures=none", str(self.path), *self.arguments, *writes],
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env=self.environment)
        if done.returncode != 0:
            return f"exit status {done.returncode}\n{done.stderr}", done.stdout, []
        return None, done.stdout, [Path(folder, name + ".npy").read_bytes() for name in self.outputs]


class KnownException:
    def __init__(self, line):
        words, self.reason = line.split(":", 1)
        self.program, self.precision, self.layout, self.kind = words.split()


def read_exceptions():
    lines = EXCEPTIONS.read_text().splitlines()
    return [KnownException(line) for line in lines if line.strip() and not line.startswith("#")]


def has_device(lac):
    return subprocess.run([lac, "devices"], capture_output=True, timeout=60).returncode == 0


def run_everywhere(lac, program, configurations):
    problems, seen = [], {}
    for options, tolerance, key in configurations:
        with tempfile.TemporaryDirectory() as folder:
            problem, printed, outputs = program.run(lac, options, folder)
        kept = not key.startswith(("vulkan", "cpu checked"))
        texts = [text if kept else NA.sub("NaN", text) for text in (program.expected, printed)]
        problem = problem or difference(*texts, tolerance)
        first = seen.setdefault(key, (printed, outputs))
        if not problem and first != (printed, outputs):
            problem = "the bits depend on the number of threads, or on who drives the loops"
        if problem:
            problems.append(f"{' '.join(options)}: {problem}")
            if "differ" in problem or "instead" in problem:
                problems.append("--- expected\n" + program.expected + "--- printed\n" + printed)
    return problems


def octave_output(path):
    """(what Octave prints for a program, why it failed or None)"""
    arguments = path.with_suffix(".args")
    words = arguments.read_text().split() if arguments.exists() else []
    done = subprocess.run(["octave-cli", "-q", "--no-history", "-p", f"{SHIMS}:{SHIMS / 'drawing'}", path.name, *words],
                          capture_output=True, text=True, timeout=120, cwd=path.parent, stdin=subprocess.DEVNULL)
    return done.stdout, f"exit status {done.returncode}: {done.stderr}" if done.returncode != 0 else None


def compare_with_octave(path):
    printed, problem = octave_output(path)
    program = Program(path)
    return problem or difference(program.expected, printed, tolerance_of(mark(program.text, "tolerance")))


def bless(path):
    """What Octave prints replaces NAME.out where that is no longer what it prints, up to the program's tolerance."""
    printed, problem = octave_output(path)
    if not problem and (not path.with_suffix(".out").exists() or compare_with_octave(path)):
        path.with_suffix(".out").write_text(printed)
    return problem


def octave_main(folders, action):
    if not shutil.which("octave-cli"):
        print("SKIPPED: octave-cli is not installed")
        return SKIP
    programs = [path for folder in folders for path in programs_of(folder)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(pool.map(action, programs))
    for path, problem in zip(programs, problems):
        if problem:
            print(f"{path.parent.name}/{path.name}: {problem}")
    print(f"{len(programs)} programs, {sum(map(bool, problems))} differ")
    return 1 if any(problems) or not programs else 0


def folder_main(lac, folder, configurations):
    """Every program of a folder, in the configurations that many small programs can afford."""
    programs = [Program(path) for path in programs_of(folder)]
    failed = 0
    for program in programs:
        problems = run_everywhere(lac, program, configurations(program))
        failed += bool(problems)
        if problems:
            print(f"{program.path.name}:\n" + "\n".join(problems))
    print(f"{len(programs)} programs, {failed} differ")
    return 1 if failed else 0


def program_main(lac, path, configurations):
    program = Program(path)
    problems = run_everywhere(lac, program, configurations(program))
    print("\n".join(problems))
    return 1 if problems else 0


def main():
    if sys.argv[1] in ("--octave", "--bless"):
        return octave_main(sys.argv[2:], {"--octave": compare_with_octave, "--bless": bless}[sys.argv[1]])
    if sys.argv[1] == "--check-bounds":
        return max(folder_main(sys.argv[2], folder, Program.checked_configurations) for folder in sys.argv[3:])
    vulkan = sys.argv[1] == "--vulkan"
    lac, path = sys.argv[2:4] if vulkan else sys.argv[1:3]
    if vulkan and not has_device(lac):
        print("SKIPPED: no Vulkan device")
        return SKIP
    if Path(path).is_dir():
        return folder_main(lac, path, Program.few_vulkan_configurations if vulkan else Program.few_configurations)
    return program_main(lac, path, Program.vulkan_configurations if vulkan else Program.configurations)


if __name__ == "__main__":
    sys.exit(main())
