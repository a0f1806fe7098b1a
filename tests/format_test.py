#!/usr/bin/env python3
"""`lac fmt`: examples, and that all programs of the repository format to texts that format to themselves.

usage: format_test.py LAC [FOLDER...]     folders of further programs; those that are absent are skipped
"""
import subprocess
import sys
import tempfile
from pathlib import Path

# (as written, formatted)
EXAMPLES = [
    ("x=1;y =[1 -2 , 3];", "x = 1; y = [1 -2 , 3];\n"),
    ("if x==1,y= - x ;else\nz=x';\nend\n\n\n\n", "if x == 1, y = -x; else\n  z = x';\nend\n"),
    ("for k=1 : n\n    s+=k ^2;   % sum\nend", "for k = 1 : n\n  s += k ^ 2;  % sum\nend\n"),
    ("switch s .x\ncase {1,'a'}\ny=c{1}.z ;\notherwise\nif y,y=0;end\nend\nz=1;",
     "switch s.x\n  case {1,'a'}\n    y = c{1}.z;\n  otherwise\n    if y, y = 0; end\nend\nz = 1;\n"),
    ("do\nx++;\nuntil  x>=3", "do\n  x++;\nuntil x >= 3\n"),
    ("\n\nx = 1;\n\n\n\ny = 2;", "x = 1;\n\n\ny = 2;\n"),
    ("f=@( x,y )x+y ;", "f = @(x, y) x+y;\n"),
    ("y = f (x, ...  more\n      2);", "y = f(x, ...  more\n      2);\n"),
    ("  A = [1 2\n       3 4];  % rows", "A = [1 2\n     3 4];  % rows\n"),
    ("function r=g(a)\n%{\n   kept\n%}\nr=a;\nend\n%!assert(g(1),1)", "function r = g(a)\n%{\n   kept\n%}\n  r = a;\nend\n"
     "%!assert(g(1),1)\n"),
    ("s=\"a\\\n  b\"  % c", "s = \"a\\\n  b\"  % c\n"),
    ("a = - -1; b = 1 .'; c = !  x; d = + + 2;", "a = - -1; b = 1 .'; c = !x; d = + +2;\n"),
    ("y = 1 .x + s .x;", "y = 1 .x + s.x;\n"),
    ("param  n = 64   % points\noutput x   y\nx=n; y=x;", "param  n = 64   % points\noutput x   y\nx = n; y = x;\n"),
    ("\xef\xbb\xbfx=1;\r\ny=2;\r\n", "x = 1;\ny = 2;\n"),
]


def shown(text):
    """All but blanks, and but the marks of continuation, whose old form is written in the new one."""
    return "".join(text.split()).replace("...", "").replace("\\", "")


def formatted(lac, text):
    done = subprocess.run([lac, "fmt", "-"], input=text.encode("latin-1"), capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode("latin-1"), done.stderr.decode()


def check_examples(lac):
    failed = 0
    for written, expected in EXAMPLES:
        status, text, errors = formatted(lac, written)
        if status != 0 or text != expected:
            print(f"{written!r}\n  became   {text!r}\n  expected {expected!r}\n{errors}")
            failed += 1
    return failed


def check_corpus(lac, folders):
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*.la"))
    failed = 0
    for path in paths:
        text = path.read_bytes().decode("latin-1")
        status, once, errors = formatted(lac, text)
        if status == 1 and path.parent.name == "errors":
            continue  # it does not parse
        twice = formatted(lac, once)[1]
        if status != 0 or once != twice or shown(once) != shown(text):
            print(f"{path}: status {status}, {'the same' if once == twice else 'another'} text when formatted again\n{errors}")
            failed += 1
    print(f"{len(paths)} programs, {failed} failed")
    return failed


def check_files(lac):
    """In place, --check, and files that do not parse stay as they are."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.la"

        def run(*words):
            return subprocess.run([lac, "fmt", *words, str(path)], capture_output=True, text=True, timeout=60)
        path.write_text("x=1;")
        assert run("--check").returncode == 1 and path.read_text() == "x=1;"
        assert run().returncode == 0 and path.read_text() == "x = 1;\n"
        assert run("--check").returncode == 0
        path.write_text("x=(1;")
        done = run()
        assert done.returncode == 1 and "error" in done.stderr and path.read_text() == "x=(1;"
        path.unlink()
        assert "cannot be read" in run().stderr
    return 0


def main():
    lac, folders = sys.argv[1], sys.argv[2:]
    return 1 if check_examples(lac) + check_corpus(lac, folders) + check_files(lac) else 0


if __name__ == "__main__":
    sys.exit(main())
