#!/usr/bin/env python3
"""The samples as a user meets them: what they print, and that wrong input ends with one message that says where, the
right exit status and no output file.

usage: samples_test.py LAC
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[1] / "samples"

FILES = {
    "two.mtx": "matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n",
    "one.mtx": "matrix coordinate real general\n1 1 1\n1 1 4\n",
    "none.mtx": "matrix coordinate real general\n0 0 0\n",
    "ones.mtx": "matrix array real general\n2 1\n1\n1\n",
    "zeros.mtx": "matrix array real general\n2 1\n0\n0\n",
    "three.mtx": "matrix array real general\n3 1\n1\n2\n3\n",
    "nan.mtx": "matrix array real general\n2 1\nNaN\n1\n",
    "negative.mtx": "matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -1\n",
    "skewed.mtx": "matrix coordinate real general\n2 2 3\n1 1 1\n1 2 1\n2 2 1\n",
    "wide.mtx": "matrix coordinate real general\n2 3 2\n1 1 1\n2 2 1\n",
    "cut.mtx": "matrix coordinate real general\n2 2 2\n1 1 1\n",
}

# program, arguments, exit status, what standard output must hold, what standard error must hold
CASES = [
    ("poisson", ["n=16"], 0, r"unknowns +256\niterations +48\n", None),
    ("figures", [], 0, r"  64  3\.496e-05  5\.690e-10\n", r"wrote figures-figure1\.svg, figures-figure2\.svg, figures-figure3"),
    ("poisson", ["n=2"], 0, r"unknowns +4\n", None),
    ("solve", ["A=two.mtx"], 0, r"iterations +2\nresidual +\d", None),
    ("solve", ["A=two.mtx", "b=ones.mtx", "tol=1e-12"], 0, r"iterations +2\n", None),
    ("solve", ["A=two.mtx", "b=zeros.mtx"], 0, r"iterations +0\nresidual +0\.", None),
    ("solve", ["A=one.mtx"], 0, r"iterations +1\nresidual +0\.", None),
    ("solve", ["A=none.mtx"], 0, r"iterations +0\nresidual +0\.", None),
    ("solve", ["A=two.mtx", "maxit=1"], 0, r"iterations +1\n", r"not converged: relres = "),
    ("contact", ["A=two.mtx", "b=ones.mtx"], 0, r"iterations +0\nactive +0 of 2\n", None),
    ("solve", ["A=two.mtx", "b=nan.mtx"], 1, None, r"solve\.la:\d+:\d+: error: .*NaN"),
    ("solve", ["A=two.mtx", "b=three.mtx"], 1, None, r"solve\.la:\d+:\d+: error: .*3x1"),
    ("solve", ["A=negative.mtx"], 1, None, r"solve\.la:\d+:\d+: error: A is claimed spd, but A\(2,2\)"),
    ("solve", ["A=skewed.mtx"], 1, None, r"solve\.la:\d+:\d+: error: A is claimed spd, but A\(1,2\)"),
    ("solve", ["A=wide.mtx"], 1, None, r"solve\.la:\d+:\d+: error: A is 2x3"),
    ("solve", ["A=cut.mtx"], 1, None, r"cut\.mtx:\d+: .*ends"),
    ("solve", ["A=missing.mtx"], 1, None, r"missing\.mtx"),
    ("solve", [], 2, None, r"parameter 'A'"),
    ("solve", ["A=two.mtx", "tl=1"], 2, None, r"'tl'; did you mean 'tol'"),
]


def wrong(lac, folder, case):
    """What is wrong with one run, or None."""
    name, arguments, expected, printed, said = case
    output = Path(folder, "x.mtx")
    writes = [] if name in ("poisson", "figures") else ["-o", "x=x.mtx"]
    done = subprocess.run([lac, "run", "--print=none", str(SAMPLES / f"{name}.la"), *arguments, *writes], cwd=folder,
                          capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    if done.returncode != expected:
        return f"exit status {done.returncode} instead of {expected}\n{done.stdout}{done.stderr}"
    if printed and not re.search(printed, done.stdout):
        return f"printed {done.stdout!r}"
    if said and not re.search(said, done.stderr):
        return f"said {done.stderr!r}"
    if len(re.findall(r"\berror: ", done.stderr)) > (expected != 0):
        return f"more than one error: {done.stderr!r}"
    if output.exists() != (bool(writes) and expected == 0):
        return "there is a partial output file" if expected else "the output file is missing"
    output.unlink(missing_ok=True)
    return None


def main():
    lac = str(Path(sys.argv[1]).resolve())
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text("%%MatrixMarket " + text)
        for case in CASES:
            problem = wrong(lac, folder, case)
            failures += problem is not None
            if problem:
                print(f"{case[0]} {' '.join(case[1])}: {problem}")
    print(f"{len(CASES)} runs, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
