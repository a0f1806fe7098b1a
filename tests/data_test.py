#!/usr/bin/env python3
"""samples/solve.la and samples/contact.la on the data of a folder, against its reference.json.

usage: data_test.py LAC REPOSITORY      exits 77 when there is no data folder ($LAC_DATA_DIR, else ../shared/data)

A textbook count must be met to +-1; where rounding decides the count (ill-conditioned matrices) to 1.05 times it + 3.
The true residual, computed by the program in double, must be at most 1e-9: 2e-10 with a factor 5 for the rounding of
b - A*x on the worst of these matrices.

A complementarity problem (SPD: one solution) with a convergent damping must have the solution's norm, sum and maximum, and,
where it is listed, the solution itself, to 1e-6 of the norm.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SKIP = 77
EXACT = ("gr_30_30", "mesh1e1", "pts5ldd03", "fasp-fd", "ginkgo-cg19", "petsc")
ROUNDING = ("bcsstk01", "494_bus", "1138_bus", "lund_a")
MOST_RESIDUAL = 1e-9


def data_folder(repository):
    given = os.environ.get("LAC_DATA_DIR")
    folder = Path(given) if given else Path(repository).resolve().parent / "shared" / "data"
    return folder if (folder / "reference.json").is_file() else None


def allowed(name, textbook):
    """(fewest, most) iterations, or None for a matrix that is not part of the test."""
    if any(part in name for part in EXACT):
        return textbook - 1, textbook + 1
    if any(part in name for part in ROUNDING):
        return 0, 1.05 * textbook + 3
    return None


def solve(lac, repository, path):
    done = subprocess.run([lac, "run", "--print=none", str(Path(repository, "samples", "solve.la")), f"A={path}"],
                          capture_output=True, text=True, timeout=300)
    found = re.search(r"iterations\s+(\d+)\s+residual\s+(\S+)", done.stdout)
    if done.returncode != 0 or not found:
        return None, done.stdout + done.stderr
    return (int(found.group(1)), float(found.group(2))), ""


def check_solve(lac, repository, folder, name, entry):
    """None when the matrix is not part of the test, else (good, text)."""
    textbook = entry.get("cg", {}).get("iterations_textbook")
    limits = allowed(name, textbook) if textbook is not None else None
    if not limits:
        return None
    result, text = solve(lac, repository, folder / name)
    good = bool(result) and limits[0] <= result[0] <= limits[1] and result[1] <= MOST_RESIDUAL
    return good, f"textbook {textbook}, {result or text}"


def read_vector(path):
    """The values of a dense n x 1 Matrix Market file."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    return [float(line) for line in lines[1:]]


def check_contact(lac, repository, folder, name, entry):
    solution, jacobi = entry.get("solution"), entry.get("jacobi", {})
    unique = entry.get("class") == "SPD"
    if not solution or not unique or not isinstance(jacobi.get("iters_omega_1/rho"), int):
        return None
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, "x.mtx")
        done = subprocess.run([lac, "run", "--print=none", str(Path(repository, "samples", "contact.la")),
                               f"A={folder / name}", f"b={folder / name.replace('_M.mtx', '_q.mtx')}",
                               f"omega={1 / jacobi['rho(D^-1 M)']!r}", "-o", f"x={target}"],
                              capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            return False, done.stdout + done.stderr
        x = read_vector(target)
    norm = sum(value * value for value in x) ** 0.5
    worst = max(abs(norm - solution["norm2_z"]), abs(max(x) - solution["max_z"]),
                abs(sum(x) - solution["sum_z"]) / len(x) ** 0.5,
                *(abs(a - b) for a, b in zip(x, entry.get("z", x))))
    return worst <= 1e-6 * max(solution["norm2_z"], 1e-300), f"differs by {worst:.1e}, norm {norm:.6g}"


def main():
    lac, repository = sys.argv[1], sys.argv[2]
    folder = data_folder(repository)
    if not folder:
        print("SKIPPED: no data folder (LAC_DATA_DIR)")
        return SKIP
    reference = json.loads((folder / "reference.json").read_text())
    count = failures = 0
    for name, entry in sorted(reference.items()):
        if not isinstance(entry, dict):
            continue
        checked = (check_contact if name.startswith("lcp/") else check_solve)(lac, repository, folder, name, entry)
        if not checked:
            continue
        good, text = checked
        count += 1
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}: {text}")
    print(f"{count} files, {failures} failed")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
