"""What random programs of loops have in common: draws, the variables of the loops around a statement, blocks and loops."""
import random

from tree import Node


class Draws:
    """A kind of program gives `store()`, the text of a statement, `test()`, that of a condition, and its BOUNDS."""

    BOUNDS = ()
    COUNTERS = "ijl"

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counters = []  # loop variables at hand, the outermost first

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def counter(self):
        return self.pick(self.counters) if self.counters else "n"

    def other(self, draw, depth):
        """Another statement that a kind of program has, where the draw from 0 to 1 chooses one."""

    def block(self, depth):
        nodes = []
        for _ in range(self.random.randint(1, 3)):
            draw = self.random.random()
            if draw < 0.6 or depth == 0:
                nodes.append(Node(self.store()))
            elif (node := self.other(draw, depth)) is not None:
                nodes.append(node)
            elif draw < 0.87:
                arms = self.block(depth - 1)
                if self.chance(0.4):
                    arms += [Node("else")] + self.block(depth - 1)
                nodes.append(Node(f"if {self.test()}", arms))
            else:
                nodes.append(self.loop(depth))
        return nodes

    def loop(self, depth):
        name = self.COUNTERS[len(self.counters) % len(self.COUNTERS)]
        bounds = self.pick(self.BOUNDS)
        self.counters.append(name)
        body = self.block(depth - 1)
        self.counters.pop()
        return Node(f"for {name} = {bounds}", body)
