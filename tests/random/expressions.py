"""Random well-typed programs of the language, with sizes from 0 to 40.

`random_program(seed)` gives a tree of statements. Every expression has a shape, a kind and a bound on its magnitude:
  - logical, exact (integers and dyadic fractions of small magnitude: every order of operations gives the same bits; the
    bits of a fraction are counted, see exactness.py) or real (rounding differs). What jumps (comparison, floor, mod, indices) is only applied to exact operands, so that two
    right implementations never disagree by more than rounding;
  - where the bound grows too large, `mod` or `tanh` brings it back, so loops stay finite;
  - with `single`, real numbers start as singles, and what they meet becomes single as Octave has it.
"""
import random

from exactness import MOST_BITS, Exactness

SIZES = [0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 33, 40]
LIMIT = 2.0**20
SMALL_LIMIT = 2.0**5  # of reals that are single or carried by a loop: sin(x) carries over an error of |x| ulps


class Dim:
    """An extent: its text, and its value where the text alone decides it (else an upper bound)."""

    def __init__(self, text, value=None, upper=None):
        self.text, self.value = text, value
        self.upper = value if upper is None else upper

    def same(self, other):
        return self.text == other.text or (self.value is not None and self.value == other.value)

    def at_least(self, n):
        return self.value is not None and self.value >= n


ONE = Dim("1", 1)


class Variable:
    def __init__(self, name, rows, cols, kind, bound):
        self.name, self.rows, self.cols, self.kind, self.bound = name, rows, cols, kind, bound


class Generator:
    def __init__(self, seed, single=False, edges=False):
        self.random = random.Random(seed)
        self.single = single
        self.edges = edges  # whether statements and sparse products at the edges are drawn, see edges.py
        self.variables = []
        self.counters = []  # of the loops around: read, never assigned
        self.count = 0
        self.functions = []
        self.pairs = []  # functions of two results
        self.sparse = []  # sparse variables
        self.loops = 0
        self.zero = None  # the name of a variable that is 0, which no compiler can know (see edges.py)
        self.exactness = Exactness()
        self.nodes = []
        sizes = [self.random.choice(SIZES) for _ in range(self.random.randint(2, 4))]
        self.dims = [Dim(str(s), s) for s in sizes] + [ONE]

    # ---- choices ----

    def chance(self, p):
        return self.random.random() < p

    def pick(self, options):
        return self.random.choice(options)

    def dim(self):
        return self.pick(self.dims)

    def fresh(self, stem="v"):
        self.count += 1
        return f"{stem}{self.count}"

    def integer(self, low=-9, high=9):
        return str(self.random.randint(low, high))

    # ---- expressions: (text, bound) ----

    def expression(self, kind, rows, cols, depth):
        text, bound = self.make(kind, rows, cols, depth)
        if kind == "exact" and self.exactness.bits(text) > MOST_BITS:
            text = f"round({text})"
        if bound > (SMALL_LIMIT if (self.single or self.loops) and kind == "real" else LIMIT):
            if kind == "exact":
                m = self.random.randint(5, 97)
                return f"mod({text}, {m})", m
            return f"tanh({text})", 1
        return text, bound

    def make(self, kind, rows, cols, depth):
        if depth <= 0 or self.chance(0.12):
            return self.leaf(kind, rows, cols)
        makers = {"logical": self.logical_makers, "exact": self.exact_makers, "real": self.real_makers}[kind]
        for _ in range(8):
            made = self.pick(makers)(self, rows, cols, depth - 1)
            if made is not None:
                return made
        return self.leaf(kind, rows, cols)

    def matching(self, kind, rows, cols):
        kinds = {"logical": ["logical"], "exact": ["exact", "logical"], "real": ["real", "exact", "logical"]}[kind]
        return [v for v in self.variables + self.counters
                if v.kind in kinds and v.rows.same(rows) and v.cols.same(cols)]

    def leaf(self, kind, rows, cols):
        found = self.matching(kind, rows, cols)
        if found and self.chance(0.85):
            v = self.pick(found)
            return v.name, v.bound
        scalar = rows.same(ONE) and cols.same(ONE)
        if kind == "logical":
            if scalar:
                return self.pick(["true", "false"]), 1
            return f"(mod({self.pattern(rows, cols)}, {self.random.randint(2, 4)}) == 1)", 1
        if kind == "exact":
            if scalar:
                value = self.random.randint(-9, 9)
                return (f"({value})" if value < 0 else str(value)), abs(value)
            if self.chance(0.2):
                return self.pick([f"ones({rows.text}, {cols.text})", f"zeros({rows.text}, {cols.text})",
                                  f"full(eye({rows.text}, {cols.text}))"]), 1
            small = rows.value is not None and cols.value is not None and 0 < rows.value * cols.value <= 6
            if small and self.chance(0.5):
                lines = [", ".join(self.integer() for _ in range(cols.value)) for _ in range(rows.value)]
                return "[" + "; ".join(lines) + "]", 9
            return f"(mod({self.pattern(rows, cols)}, {self.random.randint(5, 19)}) - {self.random.randint(0, 9)})", 19
        text = self.pick(["0.1", "pi", "2.5", "(1/3)", "(-0.7)"]) if scalar else f"sin({self.pattern(rows, cols)})"
        return f"single({text})" if self.single else text, 4 if scalar else 1

    def pattern(self, rows, cols):
        a, b = self.random.randint(1, 13), self.random.randint(1, 13)
        if rows.same(ONE):
            return f"(1:{cols.text})*{b}"
        if cols.same(ONE):
            return f"(1:{rows.text})'*{a}"
        return f"((1:{rows.text})'*{a} + (1:{cols.text})*{b})"

    def operand_shapes(self, rows, cols):
        """Two shapes that broadcast to rows x cols."""
        whole = (rows, cols)
        other = self.pick([whole, whole, (ONE, ONE), (ONE, cols), (rows, ONE)])
        return (whole, other) if self.chance(0.6) else (other, whole)

    def binary(self, op, kind, operand_kind, rows, cols, depth, growth):
        (r1, c1), (r2, c2) = self.operand_shapes(rows, cols)
        a, x = self.expression(operand_kind, r1, c1, depth)
        b, y = self.expression(operand_kind, r2, c2, depth)
        return f"({a} {op} {b})", growth(x, y)

    def function2(self, name, operand_kind, rows, cols, depth, growth):
        (r1, c1), (r2, c2) = self.operand_shapes(rows, cols)
        a, x = self.expression(operand_kind, r1, c1, depth)
        b, y = self.expression(operand_kind, r2, c2, depth)
        if name in ("mod", "rem", "atan2", "hypot"):  # not defined for logical operands
            a, b = f"0 + {a}", f"1 + abs({b})" if name == "rem" else f"0 + {b}"  # rem(x, 0) is NaN
        return f"{name}({a}, {b})", growth(x, y)

    def rearranged(self, kind, rows, cols, depth):
        choice = self.random.randrange(13)
        if choice == 0:
            a, x = self.expression(kind, cols, rows, depth)
            return f"{a}'", x
        if choice in (1, 2):
            a, x = self.expression(kind, rows, cols, depth)
            name = self.pick(["fliplr", "flipud"])
            return f"{name}({a})", x
        if choice == 3 and rows.value and cols.value is not None:
            at = self.random.randint(0, rows.value)
            top, bottom = Dim(str(at), at), Dim(str(rows.value - at), rows.value - at)
            a, x = self.expression(kind, top, cols, depth)
            b, y = self.expression(kind, bottom, cols, depth)
            return f"[{a}; {b}]", max(x, y)
        if choice == 4 and cols.value and rows.value is not None:
            at = self.random.randint(0, cols.value)
            left, right = Dim(str(at), at), Dim(str(cols.value - at), cols.value - at)
            a, x = self.expression(kind, rows, left, depth)
            b, y = self.expression(kind, rows, right, depth)
            return f"[{a}, {b}]", max(x, y)
        if choice == 5 and rows.value is not None and cols.value is not None:
            count = rows.value * cols.value
            divisors = [d for d in range(1, 41) if count and count % d == 0 and count // d <= 40]
            if divisors:
                d = self.pick(divisors)
                a, x = self.expression(kind, Dim(str(d), d), Dim(str(count // d), count // d), depth)
                return f"reshape({a}, {rows.text}, {cols.text})", x
        if choice == 6 and rows.value and 1 < rows.value <= 12 and cols.same(ONE):
            found = [v for v in self.variables if v.kind == kind and v.rows.at_least(2) and v.cols.at_least(2)]
            if found:
                v = self.pick(found)
                index = [str(self.random.randint(1, v.rows.value * v.cols.value)) for _ in range(rows.value)]
                return f"{v.name}([{'; '.join(index)}])", v.bound
        if choice in (7, 8) and rows.value is not None and cols.value is not None:
            found = [v for v in self.variables if v.kind == kind and v.rows.at_least(rows.value)
                     and v.cols.at_least(cols.value) and v.rows.value > 0 and v.cols.value > 0]
            if found:
                v = self.pick(found)
                i, j = self.part(v.rows.value, rows.value), self.part(v.cols.value, cols.value)
                return f"{v.name}({i}, {j})", v.bound
            return None
        if choice == 10:
            a, x = self.expression(kind, rows, cols, depth)
            if kind != "logical":
                return f"{self.pick(['tril', 'triu'])}({a}, {self.random.randint(-3, 3)})", x
        if choice == 11 and rows.value and cols.value and rows.value <= 20 and cols.value <= 20:
            m = self.pick([d for d in range(1, rows.value + 1) if rows.value % d == 0])
            n = self.pick([d for d in range(1, cols.value + 1) if cols.value % d == 0])
            a, x = self.expression(kind, Dim(str(rows.value // m), rows.value // m),
                                   Dim(str(cols.value // n), cols.value // n), depth)
            return f"repmat({a}, {m}, {n})", x
        if choice == 12 and self.functions and kind != "logical":
            f = self.pick(self.functions)
            (r1, c1), (r2, c2) = self.operand_shapes(rows, cols)
            a, x = self.expression("exact", r1, c1, depth)
            b, y = self.expression("exact", r2, c2, depth)
            if f[1] == kind:
                return f"{f[0]}({a}, {b})", f[2]
        return None

    def part(self, extent, wanted):
        """A subscript of an axis with `extent` that takes `wanted` of it."""
        if wanted == extent and self.chance(0.3):
            return self.pick([":", "end:-1:1", f"1:{extent}"])
        first = self.random.randint(1, extent - wanted + 1)
        last = first + wanted - 1
        if wanted == 1:
            return self.pick([str(first), "end" if first == extent else f"end-{extent - first}"])
        if wanted >= 1 and wanted <= 6 and self.chance(0.3):
            return "[" + ", ".join(str(self.random.randint(1, extent)) for _ in range(wanted)) + "]"
        if self.chance(0.3):
            return f"{last}:-1:{first}"
        return f"{first}:{last}" if last != extent or self.chance(0.5) else f"{first}:end"

    def along(self, rows, cols):
        """A shape that a reduction turns into rows x cols, with the dimension argument; None when it cannot."""
        options = []
        n = self.pick([d for d in self.dims])
        if rows.same(ONE):
            options.append((n, cols, 1))
        if cols.same(ONE):
            options.append((rows, n, 2))
        return self.pick(options) if options else None

    def reduced(self, names, kind, rows, cols, depth, growth, empty=True):
        shape = self.along(rows, cols)
        if shape is None:
            return None
        r, c, d = shape
        extent = r if d == 1 else c
        if not empty and not extent.at_least(1):
            return None
        if r.value in (0, None) and c.value in (0, None):  # of 0x0 most are one value
            return None
        a, x = self.expression(kind, r, c, depth)
        name = self.pick(names)
        middle = {"max": "[], ", "min": "[], ", "var": "0, ", "std": "0, "}.get(name, "")
        return f"{name}({a}, {middle}{d})", growth(x, extent.upper or 1)

    def product(self, kind, rows, cols, depth):
        inner = self.dim()
        a, x = self.expression(kind, rows, inner, depth)
        b, y = self.expression(kind, inner, cols, depth)
        return f"({a} * {b})", x * y * max(1, inner.upper)

    def element(self, kind, rows, cols, depth):
        if not (rows.same(ONE) and cols.same(ONE)):
            return None
        found = [v for v in self.variables if v.kind == kind and v.rows.at_least(1) and v.cols.at_least(1)]
        if not found:
            return None
        v = self.pick(found)
        i, j = self.integer(1, v.rows.value), self.pick([self.integer(1, v.cols.value), "end"])
        return f"{v.name}({i}, {j})", v.bound

    def counted(self, rows, cols, depth):
        """Scalars that come from data: counts and positions."""
        if not (rows.same(ONE) and cols.same(ONE)):
            return None
        r, c = self.dim(), self.dim()
        choice = self.random.randrange(4)
        if choice == 0:
            a, _ = self.expression("logical", r, c, depth)
            return f"{self.pick(['nnz', 'numel'])}({a})", 1600
        if choice == 1:
            a, _ = self.expression("logical", r, c, depth)
            return f"numel(find({a}))", 1600
        if choice == 2:
            a, x = self.expression("exact", r, c, depth)
            return f"sum({column(a)})", x * 1600 if x < 1e4 else 1e9
        found = [v for v in self.variables if v.rows.at_least(1) or v.cols.at_least(1)]
        if not found:
            return None
        v = self.pick(found)
        return self.pick([f"rows({v.name})", f"columns({v.name})", f"size({v.name}, 1)", f"numel({v.name})",
                          f"length({v.name})"]), 1600

    def masked_sum(self, rows, cols, depth):
        if not (rows.same(ONE) and cols.same(ONE)):
            return None
        r, c = self.dim(), self.dim()
        found = self.matching("exact", r, c)
        if not found:
            return None
        v = self.pick(found)
        m, _ = self.expression("logical", r, c, depth)
        return f"sum({v.name}({m})(:))", v.bound * 1600

    def solved(self, rows, cols, depth):
        if not rows.at_least(1) or rows.value > 20:
            return None
        n = rows.text
        a, _ = self.expression("real", rows, rows, min(depth, 1))
        b, y = self.expression("real", rows, cols, depth)
        return f"(({n}*4*eye({n}) + tanh({a})) \\ {b})", y


def column(text):
    """All elements; Octave reads pi(:) as a call."""
    return text if text in ("true", "false", "pi") else f"{text}(:)"


def one(*_):
    return 1


def same(x, *_):
    return x


def applied(template, kind, growth=same):
    """An expression of one operand, `#` in the template."""
    def make(generator, rows, cols, depth):
        text, bound = generator.expression(kind, rows, cols, depth)
        return template.replace("#", text), growth(bound)
    return make


logical_makers = [
    lambda g, r, c, d: g.binary(g.pick(["<", "<=", ">", ">=", "==", "!="]), "logical", "exact", r, c, d, one),
    lambda g, r, c, d: g.binary(g.pick(["<", "<=", ">", ">=", "==", "!="]), "logical", "exact", r, c, d, one),
    lambda g, r, c, d: g.binary(g.pick(["&", "|"]), "logical", "logical", r, c, d, one),
    lambda g, r, c, d: g.function2("xor", "logical", r, c, d, one),
    applied("!#", "logical"),
    applied("isnan(#)", "exact", one),
    lambda g, r, c, d: g.reduced(["any", "all"], "logical", r, c, d, one),
    lambda g, r, c, d: g.rearranged("logical", r, c, d),
    lambda g, r, c, d: g.element("logical", r, c, d),
]

exact_makers = [
    lambda g, r, c, d: g.binary(g.pick(["+", "-"]), "exact", "exact", r, c, d, lambda x, y: x + y),
    lambda g, r, c, d: g.binary(g.pick(["+", "-"]), "exact", "exact", r, c, d, lambda x, y: x + y),
    lambda g, r, c, d: g.binary(".*", "exact", "exact", r, c, d, lambda x, y: x * y),
    lambda g, r, c, d: g.function2(g.pick(["max", "min"]), "exact", r, c, d, max),
    lambda g, r, c, d: g.function2(g.pick(["mod", "rem"]), "exact", r, c, d, max),
    lambda g, r, c, d: g.product("exact", r, c, d),
    lambda g, r, c, d: g.reduced(["sum"], "exact", r, c, d, lambda x, n: x * n),
    lambda g, r, c, d: g.reduced(["max", "min"], "exact", r, c, d, lambda x, n: x, empty=False),
    lambda g, r, c, d: g.rearranged("exact", r, c, d),
    lambda g, r, c, d: g.rearranged("exact", r, c, d),
    lambda g, r, c, d: g.element("exact", r, c, d),
    lambda g, r, c, d: g.counted(r, c, d),
    lambda g, r, c, d: g.masked_sum(r, c, d),
    applied("(-#)", "exact"),
    applied("abs(#)", "exact"),
    applied("sign(#)", "exact", one),
    applied("floor(# / 2)", "exact"),
    applied("fix(# / 4)", "exact"),
    applied("round(# / 2)", "exact"),
    applied("(# .^ 2)", "exact", lambda x: x * x),
    applied("cumsum(#, 1)", "exact", lambda x: x * 40),
    applied("cumsum(#, 2)", "exact", lambda x: x * 40),
    applied("((#) / 2)", "exact"),
    applied("(# + 0)", "logical", one),
]

real_makers = [
    lambda g, r, c, d: g.binary(g.pick(["+", "-"]), "real", "real", r, c, d, lambda x, y: x + y),
    lambda g, r, c, d: g.binary(".*", "real", "real", r, c, d, lambda x, y: x * y),
    lambda g, r, c, d: g.product("real", r, c, d),
    lambda g, r, c, d: g.reduced(["sum"], "real", r, c, d, lambda x, n: x * n),
    lambda g, r, c, d: g.reduced(["mean"], "real", r, c, d, lambda x, n: x, empty=False),
    lambda g, r, c, d: g.reduced(["max", "min"], "real", r, c, d, lambda x, n: x, empty=False),
    lambda g, r, c, d: g.function2("hypot", "real", r, c, d, lambda x, y: x + y),
    lambda g, r, c, d: g.function2("atan2", "exact", r, c, d, lambda x, y: 4),
    lambda g, r, c, d: g.function2(g.pick(["max", "min"]), "real", r, c, d, max),
    lambda g, r, c, d: g.rearranged("real", r, c, d),
    lambda g, r, c, d: g.element("real", r, c, d),
    lambda g, r, c, d: g.solved(r, c, d),
    applied("exp(-abs(#))", "real", one),
    applied("sin(#)", "real", one),
    applied("cos(#)", "real", one),
    applied("sqrt(abs(#) + 1)", "real"),
    applied("log(1 + abs(#))", "real"),
    applied("tanh(#)", "real", one),
    applied("(# / 3)", "real"),
    applied("(1 ./ (1 + abs(#)))", "real", one),
    applied("abs(#)", "real"),
    applied("cumsum(#, 1)", "real", lambda x: x * 40),
    applied("(0.5 * #)", "exact"),
]

Generator.logical_makers, Generator.exact_makers, Generator.real_makers = logical_makers, exact_makers, real_makers

