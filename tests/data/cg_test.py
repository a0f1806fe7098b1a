#!/usr/bin/env python3
"""samples/solve.la on real matrices: iteration counts against the textbook's, true residuals, published results.

usage: cg_test.py LAC
"""
import sys
import tempfile
from pathlib import Path

from common import SAMPLES, TARGETS, Checks, data_folder, lac_run, number, reference, run

SOLVE = SAMPLES / "solve.la"
TOLERANCE = 1e-10
TRUE_RESIDUAL = 2e-10    # norm(b - A*x)/norm(b) in double: twice the tolerance, for every matrix below

# The textbook's count, one more or one less.
EXACT = ["gr_30_30", "mesh1e1", "pts5ldd03", "fasp-fd/A", "ginkgo-cg19/A", "petsc/tiny_system_A", "petsc/spd-real_A"]
# Ill-conditioned: the order of the summation decides there. At most 1.05 times the textbook's count and 3 more.
LOOSE = ["bcsstk01", "494_bus", "1138_bus", "lund_a", "isai_spd", "LFAT5"]


def check_counts(checks, lac, folder, numbers):
    for name in EXACT + LOOSE:
        path = f"spd/{name}.mtx"
        textbook = numbers[path]["cg"]["iterations_textbook"]
        low, high = (textbook - 1, textbook + 1) if name in EXACT else (1, 1.05 * textbook + 3)
        for target in TARGETS:
            status, printed, messages = lac_run(lac, SOLVE, target, f"A={folder / path}", f"tol={TOLERANCE}")
            iterations, residual = number(printed, "iterations"), number(printed, "residual")
            print(f"{name} {target}: {iterations:g} iterations (textbook {textbook}), residual {residual:.2e}")
            checks.that(status == 0, f"{name} on {target}: exit status {status}\n{messages}")
            checks.that(low <= iterations <= high, f"{name} on {target}: {iterations:g} instead of {textbook}")
            checks.that(residual <= TRUE_RESIDUAL, f"{name} on {target}: true residual {residual:.3e}")


# What fusion and retiming may change is the order of a summation.
PRECISIONS = {"double": TOLERANCE, "single": 1e-4}


def check_options(checks, lac, folder):
    """Without retiming and without fusion: counts within 5 % (and one trip), residuals as good."""
    for name in EXACT + LOOSE:
        matrix = f"A={folder / 'spd' / name}.mtx"
        for precision, tolerance in PRECISIONS.items():
            counts, residuals = [], []
            for options in ([], ["--no-retime"], ["--no-fuse"]):
                status, printed, messages = run([lac, "run", "--print=none", f"--precision={precision}", *options, SOLVE,
                                                 matrix, f"tol={tolerance}"])
                checks.that(status == 0, f"{name} {precision} {options}: exit status {status}\n{messages}")
                counts.append(number(printed, "iterations"))
                residuals.append(number(printed, "residual"))
            print(f"{name} {precision}, with --no-retime, with --no-fuse: {counts} iterations, {residuals}")
            checks.that(max(counts) - min(counts) <= 1 + 0.05 * min(counts), f"{name} {precision}: {counts} iterations")
            worst = max(2 * tolerance, 2 * residuals[0])
            checks.that(max(residuals) <= worst, f"{name} {precision}: residuals {residuals}")


def array(path):
    """The values of a Matrix Market array file."""
    lines = [line for line in Path(path).read_text().splitlines() if line.strip() and not line.startswith("%")]
    return [float(word) for line in lines[1:] for word in line.split()]


def solution(lac, target, *arguments):
    """(iterations, x) of a run that must succeed."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "x.mtx"
        status, printed, messages = lac_run(lac, SOLVE, target, *arguments, "-o", f"x={out}")
        if status != 0:
            print(messages)
            return float("nan"), []
        return number(printed, "iterations"), array(out)


def deviation(found, expected):
    if len(found) != len(expected):
        return float("inf")
    return max(abs(a - b) for a, b in zip(found, expected))


def check_published(checks, lac, folder):
    """Results that other projects published for their systems (PUBLISHED.md of the data)."""
    spd = folder / "spd"
    ginkgo = [0.252218, 0.108645, 0.0662811, 0.0630433, 0.0384088, 0.0396536, 0.0402648, 0.0338935, 0.0193098,
              0.0234653, 0.0211499, 0.0196413, 0.0199151, 0.0181674, 0.0162722, 0.0150714, 0.0107016, 0.0121141,
              0.0123025]
    cases = [
        ("fasp-fd", spd / "fasp-fd/A.mtx", spd / "fasp-fd/rhs.mtx", 1e-12, 1, array(spd / "fasp-fd/sol.mtx"), 1e-14),
        ("ginkgo-cg19", spd / "ginkgo-cg19/A.mtx", spd / "ginkgo-cg19/b.mtx", 1e-12, 19, ginkgo, 5e-7),
        ("petsc tiny_system", spd / "petsc/tiny_system_A.mtx", spd / "petsc/tiny_system_b.mtx", 1e-5, 2, None, 0),
        ("petsc spd-real", spd / "petsc/spd-real_A.mtx", spd / "petsc/spd-real_b.mtx", 1e-10, 4, None, 0),
    ]
    for name, matrix, rhs, tolerance, count, expected, allowed in cases:
        for target in TARGETS:
            iterations, x = solution(lac, target, f"A={matrix}", f"b={rhs}", f"tol={tolerance}")
            print(f"{name} with its own b, {target}: {iterations:g} iterations")
            checks.that(abs(iterations - count) <= 1, f"{name}: {iterations:g} iterations instead of {count}")
            if expected:
                checks.that(deviation(x, expected) <= allowed, f"{name}: x is off by {deviation(x, expected):.2e}")


def main():
    folder = data_folder()
    checks = Checks()
    check_counts(checks, sys.argv[1], folder, reference(folder))
    check_options(checks, sys.argv[1], folder)
    check_published(checks, sys.argv[1], folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
