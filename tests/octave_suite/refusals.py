"""Whether what the compiler says about a program is a refusal, and whether it names what it refuses: one line with an
entry of the language's closed list."""
import re

import subset

# The words of a message that name an entry.
NAMED = {
    subset.COMPLEX: "complex numbers are outside the language",
    subset.ND: "N-d arrays are outside the language",
    subset.CELLS: "cell arrays? (is|are|which is) outside the language|a cell array, which is outside the language",
    subset.STRUCTS: "structs are outside the language|structure, is outside the language",
    subset.CLASSES: "classes are outside the language",
    subset.STRINGS: "string functions .*outside the language",
    subset.REFLECTION: "eval and reflection are outside the language",
    subset.GLOBALS: "(globals|persistent variables) are outside the language",
    subset.TRY: "'(try|catch|unwind_protect)' is outside the language",
    subset.INTEGERS: "integer classes are outside the language",
    subset.FILES: "file handles are outside the language",
    subset.GRAPHICS: "graphics are outside the language",
    subset.DELETION: "deleting elements is outside the language",
    subset.RECURSION: "recursion is outside the language",
    subset.NESTED: "nested functions are outside the language",
    subset.FUNCTIONS: "is not a function of the language|functions? .*outside the language",
}
ANY_ENTRY = re.compile("|".join(f"({words})" for words in NAMED.values()))
REFUSAL = re.compile(r"outside the language|not (yet )?supported|is not there yet|not in the language|no function|"
                     "is not a function")


def is_refusal(text):
    return REFUSAL.search(text) is not None


def names_an_entry(message):
    return "\n" not in message and ANY_ENTRY.search(message) is not None
