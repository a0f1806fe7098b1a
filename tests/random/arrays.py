"""Random programs of arrays with three and four dimensions: stores, pages, broadcasting, reductions, growth in loops."""
from draws import Draws
from tree import Node, Program

RESULTS = {"ra": "A(:)'", "rb": "B(:)'", "rg": "G(:)'", "rs": "s.f(:)'", "rm": "M", "sa": "size(A)", "sg": "size(G)"}


class Arrays(Draws):
    """Sums are divided, so that no rounding error grows from trip to trip. A and B are 2 x 3 x n, G is 2 x 3 x anything, M is 2 x 3, s.f is 3 x 2 x 2 x 2."""

    BOUNDS = ["1:n", "1:3", "2:3", "1:0", "3:-1:1", "1:size(G, 3)", "1:7"]

    def place(self, extent):
        c = self.counter()
        return self.pick(["1", extent, "end", f"mod({c}, {extent}) + 1", f"min({c}, {extent})"])

    def element(self):
        i, j, k = self.place("2"), self.place("3"), self.place("n")
        return self.pick([f"A({i}, {j}, {k})", f"B({i}, {j}, {k})", f"M({i}, {j})", f"G({i}, {j}, end)",
                          f"s.f({j}, {i}, {i}, 2)", f"A({i}, {j})", "A(end)", f"B({i})"])

    def scalar(self, depth=2):
        if depth == 0 or self.chance(0.5):
            return self.pick([self.element(), "t", "0.5", self.counter(), "numel(G) / 20", "size(G, 3) / 5", "sum(A(:)) / 30",
                              "max(B(:))", "sum(sum(sum(G))) / 30", "mean(s.f(:))", "ndims(s.f)"])
        a, b = self.scalar(depth - 1), self.scalar(depth - 1)
        return self.pick([f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"sin({a})", f"{a} / (1 + abs({b}))"])

    def page(self, depth=1):
        """2 x 3"""
        k = self.place("n")
        if depth == 0 or self.chance(0.6):
            return self.pick(["M", f"A(:, :, {k})", f"B(:, :, {k})", "G(:, :, end)", "sum(A, 3)", "mean(B, 3)",
                              "max(A, [], 3)", "squeeze(sum(s.f(:, :, 1, :), 4))'", "permute(s.f(:, :, 2, 1), [2 1])",
                              "reshape(s.f(:, :, 1), 2, 3)", "min(B, [], 3)"])
        a, b = self.page(depth - 1), self.page(depth - 1)
        return self.pick([f"({a} + {b})", f"({a} .* {b})", f"sin({a})", f"({a} - {self.scalar(1)})", f"max({a}, {b})"])

    def array(self, depth=2):
        """2 x 3 x n"""
        if depth == 0 or self.chance(0.4):
            return self.pick(["A", "B", "A(:, :, end:-1:1)", "B(end:-1:1, :, :)", "zeros(2, 3, n)", "ones(2, 3, n)",
                              "repmat(M, [1 1 n])", "circshift(A, 1, 3)", "circshift(B, [1 1 0])", "flip(A, 3)",
                              "cumsum(A, 3)", "sort(B, 2)", "permute(permute(A, [3 1 2]), [2 3 1])",
                              "cat(3, A(:, :, 1), B(:, :, 2:end))", "reshape(A(:), 2, 3, n)", "cumsum(B, 2)"])
        a = self.array(depth - 1)
        b = self.pick([self.array(depth - 1), self.page(0), "sum(A, 1)", "mean(B, 2)", "sum(sum(A, 1), 2) / 6", "[1 2 3]",
                       "[1; 2]", self.scalar(1), "reshape(1:n, 1, 1, n)", "max(A, [], 2)"])
        return self.pick([f"({a} + {b})", f"({a} .* {b})", f"({a} - {b})", f"sin({a})", f"({a} > {b})", f"max({a}, {b})",
                          f"{a} ./ (1 + abs({b}))", f"bsxfun(@minus, {a}, {b})"])

    def store(self):
        i, j, k = self.place("2"), self.place("3"), self.place("n")
        x, page = f"(sin({self.scalar()}) / 2)", f"(sin({self.page()}) / 2)"
        grows = self.pick([f"G(:, :, end + 1) = {page};", f"G({i}, {j}, size(G, 3)) = {x};"])
        return self.pick([
            f"A({i}, {j}, {k}) = {x};", f"A(:, :, {k}) = {page};", f"B = sin({self.array()}) / 2;", f"A = sin({self.array()}) / 2;",
            f"B(:, {j}, {k}) = {x};", f"B({i}, :, :) = sin(A({i}, :, :) + {x}) / 2;", f"A(A > {x}) = 0.5;", f"M = {page};",
            f"s.f({j}, {i}, 1, {i}) = {x};", f"s.f(:, {i}, 2, :) = {x};", f"t = {x};", f"A({i}, :, {k}) = {page}({i}, :);",
            f"B(:, :, {k}) += {page};", "B *= 0.5;", f"A(:, {j}, :) = B(:, {j}, :);", f"M = moved(A, {x});", grows,
            f"G(:, :, 1) = {page};", f"A(:) = sin(B(:) + {x}) / 2;", f"A(:, end:-1:1, {k}) = {page};", grows,
            f"[m, i0] = max(A, [], 3); M = sin(m + i0) / 2;", f"B({i}, {j}) = {x};", f"s.f(:, :, {i}, {i}) = {page}';"])

    def test(self):
        return f"{self.scalar(1)} > {self.scalar(1)}"

    def program(self):
        nodes = [Node(f"param n = {self.random.randint(2, 5)}"),
                 Node("function r = moved(a, d)", [Node("r = a(:, :, end) + d;"), Node("a(1, 1, 1) = d;"),
                                                   Node("r = sin(r + sum(a, 3) / 4) / 2;")]),
                 Node("A = reshape(mod((1:6 * n) * 7, 11), 2, 3, n) / 11; B = zeros(2, 3, n); M = ones(2, 3);"),
                 Node("for k = 1:n", [Node("B(:, :, k) = k * [1 2 3; 4 5 6] / 20;")]),
                 Node("G = ones(2, 3, 2); t = 0.5;"),
                 Node("s.f = reshape(sin(1:24), 3, 2, 2, 2);")]
        for _ in range(self.random.randint(1, 4)):
            nodes += [self.loop(2)] if self.chance(0.6) else self.block(2)
        for name, value in RESULTS.items():
            nodes.append(Node(f"{name} = {value};"))
        return Program(nodes, [*RESULTS, "t"])


def arrays_program(seed):
    return Arrays(seed).program()


if __name__ == "__main__":
    import sys
    print(arrays_program(int(sys.argv[1])).text(), end="")
