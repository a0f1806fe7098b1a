"""Random programs of loops over elements: stores that read old elements, positions that the run finds, bounds by min and
max, small fixed matrices, rows of sparse matrices; and now and then a position that is none."""
import random

from tree import Node, Program

VECTORS = ("x", "y")
EXTENTS = [1, 2, 3, 4, 5, 8, 9, 16, 17, 33]
SMALL = ("S", "T")  # 3 x 3
SHORT = ("q", "r")  # 3 x 1


class Loops:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counters = []  # loop variables at hand, the outermost first

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    # -- positions

    def counter(self):
        return self.pick(self.counters) if self.counters else "n"

    def inside(self):
        """A position from 1 to n, as the program text tells or as the run finds."""
        c = self.counter()
        return self.pick([c, c, f"n + 1 - {c}", f"min({c} + {self.pick('123')}, n)", f"max({c} - {self.pick('12')}, 1)",
                          f"p({c})", f"p({c})", f"mod({c} * {self.pick('357')}, n) + 1", "k", f"p(p({c}))",
                          f"floor(abs(sin(t)) * n) + 1", f"min(max(round(x({c}) * 9), 1), n)", "1", "n", "end"])

    def position(self):
        c = self.counter()
        if self.chance(0.03):
            return self.pick([f"{c} + 1", f"{c} - 1", f"{c} / 2", "0", "k + 1", "n + 1", f"2 * {c}", f"0 / ({c} - 2)"])
        return self.inside()

    # -- scalars

    def read(self):
        return self.pick([f"{self.pick(VECTORS)}({self.position()})", f"{self.pick(VECTORS)}({self.position()})",
                          f"A({self.position()}, {self.column()})", f"{self.pick(SHORT)}({self.pick('123')})",
                          f"{self.pick(SMALL)}({self.pick('123')}, {self.pick('123')})", self.of_sparse()])

    def column(self):
        return self.pick(["1", "2", "3", f"mod({self.counter()}, 3) + 1"])

    def of_sparse(self):
        i = self.inside().replace("end", "n")
        return self.pick([f"full(L({i}, {self.inside().replace('end', 'n')}))", f"full(L({i}, :) * z)", f"full(L(:, {i})' * z)",
                          f"full(L({i}, 1:{i}) * z(1:{i}))"])

    def scalar(self, depth=2):
        if depth == 0 or self.chance(0.4):
            return self.pick([self.read(), self.read(), "t", "0.5", "k / 3", self.counter()])
        a, b = self.scalar(depth - 1), self.scalar(depth - 1)
        return self.pick([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"max({a}, {b})", f"min({a}, {b})",
                          f"abs({a})", f"sin({a})", f"{a} / (1 + abs({b}))", f"mod({a}, 3)", f"floor({a})"])

    def bounded(self):
        value = self.scalar()
        return self.pick([f"sin({value})", f"{value} / (1 + abs({value}))", f"max(min({value}, 2), -2)"])

    def condition(self):
        a, b = self.scalar(1), self.scalar(1)
        return self.pick([f"{a} > {b}", f"{a} <= {b}", f"mod({self.counter()}, 2) == 0", f"{self.counter()} < n",
                          f"{a} > 0 && {b} < 1", f"{self.counter()} > 1 || {a} > 0"])

    # -- statements

    def store(self):
        v, i = self.pick(VECTORS), self.position()
        return self.pick([
            f"{v}({i}) = {self.bounded()};", f"{v}({i}) = {self.bounded()};",
            f"{v}({i}) = sin({v}({i}) + {self.read()});", f"{v}({i}) += 0.1 * {self.bounded()};",
            f"A({i}, {self.column()}) = {self.bounded()};", f"t = {self.bounded()};", "k = mod(k + 1, n) + 1;",
            f"z({self.counter()}) = {self.bounded()};",
            f"h = {v}({i}); {v}({i}) = {v}(1); {v}(1) = h;", f"t = t / 2 + {self.read()} / 4;"])

    def small(self):
        a, b, q = self.pick(SMALL), self.pick(SMALL), self.pick(SHORT)
        return self.pick([
            f"{a} = sin({a} * {b} / 8 + 0.1);", f"{q} = {a} * {q} / (1 + norm({q}));", f"{a} = {a}' * 0.5 + eye(3) * 0.1;",
            f"{a}({self.pick('123')}, :) = {q}' / 2;", f"{q} = ({a} + 4 * eye(3)) \\ {q};", f"t = sin({q}' * {a} * {q});",
            f"{q} = [{self.bounded()}; {self.pick(SHORT)}(2:3)];", f"t = sin(det({a}));",
            f"{a} = {q} * {self.pick(SHORT)}' / 2;", f"{q}({self.pick('123')}) = {self.bounded()};",
            f"t = max({q}) - min({a}(:));", f"{q} = sort({q});", f"[t, k2] = max({q}); {q}(k2) = t / 2;"])

    def lines(self):
        """Rows and columns of A that are combined with each other."""
        i, j = self.inside().replace("end", "n"), self.inside().replace("end", "n")
        turn = self.pick(["[0.6 0.8; -0.8 0.6]", "[cos(t) sin(t); -sin(t) cos(t)]", "[0 1; 1 0]'", "S(1:2, 2:3)"])
        c = self.counter()
        rows = self.pick([f"[{i} {j}]", f"[{c} {c}]", f"[max({c} - 1, 1) {c}]", f"[min({c} + 1, n), {c}]", f"{c}:{c} + 1"])
        cols = self.pick([":", "2:3", "1:2", "[3 1]"])
        return self.pick([
            f"A({rows}, {cols}) = {turn} * A({rows}, {cols});", f"A(:, [1 3]) = A(:, {self.pick(['[3 1]', '1:2'])}) * {turn};",
            f"A({i}, {cols}) = A({i}, {cols}) - A({i}, 1) / (2 + abs(A({j}, 1))) * A({j}, {cols}) / 4;",
            f"A({i}, :) /= 1 + abs(A({i}, 2));", f"A({i}, {cols}) -= A({i}, 3) * A({j}, {cols}) / 8;"])

    def counted(self, depth):
        """A counter that falls or rises, and a condition that says where it is, or nearly."""
        c, v = f"d{len(self.counters)}", self.pick(VECTORS)
        falls = self.chance(0.5)
        start = self.pick(["n", "n - 1", "k", "numel(x)"] if falls else ["1", "1", "k", "2"])
        bound = self.pick(["> 0", ">= 1", ">= 2", "> 1"] if falls else ["<= n", "< n", f"<= numel({v})", "< n - 1"])
        if self.chance(0.05):
            bound = ">= 0" if falls else "<= n + 1"
        guard = self.pick(["", f" && {v}({c}) > -2", f" && {v}({c}) < {self.read()}"])
        step = self.pick([f"{c} = {c} {'-' if falls else '+'} 1;", f"{c} {'-' if falls else '+'}= {self.pick('12')};",
                          f"{c}{'--' if falls else '++'};"])
        self.counters.append(c)
        body = self.block(depth - 1)
        if self.chance(0.6):
            near = f"{c} + 1" if falls else self.pick([f"{c} - 1", c])
            body.append(Node(f"{v}({near}) = {v}({c}) / 2;" if self.chance(0.7) else f"t = t / 2 + {v}({c}) / 4;"))
        self.counters.pop()
        body = [Node(step), *body] if self.chance(0.2) or continues(body) else [*body, Node(step)]
        return Node(f"{c} = {start}; while {c} {bound}{guard}", body)

    def grown(self):
        return self.pick(["g(end + 1) = t;", f"g({self.counter()}) = t;", f"g(end + 1) = {self.bounded()};", self.taken_off(),
                          self.taken_off()])

    def taken_off(self):
        """What leaves the end of a vector, or of a matrix of columns."""
        return self.pick(["if numel(g) > 1, t = sin(g(end)); g(end) = []; end", "g = g(1:max(numel(g) - 1, 1));",
                          "if numel(g) > 3, g(end - 1:end) = []; end", "g(min(k, numel(g)) + 1:end) = [];",
                          "o = g; if numel(g) > 2, g(end) = []; end, t = sin(sum(o) - g(1));", "w(:, end + 1) = [t; k];",
                          "w = [w, [k; t]];", "if size(w, 2) > 1, t = sin(w(1, end)); w(:, end) = []; end",
                          "w = w(:, 1:min(k + 1, size(w, 2)));"])

    def block(self, depth):
        nodes = []
        for _ in range(self.random.randint(1, 3)):
            draw = self.random.random()
            if draw < 0.45 or depth == 0:
                nodes.append(Node(self.store()))
            elif draw < 0.55:
                nodes.append(Node(self.small()))
            elif draw < 0.6:
                nodes.append(Node(self.lines()))
            elif draw < 0.64:
                nodes.append(Node(self.grown()))
            elif draw < 0.8:
                nodes.append(self.branch(depth))
            else:
                nodes.append(self.counted(depth) if self.chance(0.25) else self.loop(depth))
        return nodes

    def branch(self, depth):
        arms = self.block(depth - 1)
        if self.chance(0.4):
            arms += [Node("else")] + self.block(depth - 1)
        elif self.chance(0.2):
            arms += [Node(self.pick(["break;", "continue;"]))] if self.counters else []
        return Node(f"if {self.condition()}", arms)

    def loop(self, depth):
        name = "ijlm"[len(self.counters)]
        c = self.counter()
        bounds = self.pick(["1:n", "1:n", "2:n", "1:n - 1", "n:-1:1", "n:-1:2", "1:2:n", f"1:min({c} + 1, n)",
                            f"max({c} - 1, 1):n", f"max(1, {c} - 2):min(n, {c} + 2)", f"n:-1:p({c})", f"p({c}):n",
                            "1:k", f"{c}:n", "1:0"])
        self.counters.append(name)
        body = self.block(depth - 1)
        self.counters.pop()
        if depth > 1 and self.chance(0.1):
            count = f"u{len(self.counters)}"
            return Node(f"{count} = 0; while {count} < 4 && ({self.condition()})", [*body_without(body), Node(f"{count}++;")])
        return Node(f"for {name} = {bounds}", body)

    def program(self):
        n = self.pick(EXTENTS)
        nodes = [Node(self.pick([f"param n = {n}", f"n = {n};", f"n = numel(find((1:{n}) > 0));"])),
                 Node("x = sin((1:n)' * 1.3); y = cos((1:n)'); z = y / 2; A = sin((1:n)' * [1 2 3]); t = 0.5; k = 1; h = 0; k2 = 1;"),
                 Node("p = mod((1:n)' * 7, n) + 1;" if self.chance(0.5) else "p = floor(abs(sin((1:n)')) * n) + 1;"),
                 Node("S = sin([1 2 3; 4 5 6; 7 8 9]); T = cos([3 1 2; 5 8 7; 2 2 1]); q = [1; -0.5; 0.25]; r = [0; 1; 2] / 3;"),
                 Node("L = sparse([1:n, 1:n], [1:n, mod((1:n) * 3, n) + 1], [sin(1:n), 2 * ones(1, n)], n, n); g = 0.25; w = zeros(2, 0);")]
        for _ in range(self.random.randint(1, 3)):
            nodes.append(self.loop(3))
        return Program(nodes, ["x", "y", "z", "A", "S", "T", "q", "r", "t", "k", "g", "w"])


def body_without(body):
    """Statements that name no variable of a loop that is not there: what a while keeps of a body for a for."""
    return [node for node in body if node.children is None and not any(f"{c}" in node.head for c in "ijlm")]


def continues(body):
    return any(node.head == "continue;" or continues(node.children or []) for node in body)


def loops_program(seed):
    return Loops(seed).program()


if __name__ == "__main__":
    import sys
    print(loops_program(int(sys.argv[1])).text(), end="")
