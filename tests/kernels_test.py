#!/usr/bin/env python3
"""What the solvers' loops become: how many launches touch n words per iteration, how many words they move, and that the
number of trips changes no resource. And that loops over elements, rows and columns copy no matrix
(tests/conformance/loops).

usage: kernels_test.py LAC
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SIZE = 64            # grid points in one direction
N = SIZE * SIZE
WORD = 8

OPERATOR = """
param maxit = 10
n = 64;
e = ones(n, 1);
T = spdiags([-e 2*e -e], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
b = A * (1 + sin((1:n^2)'));
"""

# The same matrix, of which nothing is known but its entries: 5 n of them, each with a column.
ENTRIES = "[i, j, v] = find(A); A = sparse(i, j, v, n^2, n^2); "

# name: (call, most kernels per iteration that touch n words, most words that they move per iteration in units of n:
# all of what they read and write, the matrix as well)
LOOPS = {
    "cg": ("x = cg(A, b, 0, maxit);", 2, 8),
    "cg with a handle": ("x = cg(@(p) A * p + 0.5 * p, b, 0, maxit);", 2, 8),
    "cg with written diagonals": ("T = spdiags(ones(n, 1) * [-1 2 -1], -1:1, n, n); "
                                  "A = kron(speye(n), T) + kron(T, speye(n)); x = cg(A, b, 0, maxit);", 2, 8),
    "cg with entries": (ENTRIES + "x = cg(A, b, 0, maxit);", 3, 11 + 8),
    "pcg": ("d = full(diag(A)); [x, flag] = pcg(A, b, 0, maxit, @(v) v ./ d);", 3, 11),
    "jacobi": ("x = jacobi(A, b, 0, maxit);", 1, 3),
    "projected_jacobi": ("x = projected_jacobi(A, -b, zeros(n^2, 1), 0.5, 0, maxit);", 1, 3),
    "wave": ("u = b; w = b; for k = 1:maxit, t = 2*u - w - 0.1*(A*u); w = u; u = t; end, x = u;", 1, 3),
}

# Three matrices that grow by 500, 500 and 40 move now and then.
MOVES_OF_GROWTH = {"growth_reads_itself": 40}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return done


def statistics(lac, program, trips):
    done = run(lac, "run", "--print=none", "--precision=double", "--stats=json", program, f"maxit={trips}")
    return json.loads(done.stderr.strip().splitlines()[-1])


def per_iteration(lac, program, trips):
    """(launches that touch n words, words that they move / n, resources created) of the loop, per trip."""
    stats = statistics(lac, program, trips)
    assert [loop["trips"] for loop in stats["loops"]] == [trips], stats["loops"]
    inside = [kernel for kernel in stats["kernels"] if kernel["loop"]]
    large = [k for k in inside if k["launches"] and (k["vector_bytes"] + k["matrix_bytes"]) / k["launches"] >= N * WORD]
    launches = sum(kernel["launches"] for kernel in large) / trips
    words = sum(kernel["vector_bytes"] + kernel["matrix_bytes"] for kernel in inside) / trips / N / WORD
    return launches, words, stats["memory"]["resources_created"]


def check_loop(lac, program, name, most_launches, most_words):
    problems = []
    launches, words, resources = per_iteration(lac, program, 10)
    _, _, more_resources = per_iteration(lac, program, 40)
    print(f"{name}: {launches:g} launches, {words:.2f} n words per iteration, {resources} resources")
    if launches > most_launches:
        problems.append(f"{name}: {launches:g} launches per iteration touch n words, more than {most_launches}")
    if words > 1.01 * most_words:
        problems.append(f"{name}: {words:.2f} n words per iteration, more than {most_words}")
    if resources != more_resources:
        problems.append(f"{name}: {resources} resources for 10 trips, {more_resources} for 40")
    return problems


def check_cg_kernels(lac, program):
    """One kernel makes p at its neighbours, x and p'q; the other r and r'r. There is no matrix, and q is not stored."""
    kernels = re.split(r"\n(?=kernel )", run(lac, "emit", "kernels", program).stdout)
    product = [k for k in kernels if "store p[i, j]" in k and "store x[i, j]" in k and "load r[i - 1, j]" in k]
    update = [k for k in kernels if "store r[i, j]" in k and "load p[i - 1, j]" in k and "reduce rho" in k]
    problems = []
    if len(product) != 1 or "reduce" not in product[0]:
        problems.append("cg: p, x and p'q are not one kernel")
    if not any("store x[i, j]" not in k for k in update):
        problems.append("cg: r and r'r are not one kernel")
    if any("diagonal(" in k or "contract" in k for k in kernels):
        problems.append("cg: a matrix is in memory")
    return problems


def check_without_retiming(lac, program):
    """All work in its trip takes a third kernel, and the same bits come out."""
    found = run(lac, "run", "--print=none", "--precision=double", "--stats=json", "--no-retime", program)
    kernels = [k for k in json.loads(found.stderr.strip().splitlines()[-1])["kernels"] if k["loop"] and k["kind"] == "main"]
    problems = [] if len(kernels) == 3 else [f"cg --no-retime: {len(kernels)} kernels in its loop instead of 3"]
    bits = [run(lac, "run", "-q", *words, program).stdout for words in ([], ["--no-retime"])]
    return problems + ([] if bits[0] == bits[1] else ["cg --no-retime prints other numbers"])


def copies_in_loops(lac, program):
    done = run(lac, "run", "--print=none", "--stats=json", program)
    kernels = json.loads(done.stderr.strip().splitlines()[-1])["kernels"]
    return sum(kernel["launches"] for kernel in kernels if kernel["kind"] == "copy" and kernel["loop"])


def check_element_loops(lac):
    problems = []
    for program in sorted((Path(__file__).parent / "conformance" / "loops").glob("*.la")):
        copies, most = copies_in_loops(lac, program), MOVES_OF_GROWTH.get(program.stem, 0)
        if copies > most:
            problems.append(f"{program.name}: {copies} copies of whole matrices in loops, more than {most}")
    return problems


def main():
    lac = sys.argv[1]
    problems = check_element_loops(lac)
    with tempfile.TemporaryDirectory() as scratch:
        for name, (call, launches, words) in LOOPS.items():
            program = Path(scratch) / "loop.la"
            program.write_text(f"{OPERATOR}{call}\noutput x\n")
            problems += check_loop(lac, program, name, launches, words)
        program.write_text(f"{OPERATOR}{LOOPS['cg'][0]}\nprintf('%.17g ', x);\noutput x\n")
        problems += check_cg_kernels(lac, program) + check_without_retiming(lac, program)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
