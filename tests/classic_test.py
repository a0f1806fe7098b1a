#!/usr/bin/env python3
"""The operations of samples/classic: every target computes what the interpreter does, at sizes that fill no texel.

usage: classic_test.py LAC        without a device only the cpu
"""
import array
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "classic"
TOLERANCE = 1e-4  # of the largest element, in single precision
SIZES = (("n=37", "m=11"), ("n=64", "m=64"), ("n=1", "m=1", "trips=1"))


def floats(path):
    content = path.read_bytes()
    header = 10 + int.from_bytes(content[8:10], "little")  # of an .npy file
    values = array.array("f")
    values.frombytes(content[header:])
    return values


def outputs(lac, program, target, sizes, folder):
    """By name; a message where the run fails."""
    text = program.read_text()
    names = [line.split()[1] for line in text.splitlines() if line.startswith("output ") and line != "output trips"]
    known = [size for size in sizes if f"param {size.split('=')[0]} " in text]
    files = {name: Path(folder, f"{name}.npy") for name in names}
    writes = sum((["-o", f"{name}={file}"] for name, file in files.items()), [])
    done = subprocess.run([lac, "run", str(program), *known, "--print=none", "--precision=single",
                           "--target=" + target, *writes], cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return done.stderr
    return {name: floats(file) for name, file in files.items()}


def difference(found, expected):
    if len(found) != len(expected):
        return float("inf")
    largest = max((abs(value) for value in expected), default=0) or 1
    apart = [abs(a - b) / largest for a, b in zip(found, expected)]
    return float("nan") if any(value != value for value in apart) else max(apart, default=0)


def main():
    lac = str(Path(sys.argv[1]).resolve())
    has_device = subprocess.run([lac, "devices"], capture_output=True, timeout=60).returncode == 0
    targets = ("cpu", "vulkan", "vulkan-fragment") if has_device else ("cpu",)
    programs = sorted(SAMPLES.glob("*.la"))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            for sizes in SIZES:
                expected = outputs(lac, program, "interp", sizes, folder)
                for target in targets:
                    found = outputs(lac, program, target, sizes, folder)
                    wrong = (found if isinstance(found, str) else
                             {name: apart for name in expected
                              if not (apart := difference(found[name], expected[name])) <= TOLERANCE})
                    failures += bool(wrong)
                    if wrong:
                        print(f"{program.name} {' '.join(sizes)} on {target}: {wrong}")
    print(f"{len(programs)} programs on {', '.join(targets)}, {failures} wrong")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
