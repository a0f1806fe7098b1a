"""Which blocks of Octave's suite are inside the language: decided from the text alone, by the words of the language's
page, without running anything. `outside(code, ...)` gives the entry of the page's closed list that a block falls under.

Amended after the first run (2634 blocks inside), by the same words: `exist ("NAME")` of something that is no variable of
the block asks for a function or file of the installed Octave, which the page does not name; a block with a seed and
numbers of 16 digits tests the values of Octave's generator, which the page says are its own.
Amended again (2589 inside), by the same words: command syntax (`name word`), values of parameters in the line of a
function or handle (the page has defaults through nargin and exist) are statements that the page does not list; `a(...) = ''` and `= [,]` delete like `= []`; `methods` is a word of classes; more than two subscripts of a
literal or of another index are N-d; the page's form is `rand("seed", s)`, so one that asks for the state is not named;
arrayfun over the characters of a text is no use of strings that the page names.
Amended a third time (2567 inside), by the same words: `x = e` and `x += e` are statements and no expressions, so an
assignment in brackets or as the value of another (`a += b *= c`; not `a = b = c`) is none that the page lists.
`%!test <NUMBER>` and `%!assert <NUMBER>`, without a '*', are reports of what Octave computes wrongly so far: no reference.

Decided anew for the page as it is with structs, cells, complex values, arrays, strings, try, shared variables, deletion and
figures, before any block was run. Its words that decide: strings "are not operands of arithmetic or ==", so functions of
numbers that get one are no use that the page names, functions about shape and kind are; functions of strings are "of
strings", those that take strings in cells are listed; what cells and arrays of structs cannot be is more than
two-dimensional, and neither can complex arrays; "the text decides what is complex, never the data", so a block that has
complex values and computes a root or a logarithm of real ones may expect what the page says is NaN; a caught error "has
the fields message and identifier"; regular expressions have "no named tokens, lookbehind, token extents"; handles of figures are outside. A word of names.txt is inside: what joins the
language (the integer classes, containers.Map) joins it there.
Amended after the first run of these (6700 inside), by the same words as before: an option that the page does not name is a
form that is not named. What held for functions of numbers holds for interp2, whose methods are "linear" and "nearest", and
for functions of strings and of functions (OPTION_WORDS): "match", "tokens", "start", "end", "split", "once", "ignorecase" of
regular expressions, "UniformOutput"; strsplit, strrep, strfind, startsWith and endsWith have none. And acos (2) is as little inside as sqrt (-1): that a number
is positive tells of the domain of roots and logarithms alone.
Amended once more, by "nested functions": one that stands in the text of a test and sets the test's variables is nested.
And once more: a handle of a root or a logarithm (`integral (@sqrt, -1, 0)`) computes one of real values as a call does. What
`complex` has made is complex here as in Octave now, so such blocks are inside.
"""
import re

import words
from octave_text import (ASSIGNMENTS, CLOSE, KEYWORDS, OPEN, TextError, assignment_at, calls_of, function_name, is_op,
                         matching, split_at, statements_of, tokens_of, variables_of)
from words import (CELL_TAKERS, DIMENSION_AT, HOST, INTEGER_CLASS, KEYWORD_ENTRIES, MAKERS, NAMES, OPTION_WORDS, OPTIONS, SEARCHES,
                   SIZED, unknown_name)

COMMANDS = set(words.CHAPTERS["session"]) | set(words.CHAPTERS["figures"]) | {"warning"}
FIGURE_WORDS = set(words.CHAPTERS["figures"]) - {"text", "line", "gcf"}
MAKES_CELLS = set("cell num2cell strsplit fieldnames struct2cell".split())
MAKES_COMPLEX = set("i j I J complex roots fft ifft fft2 ifft2".split())
OF_POSITIVE = set("sqrt log log2 log10 log1p power mpower lgamma gammaln".split())
OF_A_DOMAIN = OF_POSITIVE | set("acos asin acosh atanh asec acsc asech acsch acoth".split())


def is_number(argument):
    return len(argument) == 1 and argument[0].kind == "number"


def is_dimension_beyond_two(argument):
    return is_number(argument) and argument[0].text.isdigit() and int(argument[0].text) > 2


def elements(argument):
    """How many elements the row literal [a b c] has, 0 for anything else."""
    if len(argument) < 2 or not is_op(argument[0], "[") or matching(argument, 0) != len(argument) - 1:
        return 0
    inner = argument[1:-1]
    if any(is_op(t, ";") or t.kind == "newline" for t in inner):
        return 0
    count, depth = (1 if inner else 0), 0
    for before, token in zip(inner, inner[1:]):
        depth += is_op(before, *OPEN) - is_op(before, ")", "]", "}")
        if depth == 0 and (is_op(token, ",") or (token.space and not is_op(before, ",") and not is_op(token, ",")
                                                 and token.kind in ("number", "name"))):
            count += 1
    return count


def beyond_two_dimensions(call, variables, handles):
    n = len(call.arguments)
    if call.name in variables:
        return n > 2 and call.name not in handles
    words = [k for k, a in enumerate(call.arguments) if len(a) == 1 and a[0].kind == "string"]
    numeric = call.arguments[:words[0]] if words else call.arguments
    if call.name in SIZED and len(numeric) > 2:
        return True
    if call.name in SIZED and numeric and elements(numeric[0]) > 2:
        return True
    if call.name in ("repmat", "reshape") and (n > 3 or (n == 2 and elements(call.arguments[1]) > 2)):
        return True
    if call.name == "permute" and n == 2 and elements(call.arguments[1]) > 2:
        return True
    if call.name in ("ndgrid", "meshgrid") and n > 2:
        return True
    if call.name in ("sub2ind", "ind2sub") and n and elements(call.arguments[0]) > 2:
        return True
    at = DIMENSION_AT.get(call.name)
    return at is not None and at < n and is_dimension_beyond_two(call.arguments[at])


def handle_variables(tokens):
    """Variables that are handles: f = @..."""
    return {tokens[i].text for i in range(len(tokens) - 2)
            if tokens[i].kind == "name" and is_op(tokens[i + 1], "=") and is_op(tokens[i + 2], "@")}


def text_variables(tokens):
    """{variable: its values} of those that are set to string literals and to nothing else."""
    texts, others = {}, set()
    for statement in statements_of(tokens):
        at = assignment_at(statement)
        if at is None or statement[0].kind != "name":
            continue
        right = statement[at + 1:]
        if len(right) == 1 and right[0].kind == "string" and at == 1:
            texts.setdefault(statement[0].text, []).append(right[0].value)
        elif statement[0].text not in (t.text for t in right):
            others.add(statement[0].text)
        else:
            texts.setdefault(statement[0].text, []).append(None)  # built from itself: a value that is not known
    return {name: values for name, values in texts.items() if name not in others and values[0] is not None}


OPERATORS = ("+", "-", "*", "/", "==", "!=", "~=", "<", ">", "<=", ">=", "&", "|", ".*", "./", "'", "^", ":")


def innermost(tokens):
    """For each token the place of the bracket that it stands in, or None."""
    places, stack = [], []
    for i, token in enumerate(tokens):
        if is_op(token, *CLOSE) and stack:
            stack.pop()
        places.append(stack[-1] if stack else None)
        if is_op(token, *OPEN):
            stack.append(i)
    return places


def call_around(tokens, calls, places, at):
    """The call that the text at `at` is an argument of; None in a cell, in a field's name and outside of calls."""
    place = places[at]
    while place is not None and is_op(tokens[place], "["):
        place = places[place]
    if place is None or not is_op(tokens[place], "("):
        return None
    return next((c for c in calls if c.parenthesised and c.position + 1 == place), None)


def text_argument(call, values, defined):
    """The entry for a call with a text, one of `values`, as its argument."""
    if call.name in HOST or call.name in defined:
        return None
    if values and all(value in OPTIONS for value in values) and call.name in NAMES:
        generator = call.name in ("rand", "randn")
        if generator and not set(values) <= {"seed", "single", "double"}:
            return words.FUNCTIONS
        asks = generator and values == ["seed"] and len(call.arguments) == 1
        return words.FUNCTIONS if asks else None
    if call.name in ("interp1", "interp2"):
        return words.FUNCTIONS  # methods that are not named
    return words.STRINGS


def outside_string(tokens, calls, defined):
    """A text where a number belongs."""
    texts, places = text_variables(tokens), innermost(tokens)
    for i, token in enumerate(tokens):
        if token.kind != "string" and not (token.kind == "name" and token.text in texts):
            continue
        if token.kind == "string" and INTEGER_CLASS.match(token.value) and token.value not in NAMES:
            return words.INTEGERS
        before, after = tokens[i - 1] if i else None, tokens[i + 1] if i + 1 < len(tokens) else None
        if (before and is_op(before, *OPERATORS)) or (after and is_op(after, *OPERATORS)):
            return words.OPERANDS
        call = call_around(tokens, calls, places, i)
        values = [token.value] if token.kind == "string" else texts[token.text]
        found = call and text_argument(call, values, defined)
        if found:
            return found
    return None


def searches_what_the_run_makes(calls):
    """strtrim (sprintf (...)): the page has searches in strings that are known."""
    for call in calls:
        for argument in call.arguments if call.name in SEARCHES else []:
            if any(t.kind == "name" and t.text in MAKERS for t in argument):
                return True
    return False


def has_other_options(calls):
    """strsplit (s, ",", "CollapseDelimiters", false): options that the page does not name."""
    for call in calls:
        first, known = OPTION_WORDS.get(call.name, (len(call.arguments), set()))
        for argument in call.arguments[first:]:
            if len(argument) == 1 and argument[0].kind == "string" and argument[0].value not in known:
                return True
    return False


def has_pattern_beyond(tokens, calls):
    """Named tokens, lookbehind, token extents."""
    patterns = [c for c in calls if c.name in ("regexp", "regexpi", "regexprep")]
    texts = [t.value for t in tokens if t.kind == "string"]
    if patterns and any("(?<" in text or text in ("names", "tokenExtents") for text in texts):
        return True
    return any(results_of(tokens, c) > 2 and len(c.arguments) == 2 for c in patterns)


def results_of(tokens, call):
    """How many targets [a, b] = call (...) has."""
    for statement in statements_of(tokens):
        at = assignment_at(statement)
        if at is not None and statement[at + 1:] and statement[at + 1] is tokens[call.position]:
            is_list = is_op(statement[0], "[")
            return len(split_at(statement[1:at - 1], (",",))) if is_list else 1
    return 1


def asks_for_a_function(call, variables):
    """exist ("print_empty_dimensions"): of functions and files that the language does not have."""
    first = call.arguments[0] if call.name == "exist" and call.arguments else []
    return len(first) == 1 and first[0].kind == "string" and first[0].value not in variables | NAMES


def commands_in(tokens):
    """Places of the words of `hold on`, and whether a command is none of the page's."""
    places, other, start = set(), False, 0
    for part in split_at(tokens, (",", ";", "\n")):
        head = part[:2]
        if len(head) == 2 and head[0].kind == "name" and head[1].kind in ("name", "number") and head[1].space:
            known = head[0].text in COMMANDS
            other = other or not known
            places |= set(range(start, start + len(part))) if known else set()
        start += len(part) + 1
    return places, other


def outside_names(tokens, calls, variables, defined):
    commands, other = commands_in(tokens)
    if other:
        return words.STATEMENTS
    for i, token in enumerate(tokens):
        if is_op(token, ".") and i + 1 < len(tokens) and tokens[i + 1].text in ("stack", "rethrow"):
            return words.TRY
        if is_op(token, "@") and i + 1 < len(tokens) and tokens[i + 1].kind == "name":
            name = tokens[i + 1].text
            if name not in NAMES and name not in defined:
                return unknown_name(name)
    for call in calls:
        if call.position in commands:
            continue
        if call.name in ("nargin", "nargout") and call.arguments:
            return words.REFLECTION
        if asks_for_a_function(call, variables):
            return words.FUNCTIONS
        if call.name in variables or call.name in defined or call.name in NAMES:
            continue
        return unknown_name(call.name)
    return None


def has_handles_of_figures(tokens):
    """h = plot (...)"""
    for statement in statements_of(tokens):
        at = assignment_at(statement)
        right = statement[at + 1:] if at is not None else []
        if right and right[0].text in FIGURE_WORDS:
            return True
    return False


def has_many_subscripts(tokens, opening=("(", "{")):
    """[1 2](1, 1, 1), f (x)(1, 1, 1), 1(1, 1, 1), c{1, 1, 1}"""
    for i, token in enumerate(tokens[1:], 1):
        before = tokens[i - 1]
        indexes = before.kind == "number" or is_op(before, ")", "]", "}") or (is_op(token, "{") and before.kind == "name")
        if is_op(token, *opening) and indexes and not token.space:
            if len(split_at(tokens[i + 1:matching(tokens, i)], (",",))) > 2:
                return True
    return False


def set_from(tokens, starts):
    """Variables with an assignment whose right side is one that `starts` is true of, as an element too: c{2} = ..."""
    found = set()
    for statement in statements_of(tokens):
        at = assignment_at(statement)
        if at is not None and statement[0].kind == "name" and starts(statement[:at], statement[at + 1:], found):
            found.add(statement[0].text)
    return found


def cell_variables(tokens):
    def starts(left, right, found):
        makes = right and (is_op(right[0], "{") or right[0].text in MAKES_CELLS or (len(right) == 1 and right[0].text in found))
        return len(left) == 1 and makes or len(left) > 1 and is_op(left[1], "{")
    return set_from(tokens, starts)


def struct_variables(tokens):
    def starts(left, right, found):
        return right and right[0].text == "struct" or any(is_op(t, ".") for t in left)
    return set_from(tokens, starts)


def has_arrays_of_cells(tokens, calls, beyond):
    """Cells or structs of more than two dimensions."""
    if has_many_subscripts(tokens, ("{",)):
        return True
    holders = cell_variables(tokens) | struct_variables(tokens)
    for call in calls:
        if call not in beyond:
            if call.name in ("cell", "num2cell") and (len(call.arguments) > 2 or any(map(beyond_two, call.arguments))):
                return True
            continue
        whole = call.arguments[-1] if call.name == "cat" else call.arguments[0]
        if call.name in holders or (whole and (is_op(whole[0], "{") or whole[0].text in holders)):
            return True
    return False


def beyond_two(argument):
    """ones (2, 3, 4) and [2 3 4]"""
    return elements(argument) > 2 or any(beyond_two_dimensions(c, set(), set()) for c in calls_of(argument))


def takes_cells(tokens, calls, variables, defined):
    """A function of numbers or of one string that is given cells: f ({...}), f (c)"""
    holders = cell_variables(tokens)
    for call in calls:
        if call.name in variables or call.name in defined or call.name in CELL_TAKERS:
            continue
        for argument in call.arguments:
            literal = argument and is_op(argument[0], "{") and matching(argument, 0) == len(argument) - 1
            if literal or (len(argument) == 1 and argument[0].text in holders):
                return True
    return False


def complex_variables(tokens):
    def starts(left, right, found):
        return is_complex(right, found)
    return set_from(tokens, starts)


def is_complex(tokens, found=()):
    """Whether the text shows a complex value, as an argument or an operand."""
    return any(t.kind == "imaginary" or (t.kind == "name" and (t.text in MAKES_COMPLEX or t.text in found)) for t in tokens)


def is_plainly_positive(argument):
    return all(t.kind in ("number", "string") or t.text in ("pi", "e", "Inf", "+", "*", "/", "(", ")", "[", "]", ",", ";", "eps")
               for t in argument)


def expects_complex_of_real(tokens, calls):
    """sqrt (-1) == i: "the text decides what is complex, never the data"."""
    variables, found = variables_of(tokens), complex_variables(tokens)
    free = [t for t in tokens if t.kind == "imaginary" or (t.kind == "name" and t.text in MAKES_COMPLEX - variables)]
    if not free:
        return False
    if any(is_op(at, "@") and name.kind == "name" and name.text in OF_A_DOMAIN for at, name in zip(tokens, tokens[1:])):
        return True  # a handle computes them of what it is given
    return any(c.name in OF_A_DOMAIN and c.arguments and c.name not in variables and not is_complex(c.arguments[0], found)
               and not (c.name in OF_POSITIVE and is_plainly_positive(c.arguments[0])) for c in calls)


def assigns_inside(tokens):
    """An assignment that is part of an expression."""
    for statement in statements_of(tokens):
        if any(t.kind == "keyword" and t.text in ("for", "function", "persistent", "global") for t in statement):
            continue
        depth, before = 0, None
        for token in statement:
            if is_op(token, *ASSIGNMENTS):
                if depth > 0 or (before is not None and (before != "=" or token.text != "=")):
                    return True
                before = token.text
            depth += is_op(token, *OPEN) - is_op(token, *CLOSE)
    return False


def gives_defaults(tokens):
    """@(x = 0)"""
    for i, token in enumerate(tokens[:-1]):
        if is_op(token, "@") and is_op(tokens[i + 1], "("):
            if any(is_op(t, "=") for t in tokens[i + 1:matching(tokens, i + 1)]):
                return True
    return False


def is_command(code):
    """A line `name word`, which is command syntax; for text that has no tokens otherwise."""
    found = re.findall(r"^[ \t]*([A-Za-z]\w*)[ \t]+[A-Za-z]", code, re.MULTILINE)
    return any(word not in KEYWORDS for word in found)


NESTED = re.compile(r"^[ \t]*function\b(.*)$((?:.|\n)*?)^[ \t]*endfunction", re.MULTILINE)


def has_nested_functions(code):
    """A function in the text of a test, which is a function itself, that sets variables of the test."""
    try:
        outer = variables_of(tokens_of(NESTED.sub("", code)))
        for heading, body in NESTED.findall(code):
            own = {t.text for t in tokens_of(heading) if t.kind == "name"}
            if (variables_of(tokens_of(body)) - own) & outer:
                return True
    except TextError:
        pass
    return False


def is_report(first_line):
    """A block with the number of an open bug: it states what Octave should compute, not what it does."""
    return re.match(r"%!(test|assert)\s*<\d+>", first_line) is not None


def wants_values_of_generator(tokens, calls):
    seeds = any(c.name in ("rand", "randn") and c.arguments and c.arguments[0][0].value == "seed" for c in calls)
    return seeds and any(t.kind == "number" and len(t.text) >= 16 for t in tokens)


def says_nothing(code):
    """No statement, or `assert (1)`: what files have that cannot be tested."""
    return re.fullmatch(r"\s*(assert\s*\((1|true)\)\s*;?)?\s*", re.sub(r"[%#].*", "", code)) is not None


def outside_values(tokens, calls, variables, defined):
    """Kinds of values: what cells, structs, arrays and complex values cannot be, each in the page's words."""
    beyond = [call for call in calls if beyond_two_dimensions(call, variables, handle_variables(tokens))]
    if has_arrays_of_cells(tokens, calls, beyond):
        return words.CELL_ARRAYS
    if takes_cells(tokens, calls, variables, defined):
        return words.CELLS
    if not is_complex([t for t in tokens if t.text not in variables]):
        return None
    if beyond or has_many_subscripts(tokens):
        return words.COMPLEX_ARRAYS
    names = {call.name for call in calls}
    if "sparse" in names and names & {"lu", "chol", "qr"}:
        return words.COMPLEX_FACTORS
    return words.COMPLEX_OF_REAL if expects_complex_of_real(tokens, calls) else None


def outside(code, functions=()):
    """The entry of the closed list, or None for a program that is inside. `functions`: names that are defined."""
    try:
        tokens = tokens_of(code)
        for token in tokens:
            if token.kind == "keyword" and token.text in KEYWORD_ENTRIES:
                return KEYWORD_ENTRIES[token.text]
        calls = calls_of(tokens)
        variables = variables_of(tokens)
        defined = set(functions) | {function_name(s) for s in statements_of(tokens) if s[0].text == "function"}
        found = outside_names(tokens, calls, variables, defined)
        if found:
            return found
        if has_handles_of_figures(tokens):
            return words.GRAPHICS
        if gives_defaults(tokens) or assigns_inside(tokens):
            return words.STATEMENTS
        if wants_values_of_generator(tokens, calls):
            return words.FUNCTIONS
        if searches_what_the_run_makes(calls):
            return words.MADE_STRINGS
        if has_pattern_beyond(tokens, calls):
            return words.STRINGS
        if has_other_options(calls):
            return words.FUNCTIONS
        found = outside_values(tokens, calls, variables, defined)
        return found or outside_string(tokens, calls, defined | variables)
    except TextError:
        return words.STATEMENTS if is_command(code) else None  # a %!error block may be no program at all: to refuse it is then what is expected
