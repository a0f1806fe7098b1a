"""A worker of peers.py: peer_cg.py PEER SIDE ITERATIONS. peers.py says what goes through the pipes.

Each peer is a function of (side, iterations, b) that gives (what it is, the solver): the solver runs exactly
`iterations` trips of conjugate gradients from x = 0 in single precision, and returns x once all of it is there.
"""
import os
import sys
import time


def scipy_matrix(side):
    import numpy as np
    from scipy import sparse

    line = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(side, side), dtype=np.float32)
    unit = sparse.identity(side, dtype=np.float32)
    return sparse.dia_matrix(sparse.kron(unit, line) + sparse.kron(line, unit))


def scipy_plain(side, iterations, b):
    """As one writes it."""
    import numpy as np
    import scipy

    matrix = scipy_matrix(side)

    def solve():
        x = np.zeros_like(b)
        r = b.copy()
        p = r.copy()
        rho = r @ r
        for _ in range(iterations):
            q = matrix @ p
            alpha = rho / (p @ q)
            x += alpha * p
            r -= alpha * q
            rho, before = r @ r, rho
            p = r + (rho / before) * p
        return x

    return f"SciPy {scipy.__version__}", solve


def scipy_axpy(side, iterations, b):
    """All updates in place, by BLAS: only the product allocates."""
    import numpy as np
    import scipy
    from scipy.linalg.blas import saxpy

    matrix = scipy_matrix(side)

    def solve():
        x = np.zeros_like(b)
        r = b.copy()
        p = r.copy()
        rho = r @ r
        for _ in range(iterations):
            q = matrix @ p
            alpha = rho / (p @ q)
            saxpy(p, x, a=alpha)
            saxpy(q, r, a=-alpha)
            rho, before = r @ r, rho
            p *= rho / before
            p += r
        return x

    return f"SciPy {scipy.__version__}", solve


def scipy_cg(side, iterations, b):
    import scipy
    from scipy.sparse.linalg import cg

    matrix = scipy_matrix(side)
    return f"SciPy {scipy.__version__}", lambda: cg(matrix, b, rtol=0, atol=0, maxiter=iterations)[0]


def jax_forms(side):
    """Ways to write the stencil; XLA makes different loops of them."""
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    weights = np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]], np.float32)[None, None]

    def slices(p):
        w = jnp.pad(p, 1)
        return 4 * p - w[:-2, 1:-1] - w[2:, 1:-1] - w[1:-1, :-2] - w[1:-1, 2:]

    def shifts(p):
        def shifted(down, right):
            return lax.pad(p, np.float32(0), [(down, -down, 0), (right, -right, 0)])

        return 4 * p - shifted(1, 0) - shifted(-1, 0) - shifted(0, 1) - shifted(0, -1)

    def rolls(p):
        def rolled(step, axis):
            edge = 0 if step > 0 else side - 1
            inside = (jnp.arange(side) != edge)[:, None] if axis == 0 else jnp.arange(side) != edge
            return jnp.where(inside, jnp.roll(p, step, axis), 0)

        return 4 * p - rolled(1, 0) - rolled(-1, 0) - rolled(1, 1) - rolled(-1, 1)

    def convolution(p):
        return lax.conv(p[None, None], weights, (1, 1), "SAME")[0, 0]

    # XLA's convolution on processors crashes at 4096 on some of them, and was never the quickest.
    return (slices, shifts, rolls, convolution) if side <= 2048 else (slices, shifts, rolls)


def jax(side, iterations, b):
    # Newer versions ignore both flags; the one core that peers.py leaves does what they say.
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp

    def solver(product):
        @jax.jit
        def cg(b):
            def trip(_, state):
                x, r, p, rho = state
                q = product(p)
                alpha = rho / jnp.vdot(p, q)
                x = x + alpha * p
                r = r - alpha * q
                after = jnp.vdot(r, r)
                return x, r, r + (after / rho) * p, after

            return jax.lax.fori_loop(0, iterations, trip, (jnp.zeros_like(b), b, b, jnp.vdot(b, b)))[0]

        return lambda: cg(grid).block_until_ready()

    grid = jnp.asarray(b.reshape(side, side))
    solvers = {form.__name__: solver(form) for form in jax_forms(side)}
    best = dict.fromkeys(solvers, float("inf"))
    for trial in range(4):
        for name, solve in solvers.items():
            elapsed, _ = timed(solve)
            if trial > 0:
                best[name] = min(best[name], elapsed)
    winner = min(best, key=best.get)
    figures = ", ".join(f"{name} {1e3 * value / iterations:.3g}" for name, value in best.items())
    return f"JAX {jax.__version__}, {winner}; ms by form of the stencil: {figures}", solvers[winner]


def numpy(side, iterations, b):
    """On flat arrays: row by row NumPy copies what it shifts, which took two to nine times as long."""
    import numpy as np

    def solve():
        x = np.zeros_like(b)
        r = b.copy()
        p = r.copy()
        q, scratch = np.empty_like(b), np.empty_like(b)
        grid, product = p.reshape(side, side), q.reshape(side, side)
        rho = r @ r
        for _ in range(iterations):
            np.multiply(p, np.float32(4), out=q)
            q[side:] -= p[:-side]
            q[:-side] -= p[side:]
            q[1:] -= p[:-1]
            q[:-1] -= p[1:]
            product[1:, 0] += grid[:-1, -1]  # the ends of two rows are no neighbours
            product[:-1, -1] += grid[1:, 0]
            alpha = rho / (p @ q)
            x += np.multiply(p, alpha, out=scratch)
            r -= np.multiply(q, alpha, out=scratch)
            rho, before = r @ r, rho
            p *= rho / before
            p += r
        return x

    return f"NumPy {np.__version__}", solve


def numba(side, iterations, b):
    """Three loops a trip, fused by hand: 11 words an unknown. Over slices of rows, which LLVM makes vectors of."""
    import numba
    import numpy as np

    @numba.njit(fastmath=True)
    def multiply(p, q):  # p has a frame of zeros
        total = 0.0
        for i in range(side):
            above, left, here, right, below = p[i, 1:-1], p[i + 1, :-2], p[i + 1, 1:-1], p[i + 1, 2:], p[i + 2, 1:-1]
            row = q[i]
            part = np.float32(0)
            for j in range(row.size):
                row[j] = np.float32(4) * here[j] - above[j] - below[j] - left[j] - right[j]
                part += row[j] * here[j]
            total += part
        return total

    @numba.njit(fastmath=True)
    def advance(x, r, p, q, alpha):
        total = 0.0
        for i in range(side):
            x_row, r_row, p_row, q_row = x[i], r[i], p[i + 1, 1:-1], q[i]
            part = np.float32(0)
            for j in range(x_row.size):
                x_row[j] += alpha * p_row[j]
                r_row[j] -= alpha * q_row[j]
                part += r_row[j] * r_row[j]
            total += part
        return total

    @numba.njit(fastmath=True)
    def turn(p, r, beta):
        for i in range(side):
            p_row, r_row = p[i + 1, 1:-1], r[i]
            for j in range(r_row.size):
                p_row[j] = r_row[j] + beta * p_row[j]

    def solve():
        x = np.zeros((side, side), np.float32)
        r = b.reshape(side, side).copy()
        p = np.zeros((side + 2, side + 2), np.float32)
        p[1:-1, 1:-1] = r
        q = np.empty_like(x)
        rho = float(b @ b)
        for _ in range(iterations):
            alpha = rho / multiply(p, q)
            rho, before = advance(x, r, p, q, np.float32(alpha)), rho
            turn(p, r, np.float32(rho / before))
        return x

    return f"numba {numba.__version__}", solve


PEERS = {peer.__name__: peer for peer in (scipy_plain, scipy_axpy, scipy_cg, jax, numpy, numba)}


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main():
    peer, side, iterations = PEERS[sys.argv[1]], int(sys.argv[2]), int(sys.argv[3])
    requests, answers = sys.stdin.buffer, sys.stdout.buffer

    def answer(data):
        answers.write(data)
        answers.flush()

    raw = requests.read(4 * side * side)
    try:
        import numpy as np

        about, solve = peer(side, iterations, np.frombuffer(raw, np.float32))
    except ImportError as missing:
        answer(f"absent {missing}\n".encode())
        return
    x = solve()
    answer(f"ready {about}\n".encode())
    for request in requests:
        if request == b"run\n":
            seconds, x = timed(solve)
            answer(f"{seconds!r}\n".encode())
        else:
            answer(np.asarray(x).tobytes())


if __name__ == "__main__":
    main()
