"""Whether what the compiler says about a program is a refusal, and whether it names what it refuses: one line with an
entry of the language's closed list."""
import re

import words

# The words of a message that name an entry.
NAMED = {
    words.COMPLEX_ARRAYS: "complex arrays of more than two dimensions",
    words.COMPLEX_FACTORS: "complex .*sparse|sparse .*complex",
    words.COMPLEX: "the language does not have this function of complex values",
    words.CELLS: "the language does not have this function of structs and cell arrays",
    words.CELL_ARRAYS: "(cell arrays|arrays of structs).* of more than two dimensions",
    words.CLASSES: "classes are outside the language",
    words.STRINGS: "the language does not have this function of strings",
    words.OPERANDS: "strings are not operands|string .*operand",
    words.MADE_STRINGS: "string that is known|strings? (is|are) not known",
    words.REFLECTION: "eval and reflection are outside the language",
    words.TRY: "'unwind_protect' is outside the language|functions of a session are outside the language",
    words.INTEGERS: "integer classes are outside the language",
    words.FILES: "file handles are outside the language",
    words.GRAPHICS: "graphics is outside the language",
    words.FUNCTIONS: "is not a function of the language|the language does not have this function|"
                     "functions? .*outside the language",
}
ANY_ENTRY = re.compile("|".join(f"({words})" for words in NAMED.values()))
REFUSAL = re.compile(r"outside the language|the language does not have|must be known|not (yet )?supported|is not there yet|not in the language|no function|"
                     "is not a function")


def is_refusal(text):
    return REFUSAL.search(text) is not None


def names_an_entry(message):
    return "\n" not in message and ANY_ENTRY.search(message) is not None
