#!/usr/bin/env python3
"""The command line as a user meets it: exit statuses, messages, files, interrupts.

usage: cli_test.py LAC
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

LAC = ""

SQUARE = """\
% Squares things.
param A(n, n) sparse symmetric   % the matrix
param s = 2                      % a factor
output y
y = s * (A * ones(n, 1));
"""

MATRIX = """\
%%MatrixMarket matrix coordinate real symmetric
3 3 4
1 1 2
2 2 3
3 3 4
3 1 -1
"""


def lac(*words, stdin=None, cwd=None, env=None):
    return subprocess.run([LAC, *words], capture_output=True, text=True, input=stdin, cwd=cwd, timeout=60,
                          env={**os.environ, **(env or {})})


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.program = self.write("square.la", SQUARE)
        self.matrix = self.write("a.mtx", MATRIX)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def check(self, done, status, *fragments):
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        for fragment in fragments:
            self.assertIn(fragment, done.stderr)

    def test_run_is_the_default_verb(self):
        for words in (["run"], []):
            done = lac(*words, self.program, "A=" + self.matrix)
            self.check(done, 0)
            self.assertEqual(done.stdout, "y =\n\n   2\n   6\n   6\n\n")
            self.assertEqual(done.stderr, "")

    def test_expression_and_standard_input(self):
        self.assertEqual(lac("-e", "x = 1 + 2").stdout, "x = 3\n")
        self.assertEqual(lac("-", stdin="x = 1 + 2\n").stdout, "x = 3\n")
        done = lac(self.program, "A=-", stdin=MATRIX)
        self.check(done, 0)

    def test_outputs_go_to_files_and_standard_output(self):
        target = self.folder / "y.mtx"
        done = lac(self.program, "A=" + self.matrix, "-o", f"y={target}")
        self.check(done, 0)
        self.assertEqual(done.stdout, "")
        self.assertTrue(target.read_text().startswith("%%MatrixMarket matrix array real general\n3 1\n"))
        done = lac(self.program, "A=" + self.matrix, "-o", "y=-", "s=0.5")
        self.assertTrue(done.stdout.startswith("%%MatrixMarket"))
        self.assertEqual(lac(self.program, "A=" + self.matrix, "--print=none").stdout, "")

    def test_help_of_a_program(self):
        done = lac(self.program, "--help")
        self.check(done, 0)
        for fragment in ("Squares things.", "n x n", "sparse symmetric", "the matrix", "default 2", "outputs\n  y"):
            self.assertIn(fragment, done.stdout)

    def test_usage_errors_exit_2(self):
        self.check(lac(self.program, "B=3"), 2, "no parameter 'B'")
        self.check(lac("-e", "param tolerance = 1\nx = tolerance", "tolerence=2"), 2, "did you mean 'tolerance'")
        self.check(lac(self.program), 2, "'A' has no value")
        self.check(lac(self.program, "A=" + self.matrix, "-o", "z=z.mtx"), 2, "no output 'z'")
        self.check(lac(self.program, "A=" + self.matrix, "-o", "y=y.xls"), 2, "format")
        self.check(lac(self.program, "nonsense"), 2, "NAME=VALUE")
        self.check(lac(self.program, "--target=abacus"), 2, "abacus")
        self.check(lac(self.program, "--no-such-option"), 2, "no-such-option")
        self.check(lac("emit", "nonsense", self.program), 2, "nonsense")
        self.check(lac("repl", "program.la"), 2, "'program.la' is not expected here")
        self.check(lac(), 2)
        self.check(lac("bench"), 2, "'bench' is not there yet")

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

    def test_a_misspelt_verb(self):
        for words in (["chekc", "a.la"], ["frobnicate"]):
            self.check(lac(*words), 2, f"'{words[0]}' is neither a verb nor a file")
        for typed, meant in (("rnu", "run"), ("chekc", "check"), ("buld", "build"), ("fmtt", "fmt")):
            self.check(lac(typed, "a.la"), 2, f"'{typed}' is neither a verb nor a file; did you mean '{meant}'?")
        self.assertNotIn("did you mean", lac("frobnicate").stderr)

    def test_help_shows_options_as_they_are_typed(self):
        for verb in ("run", "check", "build", "emit", "test", "repl"):
            self.assertNotIn("{", lac("help", verb).stdout)

    def test_many_equal_errors_are_one_with_their_lines(self):
        path = self.write("same.la", "".join(f"y{i} = nosuch(3);\n" for i in range(1, 19)))
        done = lac("check", path)
        self.check(done, 1, "same.la:1:6: error: 'nosuch' undefined", "note: the same 17 times more, in lines 2, 3, 4")
        self.assertEqual(done.stderr.count("error:"), 1, done.stderr)

    def test_a_file_of_octave_beside_the_program(self):
        self.write("helper.m", "function y = helper(x)\n  y = x;\nend\n")
        done = lac("run", self.write("uses.la", "disp(helper(3))\n"), cwd=self.folder)
        self.check(done, 1, "'helper' undefined: functions are read from files that end in .la, and helper.m does not; "
                            "rename it to helper.la")

    def test_cache(self):
        folder = {"LAC_CACHE_DIR": str(self.folder / "cache")}
        for words in (["cache"], ["cache", "clear"]):
            done = lac(*words, env=folder)
            self.check(done, 0)
            self.assertEqual(done.stdout, f"folder   {self.folder}/cache\nfiles    0\nbytes    0\n")
        self.check(lac("cache", "everything"), 2, "'everything' is not clear")
        nowhere = {"LAC_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": ""}
        self.check(lac("cache", env=nowhere), 1, "set LAC_CACHE_DIR")

    def test_a_cache_that_is_not_used_is_named(self):
        shaders = self.folder / "cache" / "code"
        shaders.mkdir(parents=True)
        (shaders / "shader-0.bin").write_text("x")
        folder = {"LAC_CACHE_DIR": str(self.folder / "cache")}
        self.assertEqual(lac("cache", env=folder).stderr, "")
        message = " is ignored: it is not this user's, or everybody may write to it\n"
        (shaders / "shader-0.bin").chmod(0o666)
        self.assertEqual(lac("cache", env=folder).stderr, f"lac: warning: {shaders}/shader-0.bin{message}")
        shaders.chmod(0o777)
        self.assertEqual(lac("cache", env=folder).stderr, f"lac: warning: {shaders}{message}")
        self.assertEqual(lac("cache", "-q", env=folder).stderr, "")
        if os.geteuid() == 0:
            shaders.chmod(0o700)
            os.chown(shaders, 12345, 12345)
            self.assertEqual(lac("cache", env=folder).stderr, f"lac: warning: {shaders}{message}")

    def test_messages_do_not_steer_the_terminal(self):
        red = "\x1b[31mred"
        shown = "\\x1b[31mred"
        program = self.write("esc.la", f"% {red}\nparam a = 1   % {red}\ny = a\n")
        helped = lac(program, "--help")
        self.check(helped, 0)
        self.assertEqual(helped.stdout.count(shown), 2, helped.stdout)
        blocks = self.write("blocks.la", f"%!assert (1, 2) # {red}\n")
        for done in (helped, lac(program, red), lac(red), lac("run", red), lac("help", red), lac("cache", red),
                     lac("--target", red, program), lac("--dump", red, program), lac("-o", red, program),
                     lac("-o", "y=" + red, program), lac("emit", red, program), lac("fmt", red), lac("test", red),
                     lac("--stats=json:/nowhere/" + red, program), lac("test", blocks), lac("repl", stdin=f":{red}\n"),
                     lac("--" + red, program), lac(program, "a=" + red), lac("--cpu", red, program)):
            self.assertNotIn("\x1b", done.stdout + done.stderr, done.args)
            self.assertIn(shown, done.stdout + done.stderr, done.args)

    def test_code_that_an_executable_would_choose_runs_here(self):
        self.assertEqual(lac("-e", "y = 1 + 1", "--cpu=portable").stdout, "y = 2\n")
        listed = [lac("emit", "asm", "-e", "param x(n)\ny = 3 * x;\noutput y", "--cpu=" + cpu).stdout
                  for cpu in ("portable", "x86-64-v3", "x86-64-v2")]
        self.assertIn(listed[0], listed[1:])
        self.check(lac("-e", "y = 1", "--cpu=pdp11"), 1, "unknown --cpu 'pdp11' (native, portable, x86-64-v2")

    def test_options_of_another_target_warn(self):
        for option in ("--layout=buffer", "--loops=host", "--device=0", "--device-memory=1M"):
            name = option[:option.index("=")]
            done = lac(option, "-e", "x = 1 + 1")
            self.check(done, 0, f"warning: {name} is for --target=vulkan and changes nothing here")
            self.assertEqual(done.stdout, "x = 2\n")
            self.assertEqual(lac("-q", option, "-e", "x = 1 + 1;").stderr, "")
            self.check(lac("-Werror", option, "-e", "x = 1 + 1"), 2, name)
        done = lac("emit", "glsl", "--layout=buffer", "-e", "x = 1 + 1")
        self.assertNotIn("changes nothing", done.stderr)

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
        # Those of the options that runs start from (codegen/glsl/options.h), not of a cpu that plays a device.
        text = (Path(__file__).parents[2] / "codegen" / "glsl" / "options.h").read_text()
        most = int(re.search(r"groups_of_gpu = (\d+)", text)[1])
        for program, layout in (("s = sum(x .* x);", "buffer"), ("s = sum(x .* x);", "texel"),
                                ("s = max(abs(x));", "buffer")):
            source = self.write("reduce.la", f"param x(n)\noutput s\n{program}\n")
            target = self.folder / layout
            self.check(lac("emit", "glsl", source, "--precision=single", "--layout=" + layout, "-o", str(target)), 0)
            stages = [stage for kernel in json.loads((target / "manifest.json").read_text())["kernels"]
                      for stage in kernel["stages"]]
            limits = [stage["groups"][0]["most"] for stage in stages if stage["kind"] == "main"]
            self.assertTrue(limits and set(limits) == {most}, (program, layout, limits))

    def test_vulkan_options(self):
        program = ("-e", "x = 1 + 1")
        for words, fragment in ((["--layout=rows"], "--layout"), (["--loops=cpu"], "--loops"),
                                (["--device-memory=lots"], "--device-memory"), (["--device-memory=-1"], "no size"),
                                (["--plan-of=llvm", "--target=interp"], "--plan-of"), (["--plan-of=cpu"], "interp")):
            self.check(lac(*program, *words), 2, fragment)
        for target in ("cpu", "vulkan"):
            self.assertEqual(lac(*program, "--target=interp", "--plan-of=" + target).stdout, "x = 2\n")
        self.check(lac("emit", "glsl", "--target=cpu", *program), 1, "no stage 'glsl'")
        absent = lac("emit", "llvm", "--target=vulkan", *program)
        if "without" in absent.stderr:
            self.skipTest(absent.stderr)
        self.check(absent, 1, "no stage 'llvm'")

    def test_growth_copies_nothing(self):
        lists = ("x = (1:2000)'; u = []; for i = 1:2000, if mod(x(i), 9), u(end + 1) = x(i); end, end, sum(u)",
                 "u = zeros(1, 2000); k = 1; while k < 1999, k++; u(k) = u(k - 1) + 1; end, sum(u)",
                 "x = mod(1:2000, 7); u = x(x > 2); for i = 2:numel(u), u(i) = u(i) + u(i - 1); end, sum(u)")
        for text in lists:
            done = lac("-e", text, "--target=cpu", "--print=none", "--stats=json")
            self.check(done, 0)
            statistics = json.loads(done.stderr.splitlines()[-1])
            trips = sum(loop["trips"] for loop in statistics["loops"])
            inside = [kernel for kernel in statistics["kernels"] if kernel["loop"]]
            moved = sum(kernel["bytes_read"] + kernel["bytes_written"] for kernel in inside if kernel["kind"] != "copy")
            self.assertGreater(trips, 1000)
            self.assertLess(moved, 64 * trips)  # a few elements a trip; a copy would be thousands
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

    def test_devices(self):
        done = lac("devices")
        if done.returncode != 0:
            self.check(done, 1, "Vulkan")
            self.check(lac("-e", "x = 1", "--target=vulkan"), 1, "Vulkan")
            self.skipTest(done.stderr)
        self.assertEqual(done.stdout.split()[:3], ["device", "type", "memory"])
        self.check(lac("-e", "x = 1", "--target=vulkan", "--device=no such device"), 1, "no such device")
        self.assertEqual(lac("-e", "x = sum([1 2 3])", "--target=vulkan").stdout, "x = 6\n")
        statistics = json.loads(lac(self.program, "A=" + self.matrix, "--target=vulkan", "--stats=json")
                                .stderr.splitlines()[-1])
        self.assertEqual((statistics["target"], statistics["precision"]), ("vulkan", "single"))
        self.assertGreater(statistics["transfers"]["submits"], 0)

    def test_shaders_to_a_folder(self):
        done = lac("emit", "glsl", self.program, "-o", str(self.folder / "shaders"))
        if "without Vulkan" in done.stderr:
            self.skipTest(done.stderr)
        self.check(done, 0)
        files = os.listdir(self.folder / "shaders")
        self.assertIn("manifest.json", files)
        self.assertTrue(any(name.endswith(".comp") for name in files))
        json.loads((self.folder / "shaders" / "manifest.json").read_text())

    def test_wrong_data_exits_1(self):
        self.check(lac(self.program, "A=no_such.mtx"), 1, "no_such.mtx")
        self.check(lac("no_such.la"), 1, "no_such.la")
        truncated = self.write("short.mtx", "\n".join(MATRIX.splitlines()[:-1]) + "\n")
        self.check(lac(self.program, "A=" + truncated), 1, "short.mtx")
        false_claim = self.write("false.mtx", MATRIX.replace("symmetric", "general"))
        self.check(lac(self.program, "A=" + false_claim), 1, "claimed symmetric", "A(1,3)", "square.la:2")
        oblong = self.write("oblong.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n")
        self.check(lac(self.program, "A=" + oblong), 1, "A is 2x3")
        self.check(lac(self.program, "A=" + self.matrix, "s=[1 2]"), 1, "s is a scalar")
        self.check(lac(self.program, "A=" + self.matrix, "s=1+"), 1, "s=")

    def test_unwritable_outputs_stop_before_the_run(self):
        done = lac("-e", 'printf("ran\\n");\nx = 1;\noutput x\n', "-o", "x=/no/such/folder/x.mtx")
        self.check(done, 1, "/no/such/folder")
        self.assertEqual(done.stdout, "")

    def test_a_failed_run_leaves_no_output_file(self):
        target = self.folder / "x.mtx"
        done = lac("-e", 'x = 1;\noutput x\nerror("stop");\n', "-o", f"x={target}")
        self.check(done, 1, "error: stop")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.mtx", "square.la"])

    def test_empty_and_single_data(self):
        single = self.write("one.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n")
        done = lac(self.program, "A=" + single)
        self.check(done, 0)
        self.assertEqual(done.stdout, "y = 10\n")
        empty = self.write("zero.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n")
        done = lac(self.program, "A=" + empty)
        self.check(done, 0)
        self.assertEqual(done.stdout, "y = [](0x1)\n")

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
        path = self.write("trace.la", "x = rand(50, 1); s = 0;\nfor k = 1:7\n  x = cos(x) + s; s = s + sum(x);\nend\n"
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
        path = self.write("left.la", "x = rand(50, 1);\nfor i = 1:2\n  for k = 1:7\n    x = cos(x) + sum(x);\n"
                                     "    if k == 3 && i == 2, error('it ends here'); end\n  end\nend\n")
        trace = self.folder / "trace.json"
        self.check(lac(path, "-q", "--no-cache", "--trace", str(trace)), 1, "it ends here")
        events = json.loads(trace.read_text())["traceEvents"]
        loops = [(event["args"]["line"][-1], event["args"]["trips"]) for event in events if event.get("cat") == "loop"]
        self.assertEqual(sorted(loops), [("2", 2), ("3", 3), ("3", 7)])
        kernels = [event for event in events if event.get("cat") == "kernel"]
        self.assertTrue(all(re.fullmatch(r"k\d+", event["args"]["kernel"]) for event in kernels), kernels)

    def test_a_long_trace_keeps_its_outermost_loop(self):
        path = self.write("long.la", "x = zeros(3, 1); s = 0;\nfor k = 1:400000\n  x(mod(k, 3) + 1) = k; s = s + sum(x);\nend\ndisp(s)\n")
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
        dumps.mkdir()
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
        sparse = "A = speye(9); x = (1:9)'; s = 0;\nfor i = 1:9\n  A(i, i) = i;\n  s += A(i, :) * x;\nend\ns\n"
        self.check(lac("-e", sparse, "--remarks"), 0, "-e:3:", "sparse matrix 'A' copies it", "sparse(i, j, v, m, n)",
                   "-e:4:", "a part of the sparse matrix 'A'")

    def test_warnings(self):
        text = "A = [1 2; 2 4];\nx = A \\ [1; 2];\n"
        self.check(lac("-e", text), 0, "warning: matrix singular to machine precision")
        self.assertEqual(lac("-q", "-e", text).stderr, "")

    def test_control_c(self):
        for target in ("interp", "cpu"):
            running = subprocess.Popen(
                [LAC, "--target=" + target, "-e", "k = 0;\nwhile k < 1e15\n  k = k + 1;\nend\noutput k\n"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1.0)
            running.send_signal(signal.SIGINT)
            _, stderr = running.communicate(timeout=30)
            self.assertEqual(running.returncode, 130, stderr)
            self.assertIn("interrupted", stderr)
            self.assertIn("Ctrl-C again ends the process", stderr)
            self.assertTrue(re.search(r"in trip \d+ of the loop at line 2", stderr), stderr)

    def test_a_sandboxed_program_reaches_no_file(self):
        self.write("a.csv", "1,2\n3,4\n")
        calls = {'A = read("a.csv")': "read", 'x = 1; write("b.csv", x)': "write", 'imwrite(eye(2), "c.png")': "imwrite"}
        for text, call in calls.items():
            for target in ("interp", "cpu"):
                done = lac("run", "--sandbox", "--target=" + target, "-", stdin="k = 1;\n" + text + ";\n", cwd=self.folder)
                self.check(done, 1, f"2:", f"{call}: this program may not reach files", "without --sandbox")
                self.assertFalse((self.folder / "b.csv").exists() or (self.folder / "c.png").exists())
            self.check(lac("-", stdin=text + ";\n", cwd=self.folder), 0)
            for name in ("b.csv", "c.png"):
                (self.folder / name).unlink(missing_ok=True)
        self.check(lac("--sandbox", self.program, "A=" + self.matrix), 0)  # the command line's own file

    def test_where_functions_come_from(self):
        strange = "function m = median(x)\n  m = 42;\nend\n"
        self.write("median.la", strange)
        program = self.write("p.la", "m = median([1 2 3])\n")
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        own, beside = "m = 2\n", "m = 42\n"
        for cwd in (self.folder, elsewhere):
            self.assertEqual(lac(program, cwd=cwd).stdout, beside)
            self.assertEqual(lac("--sandbox", program, cwd=cwd).stdout, own)
            self.assertEqual(lac("--sandbox", "-I", str(self.folder), program, cwd=cwd).stdout, beside)
            self.assertEqual(lac("-", stdin="m = median([1 2 3])\n", cwd=cwd).stdout, own)
        self.assertEqual(lac("-e", "m = median([1 2 3])", cwd=self.folder).stdout, beside)
        self.assertEqual(lac("-e", "m = median([1 2 3])", "--sandbox", cwd=self.folder).stdout, own)
        self.assertIn("integer", lac("check", program, cwd=elsewhere).stdout)
        self.write("t.la", "%!test assert(median([1 2 3]), 42)\n")
        self.check(lac("test", str(self.folder / "t.la"), cwd=elsewhere), 0)
        self.check(lac("test", "--sandbox", str(self.folder / "t.la"), cwd=elsewhere), 1)

    def test_check_opens_nothing_that_a_text_names(self):
        os.mkfifo(self.folder / "pipe.mtx")
        for text in ('A = read("pipe.mtx");\n', 'param A(n, n) = read("pipe.mtx")\nB = A;\n'):
            program = self.write("p.la", text)
            self.check(lac("check", program, cwd=self.folder), 0)
            self.check(lac("emit", "plan", "--sandbox", program, cwd=self.folder), 0)
        self.check(lac("emit", "plan", "-e", 'A = read("pipe.mtx");\n', cwd=self.folder), 0)

    def test_limits(self):
        endless = "k = 0;\nwhile k < 1e15\n  k = k + 1;\nend\noutput k\n"
        for target in ("interp", "cpu"):
            done = lac("--target=" + target, "--time-limit=0.3", "-e", endless)
            self.check(done, 1, "the time limit of 0.3 s is reached", "in trip", "of the loop at line 2")
        done = lac("--memory-limit=1M", "-e", "n = 1000;\nx = rand(n, n);\ns = sum(x(:)) > 0\n")
        self.check(done, 1, "-e:2:", "the memory limit of 1048576 bytes is reached")
        done = lac("--output-limit=10", "-e", 'for k = 1:1000\n  printf("%04d\\n", k);\nend\n')
        self.check(done, 1, "the output limit of 10 bytes is reached")
        self.assertEqual(done.stdout, "0001\n0002\n")
        many = 'for k = 1:1000\n  warning("my:id", "%d", k);\nend\n'
        for quiet in ([], ["-q"]):
            done = lac("--output-limit=100", *quiet, "-e", many)
            self.check(done, 1, "the output limit of 100 bytes is reached")
            self.assertLessEqual(done.stderr.count("warning: "), 100 // len("warning: 1\n"))
        twice = lac("-e", "unused = 1;\nfor k = 1:1500\n  warning('my:id', '%d', k);\nend\n")
        self.check(twice, 0)
        self.assertEqual(len(set(twice.stderr.splitlines())), len(twice.stderr.splitlines()))
        default = "param A(m, n) = ones(20000, 10000)\ns = sum(A(:))\n"
        self.check(lac("--sandbox", "--memory-limit=1M", "-e", default), 1, "the memory limit of 1048576 bytes")
        self.check(lac("check", "-e", default), 0)
        self.check(lac("--time-limit=60", "--memory-limit=1G", "--output-limit=1K", "-e", "x = 1"), 0)
        self.check(lac("--memory-limit=much", "-e", "x = 1"), 2, "--memory-limit: 'much' is no size")
        self.check(lac("--time-limit=-1", "-e", "x = 1"), 2)


    def test_writing_what_a_run_gave_is_no_part_of_it(self):
        """The reader of a pipe comes long after the time limit, and after the end of the process that it would bring."""
        os.mkfifo(self.folder / "y.csv")
        process = subprocess.Popen([LAC, "--time-limit=3", "-e", "y = [1 2];\noutput y\n", "-o", "y=y.csv"],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True)
        try:
            time.sleep(5)
            self.assertIsNone(process.poll())
            self.assertEqual((self.folder / "y.csv").read_text(), "1,2\n")
            self.assertEqual(process.wait(timeout=60), 0, process.stderr.read())
        finally:
            process.kill()
            process.communicate()


class Build(unittest.TestCase):
    def test_a_built_program_keeps_to_its_limits(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "p.la").write_text('param n = 3\nx = rand(n, n);\nwrite("x.csv", x);\nprintf("%d\\n", n);\n')
            done = lac("build", "p.la", "-o", "p", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)

            def built(*words):
                return subprocess.run([folder / "p", *words], capture_output=True, text=True, cwd=folder, timeout=60)

            self.assertEqual(built("--sandbox").returncode, 1)
            self.assertIn("p.la:3:", built("--sandbox").stderr)
            self.assertFalse((folder / "x.csv").exists())
            self.assertEqual(built().returncode, 0)
            self.assertTrue((folder / "x.csv").exists())
            self.assertIn("the memory limit", built("n=1000", "--memory-limit=1M").stderr)

    def test_a_program_for_another_cpu_says_so(self):
        flags = Path("/proc/cpuinfo").read_text()
        if " avx2 " not in flags or " avx512f " in flags:
            self.skipTest("this machine runs all that could be asked for, or has no levels")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for cpu, fits in (("x86-64-v4", False), ("x86-64-v3", True), ("native", True)):
                done = lac("build", "-e", "param n = 4\nx = ones(n, 1) * 2\n", "--cpu=" + cpu, "-o", "p", cwd=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                done = subprocess.run([folder / "p"], capture_output=True, text=True, cwd=folder, timeout=60)
                self.assertEqual(done.returncode, 0 if fits else 1, done.stderr)
                if not fits:
                    self.assertRegex(done.stderr, "built for x86-64-v4, and this machine has no avx512")

    def test_a_built_program_prints_what_run_prints(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "p.la").write_text(SQUARE)
            (folder / "a.mtx").write_text(MATRIX)
            done = lac("build", "p.la", "-o", "p", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(folder)), ["a.mtx", "p", "p.la"])

            def built(*words):
                return subprocess.run([folder / "p", *words], capture_output=True, text=True, cwd=folder, timeout=60)

            for words in (["A=a.mtx"], ["A=a.mtx", "s=3"], ["A=a.mtx", "s=0.5"], ["A=5"], ["A=zeros(0,0)"]):
                done = built(*words)
                self.assertEqual((done.stdout, done.stderr), (lac("p.la", *words, cwd=folder).stdout, ""), words)
            self.assertIn("the matrix", built("--help").stdout)
            self.assertEqual(built().returncode, 2)
            self.assertEqual(built("A=a.mtx", "-o", "y=y.npy").returncode, 0)
            self.assertTrue((folder / "y.npy").exists())
            linked = subprocess.run(["ldd", folder / "p"], capture_output=True, text=True)
            self.assertNotIn("LLVM", linked.stdout)

    def test_data_that_ask_for_too_much(self):
        grow = "param T(n, 3)\nA = zeros(2, 2);\nfor k = 1:n\n  A(T(k, 1), T(k, 2)) = T(k, 3);\nend\ndisp(A(1, 2))\n"
        message = "p.la:4:3: error: out of memory or dimension too large for Octave's index type"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "p.la").write_text(grow)
            (folder / "t.csv").write_text("1,2,3.5\n4294967296,4294967296,1\n")
            (folder / "wraps.csv").write_text("1,2,3.5\n274177,67280421310721,1\n")
            (folder / "fits.csv").write_text("1,2,3.5\n2,3,1\n")
            self.assertEqual(lac("build", "p.la", "-o", "p", cwd=folder).returncode, 0)
            for program in ([LAC, "p.la"], [LAC, "--target=interp", "p.la"], [folder / "p"]):
                for data in ("t.csv", "wraps.csv"):
                    done = subprocess.run([*program, "T=" + data], capture_output=True, text=True, cwd=folder, timeout=60)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(message, done.stderr)
                done = subprocess.run([*program, "T=fits.csv"], capture_output=True, text=True, cwd=folder, timeout=60)
                self.assertEqual(done.stdout, "3.5000\n", done.stderr)

    def test_a_link_that_cannot_be_written(self):
        done = lac("build", "-e", "x = 1\n", "-o", "/no/such/folder/p")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/such/folder", done.stderr)


if __name__ == "__main__":
    LAC = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
