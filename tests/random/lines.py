"""Random programs over matrices whose rows and columns are summed and then read again, at sizes around those of strips
and blocks."""
import random

from tree import Node, Program

COLUMNS, ROWS = ("u", "v"), ("w", "z")  # m x 1 and 1 x n
MATRICES = ("A", "B")
EXTENTS = [1, 2, 3, 5, 15, 16, 17, 31, 32, 33, 40, 64, 130]
LONG = [255, 256, 257, 300, 520]


class Lines:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def matrix(self):
        return self.pick(MATRICES)

    def bounded(self, matrix):
        """Elements between -1 and 1, whatever they were."""
        return self.pick([f"sin({matrix})", f"{matrix} ./ (1 + abs({matrix}))", f"max(min({matrix}, 1), -1)"])

    def changed(self, matrix):
        return self.pick([matrix, matrix, f"abs({matrix})", f"{matrix} .^ 2", f"({matrix} > 0.1)", f"({matrix} - 0.5)",
                          f"({matrix} .* {self.matrix()})", f"({matrix} + {self.pick([*COLUMNS, *ROWS])})"])

    def along(self, matrix, dim):
        """What a line of it comes to."""
        text = self.changed(matrix)
        return self.pick([f"sum({text}, {dim})", f"sum({text}, {dim})", f"mean({text}, {dim})", f"max({text}, [], {dim})",
                          f"min({text}, [], {dim})", f"sqrt(sum({text} .^ 2, {dim}))", f"any({text}, {dim})",
                          f"all({text}, {dim})", f"prod(0.5 + 0.1 * {text}, {dim})", f"std({text}, 0, {dim})"])

    def normalised(self):
        to, matrix, dim = self.matrix(), self.matrix(), self.pick([1, 2])
        return self.pick([
            [f"{to} = {matrix} ./ (1 + abs({self.along(matrix, dim)}));"],
            [f"{to} = {matrix} - {self.along(matrix, dim)} / 8;"],
            [f"E = exp({matrix} - max({matrix}, [], {dim}));", f"{to} = E ./ sum(E, {dim});"],
            [f"{to} = ({matrix} - mean({matrix}, {dim})) ./ (1 + std({matrix}, 0, {dim}));"],
            [f"[h, at] = max({matrix}, [], {dim});", f"{to} = {matrix} - 0.5 * h; t = sum(at(:));"],
            [f"h = {self.along(matrix, dim)};", f"{to} = {matrix} .* ({matrix} > h); t = sum(h(:));"],
            [f"h = {self.along(matrix, dim)};", "g = h .^ 2 + 1;", f"{to} = {matrix} ./ g;"],
        ])

    def vector(self):
        names, dim = self.pick([(COLUMNS, 2), (ROWS, 1)])
        return [f"{self.pick(names)} = {self.along(self.matrix(), dim)} / 4;"]

    def product(self):
        a, x, y = self.matrix(), self.pick(ROWS), self.pick(COLUMNS)
        scale = f"(1 + norm({a}, 'fro'))"
        residual = self.pick([f"{a} * {x}'", f"({a} * {x}' - {y})", f"max({a} * {x}', 0)", f"({y} .* ({a} * {x}'))"])
        back = self.pick([f"{a}' * {y}", f"({a}' * {y} - {x}')", f"abs({a}' * {y})"])
        b = self.pick([a, a, self.matrix()])
        return self.pick([
            [f"{x} = ({b}' * {residual})' / {scale} ^ 2;"],
            [f"h = {residual} / {scale};", f"{x} = 0.5 * {x} - (({b}' * h) / {scale})'; t = h' * h;"],
            [f"{y} = {b} * ({back}) / {scale} ^ 2;"],
            [f"h = {back} / {scale};", f"{y} = {y} - 0.1 * ({b} * h) / {scale}; t = sum(h);"],
            [f"{x} = ({residual})' * {b} / {scale} ^ 2;"],
        ])

    def statement(self):
        return self.pick([self.normalised, self.normalised, self.vector, self.product, self.product])()

    def body(self):
        lines = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement()
        if self.chance(0.2):
            lines.insert(self.random.randrange(len(lines) + 1), f"if t > 1, {self.matrix()}(1, :) = 0.25; end")
        for matrix in MATRICES:
            lines.append(f"{matrix} = {self.bounded(matrix)};")
        return [Node(line) for line in lines]

    def extent(self, name, size):
        how = self.random.randrange(3)
        if how == 0:
            return Node(f"param {name} = {size}")
        return Node(f"{name} = {size};" if how == 1 else f"{name} = numel(find((1:{size}) > 0));")

    def program(self):
        m, n = self.pick(EXTENTS), self.pick(EXTENTS)
        if self.chance(0.3):
            m, n = self.pick([(self.pick(LONG), self.pick(EXTENTS[:8])), (self.pick(EXTENTS[:8]), self.pick(LONG))])
        nodes = [self.extent("m", m), self.extent("n", n),
                 Node("A = sin((1:m)' * 0.7 + (1:n) .^ 2);"), Node("B = cos((1:m)' .* (1:n));"),
                 Node("u = cos(1:m)'; v = ones(m, 1); w = sin(1:n); z = (1:n) / n; t = 0.5;")]
        if self.chance(0.5):
            nodes.append(Node(f"for k = 1:{self.random.randint(0, 3)}", self.body(), "end"))
        nodes += self.body()
        nodes += [Node(f"s{x} = [sum({x}(:)), {x}(1), {x}(end), sum(sum({x}, 1) .* (1:size({x}, 2))), numel({x})];")
                  for x in (*MATRICES, *COLUMNS, *ROWS)]
        return Program(nodes, [f"s{x}" for x in (*MATRICES, *COLUMNS, *ROWS)] + ["t"])


def lines_program(seed):
    return Lines(seed).program()


if __name__ == "__main__":
    import sys
    print(lines_program(int(sys.argv[1])).text(), end="")
