// Branches in loops on a Vulkan device: what their arms keep and make, against the same loops driven by the host.
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/device_runs.h"

using namespace lac::api;
using namespace lac::test;

TEST_CASE("what an arm keeps is copied where the other leaves it") {
  if (!has_device()) return;
  // The kept value is read before, behind and in the arms; kept by a copy and by a kernel; in either arm; two at once.
  check(R"(x = (1:9)';
best = zeros(9, 1);
worst = best;
mixed = best;
least = 1e9;
k = 0;
s = 0;
while k < 40 && s < 1e9
  old = x;
  x = 0.5 * x(9:-1:1) + sin((1:9)' * k);
  s = sum(x .* x);
  if s < least
    least = s;
    best = old;
  else
    worst = mixed;
    mixed = old + 2 * worst;
  end
  if s > 2 * least
    if sum(best) < 0
    elseif sum(old) > 1
      worst = old;
    end
  end
  if s > 20
    mixed = best - mixed;
  else
    mixed = worst;
  end
  x = x + 0.01 * best - 0.02 * worst;
  k++;
end
output x best worst mixed least k
)");
}

TEST_CASE("what an arm keeps is whole where only the host had what is there") {
  if (!has_device()) return;
  const auto loop = [](const std::string& head, const std::string& branch) {
    return "n = 60;\nx = (1:n)'/n;\nz = cos(1:4);\nk = 0;\ns = 0;\nacc = 0;\nwhile k < 30 && s < 1e9\n"
           "  x = 0.9*x(n:-1:1) + 0.1*sin(k*x);\n  s = sum(x.*x);\n" +
           head + "\n" + branch +
           "\n  z = 0.5*z + 0.1*y + s*1e-5;\n  acc = acc + sum(y);\n  k++;\nend\noutput x y z acc k\n";
  };
  const std::string literal = "  y = [k+.5 2.5 3.5 4.5];", decides = "s > 5 + 4*sin(k)";
  check(loop(literal, "  if " + decides + "\n    y = 2*z;\n  end"));
  check(loop(literal, "  if " + decides + "\n    y = z;\n  end"));
  check(loop(literal, "  if " + decides + "\n  else\n    y = z;\n  end"));
  check(loop("", "  if " + decides + "\n    y = [k*0.5, 2.5*k, 7.5 1];\n  else\n    y = z;\n  end"));
  check(loop("", "  if " + decides + "\n    y = z;\n  else\n    y = [k*0.5, 2.5*k, 7.5 1];\n  end"));
}

TEST_CASE("a branch that the device decides in some trips and the host in others") {
  if (!has_device()) return;
  check(R"(n = 30;
x = (1:n)'/n;
w = cos((1:n)');
best = zeros(n, 1);
worst = best;
k = 0;
s = 0;
while k < 20 && s < 1e9
  x = 0.9*x(n:-1:1) + 0.1*sin(k*w);
  s = sum(x.*x);
  if k < 5, flag = max(abs(sin(x*k + w))) > 0.5; else, flag = true; end
  if flag
    best = x;
  end
  z = best(n:-1:1) + 0.5*worst;
  worst = best;
  best = z + x;
  k++;
end
output x best worst z k
)");
}

TEST_CASE("the one kernel of an arm looks at the condition itself") {
  if (!has_device()) return;
  const auto program = [](int trips) {
    return "n = 700;\nx = sin((1:n)');\nbest = x;\nworst = x;\nsum_of = x;\nleast = 1e9;\nk = 0;\ns = 0;\nwhile k < " +
           std::to_string(trips) + R"( && s < 1e9
  old = x;
  x = 0.5 * x(n:-1:1) + sin((1:n)' * k);
  s = sum(x .* x);
  if s < least
    least = s;
    best = old + x;
  else
    worst = 2 * old;
  end
  if s > 340
  else
    sum_of = sum_of - 0.1 * x;
  end
  k++;
end
output best worst sum_of k least
)";
  };
  const TransferStatistics few = check(program(8)).statistics().transfers,
                           many = check(program(24)).statistics().transfers;
  // The sines, x and its sum, best, worst, sum_of, the end of the trip; of 24 trips more that are recorded, and chunks
  // begin with one.
  CHECK(many.dispatches - few.dispatches <= 24 * 6 + 2);
}

TEST_CASE("arms that read what they replace, replace what others read, or make two things at once") {
  if (!has_device()) return;
  check(R"(n = 90;
x = sin((1:n)');
y = x;
z = x;
u = x;
w = x;
k = 0;
s = 0;
while k < 30 && s < 1e9
  x = 0.5 * x(n:-1:1) + sin((1:n)' * k);
  s = sum(x .* x);
  if s > 44
    y = y(n:-1:1) + x;
  end
  if s > 45
    z = x - z;
    u = z + 1;
  else
    u = z - 1;
  end
  before = w;
  if s > 46
    w = 2 * x;
  end
  if s < 45
    w = w + before;
  else
    y = y - w;
  end
  x = x + 1e-3 * (before + w - u);
  k++;
end
output x y z u w k
)");
}
