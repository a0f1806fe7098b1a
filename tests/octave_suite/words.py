"""The words of the language's page: what is inside by name, and the entries that other names of Octave fall under."""
import re
from pathlib import Path

COMPLEX_ARRAYS = "complex arrays of more than two dimensions"
COMPLEX_FACTORS = "sparse factors of complex matrices"
COMPLEX_OF_REAL = "complex values of real ones"
COMPLEX = "functions of complex values not named here"
CELLS = "functions of cells not named here"
CELL_ARRAYS = "cell arrays and arrays of structs of more than two dimensions"
STRUCTS = "functions of structs not named here"
CLASSES = "classes"
STRINGS = "functions of strings not named here"
OPERANDS = "strings as operands of arithmetic"
MADE_STRINGS = "searches in strings that the run makes"
REFLECTION = "eval and inputname-like reflection"
TRY = "unwind_protect, lasterr, MException"
INTEGERS = "integer classes"
FILES = "file handles other than stdout and stderr"
GRAPHICS = "graphics not named here, handles"
FUNCTIONS = "functions not named here"
STATEMENTS = "statements not named here"
NESTED = "nested functions"


def read_names():
    lines = Path(__file__).with_name("names.txt").read_text().splitlines()
    rows = [line.split(":", 1) for line in lines if line and not line.startswith("#")]
    return {chapter: words.split() for chapter, words in rows}


CHAPTERS = read_names()
NAMES = set().union(*CHAPTERS.values())
# What takes a text: functions of the chapters about text, effects, figures, structs, cells, shape and kind, and of functions.
TEXT_CHAPTERS = ("effect", "strings", "session", "figures", "structs", "cells", "shape", "functions")
HOST = set().union(*(CHAPTERS[chapter] for chapter in TEXT_CHAPTERS)) | set(
    "ismember optimset odeset bin2dec bsxfun".split())
# What the page has for strings in cells: about them, among them, joining them.
CELL_TAKERS = set().union(*(CHAPTERS[chapter] for chapter in ("structs", "cells", "shape", "functions", "figures"))) | set(
    "assert disp display strcmp ismember horzcat vertcat cat repmat reshape ischar error".split())
SEARCHES = set("""strtrim deblank strrep strfind index rindex strncmp strncmpi startsWith endsWith str2double str2num regexp
regexpi regexprep strsplit""".split())
MAKERS = set("sprintf num2str mat2str int2str".split())
# Words that choose a form of a named function; they are no text that is computed with.
OPTIONS = set("""rows first last stable legacy ascend descend fro inf Inf econ vector matrix lower upper single double
logical full same valid shape linear nearest extrap seed var a g h r c unique sum UniformOutput native extra like
omitnan previous next cubic spline""".split())
# Functions whose texts from an argument on (from 0) are options, and those that the page names.
OPTION_WORDS = {"strsplit": (2, set()), "strrep": (3, set()), "startsWith": (2, set()), "endsWith": (2, set()),
                "strfind": (2, set()), "cellfun": (2, {"UniformOutput"}), "arrayfun": (2, {"UniformOutput"}),
                "structfun": (2, {"UniformOutput"}), "interp2": (0, {"linear", "nearest"}),
                "regexprep": (3, {"once", "ignorecase"}),
                "regexp": (2, {"match", "tokens", "start", "end", "split", "once", "ignorecase"}),
                "regexpi": (2, {"match", "tokens", "start", "end", "split", "once", "ignorecase"})}
INTEGER_CLASS = re.compile(r"u?int(8|16|32|64)$")
INTEGER_WORDS = set("intmax intmin idivide bitand bitor bitxor bitshift bitcmp flintmax".split())
REFLECTING = set("""eval evalc evalin assignin inputname nargchk nargoutchk inputParser argn dbstack mfilename functions
which who whos exec builtin evalm validatestring isargout nthargout methods ismethod""".split())
GRAPHICAL = set("""axes surfc get ishghandle isfigure isaxes hggroup refresh graphics_toolkit findobj ishold meshc pie
polar sphere""".split())
FILING = set("fopen fclose fread fwrite fgetl fgets feof ftell fseek frewind tempname unlink fscanf sscanf textscan "
             "load save input".split())
CELL_WORDS = set("cellslices mat2cell".split())
STRUCT_WORDS = set("orderfields substruct".split())
COMPLEX_WORDS = set("cplxpair logm unwrap".split())
CAUGHT_WORDS = set("lasterr lasterror lastwarn MException getReport".split())
STRING_WORDS = set("""num2words repstr strvcat substr dec2base base2dec hex2dec dec2hex ostrsplit cstrcat untabify
do_string_escapes undo_string_escapes strchr strjust toascii cellstr strtok isstring regexptranslate strread textscan iscntrl
isgraph isprint isascii unicode2native""".split())
WORD_ENTRIES = [(COMPLEX_WORDS, COMPLEX), (CELL_WORDS, CELLS), (STRUCT_WORDS, STRUCTS), (REFLECTING, REFLECTION),
                (CAUGHT_WORDS, TRY), (INTEGER_WORDS, INTEGERS), (GRAPHICAL, GRAPHICS), (FILING, FILES),
                (STRING_WORDS, STRINGS), ({"containers"}, CLASSES)]
KEYWORD_ENTRIES = {"unwind_protect": TRY, "classdef": CLASSES, "methods": CLASSES, "events": CLASSES,
                   "properties": CLASSES, "enumeration": CLASSES, "parfor": STATEMENTS}
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
