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
"""
import re
from pathlib import Path

from octave_text import (ASSIGNMENTS, CLOSE, KEYWORDS, OPEN, TextError, assignment_at, calls_of, function_name,
                         has_defaults, is_op, matching, split_at, statements_of, tokens_of, variables_of)

COMPLEX = "complex numbers"
ND = "N-d arrays"
CELLS = "cells"
STRUCTS = "structs"
CLASSES = "classes"
STRINGS = "string functions not named here"
REFLECTION = "eval and inputname-like reflection"
GLOBALS = "globals and persistents"
TRY = "try/unwind_protect"
INTEGERS = "integer classes"
FILES = "file handles other than stdout and stderr"
GRAPHICS = "graphics"
DELETION = "element deletion"
RECURSION = "recursion"
NESTED = "nested functions"
FUNCTIONS = "functions not named here"
STATEMENTS = "statements not named here"  # switch: the page lists the statements there are
ENTRIES = (COMPLEX, ND, CELLS, STRUCTS, CLASSES, STRINGS, REFLECTION, GLOBALS, TRY, INTEGERS, FILES, GRAPHICS, DELETION,
           RECURSION, NESTED, FUNCTIONS, STATEMENTS)


def read_names():
    lines = Path(__file__).with_name("names.txt").read_text().splitlines()
    rows = [line.split(":", 1) for line in lines if line and not line.startswith("#")]
    return {chapter: words.split() for chapter, words in rows}


NAMES = set().union(*read_names().values())
HOST = set("""assert disp display printf fprintf sprintf puts fputs error warning num2str mat2str int2str strcat strcmp
feval exist read write imwrite arrayfun bsxfun isempty""".split())
# Words that choose a form of a named function; they are no text that is computed with.
OPTIONS = set("""rows first last stable legacy ascend descend fro inf Inf econ vector matrix lower upper single double
logical full same valid shape linear nearest extrap seed var a g h r c unique sum UniformOutput native extra like
omitnan""".split())
INTEGER_CLASS = re.compile(r"u?int(8|16|32|64)$")
INTEGER_WORDS = set("intmax intmin idivide bitand bitor bitxor bitshift bitcmp flintmax".split())
REFLECTING = set("""eval evalc evalin assignin inputname func2str str2func nargchk narginchk nargoutchk print_usage
inputParser argn dbstack mfilename functions which who whos exec builtin evalm is_function_handle validatestring
isargout nthargout lasterr lasterror lastwarn rethrow methods ismethod""".split())
GRAPHICAL = set("""figure plot axes axis surf mesh line patch text gca gcf hold print close set get title xlabel ylabel
legend ishghandle isfigure isaxes hggroup drawnow refresh contour bar hist graphics_toolkit""".split())
FILING = set("fopen fclose fread fwrite fgetl fgets feof ftell fseek frewind tempname unlink fscanf sscanf textscan "
             "load save".split())
CELL_WORDS = set("cell cellfun iscell iscellstr num2cell cell2mat cellslices varargin varargout struct2cell".split())
STRUCT_WORDS = set("struct isstruct isfield fieldnames setfield getfield rmfield orderfields structfun".split())
COMPLEX_WORDS = set("i j I J complex real imag conj arg angle iscomplex cplxpair".split())
STRING_WORDS = set("""char ischar strrep strsplit strjoin strtrim upper lower toupper tolower regexp regexprep strfind
num2words blanks repstr strvcat substr strncmp strcmpi strncmpi isspace isalpha isdigit dec2bin bin2dec dec2base base2dec
hex2dec dec2hex str2num str2double ostrsplit mat2cell cstrcat deblank index rindex untabify do_string_escapes
undo_string_escapes regexpi strchr strjust isupper islower isalnum toascii""".split())
WORD_ENTRIES = [(COMPLEX_WORDS, COMPLEX), (CELL_WORDS, CELLS), (STRUCT_WORDS, STRUCTS), (REFLECTING, REFLECTION),
                (INTEGER_WORDS, INTEGERS), (GRAPHICAL, GRAPHICS), (FILING, FILES), (STRING_WORDS, STRINGS)]
KEYWORD_ENTRIES = {"global": GLOBALS, "persistent": GLOBALS, "try": TRY, "catch": TRY, "unwind_protect": TRY,
                   "classdef": CLASSES, "methods": CLASSES, "events": CLASSES, "properties": CLASSES,
                   "enumeration": CLASSES, "switch": STATEMENTS, "parfor": STATEMENTS}
# The most arguments that are sizes of a matrix; and where a dimension stands, from 0.
SIZED = set("zeros ones Inf inf NaN nan true false eye rand randn".split())
DIMENSION_AT = {"sum": 1, "prod": 1, "sumsq": 1, "mean": 1, "any": 1, "all": 1, "cumsum": 1, "cumprod": 1, "median": 1,
                "range": 1, "cummax": 1, "cummin": 1, "sort": 1, "max": 2, "min": 2, "var": 2, "std": 2, "diff": 2,
                "dot": 2, "cross": 2, "circshift": 2, "cat": 0, "trapz": 2, "histc": 2, "filter": 4}


def unknown_name(name):
    if INTEGER_CLASS.match(name):
        return INTEGERS
    for words, entry in WORD_ENTRIES:
        if name in words:
            return entry
    return FUNCTIONS


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


def outside_string(tokens, calls):
    """A text where a number belongs."""
    texts = text_variables(tokens)
    enclosing = [None] * len(tokens)
    for call in calls:  # outer calls come first, inner ones overwrite
        if call.parenthesised:
            for i in range(call.position + 2, matching(tokens, call.position + 1)):
                enclosing[i] = call
    for i, token in enumerate(tokens):
        is_text = token.kind == "string" or (token.kind == "name" and token.text in texts)
        if not is_text:
            continue
        if token.kind == "string" and INTEGER_CLASS.match(token.value):
            return INTEGERS
        before, after = tokens[i - 1] if i else None, tokens[i + 1] if i + 1 < len(tokens) else None
        operators = ("+", "-", "*", "/", "==", "!=", "~=", "<", ">", "<=", ">=", "&", "|", ".*", "./", "'", "^", ":")
        if (before and is_op(before, *operators)) or (after and is_op(after, *operators)):
            return STRINGS
        if after and is_op(after, "(") and not after.space:
            return STRINGS
        call = enclosing[i]
        if call and call.name == "arrayfun" and i > call.position + 2 and token.value not in OPTIONS:
            return STRINGS
        if call is None or call.name in HOST:
            continue
        values = [token.value] if token.kind == "string" else texts[token.text]
        if all(value in OPTIONS for value in values) and call.name in NAMES:
            generator = call.name in ("rand", "randn")
            if generator and not set(values) <= {"seed", "single", "double"}:
                return FUNCTIONS
            if generator and values == ["seed"] and len(call.arguments) == 1:
                return FUNCTIONS
            continue
        if call.name in ("interp1", "interp2"):
            return FUNCTIONS  # methods that are not named
        return STRINGS
    return None


def recursive(tokens):
    """A function that calls itself."""
    name = None
    for statement in statements_of(tokens):
        if statement[0].text == "function":
            name = function_name(statement)
            continue
        if name and any(t.kind == "name" and t.text == name for t in statement):
            return True
        if statement[0].text == "endfunction":
            name = None
    return False


def asks_for_a_function(call, variables):
    """exist ("sin"): the page has exist for variables."""
    first = call.arguments[0] if call.name == "exist" and call.arguments else []
    return len(first) == 1 and first[0].kind == "string" and first[0].value not in variables


def outside_names(tokens, calls, variables, defined):
    for i, token in enumerate(tokens):
        if is_op(token, ".") and i + 1 < len(tokens) and tokens[i + 1].kind in ("name", "keyword"):
            return STRUCTS
        if is_op(token, ".") and i + 1 < len(tokens) and is_op(tokens[i + 1], "("):
            return STRUCTS
        if is_op(token, "@") and i + 1 < len(tokens) and tokens[i + 1].kind == "name":
            name = tokens[i + 1].text
            if name not in NAMES and name not in defined:
                return unknown_name(name)
    for call in calls:
        if call.name in ("nargin", "nargout") and call.arguments:
            return REFLECTION
        if asks_for_a_function(call, variables):
            return FUNCTIONS
        if call.name in variables or call.name in defined or call.name in NAMES:
            continue
        return unknown_name(call.name)
    return None


def deletes(tokens):
    for statement in statements_of(tokens):
        at = assignment_at(statement)
        right = statement[at + 1:] if at is not None else []
        if not at or not is_op(statement[at - 1], ")"):
            continue
        brackets = len(right) > 1 and is_op(right[0], "[") and matching(right, 0) == len(right) - 1
        if brackets and all(is_op(t, ",", ";") for t in right[1:-1]):
            return True
        if len(right) == 1 and right[0].kind == "string" and not right[0].value:
            return True
    return False


def has_many_subscripts(tokens):
    """[1 2](1, 1, 1), f (x)(1, 1, 1), 1(1, 1, 1)"""
    for i, token in enumerate(tokens[1:], 1):
        before = tokens[i - 1]
        indexes = before.kind == "number" or is_op(before, ")", "]")
        if is_op(token, "(") and indexes and not token.space:
            if len(split_at(tokens[i + 1:matching(tokens, i)], (",",))) > 2:
                return True
    return False


def assigns_inside(tokens):
    """An assignment that is part of an expression."""
    for statement in statements_of(tokens):
        if any(t.kind == "keyword" and t.text in ("for", "function", "parfor") for t in statement):
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
    """function f (x = 0) and @(x = 0)"""
    if any(s[0].text == "function" and has_defaults(s) for s in statements_of(tokens)):
        return True
    for i, token in enumerate(tokens[:-1]):
        if is_op(token, "@") and is_op(tokens[i + 1], "("):
            if any(is_op(t, "=") for t in tokens[i + 1:matching(tokens, i + 1)]):
                return True
    return False


def is_command(code):
    """A line `name word`, which is command syntax; for text that has no tokens otherwise."""
    found = re.findall(r"^[ \t]*([A-Za-z]\w*)[ \t]+[A-Za-z]", code, re.MULTILINE)
    return any(word not in KEYWORDS for word in found)


def is_report(first_line):
    """A block with the number of an open bug: it states what Octave should compute, not what it does."""
    return re.match(r"%!(test|assert)\s*<\d+>", first_line) is not None


def wants_values_of_generator(tokens, calls):
    seeds = any(c.name in ("rand", "randn") and c.arguments and c.arguments[0][0].value == "seed" for c in calls)
    return seeds and any(t.kind == "number" and len(t.text) >= 16 for t in tokens)


def says_nothing(code):
    """No statement, or `assert (1)`: what files have that cannot be tested."""
    return re.fullmatch(r"\s*(assert\s*\((1|true)\)\s*;?)?\s*", re.sub(r"[%#].*", "", code)) is not None


def outside(code, functions=()):
    """The entry of the closed list, or None for a program that is inside. `functions`: names that are defined."""
    try:
        tokens = tokens_of(code)
        for token in tokens:
            if token.kind == "imaginary":
                return COMPLEX
            if is_op(token, "{"):
                return CELLS
            if token.kind == "keyword" and token.text in KEYWORD_ENTRIES:
                return KEYWORD_ENTRIES[token.text]
        calls = calls_of(tokens)
        variables = variables_of(tokens)
        handles = handle_variables(tokens)
        defined = set(functions) | {function_name(s) for s in statements_of(tokens) if s[0].text == "function"}
        found = outside_names(tokens, calls, variables, defined)
        if found:
            return found
        if any(beyond_two_dimensions(call, variables, handles) for call in calls):
            return ND
        if has_many_subscripts(tokens):
            return ND
        if gives_defaults(tokens) or assigns_inside(tokens):
            return STATEMENTS
        if wants_values_of_generator(tokens, calls):
            return FUNCTIONS
        if deletes(tokens):
            return DELETION
        if recursive(tokens):
            return RECURSION
        return outside_string(tokens, calls)
    except TextError:
        return STATEMENTS if is_command(code) else None  # a %!error block may be no program at all: to refuse it is then what is expected
