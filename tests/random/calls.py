"""Built-in functions in random expressions: tables of makers.

A maker takes (generator, rows, cols, depth) and gives (text, bound), or None where it cannot have that shape.
"""
from expressions import ONE, Dim, Generator, applied, column, one


def known(*dims):
    return all(d.value is not None for d in dims)


def dim(value):
    return Dim(str(value), value)


def is_scalar(rows, cols):
    return rows.same(ONE) and cols.same(ONE)


def is_vector(rows, cols, least=2):
    """A row or column with a known number of elements; one of them is not both."""
    return known(rows, cols) and (rows.value == 1) != (cols.value == 1) and rows.value * cols.value >= least


def vector_dims(rows, length):
    """Of a vector that lies as one with these rows does."""
    return (ONE, dim(length)) if rows.value == 1 else (dim(length), ONE)


# ---- the same elements, or some of them, elsewhere: for every kind ----

def turned(kind):
    def make(g, rows, cols, depth):
        swap = g.chance(0.3)
        text, bound = g.expression(kind, *((cols, rows) if swap else (rows, cols)), depth)
        k = g.random.randint(-3, 5)
        axis = g.pick([1, 2])
        straight = [f"circshift({text}, {k}, {axis})", f"flip({text}, {axis})", f"rot90({text}, {2 * k})"]
        if known(rows, cols):  # the first dimension that is not 1 is known then
            straight += [f"circshift({text}, {k})", f"flip({text})"]
        swapped = [f"rot90({text}, {2 * k + 1})", f"permute({text}, [2 1])", f"transpose({text})", f"({text}).'"]
        return g.pick(swapped if swap else straight), bound
    return make


def ordered(kind):
    def make(g, rows, cols, depth):
        text, bound = g.expression(kind, rows, cols, depth)
        mode = g.pick(["", ', "ascend"', ', "descend"'])
        axis = g.pick(["", ", 1", ", 2"] if known(rows, cols) else [", 1", ", 2"])
        return f"sort({text}{axis}{mode})", bound
    return make


def merged(kind):
    """A mask with several elements takes numbers of one class alone; with one, the class of the result is that of the
    chosen value in Octave, and one for both here: no logical value stands beside a number."""
    def make(g, rows, cols, depth):
        whole, single, zero = (rows, cols), (ONE, ONE), "" if kind == "logical" else "0 + "
        mask_shape, first, second = single, whole, whole
        if kind != "logical" and not is_scalar(rows, cols) and g.chance(0.6):
            mask_shape = whole
            first, second = g.pick([(whole, whole), (whole, single), (single, whole), (single, single)])
        mask, _ = g.expression("logical", *mask_shape, depth)
        a, x = g.expression(kind, *first, depth)
        b, y = g.expression(kind, *second, depth)
        if zero and kind == "real" and g.single:
            a, b = f"single({a})", f"single({b})"
        return f"merge({mask}, {zero}{a}, {zero}{b})", max(x, y)
    return make


def joined(kind):
    def make(g, rows, cols, depth):
        axis = g.pick([1, 2])
        whole, other = (rows, cols) if axis == 1 else (cols, rows)
        if not known(whole) or whole.value < 2:
            return None
        at = g.random.randint(1, whole.value - 1)
        shapes = [((dim(n), other) if axis == 1 else (other, dim(n))) for n in (at, whole.value - at)]
        (a, x), (b, y) = (g.expression(kind, r, c, depth) for r, c in shapes)
        return f"{g.pick([f'cat({axis}, ', ['vertcat(', 'horzcat('][axis - 1]])}{a}, {b})", max(x, y)
    return make


def picked(kind):
    """Rows and columns of a matrix that has no name."""
    def make(g, rows, cols, depth):
        if not known(rows, cols):
            return None
        r, c = dim(rows.value + g.random.randint(0, 3)), dim(cols.value + g.random.randint(0, 3))
        if not (r.value and c.value):
            return None
        text, bound = g.expression(kind, r, c, depth)
        if text.isidentifier():  # Octave reads (pi)(1, 2) as a call
            return None
        return f"({text})({g.part(r.value, rows.value)}, {g.part(c.value, cols.value)})", bound
    return make


def diagonal(kind):
    def make(g, rows, cols, depth):
        if known(rows, cols) and rows.value == cols.value and rows.value > 1:
            text, bound = g.expression(kind, *g.pick([(rows, ONE), (ONE, rows)]), depth)
            return f"full(diag({text}))", bound
        if known(rows, cols) and cols.value == 1 and rows.value > 1:
            text, bound = g.expression(kind, rows, dim(rows.value + g.random.randint(0, 2)), depth)
            return f"diag({text})", bound
        return None
    return make


# ---- exact ----

def kronecker(g, rows, cols, depth):
    if not (known(rows, cols) and rows.value and cols.value):
        return None
    m = g.pick([d for d in range(1, rows.value + 1) if rows.value % d == 0])
    n = g.pick([d for d in range(1, cols.value + 1) if cols.value % d == 0])
    a, x = g.expression("exact", dim(m), dim(n), depth)
    b, y = g.expression("exact", dim(rows.value // m), dim(cols.value // n), depth)
    return f"kron({a}, {b})", x * y


def convolved(g, rows, cols, depth):
    if is_vector(rows, cols):
        n = rows.value * cols.value
        m = g.random.randint(1, n)
        a, x = g.expression("exact", *vector_dims(rows, m), depth)
        b, y = g.expression("exact", *vector_dims(rows, n - m + 1), depth)
        return f"conv({a}, {b})", x * y * n
    if known(rows, cols) and rows.value and cols.value:
        a, x = g.expression("exact", rows, cols, depth)
        b, y = g.expression("exact", dim(g.random.randint(1, 3)), dim(g.random.randint(1, 3)), 0)
        return f'conv2({a}, {b}, "same")', 9 * x * y
    return None


def filtered(g, rows, cols, depth):
    a, x = g.expression("exact", rows, cols, depth)
    weights = [g.random.randint(-3, 3) for _ in range(g.random.randint(1, 4))]
    if not (rows.at_least(1) and cols.at_least(1)):
        return None
    return f"filter({weights}, 1, {a}{g.pick(['', ', [], 1', ', [], 2'])})", 12 * x


def differences(g, rows, cols, depth):
    if not known(rows, cols):
        return None
    axis = g.pick([1, 2])
    shape = (dim(rows.value + 1), cols) if axis == 1 else (rows, dim(cols.value + 1))
    text, x = g.expression("exact", *shape, depth)
    return f"diff({text}, 1, {axis})", 2 * x


def accumulated(g, rows, cols, depth):
    if not (known(rows) and rows.value and cols.same(ONE)):
        return None
    n = g.random.randint(1, 9)
    at = "; ".join(str(g.random.randint(1, rows.value)) for _ in range(n))
    text, x = g.expression("exact", *g.pick([(dim(n), ONE), (ONE, ONE)]), depth)
    return f"accumarray([{at}], {text}, [{rows.text}, 1])", n * x


def counts(g, rows, cols, depth):
    if not (is_vector(rows, cols) and rows.value == 1):
        return None
    edges = f"(0:{cols.value - 1}) * {g.random.randint(1, 3)} - {g.random.randint(0, 9)}"
    text, _ = g.expression("exact", ONE, dim(g.random.randint(2, 20)), depth)
    return f"histc(0 + {text}, {edges})", 40  # of logical values Octave looks nothing up


def polynomial(g, rows, cols, depth):
    p = [g.random.randint(-2, 2) for _ in range(g.random.randint(1, 4))]
    text, x = g.expression("exact", rows, cols, depth)
    return f"polyval({p}, 0 + {text})", 8 * max(1, x)**3


def cubed(g, rows, cols, depth):
    text, x = g.expression("exact", rows, cols, depth)
    return (f"(mod({text}, 97) .^ 3)", 97.0**3) if x > 100 else (f"(({text}) .^ 3)", x**3)


def range_of(g, rows, cols, _):
    if not (rows.same(ONE) and known(cols) and cols.value):
        return None
    first, n = g.random.randint(-9, 9), cols.value - 1
    step = g.pick([1, 2, -1, 0.5, -3])
    return f"({first}:{step}:{first + step * n:g})", 9 + 3 * n


def special(g, rows, cols, _):
    """Matrices by name."""
    if not (known(rows, cols) and rows.value == cols.value and 1 <= rows.value <= 20):
        return None
    n, few = rows.value, min(rows.value, 9)
    at = f"mod(1:{n}, {few}) + 1"
    return g.pick([(f"magic({n})", n * n), (f"toeplitz(1:{n})", n), (f"toeplitz((1:{n})', {n}:-1:1)", n),
                   (f"full(speye({n}))", 1), (f"vander(1:{few})({at}, {at})", 1e9)])


def each(g, rows, cols, depth):
    """A function on every element, and operators by name."""
    text, x = g.expression("exact", rows, cols, depth)
    (r1, c1), (r2, c2) = g.operand_shapes(rows, cols)
    a, y = g.expression("exact", r1, c1, depth)
    b, z = g.expression("exact", r2, c2, depth)
    name = g.pick(["plus", "minus", "max", "min"])
    return g.pick([(f"arrayfun(@(t) mod(t * {g.random.randint(2, 5)} + 1, 7), 0 + {text})", 7),
                   (f"bsxfun(@{name}, 0 + {a}, {b})", y + z), (f"feval(@{name}, 0 + {a}, {b})", y + z)])


def statistic(names, kind, growth):
    return lambda g, r, c, d: g.reduced(names, kind, r, c, d, growth, empty=False)


def number(g, rows, cols, depth):
    """Scalars of matrices."""
    if not is_scalar(rows, cols):
        return None
    r, c = g.dim(), g.dim()
    a, x = g.expression("exact", r, c, depth)
    b, y = g.expression("exact", r, c, depth)
    m, _ = g.expression("logical", r, c, depth)
    size = 1600 * max(1, x)
    return g.pick([(f"dot(0 + {column(a)}, 0 + {column(b)})", size * max(1, y)), (f"numel(unique({a}))", 1600),
                   (f"sum(unique({a}))", size), (f"nnz({a})", 1600), (f"sum(find({m}))", 1.3e6),
                   (f"sum(({a})({m}))", size), (f"rows({column(a)})", 1600),
                   (f"max([0; {column(a)}])", x), (f"sumsq({column(a)})", size * max(1, x)), (f"numel(num2str(numel({m})))", 5),
                   (f"ndims({a})", 2),
                   (f"norm(0 + {a}, 1)", size), (f"norm(0 + {a}, Inf)", size),  # logical matrices have no norm
                   (f"columns(({a})(:, any({m}, 1)))", 40), (f"rows(({a})(all({m}, 2), :))", 40)])


# ---- truth ----

def quotient(g, rows, cols, depth):
    """x ./ 0 and 0 ./ 0 are exact, as every quotient of two exact numbers is. The sign of a zero is not: sums and
    products in another order give another one; + 0 takes it away."""
    (r1, c1), (r2, c2) = g.operand_shapes(rows, cols)
    a, _ = g.expression("exact", r1, c1, depth)
    b, _ = g.expression("exact", r2, c2, depth)
    b = f"({b} + 0)"
    return g.pick([f"isnan({a} ./ {b})", f"isinf({a} ./ {b})", f"isfinite({a} ./ {b})",
                   f"({a} ./ {b} {g.pick(['<', '>=', '==', '!='])} {g.random.randint(-1, 1)})"]), 1


def question(g, rows, cols, depth):
    if not is_scalar(rows, cols):
        return None
    r, c = g.dim(), g.dim()
    a, _ = g.expression("exact", r, c, depth)
    b, _ = g.expression("exact", r, c, depth)
    m, _ = g.expression("logical", r, c, depth)
    return g.pick([f"isequal({a}, {b})", f"isequal({a}, {a})", f"isempty({a})", f"isvector({a})", f"isrow({a})",
                   f"issquare({a})", f"issymmetric({a})", f"istriu({a})", f"isdiag({a})", f"islogical({m})",
                   f"any({column(m)})", f"all(all({m}))", f"isempty(find({m}, 1))", f'strcmp(num2str(nnz({m})), "3")']), 1


# ---- real ----

def clamped(g, rows, cols, depth):
    (r1, c1), (r2, c2) = g.operand_shapes(rows, cols)
    a, _ = g.expression("exact", r1, c1, depth)
    b, _ = g.expression("exact", r2, c2, depth)
    return f"max(min({a} ./ ({b} + 0), 9), -9)", 9


def interpolated(g, rows, cols, depth):
    n = g.random.randint(2, 9)
    y, bound = g.expression("exact", *g.pick([(ONE, dim(n)), (dim(n), ONE)]), depth)
    y = f"0 + {y}"  # Octave puts its NaN into a logical y, and fails
    q, _ = g.expression("exact", rows, cols, depth)
    if not is_vector(rows, cols) and not (rows.at_least(2) and cols.at_least(2)):
        return None
    inside, beyond = f"1 + mod(0 + {q}, {n - 1})", f"mod(0 + {q}, {n + 2})"
    method = g.pick(['"linear"', '"nearest"'])
    return g.pick([(f"interp1(1:{n}, {y}, {inside})", bound), (f"interp1(1:{n}, {y}, {inside}, {method})", bound),
                   (f"interp1(1:{n}, {y}, {beyond}, {method}, 0)", bound),
                   (f'interp1(1:{n}, {y}, {beyond}, "linear", "extrap")', 4 * bound)])


def dominant(g, rows, depth):
    """A well-conditioned square matrix."""
    n = rows.text
    text, _ = g.expression("real", rows, rows, min(depth, 1))
    return g.pick([f"({n}*4*eye({n}) + tanh({text}))", f"(tanh({text}) * tanh({text})' + {n}*eye({n}))",
                   f"tril({n}*4*eye({n}) + tanh({text}))", f"triu({n}*4*eye({n}) + tanh({text}))"])


def system(g, rows, cols, depth):
    if not (rows.at_least(1) and rows.value <= 20):
        return None
    a = dominant(g, rows, depth)
    b, y = g.expression("real", rows, cols, depth)
    t, z = g.expression("real", cols, rows, depth)
    forms = [(f"({a} \\ {b})", y), (f"({t} / {a})'", z), (f"(inv({a}) * {b})", y), (f"(pinv({a}) * {b})", y)]
    return g.pick(forms[:3] if rows.value > 8 else forms)


def factored(g, rows, cols, depth):
    if not (rows.at_least(1) and rows.value <= 8):
        return None
    a = dominant(g, rows, depth)
    n = rows.value
    if known(cols) and rows.value == cols.value:
        return g.pick([(f"expm({a} / {20 * n})", 9), (f"inv({a})", 1), (f"abs(qr({a}))", 99) if n > 1 else ("0.25", 1),
                       (f"chol({a} * {a}')", 99), (f"(({a} / {8 * n})^{g.random.randint(0, 3)})", 9)])
    if cols.same(ONE):
        return g.pick([(f"svd({a})", 99), (f"eig({a} + {a}')", 199)])
    return None


def measure(g, rows, cols, depth):
    if not is_scalar(rows, cols):
        return None
    r, c = g.dim(), g.dim()
    a, x = g.expression("real", r, c, depth)
    n = dim(g.random.randint(1, 5))
    m = dominant(g, n, depth)
    size = 1600 * max(1, x)
    flat, whole = f"0 + {column(a)}", f"0 + {a}"
    return g.pick([(f"norm({flat})", size), (f'norm({whole}, "fro")', size), (f"norm({whole}, 1)", size),
                   (f"norm({flat}, 3)", size),
                   (f"log(abs(det({m})))", 99), (f"cond({m})", 1e3), (f"norm({m})", 1e3), (f"trace({m})", 1e3),
                   (f"rank({m})", 5), (f"trapz({column(a)})", size)])


def spaced(g, rows, cols, _):
    if not (rows.same(ONE) and known(cols) and cols.value >= 2):
        return None
    n = cols.value
    return g.pick([(f"linspace({g.random.randint(-3, 0)}, {g.random.randint(1, 5)}, {n})", 5),
                   (f"(0:0.1:{0.1 * (n - 1):.1f})", 4), (f"logspace(-1, 1, {n})", 10),
                   (f"cumsum(0.1 * ones(1, {n}))", 4)])


def smoothed(g, rows, cols, depth):
    if not (rows.at_least(1) and cols.at_least(1)):
        return None
    a, x = g.expression("real", rows, cols, depth)
    return f"filter([0.5, {g.pick(['0.25', '-1'])}], [1, {g.pick(['-0.5', '0.3'])}], {a})", 4 * x


every_kind = [turned, turned, ordered, merged, joined, picked]

logical_calls = [make("logical") for make in every_kind] + [quotient, quotient, question]

exact_calls = [make("exact") for make in every_kind + [diagonal]] + [
    kronecker, convolved, filtered, differences, accumulated, counts, polynomial, range_of, special, each,
    number, number,
    applied("cummax(#, 1)", "exact"),
    applied("cummin(#, 2)", "exact"),
    applied("cumprod(sign(#), 1)", "exact", one),
    applied("(2 .^ mod(0 + #, 7))", "exact", lambda x: 128),
    cubed,
    statistic(["median"], "exact", lambda x, n: x),
    statistic(["range"], "exact", lambda x, n: 2 * x),
    lambda g, r, c, d: g.reduced(["sumsq"], "exact", r, c, d, lambda x, n: x * x * n),
    lambda g, r, c, d: g.reduced(["sum"], "logical", r, c, d, lambda x, n: n),
]

real_calls = [make("real") for make in every_kind + [diagonal]] + [
    clamped, interpolated, system, factored, measure, spaced, smoothed,
    statistic(["var", "std"], "real", lambda x, n: x * x),
    statistic(["mean"], "exact", lambda x, n: x),
    applied("cbrt(#)", "exact"),
    applied("nthroot(#, 3)", "exact"),
    applied("log1p(abs(#))", "real"),
    applied("expm1(-abs(#))", "real", one),
    applied("erf(#)", "real", one),
    applied("gamma(1 + abs(tanh(#)))", "real", one),
    applied("lgamma(1 + abs(#))", "exact", lambda x: x * x + 1),
    applied("asin(0.9 * tanh(#))", "real", lambda x: 2),
    applied("acos(0.9 * tanh(#))", "real", lambda x: 4),
    applied("acosh(1.5 + abs(#))", "real"),
    applied("asinh(#)", "real"),
    applied("sinh(tanh(#))", "real", lambda x: 2),
    applied("atan(#)", "real", lambda x: 2),
    applied("log2(1 + abs(#))", "real"),
    applied("log10(1 + abs(#))", "real"),
]

Generator.logical_makers += logical_calls
Generator.exact_makers += exact_calls
Generator.real_makers += real_calls
