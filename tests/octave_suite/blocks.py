"""The `%!` blocks of Octave's own files, read where Octave is installed."""
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

KINDS = ("assert", "test", "error", "fail", "warning")
HEAD = re.compile(r"%!([a-z]\w*)")


@dataclass
class Block:
    kind: str  # the word after %!
    line: int
    lines: list  # as written, without line ends


def octave_home():
    done = subprocess.run(["octave-cli", "-q", "--no-history", "--eval", "disp(OCTAVE_HOME); disp(OCTAVE_VERSION)"],
                          capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return done.stdout.split()[:2]


def test_files():
    """(name, path) of every file of the installed Octave that has blocks."""
    home, version = octave_home()
    root = Path(home, "share", "octave", version)
    paths = [*root.glob("m/**/*.m"), *root.glob("etc/tests/**/*.tst"), *root.glob("etc/tests/**/*-tst")]
    for path in sorted(paths):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "\n%!" in text or text.startswith("%!"):
            yield str(path.relative_to(root)), text


def blocks_of(text):
    """A block starts with `%!` and a letter; lines of `%!` and a blank continue it."""
    blocks = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("%!"):
            continue
        head = HEAD.match(line)
        if head:
            blocks.append(Block(head.group(1), number, [line]))
        elif blocks and (len(line) == 2 or line[2] in " \t") and blocks[-1].line + len(blocks[-1].lines) == number:
            blocks[-1].lines.append(line)
    return blocks


ANGLE = re.compile(r"\s*<((?:[^>\\]|\\.)*)>")
IDENTIFIER = re.compile(r"\s*id=(\S+)")
FAIL = re.compile(r"""\s*\(\s*(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")""")


def code_of(block):
    """The statements of a block, without its word and what it expects."""
    first = block.lines[0][2 + len(block.kind):]
    rest = "\n".join(line[2:] for line in block.lines[1:])
    if block.kind in ("error", "warning"):
        for _ in range(3):
            for part in (IDENTIFIER, ANGLE):
                found = part.match(first)
                first = first[found.end():] if found else first
    elif block.kind in ("assert", "test"):
        found = ANGLE.match(first)
        first = first[found.end():] if found else first
    if block.kind == "fail":
        found = FAIL.match(first)
        if found:
            return (found.group(1) or "").replace("''", "'") or found.group(2)
    if block.kind == "assert":
        first = "assert" + first
    if block.kind == "shared":
        first = ""
    if block.kind == "function":
        return "function" + first + "\n" + rest + ("" if "endfunction" in rest else "\nendfunction")
    return first + "\n" + rest


def shared_names(block):
    return re.findall(r"[A-Za-z_]\w*", re.split("[%#]", block.lines[0][len("%!shared"):])[0])
