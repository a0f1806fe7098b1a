#!/usr/bin/env python3
"""Runs the fuzz targets, one line each; exit 1 when one of them found something.

usage: run.py BUILD_FOLDER SECONDS [TARGET...]      SECONDS of each target; default: all targets

What each target has learned is kept in BUILD_FOLDER/corpus/TARGET and is where the next run begins, beside the
programs of the repository; what it found lies in BUILD_FOLDER/findings/TARGET, its whole text in TARGET.log.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ("syntax", "check", "run", "files", "programs")
LONGEST_INPUT = 1024  # seeds that are longer cost more than they show
LONGEST_COMPILED = 300  # of `programs`, which makes machine code of every seed before it draws its first change
# Short stacks at allocations and a small quarantine: with the defaults a third of the time goes to them.
SANITIZER = "malloc_context_size=4:quarantine_size_mb=16"
# Time that passes says nothing on a busy machine: the targets bound what they compute (limits.h).
# Choosing seeds by the rarity of what they reach (entropic) costs more than running one.
LIMITS = ("-entropic=0", "-timeout=600", "-rss_limit_mb=3000", f"-max_len={LONGEST_INPUT}")


def seeds_of(target):
    found = sorted((ROOT / "tests/fuzz/found" / target).glob("*"))
    if target == "files":
        return sorted((ROOT / "tests/fuzz/seeds").iterdir()) + found
    folders = (ROOT / name for name in ("tests", "library", "solvers", "samples"))
    programs = sorted(path for folder in folders for path in folder.rglob("*.la"))
    longest = LONGEST_COMPILED if target == "programs" else LONGEST_INPUT
    return [path for path in programs if path.stat().st_size <= longest] + found


def copy_seeds(target, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, path in enumerate(seeds_of(target)):
        shutil.copyfile(path, folder / f"{number}_{path.name}")


def fuzz(build, target, seconds):
    """Whether nothing was found."""
    corpus, seeds, findings = (build / name / target for name in ("corpus", "seeds", "findings"))
    corpus.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(findings, ignore_errors=True)
    findings.mkdir(parents=True)
    copy_seeds(target, seeds)
    log = build / f"{target}.log"
    command = [build / f"fuzz_{target}", f"-max_total_time={seconds}", f"-artifact_prefix={findings}/", *LIMITS,
               "-print_final_stats=1", "-report_slow_units=600", corpus, seeds]
    with open(log, "wb") as out:
        status = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=build,
                                env={"ASAN_OPTIONS": SANITIZER, **os.environ, "OPENBLAS_NUM_THREADS": "1"}, check=False).returncode
    text = log.read_text(errors="replace")
    runs = re.search(r"stat::number_of_executed_units: *(\d+)", text)
    coverage = re.findall(r" cov: (\d+)", text)
    kept = sorted(path for path in findings.iterdir() if not path.name.startswith("slow-unit-"))
    print(f"fuzz {target}: {runs.group(1) if runs else '?'} runs in {seconds} s, "
          f"{coverage[-1] if coverage else '?'} edges covered, {len(kept)} findings", flush=True)
    if status != 0 or kept:
        print("".join(f"  {path}\n" for path in kept) + f"  {log}", flush=True)
    return status == 0 and not kept


def main():
    build, seconds = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    clean = [fuzz(build, target, seconds) for target in sys.argv[3:] or TARGETS]
    sys.exit(0 if all(clean) else 1)


if __name__ == "__main__":
    main()
