#!/usr/bin/env python3
"""What the solvers' loops become: how many launches touch n words per iteration, how many words they move, as the run and
as the interpreter of the plan count them, and that the number of trips changes no resource. That products take
elementwise matrices along. That loops over elements, rows and columns copy no matrix (tests/conformance/loops). And what
the code of a few does not have.

usage: kernels_test.py LAC
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (32, 64)     # grid points in one direction
WORDS = {"double": 8, "single": 4}

OPERATOR = """
param maxit = 10
param n = 64
e = ones(n, 1);
T = spdiags([-e 2*e -e], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
b = A * (1 + sin((1:n^2)'));
"""

# The same matrix, of which nothing is known but its entries: 5 n of them, each with a column of 4 bytes, and n + 1 starts.
ENTRIES = "[i, j, v] = find(A); A = sparse(i, j, v, n^2, n^2); "

# name: (text, most kernels per iteration that touch n words, most words that they move per iteration in units of n:
# all of what they read and write, the matrix as well; by precision where it matters)
LOOPS = {
    "cg": ("x = cg(A, b, 0, maxit);", 2, 8),
    "cg with a handle": ("x = cg(@(p) A * p + 0.5 * p, b, 0, maxit);", 2, 8),
    "cg with written diagonals": ("T = spdiags(ones(n, 1) * [-1 2 -1], -1:1, n, n); "
                                  "A = kron(speye(n), T) + kron(T, speye(n)); x = cg(A, b, 0, maxit);", 2, 8),
    "cg with entries": (ENTRIES + "x = cg(A, b, 0, maxit);", 2, {"double": 9 + 8, "single": 9 + 11}),
    "pcg": ("d = full(diag(A)); [x, flag] = pcg(A, b, 0, maxit, @(v) v ./ d);", 2, 8),
    "bicgstab": ("[x, flag] = bicgstab(A, b, 0, maxit);", 4, 16),
    "chebyshev": ("""
        x = 0 * b; r = b; p = x; d = 4; c = 3.9; alpha = 0;
        for k = 1:maxit
          if k == 1
            p = r; alpha = 1 / d;
          else
            beta = (c * alpha / 2)^2; alpha = 1 / (d - beta / alpha); p = r + beta * p;
          end
          x = x + alpha * p;
          r = b - A * x;
          if norm(r) < 1e-12, break; end
        end""", 1, 5),
    "jacobi": ("x = jacobi(A, b, 0, maxit);", 1, 3),
    "projected_jacobi": ("x = projected_jacobi(A, -b, zeros(n^2, 1), 0.5, 0, maxit);", 1, 3),
    "a stencil of a sum of products": ("a = 1 + sin((1:n^2)'); c = cos((1:n^2)'); x = b; y = a; "
                                       "for k = 1:maxit, v = a .* x + c .* y; x = x - 0.1 * (A * v); y = y + 0.01 * x; end",
                                       1, 6),
    "one column of nine": ("F = b * (1:9); for k = 1:maxit, F(:, 3) = 0.5 * F(:, 3) + b; end, x = F(:, 3);", 1, 3),
    "wave": ("u = b; w = b; for k = 1:maxit, t = 2*u - w - 0.1*(A*u); w = u; u = t; end, x = u;", 1, 3),
}

# Matrices that grow by 500, 500, 40 and 70 columns, and one by 1, move now and then.
MOVES_OF_GROWTH = {"growth_reads_itself": 40, "parts_stored": 14, "counters": 1}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return done


def statistics(lac, program, trips, size, precision="double", target="cpu"):
    planned = ["--plan-of=cpu"] if target == "interp" else []
    done = run(lac, "run", "--print=none", f"--precision={precision}", f"--target={target}", *planned, "--stats=json",
               program, f"maxit={trips}", f"n={size}")
    return json.loads(done.stderr.strip().splitlines()[-1])


def per_iteration(stats, trips, size, word):
    """(launches that touch as many words as there are unknowns, words that they move for each) of the loop, per trip."""
    assert [loop["trips"] for loop in stats["loops"]] == [trips], stats["loops"]
    bytes_of_vector = size * size * word
    inside = [kernel for kernel in stats["kernels"] if kernel["loop"] and kernel["launches"]]
    large = [k for k in inside if (k["vector_bytes"] + k["matrix_bytes"]) / k["launches"] >= bytes_of_vector]
    launches = sum(kernel["launches"] for kernel in large) / trips
    # scalars, which are no share of the traffic, are left out with the kernels that have nothing else
    words = sum(kernel["vector_bytes"] + kernel["matrix_bytes"] for kernel in large) / trips / bytes_of_vector
    return launches, words


def poisson_file(size):
    """A symmetric matrix of five diagonals whose elements are all different."""
    n = size * size
    entries = [(i, i, 4.5 + i / n) for i in range(1, n + 1)]
    entries += [(i + 1, i, -1 - 0.3 * i / n) for i in range(1, n) if i % size]
    entries += [(i + size, i, -1 - 0.2 * i / n) for i in range(1, n - size + 1)]
    return (f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(entries)}\n" +
            "".join(f"{i} {j} {x!r}\n" for i, j, x in entries))


def check_matrix_from_file(lac, scratch, claim, most_launches, most_words):
    """cg with stored diagonals: each is read once a trip, of a symmetric matrix half of them."""
    program, problems = scratch / "from_file.la", []
    program.write_text(f"param A(n,n) sparse {claim}\nb = A * (1 + sin((1:n)')); x = cg(A, b, 0, 10);\noutput x\n")
    for size in SIZES:
        (scratch / "A.mtx").write_text(poisson_file(size))
        for target in (["cpu"], ["interp", "--plan-of=cpu"]):
            for precision, word in WORDS.items():
                found = run(lac, "run", "--print=none", f"--precision={precision}", "--stats=json", "--target=" + target[0],
                            *target[1:], program, f"A={scratch / 'A.mtx'}")
                launches, words = per_iteration(json.loads(found.stderr.strip().splitlines()[-1]), 10, size, word)
                if launches > most_launches or words > 1.02 * most_words:
                    problems.append(f"cg, {claim} diagonals from a file, {size} x {size}, {precision}, {target[0]}: "
                                    f"{launches:g} launches, {words:.2f} words, more than {most_launches}, {most_words}")
    return problems


def check_loop(lac, program, name, most_launches, most_words):
    problems = []
    for target in ("cpu", "interp"):
        for size in SIZES:
            for precision, word in WORDS.items():
                stats = statistics(lac, program, 10, size, precision, target)
                launches, words = per_iteration(stats, 10, size, word)
                where = f"{name}, {size} x {size}, {precision}, {target}"
                if size == SIZES[-1] and target == "interp":
                    print(f"{where}: {launches:g} launches, {words:.2f} words for each unknown")
                if launches > most_launches:
                    problems.append(f"{where}: {launches:g} launches, more than {most_launches}")
                most = most_words[precision] if isinstance(most_words, dict) else most_words
                if words > 1.02 * most:
                    problems.append(f"{where}: {words:.2f} words, more than {most}")
    resources, more = (statistics(lac, program, trips, SIZES[-1])["memory"]["resources_created"] for trips in (10, 40))
    if resources != more:
        problems.append(f"{name}: {resources} resources for 10 trips, {more} for 40")
    return problems


# What a product reads of matrices that are computed for it: name: (program, words of matrices)
PRODUCTS = {
    "a sum": ("y = (A + 0.5 * B) * x;", 2),
    "a transposed difference": ("y = (A - B)' * x;", 2),
    "a row": ("y = x' * (A .* B + 1);", 2),
}


def check_product(lac, program, name, most_words):
    stats = json.loads(run(lac, "run", "--print=none", "--stats=json", program).stderr.strip().splitlines()[-1])
    words = sum(kernel["matrix_bytes"] for kernel in stats["kernels"]) / (200 * 200 * 8) - 2  # A and B are made
    return [] if words <= most_words else [f"{name}: {words:g} words of matrices, more than {most_words}"]


# What one pass over a matrix is enough for: name: (text, kernels, matrices that they read and write)
ONE_PASS = {
    "a product and its transposed one": ("y = A' * (A * x);", 1, 1),
    "a gradient": ("y = A' * (A * x - b) + 0.1 * x;", 2, 1),
    "a product after the transposed one": ("y = A * (A' * b);", 1, 1),
    "rows by their sums": ("y = A ./ sum(A, 2);", 1, 2),
    "columns by their norms": ("y = A ./ sqrt(sum(A .^ 2, 1));", 1, 2),
    "standard scores": ("y = (A - mean(A, 2)) ./ std(A, 0, 2);", 1, 2),
    "softmax": ("e = exp(A - max(A, [], 2)); y = e ./ sum(e, 2);", 1, 3),
}


def check_one_pass(lac, program, name, text, most_kernels, most_words):
    """As the run counts it and as the interpreter of the plan does; with sizes that the text says and others."""
    rows, cols, problems = 4000, 150, []  # of less the products stay apart
    matrix = program.parent / "A.csv"
    matrix.write_text("".join(",".join(str(1 + (7 * i + 3 * j) % 11) for j in range(cols)) + "\n" for i in range(rows)))
    for shape in (f"{rows}, {cols}", "m, n"):
        program.write_text(f"param A({shape})\nx = cos(1:size(A, 2))'; b = sin(1:size(A, 1))';\n{text}\noutput y\n")
        for target in (["--target=cpu"], ["--target=interp", "--plan-of=cpu"]):
            for precision, word in WORDS.items():
                done = run(lac, "run", "--print=none", f"--precision={precision}", *target, "--stats=json", program,
                           f"A={matrix}")
                launched = [k for k in json.loads(done.stderr.strip().splitlines()[-1])["kernels"] if k["launches"]]
                kernels = len([k for k in launched if k["lines"] != [2]])
                words = sum(k["matrix_bytes"] for k in launched) / (rows * cols * word)
                if kernels > most_kernels or words > most_words:
                    problems.append(f"{name}, A({shape}), {precision}, {target[0]}: {kernels} kernels, {words:.2f} words "
                                    f"of matrices, more than {most_kernels}, {most_words}")
    return problems


# Matrices that a loop replaces by themselves stay in their buffer, joined or not: name: (loop, matrices in memory)
IN_PLACE = {
    "rows by their sums, and a product of them": ("A = A ./ sum(A, 2); r = A * x; t = t + r(3);", 1),
    "rows by sums that an assignment in between changes": (
        "s = 2 + sum(A .* W, 2); W(mod(k, m) + 1, :) = 0.5; A = A ./ s; t = t + s(1);", 2),
}


def check_in_place(lac, program, name, loop, matrices):
    program.write_text("m = 600; n = 400; A = 1 + abs(sin((1:m)' * 0.7 + (1:n))); W = A + 0; x = ones(n, 1); t = 0;\n"
                       f"for k = 1:4\n{loop}\nend\nprintf('%g %g\\n', t, sum(A(:)));\n")
    done = run(lac, "run", "--stats=json", "--remarks", program)
    peak = json.loads(done.stderr.strip().splitlines()[-1])["memory"]["peak_bytes"] / (600 * 400 * 8)
    problems = [] if peak < matrices + 0.5 else [f"{name}: {peak:.2f} matrices in memory, more than {matrices}"]
    return problems + ([f"{name}: a copy is made in every trip"] if "copy of all" in done.stderr else [])


# Loops that passes over trips and branches must leave alone: straight or advanced they would read, or compute, more.
LEFT_ALONE = {
    "a reduction of more than a trip makes": ("r = sin((1:n)'); z = cos(1:n); a = 0; x = r;",
                                              "for k = 1:3, a = sum(sum(abs(sin(r - z)))); x = x + a; r = r * 0.5 + 1; end"),
    "a dear start that the trip reads": ("x = sin((1:n)');",
                                         "for k = 1:5, v = exp(sin(x)); s = sum(v); x = x * 0.9 + v / s; end"),
    "arms by a sum of what they read": ("v = cos((1:n)'); z = v; x = v;",
                                        "for k = 1:5, v = 0.9 * v + 0.1 * x; if sum(v) > 0, x = z + v; else x = z - v; end, "
                                        "z = z * 0.5 + x; end"),
    "an update that does not read what it replaces": ("a = sin((1:n)'); b = a; k = 0;",
                                                      "while true, k = k + 1; if k > 5, break, end, a = b - b * k; end"),
    "names exchanged before a rare update": ("x = sin((1:n)'); y = x;",
                                             "for k = 1:40, t = x; x = y; y = t; if mod(k, 10) == 0, x = x * 0.5; end, end"),
    "two rare updates": ("x = sin((1:n)');", "for k = 1:30, if mod(k, 7) == 0, printf(''); x = x / 3; end, "
                         "if mod(k, 10) == 0, x = x * 0.7; end, end"),
    "arms behind a norm": ("x = sin((1:n)'); y = x;", "for k = 1:9, if k > 6, break, end, x = x + 0.5 * y; "
                           "y = x / (1 + norm(x)); end"),
    "a dear function now and then": ("x = sin((1:n)'); y = x;",
                                     "for k = 1:30, y = y + 0.1 * x; if mod(k, 10) == 0, y = exp(sin(x)); end, end"),
    "products of matrices that the last trip does without": ("A = mod((1:n)' * (1:n), 7) / n; B = A; k = 0;",
                                                             "while true, k = k + 1; if k > 3, break, end, B = A * B + 1; end"),
    "a factorisation that the last trip does without": ("A = mod((1:n)' * (1:n), 7) / n; k = 0; R = A;",
                                                        "while true, k = k + 1; if k > 3, break, end, [Q, R] = qr(A + k); end"),
}


def work(lac, program, *words):
    kernels = json.loads(run(lac, "run", "--print=none", "--stats=json", *words, program).stderr.strip().splitlines()[-1])
    return [sum(kernel[what] for kernel in kernels["kernels"]) for what in ("bytes_read", "bytes_written", "flops")]


def check_left_alone(lac, program, name, start, loop):
    sums = "".join(f"printf('%g\\n', sum({x}(:)));\n" for x in "arxyBR" if f"{x} = " in start + loop)
    program.write_text(f"param n = 300\n{start}\n{loop}\n{sums}")
    found, without = work(lac, program), work(lac, program, "--no-retime")
    return [] if all(a <= b for a, b in zip(found, without)) else [f"{name}: reads, writes, computes {found}, and "
                                                                   f"{without} with --no-retime"]


def check_cg_kernels(lac, program):
    """One kernel makes p and x, and a column behind that p'q of the p it has made; the other r and r'r. There is no
    matrix, and q is not stored."""
    kernels = re.split(r"\n(?=kernel )", run(lac, "emit", "kernels", program).stdout)
    product = [k for k in kernels if "store p[i, j]" in k and "store x[i, j]" in k and "reload p[i - 1, j]" in k]
    update = [k for k in kernels if "store r[i, j]" in k and "load p[i - 1, j]" in k and "reduce rho" in k]
    problems = []
    if len(product) != 1 or "reduce" not in product[0] or "load r[i - 1, j]" in product[0]:
        problems.append("cg: p, x and p'q are not one kernel")
    if not any("store x[i, j]" not in k for k in update):
        problems.append("cg: r and r'r are not one kernel")
    plan = run(lac, "emit", "plan", program).stdout
    if not re.search(r" p: [^\n]* x: [^\n]* = launch [^\n]* reuse \(\d+, \d+,", plan):
        problems.append("cg: p and x are not stored over the old ones")
    if run(lac, "emit", "llvm", program).stdout.count("call void @llvm.prefetch") < 2:
        problems.append("cg: what r and p need next is not asked for")
    if any("diagonal(" in k or "contract" in k for k in kernels):
        problems.append("cg: a matrix is in memory")
    return problems


ELEMENTWISE = """
n = 300; i = (1:n)'; A = sin(i * i'); B = cos(i + (1:n)); C = exp(-A) .* B;
D = max(A - B, 0.3 * C) ./ (1 + C.^2);
for k = 1:3, D = D - 0.1 * (A .* D) + B(:, end:-1:1)'; C(2:end, :) = D(1:end-1, :) .* C(2:end, :); end
printf('%.17g ', D, C); output D
"""


def check_without_fusion(lac, program):
    """Each operation on its own: more kernels, the same bits."""
    program.write_text(ELEMENTWISE)
    bits = [run(lac, "run", "-q", "--print=none", *words, program).stdout for words in ([], ["--no-fuse"])]
    kernels = [len(json.loads(run(lac, "run", "--print=none", "--stats=json", *words, program).stderr.strip().splitlines()[-1])
                   ["kernels"]) for words in ([], ["--no-fuse"])]
    problems = [] if kernels[1] > 2 * kernels[0] else [f"--no-fuse: {kernels[1]} kernels, and {kernels[0]} with fusion"]
    return problems + ([] if bits[0] == bits[1] else ["--no-fuse prints other numbers"])


def check_without_retiming(lac, program):
    """All work in its trip takes a third kernel, and the same bits come out."""
    found = run(lac, "run", "--print=none", "--precision=double", "--stats=json", "--no-retime", program)
    kernels = [k for k in json.loads(found.stderr.strip().splitlines()[-1])["kernels"] if k["loop"] and k["kind"] == "main"]
    problems = [] if len(kernels) == 3 else [f"cg --no-retime: {len(kernels)} kernels in its loop instead of 3"]
    bits = [run(lac, "run", "-q", *words, program).stdout for words in ([], ["--no-retime"])]
    return problems + ([] if bits[0] == bits[1] else ["cg --no-retime prints other numbers"])


def copies_in_loops(lac, program):
    done = run(lac, "run", "--print=none", "--stats=json", program)
    kernels = json.loads(done.stderr.strip().splitlines()[-1])["kernels"]
    return sum(kernel["launches"] for kernel in kernels if kernel["kind"] == "copy" and kernel["loop"])


def check_element_loops(lac):
    problems = []
    for program in sorted((Path(__file__).parent / "conformance" / "loops").glob("*.la")):
        copies, most = copies_in_loops(lac, program), MOVES_OF_GROWTH.get(program.stem, 0)
        if copies > most:
            problems.append(f"{program.name}: {copies} copies of whole matrices in loops, more than {most}")
    return problems


# What is not in the code of a text: name: (text, pattern)
CODE = {
    "the larger of 0": ("param x(n, 1)\ny = max(0, x);\noutput y\n", r"fcmp (ord|uno)"),
    "the larger of an element and 0": ("param x(n, 1)\ny = max(x, 0);\noutput y\n", r"fcmp (ord|uno)"),
    "the smaller of an element and 5": ("param x(n, 1)\ny = min(x, 5);\noutput y\n", r"fcmp (ord|uno)"),
    "the smaller of two elements": ("param x(n, 1)\nparam y(n, 1)\nz = min(x, y);\noutput z\n", r"fcmp (ole|ugt) <"),
    "bits of int32": ("param n = 100\nh = int32(17);\nfor i = 1:n\n  h = bitxor(h, int32(mod(i, 1000)));\n"
                      "  h = int32(mod(double(h) * 31 + 7, 65536));\nend\nprintf('%d', h);\n", r"fmul|cvttsd2si"),
}

# And what is: integers that loops divide.
WRITTEN = {
    "digits": ("param n = 100\nd = 0;\nfor k = 1:n\n  m = k;\n  while m > 0\n    d = d + mod(m, 10);\n    m = floor(m/10);\n"
               "  end\nend\nprintf('%d', d);\n", r"udiv i64"),
    "halves of what has no bound": ("param n = 27\nm = n; c = 0;\nwhile m != 1\n  if mod(m, 2) == 0\n    m = m/2;\n  else\n"
                                    "    m = 3*m + 1;\n  end\n  c = c + 1;\nend\nprintf('%d', c);\n", r"[al]shr.* i64 .*, 1"),
}

# What is not in the plan of a text.
PLANS = {
    "a counter that falls": ("param x(1, n)\nfor i = 2:n\n  j = i - 1;\n  while j >= 1 && x(j) > 3\n    x(j+1) = x(j);\n"
                             "    j = j - 1;\n  end\n  x(j+1) = 3;\nend\noutput x\n", r" resize |out of bound"),
    "a counter that rises": ("param x(1, n)\nk = 1;\nwhile k <= numel(x)\n  x(k) = k;\n  k++;\nend\noutput x\n",
                             r" resize |out of bound|must be either"),
    "a store where a mask holds": ("param x(n, 1)\nx(x < 0) = 0;\nx(x > 1) = 2*x(x > 1) + 1;\noutput x\n", r"library find"),
    "a rotation of two rows": ("param A(n, n)\nfor i = 2:n\n  A([i-1 i], :) = [cos(i) sin(i); -sin(i) cos(i)]*A([i-1 i], :);\n"
                               "end\noutput A\n", r"library (gemm|literal)"),
    "a subscript that is written twice": ("param z(1, n)\nh = n/2;\nfor k = 1:h\n  u = z(k); v = z(k+h);\n  z(k) = u + v;\n"
                                          "  z(k+h) = u - v;\nend\noutput z\n", r" resize "),
    "a step that the run finds": ("param n = 100\np = zeros(1, n);\nfor i = 2:n\n  for j = i*i:i:n\n    p(j) = 1;\n  end\n"
                                  "end\noutput p\n", r" resize |out of bound"),
    "a grid that a loop over elements fills": (
        "m = 20; n = m*m; e = ones(m, 1); T = spdiags([-e 2*e -e], -1:1, m, m); A = kron(speye(m), T) + kron(T, speye(m));\n"
        "b = zeros(n, 1); s = 0.5;\nfor i = 1:n\n  b(i) = s;\n  for k = 1:3\n    s = mod(s*7.3 + b(1 + mod(i*7 + k, i)), 1);\n"
        "  end\nend\np = b;\nfor k = 1:10\n  p = p + 0.1*(A*p);\nend\noutput p\n", r"\n +%\d+[^\n]*= copy"),
    "a literal in a branch": ("param n = 100\nx = [0; 0];\nfor k = 1:n\n  z = [sin(k); cos(k)];\n  if mod(k, 50) == 0\n"
                              "    z = z + [40; 0];\n  end\n  x = 0.9*x + z;\nend\noutput x\n", r"loop %\d+ host"),
    "numbers that are appended": ("param n = 100\nx = [];\nfor k = 1:n\n  x = [x k^2];\nend\noutput x\n",
                                  r"domain \[1 x %\d+ \+ 1\]"),
    "characters that are appended": ("param n = 100\ns = '';\nfor k = 1:n\n  if mod(k, 2), s = [s 'a']; end\nend\n"
                                     "x = double(s);\noutput x\n", r"library text_join"),
    "what is taken off the end": ("param x(1, n)\ns = 0;\nwhile numel(x) > 2\n  s = s + x(end);\n  x(end) = [];\n"
                                  "  x = x(1:end-1);\nend\noutput s\n", r"load x"),
    "columns that are taken off": ("param A(n, n)\ns = 0;\nwhile numel(A) > 2\n  s = s + A(2);\n  A(:, end) = [];\nend\n"
                                   "output s\n", r"load A"),
    "bytes that stay in their range": ("param n = 9\na = uint8(mod(1:n, 256)); s = uint8(0);\nfor k = 1:n\n"
                                       "  s = s/2 + a(k)/4 + 10;\nend\nprintf('%d\\n', s);\n", r"map (max|min|abs|select)"),
    "positions that are rests": ("param n = 100\nt = zeros(1, 16); s = 7;\nfor k = 1:n\n  s = mod(s*16807, 2147483647);\n"
                                 "  t(mod(s, 16) + 1) += mod(s, 13) + t(mod(s, 15) + 1);\nend\noutput t\n",
                                 r" resize |out of bound|must be either"),
}


def check_code(lac, program):
    problems = []
    for stage, table in ("llvm", CODE), ("plan", PLANS):
        for name, (text, pattern) in table.items():
            program.write_text(text)
            if found := re.search(pattern, run(lac, "emit", stage, program).stdout):
                problems.append(f"{name}: the {stage} has {found[0].strip()}")
    for name, (text, pattern) in WRITTEN.items():
        program.write_text(text)
        if not re.search(pattern, run(lac, "emit", "llvm", program).stdout):
            problems.append(f"{name}: the llvm has no {pattern}")
    return problems


def main():
    lac = sys.argv[1]
    problems = check_element_loops(lac)
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "product.la"
        for name, (text, words) in PRODUCTS.items():
            program.write_text(f"n = 200; i = (1:n)'; A = mod(i * i', 7); B = mod(i + i', 5) / 3; x = mod(i, 3);\n{text}\n"
                               "output y\n")
            problems += check_product(lac, program, name, words)
        for name, (text, kernels, words) in ONE_PASS.items():
            problems += check_one_pass(lac, program, name, text, kernels, words)
        for name, (loop, matrices) in IN_PLACE.items():
            problems += check_in_place(lac, program, name, loop, matrices)
        for name, (start, loop) in LEFT_ALONE.items():
            problems += check_left_alone(lac, program, name, start, loop)
        for name, (call, launches, words) in LOOPS.items():
            program = Path(scratch) / "loop.la"
            program.write_text(f"{OPERATOR}{call}\noutput x\n")
            problems += check_loop(lac, program, name, launches, words)
        problems += check_matrix_from_file(lac, Path(scratch), "symmetric", 2, 12)
        problems += check_matrix_from_file(lac, Path(scratch), "", 2, 14)
        program.write_text(f"{OPERATOR}{LOOPS['cg'][0]}\nprintf('%.17g ', x);\noutput x\n")
        problems += check_cg_kernels(lac, program) + check_without_retiming(lac, program)
        problems += check_without_fusion(lac, program) + check_code(lac, program)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
