#!/usr/bin/env python3
"""The law of the folders, as a test: who may include what, and which layers stay silent.

    support <- ir <- { frontend, passes, codegen, runtime } <- driver <- { samples, tests, bench }

usage: layers_test.py [REPOSITORY]
"""
import re
import sys
from pathlib import Path

# A folder may include itself and the folders listed here.
MAY_INCLUDE = {
    "ir/support": set(),
    "ir": {"ir/support"},
    "frontend": {"ir", "ir/support"},
    "passes": {"ir", "ir/support"},
    "codegen": {"ir", "ir/support"},
    "runtime": {"ir", "ir/support"},
    "driver": {"ir", "ir/support", "frontend", "passes", "codegen", "runtime"},
}
# The parts of a folder that stand on each other: one includes what stands left of it.
ORDERED = {
    "frontend/sema": ("names", "recursion", "values", "integers", "complex", "stacks", "builtins", "arrays", "data",
                      "program"),
}
# These users stand above the driver: they may include every layer, and no layer includes them.
USERS = ("samples", "tests", "bench")

# A third-party header belongs to one place: (what it looks like, the only folder or folders that may include it).
CONFINED = [
    (re.compile(r"^boost/"), "frontend/grammar"),
    (re.compile(r"^llvm[/-]"), "codegen/llvm"),
    (re.compile(r"^(tbb|oneapi)/"), "runtime"),
    (re.compile(r"^cblas\.h$"), "runtime"),
    (re.compile(r"^(volk\.h|vulkan/)"), "runtime/vulkan"),
    (re.compile(r"^(shaderc|spirv-tools|spirv_cross|glslang|SPIRV)/"), "codegen/glsl"),
    (re.compile(r"^Eigen/"), "runtime/steps"),
    (re.compile(r"^zlib\.h$"), "runtime/files/data"),
    (re.compile(r"^CLI/"), "driver/cli"),
    (re.compile(r"^(histedit\.h|editline/)"), "driver/cli"),
    (re.compile(r"^nlohmann/"), ("driver/cli", "driver/explain", "driver/lsp", "driver/vulkan")),
]
# Headers so expensive that one file each includes them, whichever of the family it needs.
ONE_FILE = [
    ("LLVM's ORC", re.compile(r"^llvm/ExecutionEngine/Orc/")),
    ("LLVM's PassBuilder", re.compile(r"^llvm/Passes/PassBuilder\.h$")),
]
# The compiler's layers report through diagnostics; only the command line talks and ends the process.
SILENT = ("ir", "frontend", "passes", "codegen")
LOUD = re.compile(
    r"std::(cout|cerr|clog|exit|abort|quick_exit)\b|(?<![\w.:>])(printf|fprintf|puts|putchar|exit|abort|_exit)\s*\("
    r"|std::f?printf\s*\(|fmt::print\s*\(|llvm::(errs|outs)\s*\(")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def layer_of(path):
    """The layer a path of the repository belongs to, or None."""
    if path.startswith("ir/support/"):
        return "ir/support"
    first = path.split("/", 1)[0]
    return first if first in MAY_INCLUDE or first in USERS else None


def blank(match):
    """A comment or string reduced to its line breaks, so that line numbers stay right."""
    return "\n" * match.group(0).count("\n")


def includes(text):
    """(line number, quote, header) of every include."""
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def resolve(header, path, root):
    """The repository path that a header names, rooted at the repository, or at driver/include for the public one."""
    for candidate in (header, "driver/include/" + header):
        if (root / candidate).is_file():
            return candidate
    beside = str(Path(path).parent / header)
    return beside if (root / beside).is_file() else None


def check_include(path, number, quote, header, root):
    """The reasons why this include breaks the law."""
    layer = layer_of(path)
    for pattern, home in CONFINED:
        homes = (home,) if isinstance(home, str) else home
        if layer not in USERS and pattern.search(header) and not path.startswith(tuple(each + "/" for each in homes)):
            yield f"{path}:{number}: only {' and '.join(homes)} may include <{header}>"
    target = resolve(header, path, root)
    if target is None:
        if quote == '"':
            yield f'{path}:{number}: "{header}" is no file of the repository (includes are rooted at it)'
        return
    if target != header and not target.startswith("driver/include/"):
        yield f'{path}:{number}: write "{target}": includes are rooted at the repository'
    for folder, parts in ORDERED.items():
        ranks = [parts.index(each[len(folder) + 1:].split("/")[0]) if each.startswith(folder + "/") else -1
                 for each in (path, target)]
        if min(ranks) >= 0 and ranks[1] > ranks[0]:
            yield f"{path}:{number}: {folder}/{parts[ranks[0]]} may not include {target}"
    target_layer = layer_of(target)
    if layer in USERS or target_layer == layer:
        return
    if target_layer not in MAY_INCLUDE[layer]:
        yield f"{path}:{number}: {layer} may not include {target}"


def check_public(path, number, header, root):
    """The public headers stand alone, and the command line uses them and its own files, nothing else of the project."""
    target = resolve(header, path, root)
    if path.startswith("driver/include/") and target and not target.startswith("driver/include/"):
        yield f"{path}:{number}: a public header may not include {target}"
    if path.startswith("driver/cli/") and target and not target.startswith(("driver/cli/", "driver/include/")):
        yield f"{path}:{number}: the command line may use only lac/lac.hpp, not {target}"


def sources(root):
    """Every source file of the layers and of their users, as repository paths."""
    for folder in ("ir", "frontend", "passes", "codegen", "runtime", "driver") + USERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".h", ".hpp", ".cpp", ".def", ".inc") and file.is_file():
                yield file.relative_to(root).as_posix()


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems, owners = [], {name: set() for name, _ in ONE_FILE}
    count = 0
    for path in sources(root):
        count += 1
        text = (root / path).read_text(encoding="utf-8")
        for number, quote, header in includes(text):
            problems += check_include(path, number, quote, header, root)
            problems += check_public(path, number, header, root)
            for name, pattern in ONE_FILE:
                if pattern.search(header):
                    owners[name].add(path)
        if path.split("/", 1)[0] in SILENT:
            for number, line in enumerate(COMMENT_OR_STRING.sub(blank, text).splitlines(), 1):
                match = LOUD.search(line)
                if match:
                    problems.append(f"{path}:{number}: a silent layer uses {match.group(0).strip()}")
    for name, files in owners.items():
        if len(files) > 1:
            problems.append(f"{name} headers are included in more than one file: {', '.join(sorted(files))}")
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
