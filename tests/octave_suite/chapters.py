"""The chapter of the language that a block is about: the first of these whose words it uses."""
from octave_text import TextError, calls_of, is_op, tokens_of, variables_of
from subset import beyond_two_dimensions, handle_variables, has_many_subscripts, is_complex
from words import CHAPTERS, INTEGER_CLASS

FLOW = set("""if while do for switch break continue return try global persistent function""".split())
OTHER = "numbers and matrices"


def uses_arrays(tokens, calls, variables):
    handles = handle_variables(tokens)
    return has_many_subscripts(tokens) or any(beyond_two_dimensions(call, variables, handles) for call in calls)


def named_in(chapter):
    words = set(CHAPTERS[chapter])
    return lambda tokens, calls, variables: any(call.name in words - variables for call in calls)


TESTS = {
    "integers": lambda tokens, calls, variables: any(INTEGER_CLASS.match(t.value or t.text) for t in tokens),
    "structs": lambda tokens, calls, variables: any(is_op(t, ".") for t in tokens) or named_in("structs")(
        tokens, calls, variables),
    "cells": lambda tokens, calls, variables: any(is_op(t, "{") for t in tokens) or named_in("cells")(
        tokens, calls, variables),
    "complex": lambda tokens, calls, variables: is_complex([t for t in tokens if t.text not in variables]),
    "N-d": uses_arrays,
    "strings": named_in("strings"),
    "figures": named_in("figures"),
    "flow": lambda tokens, calls, variables: any(t.kind == "keyword" and t.text in FLOW for t in tokens),
}
NAMES = (*TESTS, OTHER)


def chapter_of(code):
    try:
        tokens = tokens_of(code)
        calls, variables = calls_of(tokens), variables_of(tokens)
        return next((name for name, uses in TESTS.items() if uses(tokens, calls, variables)), OTHER)
    except TextError:
        return OTHER
