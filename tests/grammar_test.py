#!/usr/bin/env python3
"""The TextMate grammar in editors/: it knows every keyword, built-in and library function, and colours a sample right.

usage: grammar_test.py [--bless] REPOSITORY     --bless adds the names that the grammar lacks
"""
import json
import re
import sys
from pathlib import Path

SAMPLE = [
    # (line, {text: scope of its first occurrence})
    ("% a comment 'with' quotes", {"% a comment": "comment.line", "quotes": "comment.line"}),
    ("param A(n, n) sparse spd  % matrix", {"param": "keyword.other.directive", "A": "variable.parameter",
                                            "sparse": "storage.modifier", "spd": "storage.modifier",
                                            "% matrix": "comment.line"}),
    ("param tol = 1e-6", {"tol": "variable.parameter", "=": "keyword.operator.assignment", "1e-6": "constant.numeric"}),
    ("precision single", {"precision": "keyword.other.directive", "single": "storage.modifier"}),
    ("output x k", {"output": "keyword.other.directive", "x": "variable.other"}),
    ("param = 3;", {"param": "variable.other"}),
    ("x = A' * b';  # transposed", {"' *": "keyword.operator.transpose", "*": "keyword.operator.arithmetic",
                                    "';": "keyword.operator.transpose", "#": "comment.line"}),
    ("x = [a' b'; (c)' d(1)'];", {"' b": "keyword.operator.transpose", "';": "keyword.operator.transpose",
                                  "' d": "keyword.operator.transpose", "']": "keyword.operator.transpose"}),
    ("printf('%d it''s %5.2f\\n', x');", {"printf": "support.function.effect", "'%d": "string.quoted.single",
                                          "%d": "constant.other.placeholder", "''": "constant.character.escape",
                                          "%5.2f": "constant.other.placeholder", "');": "keyword.operator.transpose"}),
    ('s = "a \\"quote\\" % no comment";', {"a ": "string.quoted.double", '\\"': "constant.character.escape",
                                           "no comment": "string.quoted.double", ";": "punctuation"}),
    ("y = x(end - 1) + 0x1F .^ 2;", {"end": "variable.language.end", "0x1F": "constant.numeric.hexadecimal",
                                      ".^": "keyword.operator.arithmetic"}),
    ("if x ~= 3 && !isempty(y), x += 1; end", {"if": "keyword.control", "~=": "keyword.operator.comparison",
                                               "&&": "keyword.operator.logical", "isempty": "support.function",
                                               "+=": "keyword.operator.assignment", "end": "keyword.control"}),
    ("f = @(t) sin(t); g = @cg;", {"@": "keyword.operator.handle", "sin": "support.function", "cg": "entity.name.function"}),
    ("function [q, r] = split(a, b)", {"function": "keyword.control", "q": "variable.parameter.output",
                                       "split": "entity.name.function", "a": "variable.other"}),
    ("function go", {"go": "entity.name.function"}),
    ("%{", {"%{": "comment.block"}),
    ("x = 1;", {"x": "comment.block"}),
    ("%}", {"%}": "comment.block"}),
    ("y = 1 + ... and more", {"1": "constant.numeric", "... and": "comment.line.continuation"}),
    ("e = b - A * x;", {"e": "variable.other", "A": "variable.other"}),
    ("switch x", {"switch": "keyword.control"}),
    ("%!assert (trapz ([1 2 3]), 4)", {"%!": "comment.line.test", "assert": "keyword.other.test",
                                       "trapz": "support.function.library"}),
    ("a.b = 3; x = pi;", {"pi": "constant.language"}),
]


class Grammar:
    """As much of TextMate as the grammar uses: match, begin/end, captures, includes."""

    def __init__(self, path):
        self.grammar = json.loads(path.read_text())
        self.stack = [(self.grammar["patterns"], None, None, {})]  # (patterns, end, scope, captures of the end)

    def flat(self, patterns):
        for pattern in patterns:
            if "include" in pattern:
                rule = self.grammar["repository"][pattern["include"][1:]]
                yield from self.flat([rule] if "match" in rule or "begin" in rule else rule["patterns"])
            else:
                yield pattern

    def paint(self, scopes, begin, end, scope):
        if scope:
            scopes[begin:end] = [scope] * (end - begin)

    def captures(self, line, scopes, found, captures):
        for number, rule in captures.items():
            begin, end = found.span(int(number))
            if begin < 0:
                continue
            self.paint(scopes, begin, end, rule.get("name"))
            if "patterns" in rule:
                inner = Grammar.__new__(Grammar)
                inner.grammar, inner.stack = self.grammar, [(rule["patterns"], None, None, {})]
                part = inner.line(line[begin:end])
                scopes[begin:end] = [new or old for new, old in zip(part, scopes[begin:end])]

    def line(self, line):
        """The scope of every character; None where there is none."""
        scopes, at = [None] * len(line), 0
        while True:
            patterns, end, scope, end_captures = self.stack[-1]
            best = (end.search(line, at), None) if end else (None, None)
            for pattern in self.flat(patterns):
                found = re.compile(pattern.get("match") or pattern["begin"]).search(line, at)
                if found and (best[0] is None or found.start() < best[0].start()):
                    best = (found, pattern)
            found, pattern = best
            stop = found.start() if found else len(line)
            self.paint(scopes, at, stop, scope)
            if not found:
                return scopes
            self.paint(scopes, found.start(), found.end(), (pattern or {"name": scope}).get("name"))
            if pattern is None:
                self.captures(line, scopes, found, end_captures)
                self.stack.pop()
            elif "begin" in pattern:
                self.captures(line, scopes, found, pattern.get("beginCaptures", {}))
                self.stack.append((pattern.get("patterns", []), re.compile(pattern["end"]), pattern.get("name"),
                                   pattern.get("endCaptures", {})))
            else:
                self.captures(line, scopes, found, pattern.get("captures", {}))
            if found.end() == at and pattern is not None and "begin" not in pattern:
                at += 1  # an empty match
            else:
                at = found.end()
            if at >= len(line) and not (self.stack[-1][1] and self.stack[-1][1].match(line, at)):
                return scopes


def scope_of(path, word):
    return Grammar(path).line(word)[0] or ""


def names_of(repository):
    help_text = (repository / "frontend/sema/builtins/help.def").read_text()
    builtins = re.findall(r'^HELP\("(\w+)"', help_text, re.M)
    library = [file.stem for folder in ("library", "solvers") for file in (repository / folder).glob("*.la")]
    return builtins, library


def check_words(repository, path):
    tokens = (repository / "frontend/lexer/tokens.def").read_text()
    used, refused = tokens.split("// Words of Octave that the language refuses by name.")
    expected = {word: "keyword.control" for word in re.findall(r'^KEYWORD\(\w+, "(\w+)"\)', used, re.M)}
    expected |= {word: "invalid.illegal" for word in re.findall(r'^KEYWORD\(\w+, "(\w+)"\)', refused, re.M)}
    builtins, library = names_of(repository)
    wrong = [f"{word} is {scope_of(path, word)!r}, not {scope}" for word, scope in expected.items()
             if not scope_of(path, word).startswith(scope)]
    for word in re.findall(r'^DIRECTIVE\(\w+, "(\w+)"\)', tokens, re.M):
        if not scope_of(path, word + " single").startswith("keyword.other.directive"):
            wrong.append(f"{word} is no directive")
    for word in builtins + library:
        if not scope_of(path, word).startswith(("support.function", "constant.language")):
            wrong.append(f"{word} is {scope_of(path, word)!r}: grammar_test.py --bless adds it")
    grammar = json.loads(path.read_text())["repository"]
    listed = [grammar["constants"]["match"]] + [rule["match"] for rule in grammar["builtins"]["patterns"]]
    for word in [word for rule in listed for word in re.search(r"\(([\w|]+)\)", rule).group(1).split("|")]:
        if word not in builtins + library:
            wrong.append(f"{word} is in the grammar, but no function")
    return wrong


def check_sample(path):
    wrong, grammar = [], Grammar(path)
    for line, expected in SAMPLE:
        scopes = grammar.line(line)
        for text, scope in expected.items():
            got = scopes[line.index(text)] or ""
            if not got.startswith(scope):
                wrong.append(f"{line!r}: {text!r} is {got!r}, not {scope}")
    return wrong


def bless(repository, path):
    builtins, library = names_of(repository)
    grammar = json.loads(path.read_text())
    rules = grammar["repository"]["builtins"]["patterns"]
    listed = {rule["name"]: set(re.search(r"\(([\w|]+)\)", rule["match"]).group(1).split("|")) for rule in rules}
    constants = re.search(r"\(([\w|]+)\)", grammar["repository"]["constants"]["match"]).group(1).split("|")
    known = set(constants).union(*listed.values())
    listed["support.function.la"] |= set(builtins) - known
    listed["support.function.library.la"] |= set(library) - set(builtins) - known
    for rule in rules:
        names = "|".join(sorted(listed[rule["name"]] & set(builtins + library)))
        rule["match"] = re.sub(r"\([\w|]+\)", lambda _: f"({names})", rule["match"], count=1)
    path.write_text(json.dumps(grammar, indent=2) + "\n")


def main():
    repository = Path(sys.argv[-1])
    path = repository / "editors/la.tmLanguage.json"
    if "--bless" in sys.argv:
        bless(repository, path)
    wrong = check_words(repository, path) + check_sample(path)
    print("\n".join(wrong) or "fine")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
