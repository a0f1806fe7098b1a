#!/usr/bin/env python3
"""Loops over elements stand in the program itself (LoopMode::straight, ir/plan/plan.h): they launch nothing, are counted all the same,
say of an error what the uncompiled program and the interpreter say, and end when they are told to.

usage: straight_test.py LAC
"""
import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LOOPS = Path(__file__).parent / "conformance" / "loops"
# Loops of nothing but arithmetic on elements and small matrices; and those that call steps on small matrices.
STRAIGHT = ("edit_distance", "fluxes_and_swaps", "gauss_seidel", "knapsack", "lu", "recurrence",
            "small_matrices", "stack", "banded_cholesky", "bellman_ford", "contacts", "heap_sort", "histogram",
            "levinson", "lu_of_six", "mat4", "sieve", "small_products", "small_products_single", "smith_waterman", "sor", "springs")
WITH_STEPS = ("small_systems", "kalman", "rays", "inverses")
WITH_GROWTH = ("parts_stored",)

# Rows, columns and elements of sparse matrices, of entries and of diagonals, are walked to in place.
SPARSE = """n = 40; T = spdiags(ones(n, 1) * [-1 4 -1], -1:1, n, n); L = tril(T); L(9, 2) = 5; b = (1:n)';
x = zeros(n, 1); y = x; s = 0;
for i = 1:n
  x(i) = (b(i) - L(i, 1:i-1) * x(1:i-1)) / L(i, i);
end
for i = n:-1:1
  y(i) = (b(i) - T(i, i+1:n) * y(i+1:n)) / T(i, i) + L(:, i)' * b;
end
for i = 1:n
  for j = 1:3
    s = s + T(i, :) * x + L(i, j) * T(j, i);
  end
end
printf("%g ", x, y, s);
"""
# How often each line's store runs; of each loop, by its line, the trips and the stores of its own body.
COUNTED = """n = 40; x = zeros(n, 1); y = zeros(n, n);
for i = 1:n
  x(i) = i;
  for j = 1:i
    y(i, j) = x(j) * 2;
    if mod(j, 3) == 0, x(j) = -x(j); end
  end
end
while x(5) < 100, x(5) = x(5) + 7; end
printf("%g ", sum(x), sum(y(:)));
"""
LAUNCHES = {3: 40, 5: 820, 6: 260, 9: 14}
BY_LOOP = {2: (40, 40), 4: (820, 820 + 260), 9: (14, 14)}

FAILURES = {
    "an index in an inner loop": "for i = 1:9, for j = 1:i, x(j) = x(j) + x(30 * (i == 7 && j == 4) + j); end, end",
    "an index of zero": "for i = 1:9, x(i) = 1; k = 4 - i; s = s + x(k); end",
    "an index that is no integer": "for i = 1:9, x(i) = i; t = i / (1 + (i > 5)); s = s + x(t); end",
    "an index that is NaN": "for i = 1:9, x(i) = 0 / (i - 4); s = s + x(x(i) + 1); end",
    "an index that is huge": "for i = 1:9, x(i) = 10 ^ (2 * i); s = s + x(max(x(i) - 9e15, 1)); end",
    "growth that nobody has memory for": "for i = 1:9, for j = 1:3, x(i + (i > 7) * 2 ^ 52, 1) = j; end, end",
    "an error of the program's own":
        "for i = 1:9, for j = 1:9, x(j) = i; if x(j) == 6 && j == 2, error('own:id', 'at %d, %d', i, j); end, end, end",
    "in a function in a loop": "for i = 1:9, x(i) = half(i); s = s + x(half(i)); end",
    "in the third loop": "for i = 1:3, for j = 1:2, for k = 1:4, x(k) = i; s = s + x(k + 20 * (i * j * k == 12)); "
                         "end, end, end",
    "an index into a small matrix": "y = [1 2 3]; for i = 1:5, y = y * 2; s = s + y(i); end",
    "a step on small matrices that fails": "A = [2 1; 1 2]; for i = 1:5, A = A - i * eye(2); R = chol(A); s = s + R(1); end",
    "an error with a small matrix": "y = [1 2 3]; for i = 1:5, y = y * 2; if any(y > 20), error('own:id', 'at %d: %g %g', i, "
                                    "y); end, end",
    "after a thousand trips": "for i = 1:99999, x(3) = i; s = s + x(3 + (i == 70001)); end, x(20)",
}
NOT_FINITE = {
    "NaN in an inner loop": "for i = 1:4, for j = 1:4, x(j) = 0 / (i - 3); end, end",
    "NaN in a small matrix": "y = [1 0]; for i = 1:4, y = y / (i - 3); x(1) = y(1); end",
    "Inf": "for i = 1:4, x(i) = 1 / (i - 3); end",
}
# A trip may cost much, or make a matrix grow, which costs more.
SLOW = {
    "many functions": "x = ones(9, 1); for i = 1:1e9, " +
                      " ".join(f"x({k % 9 + 1}) = exp(sin(x({k % 7 + 1}) + i)) ^ 1.3 + gamma(x({k % 5 + 1}) / 100);"
                               for k in range(300)) + " end, disp(x(1))",
    "growth": "A = zeros(3000, 1); A(1, 1500) = 0; for i = 1:100000, A(3000 + i, 1) = i; end, disp(sum(A(:)))",
}
# Extents whose parts are larger than their sum.
LARGE = """param a = 2^53 - 1
x = zeros(3, 1); c = 0; s = 0;
for i = a:-1:5
  c++; s = s + mod(i, 1000) * 0.5; x(mod(c, 3) + 1) = s;
  if c == 3000, break; end
end
printf("%.17g ", x, s, i);
"""
# How many checks of subscripts and growths are left of loops in which all, or all but the first of a kind, are certain.
SURE = {
    "what was read is stored": ("x = zeros(9, 1); p = mod((1:20) * 7.5, 8.5); for i = 1:20, x(p(i)) = x(p(i)) + 1; end", 2, 0),
    "a position that is used three times": ("x = rand(9, 1); for i = 1:20, k = floor(x(3) * 9) + 1; s = s + x(k) * x(k); "
                                            "x(k) = s; end", 3, 0),
    "bounds by min and max": ("w = 3; B = zeros(w + 1, n); for j = 1:n, for k = max(1, j - w):j, for i = j:min(n, k + w), "
                              "B(i - k + 1, k) = B(j - k + 1, k) + 1; end, end, end", 0, 0),
    "a range that falls": ("w = 1 + mod((1:n) * 3, 5); x = zeros(2 * n, 1); for i = 1:n, for c = 2 * n:-1:w(i), "
                           "x(c - w(i) + 1) = x(c); end, end", 0, 0),
    "only behind the check": ("x = zeros(9, 1); p = x + 0.5; if n > 9, s = x(p(1)); end, s = s + x(p(1));", 4, 0),
}
ENDLESS = "x = ones(9, 1); s = 0; while s >= 0, for i = 1:9, x(i) = x(i) + 1; end, s = x(3); end, disp(s)"


def run(lac, *words, **options):
    return subprocess.run([lac, *map(str, words)], capture_output=True, text=True, timeout=300, **options)


def statistics(lac, program):
    done = run(lac, "run", "--print=none", "--compile=first", "--stats=json", program)
    return json.loads(done.stderr.strip().splitlines()[-1])


def check_launches_nothing(lac, program, in_place=("straight",)):
    kernels = statistics(lac, program)["kernels"]
    launched = [kernel for kernel in kernels if kernel["loop"] and kernel["kind"] not in in_place]
    problems = [f"{program.name}: {k['kind']} {k['name']} is launched {k['launches']} times in a loop" for k in launched]
    if not any(kernel["kind"] == "straight" for kernel in kernels):
        problems.append(f"{program.name}: nothing stands in the program itself")
    return problems


def check_sparse(lac, program):
    program.write_text(SPARSE)
    return check_launches_nothing(lac, program)


def check_counts(lac, program):
    program.write_text(COUNTED)
    stats = statistics(lac, program)
    straight = {}
    for kernel in stats["kernels"]:
        if kernel["kind"] == "straight":
            line = kernel["lines"][0]
            straight[line] = straight.get(line, 0) + kernel["launches"]
    loops = {loop["line"]: (loop["trips"], loop["straight"]) for loop in stats["loops"]}
    problems = [] if straight == LAUNCHES else [f"launches by line: {straight}, not {LAUNCHES}"]
    problems += [] if loops == BY_LOOP else [f"trips and stores by loop: {loops}, not {BY_LOOP}"]
    aside = [loop for loop in stats["loops"] if loop["launches"] or loop["steps"] or loop["copied_bytes"]]
    return problems + [f"beside the stores: {loop}" for loop in aside]


def check_listing(lac, program):
    """The LLVM IR of the program says before each store which line it is of."""
    program.write_text(COUNTED)
    text = subprocess.run([lac, "emit", "llvm", str(program)], capture_output=True, text=True, check=True).stdout
    body = text[text.index("@lac_program_body("):]
    body = body[:body.index("\n}")]
    lines = COUNTED.splitlines()
    wanted = [f"; line {number}: {lines[number - 1].strip()}\n" for number in LAUNCHES]
    return [f"emit llvm has no '{line.strip()}'" for line in wanted if line not in body]


def outcome(done):
    return done.returncode, done.stdout, done.stderr


def check_same(lac, program, name, loop, ways, *options):
    program.write_text(f"x = zeros(9, 1); s = 0;\n{loop}\nprintf('%g ', x, s);\n"
                       "function y = half(x)\n  y = x / 2;\nend\n")
    outcomes = {way: outcome(run(lac, "run", *way.split(), *options, program))
                for way in ways}
    compiled = outcomes["--compile=first"]
    problems = [f"{name}: {compiled} compiled, {other} with {way}" for way, other in outcomes.items() if other != compiled]
    return problems + ([] if compiled[0] != 0 else [f"{name}: no error"])


def check_large_extents(lac, program):
    program.write_text(LARGE)
    outcomes = {way: outcome(run(lac, "run", way, program))
                for way in ("--compile=first", "--compile=never", "--target=interp")}
    return [] if len(set(outcomes.values())) == 1 else [f"large extents: {outcomes}"]


def check_many_loops(lac, program):
    """LLVM's analyses recur along what is carried through all of them: not with less stack than there is."""
    loops = "\n".join(f"for j = 1:3, x({k % 50 + 1}) = x(j) * 0.5; end" for k in range(400))
    program.write_text(f"x = ones(50, 1);\nfor i = 1:2\n{loops}\nend\ndisp(sum(x))\n")
    done = run_on_small_stack(lac, program)
    return [] if done.returncode == 0 else [f"400 loops in a loop end with {done.returncode}: {done.stderr}"]


def check_many_small_matrices(lac, program):
    """They lie in the frame of the program, which is on the stack: not all that a program may have."""
    lines = "\n".join("[v, i] = sort(v, 'descend'); s = s + i(3);" for _ in range(2500))
    program.write_text(f"v = mod((1:64)' * 0.618, 1); s = 0;\nfor k = 1:2\n{lines}\nend\ndisp(s)\n")
    done = run_on_small_stack(lac, program)
    return [] if done.returncode == 0 else [f"2500 sorts in a loop end with {done.returncode}: {done.stderr[-300:]}"]


def run_on_small_stack(lac, program):
    stack = 2 << 20
    return run(lac, "run", "--compile=first", "--no-cache", program,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (stack, stack)))


def check_sure(lac, program, name, loop, checks, growths):
    program.write_text(f"param n = 9\ns = 0;\n{loop}\nprintf('%g ', s, {'B' if 'B' in loop else 'x'});\n")
    plan = run(lac, "emit", "plan", program).stdout
    found = len(re.findall(r"^ *check ", plan, re.MULTILINE)), plan.count("= resize ")
    return [] if found == (checks, growths) else [f"{name}: {found} checks and growths, not {(checks, growths)}"]


def program_body(lac, program, *arguments):
    """What LLVM made of the program itself."""
    return run(lac, "emit", "llvm", program, *arguments).stdout.split("@lac_program_body", 1)[-1]


def check_vectors(lac):
    body = program_body(lac, LOOPS / "springs.la")
    return [] if re.search(r"fmul <\d+ x double>", body) else ["springs.la: no strip of it is vectorised"]


def check_integers(lac, program):
    """Carried integers are the processor's: no division in double, no conversion of the position in the loop."""
    program.write_text("param n = 50\nx = zeros(7, 1); k = 3; for i = 1:n, k = mod(k + 5, 7); x(k + 1) = x(k + 1) + 1; end\n"
                       "disp(sum(x))\n")
    trips = program_body(lac, program).split("\ntrip", 1)[-1].split("\n}\n", 1)[0]
    problems = [] if re.search(r"[us]rem i64", trips) else ["mod of integers does not divide integers"]
    return problems + (["a carried integer is converted in its loop"] if re.search("fptosi|cvttsd2si|fdiv", trips) else [])


def check_bits(lac, program):
    """Bits of integer classes are those of the processor's integers: nothing is rounded, converted or cut off."""
    program.write_text("x = uint32(2463534242);\nfor i = 1:50, x = bitxor(x, bitshift(x, 13)); x = bitxor(x, bitshift(x, -17)); "
                       "x = bitxor(x, bitshift(x, 5)); end\ndisp(x)\n")
    trips = program_body(lac, program).split("\ntrip", 1)[-1].split("\n}\n", 1)[0]
    problems = [] if re.search("xor i64", trips) else ["bitxor of a class is not that of integers"]
    return problems + ([f"bits: {found[0]} in the loop"] if (found := re.findall("fpto[su]i|cvttsd2si|llvm.floor", trips)) else [])


def check_ranges(lac, program):
    """Loops over real numbers make no vector of them."""
    program.write_text("param h = 0.125\ns = 0; for x = 0:h:3, s = s + x; end, for x = 1:h * 80, s = s + x; end, disp(s)\n")
    done = run(lac, "run", "--compile=first", "--stats=json", program)
    launched = sum(kernel["launches"] for kernel in json.loads(done.stderr.strip().splitlines()[-1])["kernels"])
    return [] if launched == 0 and done.stdout == "92.500\n" else [f"ranges: {launched} launches, {done.stdout!r}"]


def check_room(lac, program):
    """What grows gets room for twice, so that it moves by the logarithm of its size."""
    program.write_text("param n = 5000\nv = []; for i = 1:n, v(end + 1) = i; end, disp(sum(v))\n")
    moves = sum(k["launches"] for k in statistics(lac, program)["kernels"] if k["kind"] == "copy")
    return [] if 0 < moves <= 12 else [f"a vector that grows to 5000 elements moves {moves} times"]


def check_grows(lac, program):
    plan = run(lac, "emit", "plan", program).stdout
    loops, straight = plan.count("= loop "), len(re.findall(r"^ *loop %\d+ straight", plan, re.MULTILINE))
    return [] if loops == straight else [f"{program.name}: {straight} of {loops} loops are straight"]


def check_ends(lac, program, name, text, options, end):
    """A loop that goes on and on is told to end, and does within seconds."""
    program.write_text(text)
    process = subprocess.Popen([lac, "run", "--compile=first", *options, str(program)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    try:
        end(process)
        _, errors = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        return [f"{name}: goes on"]
    return [] if "in trip" in errors else [f"{name}: says {errors!r}"]


def check_counts_of_failure(lac, program):
    """What was counted until a run fails is told."""
    program.write_text("x = zeros(9, 1);\nfor i = 1:9\n  for j = 1:3\n    x(j) = i;\n  end\n  x(i) = x(13 - i) / 2;\nend\n")
    counts = []
    for way in ("first", "never"):
        done = run(lac, "run", f"--compile={way}", "--stats=json", program)
        stats = json.loads([line for line in done.stderr.splitlines() if line.startswith("{")][-1])
        counts.append(([(loop["line"], loop["trips"]) for loop in stats["loops"]],
                       sorted((k["lines"][0], k["launches"], k["vector_bytes"]) for k in stats["kernels"])))
    return [] if counts[0] == counts[1] else [f"a run that fails counted {counts[0]} compiled, {counts[1]} uncompiled"]


def in_time(check):
    """What is wrong with a check that is given some seconds until a program is told to end: on a machine that has much to do
    its loop may not have begun so soon, and a compilation ends with the process."""
    problems = []
    for seconds in (1, 5, 25):
        problems = check(seconds)
        if not problems:
            break
    return problems


def check_interrupt(lac, program):
    def interrupted(seconds):
        def interrupt(process):
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
        return check_ends(lac, program, "Ctrl-C", ENDLESS, [], interrupt)
    return in_time(interrupted)


def check_time_limit(lac, program, name, text):
    return in_time(lambda seconds: check_ends(lac, program, name, text, [f"--time-limit={seconds}"], lambda process: None))


def main():
    lac = str(Path(sys.argv[1]).resolve())
    problems = []
    for name in STRAIGHT:
        problems += check_launches_nothing(lac, LOOPS / f"{name}.la")
    for name in WITH_STEPS:
        problems += check_launches_nothing(lac, LOOPS / f"{name}.la", ("straight", "library"))
    problems += check_grows(lac, LOOPS.parent / "statements" / "growth_from_small.la")
    for name in WITH_GROWTH:
        problems += check_launches_nothing(lac, LOOPS / f"{name}.la", ("straight", "copy"))
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "program.la"
        problems += check_sparse(lac, program)
        problems += check_vectors(lac)
        problems += check_integers(lac, program)
        problems += check_bits(lac, program)
        problems += check_ranges(lac, program)
        problems += check_room(lac, program)
        problems += check_counts(lac, program)
        problems += check_listing(lac, program)
        for name, loop in FAILURES.items():
            problems += check_same(lac, program, name, loop, ("--compile=first", "--compile=never", "--target=interp"))
        for name, loop in NOT_FINITE.items():
            problems += check_same(lac, program, name, loop, ("--compile=first", "--compile=never"), "--check=nan")
        for name, (loop, checks, growths) in SURE.items():
            problems += check_sure(lac, program, name, loop, checks, growths)
        problems += check_counts_of_failure(lac, program)
        problems += check_large_extents(lac, program)
        problems += check_many_loops(lac, program)
        problems += check_many_small_matrices(lac, program)
        problems += check_interrupt(lac, program)
        for name, text in {"no end": ENDLESS, **SLOW}.items():
            problems += check_time_limit(lac, program, name, text)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
