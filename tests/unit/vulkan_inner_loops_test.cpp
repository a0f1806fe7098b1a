// Loops inside loops that a Vulkan device ends: their trips are recorded with the trip around them.
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/device_runs.h"

using namespace lac::api;
using namespace lac::test;

TEST_CASE("a loop inside one that the device ends is a part of its trips") {
  if (!has_device()) return;
  // As many trips as the number of the trip, as a counter beside it, and as the host computes from trip to trip.
  for (const char* limit : {"k", "2*c - 1", "m"}) {
    const Run run = check_run(std::string(R"(n = 200;
x = sin((1:n)');
t = zeros(40, 1);
s = 1;
c = 1;
m = 1;
for k = 1:20
  m = max(1, mod(2*m + k, 7));
  for i = 1:)") + limit + R"(
    x = 0.99 * x + 0.001 * i * x(n:-1:1);
    t(i) = x' * x;
  end
  c = c + 1;
  s = norm(x);
  if s < 1e-3
    break
  end
end
output x t s k c m
)");
    CHECK(run.result.statistics().transfers.scalar_readbacks <= 1);
    CHECK(run.result.statistics().transfers.polls <= 3 + run.looks_by_time());
  }
}

TEST_CASE("texts and checks of a loop inside name its trips") {
  if (!has_device()) return;
  const Run run = check_run(R"(n = 50;
x = (1:n)' / n;
s = 1;
for k = 1:100
  for i = 1:3
    x(k - i + 45) = x(i) + 0.1 * s;
    printf("%d %d %g\n", k, i, s);
  end
  y = x(10:40);
  for i = 1:2
    if y(k) < 0
      s = 0;
    end
  end
  s = sum(x .* x) / 100;
  if s > 1e5
    break
  end
end
output x
)");
  CHECK(run.text.find("y(32") != std::string::npos);
}

TEST_CASE("loops inside that make no trip, end early, or stand in one another") {
  if (!has_device()) return;
  check(R"(n = 60;
x = (1:n)' / n;
t = 0;
s = 1;
for k = 1:30
  for i = 1:0
    x = 2 * x;
  end
  for i = k:-1:1
    if i == 3
      break
    end
    x = 0.99 * x;
    if k > 17
      t = x(i + 40 - k);
    end
  end
  for i = 1:2
    for j = 1:2
      x(i + j) = x(i) + s;
    end
  end
  s = sum(x .* x) / 100;
  if s > 50
    break
  end
end
output x t s k i
)");
}

TEST_CASE("a loop inside whose next limit the host reads from a matrix") {
  if (!has_device()) return;
  const Run run = check_run(R"(n = 60;
q = [3 1 2 5 4 2 7 1 3 2 2 6];
x = (1:n)' / n;
s = 1;
m = 2;
w = 1;
for k = 1:12
  for i = 1:m
    x(i + k) = x(i) + 0.1 * s;
  end
  m = q(m) + w;
  w = mod(q(k), 3);
  s = sum(x .* x) / 100;
  if s > 1e5
    break
  end
end
output x m w
)");
  CHECK(run.result.statistics().transfers.polls == 12);  // a trip each
}

TEST_CASE("a loop inside an arm that the host decides") {
  if (!has_device()) return;
  const Run run = check_run(R"(n = 300;
x = (1:n)'/n;
s = 1;
for j = 1:7
  if mod(j, 3) == 0
    m = size(x, 1) - 33*j;
    for i = 1:m
      x = 0.9*x(n:-1:1) + 1e-3*i*s;
    end
  elseif j > 5
    for i = j:9
      x = x + i;
    end
  end
  for i = 2:j-1
    x(i) = x(i - 1) + s;
  end
  s = norm(x);
  if s > 1e5
    break
  end
end
output x s j
)");
  CHECK(run.result.statistics().transfers.scalar_readbacks <= 1);
}

TEST_CASE("trips that never run ask for no room") {
  if (!has_device()) return;
  for (const char* limit : {"1e9*(j > 6) + 1", "1e3^(j - 2)"})
    check("n = 300;\nx = (1:n)'/n;\ns = 1;\nfor j = 1:6\n  for i = 1:" + std::string(limit) +
          "\n    x = 0.9*x(n:-1:1) + 1e-3*s;\n  end\n  s = norm(x);\n  if s > 1e5 || j > 2\n    break\n  end\nend\n"
          "output x s j\n");
}

TEST_CASE("where loops inside grow beyond a chunk the host goes on") {
  if (!has_device()) return;
  const auto text = [](const std::string& until) {
    return "n = 300;\nx = (1:n)'/n;\ny = 2*x;\ns = 1;\nj = 0;\nwhile s < 1e5 && j < " + until +
           "\n  m = 2 + 19000*(j == 4);\n  for i = 1:m\n    x = 0.999*x(n:-1:1) + 1e-6*i*s;\n  end\n  z = x;\n  x = "
           "y;\n"
           "  y = z;\n  s = norm(x);\n  printf(\"%d %g\\n\", j, s);\n  j++;\nend\noutput x y s j\n";
  };
  const Run with = run_with(text("7"), true, Precision::real), host = run_with(text("7"), false, Precision::real);
  compare(with, host);
  CHECK(trips(with.result) == trips(host.result));
  // The first trips are the device's; behind them the host reads the condition of each, as it does of all by itself.
  const TransferStatistics &there = with.result.statistics().transfers, &here = host.result.statistics().transfers;
  CHECK(there.polls > 0);
  CHECK(there.scalar_readbacks > 1);
  CHECK(there.scalar_readbacks < here.scalar_readbacks);
}

TEST_CASE("a restart of gmres is read back once") {
  if (!has_device()) return;
  const auto run = [](int restarts) {
    return run_with(
               "m = 12;\nT = spdiags([-ones(m, 1) 2*ones(m, 1) -ones(m, 1)], -1:1, m, m);\n"
               "A = kron(speye(m), T) + kron(T, speye(m)) + spdiags(0.3*ones(m*m, 1), 1, m*m, m*m);\n"
               "b = sin((1:m*m)');\n[x, flag, relres, iter] = gmres(A, b, 30, 0, " +
                   std::to_string(restarts) + ");\noutput x flag relres iter\n",
               true, Precision::real)
        .result;
  };
  const Result few = run(1), many = run(3);
  CHECK(many.output("iter")->at(0, 0) == 3);
  CHECK(many.statistics().transfers.scalar_readbacks - few.statistics().transfers.scalar_readbacks <= 2);
}
