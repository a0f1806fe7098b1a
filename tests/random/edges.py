"""Statements at the edges of sizes, ranges and overlaps: values that only a run finds empty, stores through ranges of every
kind, growth by two subscripts, loops over elements that read what they write, and sizes that no memory holds."""
from calls import known
from expressions import ONE, Dim, Variable
from tree import Node


def shown(name):
    return Node(f'printf("{name} %d %d:", size({name})); printf(" %.17g", {name}); printf("\\n");')


def hidden(g, value):
    """A number whose text is known to a compiler, or one that only a run knows: z is a count of nothing."""
    return g.pick([str(value), f"({value} + {zero(g)})"])


def zero(g):
    """The name of a variable that is 0, which the program makes from a random number."""
    if not g.zero:
        g.zero = g.fresh("z")
        first = next((i for i, n in enumerate(g.nodes) if not n.head.startswith(("param", "function"))), len(g.nodes))
        g.nodes.insert(first, Node(f"{g.zero} = floor(rand());"))
    return g.zero


def full(g, kind="exact", least=1):
    found = [v for v in g.variables
             if v.kind == kind and v.rows.at_least(least) and v.cols.at_least(least) and v.bound < 2.0**20]
    return g.pick(found) if found else None


def vector(g, least=2, kind="exact"):
    found = [v for v in g.variables if v.kind == kind and known(v.rows, v.cols) and v.bound < 2.0**20
             and 1 in (v.rows.value, v.cols.value) and v.rows.value * v.cols.value >= least]
    return g.pick(found) if found else None


def length(v):
    return v.rows.value * v.cols.value


def changed_copy(g, v, rows=None, cols=None, bound=100):
    """A variable that starts as a copy of another and is changed; its extents are the run's where none are given."""
    w = g.fresh("e")
    rows = rows or Dim(f"rows({w})", None, 60)
    cols = cols or Dim(f"columns({w})", None, 60)
    return Variable(w, rows, cols, v.kind, max(v.bound, bound)), Node(f"{w} = {v.name};")


# ---- run-time empties ----

def empties(g):
    """A part that may be or is empty, and what is made of it. Every value is shown: shapes of nothing count."""
    v = full(g)
    if v is None:
        return None
    e = g.fresh("e")
    level = g.pick([2000000, 2000000, 3, 0])
    k = hidden(g, g.random.randint(0, 2))
    parts = [f"{v.name}(1:{k}, :)", f"{v.name}(:, 1:{k})", f"{v.name}({v.name}(:, 1) > {level}, :)",
             f"{v.name}(:, {v.name}(1, :) > {level})", f"{k}:{hidden(g, 0)}", f"zeros({k}, {hidden(g, 3)})",
             f"zeros({hidden(g, 0)}, {k})"]
    if v.rows.at_least(2) or v.cols.at_least(2):  # what one element gives that is not picked is documented
        parts += [f"{v.name}({v.name} > {level})", f"find({v.name} > {level})"]
    uses = ["sum(e)", "prod(e)", "max(e)", "min(e)", "any(e)", "all(e)", "mean(e)", "cumsum(e)", "diff(e)", "sort(e)",
            "sum(e, 2)", "max(e, [], 2)", "e'", "[e; e]", "[e, e]", "isempty(e)", "numel(e)", "e(:)", "find([e, e])",
            "e + 1", "e .* 2", "unique(e)", "fliplr(e)", "sum(e(:))", "norm(e)", "abs(e)", "e(end:-1:1)", "repmat(e, 2, 1)",
            "any(e, 1)", "cumsum(e, 2)", "isequal(e, [])", "sum(sum(e))", "e == e", "nnz(e)", "columns(e)", "median(e)",
            "num2str(e)", "mat2str(e)", "max(e, 1)", "reshape(e, 1, [])", "circshift(e, 1)", "dot(e, e)", "kron(e, [1 2])"]
    nodes = [Node(f"{e} = {g.pick(parts)};"), shown(e)]
    for _ in range(g.random.randint(1, 3)):
        u = g.fresh("u")
        text = replaced(g.pick(uses), e)
        nodes += [Node(f"{u} = {text};"), shown(u)]
    return nodes


def replaced(text, name):
    """`e` as a word stands for the name."""
    out, word = "", ""
    for c in text + " ":
        if c.isalnum() or c == "_":
            word += c
            continue
        out += (name if word == "e" else word) + c
        word = ""
    return out[:-1]


# ---- stores through ranges ----

def subscript(g, extent):
    """(text, the positions that it means)"""
    low, high = g.random.randint(1, extent), g.random.randint(1, extent)
    h = lambda value: hidden(g, value)  # noqa: E731
    step = g.pick([1, 2, 3])
    forms = [(f"{h(low)}:{h(high)}", range(low, high + 1)), (f"{h(low)}:-{step}:{h(high)}", range(low, high - 1, -step)),
             (f"{h(low)}:{step}:{h(high)}", range(low, high + 1, step)), (":", range(1, extent + 1)),
             ("end:-1:1", range(extent, 0, -1)), ("2:end", range(2, extent + 1)), ("1:end-1", range(1, extent)),
             (f"{h(low)}:{h(low - 1)}", range(0)), ("[]", range(0)), (h(low), range(low, low + 1)),
             (f"{h(low)}:{h(high)}.5", range(low, high + 1)), (f"{h(low)}:{h(step)}:{h(high)}", range(low, high + 1, step)),
             (f"{h(low)}:{h(-step)}:{h(high)}", range(low, high - 1, -step)), ("zeros(1, 0)", range(0)),
             (f"[{low} {high}]", (low, high)), (f"{h(0)}:{h(-1)}", range(0)),
             (f"{low}:{h(extent + 2)}", range(low, extent + 3))]
    return g.pick(forms)


def range_stores(g):
    """Into a copy: a scalar, a vector of the right length, or a part of the value itself."""
    if g.chance(0.5):
        v = vector(g)
        if v is None:
            return None
        w, copy = changed_copy(g, v)
        nodes = [copy]
        extent = length(v)
        for _ in range(g.random.randint(1, 3)):
            text, places = subscript(g, extent)
            count = len(places)
            row = "" if v.rows.value == 1 else "'"
            self_read = g.pick([f"{w.name}({text})", f"{w.name}({text}) + 1"]) if count and max(places) <= extent \
                else "2"
            extent = max([extent, *places])
            value = g.pick(["7", f"(1:{count}){row}", self_read, hidden(g, -3)])
            nodes.append(Node(f"{w.name}({text}) = {value};"))
    else:
        v = full(g)
        if v is None:
            return None
        w, copy = changed_copy(g, v)
        nodes = [copy]
        (r, rows), (c, cols) = subscript(g, v.rows.value), subscript(g, v.cols.value)
        value = g.pick(["7", f"ones({len(rows)}, {len(cols)})", f"(1:{len(rows)})' + (1:{len(cols)})"])
        nodes.append(Node(f"{w.name}({r}, {c}) = {value};"))
    g.variables.append(w)
    return nodes + [shown(w.name)]


# ---- growth by two subscripts ----

def grown_by_two(g):
    v = full(g)
    if v is None:
        return None
    w, copy = changed_copy(g, v)
    i, j = (hidden(g, d.value + g.random.randint(-1, 3) or 1) for d in (v.rows, v.cols))
    k = g.fresh("k")
    forms = [[Node(f"{w.name}({i}, {j}) = 5;")],
             [Node(f"{w.name}(end+1, end+1) = 5;")],
             [Node(f"{w.name}({i}, :) = 2;")], [Node(f"{w.name}(:, {j}) = 3;")],
             [Node(f"for {k} = 1:{hidden(g, g.random.randint(0, 5))}", [Node(f"{w.name}({k}, {k} + 1) = {k};")])],
             [Node(f"for {k} = {g.random.randint(1, 6)}:-1:1", [Node(f"{w.name}({k} + 1, {k}) = {k};")])],
             [Node(f"{w.name}({i}, {j}) = {w.name}(1, 1) + 1;"), Node(f"{w.name}({j}, {i}) = {w.name}(end, end);")],
             [Node(f"{w.name}({i}:{i} + 1, {j}:{j} + 2) = 4;")]]
    if g.chance(0.3):
        copy = Node(f"{w.name} = [];")
        forms = forms[4:6] + [[Node(f"{w.name}({i}, {j}) = 5;")]]
    g.variables.append(w)
    return [copy] + g.pick(forms) + [shown(w.name)]


# ---- loops over elements that read what they write ----

def element_loops(g):
    v = vector(g, 3)
    if v is None:
        return None
    w, copy = changed_copy(g, v, v.rows, v.cols)
    x, n, k = v.name, length(v), g.fresh("k")
    y = w.name
    s = g.random.randint(1, min(3, n - 1))
    last = hidden(g, n)
    t = g.fresh("t")
    forms = [
        (f"for {k} = 2:{last}", [f"{y}({k}) = mod(3 * {y}({k}-1) + {x}({k}), 7);"]),
        (f"for {k} = 2:numel({y})", [f"{y}({k}) = floor({y}({k}-1) / 2) + {x}({k});"]),
        (f"for {k} = {last}-1:-1:1", [f"{y}({k}) = mod({y}({k}) - 2 * {y}({k}+1), 11);"]),
        (f"for {k} = {s + 1}:{last}", [f"{y}({k}) = mod({y}({k}-{s}) + {k}, 13);"]),
        (f"for {k} = 1:{last}-{s}", [f"{y}({k}) = mod({y}({k}+{s}) + {y}({k}), 13);"]),
        (f"for {k} = 1:{last}-1", [f"{y}({k}) += {s}; {y}({k}+1) -= {s};"]),
        (f"for {k} = 1:{last}-1", [f"{t} = {y}({k}); {y}({k}) = {y}({k}+1); {y}({k}+1) = {t};"]),
        (f"for {k} = 1:floor({last} / 2)",
         [f"{t} = {y}({k}); {y}({k}) = {y}(end+1-{k}); {y}(end+1-{k}) = {t};"]),
        (f"for {k} = 1:{last}", [f"{t} = mod({k} * {s}, {n}) + 1; {y}({t}) = mod({y}({k}) + {y}({t}), 17);"]),
        (f"for {k} = 2:{last}", [f"if {y}({k}) < {y}({k}-1)",
                                 f"  {y}([{k}-1, {k}]) = {y}([{k}, {k}-1]);", "end"]),
        (f"for {k} = 1:{hidden(g, 3)}", [f"{y}(2:end) = mod({y}(1:end-1) + {y}(2:end), 9);"]),
        (f"for {k} = 1:{hidden(g, 3)}", [f"{y}(2:end-1) = mod({y}(1:end-2) + {y}(3:end), 9);"]),
        (f"for {k} = 1:{hidden(g, 2)}", [f"{y}(end:-1:1) = mod({y} + {k}, 9);"]),
    ]
    head, lines = g.pick(forms)
    g.variables.append(w)
    return [copy, Node(head, nested(lines)), shown(y)]


def nested(lines):
    if len(lines) == 3:
        return [Node(lines[0], [Node(lines[1].strip())], lines[2])]
    return [Node(line) for line in lines]


def matrix_loops(g):
    v = full(g, least=2)
    if v is None:
        return None
    w, copy = changed_copy(g, v, v.rows, v.cols)
    a, i, j = w.name, g.fresh("i"), g.fresh("j")
    n, m = hidden(g, v.rows.value), hidden(g, v.cols.value)
    square = min(v.rows.value, v.cols.value)
    forms = [
        [Node(f"for {i} = 2:{n}", [Node(f"{a}({i}, :) = mod({a}({i}, :) + {a}({i}-1, :), 19);")])],
        [Node(f"for {j} = 2:{m}", [Node(f"{a}(:, {j}) = mod({a}(:, {j}) - 2 * {a}(:, {j}-1), 19);")])],
        [Node(f"for {i} = 2:{n}", [Node(f"for {j} = 2:{m}",
                                        [Node(f"{a}({i}, {j}) = mod({a}({i}-1, {j}) + {a}({i}, {j}-1), 23);")])])],
        [Node(f"for {i} = 1:{square}", [Node(f"for {j} = 1:{i}", [
            Node(f"{a}({i}, {j}) = mod({a}({j}, {i}) + {i}, 29);")])])],
        [Node(f"{a}([1, {n}], :) = {a}([{n}, 1], :);")],
        [Node(f"{a}(:, 1:{m}-1) = {a}(:, 2:{m});")],
        [Node(f"for {i} = 1:{square}", [Node(f"{a}({i}, {i}) = {i};"),
                                        Node(f"{a}({i}, :) = mod({a}({i}, :) - {a}({i}, 1), 31);")])],
    ]
    g.variables.append(w)
    return [copy] + g.pick(forms) + [shown(a)]


def thomas(g):
    """A tridiagonal system by elimination, as a loop over elements."""
    n = g.random.randint(2, 12)
    c, d, x, i = (g.fresh(stem) for stem in ("c", "d", "w", "i"))
    size = hidden(g, n)
    body = [Node(f"m_ = 1 / (4 + {c}({i}-1));".replace("m_", f"{x}m")),
            Node(f"{c}({i}) = -{x}m;"), Node(f"{d}({i}) = ({d}({i}) + {d}({i}-1)) * {x}m;")]
    g.variables.append(Variable(x, Dim(str(n), n), ONE, "real", 10))
    return [Node(f"{c} = zeros({n}, 1); {d} = (1:{n})'; {x} = zeros({n}, 1);"),
            Node(f"{c}(1) = -1 / 4; {d}(1) = {d}(1) / 4;"), Node(f"for {i} = 2:{size}", body),
            Node(f"{x}({n}) = {d}({n});"),
            Node(f"for {i} = {size}-1:-1:1", [Node(f"{x}({i}) = {d}({i}) - {c}({i}) * {x}({i}+1);")])]


# ---- loops that fill a sparse matrix ----

def sparse_loops(g):
    """Elements of a sparse matrix that a loop assigns, some of them again, by sums and where it grows."""
    s, k, n = g.fresh("s"), g.fresh("k"), g.random.randint(1, 5)

    def place():
        """Inside of the matrix."""
        return g.pick([f"mod({k} * {g.random.randint(1, 4)}, {n}) + 1", f"min({k}, {hidden(g, n)})", hidden(g, n), "1"])

    def store():
        value = g.pick([k, "0", f"-{k}", f"0.5 * {k}", f"mod({k}, 3)", f"{k} / 3"])
        if g.chance(0.2):
            return Node(f"{s}({g.pick([k, place()])}, {k} + {g.random.randint(0, 2)}) = {value};")
        i, j = place(), place()
        return Node(g.pick([f"{s}({i}, {j}) = {value};", f"{s}({i}, {j}) += {value};", f"{s}({i}, {j}) -= {value};",
                            f"{s}({i}, {j}) = {value} + {s}({i}, {j});", f"{s}({i}, {j}) = {s}({i}, {j}) * 2;"]))

    body = [store() for _ in range(g.random.randint(1, 3))]
    if g.chance(0.5):
        body.append(Node(f"if mod({k}, {g.random.randint(2, 3)}) == 0", [store(), store()]))
    if g.chance(0.3):
        body.append(Node(f"for {g.fresh('j')} = 1:{hidden(g, g.random.randint(0, 3))}", [store()]))
    if g.chance(0.2):
        body.append(Node(f"if nnz({s}) > {2 * n}", [Node("break")]))
    start = g.pick([f"sparse({n}, {n})", f"speye({n})", f"sparse([1 {n}], [{n} 1], [2 3], {n}, {n})"])
    return [Node(f"{s} = {start};"), Node(f"for {k} = 1:{hidden(g, g.random.randint(0, 12))}", body),
            Node(f'printf("{s} %d %d %d:", size({s}), nnz({s})); printf(" %.17g", full({s})); printf("\\n");')]


# ---- sizes that no memory holds ----

def too_large(g):
    """The last statement: an error everywhere."""
    if g.loops:
        return None
    z, e = zero(g), g.fresh("e")
    n = g.pick(["2^32", "2^40", "2^53", "2^62", "2^63", "2^64", "1e300", "Inf"])
    hid = g.pick([n, f"({n} + {z})"])
    return g.pick([
        [Node(f"{e} = zeros({hid}, {hid});")], [Node(f"{e} = zeros(2, 3);"), Node(f"{e}({hid}, {hid}) = 1;")],
        [Node(f"{e} = 2^40 + {z}; {e} = zeros({e} * {e} + 2 * {e} * {e} + 5, 1);")],
        [Node(f"{e} = [];"), Node(f"{e}({hid}, {hid}) = 1;")], [Node(f"{e} = sum(sum(ones({hid}, {hid})));")],
        [Node(f"{e} = repmat(ones({hidden(g, 3)}), {hid}, {hid});")],
        [Node(f"{e} = zeros(274177 + {z}, 67280421310721);")], [Node(f"{e} = eye({hid}, {hid}) + ones({hid}, {hid});")],
        [Node(f"{e} = kron(ones({hid}, 1), ones(1, {hid}));")],
    ]) + [Node(f'printf("%d ", size({e}));')]


EDGES = [empties, empties, range_stores, range_stores, range_stores, grown_by_two, grown_by_two, element_loops,
         element_loops, element_loops, matrix_loops, thomas, sparse_loops, sparse_loops]
