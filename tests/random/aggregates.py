"""Random programs of structs, cell arrays, arrays of structs and switch, read and changed in loops, branches and functions."""
from draws import Draws
from tree import Node, Program

RESULTS = {"sa": "s.a", "sv": "s.v", "sm": "s.m", "sx": "s.in.x", "sy": "s.in.y", "bw": "[b.w]", "bp": "[b.p]",
           "nb": "numel(b)", "c1": "c{1}", "c2": "c{2}", "c3": "c{3}"}


class Aggregates(Draws):
    BOUNDS = ["1:n", "1:3", "1:2", "2:3", "1:0", "1:numel(b)", "3:-1:1", "1:12"]

    def cell(self):
        c = self.counter()
        return self.pick(["1", "2", "3", "end", f"mod({c}, 3) + 1", f"min({c}, 3)", "k"])

    def body(self):
        c = self.counter()
        return self.pick(["1", "2", "numel(b)", "end", f"mod({c}, numel(b)) + 1", "k"])

    def scalar(self, depth=2):
        c = self.counter()
        if depth == 0 or self.chance(0.4):
            return self.pick(["s.a", "s.v(2)", "s.in.x", f"c{{{self.cell()}}}(1)", f"b({self.body()}).w",
                              f"b({self.body()}).p(1)", "t", "0.5", c, "numel(b)", "sum(s.v)", "h.f(2)", "norm(s.in.y)",
                              "g.tol", "numel(s.m)", f"numel(c{{{self.cell()}}})", "sum([b.w])"])
        a, b = self.scalar(depth - 1), self.scalar(depth - 1)
        return self.pick([f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"sin({a})", f"{a} / (1 + abs({b}))",
                          f"pick({a}, g)", f"mod({a}, 3)"])

    def bounded(self):
        return f"sin({self.scalar()})"

    def store(self):
        x, y = self.bounded(), self.bounded()
        return self.pick([
            f"s.a = {x};", f"s.a += {x};", f"s.v({self.pick('123')}) = {x};", f"s.v = [{x}; {y}; s.v(1)];",
            f"s.m(end + 1) = {x};" if self.chance(0.3) else f"s.m(1) = {x};", f"s.in.x = {x};", f"s.in.y *= 0.5;",
            f"s.in.y = s.in.y + {x};", f"c{{{self.cell()}}}(1) = {x};", f"c{{{self.cell()}}} = c{{{self.cell()}}} * 0.5;",
            f"c{{{self.cell()}}} += {x};", f"b({self.body()}).w = {x};", f"b({self.body()}).p(2) += {x};",
            f"b({self.body()}).p = [{x}; {y}];", f"t = {x};", "k = mod(k, 2) + 1;", f"s = moved(s, {x});",
            f"q = b({self.body()}); t = q.w + q.p(1);", "c([1 2]) = c([2 1]);", f"s.in = struct('x', {x}, 'y', s.in.y);",
            f"[s.a, t] = deal({x}, {y});", "t = sin(sum(cellfun(@numel, c)));", f"b({self.body()}) = b(1);"])

    def switch(self, depth):
        value, labels = self.pick([
            ("g.name", ["'cg'", "{'cg', 'pcg'}", "'lu'"]), (f"mod({self.counter()}, 4)", ["0", "{1, 2}", "3"]),
            ("k", ["1", "2", "{3, 4}"]), ("names{k}", ["'one'", "{'two', 'three'}", "'four'"])])
        nodes = []
        for label in labels[:self.random.randint(1, 3)]:
            nodes += [Node(f"case {label}")] + self.block(depth - 1)
        if self.chance(0.6):
            nodes += [Node("otherwise")] + self.block(depth - 1)
        return Node(f"switch {value}", nodes)

    def other(self, draw, depth):
        if draw < 0.65:
            return Node(f"b(end + 1) = struct('p', [{self.bounded()}; t], 'w', {self.bounded()});")
        return self.switch(depth) if draw < 0.75 else None

    def test(self):
        return f"{self.scalar(1)} > {self.scalar(1)}"

    def program(self):
        nodes = [Node(f"param n = {self.random.randint(1, 6)}"),
                 Node("function r = pick(x, g)", [Node("r = x * g.tol;"),
                                                  Node("if strcmp(g.name, 'cg')", [Node("r = r + 1;")])]),
                 Node("function s = moved(s, d)", [Node("s.v = s.v + d;"), Node("s.a = s.a / 2;")]),
                 Node("s = struct('a', 1, 'v', [1; 2; 3]); s.m = [1 2]; s.in.x = 0.25; s.in.y = [1 2; 3 4];"),
                 Node("k = 1;"), Node("t = 0.5;"),
                 Node("c = {1, [2 3], [1 2; 3 4]}; names = {'one', 'two'};"),
                 Node(f"g = struct('name', '{self.pick(['cg', 'lu', 'pcg'])}', 'tol', 0.5); h.f = @(x) x + s.a;")]
        if self.chance(0.5):
            nodes.append(Node("b(1).p = [1; 2]; b(1).w = 3; b(2) = struct('p', [0; 1], 'w', 2);"))
        else:
            nodes.append(Node("for i = 1:2", [Node("b(i).p = [i; 1]; b(i).w = i / 2;")]))
        nodes.append(Node("q = b(1);"))
        for _ in range(self.random.randint(1, 3)):
            nodes.append(self.loop(3) if self.chance(0.7) else self.switch(2))
        for name, value in RESULTS.items():
            nodes.append(Node(f"{name} = {value};"))
        return Program(nodes, [*RESULTS, "t", "k"])


def aggregates_program(seed):
    return Aggregates(seed).program()


if __name__ == "__main__":
    import sys
    print(aggregates_program(int(sys.argv[1])).text(), end="")
