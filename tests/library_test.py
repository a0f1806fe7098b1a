#!/usr/bin/env python3
"""Runs the %! blocks of solvers, library and tests/blocks on interp and cpu, those of tests/blocks also in Octave where it
is installed, and looks at `lac test` itself.

usage: library_test.py LAC SOURCE_FOLDER
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCKS = """\
x = no_such_thing;   % the statements of a file do not run
function r = f(a)
  r = a + 1;
end
%!shared p, q
%! p = 4;
%!assert (f (p), 5)
%!assert (isempty (q))
%!assert <*1234> (f ([1 2]), [2 3])
%!test <*123>
%! a = f (3);
%! assert (a, 4)
%!test
%! a = f (3);
%! assert (a, 5)
%!error f ()
%!error <no such> error ("such no")
%!error <a \\> b> error ("a > b")
%!error id=a:b error ("a:b", "such no")
%!function r = g (x)
%!  r = f (x) * 2;
%!endfunction
%!assert (g (1), 4)
%!fail ("f (1, 2)", "called with too many")
%!demo
%! plot (1)
%!warning <hey> warning ("hey there")
%!warning <hey> warning ("you there")
%!# a comment
%!test
%! if (1
%!foo
%!function r = f2 (x, y)
%!  r = x;
%!endfunction
%!assert (f2 (1, 2), 1)
%!function r = f2 (x)
%!  r = 2 * x;
%!endfunction
%!assert (f2 (1), 2)
%!function broken (
%!endfunction
%!assert (1)
%!shared s
%! s = 1;
%!test s = 2;
%!assert (s, 2)
%!shared
%!error <undefined> s + 1
"""
EXPECTED = {7: "pass", 8: "pass", 9: "pass", 10: "pass", 13: "fail", 16: "pass", 17: "fail", 18: "pass", 19: "pass",
            23: "pass", 24: "pass", 25: "skip", 27: "pass", 28: "fail", 30: "fail", 32: "fail",
            36: "pass", 40: "pass", 43: "pass", 46: "pass", 47: "pass", 49: "pass"}


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=1200, stdin=subprocess.DEVNULL)


def check_verb(lac):
    """What is wrong with how `lac test` judges blocks of every kind."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "blocks.la")
        path.write_text(BLOCKS)
        listed = run(lac, "test", "--json", str(path))
        shown = run(lac, "test", str(path))
        path.write_text("%!assert (1)\n")
        passed = run(lac, "test", str(path))
        path.write_text("x = 1;\n")
        empty = run(lac, "test", str(path))
    found = {entry["line"]: entry["status"] for entry in map(json.loads, listed.stdout.splitlines())}
    problems = [f"blocks.la:{line}: {found.get(line)} instead of {EXPECTED.get(line)}"
                for line in sorted(found.keys() | EXPECTED.keys()) if found.get(line) != EXPECTED.get(line)]
    statuses = [listed.returncode, shown.returncode, passed.returncode, empty.returncode]
    if statuses != [1, 1, 0, 0]:
        problems.append(f"the exit statuses are {statuses}")
    for text in ("PASSES 16 out of 21 tests (1 skipped)", "blocks.la:15:4: error: ASSERT", "!!!!! test failed"):
        if text not in shown.stdout:
            problems.append(f"'{text}' is missing in\n{shown.stdout}")
    if passed.stdout != "PASSES 1 out of 1 tests\n" or "no tests" not in empty.stdout:
        problems.append(passed.stdout + empty.stdout)
    return problems


def check_files(lac, source):
    files = sorted(str(path) for folder in ("solvers", "library", "tests/blocks") for path in Path(source, folder).glob("*.la"))
    problems = [f"{path} has no %! blocks" for path in files if "\n%!" not in Path(path).read_text()]
    for target in ("interp", "cpu"):
        done = run(lac, "test", "--target=" + target, *files)
        if done.returncode != 0:
            shown = [line for line in done.stdout.splitlines() if ": PASSES" not in line]
            problems.append(f"--target={target}:\n" + "\n".join(shown) + done.stderr)
    return problems


def check_octave(source):
    """Blocks that Octave itself does not pass."""
    problems = []
    for path in sorted(Path(source, "tests", "blocks").glob("*.la")) if shutil.which("octave-cli") else []:
        done = run("octave-cli", "-q", "--no-history", "--eval", f"test ('{path}', 'quiet')")
        if done.returncode != 0 or "!!!!!" in done.stdout + done.stderr or "PASSES" not in done.stdout:
            problems.append(f"Octave, {path}:\n" + done.stdout + done.stderr)
    return problems


def main():
    problems = check_verb(sys.argv[1]) + check_files(sys.argv[1], sys.argv[2]) + check_octave(sys.argv[2])
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
