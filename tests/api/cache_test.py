#!/usr/bin/env python3
"""The cache of compiled code: what earlier runs left is used, and nothing that is wrong with it does harm.

usage: cache_test.py LAC
"""
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LAC = ""

PROGRAM = """\
x = (1:1000)'; s = 0;
for k = 1:20
  y = exp(-x / k) + sin(x); s = s + sum(y .* x) / k;
  if s < 0, s = -s; end
end
A = sparse(1:4, [2 1 4 3], [1 2 3 4]);
printf("%.17g %.17g\\n", s, sum(A * [1; 2; 3; 4]));
"""
KERNELS_FIRST = ["--compile=first"]


class Runs(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.program = self.folder / "program.la"
        self.program.write_text(PROGRAM)
        self.cache = self.folder / "cache"
        self.code = self.cache / "code"

    def tearDown(self):
        subprocess.run(["chmod", "-R", "u+w", self.folder], check=False)
        self.temporary.cleanup()

    def run_program(self, *words, arguments=(), status=0, cache=None, **environment):
        done = subprocess.run([LAC, "run", *KERNELS_FIRST, *words, str(self.program), *arguments], capture_output=True,
                              text=True, timeout=120,
                              env={**os.environ, "LAC_CACHE_DIR": str(cache or self.cache), **environment})
        self.assertEqual(done.returncode, status, done.stderr)
        return done


class Cache(Runs):
    def use(self, *words, **environment):
        """hit, miss or off, the output, and what was said besides."""
        report = self.folder / "report.json"
        done = self.run_program(f"--stats=json:{report}", *words, **environment)
        return json.loads(report.read_text())["cache"], done.stdout, done.stderr

    def objects(self):
        return [file for file in self.files() if b"\x7fELF" in file.read_bytes()]

    def files(self):
        return sorted(self.code.glob("object-*.bin"))

    def test_a_second_run_compiles_nothing(self):
        first, output, said = self.use()
        self.assertEqual((first, said), ("miss", ""))
        self.assertEqual(self.use(), ("hit", output, ""))
        self.assertEqual(self.use("--no-cache"), ("off", output, ""))
        times = {file: file.stat().st_mtime_ns for file in self.files()}
        self.use()
        self.assertEqual(times, {file: file.stat().st_mtime_ns for file in self.files()})

    def test_a_hit_needs_no_code_generator(self):
        _, output, _ = self.use()
        library = self.folder / "libraries"
        library.mkdir()
        found = Path(LAC).parent / "lib" / "liblac_codegen.so"
        # A file of the same size and time that is no library: whoever opened it would say so.
        stand_in = library / found.name
        stand_in.write_bytes(b"\0" * found.stat().st_size)
        shutil.copystat(found, stand_in)
        self.assertEqual(self.use(LAC_LIBRARY_DIR=str(library)), ("hit", output, ""))

    def test_names_and_comments_do_not_matter(self):
        self.use()
        self.program.write_text("% a comment\n\n" + PROGRAM.replace("y", "other"))
        self.assertEqual(self.use()[0], "hit")

    def test_kernels_are_shared_between_programs(self):
        self.use()
        count = len(self.files())
        self.program.write_text(PROGRAM + "disp(1)\n")
        self.use()
        self.assertEqual(len(self.files()), count + 1)  # the program that launches them

    def test_another_machine_and_another_compiler(self):
        _, output, _ = self.use()
        count = len(self.files())
        self.assertEqual(self.use("--cpu=x86-64-v2")[0], "miss")
        self.assertEqual(len(self.files()), 2 * count)
        self.assertEqual(self.use()[:2], ("hit", output))
        library = self.folder / "libraries"
        library.mkdir()
        shutil.copy(Path(LAC).parent / "lib" / "liblac_codegen.so", library)  # of another time
        self.assertEqual(self.use(LAC_LIBRARY_DIR=str(library)), ("miss", output, ""))

    def test_damage_is_found_said_and_mended(self):
        _, output, _ = self.use()
        drawn = random.Random(1)
        for name, damage in (("cut", lambda data: data[:len(data) // 2]), ("empty", lambda data: b""),
                             ("flipped", lambda data: self.flipped(data, drawn)),
                             ("longer", lambda data: data + b"x"), ("foreign", lambda data: b"\x7fELF" + data)):
            with self.subTest(name):
                for file in self.files():
                    file.write_bytes(damage(file.read_bytes()))
                use, got, said = self.use()
                self.assertEqual((use, got), ("miss", output))
                self.assertIn("is not used: it is damaged", said)
                self.assertEqual(self.use(), ("hit", output, ""))

    @staticmethod
    def flipped(data, drawn):
        at = drawn.randrange(len(data))
        return data[:at] + bytes([data[at] ^ (1 << drawn.randrange(8))]) + data[at + 1:]

    def test_a_link_and_a_foreign_owner_are_refused(self):
        _, output, _ = self.use()
        file = self.files()[0]
        elsewhere = self.folder / "elsewhere"
        file.rename(elsewhere)
        file.symlink_to(elsewhere)
        use, got, said = self.use()
        self.assertEqual((use, got), ("miss", output))
        self.assertIn("is not used: it is a link", said)
        self.assertFalse(file.is_symlink())
        if os.geteuid() == 0:
            os.chown(file, 12345, 12345)
            use, got, said = self.use()
            self.assertEqual((use, got), ("miss", output))
            self.assertIn("is not used: it is not this user's own", said)

    def test_a_folder_that_is_a_link_is_refused(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir(mode=0o700)
        self.cache.mkdir()
        self.code.symlink_to(elsewhere)
        use, _, said = self.use()
        self.assertEqual(use, "miss")
        self.assertIn("nothing is kept in", said)
        self.assertEqual(list(elsewhere.iterdir()), [])

    def test_a_folder_that_cannot_be_written(self):
        _, output, _ = self.use("--no-cache")
        file = self.folder / "file"
        file.write_text("")
        use, got, said = self.use(cache=file)
        self.assertEqual((use, got), ("miss", output))
        self.assertIn("nothing is kept in", said)
        self.assertEqual(said.count("warning"), 1, said)

    def test_the_cache_verb_says_what_it_cannot_do(self):
        def cache(*words, folder=self.cache):
            return subprocess.run([LAC, "cache", *words], capture_output=True, text=True, timeout=60, check=False,
                                  env={**os.environ, "LAC_CACHE_DIR": str(folder)})

        self.assertEqual(cache().returncode, 0)  # there is none yet
        file = self.folder / "file"
        file.write_text("")
        for words in ((), ("clear",)):
            done = cache(*words, folder=file)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("cannot be used: it is no folder", done.stderr)
        self.assertEqual(cache("clear", "more").returncode, 2)

    def test_what_an_ended_run_has_begun_is_no_object(self):
        self.program.write_text("x = (1:4000)'; s = 0;\n" + "".join(
            f"for k = 1:300, y = exp(-x / (k + {n})) + sin(x * {n}); s = s + sum(y .* x) / k; end\n"
            for n in range(1, 3)) + 'printf("%.17g\\n", s);\n')
        arguments = [LAC, "run", "--compile=auto", str(self.program)]
        for delay in (0.1, 0.15, 0.2, 0.3):
            process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env={**os.environ, "LAC_CACHE_DIR": str(self.cache)})
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.run_program()

    def test_what_an_ended_run_has_begun_the_next_one_waits_for(self):
        self.program.write_text("param n = 300000\nx = 0.5; y = 0;\nfor k = 1:n\n  x = 3.7*x*(1 - x);\n"
                                "  if x > 0.5, y = y + x; end\nend\nprintf('%.10g\\n', y);\n")
        environment = {**os.environ, "LAC_CACHE_DIR": str(self.cache)}
        for _ in range(2):
            subprocess.run([LAC, "run", str(self.program)], stdout=subprocess.DEVNULL, env=environment, check=True)
        loops = [file for file in self.files() if b"lac_loop" in file.read_bytes()]
        self.assertEqual(len(loops), 1)

    def test_a_limit_of_nothing_keeps_nothing(self):
        for limit, kept in (("0", False), ("none", True), ("-1", True)):
            self.use(LAC_CACHE_LIMIT=limit)
            self.assertEqual(self.files() != [], kept, limit)

    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("no small disk can be made here")
        try:
            _, output, _ = self.use("--no-cache")
            use, got, said = self.use(cache=disk)
            self.assertEqual((use, got), ("miss", output))
            self.assertIn("nothing is kept in", said)
            self.assertEqual([file for file in disk.rglob("*.tmp")], [])
        finally:
            subprocess.run(["umount", disk], check=False)

    def test_processes_fill_it_side_by_side(self):
        _, output, _ = self.use("--no-cache")

        def two_at_once(number):
            cache = self.folder / f"cache{number}"
            starts = [subprocess.Popen([LAC, "run", *KERNELS_FIRST, str(self.program)], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, "LAC_CACHE_DIR": str(cache)}) for _ in range(2)]
            return [start.communicate() for start in starts]

        with ThreadPoolExecutor(2) as pool:
            for results in pool.map(two_at_once, range(20)):
                self.assertEqual(results, [(output, ""), (output, "")])

    def test_where_memory_is_limited_nothing_is_compiled_beside_a_run(self):
        self.program.write_text("s = 0;\nfor k = 1:30000\n  s = s + sqrt(k);\nend\nprintf('%.6f\\n', s);\n")

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
        done = subprocess.run([LAC, "run", str(self.program)], capture_output=True, text=True, timeout=120,
                              preexec_fn=limit, env={**os.environ, "LAC_CACHE_DIR": str(self.cache)}, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.objects(), [])
        self.assertEqual(done.stdout, self.run_program().stdout)
        self.assertNotEqual(self.objects(), [])  # what the limit kept from being compiled

    def test_what_was_begun_stays_so_where_runs_fail(self):
        self.program.write_text("param n = 300000\nx = 0.5; y = 0;\nfor k = 1:n\n  x = 3.7*x*(1 - x);\n"
                                "  if x > 0.5, y = y + x; end\nend\nerror('%g', y);\n")
        for _ in range(4):
            subprocess.run([LAC, "run", str(self.program)], capture_output=True, check=False,
                           env={**os.environ, "LAC_CACHE_DIR": str(self.cache)})
            marks = [file for file in self.files() if file.read_bytes().endswith(b"begun")]
            self.assertTrue(marks or self.objects())

    def test_time_without_code_is_no_hit(self):
        self.program.write_text("x = (1:60000)' / 7;\nprintf('%.10g\\n', sum(sin(x) .* exp(cos(x))));\n")
        report = self.folder / "report.json"
        for _ in range(2):
            subprocess.run([LAC, "run", f"--stats=json:{report}", str(self.program)], stdout=subprocess.DEVNULL,
                           check=True, env={**os.environ, "LAC_CACHE_DIR": str(self.cache)})
        if self.objects():
            self.skipTest("this machine is so slow that it is compiled at once")
        self.assertNotEqual(self.files(), [])
        self.assertEqual(json.loads(report.read_text())["cache"], "miss")

    def test_short_runs_add_up(self):
        self.program.write_text("x = (1:60000)' / 7;\nprintf('%.10g\\n', sum(sin(x) .* exp(cos(x))));\n")
        for _ in range(60):
            subprocess.run([LAC, "run", str(self.program)], stdout=subprocess.DEVNULL, check=True,
                           env={**os.environ, "LAC_CACHE_DIR": str(self.cache)})
            if self.objects():
                return
        self.fail("nothing is compiled of what takes a while in each run")

    def test_builds_keep_their_objects(self):
        self.program.write_text("param n = 5\nprintf('%g\\n', sum(sqrt(1:n)));\n")
        built = self.folder / "built"

        def build(*words):
            done = subprocess.run([LAC, "build", str(self.program), "-o", str(built), *words], capture_output=True,
                                  text=True, timeout=240, env={**os.environ, "LAC_CACHE_DIR": str(self.cache)},
                                  check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            shown = subprocess.run([str(built), "n=4"], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(shown.stdout, "6.14626\n")
            return {file.name: file.stat().st_mtime_ns for file in self.code.glob("*.bin")}
        first = build()
        self.assertTrue(any(name.startswith("plan-") for name in first))
        self.assertTrue(any(name.startswith("object-") for name in first))
        self.assertEqual(build(), first)
        self.program.write_text("% another text of the same meaning\nparam n = 5\nprintf('%g\\n', sum(sqrt(1:n)));\n")
        objects = [name for name in build() if name.startswith("object-")]
        self.assertEqual(sorted(objects), sorted(name for name in first if name.startswith("object-")))

    def test_what_nobody_used_goes_when_there_is_too_much(self):
        self.use()
        for number, file in enumerate(self.files()):
            padding = self.code / f"object-{number:016x}.bin"
            padding.write_bytes(bytes(1 << 19))
            os.utime(padding, (number, number))
        self.program.write_text(PROGRAM.replace("20", "21") + "z = x .^ 3; disp(z(2))\n")
        self.use(LAC_CACHE_LIMIT="1")
        total = sum(file.stat().st_size for file in self.code.iterdir())
        self.assertLessEqual(total, 1 << 20)
        self.assertEqual(self.use()[0], "hit")


class KeptPlans(Runs):
    """What was lowered and taken through the passes is kept as well, as long as all that it was made from is the same."""

    def lowered(self, *words, arguments=()):
        """Whether the text was lowered, the output, and what was said besides."""
        report = self.folder / "report.json"
        done = self.run_program(f"--stats=json:{report}", *words, arguments=arguments)
        return json.loads(report.read_text())["compile_ms"]["lower"] > 0, done.stdout, done.stderr

    def test_a_second_run_lowers_nothing(self):
        first, output, _ = self.lowered()
        self.assertTrue(first)
        self.assertEqual(self.lowered(), (False, output, ""))
        self.assertTrue(self.lowered("--no-cache")[0])
        self.program.write_text("% a comment\n" + PROGRAM)
        self.assertTrue(self.lowered()[0])

    def test_parameters_of_the_same_kind_share_it(self):
        self.program.write_text("param n = 5\nparam b(m) = ones(n, 1)\nprintf('%g\\n', sum(b) * n);\n")
        self.assertTrue(self.lowered(arguments=["n=3"])[0])
        self.assertEqual(self.lowered(arguments=["n=4"]), (False, "16\n", ""))
        self.assertEqual(self.lowered(arguments=["n=1"]), (True, "1\n", ""))

    def test_functions_in_files(self):
        helper = self.folder / "helper.la"
        helper.write_text("function y = helper(x)\n  y = x + 1;\nend\n")
        self.program.write_text("printf('%g %g\\n', helper(1), median([3 1 2]));\n")
        self.assertEqual(self.lowered(), (True, "2 2\n", ""))
        self.assertEqual(self.lowered(), (False, "2 2\n", ""))
        helper.write_text("function y = helper(x)\n  y = x + 2;\nend\n")
        self.assertEqual(self.lowered(), (True, "3 2\n", ""))
        self.assertEqual(self.lowered(), (False, "3 2\n", ""))
        # One that comes to stand before the library's.
        (self.folder / "median.la").write_text("function y = median(x)\n  y = 77;\nend\n")
        self.assertEqual(self.lowered(), (True, "3 77\n", ""))
        helper.unlink()
        self.run_program(status=1)

    def test_how_a_file_is_stored(self):
        matrix = self.folder / "a.mtx"
        sparse = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n"
        matrix.write_text(sparse)
        self.program.write_text(f"A = read('{matrix}');\nprintf('%d %g\\n', issparse(A), sum(A(:)));\n")
        self.assertEqual(self.lowered(), (True, "1 5\n", ""))
        self.assertEqual(self.lowered(), (False, "1 5\n", ""))
        matrix.write_text("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")
        self.assertEqual(self.lowered(), (True, "0 10\n", ""))

    def test_warnings_and_places_are_those_of_the_first_run(self):
        (self.folder / "helper.la").write_text("function y = helper(x)\n  y = x + [1 2 3](5);\nend\n")
        self.program.write_text("x = sqrt(-1 - rand());\nif x == 3, disp(1), end\ny = helper(x)\n")
        first = self.run_program(status=1)
        self.assertIn("helper.la:2", first.stderr)
        second = self.run_program(status=1)
        self.assertEqual((first.stdout, first.stderr), (second.stdout, second.stderr))
        (self.folder / "helper.la").write_text("function y = helper(x)\n  y = sqrt(x);\nend\n")
        self.program.write_text("y = helper(-1 - (rand() > 2))\n")
        lowered, output, said = self.lowered()
        self.assertTrue(lowered)
        self.assertIn("helper.la:2", said)
        self.assertEqual(self.lowered(), (False, output, said))

    def test_remarks_come_again(self):
        lowered, output, said = self.lowered("--remarks")
        self.assertTrue(lowered)
        self.assertIn("remark", said)
        self.assertEqual(self.lowered("--remarks"), (False, output, said))

    def test_a_damaged_plan(self):
        _, output, _ = self.lowered()
        for file in self.code.glob("plan-*.bin"):
            file.write_bytes(file.read_bytes()[:-7])
        again, got, said = self.lowered()
        self.assertEqual((again, got), (True, output))
        self.assertIn("is not used: it is damaged", said)
        self.assertEqual(self.lowered(), (False, output, ""))

    def test_other_targets(self):
        for target in ("vulkan", "vulkan-fragment"):
            probe = subprocess.run([LAC, "run", f"--target={target}", "-e", "x = 1;"], capture_output=True, check=False)
            if probe.returncode != 0:
                self.skipTest(probe.stderr.decode(errors="replace").strip().splitlines()[-1])
            self.program.write_text("x = (1:100)' / 7; printf('%.5g\\n', sum(x .* x));\n")
            self.lowered(f"--target={target}")
            self.assertEqual(self.lowered(f"--target={target}")[0], False)


if __name__ == "__main__":
    LAC = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
