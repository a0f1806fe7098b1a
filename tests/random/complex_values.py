"""Random programs of complex scalars, vectors and matrices: in expressions, stores, loops, branches and functions; values that
turn complex there, and complex values whose imaginary parts turn out zero."""
from draws import Draws
from tree import Node, Program

SCALARS, VECTORS = ["z", "w"], ["u", "v"]
RESULTS = {"rz": "real(z)", "iz": "imag(z)", "rw": "real(w)", "iw": "imag(w)", "ru": "real(u)", "iu": "imag(u)",
           "rv": "real(v)", "iv": "imag(v)", "rm": "real(M)", "im": "imag(M)", "rq": "real(q)", "iq": "imag(q)",
           "nu": "numel(u)"}


class ComplexValues(Draws):
    BOUNDS = ["1:n", "1:3", "2:3", "1:0", "1:numel(u)", "3:-1:1", "1:6"]
    COUNTERS = "jkl"

    def number(self):
        return self.pick(["1", "0.5", "2i", "-1.5i", "1i", "(1 + 2i)", "(0.5 - 1i)", "3", "-2", "pi", "complex(2, 1)"])

    def scalar(self, depth=2):
        c = self.counter()
        if depth == 0 or self.chance(0.3):
            return self.pick(["z", "w", "z", "w", f"u({self.place()})", f"v({self.place()})", "M(1, 2)", "M(2)", self.number(),
                              c, "q", "numel(u)", "s.a"])
        a, b = self.scalar(depth - 1), self.scalar(depth - 1)
        return self.pick([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"{a} / (2.5 + abs({b}))", f"({a}) * conj({b})",
                          f"abs({a})", f"real({a})", f"imag({a})", f"exp(-abs({a})) * {b}", f"exp(1i * real({a}))",
                          f"({a})'", f"({a}).'", f"-({a})", f"half({a})", f"sqrt(4 + abs({a})) * {b}", f"sum({self.vector(1)})",
                          f"({a}) ^ 2", f"merge({self.test()}, {a}, {b})", f"dot({self.vector(0)}, {self.vector(0)}) / 9",
                          f"mean({self.vector(1)})", f"norm({self.vector(0)})", f"({a}) / (3 + 1i)", f"cos(0.1 * real({a})) + 1i"])

    def place(self):
        c = self.counter()
        return self.pick(["1", "2", "end", f"mod({c}, 3) + 1", f"min({c}, 3)"])

    def vector(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.pick(["u", "v", "M(:, 1)", "M * [1; 1i; 0.5]", "[z; w; 1]", "v(:)", "u(end:-1:1)"])
        a, b, x = self.vector(depth - 1), self.vector(depth - 1), self.scalar(depth - 1)
        return self.pick([f"({a} + {b})", f"({a} - {b})", f"{a} .* {b}", f"{a} * ({x})", f"{a} ./ (3 + abs({b}))",
                          f"conj({a})", f"real({a})", f"abs({a}) .* {b}", f"M * ({a}) / 4", f"M' * ({a}) / 4",
                          f"(({a})' * M).' / 4", f"cumsum({a}) / 3", f"fft({a}) / 3", f"ifft({a})", f"flipud({a})",
                          f"[({a})(1:2); {x}]", f"exp(-abs({a})) .* {b}", f"({a}) .^ 2 / 9", f"circshift({a}, 1)",
                          f"M \\ ({a})", f"diag(M) + {a}"])

    def test(self):
        return self.pick(["abs(z) > 1", "real(w) < 0.5", "imag(z) > imag(w) + 0.0123", "abs(u(1)) < abs(v(2))", "iscomplex(3)",
                          f"mod({self.counter()}, 2) == 0", "z == w", "z != w", "any(u)", "all(v)", "isreal(abs(z))"])

    # Magnitudes stay near 1, so that no rounding error grows.
    def bounded(self, x):
        return f"({x}) / (1 + abs({x}))"

    def bounded_vector(self, x):
        return f"({x}) / (1 + max(abs({x})))"

    def column(self):
        return self.bounded_vector(self.vector(0))

    def store(self):
        x, a = self.bounded(self.scalar()), self.bounded_vector(self.vector())
        return self.pick([f"z = {x};", f"w = {x};", f"q = {x};", f"u = {a};", f"v = {a};", f"u({self.place()}) = {x};",
                          f"v({self.place()}) = {x};", f"v(1:2) = {x};", f"M(1, 1) = 4 + {x};", "z = real(z);", "q = 1;",
                          f"u({self.place()}) += {x};", "z *= 1i;", "[z, w] = swapped(z, w);", f"s.a = {x};",
                          f"M = 4 * eye(3) + {self.column()} * ({self.column()})' / 9;", f"q = {self.pick(['1', '0.5'])} + {x};",
                          "z -= w;", f"u = sort({a});" if self.chance(0.1) else f"u = {a};", f"z = max({self.vector(0)}) / 3;"
                          if self.chance(0.1) else f"w = {x};"])

    def program(self):
        nodes = [Node(f"param n = {self.random.randint(1, 5)}"),
                 Node("function r = half(x)", [Node("r = x / 2;"), Node("if real(x) > 0", [Node("r = r + 1i;")])]),
                 Node("function [a, b] = swapped(x, y)", [Node("a = y;"), Node("b = x;")]),
                 Node(f"z = {self.number()}; w = {self.pick(['1', '2i', '0.5 - 1i'])}; q = {self.pick(['1', '1i'])};"),
                 Node("u = [1; 2i; -1]; v = [0.5; 1; 2]; s.a = 1;"),
                 Node(f"M = [4 {self.number()} 0; 1i 5 {self.pick(['1', '-1i'])}; 0 0.5 6];")]
        for _ in range(self.random.randint(2, 4)):
            nodes.append(self.loop(3) if self.chance(0.6) else Node(self.store()))
        for name, value in RESULTS.items():
            nodes.append(Node(f"{name} = {value};"))
        return Program(nodes, list(RESULTS))


def complex_program(seed):
    return ComplexValues(seed).program()


if __name__ == "__main__":
    import sys
    print(complex_program(int(sys.argv[1])).text(), end="")
