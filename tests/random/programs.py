"""Random well-typed programs of the language, with sizes from 0 to 40.

`random_program(seed)` gives a tree of statements. Every expression has a shape, a kind and a bound on its magnitude:
  - logical, exact (integers and dyadic fractions of small magnitude: every order of operations gives the same bits) or
    real (rounding differs). What jumps (comparison, floor, mod, indices) is only applied to exact operands, so that two
    right implementations never disagree by more than rounding;
  - where the bound grows too large, `mod` or `tanh` brings it back, so loops stay finite.
Everything that is assigned is printed at the end.
"""
import random

SIZES = [0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 33, 40]
LIMIT = 2.0**20


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


class Node:
    """A statement: one line, or a head, children and a foot. `arms` are further (head, children)."""

    def __init__(self, head, children=None, foot="end"):
        self.head, self.children, self.foot = head, children, foot

    def lines(self, indent=0):
        pad = "  " * indent
        if self.children is None:
            return [pad + self.head]
        out = [pad + self.head]
        for child in self.children:
            out += child.lines(indent + (0 if child.head.startswith("else") else 1))
        return out + [pad + self.foot]


class Program:
    def __init__(self, nodes, names):
        self.nodes, self.names = nodes, names

    def text(self):
        lines = [line for node in self.nodes for line in node.lines()]
        body = "\n".join(lines)
        for name in self.names:
            if any(line.lstrip().startswith((name + " ", name + "(", "[" + name + ",")) or f", {name}]" in line
                   for line in lines):
                lines.append(f'printf("{name} %d %d\\n", size({name})); printf(" %.17g", {name}); printf("\\n");')
        return "\n".join(lines) + "\n" if body else ""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = []
        self.counters = []  # of the loops around: read, never assigned
        self.count = 0
        self.functions = []
        self.loops = 0
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
        if bound > LIMIT:
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
        return [v for v in self.variables + self.counters if v.kind in kinds and v.rows.same(rows) and v.cols.same(cols)]

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
        if scalar:
            return self.pick(["0.1", "pi", "2.5", "(1/3)", "(-0.7)"]), 4
        return f"sin({self.pattern(rows, cols)})", 1

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
            a, b = f"0 + {a}", f"0 + {b}"
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
                return f"{v.name}({self.part(v.rows.value, rows.value)}, {self.part(v.cols.value, cols.value)})", v.bound
            return None
        if choice == 9:
            a, x = self.expression(kind, rows, cols, depth)
            shift = self.random.randint(-5, 5)
            if "circshift" in FUNCTIONS:
                return f"circshift({a}, {shift}, {self.random.randint(1, 2)})", x
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
        a, x = self.expression(kind, r, c, depth)
        name = self.pick(names)
        text = f"{name}({a}, [], {d})" if name in ("max", "min") else f"{name}({a}, {d})"
        return text, growth(x, extent.upper or 1)

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
        return f"{v.name}({self.random.randint(1, v.rows.value)}, {self.pick([self.integer(1, v.cols.value), 'end'])})", \
            v.bound

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
            return f"sum({a}(:))", x * 1600 if x < 1e4 else 1e9
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
    applied("sort(#, 1)", "exact"),
    applied("sort(#, 2)", "exact"),
    applied("(#) / 2", "exact"),
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

FUNCTIONS = set()  # further built-ins that may be drawn


class Statements(Generator):
    """Statements over the expressions."""

    def kind(self):
        return self.pick(["logical", "exact", "exact", "exact", "real", "real"])

    def depth(self):
        return self.random.randint(1, 3)

    def program(self):
        if self.chance(0.4):
            value = self.random.choice([0, 1, 2, 3, 5, 8, 13, 21])
            name = self.fresh("n")
            self.nodes.append(Node(f"param {name} = {value}"))
            self.dims.append(Dim(name, value))
        for _ in range(self.random.randint(0, 2)):
            self.nodes.append(self.function())
        for _ in range(self.random.randint(2, 4)):
            self.nodes.append(self.new_variable())
        for _ in range(self.random.randint(2, 9)):
            self.nodes += self.statement(2)
        return Program(self.nodes, [v.name for v in self.variables])

    def function(self):
        """Elementwise in both arguments, so that it fits any two shapes that broadcast."""
        name = self.fresh("f")
        kind = self.pick(["exact", "real"])
        lines = []
        if self.chance(0.4):
            lines.append(Node("if nargin < 2", [Node("b = 3;")]))
        forms = ["a + b", "a - 2*b", "max(a, b) + 0", "a .* b", "mod(a + b, 7)"]
        lines.append(Node(f"t = {self.pick(forms)};"))
        if self.chance(0.5):
            k = self.random.randint(1, 4)
            lines.append(Node(f"for q = 1:{k}", [Node(self.pick(["t = mod(3*t + q, 11);", "t = abs(t - q);",
                                                                "t += a;"]))]))
        lines.append(Node("r = mod(t, 23);" if kind == "exact" else "r = tanh(t / 5);"))
        self.functions.append((name, kind, 23 if kind == "exact" else 1))
        return Node(f"function r = {name}(a, b)", lines)

    def new_variable(self):
        kind, rows, cols = self.kind(), self.dim(), self.dim()
        text, bound = self.expression(kind, rows, cols, self.depth())
        v = Variable(self.fresh(), rows, cols, kind, bound)
        node = Node(f"{v.name} = {text};")
        self.variables.append(v)
        return node

    def bounded(self, kind, text, bound, limit):
        if bound <= limit or kind == "logical":
            return text
        return f"mod({text}, {int(limit)})" if kind == "exact" else f"({limit} * tanh({text}))"

    def assign(self, v):
        text, bound = self.expression(v.kind, v.rows, v.cols, self.depth())
        limit = max(v.bound, 5.0)
        v.bound = limit
        return Node(f"{v.name} = {self.bounded(v.kind, text, bound, limit)};")

    def assign_part(self, v):
        if not (v.rows.at_least(1) and v.cols.at_least(1)):
            return self.assign(v)
        limit = max(v.bound, 5.0)
        choice = self.random.randrange(5)
        if choice == 0:
            m, _ = self.expression("logical", v.rows, v.cols, 1)
            text, bound = self.expression(v.kind, ONE, ONE, 1)
            target = f"{v.name}({m})"
        elif choice == 1 and (v.rows.value == 1 or v.cols.value == 1):
            n = v.rows.value * v.cols.value
            take = self.random.randint(1, min(n, 5))
            text, bound = self.expression(v.kind, ONE, Dim(str(take), take), 1)
            index = [str(self.random.randint(1, n)) for _ in range(take)]
            target = f"{v.name}([{', '.join(index)}])" if take > 1 else f"{v.name}({index[0]})"
        elif choice == 2:
            text, bound = self.expression(v.kind, ONE, ONE, 2)
            target = f"{v.name}({self.random.randint(1, v.rows.value)}, {self.random.randint(1, v.cols.value)})"
        else:
            r = self.random.randint(1, v.rows.value)
            c = self.random.randint(1, v.cols.value)
            i, j = self.straight(v.rows.value, r), self.straight(v.cols.value, c)
            scalar = self.chance(0.2)
            text, bound = self.expression(v.kind, ONE if scalar else Dim(str(r), r), ONE if scalar else Dim(str(c), c),
                                          2)
            target = f"{v.name}({i}, {j})"
            if self.chance(0.3) and v.kind == "real":
                v.bound = limit
                return Node(f"{target} {self.pick(['+=', '-='])} tanh({text});") if self.loops == 0 else \
                    Node(f"{target} = tanh({text});")
        v.bound = limit
        return Node(f"{target} = {self.bounded(v.kind, text, bound, limit)};")

    def straight(self, extent, wanted):
        """A subscript without duplicates."""
        if wanted == extent:
            return self.pick([":", "end:-1:1", f"1:{extent}"])
        first = self.random.randint(1, extent - wanted + 1)
        if wanted == 1:
            return str(first)
        return self.pick([f"{first}:{first + wanted - 1}", f"{first + wanted - 1}:-1:{first}"])

    def statement(self, nesting):
        choice = self.random.randrange(20)
        real_shapes = [v for v in self.variables if v.rows.value is not None and v.cols.value is not None]
        if choice < 4 or not real_shapes:
            return [self.new_variable()]
        if choice < 7:
            return [self.assign(self.pick(real_shapes))]
        if choice < 10:
            return [self.assign_part(self.pick(real_shapes))]
        if choice < 12 and nesting:
            return [self.branch(nesting)]
        if choice < 15 and nesting:
            return [self.loop(nesting)]
        if choice == 15:
            return self.two_results()
        if choice == 16 and self.loops == 0:
            return self.grown()
        if choice == 17:
            return self.slices()
        if choice == 18:
            return self.found()
        text, _ = self.expression("exact", ONE, ONE, 2)
        return [Node(f'printf("%g\\n", {text});')]

    def condition(self):
        if self.chance(0.15):
            text, _ = self.expression("exact", self.dim(), self.dim(), 1)
            return text
        text, _ = self.expression("logical", ONE, ONE, 2)
        return text

    def inner(self, nesting):
        """Statements of an arm or a body: they keep the shapes of what exists; what they make stays inside."""
        before = len(self.variables)
        nodes = []
        for _ in range(self.random.randint(1, 3)):
            fixed = [v for v in self.variables if v.rows.value is not None and v.cols.value is not None]
            choice = self.random.randrange(10)
            if choice < 4 and fixed:
                nodes.append(self.assign(self.pick(fixed)))
            elif choice < 7 and fixed:
                nodes.append(self.assign_part(self.pick(fixed)))
            elif choice == 7 and nesting:
                nodes.append(self.branch(nesting - 1))
            elif choice == 8 and nesting:
                nodes.append(self.loop(nesting - 1))
            else:
                nodes.append(self.new_variable())
        del self.variables[before:]
        return nodes

    def branch(self, nesting):
        children = self.inner(nesting)
        if self.chance(0.3):
            children.append(Node(f"elseif {self.condition()}"))
            children += self.inner(nesting)
        if self.chance(0.6):
            children.append(Node("else"))
            children += self.inner(nesting)
        return Node(f"if {self.condition()}", children)

    def loop(self, nesting):
        self.loops += 1
        name = self.fresh("k")
        trips = self.random.randint(0, 6)
        # what the loop changes is read by its own first trip: bounds must hold for all trips
        for v in self.variables:
            v.bound = max(v.bound, 5.0)
        form = self.random.randrange(6)
        counter = Variable(name, ONE, ONE, "exact", 50.0)
        self.counters.append(counter)
        body = self.inner(nesting)
        if self.chance(0.25):
            body.append(Node(f"if {self.condition()}", [Node(self.pick(["break;", "continue;"]))]))
        self.counters.remove(counter)
        self.loops -= 1
        if form <= 2:
            first = self.random.randint(-2, 3)
            step = self.pick([1, 1, 1, 2, -1])
            last = first + step * (trips - 1)
            bounds = f"{first}:{last}" if step == 1 else f"{first}:{step}:{last}"
            return Node(f"for {name} = {bounds}", body)
        if form <= 4:
            return Node("if true", [Node(f"{name} = 0;"),
                                    Node(f"while {name} < {trips}", [Node(f"{name} += 1;")] + body)])
        return Node("if true", [Node(f"{name} = 0;"),
                                Node("do", [Node(f"{name}++;")] + body, f"until {name} >= {trips}")])

    def two_results(self):
        found = [v for v in self.variables if v.kind == "exact" and v.rows.at_least(1) and v.cols.at_least(1)]
        if not found:
            return [self.new_variable()]
        v = self.pick(found)
        d = self.random.randint(1, 2)
        rows, cols = (ONE, v.cols) if d == 1 else (v.rows, ONE)
        a, b = Variable(self.fresh(), rows, cols, "exact", v.bound), Variable(self.fresh(), rows, cols, "exact", 40)
        if self.chance(0.4):
            a.rows, a.cols, b.rows, b.cols = v.rows, v.cols, v.rows, v.cols
            call = f"sort({v.name}, {d})"
        else:
            call = f"{self.pick(['max', 'min'])}({v.name}, [], {d})"
        self.variables += [a, b]
        if self.chance(0.2):
            self.variables.remove(a)
            return [Node(f"[~, {b.name}] = {call};")]
        return [Node(f"[{a.name}, {b.name}] = {call};")]

    def grown(self):
        """A vector that grows in a loop, perhaps not in every trip."""
        g, k = self.fresh("g"), self.fresh("k")
        trips = self.random.randint(0, 9)
        text, bound = self.expression("exact", ONE, ONE, 2)
        push = self.pick([f"{g}(end+1) = {text} + {k};", f"{g} = [{g}, {text} * {k}];"])
        body = [Node(push)]
        if self.chance(0.5):
            body = [Node(f"if mod({k}, {self.random.randint(2, 3)}) == 0", body)]
        v = Variable(g, ONE, Dim(f"numel({g})", None, trips), "exact", bound + 9 * max(1, bound))
        self.variables.append(v)
        return [Node(f"{g} = [];"), Node(f"for {k} = 1:{trips}", body)]

    def slices(self):
        """Leading parts whose length only a run knows."""
        found = [v for v in self.variables if v.kind != "logical" and v.rows.at_least(1) and v.cols.at_least(1)]
        if not found:
            return [self.new_variable()]
        v = self.pick(found)
        k = self.fresh("k")
        number, _ = self.expression("exact", ONE, ONE, 2)
        nodes = [Node(f"{k} = mod({number}, {v.cols.value + 1});")]
        self.variables.append(Variable(k, ONE, ONE, "exact", 50))
        choice = self.random.randrange(4)
        limit = max(v.bound, 5.0)
        if choice == 0:
            nodes.append(Node(f"{v.name}(:, 1:{k}) = {v.name}(:, {k}:-1:1);"))
        elif choice == 1:
            w = self.fresh()
            self.variables.append(Variable(w, v.rows, ONE, v.kind, v.bound * 40))
            nodes.append(Node(f"{w} = sum({v.name}(:, 1:{k}), 2);"))
        elif choice == 2:
            w = self.fresh()
            self.variables.append(Variable(w, v.rows, v.rows, v.kind, v.bound * v.bound * 40))
            nodes.append(Node(f"{w} = {v.name}(:, 1:{k}) * {v.name}(:, 1:{k})';"))
        else:
            w = self.fresh()
            self.variables.append(Variable(w, v.rows, Dim(f"columns({w})", None, v.cols.value), v.kind, v.bound * 2))
            nodes.append(Node(f"{w} = {v.name}(:, 1:{k}) + {v.name}(:, end-{k}+1:end);"))
        v.bound = limit
        return nodes

    def found(self):
        found = [v for v in self.variables if v.kind == "exact" and v.rows.at_least(1) and v.cols.at_least(1)]
        if not found:
            return [self.new_variable()]
        v = self.pick(found)
        w = self.fresh()
        m, _ = self.expression("logical", v.rows, v.cols, 2)
        if v.rows.value == 1:
            rows, cols = ONE, Dim(f"numel({w})", None, v.cols.value)
        else:
            rows, cols = Dim(f"numel({w})", None, v.rows.value * v.cols.value), ONE
        self.variables.append(Variable(w, rows, cols, "exact", max(v.bound, 1600)))
        return [Node(f"{w} = {self.pick([f'{v.name}({m})', f'find({m})'])};")]


def random_program(seed):
    generator = Statements(seed)
    return generator.program()


if __name__ == "__main__":
    import sys
    print(random_program(int(sys.argv[1])).text(), end="")
