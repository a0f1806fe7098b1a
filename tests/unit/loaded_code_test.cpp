// Objects of compiled kernels, mapped and linked by ourselves: whole ones run, broken ones are refused.
#include "runtime/cpu/loaded_code.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>

#include "codegen/llvm/machine/unit.h"
#include "ir/graph/parse_text.h"
#include "ir/plan/abi.h"
#include "runtime/cpu/symbols.h"

using namespace lac;
using runtime::LoadedCode;

namespace {

// y = exp(x) and its sum: calls a vector function, has constants and partial results.
std::string object() {
  const Result<Graph> graph = parse_graph(R"(graph "loaded" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]

%0 x: f64[n x 1] = parameter x
%1 y: f64[n x 1], %2 s: f64 = launch k0 %0
output "s" %2

kernel k0 "y, s" domain [n x 1] columns block 32 lanes 16 {
  in x: f64[n x 1]
  out y: f64[n x 1], s: f64
  $0 = load x[i]
  $1 = exp $0
  store y[i] = $1
  reduce s = sum all $1
}
)");
  INFO((graph ? std::string() : graph.failure().message));
  REQUIRE(graph.ok());
  const Result<std::string> made = codegen::compile_kernel(graph.value(), KernelId{0}, {"native", true});
  REQUIRE(made.ok());
  return made.value();
}

Result<LoadedCode> load(const std::string& bytes) {
  const std::string_view view = bytes;
  return LoadedCode::load({&view, 1}, runtime::find_symbol);
}

}  // namespace

TEST_CASE("an object runs where it was loaded, twice and after a move") {
  const std::string bytes = object();
  const std::string_view views[] = {bytes, bytes};
  Result<LoadedCode> loaded = LoadedCode::load(views, runtime::find_symbol);
  REQUIRE(loaded.ok());
  const LoadedCode code = loaded.take();
  for (const std::size_t which : {0, 1}) {
    const auto blocks = reinterpret_cast<abi::BlocksFunction>(code.find(which, "kernel_blocks"));
    const auto main = reinterpret_cast<abi::KernelFunction>(code.find(which, "kernel"));
    const auto finish = reinterpret_cast<abi::FinishFunction>(code.find(which, "kernel_finish"));
    REQUIRE((blocks && main && finish));
    std::vector<double> x(70, 0.5), y(70), partials(3);
    double sum = 0;
    const auto address = [](void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
    const std::uint64_t slots[] = {address(x.data()), address(y.data()), address(&sum), 70, address(partials.data())};
    REQUIRE(blocks(slots) == 3);
    main(slots, 0, 3);
    finish(slots, 3);
    CHECK(y[69] == Approx(std::exp(0.5)));
    CHECK(sum == Approx(70 * std::exp(0.5)));
  }
  CHECK(code.find(0, "nothing") == nullptr);
}

TEST_CASE("a function that nobody has is named") {
  const std::string bytes = object();
  const std::string_view view = bytes;
  const auto nobody = [](const char*) -> void* { return nullptr; };
  const Result<LoadedCode> loaded = LoadedCode::load({&view, 1}, nobody);
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.failure().message.find("Sleef_exp") != std::string::npos);
}

TEST_CASE("what is no object, or a part of one, is refused") {
  const std::string bytes = object();
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    INFO("length " << length);
    CHECK_FALSE(load(bytes.substr(0, length)).ok());
  }
  CHECK_FALSE(load("text").ok());
}

TEST_CASE("an object with wrong bytes is loaded or refused, and touches nothing else") {
  const std::string bytes = object();
  std::mt19937 random(1);
  for (int n = 0; n < 3000; ++n) {
    std::string broken = bytes;
    for (int times = 1 + n % 3; times-- > 0;) broken[random() % broken.size()] = static_cast<char>(random());
    static_cast<void>(load(broken).ok());
  }
}
