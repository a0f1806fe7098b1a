"""Random loops over vectors on grids whose matrices are Kronecker sums and products of diagonals."""
import random

from tree import Node, Program

VECTORS = ("u", "v", "w")


class Stencils:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def number(self):
        return self.pick(["0.5", "0.25", "-0.5", "0.1", "1", "-1", "2", "0"])

    # -- matrices

    def diagonals(self, extent):
        """spdiags of numbers or columns, its offsets in any order and possibly beyond the matrix."""
        offsets = self.random.sample(range(-3, 4), self.random.randint(1, 4))
        if self.chance(0.7):
            offsets.sort()
        columns = [self.pick([f"{self.number()} * ones({extent}, 1)", f"mod((1:{extent})', 3)", f"0.1 * (1:{extent})'"])
                   for _ in offsets]
        return f"spdiags([{', '.join(columns)}], [{' '.join(map(str, offsets))}], {extent}, {extent})"

    def difference(self, extent):
        e = f"ones({extent}, 1)"
        columns = self.pick([f"[-{e}, 2 * {e}, -{e}]", f"{e} * [-1 2 -1]"])
        return f"spdiags({columns}, -1:1, {extent}, {extent})"

    def factor(self, extent):
        return self.pick([self.difference, self.difference, self.diagonals, lambda n: f"speye({n})"])(extent)

    def matrix(self, extents):
        if len(extents) == 1:
            text = self.factor(extents[0])
        else:
            at = self.random.randint(1, len(extents) - 1)
            fast, slow = extents[:at], extents[at:]
            eyes = [f"speye({' * '.join(part)})" for part in (fast, slow)]
            if self.chance(0.7):
                text = f"kron({eyes[1]}, {self.matrix(fast)}) {self.pick('+-')} kron({self.matrix(slow)}, {eyes[0]})"
            else:
                text = f"kron({self.matrix(slow)}, {self.matrix(fast)})"
        if self.chance(0.3):
            text = self.pick([f"({text})'", f"0.5 * ({text})", f"({text}) / 4", f"-({text})"])
        return text

    # -- loops

    def vector(self):
        return self.pick(VECTORS)

    def term(self):
        x = self.vector()
        return self.pick([x, x, f"{self.number()} * {x}", f"a * {x}", f"(A * {x})", f"0.125 * (A * {x})", f"(A' * {x})",
                          f"abs({x})", f"{x} ./ (2 + abs(d))", "f", f"min({x}, 1)"])

    def update(self):
        x = self.vector()
        choice = self.random.randrange(9)
        if choice < 4:
            return f"{x} = {x} {self.pick('+-')} {self.term()};"
        if choice < 6:
            return f"{x} = {self.term()} {self.pick('+-')} {self.term()};"
        if choice == 6:
            return f"{x} = max(0, {x} - {self.term()});"
        if choice == 7:
            return f"a = ({self.vector()}' * {self.vector()}) / (1 + t);"
        return self.pick([f"t = norm({x});", f"t = sum({x} .* {self.vector()}); t = abs(t);", f"a = max({x}) / (3 + t);"])

    def statement(self):
        if self.chance(0.1):
            return Node(f"if {self.pick(['t > 1', 'k > 2', 'a > 0'])}", [Node(self.update())], "end")
        if self.chance(0.05):
            return Node("for j = 1:2", [Node("if j == 2", [Node(f"best = {self.vector()};"),
                                                           Node(self.pick(["printf('');", self.update()]))], "end")], "end")
        if self.chance(0.05):
            return Node(self.pick([f"printf('%.6g\\n', sum({self.vector()}));", "s = u; u = v; v = s;"]))
        return Node(self.update())

    def condition(self):
        return self.pick(["t > 1", "k > 2", "a > 0", "t < 0.5", "a == 0", "isnan(t)", "s < t", "k == 1", "go"])

    def updates(self, most):
        return [Node(self.update()) for _ in range(self.random.randint(1, most))]

    def ending(self):
        """What ends the loop, now and then seen or not without work."""
        nodes = [Node(self.pick(["flag = 1;", "flag = 2;", "break", "go = false;"]))]
        if self.chance(0.3):
            nodes.insert(0, Node("printf('%d ends\\n', k);"))
        if self.chance(0.2):
            nodes.insert(0, Node(self.pick(["s = t;", f"{self.vector()} = {self.vector()};", self.update()])))
        return nodes

    def branch(self):
        """An arm that ends the loop, arms that make the same vector, or the best so far."""
        choice = self.random.randrange(5)
        if choice == 0:
            return [Node(f"if {self.condition()}", self.ending())]
        if choice < 3:
            inner = self.branch() if self.chance(0.3) else []
            arms = [(self.ending(), self.updates(3) + inner + self.updates(1))]
            arms += [(arms[0][1], arms[0][0])]
            yes, no = self.pick(arms)
            return [Node(f"if {self.condition()}", [*yes, Node("else"), *no])]
        x = self.vector()
        if choice == 3:
            return [Node(f"if {self.condition()}", [Node(f"{x} = {self.term()};"), Node("else"),
                                                   Node(f"{x} = {self.term()} + {self.term()};")])]
        return [Node(f"if {self.condition()}", [Node("s = t;"), Node(f"elseif {self.condition()}"),
                                               Node(f"best = {x};")])]

    def conjugate_gradients(self):
        """The order of updates that solvers have, with something changed."""
        lines = ["w = A * v;", "a = t / (1 + abs(v' * w));", "u += a * v;", "f -= a * w;", "s = t;", "t = f' * f;",
                 "v = f + (t / (1 + s)) * v;"]
        if self.chance(0.5):
            i = self.random.randrange(len(lines))
            lines[i] = self.pick([lines[i], self.update()])
        if self.chance(0.3):
            lines.insert(self.random.randrange(len(lines)), self.update())
        return [Node(line) for line in lines]

    def damped(self):
        lines = ["u = u + 0.2 * w ./ (2 + abs(d));", "w = f - A * u;", "t = norm(w);"]
        if self.chance(0.5):
            lines.insert(self.random.randrange(len(lines) + 1), self.update())
        return [Node(line) for line in lines]

    def body(self):
        choice = self.random.randrange(4)
        nodes = self.conjugate_gradients() if choice == 0 else self.damped() if choice == 1 else [
            self.statement() for _ in range(self.random.randint(1, 6))]
        while self.chance(0.4):
            at = self.random.randint(0, len(nodes))
            nodes[at:at] = self.branch()
        # Numbers stay of one size.
        return nodes + [Node(f"{x} = {x} / (1 + max(abs({x})));") for x in VECTORS if choice > 1 and self.chance(0.5)]

    def loop(self):
        head = self.pick([f"for k = 1:{self.random.randint(0, 4)}", "while k < 4 && t > 1e-3", "while t < 50 && k < 3",
                          "while flag == 0 && k < 4", "while go", "while go && k < 4",
                          "while k < 4 && t > 1e-3 && flag == 0"])
        body = self.body()
        if head.startswith("while"):
            body.insert(self.random.randint(0, len(body)), Node("k = k + 1;"))
        if head == "while go":
            body.append(Node("go = go && k < 4;"))
        return Node(head, body, "end")

    def program(self):
        extents = ["n", "m", "l"][:self.random.randint(1, 3)]
        sizes = {name: self.random.randint(2 if name == "n" else 1, 5) for name in extents}
        nodes = [Node(f"{name} = {self.pick([str(size), f'numel(find((1:{size}) > 0))'])};" if self.chance(0.4)
                      else f"param {name} = {size}") for name, size in sizes.items()]
        count = " * ".join(extents)
        nodes += [Node(f"A = {self.matrix(extents)};"), Node("d = full(diag(A));")]
        for i, x in enumerate((*VECTORS, "f")):
            nodes.append(Node(f"{x} = {self.pick([f'mod((1:{count})*{i + 2}, 5)', f'ones(1, {count})'])}';"))
        nodes += [Node("a = 0.5; t = 2; k = 0;"), Node("s = 1;"), Node("flag = 0; go = true;"), Node("best = u;")]
        nodes += [self.loop() for _ in range(self.random.randint(1, 2))]
        return Program(nodes, [*VECTORS, "f", "best", "a", "t", "s", "flag"])


def stencil_program(seed):
    return Stencils(seed).program()


if __name__ == "__main__":
    import sys
    print(stencil_program(int(sys.argv[1])).text(), end="")
