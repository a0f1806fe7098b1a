#!/usr/bin/env python3
"""The examples of the manual: every program of docs/language.md and docs/coming_from.md prints what stands below it, on
interp, on cpu and in Octave where it is installed; and language.md mentions every function that there is.

usage: docs_test.py LAC            runs the examples
       docs_test.py --bless LAC    writes what is printed below each example: Octave's output, lac's messages

A fence ```la starts a program, and the fence ```text after it holds what it prints. Words after `la`:
    NAME=VALUE     an argument of the program
    ~1e-9          numbers may differ by this, relative to the larger of both and 1
    only           not for Octave: what lac adds to the language, or random numbers
    error          the program fails; the text holds lines of its message
    test           the %! blocks are run, by `lac test`
    file NAME      no program but a file beside the next program
"""
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from run_programs import SHIMS, difference

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "docs" / "language.md", ROOT / "docs" / "coming_from.md"]
FENCE = re.compile(r"^```la\b(?P<words>[^\n]*)\n(?P<source>.*?)^```\n(?:\n?```text\n(?P<shown>.*?)^```\n)?",
                   re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r'\{"([A-Za-z_]\w*)",\s*\d+,\s*-?\d+,\s*\d+,')
TARGETS = ("interp", "cpu")


@dataclass
class Example:
    where: str
    words: list
    source: str
    shown: str
    files: dict

    @property
    def fails(self):
        return "error" in self.words

    @property
    def tolerance(self):
        return next((float(word[1:]) for word in self.words if word.startswith("~")), None)

    @property
    def arguments(self):
        return [word for word in self.words if "=" in word]

    @property
    def for_octave(self):
        return not {"error", "only", "test"} & set(self.words)

    def run(self, command):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**self.files, "example.la": self.source}.items():
                Path(folder, name).write_text(text)
            return subprocess.run([*command, "example.la", *self.arguments], cwd=folder, capture_output=True, text=True,
                                  timeout=120, stdin=subprocess.DEVNULL)

    def run_lac(self, lac, target):
        verb = ["test"] if "test" in self.words else ["run", "--print=none"]
        return self.run([lac, *verb, "--target=" + target, "--precision=double"])

    def run_octave(self):
        return self.run(["octave-cli", "-q", "--no-history", "-p", str(SHIMS)])


def examples_of(document):
    text, files, examples = document.read_text(), {}, []
    for fence in FENCE.finditer(text):
        words = fence["words"].split()
        if words[:1] == ["file"]:
            files[words[1]] = fence["source"]
            continue
        line = text.count("\n", 0, fence.start()) + 1
        examples.append(Example(f"{document.name}:{line}", words, fence["source"], fence["shown"] or "", dict(files)))
    return examples


def problem_with(example, done):
    if example.fails:
        said = done.stderr.splitlines()
        missing = [line for line in example.shown.splitlines() if line not in said]
        if done.returncode != 1 or missing or not example.shown:
            return f"exit status {done.returncode}, expected the lines {missing} in\n{done.stderr}"
        return None
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{done.stderr}"
    differs = difference(example.shown, done.stdout, example.tolerance)
    return differs and f"{differs}\n--- expected\n{example.shown}--- printed\n{done.stdout}"


def problems_of(lac, example):
    runs = [(target, lambda target=target: example.run_lac(lac, target)) for target in TARGETS]
    if example.for_octave and which("octave-cli"):
        runs.append(("octave", example.run_octave))
    problems = [(name, problem_with(example, run())) for name, run in runs]
    return [f"{example.where}: {name}: {problem}" for name, problem in problems if problem]


def function_names():
    """What a program calls: the tables of built-ins, the library without its inner parts (NAME_by_...), the solvers."""
    tables = "".join(path.read_text() for path in (ROOT / "frontend" / "sema" / "builtins").glob("*.cpp"))
    files = [path.stem for folder in ("library", "solvers") for path in (ROOT / folder).glob("*.la")]
    return {*ENTRY.findall(tables), *(name for name in files if "_by_" not in name)}


def names_in(texts):
    return {name for text in texts for name in re.findall(r"[A-Za-z_]\w*", text)}


def gaps():
    """Functions that language.md does not mention between backquotes, or has no example of."""
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", DOCUMENTS[0].read_text(), flags=re.M | re.S))
    sources = [example.source for example in examples_of(DOCUMENTS[0])]
    return [*(f"language.md does not mention {name}" for name in sorted(function_names() - names_in(spans))),
            *(f"language.md has no example of {name}" for name in sorted(function_names() - names_in(sources)))]


def printed_by(lac, example):
    if example.fails:
        said = example.run_lac(lac, "cpu").stderr.splitlines()
        return "".join(line + "\n" for line in said if "error: " in line)
    return (example.run_octave() if example.for_octave else example.run_lac(lac, "cpu")).stdout


def bless(lac, document):
    examples = iter(examples_of(document))

    def rewritten(fence):
        if fence["words"].split()[:1] == ["file"]:
            return fence[0]
        example = next(examples)
        shown = printed_by(lac, example) if not example.fails or problems_of(lac, example) else example.shown
        program = f"```la{fence['words']}\n{fence['source']}```\n"
        return program + (f"```text\n{shown}```\n" if shown else "")

    document.write_text(FENCE.sub(rewritten, document.read_text()))


def main():
    if sys.argv[1] == "--bless":
        for document in DOCUMENTS:
            bless(str(Path(sys.argv[2]).resolve()), document)
        return 0
    lac = str(Path(sys.argv[1]).resolve())
    examples = [example for document in DOCUMENTS for example in examples_of(document)]
    with ThreadPoolExecutor(2) as pool:
        problems = sum(pool.map(lambda example: problems_of(lac, example), examples), [])
    problems += gaps()
    print("\n".join([*problems, f"{len(examples)} examples, {len(problems)} problems"]))
    return 1 if problems or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
