"""More forms of statements: several results, growth, runtime sizes, text, handles, sparse variables."""
import calls  # noqa: F401  fills the tables of expressions
from calls import known
from expressions import ONE, Dim, Variable
from sparse_values import sparse_expression
from tree import Node


def full_matrices(g, kind, least=1):
    return [v for v in g.variables if v.kind == kind and v.rows.at_least(least) and v.cols.at_least(least)]


def runtime(g, name, axis, upper):
    return Dim(f"{'rows' if axis == 1 else 'columns'}({name})", None, upper)


def sorted_results(g):
    found = full_matrices(g, "exact")
    if not found:
        return None
    v = g.pick(found)
    s = Variable(g.fresh(), v.rows, v.cols, "exact", v.bound)
    i = Variable(g.fresh(), v.rows, v.cols, "exact", 1600)
    mode = g.pick(["", ', "descend"', ', "ascend"'])
    axis = g.pick(["", ", 1", ", 2"])
    g.variables += [s, i]
    return [Node(f"[{s.name}, {i.name}] = sort({v.name}{axis}{mode});")]


def unique_results(g):
    found = full_matrices(g, "exact")
    if not found:
        return None
    v = g.pick(found)
    u, i, j = g.fresh(), g.fresh("i"), g.fresh("j")
    count = v.rows.value * v.cols.value
    row = v.rows.value == 1 and v.cols.value > 1
    size = Dim(f"numel({u})", None, count)
    g.variables.append(Variable(u, ONE if row else size, size if row else ONE, "exact", v.bound))
    if g.chance(0.5):
        return [Node(f"{u} = unique({v.name});")]
    show = f'printf("%d ", {i}, {j}); printf("\\n");'
    return [Node(f"[{u}, {i}, {j}] = unique({v.name});"), Node(show)]


def found_places(g):
    found = full_matrices(g, "exact", 2)
    if not found:
        return None
    v = g.pick(found)
    m, _ = g.expression("logical", v.rows, v.cols, 1)
    i, j, w = g.fresh("i"), g.fresh("j"), g.fresh("w")
    show = f'printf("%d ", {i}, {j}); printf("\\n");'
    return g.pick([[Node(f"[{i}, {j}] = find({m});"), Node(show)],
                   [Node(f"[{i}, {j}, {w}] = find({v.name} .* {m});"), Node(show), Node(f'printf("%g ", {w});')],
                   [Node(f"{i} = find({m}, {g.random.randint(1, 3)});"), Node(f"{j} = numel({i});"), Node(show)]])


def masked_rows(g):
    """Rows or columns that a mask picks: a runtime size."""
    found = full_matrices(g, g.pick(["exact", "real"]), 2)
    if not found:
        return None
    v, w, axis = g.pick(found), g.fresh(), g.pick([1, 2])
    extent = v.rows if axis == 1 else v.cols
    m, _ = g.expression("logical", *((extent, ONE) if axis == 1 else (ONE, extent)), 2)
    size = runtime(g, w, axis, extent.value)
    g.variables.append(Variable(w, size if axis == 1 else v.rows, v.cols if axis == 1 else size, v.kind, v.bound))
    if g.loops == 0 and g.chance(0.5):
        g.dims.insert(0, size)
    return [Node(f"{w} = {v.name}({m}, :);" if axis == 1 else f"{w} = {v.name}(:, {m});")]


def masked_update(g):
    found = full_matrices(g, "exact", 1)
    if not found:
        return None
    v = g.pick(found)
    m, _ = g.expression("logical", v.rows, v.cols, 1)
    name, v.bound = g.fresh("m"), max(v.bound, 5.0)
    form = g.pick([f"{v.name}({name}) = -{v.name}({name});", f"{v.name}({name}) = mod({v.name}({name}) + 1, 5);",
                   f"{v.name}({name}) = 0;", f"{v.name}(!{name}) = fix({v.name}(!{name}) / 2);"])
    return [Node(f"{name} = {m};"), Node(form)]


def joined_forever(g):
    """A matrix that grows by rows or columns."""
    w, k, axis = g.fresh(), g.fresh("k"), g.pick([1, 2])
    trips, other = g.random.randint(0, 5), g.pick([d for d in g.dims if known(d)])
    if other.value == 0:
        return None
    shape = (ONE, other) if axis == 1 else (other, ONE)
    text, bound = g.expression("exact", *shape, 2)
    text = f"({text}) + {k}" if g.chance(0.5) else f"{k} * ({text})"
    push = [f"{w}(end+1, :) = {text};", f"{w}({k}, :) = {text};", f"{w} = [{w}; {text}];"] if axis == 1 else \
        [f"{w}(:, end+1) = {text};", f"{w}(:, {k}) = {text};", f"{w} = [{w}, {text}];"]
    empty = f"zeros(0, {other.text})" if axis == 1 else f"zeros({other.text}, 0)"
    size = runtime(g, w, axis, trips)
    g.variables.append(Variable(w, *((size, other) if axis == 1 else (other, size)), "exact", 5 * max(5, bound) + 5))
    return [Node(f"{w} = {empty};"), Node(f"for {k} = 1:{trips}", [Node(g.pick(push))])]


def text_values(g):
    number, bound = g.expression("exact", ONE, ONE, 1)
    row, _ = g.expression("exact", ONE, g.pick([d for d in g.dims if known(d)]), 1)
    number, row = f"(0 + {number})", f"(0 + {row})"  # no -0, whose text is longer
    s = g.fresh("s")
    forms = [f's = sprintf("%d,%g;", round({row}));', f"s = num2str({number});", f"s = mat2str(round({row}));",
             f"s = int2str({number});", f's = ["a" num2str(round({number})) "b"];',
             f's = strcat("x", num2str({number}));', f's = num2str(round({row}));']
    nodes = [Node(g.pick(forms).replace("s =", f"{s} =", 1)), Node(f'printf("%s|%d\\n", {s}, numel({s}));')]
    if g.chance(0.4):
        body = [Node(f'{s} = [{s} "+"];')]
        nodes.insert(1, g.pick([Node(f'if strcmp({s}, "0")', body), Node(f"for q = 1:{g.random.randint(0, 3)}", body)]))
    return nodes


def shown(g):
    """A value without a semicolon."""
    kind, rows, cols = g.pick(["exact", "logical"]), g.dim(), g.dim()
    text, bound = g.expression(kind, rows, cols, 2)
    name = g.fresh("d")
    if kind == "exact":
        text = f"round({text})" if bound < 9e4 else f"round(mod({text}, 100))"
    return g.pick([[Node(f"{name} = {text}")], [Node(f"disp({text})")]])


def columns_of(g):
    found = full_matrices(g, "exact") + full_matrices(g, "logical")
    if not found:
        return None
    v, c, t = g.pick(found), g.fresh("c"), g.fresh()
    g.variables.append(Variable(t, ONE, ONE, "exact", 1600 * max(1, v.bound) * 40))
    return [Node(f"{t} = 0;"), Node(f"for {c} = {v.name}", [Node(f"{t} = mod(3 * {t} + sum({c}(:)), 101);")])]


def handled(g):
    f, w = g.fresh("h"), g.fresh()
    rows, cols = g.dim(), g.dim()
    a, x = g.expression("exact", rows, cols, 1)
    k, y = g.expression("exact", ONE, ONE, 1)
    g.variables.append(Variable(w, rows, cols, "exact", 50))
    return [Node(f"{f} = @(x, y) mod(x + y * {k}, 37);"), Node(f"{w} = {f}({a}, {g.random.randint(0, 5)});")]


def several_results(g):
    if not g.pairs:
        return None
    rows, cols = g.dim(), g.dim()
    a, _ = g.expression("exact", rows, cols, 2)
    p, q = Variable(g.fresh(), rows, cols, "exact", 31), Variable(g.fresh(), ONE, ONE, "exact", 3)
    g.variables += [p, q]
    arguments = g.pick([a, f"{a}, {g.random.randint(1, 4)}"])
    return [Node(f"[{p.name}, {q.name}] = {g.pick(g.pairs)}({arguments});")]


def pair_function(g):
    """Two results, one or two arguments, a way out in the middle."""
    name = g.fresh("p")
    g.pairs.append(name)
    out = Node(g.pick(["if nargin > 1 && b > 2", "if isempty(a)", "if any(a(:) > 3)"]),
               [Node("r = mod(0 + a, 5);"), Node("return;")])
    lines = [Node("n = nargin;"), Node("if nargin < 2", [Node("b = 2;")]), out,
             Node(f"r = mod(a * b + n, {g.pick([7, 31])});")]
    if g.chance(0.4):
        lines.insert(3, Node("while b < 4", [Node("b++;"), Node("if b == 3", [Node("continue;")])]))
    return Node(f"function [r, n] = {name}(a, b)", lines)


def sparse_variable(g):
    if g.loops:
        return None
    rows, cols = g.dim(), g.dim()
    if not known(rows, cols):
        return None
    text, bound = sparse_expression(g, rows, cols, 2)
    if bound > 1e5:
        return None
    v = Variable(g.fresh("s"), rows, cols, "exact", bound)
    nodes = [Node(f"{v.name} = {text};")]
    if rows.value and cols.value and g.chance(0.4):
        i, j = g.random.randint(1, rows.value), g.random.randint(1, cols.value)
        nodes.append(Node(f"{v.name}({i}, {j}) = {g.random.randint(-3, 3)};"))
        v.bound = max(bound, 3)
    g.sparse.append(v)
    full = Variable(g.fresh(), rows, cols, "exact", v.bound)
    g.variables.append(full)
    return nodes + [Node(f"{full.name} = full({v.name});"), Node(f'printf("%d ", nnz({v.name}), issparse({v.name}));')]


def factors(g):
    """What belongs together is printed as products: signs and orders are free."""
    sizes = [d for d in g.dims if known(d) and 2 <= d.value <= 9]
    if not sizes:
        return None
    n = g.pick(sizes)
    a, w = calls.dominant(g, n, 1), g.fresh()
    g.variables.append(Variable(w, n, n, "real", 99))
    x, y, z, m = (g.fresh("q") for _ in range(4))
    forms = [f"[{x}, {y}, {z}] = lu({m}); {w} = {z}' * {x} * {y};", f"[{x}, {y}] = qr({m}); {w} = {x} * {y};",
             f"[{x}, {y}, {z}] = svd({m}); {w} = {x} * {y} * {z}';",
             f"[{x}, {y}] = eig({m} + {m}'); {w} = {x} * {y} * {x}';",
             f"[{x}, {y}] = chol({m} * {m}'); printf(\"%d %g \", {y}, norm({x}, 1)); {w} = chol({m} * {m}');"]
    return [Node(f"{m} = {a};"), Node(g.pick(forms))]


def element_updates(g):
    found = full_matrices(g, "exact")
    if not found:
        return None
    v = g.pick(found)
    i, j = g.random.randint(1, v.rows.value), g.random.randint(1, v.cols.value)
    v.bound = max(v.bound, 5.0) + 40
    count = v.rows.value * v.cols.value
    if g.loops:
        return [Node(f"{v.name}({i}, {j}) = mod({v.name}({i}, {j}) + 1, 5);")]
    return g.pick([[Node(f"{v.name}({i}, {j})++;")], [Node(f"{v.name}(:, {j}) += {g.random.randint(1, 9)};")],
                   [Node(f"{v.name}({i}, :) -= {v.name}({i}, {j});")] if v.bound < 1e5 else None,
                   [Node(f"{v.name}({i}, {j}) *= 0.5;")], [Node(f"{v.name}(:) = mod((1:{count}) * 3, 7);")]])


FORMS = [sorted_results, unique_results, found_places, masked_rows, masked_update, joined_forever, text_values, shown,
         columns_of, handled, several_results, sparse_variable, factors, element_updates]
