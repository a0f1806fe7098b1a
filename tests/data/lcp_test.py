#!/usr/bin/env python3
"""samples/contact.la on linear complementarity problems with a reference solution and a known convergent omega.

usage: lcp_test.py LAC
"""
import itertools
import sys
import tempfile
from pathlib import Path

from cg_test import array, deviation
from common import SAMPLES, TARGETS, Checks, data_folder, lac_run, number, reference

CONTACT = SAMPLES / "contact.la"
TOLERANCE = 1e-10
ACCURACY = 1e-6     # of the solution, relative to its largest element


def convergent(entry):
    """[(omega, iterations)] that reached TOLERANCE in plain loops, from x = 0."""
    jacobi = entry.get("jacobi", {})
    rho = jacobi.get("rho(D^-1 M)")
    pairs = [(1.0, jacobi.get("iters_omega_1")), (1.0 / rho if rho else 0, jacobi.get("iters_omega_1/rho"))]
    return [(omega, count) for omega, count in pairs if isinstance(count, int)]


def solutions(entry):
    """Every solution known."""
    found = list(entry.get("basic_solutions", []))
    for values in (entry.get("z"), entry.get("solution", {}).get("z")):
        if isinstance(values, list):
            found.append(values)
    return found


def distance(x, known):
    """Of x to the nearest known solution or, the solutions of a monotone problem being convex, to the nearest segment
    between two of them; the largest element counts."""
    nearest = min((deviation(x, z) for z in known), default=float("inf"))
    for a, b in itertools.combinations(known, 2):
        along = [q - p for p, q in zip(a, b)]
        squared = sum(d * d for d in along)
        share = sum((v - p) * d for v, p, d in zip(x, a, along)) / squared if squared else 0
        share = min(1, max(0, share))
        nearest = min(nearest, deviation(x, [p + share * d for p, d in zip(a, along)]))
    return nearest


def solve(lac, target, stem, omega, folder, *more):
    """(exit status, iterations, relative residual, x, messages)"""
    q = array(f"{stem}_q.mtx")
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "x.mtx"
        status, printed, messages = lac_run(lac, CONTACT, target, f"A={stem}_M.mtx", f"b={stem}_q.mtx",
                                            f"omega={omega!r}", f"tol={TOLERANCE}", *more, "-o", f"x={out}")
        x = array(out) if status == 0 else []
    scale = max(1.0, max(abs(value) for value in q))
    return status, number(printed, "iterations"), number(printed, "residual") / scale, x, messages


def check(checks, lac, folder, path, entry):
    stem = str(folder / path).removesuffix("_M.mtx")
    name = Path(stem).name
    known = solutions(entry)
    for omega, count in convergent(entry):
        for target in TARGETS:
            status, iterations, residual, x, messages = solve(lac, target, stem, omega, folder)
            print(f"{name} omega {omega:.4f} {target}: {iterations:g} iterations (plain loop {count}), {residual:.1e}")
            where = f"{name} with omega {omega:.4f} on {target}"
            checks.that(status == 0, f"{where}: exit status {status}\n{messages}")
            checks.that(residual <= TOLERANCE * (1 + 1e-3), f"{where}: residual {residual:.3e}")
            checks.that(abs(iterations - count) <= 1, f"{where}: {iterations:g} iterations instead of {count}")
            scale = max((abs(value) for z in known for value in z), default=1.0)
            best = distance(x, known)
            checks.that(best <= ACCURACY * scale, f"{where}: x is off by {best:.2e} of {scale:.2e}")


def check_warm_start(checks, lac, folder):
    """From its own solution the iteration stops at once."""
    stem = str(folder / "lcp/contact/FrictionContactProblem00071")
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "start.mtx"
        lac_run(lac, CONTACT, "cpu", f"A={stem}_M.mtx", f"b={stem}_q.mtx", "omega=0.46", "-o", f"x={out}")
        _, iterations, _, _, messages = solve(lac, "cpu", stem, 0.46, folder, f"x0={out}")
    checks.that(iterations == 0, f"warm start: {iterations:g} iterations instead of none\n{messages}")


def main():
    folder = data_folder()
    checks = Checks()
    for path, entry in reference(folder).items():
        if path.startswith("lcp/") and convergent(entry) and solutions(entry):
            check(checks, sys.argv[1], folder, path, entry)
    check_warm_start(checks, sys.argv[1], folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
