"""Sparse matrices in random expressions. Everything that is sparse is exact."""
from calls import dim, known
from expressions import ONE, Generator


def sparse_leaf(g, rows, cols, depth):
    found = [v for v in g.sparse if v.rows.same(rows) and v.cols.same(cols)]
    if found and g.chance(0.7):
        v = g.pick(found)
        return v.name, v.bound
    if known(rows, cols) and rows.value and cols.value and g.chance(0.4):
        n = g.random.randint(0, 6)
        i, j, v = ("[" + ", ".join(str(g.random.randint(1, top)) for _ in range(n)) + "]"
                   for top in (rows.value, cols.value, 9))
        return f"sparse({i}, {j}, {v}, {rows.text}, {cols.text})", 54
    if known(rows, cols) and rows.value == cols.value and rows.value > 1 and g.chance(0.4):
        n = rows.value
        column, x = g.expression("exact", rows, ONE, 0)
        return g.pick([(f"speye({n})", 1), (f"spdiags({column}, {g.random.randint(-2, 2)}, {n}, {n})", x)])
    text, x = g.expression("exact", rows, cols, min(depth, 1))
    return f"sparse({text})", x


def sparse_expression(g, rows, cols, depth):
    """(text, bound) of a sparse matrix."""
    if depth <= 0 or g.chance(0.2):
        return sparse_leaf(g, rows, cols, depth)
    a, x = sparse_expression(g, rows, cols, depth - 1)
    choice = g.random.randrange(13 if g.edges else 11)
    if choice in (1, 2) and max(rows.upper, cols.upper) <= 1:  # of 1x1 Octave stores a sum that is zero
        return a, x
    if choice == 0:
        b, y = sparse_expression(g, cols, rows, depth - 1)
        return f"{b}'", y
    if choice in (1, 2):
        b, y = sparse_expression(g, rows, cols, depth - 1)
        return f"({a} {g.pick(['+', '-'])} {b})", x + y
    if choice == 3:
        b, y = g.pick([sparse_expression(g, rows, cols, depth - 1), g.expression("exact", rows, cols, 1)])
        return f"({a} .* {b})", x * y
    if choice == 4 and x < 1e3:
        inner = g.dim()
        a, x = sparse_expression(g, rows, inner, depth - 1)
        b, y = sparse_expression(g, inner, cols, depth - 1)
        if max(rows.upper, cols.upper, inner.upper) > 1:  # 1x1 times a matrix is another product
            return f"({a} * {b})", x * y * 40
        return sparse_leaf(g, rows, cols, depth)
    if choice == 5:
        return f"({g.random.randint(-3, 3)} * {a})", 3 * x
    if choice == 6 and known(rows, cols) and rows.value and cols.value:
        big = dim(rows.value + g.random.randint(0, 3)), dim(cols.value + g.random.randint(0, 3))
        b, y = sparse_expression(g, *big, depth - 1)
        return f"({b})({g.part(big[0].value, rows.value)}, {g.part(big[1].value, cols.value)})", y
    if choice == 7:
        return f"{g.pick(['tril', 'triu'])}({a}, {g.random.randint(-2, 2)})", x
    if choice == 8:
        return g.pick([(f"abs({a})", x), (f"(-{a})", x), (f"sign({a})", 1), (f"fix({a} / 2)", x), (f"max({a}, 0)", x)])
    if choice == 9 and known(rows, cols) and cols.value and cols.value > 1:
        at = g.random.randint(1, cols.value - 1)
        a, x = sparse_expression(g, rows, dim(at), depth - 1)
        b, y = sparse_expression(g, rows, dim(cols.value - at), depth - 1)
        return f"[{a}, {b}]", max(x, y)
    if choice == 10 and rows.same(ONE) and cols.at_least(1):  # the sum of 0x0 is 1x1
        b, y = sparse_expression(g, g.pick(g.dims[:-1]), cols, depth - 1)
        return f"sum({b}, 1)", 40 * y
    if choice == 11 and known(rows, cols) and rows.value == cols.value > 1:  # Octave 7 dies of sparse - eye(2, 25)
        k, eye = g.random.randint(-3, 3), f"eye({rows.text})"
        return g.pick([f"({a} + {k} * {eye})", f"({a} - {eye})", f"({eye} + {a})"]), x + 3
    if choice == 12 and known(rows, cols) and min(rows.value, cols.value) > 1 and x < 1e3:
        d, y = g.expression("exact", *g.pick([(rows, ONE), (ONE, rows)]), 1)
        e, v = g.expression("exact", *g.pick([(cols, ONE), (ONE, cols)]), 1)
        return g.pick([(f"(diag({d}) * {a})", x * y), (f"({a} * diag({e}))", x * v), (f"({a} * eye({cols.text}))", x),
                       (f"(eye({rows.text}) * {a})", x)])
    return a, x


def full_of_sparse(g, rows, cols, depth):
    """A full value in which sparse matrices take part."""
    choice = g.random.randrange(4)
    if choice == 0:
        inner = g.dim()
        a, x = sparse_expression(g, rows, inner, depth)
        b, y = g.expression("exact", inner, cols, depth)
        return f"full({a} * {b})", x * y * 40
    if choice == 1:
        a, x = sparse_expression(g, rows, cols, depth)
        b, y = g.expression("exact", rows, cols, depth)
        return f"full({a} + {b})", x + y
    if choice == 2 and rows.same(ONE) and cols.same(ONE):
        a, x = sparse_expression(g, g.dim(), g.dim(), depth)
        return g.pick([(f"nnz({a})", 1600), (f"full(sum({a}(:)))", 1600 * x), (f"numel(nonzeros({a}))", 1600),
                       (f"sum(find({a}))", 1.3e6), (f"norm(1 * {a}, 1)", 40 * x)])
    a, x = sparse_expression(g, rows, cols, depth)
    return f"full({a})", x


def sparse_system(g, rows, cols, depth):
    if g.single or not (rows.at_least(2) and rows.value <= 40):  # Octave has no S \ single
        return None
    n = rows.value
    b, y = g.expression("real", rows, cols, depth)
    a, x = sparse_expression(g, rows, rows, min(depth, 1))
    if x > 1e4:
        return None
    band = f"spdiags(ones({n}, 1) * [-1, {g.pick([4, 2.5])}, -1], -1:1, {n}, {n})"
    return g.pick([(f"({band} \\ {b})", y), (f"(({a} + {2 * n * max(1, x):g} * speye({n})) \\ {b})", y)])


Generator.exact_makers += [full_of_sparse, full_of_sparse]
Generator.real_makers += [sparse_system]
