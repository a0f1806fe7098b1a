#!/usr/bin/env python3
"""The command line as a user meets it: verbs, options, exit statuses, files, interrupts.

usage: cli_test.py LAC
"""
import json
import os
import re
import signal
import subprocess
import time
import unittest

from command_line import LAC, MATRIX, CommandLine, lac


class Verbs(CommandLine):
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
        self.check(lac(self.program, "--check=nan,bounds"), 2, "one at a time")
        self.check(lac("emit", "nonsense", self.program), 2, "nonsense")
        self.check(lac("repl", "program.la"), 2, "'program.la' is not expected here")
        self.check(lac(), 2)
        self.check(lac("bench"), 2, "'bench' is not there yet")

    def test_a_misspelt_verb(self):
        for words in (["chekc", "a.la"], ["frobnicate"]):
            self.check(lac(*words), 2, f"'{words[0]}' is neither a verb nor a file")
        for typed, meant in (("rnu", "run"), ("chekc", "check"), ("buld", "build"), ("fmtt", "fmt")):
            self.check(lac(typed, "a.la"), 2, f"'{typed}' is neither a verb nor a file; did you mean '{meant}'?")
        self.assertNotIn("did you mean", lac("frobnicate").stderr)

    def test_help_shows_options_as_they_are_typed(self):
        for verb in ("run", "check", "build", "emit", "test", "repl"):
            self.assertNotIn("{", lac("help", verb).stdout)

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
        calls = {'f = fopen("b.csv", "w"); fclose(f)': "fopen", 't = fileread("a.csv")': "fileread", 'A = dlmread("a.csv")': "dlmread",
                 'csvwrite("b.csv", 1)': "fopen", 't = isfile("a.csv")': "exist", 't = tempname()': "tempname", 'delete("c.csv")': "delete",
                 'unlink("c.csv")': "unlink", '[done, problem] = rmdir("d")': "rmdir",
                 'A = read("a.csv")': "read", 'x = 1; write("b.csv", x)': "write", 'imwrite(eye(2), "c.png")': "imwrite"}
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


if __name__ == "__main__":
    unittest.main(verbosity=1)
