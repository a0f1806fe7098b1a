#!/usr/bin/env python3
"""The Matrix Market reader on other projects' files, good and malformed: what it takes, with which sizes and how many
non-zeros, and what it refuses, naming the file.

usage: formats_test.py LAC

The expectation is INDEX.md's (what scipy reads), but for real matrices only, and but for the files of DIFFERS.
"""
import re
import sys
import tempfile
from pathlib import Path

from common import Checks, data_folder, run

PROGRAM = 'param A(m, n)\nprintf("%d x %d, %d\\n", m, n, nnz(A));\n'

REFUSED = None
DIFFERS = {
    # scipy takes any word as the field or the symmetry; the format has a closed list.
    "fmm/invalid/invalid_bad_field.mtx": REFUSED,
    "lagraph/mangled4.mtx": REFUSED,
    "suitesparse/mongoose-bad_header.mtx": REFUSED,
    "lagraph/mangled6.mtx": REFUSED,                       # real hermitian
    "fmm/overflow/overflow_value_gt_float128.mtx": REFUSED,  # a value beyond double
    "fmm/python-long_double/longdouble_array.mtx": REFUSED,
    "lagraph/skew_int64.mtx": REFUSED,                     # the integer 2^63 - 1, which double does not hold
    "fmm/python-matrix_coordinate_real_general.mtx.bz2": REFUSED,
    # Blanks, carriage returns and vector files that scipy does not know.
    "fmm/permissive/permissive_banner_leading_spaces_eye3.mtx": "3 x 3, 3",
    "fmm/permissive/permissive_lines_indented.mtx": "1 x 1, 1",
    "fmm/python-misc/windows_newlines.mtx": "3 x 3, 3",
    "fmm/python-scipy_crashes/vector_coordinate_real_general.mtx": "4 x 1, 3",
    "fmm/vector_array.mtx": "4 x 1, 3",
    "fmm/vector_coordinate_dupes.mtx": "4 x 1, 3",
}


def expectations(index):
    """[(path below format/, "ROWS x COLUMNS, NONZEROS" or None for refused)]"""
    rows = re.findall(r"^\| format/(\S+) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|", index, re.MULTILINE)
    expected = []
    for path, banner, verdict, sizes in rows:
        complex_values = re.search(r"\b(complex|hermitian)\b", banner, re.IGNORECASE)
        compressed = path.startswith("gz/")
        default = sizes.strip() if verdict.startswith("reads") and not complex_values and not compressed else REFUSED
        expected.append((path, DIFFERS.get(path, default)))
    return expected


def check(checks, lac, program, folder, path, sizes):
    file = folder / "format" / path
    status, printed, messages = run([lac, "run", program, f"A=@{file}"])
    if sizes is REFUSED:
        checks.that(status == 1, f"{path}: exit status {status} instead of 1; printed {printed!r}")
        checks.that(file.name in messages and "error" in messages, f"{path}: the message is {messages!r}")
    else:
        checks.that(status == 0, f"{path}: refused: {messages}")
        checks.that(printed.strip() == sizes, f"{path}: {printed.strip()!r} instead of {sizes!r}")


def main():
    folder = data_folder()
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "sizes.la"
        program.write_text(PROGRAM)
        for path, sizes in expectations((folder / "INDEX.md").read_text()):
            check(checks, sys.argv[1], program, folder, path, sizes)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
