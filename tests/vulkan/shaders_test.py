#!/usr/bin/env python3
"""Every shader of tests/programs passes spirv-val, and comes out in every language that can express it. Needs no device.

usage: shaders_test.py LAC [PROGRAM.la...]        default: all programs

A shader that a language cannot express is refused by name; the reasons that are known are in REFUSALS.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
REFUSAL = re.compile(r"^(\S+): (.*)$", re.MULTILINE)  # a line of left_out.txt
REFUSALS = {
    "hlsl": (),
    "msl": ("double precision in MSL",),
    "essl": ("double precision in ESSL",),
}
# (precision, layout): what changes a program's shaders
CONFIGURATIONS = (("single", "buffer"), ("single", "texel"), ("double", "buffer"))


def emit(lac, path, stage, precision, layout, *words):
    arguments = path.with_suffix(".args")
    done = subprocess.run([lac, "emit", stage, str(path), "--precision=" + precision, "--layout=" + layout, *words,
                           *(arguments.read_text().split() if arguments.exists() else [])],
                          capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise AssertionError(f"{path.name}: emit {stage}: {done.stderr}")
    return done.stdout


def check_spirv(lac, path, precision, layout):
    """(what is wrong, the number of shaders)"""
    with tempfile.TemporaryDirectory() as folder:
        emit(lac, path, "spirv", precision, layout, "-o", folder)
        files = sorted(Path(folder).glob("*.spv"))
        problems = [] if Path(folder, "manifest.json").exists() else [f"{path.name}: no manifest"]
        for file in files:
            done = subprocess.run(["spirv-val", "--target-env", "vulkan1.2", str(file)], capture_output=True, text=True)
            if done.returncode != 0:
                problems.append(f"{path.name}: {file.name} ({precision} {layout}): {done.stderr}{done.stdout}")
        return problems, len(files)


def compiled(folder, language):
    """What glslang says of the files of one language. Of HLSL it knows no doubles and no
    Load<T>, which SPIRV-Cross writes beside them; D3D's own compiler does."""
    files = [str(file) for file in sorted(Path(folder).glob("*." + language))
             if language != "hlsl" or not re.search(r"\bdouble|(Load|Store)<", file.read_text())]
    if not files or not shutil.which("glslangValidator"):
        return []
    # It makes one module of several files in HLSL.
    calls = [files] if language != "hlsl" else [["-D", "-e", "main", "-V", "-o", os.devnull, file] for file in files]
    wrong = []
    for call in calls:
        done = subprocess.run(["glslangValidator", "-S", "comp", *call], capture_output=True, text=True)
        wrong += [line for line in done.stdout.splitlines() if "ERROR" in line] if done.returncode != 0 else []
    return wrong


def check_language(lac, path, language, precision, layout):
    """(what is wrong, how many shaders were refused)"""
    with tempfile.TemporaryDirectory() as folder:
        emit(lac, path, language, precision, layout, "-o", folder)
        left_out = Path(folder, "left_out.txt")
        refused = REFUSAL.findall(left_out.read_text()) if left_out.exists() else []
        wrong = compiled(folder, language) if language != "msl" else []
    problems = [f"{path.name} in {language} ({precision} {layout}): {problem}" for problem in wrong]
    if problems:
        return problems, 0
    problems = [f"{path.name}: {name} not in {language} ({precision} {layout}): {reason}"
                for name, reason in refused if not any(known in reason for known in REFUSALS[language])]
    return problems, len(refused)


def check(lac, path):
    problems, shaders, refused = [], 0, 0
    for precision, layout in CONFIGURATIONS:
        found, count = check_spirv(lac, path, precision, layout)
        problems += found
        shaders += count
        for language in REFUSALS:
            found, count = check_language(lac, path, language, precision, layout)
            problems += found
            refused += count
    return problems, shaders, refused


def main():
    lac, *programs = sys.argv[1:]
    if not shutil.which("spirv-val"):
        print("SKIPPED: spirv-val is not installed")
        return 77
    paths = [Path(program) for program in programs] or sorted(PROGRAMS.glob("*.la"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: check(lac, path), paths))
    problems = sum((result[0] for result in results), [])
    print("\n".join(problems))
    print(f"{len(paths)} programs, {sum(result[1] for result in results)} shaders valid, "
          f"{sum(result[2] for result in results)} translations refused by name, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
