#!/usr/bin/env python3
"""Faults put into the vulkan target on purpose: nothing is lost, nothing hangs, and a retry works.

usage: faults_test.py LAC VULKAN_RETRY        exits 77 without a device

- allocation K fails, for every K; the device is lost at submission K, for every K (LAC_VULKAN_FAULTS);
- the second run finds every shader that the first compiled; `lac cache` counts them and removes them;
- the files of compiled shaders and pipelines are cut short, garbage, or of another device; its folder cannot be written or made;
- several processes fill the same empty cache at once.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIP = 77
MOST = 300        # faults of one kind; the program makes fewer allocations and submissions
LIMIT = 120       # seconds after which a process hangs
PROGRAM = "x = (1:1000)'; s = 0; for k = 1:5, x = 0.5 * x + 1; s = s + sum(x); end, printf('%.3f\\n', s);"


class Report:
    def __init__(self):
        self.injected = 0
        self.hung = 0
        self.problems = []

    def run(self, command, **environment):
        """The finished process, or None when it hung."""
        try:
            return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LIMIT,
                                  stdin=subprocess.DEVNULL, env={**os.environ, **environment})
        except subprocess.TimeoutExpired:
            self.hung += 1
            self.problems.append(f"{environment}: hangs")
            return None

    def expect(self, condition, what):
        if not condition:
            self.problems.append(what)


def inject(report, retry, kind):
    """Until the program no longer gets that far: the fault did not happen."""
    quiet = 0
    for number in range(MOST):
        fault = f"{kind}={number}"
        done = report.run([retry], LAC_VULKAN_FAULTS=fault)
        if done is None:
            return
        report.expect(done.returncode == 0, f"{fault}: exit status {done.returncode}: {done.stdout}{done.stderr}")
        happened = done.stdout != ""
        report.injected += happened
        quiet = 0 if happened else quiet + 1
        if quiet > 8:
            return
    report.problems.append(f"{kind}: no end after {MOST} faults")


def run_program(report, lac, folder):
    return report.run([lac, "run", "--target=vulkan", "-e", PROGRAM], LAC_CACHE_DIR=str(folder))


def expect_same(report, done, expected, what):
    if done is None:
        return
    report.injected += 1
    report.expect(done.returncode == 0 and done.stdout == expected,
                  f"{what}: exit status {done.returncode}: {done.stdout}{done.stderr}")


def use_cache(report, lac, scratch, expected):
    folder = scratch / "used"
    uses = []
    for options in ([], [], ["--no-cache"]):
        done = report.run([lac, "run", "--target=vulkan", "--stats=json", *options, "-e", PROGRAM],
                          LAC_CACHE_DIR=str(folder))
        uses.append(json.loads(done.stderr.splitlines()[-1])["cache"] if done and done.returncode == 0 else done)
    report.expect(uses == ["miss", "hit", "off"], f"what runs found in the cache: {uses}")
    files = list((folder / "code").iterdir())
    report.expect(any(path.name.startswith("shader-") for path in files), "no shader was kept")
    foreign = folder / "code" / "notes.txt"
    foreign.write_text("not of lac")
    counted = report.run([lac, "cache"], LAC_CACHE_DIR=str(folder)).stdout
    report.expect(f"files    {len(files)}\n" in counted and str(folder) in counted, f"lac cache says {counted}")
    cleared = report.run([lac, "cache", "clear"], LAC_CACHE_DIR=str(folder)).stdout
    report.expect("files    0\n" in cleared, f"lac cache clear says {cleared}")
    report.expect(list((folder / "code").iterdir()) == [foreign], "lac cache clear removes its own files and no others")
    expect_same(report, run_program(report, lac, folder), expected, "after lac cache clear")


def spoil_cache(report, lac, scratch, expected):
    folder = scratch / "cache"
    run_program(report, lac, folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    report.expect(files != [], "no cache file was written")
    for name, spoil in (("cut short", lambda data: data[:len(data) // 2]), ("garbage", lambda data: b"\xff" * 1000),
                        ("empty", lambda data: b""), ("changed", lambda data: data[:-8] + bytes(8)),
                        ("of another device", lambda data: data[:16] + bytes(16) + data[32:])):
        for path in files:
            path.write_bytes(spoil(path.read_bytes()))
        expect_same(report, run_program(report, lac, folder), expected, f"cache {name}")
        expect_same(report, run_program(report, lac, folder), expected, f"after a cache {name}")


def forbid_cache(report, lac, scratch, expected):
    folder = scratch / "forbidden"
    folder.mkdir()
    folder.chmod(0o555)
    expect_same(report, run_program(report, lac, folder), expected, "a cache folder that cannot be written")
    expect_same(report, run_program(report, lac, "/proc/none"), expected, "a cache folder that cannot be made")
    file = scratch / "file"
    file.write_text("")
    expect_same(report, run_program(report, lac, file), expected, "a file in place of the cache folder")


def share_cache(report, lac, scratch, expected):
    folder = scratch / "shared"
    with ThreadPoolExecutor(4) as pool:
        for done in pool.map(lambda _: run_program(report, lac, folder), range(4)):
            expect_same(report, done, expected, "processes that fill one cache")
    left = [path.name for path in folder.rglob("*") if path.is_file() and "tmp" in path.name]
    report.expect(left == [], f"temporary files are left: {left}")
    expect_same(report, run_program(report, lac, folder), expected, "after processes that filled one cache")


def run_all(lac, retry):
    report = Report()
    clean = report.run([lac, "run", "--target=vulkan", "-e", PROGRAM])
    report.expect(clean is not None and clean.returncode == 0, "the program fails without a fault")
    scratch = Path(tempfile.mkdtemp())
    try:
        inject(report, retry, "allocation")
        inject(report, retry, "submit")
        for part in (use_cache, spoil_cache, forbid_cache, share_cache):
            part(report, lac, scratch, clean.stdout if clean else "")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return report


def main():
    lac, retry = sys.argv[1:]
    if subprocess.run([lac, "devices"], capture_output=True, timeout=LIMIT).returncode != 0:
        print("SKIPPED: no Vulkan device")
        return SKIP
    report = run_all(lac, retry)
    print("\n".join(report.problems))
    print(f"injected: {report.injected}, hung: {report.hung}")
    return 1 if report.problems or report.hung else 0


if __name__ == "__main__":
    sys.exit(main())
