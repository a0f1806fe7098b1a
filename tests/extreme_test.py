#!/usr/bin/env python3
"""Texts of extreme depth, length or bytes, through every verb that reads a program: each ends within its time, by itself, and
says where what is wrong stands.

usage: extreme_test.py LAC [NAME...]
"""
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DEEP = 100_000
VERBS = (["check"], ["run", "--target=interp"], ["fmt", "--check"], ["test"], ["emit", "graph"],
         ["emit", "kernels", "--no-cache"])
SECONDS = 60  # of patience with a machine that is busy; nothing here takes more than a second or two


def nested(opening, closing, inner, depth=DEEP):
    return opening * depth + inner + closing * depth


def texts():
    """name -> (text, whether it is a program)"""
    wrong = {
        "parentheses": "x = " + nested("(", ")", "1") + "\n",
        "brackets": "x = " + nested("[", "]", "1") + "\n",
        "braces": "x = " + nested("{", "}", "1") + "\n",
        "calls": "x = " + nested("abs(", ")", "1") + "\n",
        "open_parentheses": "x = " + "(" * DEEP,
        "open_brackets": "x = " + "[" * DEEP,
        "closed": "x = " + ")" * DEEP,
        "signs": "x = " + "-" * DEEP + "1\n",
        "nots": "x = " + "!" * DEEP + "1\n",
        "transposes": "x = 1" + "'" * DEEP + "\n",
        "powers": "x = 2" + "^2" * DEEP + "\n",
        "sums": "x = 1" + " + 1" * DEEP + "\n",
        "ands": "x = 1" + " && 1" * DEEP + "\n",
        "ranges": "x = 1" + ":1" * DEEP + "\n",
        "indices": "x = 1; y = x" + "(1)" * DEEP + "\n",
        "handles": "f = " + "@(x) " * DEEP + "1\n",
        "ifs": nested("if 1\n", "end\n", "x = 1\n"),
        "open_ifs": "if 1\n" * DEEP,
        "ends": "end\n" * DEEP,
        "elses": "if 1\n" + "else\n" * DEEP + "end\n",
        "fors": nested("for i = 1\n", "end\n", "x = 1\n"),
        "functions_in_functions": nested("function f\n", "end\n", "x = 1\n"),
        "block_comments": "%{\n" * DEEP + "x = 1\n",
        "string_open": "x = 'abc\ny = 1\n",
        "string_open_double": 'x = "abc\ny = 1\n',
        "string_open_long": "x = '" + "a" * 1_000_000 + "\n",
        "comment_open": "x = 1\n%{\nnever closed\n",
        "nul": "x = 1\0 + 2\ny = 2\n",
        "nuls": "\0" * DEEP,
        "bad_utf8": b"x = \xff\xfe + \xc3\x28\n",
        "utf8_name": "gr\u00f6\u00dfe = 1\n",
        "huge_size": "x = ones(1e200, 2);\n",
        "huge_size_exact": "x = zeros(2^40, 2^40);\ndisp(x(1))\n",
        "huge_repmat": "x = repmat(ones(1000), 1e12, 1e12);\ndisp(sum(x(:)))\n",
        "huge_index": "x(1e18) = 1;\ndisp(x(1))\n",
        "huge_range": "x = 1:1e15;\ndisp(sum(x))\n",
        "doubling_calls": doubling(40),
        "mutual": "function y = f(x)\n  y = g(x);\nend\nfunction y = g(x)\n  y = f(x);\nend\ndisp(f(1))\n",
        "continued": "x = 1 + ...\n" * DEEP,
        "bytes": bytes(range(256)) * 100,
    }
    right = {
        "empty": "",
        "blank": "\n" * DEEP,
        "comment": "%" + "c" * 1_000_000 + "\n",
        "byte_order_mark": b"\xef\xbb\xbfx = 1\n",
        "line_ends": "x = 1;\r\nif x\r\n  y = 2;\r\nend\r\ndisp(y)\r\n",
        "no_last_line_end": "x = 1",
        "long_number": "x = 0." + "3" * DEEP + ";\ny = " + "9" * DEEP + ";\n",
        "long_name": "a" + "b" * DEEP + " = 1;\n",
        "long_string": "x = '" + "a" * 1_000_000 + "';\n",
        "long_matrix": "x = [" + "1 " * 20_000 + "];\ndisp(sum(x))\n",
        "long_line": "x = 1; " * 10_000 + "\n",
        "many_blanks": "x = [1, 2];" + " " * 1_000_000 + "\n",
        "statements": "x = 1;\n" * DEEP,
        "assignments": "x = " * DEEP + "1\n",
        "guards": "x = rand();\n" + "if x > 2\n  return\nend\n" * 2000 + "disp('end')\n",
        "guards_in_loop": "x = 0;\nwhile true\n  x = x + rand();\n" + "  if x > 5\n    break\n  end\n" * 2000 + "end\n",
        "endings_in_loop": "x = zeros(9, 1); k = 0;\nwhile true\n  k = k + 1;\n" + "".join(
            f"  if k == {i + 2}, break, end\n  x = x + {i};\n" for i in range(1500)) + "end\ndisp(sum(x))\n",
        "branches_below_endings": "x = [1; 2]; y = x; z = x; s = 0; k = 0;\nwhile true\n  k++;\n" + "".join(
            f"  if k == {i + 9}, break, end\n  x = x * 0.5 + s; s = sum(x);\n" for i in range(80)) + "if s < -5\n" + "".join(
            f"  z = y * 0.5 + {i}; s = sum(z); if s > {i}, y = z * 0.5; else y = z * 0.25; end\n"
            for i in range(600)) + "end\nend\ndisp(sum(z) + s)\n",
        "scalars_before_a_branch": "f = 1; a = 3; x = [1; 2];\nwhile f == 1\n" + "a = a * 0.5 + 1;\n" * 10_000 +
                                   "if a > 5, f = 2; else x = x * 2; end\nf = f + (sum(x) > 9);\nend\ndisp(x)\n",
        "elseifs": "x = 3;\nif x == 1\n  y = 1;\n" + "".join(f"elseif x == {i}\n  y = {i};\n" for i in range(2000)) + "end\n",
        "elseifs_unknown": "x = rand();\nif x == 1\n  y = 1;\n" + "".join(f"elseif x == {i}\n  y = {i};\n" for i in range(2000)) + "end\n",
        "many_functions": "".join(f"function y = f{i}(x)\n  y = x + {i};\nend\n" for i in range(5000)) + "disp(f7(1))\n",
        "many_parameters": "".join(f"param p{i} = {i}\n" for i in range(2000)) + "disp(p7)\n",
        "chain_of_calls": chain(150),
        "nested_loops": loops(6),
        "nested_loops_grow": growing_loops(5),
    }
    return {**{name: (text, False) for name, text in wrong.items()}, **{name: (text, True) for name, text in right.items()}}


def doubling(levels):
    text = "function y = f0(x)\n  y = x + 1;\nend\n"
    for i in range(1, levels):
        text += f"function y = f{i}(x)\n  y = f{i - 1}(x) + f{i - 1}(x * 2);\nend\n"
    return text + f"disp(f{levels - 1}(1))\n"


def chain(levels):
    text = "function y = f0(x)\n  y = x + 1;\nend\n"
    for i in range(1, levels):
        text += f"function y = f{i}(x)\n  y = f{i - 1}(x) + 1;\nend\n"
    return text + f"disp(f{levels - 1}(1))\n"


def loops(depth):
    text = "s = 0;\n"
    for i in range(depth):
        text += f"for i{i} = 1:2\n"
    return text + "s = s + rand(); t = s;\n" + "end\n" * depth + "disp(s > 0)\n"


def growing_loops(depth):
    text = "v = []; s = 0;\n"
    for i in range(depth):
        text += f"for i{i} = 1:2\n"
        text += f"w{i} = s; s = s + 0.5;\n"
    return text + "v(end + 1) = s; q = v';\n" + "end\n" * depth + "disp(numel(v))\n"


def run(lac, words, path):
    begun = time.time()
    try:
        done = subprocess.run([lac, words[0], *words[1:], str(path)], capture_output=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, "", "", SECONDS
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), time.time() - begun


def problem_of(lac, words, path, is_program):
    status, _, errors, seconds = run(lac, words, path)
    slow = "" if seconds < 5 else f" ({seconds:.1f} s)"
    if status is None:
        return "does not end", slow
    if status < 0 or status > 2:
        return f"ends with status {status}: {errors[-300:]}", slow
    if "internal error" in errors:
        return errors[:300], slow
    if words[0] in ("fmt", "test"):
        return "", slow
    if is_program:
        return (f"refused: {errors[:300]}" if status != 0 else ""), slow
    may_pass = words[0] != "run"
    if status == 0:
        return ("" if may_pass else "accepted"), slow
    place = re.search(re.escape(str(path)) + r":\d+:\d+: error: \S", errors) or re.search(r"^error: \S", errors, re.M)
    return ("" if place else f"no place: {errors[:300]}"), slow


def main():
    lac, *names = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, is_program) in texts().items():
            if names and name not in names:
                continue
            path = Path(folder) / f"{name}.la"
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            for words in VERBS:
                problem, slow = problem_of(lac, words, path, is_program)
                if slow:
                    print(f"note: {name}, {words[0]}{slow}", flush=True)
                if problem:
                    failures += 1
                    print(f"{name}, {' '.join(words)}: {problem}", flush=True)
        for path in (folder, str(Path(folder) / "missing.la")):
            for words in VERBS:
                status, _, errors, _ = run(lac, words, path)
                if status not in (1, 2) or path not in errors:
                    failures += 1
                    print(f"{path}, {' '.join(words)}: status {status}: {errors[:300]}")
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
