#!/usr/bin/env python3
"""The report of `lac explain`: its data hold together, on cpu and vulkan, and its page works in a browser.

usage: explain_test.py LAC            the data and the page's text, of a run on the cpu
       explain_test.py LAC --vulkan   the same of runs on vulkan; exits 77 without a device
       explain_test.py LAC --browser  the page in headless Chromium; exits 77 without it
"""
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIP = 77
ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = {
    "poisson": (ROOT / "samples/poisson.la").read_text(),
    "newton": (ROOT / "samples/newton.la").read_text(),
    "grow": "x = 1; s = [];\nfor k = 1:5\n  x(end + 1) = k;\n  s = [s; sum(x)];\nend\ndisp(s')\n",
    "branch": "a = rand(9); b = zeros(9);\nif sum(a(:)) > 1\n  b = a * a;\nelse\n  b = a';\nend\noutput b\n",
    "scalars": "x = 3; y = x^2; printf('%d\\n', y);\n",
    "nothing": "\n",
    "hostile": "% </script><script>boom()</script> <!--\nx = ones(3, 1) * 2; % \"the data\" \\u003c \xe9\nprintf('</script>%s\\n', 'a<b');\ndisp(x)\n",
    "arms": "c = rand(); if c > 0.2, y = []; else, y = ones(4, 1) * c; end\ny(end + 1) = 3; z = y;\n"
            "if c > 0.1, z = 2; else, z = z'; end\nz(3) = 1; disp(size(z))\n",
    "calls": "x = rand(40);\ny = sum(pcg(x * x' + 40 * eye(40), ones(40, 1))) + sum(cos(x(:)));\nprintf('%d\\n', y > 0);\n",
    "same_code": "x = rand(50, 1); y = rand(70, 1);\na = norm(x); b = norm(y);\nprintf('%g\\n', a > b);\n",
}
ON_VULKAN = ("poisson", "branch", "arms")


class Problem(Exception):
    pass


def require(condition, what):
    if not condition:
        raise Problem(what)


def explain(lac, program, target, *words):
    return subprocess.run([lac, "explain", str(program), "-o", str(target), *words], capture_output=True, text=True, timeout=300,
                          check=False)


def steps_of(steps):
    for step in steps:
        yield step
        for body in step.get("bodies", []):
            yield from steps_of(body)


def check_plan(plan):
    """Kernels are named once and have code; steps name kernels and buffers that there are; what is read was written."""
    ids = [kernel["id"] for kernel in plan["kernels"]]
    require(ids == [f"k{n}" for n in range(len(ids))], f"kernels are {ids}")
    texts = {source["file"]: source["text"].count("\n") + 1 for source in plan["sources"]}
    for kernel in plan["kernels"]:
        require(kernel["text"].startswith(f"kernel {kernel['id']} "), f"text of {kernel['id']}: {kernel['text'][:40]}")
        require(kernel["code"] and all(code["text"].strip() for code in kernel["code"]), f"{kernel['id']} has no code")
        for place in kernel["places"]:
            file, line = place.rsplit(":", 1)
            require(1 <= int(line) <= texts.get(file, 0), f"{kernel['id']} stands in {place}")
    steps = list(steps_of(plan["steps"]))
    launched = [step["kernel"] for step in steps if step["kind"] == "launch"]
    require(sorted(set(launched)) == sorted(ids), f"launched are {launched}")
    written = set()
    for step in steps:
        for buffer in step.get("reads", []):
            require(buffer in written, f"{step['label']} reads buffer {buffer}, which nothing wrote")
        written.update(step.get("writes", []))
    require(written == set(range(len(plan["buffers"]))), f"written are {written} of {len(plan['buffers'])} buffers")


def check_run(run, plan):
    """What ran as a kernel is that kernel of the plan: it stands in the same places, and where its tail stands."""
    by_id = {kernel["id"]: kernel for kernel in plan["kernels"]}
    places = {source["file"] for source in plan["sources"]}
    for kernel in run["statistics"]["kernels"]:
        if kernel["id"]:
            planned = by_id[kernel["id"]]
            known = {place for id in [kernel["id"], *planned.get("tail", [])] for place in by_id[id]["places"]}
            require(set(kernel["places"]) == known, f"{kernel['id']} stands in {kernel['places']}")
        step = kernel["kind"] in ("library", "copy") or run["statistics"]["target"] == "vulkan"  # whose steps have shaders
        require(kernel["id"] or step, f"{kernel['name']} has no id")
        for place in kernel["places"]:
            require(place.rsplit(":", 1)[0] in places or kernel["kind"] == "library", f"{place} is in no source")


def check_page(page, data):
    """One script holds the data, and nothing in them ends it."""
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    require(found is not None, "the page has no data")
    require("<" not in found[1], "the data have a '<'")
    inside = json.loads(found[1])
    require(inside["plans"][0]["sources"] == data["plans"][0]["sources"], "the page has other sources")
    require(not re.search(r"""(src|href)\s*=\s*["']""", page), "the page needs another file")


def check(lac, name, folder, target):
    program = folder / f"{name}.la"
    program.write_text(PROGRAMS[name], encoding="utf-8")
    words = [f"--target={target}", "--no-cache"]
    done = explain(lac, program, folder / "data.json", *words)
    require(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
    require(done.stdout == "", f"it printed {done.stdout[:80]!r}")
    data = json.loads((folder / "data.json").read_text())
    require(data["run"]["ok"] and data["plans"][0]["target"] == target, "the run is not that of the target")
    run = subprocess.run([lac, "run", "-q", f"--target={target}", str(program)], capture_output=True, text=True, timeout=300, check=False)
    require(data["run"]["printed"] == run.stdout, f"printed {data['run']['printed'][:80]!r}")
    require(data["bandwidth"] > 0.1, f"memory gives {data['bandwidth']} GB/s")
    for plan in data["plans"]:
        require("failed" not in plan or "without Vulkan" in plan["failed"], f"{plan['target']}: {plan.get('failed')}")
        if "failed" not in plan:
            check_plan(plan)
    check_run(data["run"], data["plans"][0])
    explain(lac, program, folder / "page.html", *words)
    check_page((folder / "page.html").read_text(), data)


def check_failures(lac, folder):
    program = folder / "program.la"
    program.write_text("param A(n,n)\nx = A * ones(n, 1);\nif x(1) > 0, error('Lac:bad', 'bad <data>'); end\noutput x\n")
    require(explain(lac, program, folder / "a.html").returncode == 2, "it ran without its argument")
    page = (folder / "a.html").read_text()
    require('"ok":false' in page and "'A' has no value" in page, "the page does not say why it did not run")
    done = explain(lac, program, folder / "b.html", "A=ones(3)")
    require(done.returncode == 1 and "bad <data>" in done.stderr, f"status {done.returncode}: {done.stderr}")
    done = subprocess.run([lac, "explain", str(program)], capture_output=True, text=True, check=False)
    require(done.returncode == 2 and "-o report.html" in done.stderr, done.stderr)
    require(explain(lac, program, folder / "c.html", "--target=interp").returncode == 2, "interp has no code to show")
    require(explain(lac, folder / "missing.la", folder / "d.html").returncode == 1, "a file that is not there")
    require(explain(lac, program, folder / "no" / "e.html", "A=ones(3)").returncode == 2, "a folder that is not there")
    for words in (["-o", "x=x.mtx"], ["-o", "-"], ["-o", str(program)], ["-o", str(folder / "g.html"), "A=-"]):
        done = subprocess.run([lac, "explain", str(program), *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        require(done.returncode == 2 and "A * ones" in program.read_text(), f"{words}: status {done.returncode}")
    done = subprocess.run([lac, "explain", "-", "-o", str(folder / "h.json")], capture_output=True, text=True, check=False,
                          input="x = rand(9, 1); printf('%d\\n', sum(x) > 0);\nexit(3)\n")
    data = json.loads((folder / "h.json").read_text())
    require(done.returncode == 3 and data["run"]["printed"] == "1\n", f"standard input: {done.returncode} {done.stderr}")
    require(all(plan["kernels"] for plan in data["plans"] if "failed" not in plan), "a plan of standard input has no kernels")
    named = folder / "lat\udce9.la"
    named.write_text("x = rand(9, 1); disp(sum(x) > 0)\n")
    require(explain(lac, named, folder / "i.json").returncode == 0, "a name that is no UTF-8")
    json.loads((folder / "i.json").read_text())
    program.write_text("for k = 1:3000, printf('a line of the program that prints %d\\n', k); end, error('at the end')\n")
    require(explain(lac, program, folder / "j.json").returncode == 1, "an error")
    data = json.loads((folder / "j.json").read_text())
    require(len(data["run"]["printed"]) == 64 * 1024 and data["run"]["left_out"] > 20_000, "what it printed is not cut")
    program.write_text("x = (1\n")
    require(explain(lac, program, folder / "f.html").returncode == 1 and not (folder / "f.html").exists(), "a page of nothing")


def browser_problem(browser, lac, name, folder):
    program, page = folder / f"{name}.la", folder / f"{name}.html"
    program.write_text(PROGRAMS[name], encoding="utf-8")
    explain(lac, program, page)
    # What the page's own script throws ends up in its text, after a marker.
    text = page.read_text().replace("<head>", "<head><script>onerror = m => document.documentElement.append('FAULT ' + m)</script>", 1)
    page.write_text(text)
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom", page.as_uri()],
                          capture_output=True, text=True, timeout=120, check=False)
    shown = html.unescape(re.sub(r"<script.*?</script>", "", done.stdout, flags=re.S))
    if "FAULT" in shown:
        return shown[shown.index("FAULT"):][:300]
    for line in PROGRAMS[name].strip().splitlines():
        if line and line not in shown:
            return f"the line {line!r} is not shown"
    if "Dataflow, cpu" not in shown:
        return "the dataflow is not shown"
    return ""


def main():
    lac = sys.argv[1]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "--browser" in sys.argv:
            browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
            if not browser:
                print("skipped: there is no Chromium here")
                return SKIP
            for each in PROGRAMS:
                if problem := browser_problem(browser, lac, each, folder):
                    failures += 1
                    print(f"{each}: {problem}")
        else:
            target = "vulkan" if "--vulkan" in sys.argv else "cpu"
            if target == "vulkan" and subprocess.run([lac, "devices"], capture_output=True, check=False).returncode != 0:
                print("skipped: there is no Vulkan device")
                return SKIP
            for each in ON_VULKAN if target == "vulkan" else PROGRAMS:
                try:
                    check(lac, each, folder, target)
                except Problem as problem:
                    failures += 1
                    print(f"{each}, {target}: {problem}")
            if target == "cpu":
                try:
                    check_failures(lac, folder)
                except Problem as problem:
                    failures += 1
                    print(f"failures: {problem}")
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
