#!/usr/bin/env python3
"""What the command line says of programs and runs: stages, statistics, traces, remarks, where an error was.

usage: reports_test.py LAC
"""
import json
import os
import re
import subprocess
import unittest
from pathlib import Path

from command_line import LAC, CommandLine, lac


class Reports(CommandLine):
    def test_a_long_run_tells_where_it_is_on_a_terminal(self):
        program = self.write("long.la", "r = 1; k = 0;\nwhile r > 1e-30 && k < 1e9\n  x = cos(ones(100, 1)) + r / 9;\n"
                             "  r = norm(x) / 5;\n  k++;\nend\n")
        script = f"'{LAC}' run --time-limit=2.3 '{program}'; echo status $?"
        done = subprocess.run(["script", "-qec", script, "/dev/null"], capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL, check=False)
        shown = done.stdout.decode()
        self.assertRegex(shown, r"\r\x1b\[K1\.\d s, line \d; loop at line 2: trip \d+, \d")
        self.assertRegex(shown, r"\r\x1b\[K2\.\d s, line \d; loop at line 2: trip \d+, \S+/s, "
                                r"\d\.\d+ against 1e-30\r\x1b\[K")
        self.assertIn("the time limit of 2.3 s is reached", shown)
        self.assertIn("status 1", shown)
        piped = lac("run", "--time-limit=1.8", program)
        self.assertNotIn("\x1b", piped.stderr)
        self.assertNotIn("loop at line 2:", piped.stderr)

    def test_many_equal_errors_are_one_with_their_lines(self):
        path = self.write("same.la", "".join(f"y{i} = nosuch(3);\n" for i in range(1, 19)))
        done = lac("check", path)
        self.check(done, 1, "same.la:1:6: error: 'nosuch' undefined", "note: the same 17 times more, in lines 2, 3, 4")
        self.assertEqual(done.stderr.count("error:"), 1, done.stderr)

    def test_single_precision_that_nobody_asked_for_is_said(self):
        # The target alone chose it.
        program = self.write("natural.la", "param a = 0.1\nprintf(\"%.12f\\n\", 3 * a)\n")
        stated = self.write("stated.la", "precision single\nparam a = 0.1\nprintf(\"%.12f\\n\", 3 * a)\n")
        chooses = "vulkan computes this in single precision, the cpu in double: 'precision double' or --precision=double"
        fragment = "vulkan-fragment computes in single precision, the cpu in double: 'precision single'"
        for words, said in ((["--target=vulkan"], chooses), (["--target=vulkan-fragment"], fragment)):
            for verb in (["check"], ["emit", "plan"]):
                self.assertEqual(lac(*verb, program, *words).stderr.count(said), 1, words + verb)
                self.assertEqual(lac(*verb, program, "-q", *words).stderr, "")
                self.assertEqual(lac(*verb, program, "--precision=single", *words).stderr, "")
                self.assertEqual(lac(*verb, stated, *words).stderr, "")
        self.assertEqual(lac("check", program).stderr, "")
        if lac("devices").returncode != 0:
            self.skipTest("no Vulkan device for the runs")
        for words, shown, said in (([], "0.300000011921\n", 1), (["--precision=single"], "0.300000011921\n", 0),
                                   (["--precision=double"], "0.300000000000\n", 0)):
            done = lac(program, "--target=vulkan", *words)
            self.assertEqual((done.returncode, done.stdout), (0, shown), done.stderr)
            self.assertEqual(done.stderr.count(chooses), said, done.stderr)

    def test_emit_shows_the_workgroups_of_a_gpu(self):
        # Those of the options that runs start from (ir/plan/shader.h), not of a cpu that plays a device.
        text = (Path(__file__).parents[2] / "ir" / "plan" / "shader.h").read_text()
        most = int(re.search(r"groups_of_large_device = (\d+)", text)[1])
        for program, layout in (("s = sum(x .* x);", "buffer"), ("s = sum(x .* x);", "texel"),
                                ("s = max(abs(x));", "buffer")):
            source = self.write("reduce.la", f"param x(n)\noutput s\n{program}\n")
            target = self.folder / layout
            self.check(lac("emit", "glsl", source, "--precision=single", "--layout=" + layout, "-o", str(target)), 0)
            stages = [stage for kernel in json.loads((target / "manifest.json").read_text())["kernels"]
                      for stage in kernel["stages"]]
            limits = [stage["groups"][0]["most"] for stage in stages if stage["kind"] == "main"]
            self.assertTrue(limits and set(limits) == {most}, (program, layout, limits))

    def test_growth_copies_nothing(self):
        lists = ("x = (1:2000)'; u = []; for i = 1:2000, if mod(x(i), 9), u(end + 1) = x(i); end, end, sum(u)",
                 "u = zeros(1, 2000); k = 1; while k < 1999, k++; u(k) = u(k - 1) + 1; end, sum(u)",
                 "x = mod(1:2000, 7); u = x(x > 2); for i = 2:numel(u), u(i) = u(i) + u(i - 1); end, sum(u)",
                 "z = []; for k = 1:2000, z(end + 1) = exp(1i * k); end, abs(sum(z))",
                 "n = 2000; H = zeros(2, n) + 1i; for k = 2:n - 1, from = max(k - 1, 1); H(1, from:k) = H(2, from:k) + 1i; "
                 "end, abs(sum(H(:)))")
        for text in lists:
            done = lac("-e", text, "--target=cpu", "--print=none", "--stats=json")
            self.check(done, 0)
            statistics = json.loads(done.stderr.splitlines()[-1])
            trips = sum(loop["trips"] for loop in statistics["loops"])
            inside = [kernel for kernel in statistics["kernels"] if kernel["loop"]]
            moved = sum(kernel["bytes_read"] + kernel["bytes_written"] for kernel in inside if kernel["kind"] != "copy")
            self.assertGreater(trips, 1000)
            self.assertLessEqual(moved, 64 * trips)  # a few elements a trip; a copy would be thousands
            copies = [kernel for kernel in inside if kernel["kind"] == "copy"]  # where the buffer became too small
            self.assertLessEqual(sum(kernel["launches"] for kernel in copies), 40)
            self.assertLess(sum(kernel["bytes_read"] for kernel in copies), 64 * trips)

    def test_structured_matrices_beside_sparse_ones_are_not_made_full(self):
        program = self.write("large.la", """\
n = 100000 + (rand() > 2);
S = spdiags(ones(n, 1) * [-1 2 -1], -1:1, n, n);
A = S + 0.1 * eye(n);
B = diag(1 ./ (1:n)') * S * eye(n);
C = [S, eye(n)];
K = kron(eye(n), sparse([1 2; 3 4]));
M = S .* eye(n);
Q = (2 * eye(n)) \\ S;
P = eye(n)(n:-1:1, :) * S;
printf("%d ", nnz(A), nnz(B), nnz(C), nnz(K), nnz(M), nnz(Q), nnz(P), nnz(sparse(eye(n))));
""")
        done = lac("run", "--stats=json", program)
        self.check(done, 0)
        peak = json.loads(done.stderr.splitlines()[-1])["memory"]["peak_bytes"]
        self.assertLess(peak, 1 << 30)  # a full one would take 80 GB
        self.assertEqual(done.stdout.split(),
                         "299998 299998 399998 400000 100000 299998 299998 100000".split())

    def test_shaders_to_a_folder(self):
        done = lac("emit", "glsl", self.program, "-o", str(self.folder / "shaders"))
        if "without Vulkan" in done.stderr:
            self.skipTest(done.stderr)
        self.check(done, 0)
        files = os.listdir(self.folder / "shaders")
        self.assertIn("manifest.json", files)
        self.assertTrue(any(name.endswith(".comp") for name in files))
        json.loads((self.folder / "shaders" / "manifest.json").read_text())

    def test_check_as_text_and_json(self):
        self.assertRegex(lac("check", self.program).stdout, r"y +real +dense +n x 1 +5\n")
        root = json.loads(lac("check", "--json", self.program).stdout)
        self.assertTrue(root["ok"])
        self.assertIn("y", [variable["name"] for variable in root["variables"]])
        done = lac("check", "--json", "-e", "x = undefined_name;")
        self.assertEqual(done.returncode, 1)
        self.assertFalse(json.loads(done.stdout)["ok"])

    def test_statistics_as_json(self):
        target = self.folder / "stats.json"
        done = lac(self.program, "A=" + self.matrix, f"--stats=json:{target}")
        self.check(done, 0)
        root = json.loads(target.read_text())
        for key in ("target", "precision", "cache", "compile_ms", "run_ms", "loops", "kernels", "transfers", "memory"):
            self.assertIn(key, root)
        for kernel in root["kernels"]:
            self.assertEqual(kernel["matrix_bytes"] + kernel["vector_bytes"],
                             kernel["bytes_read"] + kernel["bytes_written"])
        last = lac(self.program, "A=" + self.matrix, "--stats=json").stderr.splitlines()[-1]
        self.assertEqual(json.loads(last)["target"], "cpu")

    def test_lines_are_those_of_the_program(self):
        path = self.write("call.la", "n = 8;\nA = 4 * eye(n) + ones(n);\nb = (1:n)';\n"
                                     "[x, flag] = pcg(A, b, 1e-8, 20);\nprintf('%d\\n', flag);\n")
        done = lac("run", "--stats=json", path)
        self.check(done, 0)
        stats = json.loads(done.stderr.splitlines()[-1])
        lines = {line for kernel in stats["kernels"] for line in [*kernel["lines"], kernel["loop"]]}
        lines |= {loop["line"] for loop in stats["loops"]}
        self.assertIn(4, lines)
        self.assertLessEqual(max(lines), 5)
        self.assertRegex(lac("emit", "kernels", path).stdout, r"; .*pcg\.la lines? \d")

    def test_a_trace_has_every_launch_in_its_trip(self):
        path = self.write("trace.la", "x = rand(500, 1); s = 0;\nfor k = 1:7\n  x = cos(x) + s; s = s + sum(x);\nend\n"
                                      "[q, r] = qr(rand(4));\ndisp(s)\noutput x r\n")
        trace = self.folder / "trace.json"
        built = str(self.folder / "traced")
        self.check(lac("build", path, "-o", built), 0)
        for command in ([LAC, "run", path, "--no-cache"], [built]):
            done = subprocess.run([*command, "-q", "--trace", str(trace), "--stats=json"], capture_output=True, text=True,
                                  timeout=120, check=False)
            self.check(done, 0)
            stats = json.loads(done.stderr.splitlines()[-1])
            root = json.loads(trace.read_text())
            self.assertEqual(root["left_out"], 0)
            events = [event for event in root["traceEvents"] if event["ph"] == "X"]
            of = {kind: [e for e in events if e["cat"] == kind] for kind in ("kernel", "step", "loop", "trip", "run")}
            kernels = [kernel for kernel in stats["kernels"] if kernel["kind"] == "main"]
            self.assertEqual(len(of["kernel"]), sum(kernel["launches"] for kernel in kernels))
            self.assertEqual(sum(event["args"]["bytes"] for event in of["kernel"]),
                             sum(kernel["bytes_read"] + kernel["bytes_written"] for kernel in kernels))
            self.assertIn("qr", [event["name"] for event in of["step"]])
            trips = sum(loop["trips"] for loop in stats["loops"])
            self.assertEqual(len(of["trip"]), trips)
            self.assertEqual(sum(event["args"]["trips"] for event in of["loop"]), trips)
            self.assertEqual(len(of["run"]), 1)
            within = lambda a, b: b["ts"] <= a["ts"] + 0.01 and a["ts"] + a["dur"] <= b["ts"] + b["dur"] + 0.01
            for event in of["kernel"] + of["step"] + of["loop"]:
                self.assertTrue(within(event, of["run"][0]), event)
            for event in of["trip"]:
                self.assertTrue(within(event, of["loop"][0]), event)
                self.assertTrue(any(within(kernel, event) for kernel in of["kernel"]), event)
                self.assertEqual(event["args"]["line"], f"{path}:2")
        self.check(lac(path, "-q", "--trace", str(self.folder / "no" / "trace.json")), 1)
        self.check(lac(path, "-q", "--trace", path), 2, "is the program")

    def test_a_trace_of_a_run_that_is_left_has_its_loops(self):
        path = self.write("left.la", "x = rand(500, 1);\nfor i = 1:2\n  for k = 1:7\n    x = cos(x) + sum(x);\n"
                                     "    if k == 3 && i == 2, error('it ends here'); end\n  end\nend\n")
        trace = self.folder / "trace.json"
        self.check(lac(path, "-q", "--no-cache", "--trace", str(trace)), 1, "it ends here")
        events = json.loads(trace.read_text())["traceEvents"]
        loops = [(event["args"]["line"][-1], event["args"]["trips"]) for event in events if event.get("cat") == "loop"]
        self.assertEqual(sorted(loops), [("2", 2), ("3", 3), ("3", 7)])
        kernels = [event for event in events if event.get("cat") == "kernel"]
        self.assertTrue(all(re.fullmatch(r"k\d+", event["args"]["kernel"]) for event in kernels), kernels)

    def test_a_long_trace_keeps_its_outermost_loop(self):
        path = self.write("long.la", "x = zeros(300, 1); s = 0;\nfor k = 1:400000\n  x(mod(k, 3) + 1) = k; s = s + sum(x);\nend\ndisp(s)\n")
        trace = self.folder / "trace.json"
        self.check(lac(path, "-q", "--trace", str(trace)), 0)
        root = json.loads(trace.read_text())
        self.assertGreater(root["left_out"], 0)
        self.assertLess(len(root["traceEvents"]), 500_010)
        self.assertEqual([event["args"]["trips"] for event in root["traceEvents"] if event.get("cat") == "loop"], [400_000])

    def test_stages(self):
        for stage in ("ast", "graph", "kernels", "plan", "llvm", "asm", "dot"):
            done = lac("emit", stage, self.program)
            self.check(done, 0)
            self.assertNotEqual(done.stdout, "", stage)
        dumps = self.folder / "dumps"
        done = lac(self.program, "A=" + self.matrix, "--dump=graph,graph:after=fuse,plan", f"--dump-dir={dumps}")
        self.check(done, 0)
        self.assertEqual(sorted(os.listdir(dumps)), ["00-graph.txt", "01-graph-after-fuse.txt", "02-plan.txt"])
        self.assertIn("fuse", lac("passes").stdout)
        times = lac(self.program, "A=" + self.matrix, "--time-passes").stderr
        for stage in ("parse", "lower", "plan_memory", "total", "optimisation", "kernels", "program", "linking"):
            self.assertIn(stage, times)
        kernels = lac(self.program, "A=" + self.matrix, "--time-passes", "--stats").stderr
        self.assertRegex(kernels, r"(?m)^y +\d+\.\d+ ms +\d+\.\d+ ms +\d+\.\d+ ms$")
        stopped = lac(self.program, "A=" + self.matrix, "--stop-after=cse")
        self.check(stopped, 0)
        self.assertEqual(stopped.stdout, "")
        self.check(lac(self.program, "A=" + self.matrix, "--stop-after=nonsense"), 1, "nonsense")

    def test_an_error_in_a_loop_names_line_trip_and_calls(self):
        text = "function y = pick(v, k)\n  y = v(k);\nend\nv = [1 2 3];\nfor k = 1:9\n  x = pick(v, k);\nend\n"
        for target in ("interp", "cpu"):
            done = lac("--target=" + target, "-e", text)
            self.check(done, 1, "-e:2:", "out of bound", "in trip 4 of the loop at line 5", "in the call of pick")

    def test_remarks(self):
        self.assertEqual(lac(self.program, "A=" + self.matrix).stderr, "")
        self.check(lac(self.program, "A=" + self.matrix, "--remarks"), 0, "remark: fused")
        sparse = "A = speye(9); s = 0;\nfor i = 1:9\n  A(i, i) = i;\n  s += nnz(A(i, :));\nend\ns\n"
        self.check(lac("-e", sparse, "--remarks"), 0, "-e:3:", "sparse matrix 'A' copies it", "sparse(i, j, v, m, n)",
                   "-e:4:", "a part of the sparse matrix 'A'")

    def test_remarks_say_why_kernels_are_apart(self):
        start = "n = 300; A = sin((1:n)' * (1:n)); x = cos((1:n)'); y = sin((1:n)');\n"
        for text, line, reason in (
                ("v = x .* y;\na = sum(v);\nz = v / a;", 4, "a reduction's result is needed: a"),
                ("v = exp(x);\nw = v + y;\nz = v(end:-1:1) + w;", 4, "read at other positions"),
                ("v = exp(x .* y);\nz = A * v;", 3, "v goes through memory to this kernel: a product needs all of it"),
                ("s = sum(A, 2);\nz = s .* x;", 3, "s goes through memory to this kernel: a reduction's result is needed")):
            done = lac("-e", f"{start}{text}\nprintf('%g', sum(z));\n", "--remarks")
            self.check(done, 0, f"-e:{line}:", reason, "made here")
        alone = lac("-e", start + "v = exp(x);\nz = v + y;\nprintf('%g', sum(z));\n", "--remarks")
        self.assertNotIn("goes through memory", alone.stderr)

    def test_remarks_name_the_order_of_products(self):
        text = "n = 40; A = sin((1:n)' * (1:n)); B = A + 1; x = ones(n, 1);\ny = A * B * x;\nprintf('%g', sum(y));\n"
        self.check(lac("-e", text, "--remarks"), 0, "-e:2:", "the product of 3 matrices is computed as A*(B*x)")

    def test_warnings(self):
        text = "A = [1 2; 2 4];\nx = A \\ [1; 2];\n"
        self.check(lac("-e", text), 0, "warning: matrix singular to machine precision")
        self.assertEqual(lac("-q", "-e", text).stderr, "")


if __name__ == "__main__":
    unittest.main(verbosity=1)
