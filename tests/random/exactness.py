"""How many bits behind the point an exact expression can have, from its text.

Sums keep them, products add them up, and powers multiply them: counted are the halves of a text, and the bits of the
variables that it reads, as often as they stand there.
"""
import re

MOST_BITS = 6
HALVES = re.compile(r"/ 2\b|0\.5\b|\bmedian\(")
FOURTHS = re.compile(r"/ 4\b")
NAME = re.compile(r"\b[a-z]\d+\b")
WHOLE = re.compile(r"\b(?:floor|fix|round|sign|isnan|isinf|isfinite|numel|nnz|find|rows|columns)\(")
TARGET = re.compile(r"(?:\[([^\]]*)\]|(\w+)(?:\(.*?\)|\([^=]*\))?) ?[-+*/^|&.]*= (.*)")


def without_whole(text):
    """Without what is an integer whatever it is made of."""
    while found := WHOLE.search(text):
        depth, end = 1, found.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[:found.start()] + "1" + text[end:]
    return text


class Exactness:
    def __init__(self):
        self.of_name = {}

    def bits(self, text):
        text = without_whole(text)
        bits = len(HALVES.findall(text)) + 2 * len(FOURTHS.findall(text))
        bits += sum(self.of_name.get(name, 0) for name in NAME.findall(text))
        for power, factor in ((".^ 2", 2), (".^ 3", 3), ("sumsq", 2), ("polyval", 3)):
            bits *= factor**text.count(power)
        return bits

    def note(self, nodes):
        """The bits of the variables that statements assign."""
        for node in nodes:
            if node.children is not None:
                self.note(node.children)
            elif found := TARGET.match(node.head):
                several, name, value = found.groups()
                for name in re.findall(r"\w+", several or name):
                    self.of_name[name] = max(self.of_name.get(name, 0), self.bits(value))
