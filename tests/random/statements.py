"""Random statements over random expressions; everything that is assigned is printed at the end."""
import re

from edges import EDGES, too_large
from expressions import ONE, Dim, Generator, Variable
from forms import FORMS, pair_function
from tree import Node, Program

LOGICAL = re.compile(r"[<>=!&|]|\b(?:true|false|xor|any|all|is[a-z]+)\b")


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
            self.nodes.append(self.function() if self.chance(0.6) else pair_function(self))
        for _ in range(self.random.randint(2, 4)):
            self.nodes.append(self.new_variable())
            self.exactness.note(self.nodes[-1:])
        for _ in range(self.random.randint(2, 9)):
            self.nodes += self.statement(2)
        if self.edges and self.chance(0.06):
            self.nodes += too_large(self)
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
        node = Node(f"{v.name} = {self.of_class(kind, text)};")
        self.variables.append(v)
        return node

    def bounded(self, kind, text, bound, limit):
        if kind == "exact" and self.loops and self.exactness.bits(text):  # a loop would multiply the bits of fractions
            text = f"round({text})"
        if bound <= limit or kind == "logical":
            return text
        return f"mod({text}, {int(limit)})" if kind == "exact" else f"({limit} * tanh({text} / {limit}))"

    def assign(self, v):
        text, bound = self.expression(v.kind, v.rows, v.cols, self.depth())
        text = self.of_class(v.kind, text)
        limit = max(v.bound, 5.0)
        v.bound = limit
        return Node(f"{v.name} = {self.bounded(v.kind, text, bound, limit)};")

    def of_class(self, kind, text):
        """One class on every path, and at every trip."""
        return f"(0 + {text})" if kind != "logical" and self.may_be_logical(text) else text

    def may_be_logical(self, text):
        names = {v.name for v in self.variables if v.kind == "logical"}
        return LOGICAL.search(text) is not None or not names.isdisjoint(re.findall(r"\w+", text))

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
        nodes = self.made_statement(nesting)
        self.exactness.note(nodes)
        return nodes

    def made_statement(self, nesting):
        if self.chance(0.45) and (made := self.pick(FORMS)(self)):
            return made
        if self.edges and self.chance(0.3) and (made := self.pick(EDGES)(self)):
            return made
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
        before, dims, sparse = len(self.variables), list(self.dims), list(self.sparse)
        nodes = []
        for _ in range(self.random.randint(1, 3)):
            fixed = [v for v in self.variables if v.rows.value is not None and v.cols.value is not None]
            choice = self.random.randrange(13)
            if choice > 9:
                forms = self.pick([FORMS, FORMS, EDGES]) if self.edges else FORMS
                nodes += self.pick(forms)(self) or []
            elif choice < 4 and fixed:
                nodes.append(self.assign(self.pick(fixed)))
            elif choice < 7 and fixed:
                nodes.append(self.assign_part(self.pick(fixed)))
            elif choice == 7 and nesting:
                nodes.append(self.branch(nesting - 1))
            elif choice == 8 and nesting:
                nodes.append(self.loop(nesting - 1))
            else:
                nodes.append(self.new_variable())
            self.exactness.note(nodes)
        del self.variables[before:]
        self.dims, self.sparse = dims, sparse
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
        # an integer: Octave takes 1:2.5 for a subscript, with a warning
        nodes = [Node(f"{k} = mod(floor({number}), {v.cols.value + 1});")]
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
            # one slice: two may have two lengths for all that is known of a real k, and the product then any shape
            w, part = self.fresh(), self.fresh("x")
            self.variables.append(Variable(w, v.rows, v.rows, v.kind, v.bound * v.bound * 40))
            nodes += [Node(f"{part} = {v.name}(:, 1:{k});"), Node(f"{w} = {part} * {part}';")]
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


def random_program(seed, single=False, edges=False):
    return Statements(seed, single, edges).program()


if __name__ == "__main__":
    import sys
    print(random_program(int(sys.argv[1]), edges="--edges" in sys.argv).text(), end="")
