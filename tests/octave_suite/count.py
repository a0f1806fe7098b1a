"""Counts, per file of the installed Octave, the blocks inside the language and what puts the others outside."""
from collections import Counter
from dataclasses import dataclass
from functools import cache

import chapters
from blocks import KINDS, Block, blocks_of, code_of, shared_names, test_files
from chapters import chapter_of
from octave_text import TextError, assignment_at, calls_of, function_name, statements_of, tokens_of, variables_of
from subset import has_nested_functions, is_report, outside, says_nothing
from words import NESTED


@dataclass
class Case:
    """A block that is a test, with the text that it needs to be a program."""
    block: Block
    shared: list  # names of the shared variables it reads, or []
    setting: str  # the statements that set them
    functions: list  # blocks of the functions it uses
    entry: str  # of the closed list, or None: inside
    chapter: str = ""  # of the language, that it is about


@cache
def names_in(code):
    try:
        return {call.name for call in calls_of(tokens_of(code))}
    except TextError:
        return set()


def defined_name(block):
    try:
        return next((function_name(s) for s in statements_of(tokens_of(code_of(block))) if s[0].text == "function"), "")
    except TextError:
        return ""


def used_functions(code, functions):
    """Blocks of those functions that the code needs, also through others."""
    used, open_names = {}, names_in(code)
    while open_names:
        name = open_names.pop()
        if name in functions and name not in used:
            used[name] = functions[name]
            open_names |= names_in(code_of(functions[name]))
    return [functions[name] for name in functions if name in used]


@cache
def handles_in(code):
    try:
        tokens = tokens_of(code)
    except TextError:
        return set()
    return {b.text for a, b in zip(tokens, tokens[1:]) if a.text == "@" and b.kind == "name"}


@cache
def assigned_in(code):
    try:
        return variables_of(tokens_of(code))
    except TextError:
        return set()


@cache
def whole_assignments(code):
    """Names that the code sets before it reads them: `x = ...` as its first mention."""
    names, read = set(), set()
    for statement in statements_of(tokens_of(code)):
        at = assignment_at(statement)
        right = {t.text for t in (statement if at is None else statement[at:]) if t.kind == "name"}
        read |= right
        if at == 1 and statement[1].text == "=" and statement[0].text not in read:
            names.add(statement[0].text)
    return names


class Shared:
    """The variables of a `shared` block and what sets them: its statements, and tests that came later."""

    def __init__(self, block=None):
        self.names = set(shared_names(block)) if block else set()
        self.code = code_of(block) if block else ""
        self.tests = []  # (names it sets, names it reads, code), in order

    def learn(self, block, code):
        sets = assigned_in(code) & self.names if block.kind == "test" else set()
        if sets:
            self.tests.append((sets, names_in(code) & self.names - whole_assignments(code), code))

    def part_for(self, code):
        """(names, statements that set them) where the code reads one of the variables"""
        needed = self.names & (names_in(code) | handles_in(code))
        if not needed:
            return [], ""
        parts = []
        for sets, reads, test in reversed(self.tests):
            if sets & needed:
                parts.append(test)
                needed = (needed - sets) | reads
        if needed or not parts:
            parts.append(self.code)
        return sorted(self.names), "\n".join(reversed(parts))


def cases_of(text):
    """Every test block of a file that says something."""
    shared, functions, cases = Shared(), {}, []
    for block in blocks_of(text):
        code = code_of(block)
        if block.kind == "shared":
            shared = Shared(block)
        elif block.kind == "function":
            functions[defined_name(block)] = block
        elif block.kind in KINDS and not says_nothing(code) and not is_report(block.lines[0]):
            names, setting = shared.part_for(code)
            used = used_functions(setting + "\n" + code, functions)
            start = "; ".join(f"{name} = []" for name in names if name not in assigned_in(setting))
            whole = "\n".join([*map(code_of, used), start, setting, code])
            entry = NESTED if has_nested_functions(code) else outside(whole)
            cases.append(Case(block, names, setting, used, entry, chapter_of(whole)))
            shared.learn(block, code)
    return cases


def count():
    """{file: its cases}"""
    return {name: cases_of(text) for name, text in test_files()}


def table(files):
    lines = ["# Blocks of Octave's own suite, decided from their text (subset.py) before any was run.",
             "# file: blocks inside the language, blocks outside"]
    for name, cases in files.items():
        inside = sum(case.entry is None for case in cases)
        if inside:
            lines.append(f"{name}: {inside} {len(cases) - inside}")
    every = [case for cases in files.values() for case in cases]
    within = Counter(case.chapter for case in every if case.entry is None)
    whole = [cases for cases in files.values() if cases and all(case.entry is not None for case in cases)]
    lines += ["", "# Inside, by the chapter that a block is about (chapters.py):"]
    lines += [f"# {within[chapter]:6} {chapter}" for chapter in chapters.NAMES]
    lines += ["", "# What puts blocks outside, over all files:"]
    lines += [f"# {n:6} {entry}" for entry, n in Counter(case.entry for case in every).most_common() if entry]
    lines.append(f"# {len(whole)} files have no block inside.")
    lines.append(f"# {sum(within.values())} blocks inside, {len(every) - sum(within.values())} outside.")
    return "\n".join(lines) + "\n"
