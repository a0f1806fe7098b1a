"""Random programs of cells and structs of which the run finds how many there are: queues, stacks, lists of strings, arrays
of structs with fields of different sizes."""
from draws import Draws
from tree import Node, Program

# What no element holds has another shape here than in Octave (docs/language.md): so each begins with something.
RESULTS = {"nq": "numel(q)", "sq": "[0, cellfun(@numel, q)]", "vq": "[0, q{:}]", "nw": "numel(w)", "tw": "double([\"x\", strjoin(w, \"-\")])",
           "lw": "[0, cellfun(@length, w)]", "np": "numel(p)", "tp": "[0, p.t]", "sp": "[0, cellfun(@numel, {p.v})]", "kp": "[[0; 0], p.k]",
           "ng": "[0, cellfun(@numel, g)]"}


class Rows(Draws):
    # A queue that grows by as many as it has, in two loops of each other, has no end that Octave reaches.
    BOUNDS = ["1:n", "1:3", "1:2", "2:n", "1:0", "1:min(numel(q), 6)", "n:-1:1", "1:n + 3"]

    def place(self, name):
        c = self.counter()
        return self.pick(["1", "end", f"mod({c}, numel({name})) + 1", f"max(numel({name}) - 1, 1)", f"min({c}, numel({name}))"])

    def scalar(self, depth=1):
        c = self.counter()
        if depth == 0 or self.chance(0.5):
            return self.pick([c, "n", "0.5", "numel(q)", "numel(w)", "numel(p)", "t", f"numel(q{{{self.place('q')}}})",
                              "sum([p.t])", f"length(w{{{self.place('w')}}})", f"p({self.place('p')}).t", "numel(g)"])
        a, b = self.scalar(depth - 1), self.scalar(depth - 1)
        return self.pick([f"({a} + {b})", f"sin({a})", f"mod({a}, 3)", f"min({a}, {b})"])

    def row(self):
        c = self.counter()
        return self.pick([f"[{self.scalar()}, 1]", f"1:mod({c}, 4)", "[]", f"{self.scalar()}", "zeros(1, 0)",
                          f"q{{{self.place('q')}}}", f"[q{{{self.place('q')}}}, t]", f"p({self.place('p')}).v", "[1 2 3]"])

    def word(self):
        c = self.counter()
        return self.pick([f"sprintf(\"%d\", {c})", "\"ab\"", f"w{{{self.place('w')}}}", f"[w{{{self.place('w')}}} \"x\"]",
                          f"sprintf(\"%d-%d\", n, {c})", f"p({self.place('p')}).s"])

    def guarded(self, name, statement):
        return f"if !isempty({name}), {statement} end"

    def store(self):
        q, w, p = self.place("q"), self.place("w"), self.place("p")
        record = f"struct(\"t\", {self.scalar()}, \"v\", {self.row()}, \"s\", {self.word()}, \"k\", [{self.scalar()}; 2])"
        return self.pick([
            f"q{{end + 1}} = {self.row()};", f"q{{end + 1}} = {self.row()};", f"q = [q, {{{self.row()}}}];",
            f"q = [{{{self.row()}}}, q];", self.guarded("q", f"q{{{q}}} = {self.row()};"),
            self.guarded("q", f"q({q}) = [];"), self.guarded("q", f"t = sum(q{{{q}}});"),
            self.guarded("q", f"q = q({self.pick(['1:end', 'end:-1:1', '[1 end]', '[end 1 1]', '1:2:end'])});"),
            "q = q(cellfun(@numel, q) > 1);", "q(cellfun(@isempty, q)) = [];",
            f"w{{end + 1}} = {self.word()};", f"w{{end + 1}} = {self.word()};", self.guarded("w", f"w{{{w}}} = {self.word()};"),
            self.guarded("w", f"w({w}) = [];"), "w = unique(w);" if self.chance(0.3) else "w = fliplr(w);",
            "w = w(!strcmp(w, \"ab\"));", f"t = sum(strcmp(w, {self.word()}));",
            f"p(end + 1) = {record};", f"p(end + 1) = {record};", self.guarded("p", f"p({p}).v = {self.row()};"),
            self.guarded("p", f"p({p}).t += {self.scalar()};"), self.guarded("p", f"p({p}) = [];"),
            self.guarded("p", f"p({p}).s = {self.word()};"), self.guarded("p", f"p({p}).v(end + 1) = {self.scalar()};"),
            "[~, o] = sort([p.t]); p = p(o);", self.guarded("p", f"p = p({self.pick(['end:-1:1', '[1 end]'])});"),
            self.guarded("q", f"q{{{q}}}(end + 1) = {self.scalar()};"), f"g{{end + 1}} = q;", f"t = {self.scalar()};",
            self.guarded("g", "g(1) = [];"), "q = shorter(q);", "for e = q, t += numel(e{1}); end",
            "for e = p, t += e.t + numel(e.v); end", self.guarded("q", f"q(end + 1) = q({q});"), "q = {};" if self.chance(0.2) else "w = {};"])

    def other(self, draw, depth):
        if draw < 0.7:
            return Node(f"while numel(q) > {self.random.randint(0, 3)} && turns < 40",  # what follows may lengthen q again
                        [Node("turns += 1;"), Node("q(1) = [];")] + self.block(0)[:1])
        return None

    def test(self):
        return f"{self.scalar()} > {self.scalar()}"

    def program(self):
        nodes = [Node(f"param n = {self.random.randint(1, 5)}"),
                 Node("function c = shorter(c)", [Node("if numel(c) > 2", [Node("c(2) = [];")])]),
                 Node("t = 0.25; turns = 0;"), Node("q = {}; w = {}; g = {};"),
                 Node("p = struct(\"t\", {}, \"v\", {}, \"s\", {}, \"k\", {});")]
        fill = [Node("q{end + 1} = 1:k;"), Node("w{end + 1} = sprintf(\"w%d\", k);"),
                Node("p(end + 1) = struct(\"t\", k / 2, \"v\", 1:k, \"s\", \"p\", \"k\", [k; 0]);")]
        nodes.append(Node(f"for k = 1:{self.pick(['n', 'n + 2', '3'])}", fill))
        for _ in range(self.random.randint(2, 4)):
            nodes.append(self.loop(2))
        for name, value in RESULTS.items():
            nodes.append(Node(f"{name} = {value};"))
        return Program(nodes, list(RESULTS))


def rows_program(seed):
    return Rows(seed).program()
