#!/usr/bin/env python3
"""Conjugate gradients on the SIDE x SIDE five-point Poisson matrix, single precision, one core: lac against its peers.

usage: peers.py WORKER [SIDE [ITERATIONS [ROUNDS]]]      default: 1024 40 9; WORKER: the program bench_cg_worker

Every peer lives in a process of its own, all on the same core, and in each round each of them solves once, in turns:
from b in memory to x, ITERATIONS trips. Compiling and making the matrix are not counted. Figures are medians over the
rounds; ratios are taken within a round. Fails where a residual is not the one that double precision gives after as many
trips.

A worker gets b as SIDE*SIDE floats on standard input and answers "ready WHAT" or "absent WHY" once it has run once.
Then "run" is answered by seconds and "solution" by x, as raw floats. The end of its input ends it.
"""
import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

# The least that moves in a trip: tests/kernels_test.py counts lac's words, and a = b + s*c has three.
WORDS_OF_LAC, WORDS_OF_TRIAD = 8, 3
SAME = 1e-3  # how far a residual may be from that in double precision, relatively
PYTHON_PEERS = Path(__file__).with_name("peer_cg.py")
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # lac and NumPy ask for large pages themselves, XLA does not


class Peer:
    def __init__(self, name, command, environment, b, iterations):
        self.name, self.seconds, self.error = name, [], 0.0
        side = b.shape[0]
        self.process = subprocess.Popen([*command, str(side), str(iterations)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env={**os.environ, **environment})
        self.size = b.nbytes
        try:
            self.ask(b.tobytes())
            self.state, _, self.about = self.line().partition(" ")
        except (BrokenPipeError, EOFError):
            self.state, self.about = "absent", f"its process ended with status {self.process.wait()}"

    def ask(self, request):
        self.process.stdin.write(request)
        self.process.stdin.flush()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(f"{self.name} ended")
        return line.decode().strip()

    def run(self):
        self.ask(b"run\n")
        self.seconds.append(float(self.line()))

    def solution(self, shape):
        self.ask(b"solution\n")
        return np.frombuffer(self.process.stdout.read(self.size), np.float32).reshape(shape)

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:  # it has ended
            pass
        self.process.wait()


def multiply(x):
    product = 4 * x
    product[1:] -= x[:-1]
    product[:-1] -= x[1:]
    product[:, 1:] -= x[:, :-1]
    product[:, :-1] -= x[:, 1:]
    return product


def residual(x, b):
    """|b - A*x| / |b|, in double precision."""
    return float(np.linalg.norm(b - multiply(x.astype(np.float64))) / np.linalg.norm(b.astype(np.float64)))


def reference(b, iterations):
    """What conjugate gradients in double precision leave of |b|."""
    x = np.zeros(b.shape)
    r = b.astype(np.float64)
    p = r.copy()
    rho = np.vdot(r, r)
    for _ in range(iterations):
        q = multiply(p)
        alpha = rho / np.vdot(p, q)
        x += alpha * p
        r -= alpha * q
        rho, before = np.vdot(r, r), rho
        p *= rho / before
        p += r
    return residual(x, b)


def start_all(worker, b, iterations):
    """The peers that are here, lac first, and the triad, which solves nothing."""
    python = [sys.executable, str(PYTHON_PEERS)]
    wanted = [
        ("lac", [worker, "lac"], {}),
        ("Eigen ConjugateGradient, CSR", [worker, "eigen"], {}),
        ("SciPy dia_matrix, x += alpha*p", [*python, "scipy_plain"], {}),
        ("SciPy dia_matrix, axpy", [*python, "scipy_axpy"], {}),
        ("scipy.sparse.linalg.cg", [*python, "scipy_cg"], {}),
        ("JAX, best form", [*python, "jax"], {}),
        ("JAX, best form, large pages", [*python, "jax"], LARGE_PAGES),
        ("NumPy, stencil in place", [*python, "numpy"], {}),
        ("numba, three fused loops", [*python, "numba"], {}),
        ("a = b + s*c", [worker, "triad"], {}),
    ]
    here = []
    for name, command, environment in wanted:
        peer = Peer(name, command, environment, b, iterations)
        print(f"{'absent: ' if peer.state == 'absent' else ''}{name}: {peer.about}", flush=True)
        if peer.state == "ready":
            here.append(peer)
        elif name in (wanted[0][0], wanted[-1][0]):
            sys.exit(f"nothing can be compared without {name}")
        else:
            peer.end()
    return here[:-1], here[-1]


def check_residuals(peers, b, iterations):
    """Sums of singles lose more the longer they are, so more is allowed beyond a million unknowns."""
    expected = reference(b, iterations)
    allowed = SAME * max(1, b.size / 2**20)
    print(f"residual in double precision: {expected:.6g} of |b|; allowed difference {allowed:.1e} of it", flush=True)
    for peer in peers:
        peer.error = abs(residual(peer.solution(b.shape), b) / expected - 1)
    wrong = [f"{peer.name} {peer.error:.1e}" for peer in peers if not peer.error < allowed]
    if wrong:
        sys.exit("too far from it: " + ", ".join(wrong))


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def report(peers, triad, iterations, unknowns):
    print(f"{'':32} {'ms/iteration':>12} {'least':>9} {'lac/peer':>9}   {'quartiles':13}   residual off by")
    for peer in [*peers, triad]:
        low, middle, high = quartiles([mine / its for mine, its in zip(peers[0].seconds, peer.seconds)])
        median, least = (1e3 * of(peer.seconds) / iterations for of in (statistics.median, min))
        error = "" if peer is triad else f"{peer.error:.0e}"
        print(f"{peer.name:32} {median:12.3f} {least:9.3f} {middle:9.3f}   {low:.3f} - {high:.3f}   {error}".rstrip())
    moved, most = (4e-9 * words * unknowns * iterations / statistics.median(peer.seconds)
                   for words, peer in ((WORDS_OF_LAC, peers[0]), (WORDS_OF_TRIAD, triad)))
    print(f"bandwidth: lac {moved:.1f} GB/s by {WORDS_OF_LAC} words an unknown and trip, a = b + s*c {most:.1f} GB/s: "
          f"{moved / most:.2f}")
    spreads = {peer.name: (high - low) / middle for peer in peers for low, middle, high in [quartiles(peer.seconds)]}
    widest = max(spreads, key=spreads.get)
    print(f"spread (between quartiles, of the median): lac {spreads['lac']:.1%}, most {spreads[widest]:.1%} ({widest})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker", type=lambda text: str(Path(text).resolve()))
    for name, value in (("side", 1024), ("iterations", 40), ("rounds", 9)):
        parser.add_argument(name, nargs="?", type=int, default=value)
    arguments = parser.parse_args()

    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})  # inherited by the workers
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    shape = (arguments.side, arguments.side)
    b = np.random.default_rng(1).uniform(-1, 1, shape).astype(np.float32)
    peers, triad = start_all(arguments.worker, b, arguments.iterations)
    check_residuals(peers, b, arguments.iterations)
    for _ in range(arguments.rounds):
        for peer in [*peers, triad]:
            peer.run()
    report(peers, triad, arguments.iterations, b.size)
    for peer in [*peers, triad]:
        peer.end()


if __name__ == "__main__":
    main()
