// Runs one program three times on a Vulkan device. LAC_VULKAN_FAULTS puts a fault into one of the runs, which may fail
// (that is printed); the others must give what the cpu gives.
//
// usage: vulkan_retry        exits 0 when retries work and the borrowed data is as it was, 77 without a device
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "lac/lac.hpp"

namespace {

using namespace lac::api;

constexpr int size = 37;
constexpr const char* text = R"(
param A(n, n)
param b(n, 1)
x = zeros(size(b));
r = b; p = r; rho = r' * r;
for k = 1:25
  q = A * p;
  alpha = rho / (p' * q);
  x = x + alpha * p;
  r = r - alpha * q;
  next = r' * r;
  if next < 1e-9, break; end
  p = r + (next / rho) * p;
  rho = next;
end
B = inv(A) * [b x];
output x
output B
)";

struct Data {
  std::vector<float> matrix = std::vector<float>(size * size);
  std::vector<float> right = std::vector<float>(size);

  Data() {
    for (int j = 0; j < size; ++j) {
      right[j] = 1 + static_cast<float>(j % 5);
      for (int i = 0; i < size; ++i) matrix[j * size + i] = i == j ? 4 : std::abs(i - j) == 1 ? -1 : 0;
    }
  }
  friend bool operator==(const Data&, const Data&) = default;
};

Program program_for(Target target) {
  Options options;
  options.target = target;
  options.precision = Precision::single;
  return Program::from_text(text, "retry", options);
}

bool equal(const Result& a, const Result& b) {
  for (const char* name : {"x", "B"}) {
    const std::vector<double> left = a.output(name)->to_vector(), right = b.output(name)->to_vector();
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (!(std::abs(left[i] - right[i]) < 1e-4 * (1 + std::abs(left[i])))) return false;
  }
  return true;
}

int fail(const char* what, const Result& result) {
  std::printf("%s: %s\n", what, result.message().c_str());
  return 1;
}

}  // namespace

int main() {
  if (!devices().problem.empty()) {
    std::printf("skipped: no Vulkan device\n");
    return 77;
  }
  const Data data;
  const Data copy = data;
  Arguments arguments;
  arguments.matrix("A", data.matrix.data(), size, size).matrix("b", data.right.data(), size, 1);
  const Result expected = program_for(Target::cpu).run(arguments);
  if (!expected.ok()) return fail("cpu", expected);

  Program program = program_for(Target::vulkan);
  int failures = 0;
  for (int run = 1; run <= 3; ++run) {
    const Result result = program.run(arguments);
    if (result.ok() && !equal(result, expected)) return fail("a run is wrong", result);
    if (result.ok()) continue;
    if (result.outcome() != Outcome::failed) return fail("a run ended with another outcome", result);
    if (++failures > 1) return fail("the retry failed", result);
    std::printf("run %d: %s\n", run, result.message().c_str());
  }
  if (data != copy) return fail("borrowed data was changed", expected);
  return 0;
}
