"""Random programs as trees of statements, so that they can be shrunk."""


class Node:
    """A statement: one line, or a head, children and a foot. `else` and `elseif` are children of their `if`, `case`
    of its `switch`."""

    def __init__(self, head, children=None, foot="end"):
        self.head, self.children, self.foot = head, children, foot

    def lines(self, indent=0):
        pad = "  " * indent
        if self.children is None:
            return [pad + self.head]
        out = [pad + self.head]
        for child in self.children:
            out += child.lines(indent + (0 if child.head.startswith(("else", "case ", "otherwise")) else 1))
        return out + [pad + self.foot]


class Program:
    def __init__(self, nodes, names):
        self.nodes, self.names = nodes, names

    def text(self):
        lines = [line for node in self.nodes for line in node.lines()]
        body = "\n".join(lines)
        for name in self.names:
            if any(line.lstrip().startswith((name + " ", name + "(", "[" + name + ",")) or f", {name}]" in line
                   for line in lines):
                lines.append(f'printf("{name} %d %d\\n", size({name})); printf(" %.17g", {name}); printf("\\n");')
        return "\n".join(lines) + "\n" if body else ""
