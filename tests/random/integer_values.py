"""Random programs of integer classes: scalars and matrices in expressions, stores, concatenations, loops, branches and
functions, near the limits of the classes."""
from draws import Draws
from tree import Node, Program

CLASSES = ["int8", "uint8", "int16", "uint16", "int32", "uint32"]
RESULTS = ["p", "q", "r", "s", "d", "total", "sizes", "names"]


class IntegerValues(Draws):
    BOUNDS = ["1:n", "1:3", "1:0", "1:numel(s)", "3:-1:1"]
    INTEGER_BOUNDS = ["p:p", "q:-2:q", "r", "max(min(p, 3), -2):3"]

    def loop(self, depth):
        """Loop variables of integer classes have names of their own: a variable is of one class."""
        integers = self.chance(0.3)
        self.COUNTERS, own = ("uvw", self.INTEGER_BOUNDS) if integers else ("jkl", type(self).BOUNDS)
        self.BOUNDS = own
        return super().loop(depth)

    def number(self):
        return self.pick(["1", "2", "3", "-1", "0.5", "-2.5", "100", "0", "1e5", "7", "-3", "NaN", "Inf", "0.1", "true"])

    def same(self, depth):
        """Of the class of the program."""
        c = self.counter()
        if depth == 0 or self.chance(0.25):
            return self.pick(["p", "q", "r(1)", "r(end)", f"{self.kind}({c})", f"r({self.place()})", f"{self.kind}({self.number()})",
                              f"intmax('{self.kind}')", f"intmin('{self.kind}')"])
        a, b = self.same(depth - 1), self.same(depth - 1)
        x = self.pick([b, b, self.number(), self.number(), f"double({b})", "d", f"(d + {self.number()})"])
        return self.pick([f"({a} + {x})", f"({x} - {a})", f"({a} * {x})", f"({a} / {x})", f"({x} \\ {a})", f"-({a})", f"abs({a})",
                          f"mod({self.dividend(a)}, {b})", f"rem({self.dividend(a)}, {b})", f"min({a}, {x})", f"max({x}, {a})", f"{a} ^ {self.pick('0123')}",
                          f"{self.pick('23')} ^ {a}", f"idivide({a}, {b}, '{self.pick(['fix', 'floor', 'ceil', 'round'])}')",
                          f"bitand({a}, {b})", f"bitxor({a}, {b})", f"bitor({a}, {b})", f"bitshift({a}, {self.pick(['1', '2', '-1', '-3', '9'])})",
                          f"sign({a})", f"half({a})", f"{self.kind}({self.number()})", f"max({self.row(0)})", f"min({self.row(1)})",
                          f"merge(any({self.test()}), {a}, {b})", f"{self.kind}({self.other_kind}({a}))", f"bitcmp({a})"])

    def dividend(self, text):
        """Octave ends itself (SIGFPE) at the remainder of the least integer and -1."""
        return f"max({text}, -100)"

    def place(self):
        c = self.counter()
        return self.pick(["1", "2", "end", f"mod(double({c}(1)), 3) + 1", f"min({c}(1), 3)", f"{self.kind}(2)"])

    def row(self, depth=2):
        if depth == 0 or self.chance(0.25):
            return self.pick(["r", f"[p q {self.number()}]", "r(end:-1:1)", f"{self.kind}([1 2 3])", f"{self.kind}(d * [1 -2 3])",
                              f"r(uint8([3 1 2]))", f"[{self.kind}(1) r(2:3)]"])
        a, b, x = self.row(depth - 1), self.row(depth - 1), self.same(depth - 1)
        return self.pick([f"({a} + {b})", f"({a} - {b})", f"{a} .* {b}", f"{a} ./ {b}", f"{a} * {x}", f"{a} / {x}", f"{x} - {a}",
                          f"sort({a})", f"fliplr({a})", f"{a} .^ {self.pick('0123')}", f"mod({self.dividend(a)}, {b})", f"-({a})", f"{a} * d",
                          f"bitxor({a}, {b})", f"max({a}, {b})", f"({a})(:)'", f"({a} > {b}) + {x}", f"circshift({a}, 1)",
                          f"[{x} ({a})(1:2)]", f"reshape({a}, 1, 3)", f"cummax({a})", f"abs({a})", f"{a} * 0.3", f"half({a})"])

    def test(self):
        return self.pick(["p > q", "q < 3", f"mod(double({self.counter()}(1)), 2) == 0", "p == q", "any(r)", "all(r > 1)", "r(2) != d",
                          "isequal(r, sort(r))", "n > 2", "p", "r", "!q"])

    def store(self):
        return self.pick([f"p = {self.same(2)};", f"q = {self.same(2)};", f"r = {self.row()};", f"r({self.place()}) = {self.same(2)};",
                          f"r({self.place()}) = {self.number()};", f"p += {self.same(1)};", f"q -= {self.number()};", f"r *= {self.number()};",
                          f"d = double({self.same(1)}) / 7;", f"total = total + sum({self.row(1)});", "p++;", "q--;",
                          f"s(end + 1) = {self.same(1)};", f"t.a = {self.same(1)};", "q = t.a;", f"[p, q] = swapped(q, {self.same(1)});",
                          f"r(r > {self.pick(['p(1)', 'q(1)', '2'])}) = {self.number()};", f"r([1 3]) = {self.row(0)}(2:3);", f"d = mean({self.row(1)});",
                          f"total += double({self.same(1)});", f"p = cast({self.same(1)}, '{self.kind}');"])

    def program(self):
        self.kind, self.other_kind = self.pick(CLASSES), self.pick(CLASSES)
        kind = self.kind
        nodes = [Node(f"param n = {self.random.randint(1, 5)}"),
                 Node("function r = half(x)", [Node("r = x / 2;"), Node("if x(1) > 0", [Node("r = r + 1;")])]),
                 Node("function [a, b] = swapped(x, y)", [Node("a = y;"), Node("b = x;")]),
                 Node(f"p = {kind}({self.number()}); q = {kind}({self.pick(['3', '120', '-7'])}); d = 1.5; total = 0;"),
                 Node(f"r = {kind}([1 -2 300]); s = {kind}([]); t.a = {kind}(5);")]
        for _ in range(self.random.randint(3, 5)):
            nodes.append(self.loop(3) if self.chance(0.6) else Node(self.store()))
        nodes.append(Node("sizes = [size(p) size(r) size(s)];"))
        nodes.append(Node("names = [double(class(p)) double(class(r)) double(class(s))];"))
        return Program(nodes, RESULTS)


def integer_program(seed):
    return IntegerValues(seed).program()


if __name__ == "__main__":
    import sys
    print(integer_program(int(sys.argv[1])).text(), end="")
