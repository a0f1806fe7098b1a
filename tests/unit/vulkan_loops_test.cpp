// Loops on a Vulkan device against the same loops driven by the host: the same bits, texts, trips and messages.
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "runtime/vulkan/loop/region_size.h"
#include "tests/unit/device_runs.h"

using namespace lac::api;
using namespace lac::test;

namespace {

/// 300 trips of conjugate gradients on the five-point Laplacian of an n x n grid.
std::string poisson(int n) {
  return "n = " + std::to_string(n) + R"(;
e = ones(n, 1);
T = spdiags([-e 2*e -e], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
b = A * (1:n^2)' / n^2;
[x, k, relres] = cg(A, b, 0, 300);
output x k relres
)";
}

}  // namespace

TEST_CASE("a while loop that the device ends, after trips of every number") {
  if (!has_device()) return;
  for (const char* n : {"6", "600"})  // one workgroup, several
    for (int trips : {1, 2, 7, 8, 9, 40, 72, 73}) {
      const Result result =
          check("n = " + std::string(n) + ";\nx = (1:n)' / n^2;\nk = 0;\nwhile sum(x) > 1e-4 && k < 1000\n" +
                "  x = x - sum(x) / (n * (" + std::to_string(trips) + " - k));\n  k++;\nend\noutput x k\n");
      CHECK(result.output("k")->at(0, 0) == trips);
    }
}

TEST_CASE("a loop whose condition is false at once makes no trip") {
  if (!has_device()) return;
  const std::string text = "x = ones(5, 1);\nk = 0;\nwhile norm(x, 1) > 6\n  x = x + 1;\n  k++;\nend\noutput x k\n";
  const Run device = run_with(text, true, Precision::real), host = run_with(text, false, Precision::real);
  compare(device, host);
  CHECK(device.result.output("k")->at(0, 0) == 0);
}

TEST_CASE("double-buffered values end where the last trip left them") {
  if (!has_device()) return;
  for (const char* n : {"9", "700"})
    for (int trips : {1, 2, 3, 8, 9, 10, 11})
      check("n = " + std::string(n) + ";\nx = (1:n)';\ny = x;\nk = 0;\nwhile sum(x) < 1e9 && k < " +
            std::to_string(trips) + "\n  t = x([2:n 1]) + y;\n  y = x;\n  x = t;\n  k++;\nend\noutput x y k\n");
}

TEST_CASE("break and continue") {
  if (!has_device()) return;
  check(R"(x = ones(8, 1);
k = 0;
while true
  x = 1.25 * x;
  k++;
  if sum(x) > 100, break; end
  x(1) = x(1) + k;
end
output x k
)");
  check(R"(x = ones(8, 1);
s = 0;
for i = 1:50
  if mod(i, 3) == 0, continue; end
  x = x + i;
  if max(x) > 200, continue; end
  s = s + sum(x);
end
output x s
)");
}

TEST_CASE("branches that the device decides") {
  if (!has_device()) return;
  check(R"(x = (1:8)';
y = zeros(8, 1);
c = 0;
k = 0;
while k < 33 && sum(x) > -1e9
  if sum(x) > 40
    x = x - 3;
    c = c + 1;
    if max(x) > 7, y = y + x; else, y = y - 1; end
  else
    t = x; x = y + 5; y = t;
  end
  k++;
end
output x y c k
)");
}

TEST_CASE("texts come out in order, and only those of trips that ran") {
  if (!has_device()) return;
  const Result result = check(R"(x = ones(16, 1);
k = 0;
while sum(x) > 1e-3 && k < 500
  x = 0.9 * x;
  k++;
  if mod(k, 10) == 0, printf("%d %.9g %s\n", k, sum(x), "on"); end
  if sum(x) < 0.5, printf("small %g\n", x(3)); end
end
printf("%d\n", k);
s = sum(x)
output x k
)");
  CHECK(result.statistics().transfers.scalar_readbacks <= 92 / 8 + 4);
}

TEST_CASE("literals in a loop, of the counter too, over more than one chunk") {
  if (!has_device()) return;
  check(R"(x = zeros(3, 1);
y = [0; 0; 0];
k = 0;
while sum(x) < 1e5
  k++;
  x = x + [1; k; 3];
  if mod(k, 7) == 0, y = [k; k + 1; 5]; end
end
output x y k
)");
}

TEST_CASE("a check that fails stops the loop at its trip") {
  if (!has_device()) return;
  for (const char* failing : {"if sum(x) > 300, error(\"my:id\", \"sum %g in trip %d\", sum(x), k); end",
                              "if k == 13, error(\"trip %d\", k); end", "y = x(k);"}) {
    const std::string text = std::string("x = ones(12, 1);\nk = 0;\nwhile sum(x) < 1e6\n  x = 1.3 * x;\n  k++;\n  ") +
                             failing + "\n  printf(\"%d\\n\", k);\nend\noutput x k\n";
    const Run device = run_with(text, true, Precision::real), host = run_with(text, false, Precision::real);
    INFO(text);
    compare(device, host);
    CHECK(!device.result.ok());
    CHECK(device.text.find("error: ") != std::string::npos);
  }
}

TEST_CASE("sizes that follow from the counter") {
  if (!has_device()) return;
  check(R"(V = reshape(1:60, 6, 10) / 60;
w = ones(6, 1);
h = 0;
for k = 1:10
  c = V(:, 1:k)' * w;
  w = w - 0.01 * V(:, 1:k) * c;
  h = h + norm(c, 1);
end
output w h
)");
}

TEST_CASE("an inner loop is entered again and again") {
  if (!has_device()) return;
  check(R"(x = (1:10)';
n = 0;
for outer = 1:5
  while sum(x) > 3 * outer
    x = 0.8 * x;
    n++;
  end
  x = x + outer;
end
output x n
)");
}

TEST_CASE("random numbers are those of the trips that ran") {
  if (!has_device()) return;
  check(R"(x = zeros(7, 1);
k = 0;
while sum(x) < 20
  x = x + rand(7, 1);
  k++;
end
y = rand(3, 1);
output x k y
)");
}

TEST_CASE("conjugate gradients on the Poisson matrix: few looks, the bits of the host's loop") {
  if (!has_device()) return;
  const std::string text = poisson(64);
  const Run run = check_run(text);
  const Result& result = run.result;
  CHECK(result.output("k")->at(0, 0) == 300);
  const TransferStatistics& transfers = result.statistics().transfers;
  CHECK(transfers.scalar_readbacks <= 300 / 8 + 4);
  CHECK(transfers.polls <= 10 + run.looks_by_time());
  CHECK(launches(result) == launches(run_with(text, false, Precision::real).result));
}

TEST_CASE("a trip of conjugate gradients is two kernels, and the end of the trip where the device decides") {
  if (!has_device()) return;
  const auto run = [](int trips, const std::string& end) {
    return run_with(
        "m = 96;\nT = spdiags([-ones(m, 1) 2*ones(m, 1) -ones(m, 1)], -1:1, m, m);\n"
        "A = kron(speye(m), T) + kron(T, speye(m));\nb = ones(m*m, 1);\n"
        "x = zeros(m*m, 1);\nr = b;\np = r;\nrr = r'*r;\nfor k = 1:" +
            std::to_string(trips) +
            "\n  q = A*p;\n  alpha = rr/(p'*q);\n  x += alpha*p;\n  r -= alpha*q;\n  s = r'*r;\n"
            "  p = r + (s/rr)*p;\n  rr = s;\n" +
            end + "end\noutput x\n",
        true, Precision::single);
  };
  for (const char* end : {"", "  if sqrt(rr) < 1e-30, break; end\n"}) {
    const Run few = run(8, end), many = run(72, end);
    CHECK(trips(many.result) == 72);
    const TransferStatistics &before = few.result.statistics().transfers, &after = many.result.statistics().transfers;
    const std::int64_t more = after.dispatches - before.dispatches;
    if (*end == 0) CHECK(more == 64 * 2);
    else CHECK((more >= 64 * 3 && more <= 64 * 3 + 6 + many.looks_by_time()));  // and one at the head of each chunk
    CHECK(after.scalar_readbacks == before.scalar_readbacks);
  }
}

TEST_CASE("what norms compute in vain is no Inf, and fits the render targets of a fragment") {
  if (!has_device()) return;
  const auto norms = [](Target target, bool check_nan) {
    Options options;
    options.target = target;
    options.precision = Precision::single;
    Program program = Program::from_text(
        "x = sin((1:500)');\ny = x + 1;\nz = 2*x;\na = norm(x);\nb = norm(y);\nc = norm(z);\noutput a b c\n",
        "norms.la", options);
    REQUIRE(program.ok());
    RunOptions run;
    run.check_nan = check_nan;
    Result result = program.run({}, run);
    for (const Diagnostic& diagnostic : result.diagnostics()) INFO(diagnostic.rendered);
    REQUIRE(result.ok());
    CHECK(result.output("c")->at(0, 0) == Approx(2 * result.output("a")->at(0, 0)));
  };
  norms(Target::vulkan, true);
  norms(Target::vulkan_fragment, false);
}

TEST_CASE("a trip of a solver takes few dispatches, and none waits for the host") {
  if (!has_device()) return;
  struct Case {
    std::string_view call;
    std::int64_t dispatches;  ///< the end of the trip among them
  };
  // What is kept when the next iterate is worse is one more: a copy, or a kernel, that looks at the condition itself.
  const Case cases[] = {{"[x, flag] = pcg(A, b, 0, trips, @(r) r ./ d);", 4},
                        {"[x, flag] = bicgstab(A, b, 0, trips);", 6},
                        {"[x, flag] = cgs(A, b, 0, trips);", 6},
                        {"[x, flag] = qmr(A, b, 0, trips);", 7},
                        {"[x, flag] = bicg(A, b, 0, trips);", 19},
                        {"[x, flag] = lsqr(A, b, 0, trips);", 7},
                        {"x = b;\nl = 0;\nk = 0;\nwhile k < trips && l < 1e9\n  y = A*x;\n  l = x'*y;\n"
                         "  x = y / norm(y);\n  k++;\nend\n",
                         3}};
  for (const Case& c : cases) {
    const auto run = [&](int trips) {
      return run_with(
                 "m = 40;\nT = spdiags([-ones(m, 1) 2*ones(m, 1) -ones(m, 1)], -1:1, m, m);\n"
                 "A = kron(speye(m), T) + kron(T, speye(m));\nb = sin((1:m*m)');\nd = 4 + cos(b);\ntrips = " +
                     std::to_string(trips) + ";\n" + std::string(c.call) + "\noutput x\n",
                 true, Precision::real)
          .result;
    };
    INFO(c.call);
    const Result few = run(8), many = run(24);
    CHECK(trips(many) == trips(few) + 16);
    const TransferStatistics &before = few.statistics().transfers, &after = many.statistics().transfers;
    const std::int64_t more = after.dispatches - before.dispatches;
    // Chunks of 8 and 8 trips, and of 8, 8, 8 and at most 16, which begin with one more. The last is recorded before a
    // look at the one before, and is shorter where trips take long: fewer dispatches, never more.
    CHECK(more > 8 * c.dispatches);
    CHECK(more <= 24 * c.dispatches + 2);
    CHECK(after.scalar_readbacks == before.scalar_readbacks);
    CHECK(after.waits - before.waits <= 3);  // for chunks
  }
}

TEST_CASE("2000 steps of projected Jacobi wait for the device a few times") {
  if (!has_device()) return;
  const Run device = run_with(R"(n = 400;
e = ones(n, 1);
A = spdiags([-e 2*e -e], -1:1, n, n);
b = sin((1:n)') - 0.2;
[x, k, residual] = projected_jacobi(A, b, zeros(n, 1), 0.5, -1, 2000);
output x k residual
)",
                              true, Precision::real);
  INFO(device.text);
  REQUIRE(device.result.ok());
  CHECK(device.result.output("k")->at(0, 0) == 2000);
  CHECK(device.result.statistics().transfers.waits <= 14 + device.looks_by_time());  // chunks grow by what ran
}

TEST_CASE("a loop that one workgroup takes is one dispatch") {
  if (!has_device()) return;
  const std::string text = poisson(12);
  const Result result = check(text);
  CHECK(result.statistics().transfers.polls == 1);
  CHECK(launches(result) == launches(run_with(text, false, Precision::real).result));
  const Result long_loop = check("x = (1:50)';\nfor i = 1:9000\n  x = 0.5 * x(50:-1:1) + i;\nend\noutput x i\n");
  CHECK(long_loop.statistics().transfers.polls == 3);
  check(
      "x = (1:50)';\ny = 2 * x;\ns = 0;\nfor i = 1:7\n  t = x;\n  x = y;\n  y = t + i;\n  s = s + sum(y) * i;\nend\n"
      "output x y s i\n");
}

TEST_CASE("a loop whose buffers do not fit the budget is the host's") {
  if (!has_device()) return;
  const std::string text =
      "a = (1:1000)';\nb = (1:900)';\nk = 0;\nwhile sum(a) > 1\n  a = 0.5 * a(1000:-1:1);\n"
      "  b = b(900:-1:1) - 1;\n  k++;\nend\noutput a b k\n";
  const Run tight = run_with(text, true, Precision::real, 24000), roomy = run_with(text, true, Precision::real);
  compare(tight, roomy);
  CHECK(tight.result.statistics().transfers.polls == 0);
  CHECK(roomy.result.statistics().transfers.polls > 0);
}

TEST_CASE("chunks grow, and are bounded by the time that their trips take") {
  using lac::runtime::vulkan::ChunkLengths;
  ChunkLengths quick(1000, {});
  std::vector<std::int64_t> lengths;
  for (int n = 0; n < 5; ++n) {
    lengths.push_back(quick.next());
    quick.ran(lengths.back(), 1e-6 * static_cast<double>(lengths.back()));
  }
  CHECK(lengths == std::vector<std::int64_t>{8, 8, 16, 32, 64});
  ChunkLengths slow(1000, {.certain = true});
  CHECK(slow.next() == 8);
  CHECK(slow.next() == 64);
  slow.ran(8, 4);  // kernels were prepared
  CHECK(slow.next() == 64);
  slow.ran(64, 3.2);
  CHECK(slow.next() == 20);
  slow.ran(64, 6400);
  CHECK(slow.next() == 1);
  ChunkLengths known(1000, {.trips = 800, .seconds_per_trip = 0.05});
  CHECK(known.next() == 20);
  known.ran(20, 4);
  CHECK(known.next() == 5);
  CHECK(known.seconds_per_trip() == 0.2);
  ChunkLengths preparing(1000, {});
  preparing.ran(preparing.next(), 4);
  CHECK(preparing.seconds_per_trip() == 0);
}

TEST_CASE("little is recorded beyond the trips that are known to run") {
  using lac::runtime::vulkan::ChunkLengths;
  ChunkLengths first(1000, {});
  CHECK(first.next() == 8);
  CHECK(first.next() == 8);  // ahead of the first look
  first.ran(8, 1e-5);
  CHECK(first.next() == 8);
  first.ran(8, 1e-5);
  CHECK(first.next() == 16);
  ChunkLengths again(1000, {.trips = 10});
  CHECK(again.next() == 12);
  CHECK_FALSE(again.goes_ahead());
  again.ran(12, 1e-5);
  CHECK(again.goes_ahead());  // it makes more trips than before
  CHECK(again.next() == 12);
  ChunkLengths longer(1000, {.trips = 4000});
  CHECK(longer.next() == 1000);
  CHECK(longer.goes_ahead());
}

TEST_CASE("an inner loop on the device that is entered again costs one look and no buffers") {
  if (!has_device()) return;
  const auto text = [](int steps) {
    return "n = 3000;\nu = sin((1:n)');\nfor step = 1:" + std::to_string(steps) +
           "\n  x = u; k = 0;\n  while sum(x .* x) > 1e-3 * n && k < 40\n    x = 0.7 * x(n:-1:1); k = k + 1;\n  end\n"
           "  u = u + 0.01 * x;\nend\noutput u k\n";
  };
  const Run few = run_with(text(2), true, Precision::single), many = run_with(text(12), true, Precision::single);
  compare(many, run_with(text(12), false, Precision::single));
  const auto &a = few.result.statistics(), &b = many.result.statistics();
  CHECK(b.transfers.polls - a.transfers.polls >= 10);
  CHECK(b.transfers.polls - a.transfers.polls <= 10 + many.looks_by_time());
  CHECK(b.resources_created == a.resources_created);
}

namespace {

std::int64_t kernel_bytes(const Result& result) {
  std::int64_t bytes = 0;
  for (const KernelStatistics& kernel : result.statistics().kernels) bytes += kernel.vector_bytes + kernel.matrix_bytes;
  return bytes;
}

}  // namespace

TEST_CASE("what grows in a loop is extended in its buffer") {
  if (!has_device()) return;
  const std::string begin = "n = 500;\nx = (1:40)' / 40;\ny = [];\n", end = "end\ny(end + 3) = 7;\noutput y k\n";
  const std::string bodies[] = {
      "for k = 1:n\n  y(k) = k^2;\n",                                                       // nothing to decide
      "k = 0;\nwhile sum(x) > 1e-9 && k < n\n  k++;\n  y(end + 1) = k;\n  x = 0.9 * x;\n",  // the device ends it
      "k = 0;\nwhile sum(x) > 1e-9 && k < n\n  k++;\n  if x(1) > 1e-3\n    y(k) = -k;\n  else\n    y(k) = k;\n  end\n"
      "  x = 0.9 * x;\n",  // in both arms, so the host drives it
      "for k = 1:n\n  y(2 * k) = k;\n  x = y(k) * x;\n  if sum(x) < -1\n    break\n  end\n",  // gaps
      "for k = 1:n\n  y(k, 1) = k;\n",                                                        // a column
  };
  for (const std::string& body : bodies) {
    const Run run = run_with(begin + body + end, true, Precision::real);
    compare(run, run_with(begin + body + end, false, Precision::real));
    const Matrix& y = *run.result.output("y");
    const auto length = static_cast<std::int64_t>(y.rows() * y.cols());
    CHECK(y.at((length - 1) % y.rows(), (length - 1) / y.rows()) == 7);
    CHECK(y.at((length - 2) % y.rows(), (length - 2) / y.rows()) == 0);
    CHECK(kernel_bytes(run.result) <= 8 * (12 * length + 500 * 200));
    CHECK(run.result.statistics().resources_created < 100);
  }
}

TEST_CASE("columns of a matrix that grows are put behind it, rows move what is there") {
  if (!has_device()) return;
  const Run columns = check_run("A = zeros(3, 0);\nfor k = 1:300\n  A(:, k) = [k; 2 * k; -k];\nend\noutput A\n");
  CHECK(columns.result.output("A")->at(1, 299) == 600);
  CHECK(kernel_bytes(columns.result) <= 8 * 20 * 900);
  const Run rows = check_run("A = zeros(0, 3);\nfor k = 1:60\n  A(k, :) = [k, 2 * k, -k];\nend\noutput A\n");
  CHECK(rows.result.output("A")->at(59, 1) == 120);
  CHECK(rows.result.output("A")->at(20, 2) == -21);
}

TEST_CASE("a matrix that grows takes no room where the memory is short") {
  if (!has_device()) return;
  const std::string text =
      "y = (1:1000000)';\nk = 0;\nwhile sum(y(1:3)) < 10 && k < 3\n  k++;\n  y(end + 1) = k;\nend\noutput y\n";
  const std::int64_t budget = std::int64_t{17} << 20;  // two of its buffers of 8 MB, and nothing like a quarter more
  for (bool device_loops : {true, false}) {
    const Run run = run_with(text, device_loops, Precision::real, budget);
    INFO(run.text);
    REQUIRE(run.result.ok());
    CHECK(run.result.output("y")->rows() == 1000003);
    CHECK(run.result.output("y")->at(1000002, 0) == 3);
  }
}

TEST_CASE("what is extended to the same size every trip leaves no room") {
  if (!has_device()) return;
  const Run run = check_run(
      "x = (1:2000)' / 2000;\nfor k = 1:20\n  z = 0.5 * x;\n  z(2003) = 0.25;\n  x = z(3:end-1) + z(2003);\nend\n"
      "output x\n");
  CHECK(run.result.statistics().peak_bytes < 8 * 2003 * 12);
}

TEST_CASE("a loop that sorts and counts by positions runs on the device") {
  if (!has_device()) return;
  const auto run = [](int n) {
    return run_with("n = " + std::to_string(n) + ";\nx = sin((1:n)'.^2); h = zeros(5, 1);\nfor k = 1:40\n" +
                        "  [x, i] = sort(x(n:-1:1) + 0.01 * cos(k * (1:n)'));\n" +
                        "  h = h + accumarray(min(max(ceil(2 * x + 3), 1), 5), abs(x), [5 1]);\nend\noutput x i h\n",
                    true, Precision::real);
  };
  CHECK(run(500).result.statistics().transfers.downloads == 3);
  CHECK(run(5000).result.statistics().transfers.downloads > 40);  // sooner done by the host
  compare(run(500),
          run_with("n = 500;\nx = sin((1:n)'.^2); h = zeros(5, 1);\nfor k = 1:40\n"
                   "  [x, i] = sort(x(n:-1:1) + 0.01 * cos(k * (1:n)'));\n"
                   "  h = h + accumarray(min(max(ceil(2 * x + 3), 1), 5), abs(x), [5 1]);\nend\noutput x i h\n",
                   false, Precision::real));
}
