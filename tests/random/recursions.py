"""Random programs of functions that call themselves and each other to a depth that the run finds: of numbers, of several
results, of rows that grow, with loops and conditions around the calls, with counters that calls share."""
import random

from tree import Node, Program

RESULTS = ["a", "b", "c", "v", "w", "total", "count"]


class Recursions:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def number(self, depth=2):
        """Of k, how deep it still goes, and x; bounded where x is."""
        if depth == 0 or self.chance(0.3):
            return self.pick(["x", "k", "t", "0.5", "1", "x / 2", "mod(k, 3)", "sin(k)"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.pick([f"({a} + {b}) / 2", f"{a} - {b}", f"sin({a})", f"max({a}, {b})", f"abs({a})", f"mod({a}, 5)",
                          f"floor({a})", f"merge({self.test()}, {a}, {b})", f"tanh({a} * {b})"])

    def test(self):
        return self.pick(["x > 0", "mod(k, 2) == 0", "k > 2", "x < 1", "t > 0.2", "k == 3", "abs(x) > 0.5", "true", "x > 0 && k > 1",
                          "mod(k, 2) || x < 0"])

    def less(self, most=2):
        return self.pick(["k - 1", "k - 1", "k - 2", "max(k - 2, 0)", "floor(k / 2)" if most > 1 else "k - 1", "min(k - 1, 3)"])

    def call(self):
        return f"{self.pick(self.callable)}({self.less()}, {self.number(1)})"

    def of_calls(self):
        """An expression with one or two calls."""
        if self.chance(0.4):
            return self.pick([f"({self.call()} + {self.call()}) / 2", f"max({self.call()}, {self.call()})",
                              f"sin({self.call()}) - {self.call()} / 3", f"{self.pick(self.callable)}({self.less()}, {self.call()})"])
        return self.pick([f"{self.call()} + {self.number(1)}", f"sin({self.call()})", f"{self.number(1)} - {self.call()} / 2",
                          f"mod({self.call()}, 3)", f"tanh({self.call()}) * {self.number(1)}", self.call()])

    def step(self):
        """A statement of a function of numbers."""
        draw = self.random.random()
        if draw < 0.25:
            return Node(f"t = {self.number()};")
        if draw < 0.5:
            return Node(f"r = {self.of_calls()};")
        if draw < 0.65:
            arms = [Node(f"r = {self.of_calls()};")]
            if self.chance(0.6):
                arms += [Node("else")] + [Node(self.pick([f"r = {self.of_calls()};", f"t = {self.number()};"]))]
            return Node(f"if {self.test()}", arms)
        if draw < 0.75:
            return Node(f"for j = 1:{self.pick(['2', 'min(k, 2)', 'mod(k, 3)'])}",
                        [Node(f"r = r / 2 + {self.pick(self.callable)}(k - {self.pick(['j', '1', '2'])}, {self.number(1)});")] +
                        ([Node(f"if {self.test()}, break; end")] if self.chance(0.3) else []))
        if draw < 0.85:
            return Node(f"[p, q] = pair({self.less(1)}, {self.number(1)}); r = r + p - q / 2;")
        if draw < 0.92:
            return Node(f"if {self.test()}, return; end")
        return Node("counter = counter + 1;" if self.counts else f"t = t + {self.number(1)};")

    def begin(self, result):
        nodes = [Node("global counter")] if self.counts else []
        base = self.pick(["0", "0", "1"])
        nodes.append(Node("t = 0.25;"))
        nodes.append(Node(f"if k <= {base}", [Node(f"{result} = {self.number(1)};"), Node("return;")]))
        return nodes

    def of_numbers(self, name):
        """Functions that call each other share no variables: that is outside the language."""
        self.callable = [name] if self.counts else ["f", "f", "g"]
        body = self.begin("r") + [Node("r = x;")]
        body += [self.step() for _ in range(self.random.randint(1, 3))]
        return Node(f"function r = {name}(k, x)", body)

    def pair(self):
        body = self.begin("a") + [Node("b = x;")]
        body[-2].children.insert(0, Node("b = 1;"))
        calls = [f"[a, b] = pair({self.less(1)}, {self.number(1)});"]
        if self.chance(0.4):
            calls.append("[p, q] = pair(k - 2, b / 2); a = a + p / 2; b = b - q / 2;")
        body += [Node(text) for text in calls] + [Node(f"a = a + {self.number(1)};"), Node(f"b = (a - b) / 2 + {self.number(1)};")]
        return Node("function [a, b] = pair(k, x)", body)

    def of_rows(self):
        grown = self.pick(["v = [v, k];", "v(end + 1) = sin(k);", "v = [k / 2, v];", "v = [v, v(1) / 2];", "v = fliplr(v);",
                           "v(1) = k;"])
        calls = self.pick([["v = row(k - 1, v);"], ["v = row(k - 1, v);", "v = row(k - 2, v);"],
                           ["if mod(k, 2), v = row(k - 1, v); else, v = row(k - 2, [v, 0]); end"], ["v = [row(k - 1, v), row(k - 2, 1)];"]])
        body = [Node("if k <= 0, return; end"), Node(grown)] + [Node(text) for text in calls]
        if self.chance(0.4):
            body.append(Node(self.pick(["v = [v, numel(v)];", "v(end) = v(end) / 2;", "v = v + 1;"])))
        return Node("function v = row(k, v)", body)

    def memo(self):
        return Node("function r = kept(k)", [
            Node("persistent known"), Node("if isempty(known)", [Node("known = zeros(1, 40);")]),
            Node("if k < 2", [Node("r = k;"), Node("return;")]),
            Node("if known(k) > 0", [Node("r = known(k);"), Node("return;")]),
            Node(f"r = {self.pick(['kept(k - 1) + kept(k - 2)', 'kept(k - 1) + 1', 'kept(floor(k / 2)) + kept(k - 1)'])};"),
            Node("known(k) = r;")])

    def program(self):
        self.counts = self.chance(0.4)
        nodes = [Node(f"param n = {self.random.randint(0, 5)}")]
        if self.counts:
            nodes += [Node("global counter"), Node("counter = 0;")]  # Octave keeps what another program gave it
        nodes += [self.of_numbers("f"), self.of_numbers("g"), self.pair(), self.of_rows(), self.memo()]
        nodes += [Node(f"a = {self.pick(['f', 'g'])}(n, {self.pick(['0.5', '-1', '2'])});"), Node("[b, c] = pair(n, 0.75);"),
                  Node(f"v = row({self.pick(['n', 'min(n, 4)'])}, [1 2]);"), Node("total = 0;"),
                  Node(f"for i = {self.pick(['1:n', '0:2', 'n:-1:1'])}", [Node(self.pick([
                      "total = total + f(i, i / 2);", "total = total + kept(i + 3);", "total = total / 2 + g(min(i, 3), total);"]))]),
                  Node(f"w = {self.pick(['arrayfun(@(i) f(i, 0.25), 0:3)', 'arrayfun(@kept, 1:7)', 'kept(12)', 'cellfun(@numel, {row(2, 1), row(n, 1)})'])};"),
                  Node("count = counter;" if self.counts else "count = n;")]
        return Program(nodes, RESULTS)


def recursions_program(seed):
    return Recursions(seed).program()


if __name__ == "__main__":
    import sys
    print(recursions_program(int(sys.argv[1])).text(), end="")
