// Every kernel here is compiled and run on its own, and compared with the kernel interpreter; runs that cut the blocks
// differently must agree bit for bit.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "codegen/llvm/kernel/emitter.h"
#include "ir/kernel/body.h"
#include "ir/plan/walk.h"
#include "tests/unit/kernel_cases.h"
#include "tests/unit/native_kernels.h"

using namespace lac;
using namespace lac::test;

namespace {

/// As it is emitted, before LLVM's passes.
std::string emitted(const std::string& text, VectorIsa isa) {
  const Graph graph = parse_kernel(text);
  Kernel kernel = graph.kernels[KernelId{0}];
  kernel.name = "k0";
  llvm::LLVMContext context;
  llvm::Module module("k0", context);
  codegen::emit_kernel(module, graph, kernel, {isa});
  std::string shown;
  llvm::raw_string_ostream stream(shown);
  module.print(stream, nullptr);
  return shown;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

const std::string axpy = R"(kernel k0 "axpy" domain [n x 1] flat block 8192 lanes 16 {
  in x: f64[n x 1], a: f64
  out y: f64[n x 1]
  $0 = load x[i]
  $1 = load a
  $2 = mul $0, $1
  store y[i] = $2
}
)";

}  // namespace

TEST_CASE("maps, accesses and reductions") {
  for (const KernelCase& kernel : kernel_cases()) DYNAMIC_SECTION(kernel.name) {
      check_native(kernel.text, kernel.sizes, kernel.tolerance);
    }
}

TEST_CASE("older instruction sets run the same kernels") {
  const std::string text = R"(kernel k0 "mix" domain [n x m] columns block 64 lanes 16 {
  in x: f64[n x m], y: f32[m x n], l: logical[n x m]
  out z: f64[n x m], w: logical[n x m], s: f64[1 x m]
  $0 = load x[i, j]
  $1 = load y[j, i]
  $2 = load l[i, j]
  $3: f64 = convert $1
  $4 = mod $0, $3
  $5 = exp $0
  $6 = select $2, $4, $5
  $7 = lt $6, $0
  store z[i, j] = $6
  store w[i, j] = $7
  reduce s = sum rows $6
}
)";
  for (const std::string cpu : {"x86-64", "x86-64-v2", "x86-64-v3"}) check_native(text, shapes(), 1e-11, cpu);
}

TEST_CASE("every scalar function agrees with its definition") {
  for (int n = 0; n < scalar_op_count; ++n) {
    const auto op = static_cast<ScalarOp>(n);
    for (const std::string element : {"f64", "f32"}) {
      const int arity = info(op).arity;
      const bool chooses = op == ScalarOp::select;
      std::string apply = std::string(name(op)) + (chooses ? " $2, $0, $1" : arity == 2 ? " $0, $1" : " $0");
      const bool truth = info(op).result == ScalarResult::truth;
      check_native("kernel k0 \"op\" domain [n x 1] flat block 512 lanes 16 {\n  in x: " + element +
                       "[n x 1], nan: " + element + "[n x 1]\n  out y: " + (truth ? "logical" : element) +
                       "[n x 1]\n  $0 = load x[i]\n  $1 = load nan[i]\n  $2 = lt $0, $1\n  $3 = " + apply +
                       "\n  store y[i] = $3\n}\n",
                   {{{"n", 333}}}, element == "f64" ? 1e-14 : 2e-6);
    }
  }
}

TEST_CASE("every scalar function agrees with its definition at a point") {
  for (int n = 0; n < scalar_op_count; ++n) {
    const auto op = static_cast<ScalarOp>(n);
    for (const std::string element : {"f64", "f32"}) {
      const bool truth = info(op).result == ScalarResult::truth;
      const std::string others = op == ScalarOp::select ? " $2, $0, $1" : info(op).arity == 2 ? " $0, $1" : " $0";
      const std::string apply = "  $3 = " + std::string(name(op)) + others;
      check_native("kernel k0 \"op\" domain [1 x 1] point block 1 lanes 1 {\n  in x: " + element + "[n x 1], nan: " +
                       element + "[n x 1]\n  out y: " + (truth ? "logical" : element) + ", x2: " + element +
                       "[n x 1] from x\n  $0 = load x[2, 0]\n  $1 = load nan[1, 0]\n  $2 = lt $0, $1\n" + apply +
                       "\n  store y[0] = $3\n  store x2[n - 1, 0] = $0\n}\n",
                   {{{"n", 4}}, {{"n", 33}}}, element == "f64" ? 1e-14 : 2e-6);
    }
  }
}

TEST_CASE("the same bits for every vector width with fma") {
  const std::string text = R"(kernel k0 "mix" domain [n x 1] flat block 64 lanes 16 {
  in x: f64[n x 1]
  out y: f64[n x 1], s: f64
  $0 = load x[i]
  $1 = exp $0
  $2 = sin $1
  store y[i] = $2
  reduce s = sum all $2
}
)";
  std::vector<std::vector<runtime::Tensor>> results;
  for (const std::string cpu : {"x86-64-v3", "x86-64-v4"}) results.push_back(native_outputs(text, cpu));
  for (const std::vector<runtime::Tensor>& result : results)
    for (std::size_t n = 0; n < result.size(); ++n)
      CHECK(std::memcmp(result[n].data(), results[0][n].data(), result[n].value_bytes()) == 0);
}

TEST_CASE("what no cache holds is stored past the caches, with the same results") {
  check_native(axpy, {{{"n", streamed_bytes / 8 + 21}}});
  const std::string code = emitted(axpy, VectorIsa::avx2);
  CHECK(count(code, "!nontemporal") == 1);
  CHECK(count(code, "call void @llvm.x86.sse.sfence()") == 1);
  CHECK(count(emitted(wide_stencil("f64"), VectorIsa::avx2), "!nontemporal") == 0);
}

TEST_CASE("one output that is stored where few matrices are read goes past the caches") {
  const auto streams = [](const std::string& inputs, const std::string& body, const std::string& domain = "n x 1") {
    return streamed_output(parse_kernel("kernel k0 \"s\" domain [" + domain + "] columns block 64 lanes 16 {\n  in " +
                                        inputs + "\n" + body + "}\n")
                               .kernels[KernelId{0}])
        .has_value();
  };
  CHECK(streams("x: f64[n x 1]", "  out y: f64[n x 1]\n  $0 = load x[i]\n  store y[i] = $0\n"));
  CHECK_FALSE(streams("x: f64[n x 1]", "  out y: f64[n x 1]\n  $0 = load x[i + 1] fill 0\n  store y[i] = $0\n"));
  CHECK_FALSE(streams("x: f64[n x 1]",
                      "  out y: f64[n x 1], z: f64[n x 1]\n  $0 = load x[i]\n  store y[i] = $0\n"
                      "  store z[i] = $0\n"));
  CHECK_FALSE(streams("x: f64[100 x 1]", "  out y: f64[100 x 1]\n  $0 = load x[i]\n  store y[i] = $0\n", "100 x 1"));
  CHECK_FALSE(streams("x: logical[n x 1]", "  out y: logical[n x 1]\n  $0 = load x[i]\n  store y[i] = $0\n"));
}

TEST_CASE("a vector is computed in parts of a register where it holds more than there are") {
  CHECK(count(emitted(axpy, VectorIsa::avx2), "load <16 x double>") > 0);
  CHECK(count(emitted(axpy, VectorIsa::avx2), "load <4 x double>") == 0);
  CHECK(count(emitted(wide_stencil("f64"), VectorIsa::avx2), "load <4 x double>") > 0);
  CHECK(count(emitted(wide_stencil("f32"), VectorIsa::avx2), "load <8 x float>") > 0);
  CHECK(count(emitted(wide_stencil("f32"), VectorIsa::avx512f), "load <8 x float>") == 0);
}

TEST_CASE("a condition that is the same at all points is asked once, with a walk for either answer") {
  const std::string text = wide_stencil("f64");
  const Graph graph = parse_kernel(text);
  const Kernel& kernel = graph.kernels[KernelId{0}];
  const std::optional<std::uint32_t> condition = common_condition(kernel);
  REQUIRE(condition);
  CHECK(kernel.inputs[*condition].name == "l");
  std::string number = text;  // of another element: no condition
  number.replace(number.find("l: logical"), 10, "l: f64");
  CHECK_FALSE(common_condition(parse_kernel(number).kernels[KernelId{0}]));
  const auto walks = [](const std::string& kernel_text) {
    return count(emitted(kernel_text, VectorIsa::avx2), "= alloca <16 x double>");
  };
  CHECK(walks(text) == 2 * walks(number));
}
