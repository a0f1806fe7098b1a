#!/usr/bin/env python3
"""Replays the blocks of the installed Octave's own test files that are inside the language.

usage: run.py --count                          what is inside and what is not, per file; nothing is run
       run.py LAC [--target T] [--only TEXT] [--failures FILE] [--check]
                                               the table per file and the totals; --only: files whose name has TEXT;
                                               --failures: every block that did not pass, by cause
       --write: puts the totals into docs/conformance.md
       --check: exit 1 below the goals (95 % pass, none wrong, none crashes, refusals name what they refuse)
Exits 77 where octave-cli is not installed. Nothing of Octave's files is kept: blocks live in a temporary folder.
"""
import argparse
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from blocks import octave_home, test_files  # noqa: E402
from chapters import NAMES as CHAPTERS  # noqa: E402
from count import Case, cases_of, count, defined_name, table  # noqa: E402
from refusals import is_refusal, names_an_entry  # noqa: E402

SKIP = 77
DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "conformance.md"
BEGIN, END = "<!-- run.py --write: from here -->\n", "<!-- run.py --write: to here -->\n"
SECONDS_PER_BLOCK = 60
STATUSES = ("pass", "outside", "refused", "message", "error", "wrong", "crash", "octave")


@dataclass
class Outcome:
    file: str
    line: int
    status: str
    reason: str
    case: Case

    @property
    def code(self):
        return "\n".join(self.case.block.lines)


def setting_lines(case):
    lines = case.setting.rstrip("\n").split("\n") if case.setting.strip() else []  # a blank line may mean something
    return ["%!shared " + ", ".join(case.shared)] + ["%! " + line for line in lines]


def file_text(cases):
    """(a file for `lac test`, {line: case})"""
    lines, starts, defined, before = [], {}, {}, ["%!shared "]
    for case in cases:
        for function in case.functions:
            name = defined_name(function)
            if defined.get(name) is not function:
                defined[name] = function
                lines += [*function.lines, "%!endfunction"]
        setting = setting_lines(case)
        if setting != before:
            lines += setting
            before = setting
        starts[len(lines) + 1] = case
        lines += case.block.lines
    return "\n".join(lines) + "\n", starts


def results_of(command):
    """The JSON lines of a process, and why it ended early, or None."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL)
        results, rest = [], b""
        while select.select([process.stdout], [], [], SECONDS_PER_BLOCK)[0]:
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                status = process.wait()
                errors.seek(0)
                why = f"exit status {status}: {errors.read().strip()[-300:]}"
                return results, None if status in (0, 1) else why
            *lines, rest = (rest + piece).split(b"\n")
            results += [json.loads(line) for line in lines if line.startswith(b"{")]
        process.kill()
        process.wait()
        return results, f"no answer within {SECONDS_PER_BLOCK} s"


def status_of(result):
    text = " ".join(result.get("messages", [])) + " " + result.get("reason", "")
    if "internal error" in text:
        return "crash"
    messages = result.get("messages") or [result.get("reason", "")]
    refused = result.get("phase") == "compile" and is_refusal(text)
    if refused and names_an_entry(messages[0]):
        return "outside"
    if result["status"] == "fail" and result["kind"] in ("test", "assert") and "ASSERT errors" in text:
        return "wrong"
    if result["status"] == "pass":
        return "refused" if refused else "pass"
    if refused:
        return "refused"
    if result["kind"] in ("error", "fail", "warning"):
        return "message" if result.get("messages") else "wrong"
    if result.get("phase") == "compile":
        return "refused"
    return "wrong" if "assert" in text else "error"


def octave_fails(case, folder):
    """Whether the installed Octave, with the libraries it has here, fails its own block."""
    path = Path(folder, f"block{case.block.line}_{os.getpid()}_{id(case)}.tst")
    path.write_text(file_text([case])[0])
    query = f"[passed, all] = test('{path}', 'quiet'); exit(passed != all)"
    done = subprocess.run(["octave-cli", "-q", "--no-history", "--eval", query], capture_output=True,
                          timeout=SECONDS_PER_BLOCK, stdin=subprocess.DEVNULL)
    return done.returncode != 0


def run_file(lac, target, name, cases, folder):
    """Outcomes of all cases of a file: after a crash the rest runs in another process."""
    outcomes, rest = [], list(cases)
    while rest:
        text, starts = file_text(rest)
        path = Path(folder, name.replace("/", "_") + ".la")
        path.write_text(text)
        results, died = results_of([lac, "test", "--json", "--target=" + target, str(path)])
        done = [r for r in results if r["line"] in starts]
        for result in done:
            case = starts[result["line"]]
            reason = (result.get("messages") or [result.get("reason", "")])[0]
            if result["kind"] in ("error", "fail", "warning") and result["status"] == "fail":
                reason = result["reason"] + " " + " / ".join(result.get("messages", []))
            status = status_of(result)
            if status in ("message", "error", "wrong") and octave_fails(case, folder):
                status = "octave"
            outcomes.append(Outcome(name, case.block.line, status, reason, case))
        rest = rest[len(done):]
        if not rest:
            break
        case = rest.pop(0)
        outcomes.append(Outcome(name, case.block.line, "crash", died or "no result", case))
    return outcomes


def run_all(lac, target, only):
    work = []
    for name, text in test_files():
        cases = [case for case in cases_of(text) if case.entry is None] if only in name else []
        if cases:
            work.append((name, cases))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        return [o for found in pool.map(lambda w: run_file(lac, target, *w, folder), work) for o in found]


def counts_by(outcomes, key):
    """{key of an outcome: Counter of statuses}"""
    counts = defaultdict(Counter)
    for outcome in outcomes:
        counts[key(outcome)][outcome.status] += 1
    return counts


def outcome_table(outcomes):
    by_file = counts_by(outcomes, lambda o: o.file)
    by_chapter = counts_by(outcomes, lambda o: o.case.chapter)
    total = sum(by_file.values(), Counter())
    rows = [*sorted(by_file.items()), *((c, by_chapter[c]) for c in CHAPTERS if c in by_chapter), ("in all", total)]
    lines = ["  ".join(["inside", *(f"{s:>7}" for s in STATUSES), "file, chapter"])]
    for name, counter in rows:
        lines.append("  ".join([f"{sum(counter.values()):6}", *(f"{counter[s] or '.':>7}" for s in STATUSES), name]))
    lines.append(f"{100 * total['pass'] / max(1, len(outcomes)):.1f} % pass")
    return "\n".join(lines)


def cause_of(outcome):
    text = outcome.reason.split("\n")[0]
    text = re.sub(r"^ASSERT errors.*|assert \(.*\) failed", "an assertion fails", text)
    return outcome.status + ": " + re.sub(r"\d+(\.\d+)?", "#", text)[:110]


def failures_text(outcomes):
    groups = defaultdict(list)
    for outcome in outcomes:
        if outcome.status != "pass":
            groups[cause_of(outcome)].append(outcome)
    lines = []
    for cause, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        lines += [f"## {len(group)} x {cause}", ""]
        for outcome in sorted(group, key=lambda o: len(o.code))[:12]:
            lines += [f"{outcome.file}:{outcome.line}: {outcome.reason[:300]}", *("    " + l for l in outcome.code.split("\n")[:14])]
        lines.append("")
    return "\n".join(lines)


def meets_goals(outcomes):
    total = Counter(outcome.status for outcome in outcomes)
    return total["pass"] >= 0.95 * len(outcomes) and not (
        total["wrong"] or total["crash"] or total["error"] or total["refused"])


def write_totals(outcomes, target):
    by_chapter = counts_by(outcomes, lambda o: o.case.chapter)
    total = sum(by_chapter.values(), Counter())
    rows = [f"Octave {octave_home()[1]}, target {target}:", "",
            "| chapter | inside | " + " | ".join(STATUSES) + " | pass rate |", "| --- " * (len(STATUSES) + 3) + "|"]
    for name, counter in [*((c, by_chapter[c]) for c in CHAPTERS if c in by_chapter), ("in all", total)]:
        n = sum(counter.values())
        counts = " | ".join(str(counter[status]) for status in STATUSES)
        rows.append(f"| {name} | {n} | {counts} | {100 * counter['pass'] / max(1, n):.1f} % |")
    head, rest = DOCUMENT.read_text().split(BEGIN)
    DOCUMENT.write_text(head + BEGIN + "\n" + "\n".join(rows) + "\n\n" + END + rest.split(END, 1)[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lac", nargs="?")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--target", default="interp")
    parser.add_argument("--only", default="")
    parser.add_argument("--failures")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if not shutil.which("octave-cli"):
        print("SKIPPED: octave-cli is not installed")
        return SKIP
    if options.count:
        print(table(count()), end="")
        return 0
    outcomes = run_all(options.lac, options.target, options.only)
    print(f"Octave {octave_home()[1]}, target {options.target}\n" + outcome_table(outcomes))
    if options.write:
        write_totals(outcomes, options.target)
    if options.failures:
        Path(options.failures).write_text(failures_text(outcomes))
    return 1 if options.check and not meets_goals(outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
