#!/usr/bin/env python3
"""The table of every construct, built-in and argument form (constructs.txt) against the programs that use it.

usage: coverage.py              prints the table
       coverage.py --zeros      prints what no program uses; exit status 1 when there is any
       coverage.py --write      puts the table into docs/conformance.md
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from octave_text import TextError, assignment_at, calls_of, is_op, split_at, statements_of, targets_of, tokens_of  # noqa: E402

DOCUMENT = HERE.parent.parent / "docs" / "conformance.md"
BEGIN, END = "<!-- coverage.py --write: from here -->\n", "<!-- to here -->\n"
EXACT_NAMES = {"Inf", "stdout"}
PATTERN = re.compile(r"^(.*?) ~ (source |shown |api )?/(.*)/$")


class Program:
    def __init__(self, path):
        self.name = str(path.relative_to(HERE.parent).with_suffix(""))
        self.source = path.read_text()
        shown = path.with_suffix(".out")
        self.shown = shown.read_text() if shown.exists() else ""
        tokens = tokens_of(self.without_directives())
        self.statements = [" ".join(t.text for t in part) for part in split_at(tokens, ("\n", ";", ","))]
        self.statements += [" ".join(t.text for t in part) for part in split_at(tokens, ("\n",))]
        self.calls = []
        for statement in self.split(tokens):
            at = assignment_at(statement)
            targets = len(targets_or_holes(statement[:at])) if at is not None else 1
            for call in calls_of(statement):
                first = at is not None and call.position == at + 1
                call.results = targets if first else 1
                self.calls.append(call)

    @staticmethod
    def split(tokens):
        """Statements; the words of `if` and `for` stay with what follows them."""
        return statements_of(tokens)

    def without_directives(self):
        return re.sub(r"^(param|output|precision)\b.*$", "", self.source, flags=re.MULTILINE)


class ApiTest:
    """A script of tests/api, which runs programs that end early or touch files; or the %! blocks of a library file."""

    def __init__(self, path):
        self.name = path.parent.name + "/" + path.stem
        lines = path.read_text().splitlines()
        self.text = "\n".join(line for line in lines if path.suffix == ".py" or line.startswith("%!"))
        self.source = self.shown = ""
        self.statements, self.calls = [], []


def targets_or_holes(left):
    """The targets of `[a, ~, b] =`, with those that are left out."""
    if left and is_op(left[0], "["):
        return [part for part in split_at(left[1:-1], (",",)) if part]
    return targets_of(left)


def is_text(argument):
    return len(argument) == 1 and argument[0].kind == "string"


def text_of(argument):
    return "".join(t.text for t in argument)


def matches_argument(wanted, argument):
    if wanted == '"..."':
        return bool(argument) and argument[0].kind == "string" or (len(argument) == 1 and argument[0].kind == "name")
    if wanted.startswith('"'):
        return is_text(argument) and argument[0].value == wanted[1:-1]
    if wanted in ("[]", ":") or wanted in EXACT_NAMES or re.fullmatch(r"-?(\d+|Inf)", wanted):
        return text_of(argument) == wanted
    if wanted == "[..]":
        return bool(argument) and (is_op(argument[0], "[") and len(argument) > 2 or argument[0].text == "size")
    if wanted == "@f":
        return bool(argument) and is_op(argument[0], "@") or (len(argument) == 1 and argument[0].kind == "name")
    if "(" in wanted:
        return bool(argument) and argument[0].text == wanted.split("(")[0]
    return not is_text(argument) and text_of(argument) not in ("[]", ":")


def matches_call(form, call):
    name, arguments, results = form
    if call.name != name or len(call.arguments) != len(arguments) or (results > 1 and call.results != results):
        return False
    return all(map(matches_argument, arguments, call.arguments))


def parse_form(line):
    """'[a, b] = f(x, [], 2)' -> (name, argument words, number of results)"""
    tokens = tokens_of(line)
    at = assignment_at(tokens)
    results = len(targets_or_holes(tokens[:at])) if at is not None else 1
    text = line if at is None else line[line.index("] =") + 3:]
    name, inside = text.strip().rstrip(")").split("(", 1) if "))" not in text else text.strip()[:-1].split("(", 1)
    return name, [a.strip() for a in split_top(inside)] if inside.strip() else [], results


def split_top(text):
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def counter_of(line):
    """(label, function from a program to whether it uses the form)"""
    found = PATTERN.match(line)
    if not found:
        form = parse_form(line)
        return line, lambda program: any(matches_call(form, call) for call in program.calls)
    label, where, pattern = found.groups()
    expression = re.compile(pattern, re.MULTILINE)
    if where == "source ":
        return label, lambda program: expression.search(program.source) is not None
    if where == "shown ":
        return label, lambda program: expression.search(program.shown) is not None
    if where == "api ":
        return label, lambda program: isinstance(program, ApiTest) and expression.search(program.text) is not None
    return label, lambda program: any(expression.search(statement) for statement in program.statements)


def read_constructs():
    chapter = ""
    for line in (HERE / "constructs.txt").read_text().splitlines():
        if line.startswith("[") and line.endswith("]") and " " not in line:
            chapter = line[1:-1]
        elif line and not line.startswith("# ") and line != "#":
            yield chapter, *counter_of(line)


def read_programs():
    folders = [*HERE.glob("*/"), HERE.parent / "programs", HERE.parent / "errors"]
    paths = sorted(path for folder in folders for path in folder.glob("*.la"))
    programs = []
    for path in paths:
        try:
            programs.append(Program(path))
        except TextError as error:
            print(f"{path}: {error}", file=sys.stderr)
    others = [*(HERE.parent / "api").glob("*.py"), *(HERE.parent.parent / "library").glob("*.la")]
    return programs + [ApiTest(path) for path in sorted(others)]


def table(rows):
    lines = ["", "| chapter | construct or form | programs | for instance |", "| --- | --- | --- | --- |"]
    for chapter, label, users in rows:
        own = [u for u in users if u.startswith("conformance/" + chapter)] or users
        cell = label.replace("|", "\\|")
        lines.append(f"| {chapter} | `{cell}` | {len(users)} | {own[0] if own else ''} |")
    return "\n".join(lines) + "\n"


def main():
    programs = read_programs()
    rows = [(chapter, label, [p.name for p in programs if uses(p)]) for chapter, label, uses in read_constructs()]
    zeros = [(chapter, label) for chapter, label, users in rows if not users]
    if sys.argv[1:] == ["--zeros"]:
        for chapter, label in zeros:
            print(f"{chapter}: {label}")
        print(f"{len(rows)} constructs, {len(programs)} programs, {len(zeros)} constructs without a program")
        return 1 if zeros else 0
    if sys.argv[1:] == ["--write"]:
        head, rest = DOCUMENT.read_text().split(BEGIN)
        DOCUMENT.write_text(head + BEGIN + table(rows) + END + rest.split(END)[1])
    else:
        print(table(rows), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
