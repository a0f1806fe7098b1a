"""Tokens and calls of Octave's language, for tools that look at programs without running them."""
import re
from dataclasses import dataclass, field

KEYWORDS = set("""break case catch continue do else elseif end end_try_catch end_unwind_protect endclassdef endenumeration
endevents endfor endfunction endif endmethods endparfor endproperties endswitch endwhile enumeration events for function
global if methods otherwise parfor persistent properties return switch try until unwind_protect unwind_protect_cleanup
while classdef""".split())
NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")
NAME = re.compile(r"[A-Za-z_]\w*")
OPERATORS = sorted("""... .^' ** .** .* ./ .\\ .^ .' == ~= != <= >= && || ++ -- += -= *= /= ^= |= &= .*= ./= .^= .\\= \\=
+ - * / \\ ^ < > & | ! ~ = , ; : ( ) [ ] { } @ . ' ?""".split(), key=len, reverse=True)
SUFFIX = re.compile(r"[ijIJ](?!\w)")


@dataclass
class Token:
    kind: str  # number, imaginary, string, name, keyword, op, newline
    text: str
    space: bool  # blanks before it
    line: int
    value: str = ""  # of a string
    quote: str = ""


class TextError(Exception):
    pass


def ends_operand(token):
    return token.kind in ("number", "imaginary", "string", "name") or token.text in (")", "]", "}", "'", ".'")


def read_string(text, at, quote):
    value, i = "", at + 1
    while i < len(text) and text[i] != "\n":
        if text[i] == quote:
            if text[i + 1:i + 2] != quote:
                return value, i + 1
            i += 1
        elif quote == '"' and text[i] == "\\":
            value += text[i]
            i += 1
        value += text[i:i + 1]
        i += 1
    raise TextError("a string does not end")


def skip_block_comment(text, at):
    depth = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        depth += (line in ("%{", "#{")) - (line in ("%}", "#}"))
        at = end
        if depth == 0:
            return at
        at += 1
    return at


def tokens_of(text):
    result, open_brackets, i, line, space = [], [], 0, 1, False
    while i < len(text):
        c = text[i]
        inside = open_brackets and open_brackets[-1] in "[{"
        previous = result[-1] if result else None
        if c in " \t\r":
            space, i = True, i + 1
            continue
        if text.startswith("...", i):
            end = text.find("\n", i)
            i, line, space = (len(text) if end < 0 else end + 1), line + 1, True
            continue
        if c in "%#":
            alone = not text[text.rfind("\n", 0, i) + 1:i].strip()
            if alone and text[i + 1:i + 2] == "{" and not text[i + 2:].split("\n", 1)[0].strip():
                end = skip_block_comment(text, i)
            else:
                end = text.find("\n", i)
                end = len(text) if end < 0 else end
            line += text.count("\n", i, end)
            i = end
            continue
        if c == "\n":
            if not open_brackets or inside:
                result.append(Token("newline", "\n", space, line))
            i, line, space = i + 1, line + 1, inside
            continue
        token, i = next_token(text, i, line, space, previous, inside)
        space = False
        if token.text in "([{" and token.kind == "op":
            open_brackets.append(token.text)
        elif token.text in ")]}" and token.kind == "op" and open_brackets:
            open_brackets.pop()
        if token.text == "end" and open_brackets:
            token.kind = "name"
        result.append(token)
    return result


def next_token(text, i, line, space, previous, inside):
    c = text[i]
    if c == '"':
        value, end = read_string(text, i, c)
        return Token("string", text[i:end], space, line, value, c), end
    if c == "'":
        glued = previous and ends_operand(previous) and previous.kind != "keyword" and not (space and inside)
        if glued:
            return Token("op", "'", space, line), i + 1
        value, end = read_string(text, i, c)
        return Token("string", text[i:end], space, line, value, c), end
    number = NUMBER.match(text, i)
    if number and (c.isdigit() or c == "."):
        end = number.end()
        if text[end - 1] == "." and text[end:end + 1] in ("*", "/", "\\", "^", "'"):
            end -= 1
        if SUFFIX.match(text, end):
            return Token("imaginary", text[i:end + 1], space, line), end + 1
        return Token("number", text[i:end], space, line), end
    name = NAME.match(text, i)
    if name:
        word = name.group()
        field_name = previous is not None and previous.text == "." and not space
        return Token("keyword" if word in KEYWORDS and not field_name else "name", word, space, line), name.end()
    for operator in OPERATORS:
        if text.startswith(operator, i):
            return Token("op", operator, space, line), i + len(operator)
    raise TextError(f"'{c}' is no part of the language")


OPEN, CLOSE = ("(", "[", "{"), (")", "]", "}")


def is_op(token, *texts):
    return token.kind == "op" and token.text in texts


def matching(tokens, at):
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += is_op(tokens[i], *OPEN) - is_op(tokens[i], *CLOSE)
        if depth == 0:
            return i
    raise TextError("a bracket is not closed")


def split_at(tokens, separators, in_brackets=False):
    """Parts of a token list between separators outside brackets."""
    parts, depth, current = [], 0, []
    for token in tokens:
        if depth == 0 and (token.text in separators and token.kind in ("op", "newline")):
            parts.append(current)
            current = []
            continue
        depth += is_op(token, *OPEN) - is_op(token, *CLOSE)
        current.append(token)
    parts.append(current)
    return parts


@dataclass
class Call:
    """A name with its arguments in parentheses, or without any."""
    name: str
    arguments: list  # token lists
    line: int
    parenthesised: bool
    results: int = 1  # targets of the assignment whose right side it is
    position: int = 0
    targets: list = field(default_factory=list)


def inside_matrix(tokens):
    """For each token whether its innermost bracket is [ or {."""
    flags, stack = [], []
    for token in tokens:
        if is_op(token, *CLOSE) and stack:
            stack.pop()
        flags.append(bool(stack) and stack[-1] != "(")
        if is_op(token, *OPEN):
            stack.append(token.text)
    return flags


def calls_of(tokens):
    """Every name that is not a field, a handle's name or an assignment's target, with its arguments."""
    calls, flags = [], inside_matrix(tokens)
    for i, token in enumerate(tokens):
        if token.kind != "name" or token.text == "end":
            continue
        if i and is_op(tokens[i - 1], ".") and not token.space:
            continue
        follows = tokens[i + 1] if i + 1 < len(tokens) else None
        has = follows is not None and is_op(follows, "(") and not (flags[i] and follows.space)
        arguments = []
        if has:
            close = matching(tokens, i + 1)
            if close > i + 2:
                arguments = split_at(tokens[i + 2:close], (",",))
        calls.append(Call(token.text, arguments, token.line, has, position=i))
    return calls


ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "^=", "|=", "&=", ".*=", "./=", ".^=", ".\\=", "\\=")


def statements_of(tokens):
    return [part for part in split_at(tokens, (",", ";", "\n")) if part]


def assignment_at(statement):
    """The index of the assignment operator, or None."""
    depth = 0
    for i, token in enumerate(statement):
        if depth == 0 and is_op(token, *ASSIGNMENTS):
            return i
        depth += is_op(token, *OPEN) - is_op(token, *CLOSE)
    return None


def targets_of(left):
    """Names that an assignment's left side assigns."""
    left = [t for t in left if t.kind not in ("keyword", "newline")]
    if not left:
        return []
    if is_op(left[0], "["):
        names, depth = [], 0
        for i, token in enumerate(left):
            starts = depth == 1 and token.kind == "name" and not is_op(left[i - 1], ".")
            depth += is_op(token, *OPEN) - is_op(token, *CLOSE)
            if starts:
                names.append(token.text)
        return names
    return [left[0].text] if left[0].kind == "name" else []


def variables_of(tokens):
    """Names that are assigned anywhere, are loop variables or parameters."""
    names = set()
    for statement in statements_of(tokens):
        first = statement[0]
        if first.text == "function":
            names.update(parameters_of(statement))
            continue
        at = assignment_at(statement)
        if at is not None:
            names.update(targets_of(statement[:at]))
        elif first.text in ("for", "parfor") and len(statement) > 2:
            names.update(for_variable(statement))
        if statement[-1].text in ("++", "--") and statement[0].kind == "name":
            names.add(statement[0].text)
    for i, token in enumerate(tokens):
        if is_op(token, "@") and i + 1 < len(tokens) and is_op(tokens[i + 1], "("):
            close = matching(tokens, i + 1)
            names.update(t.text for t in tokens[i + 2:close] if t.kind == "name")
        if token.text in ("for", "parfor") and token.kind == "keyword":
            names.update(for_variable(tokens[i:]))
    return names


def for_variable(tokens):
    rest = tokens[1:]
    if rest and is_op(rest[0], "("):
        rest = rest[1:]
    return {rest[0].text} if rest and rest[0].kind == "name" else set()


def parameters_of(statement):
    """Names of a function's line: results and parameters, not the function's own."""
    names = [t.text for t in statement[1:] if t.kind == "name"]
    own = function_name(statement)
    return {n for n in names if n != own}


def function_name(statement):
    """The name that a `function` line defines."""
    rest, depth = statement[1:], 0
    for i, token in enumerate(rest):
        if depth == 0 and is_op(token, "("):
            break
        if depth == 0 and is_op(token, "="):
            rest = rest[i + 1:]
            break
        depth += is_op(token, *OPEN) - is_op(token, *CLOSE)
    return rest[0].text if rest and rest[0].kind == "name" else ""


def has_defaults(statement):
    """function f (x = 0)"""
    depth = 0
    for token in statement[1:]:
        depth += is_op(token, *OPEN) - is_op(token, *CLOSE)
        if is_op(token, "=") and depth > 0:
            return True
    return False
