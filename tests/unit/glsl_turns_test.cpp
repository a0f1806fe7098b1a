// No invocation of a kernel's shaders runs longer than the bound on turns (ir/plan/turns.h), whatever the sizes; and
// the variants that keep to it compute what the interpreter does.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <optional>

#include "codegen/glsl/kernel/kernel.h"
#include "runtime/vulkan/stream/launch.h"
#include "tests/unit/device_kernels.h"
#include "tests/unit/plans.h"

using namespace lac;
using lac::test::check_on_device;
using lac::test::Sizes;
using runtime::vulkan::LaunchShape;

namespace {

/// y = A * x in every form: `load` is how A lies.
std::string matrix_vector(const std::string& load, const std::string& shape) {
  return "kernel k0 \"gemv\" domain [n x 1] {\n  in A: f32[" + shape +
         "], x: f32[m x 1]\n  out y: f32[n x 1], s: f32\n  contract k below m: f32 {\n    $0 = load A[" + load +
         R"(]
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store y[i] = $0
  reduce s = sum all $0
}
)";
}

std::string sparse_vector(const std::string& storage) {
  const std::string kind = storage == "csr" ? "csr" : "diagonal";
  return "kernel k0 \"spmv\" domain [n x 1] {\n  in A: f32[n x m] " + storage +
         ", x: f32[m x 1]\n  out y: f32[n x 1], s: f32\n  contract k over " + kind + R"( row of A: f32 {
    $0 = matrix_element
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store y[i] = $0
  reduce s = sum all $0
}
)";
}

/// C(n x 40) = A' * B over m, with a sum of all of it.
const std::string matrix_matrix = R"(kernel k0 "gemm" domain [n x 40] {
  in A: f32[m x n], B: f32[m x 40]
  out c: f32[n x 40], s: f32
  contract k below m: f32 {
    $0 = load A[k, i]
    $1 = load B[k, j]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store c[i, j] = $0
  reduce s = sum all $0
}
)";

/// The sums of the rows of a product, whose contraction every invocation sums for itself.
const std::string summed_product = R"(kernel k0 "sums" domain [n x 40] {
  in A: f32[m x n], B: f32[m x 40]
  out c: f32[1 x 40], at: int[1 x 40], v: f32[1 x 40]
  contract k below m: f32 {
    $0 = load A[k, i]
    $1 = load B[k, j]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  reduce c = sum rows $0
  reduce v, at = max rows $0
}
)";

std::string lines(const std::string& axis, const std::string& rows, const std::string& cols) {
  const std::string sums = axis == "rows" ? "1 x " + cols : rows + " x 1";
  return "kernel k0 \"lines\" domain [" + rows + " x " + cols + "] {\n  in x: f32[" + rows + " x " + cols +
         "]\n  out s: f32[" + sums + "], lo: f32[" + sums + "], at: int[" + sums +
         "], g: f32\n  $0 = load x[i, j]\n  $1 = sin $0\n  reduce s = sum " + axis + " $0\n  reduce lo, at = min " +
         axis + " $0\n  reduce g = sum all $1\n}\n";
}

const std::string transposed = R"(kernel k0 "transposed" domain [n x m] {
  in x: f32[m x n]
  out y: f32[n x m], s: f32
  $0 = load x[j, i]
  store y[i, j] = $0
  reduce s = sum all $0
}
)";

const std::string flat = R"(kernel k0 "flat" domain [n x m] {
  in x: f32[n x m]
  out s: f32
  $0 = load x[i, j]
  $1 = sin $0
  reduce s = sum all $1
}
)";

/// Nothing: there is no variant that splits.
std::optional<LaunchShape> shape_of(const std::string& kernel, const Sizes& sizes, std::int64_t longest_row,
                                    const codegen::glsl::GlslOptions& options) {
  const Plan graph = test::device_plan(lac::test::graph_of_kernel(kernel));
  const OpId launch = graph.blocks[graph.body].ops.front();
  const KernelShaders shaders = codegen::glsl::emit_kernel(graph, launch, options);
  for (const ShaderStage& stage : shaders.stages) CHECK_FALSE(stage.loops.empty());
  if (options.split && !shaders.splits) return std::nullopt;
  const runtime::vulkan::SizeOf size_of = [&](const Size& size) {
    return size.evaluate([&](SymbolId id) { return sizes.at(graph.symbols[id].name); });
  };
  runtime::vulkan::DeviceLimits limits;
  limits.group_count = {65535, 65535, 65535};
  return launch_shape(
      shaders, size_of, [&](std::uint32_t) { return longest_row; }, limits);
}

double turns(const std::string& kernel, const Sizes& sizes, std::int64_t longest_row, bool split) {
  const std::optional<LaunchShape> shape = shape_of(kernel, sizes, longest_row, {.split = split});
  return shape ? shape->turns : std::numeric_limits<double>::infinity();
}

/// The most workgroups that a stage has on a GPU, in the variant that it takes where workgroups would idle.
std::int64_t workgroups(const std::string& kernel, const Sizes& sizes, std::int64_t longest_row = 0) {
  std::int64_t most = 0;
  for (const bool split : {false, true})
    if (const auto shape =
            shape_of(kernel, sizes, longest_row, {.max_groups = codegen::glsl::groups_of_gpu, .split = split}))
      for (const runtime::vulkan::GroupCounts& groups : shape->groups)
        most = std::max(most, std::int64_t{groups.x} * groups.y * groups.z);
  return most;
}

/// The least of what the kernel has.
double turns(const std::string& kernel, const Sizes& sizes, std::int64_t longest_row = 0) {
  return std::min(turns(kernel, sizes, longest_row, false), turns(kernel, sizes, longest_row, true));
}

constexpr std::int64_t M = 1000000;

}  // namespace

TEST_CASE("no invocation makes more turns than the bound at 10^8 elements in any shape") {
  const std::string kernels[] = {
      matrix_vector("i, k", "n x m"), matrix_vector("k, i", "m x n"), flat,          transposed,
      lines("rows", "n", "m"),        lines("cols", "n", "m"),        matrix_matrix, summed_product};
  // Short lines are a workgroup each: more of them than that are refused by name.
  const auto short_lines = [](const std::string& kernel, const Sizes& sizes) {
    const bool sums_lines = kernel.find("reduce s = sum all") == std::string::npos || kernel == summed_product;
    return sums_lines && (sizes.at("n") == 3 || sizes.at("m") == 3);
  };
  for (const std::string& kernel : kernels)
    for (const Sizes& sizes : std::vector<Sizes>{{{"n", 3}, {"m", 60 * M}},
                                                 {{"n", 3}, {"m", 2 * M}},
                                                 {{"n", 2000}, {"m", 50000}},
                                                 {{"n", 10000}, {"m", 10000}},
                                                 {{"n", 50000}, {"m", 2000}},
                                                 {{"n", 2 * M}, {"m", 3}},
                                                 {{"n", 20 * M}, {"m", 3}}}) {
      if (short_lines(kernel, sizes) && sizes.at("n") * sizes.at("m") > 10 * M) continue;
      INFO(kernel << sizes.at("n") << " x " << sizes.at("m"));
      CHECK(turns(kernel, sizes) <= static_cast<double>(most_turns));
    }
  for (const std::string side : {"5", "40", "200"})
    for (const std::string axis : {"rows", "cols"}) {
      CHECK(turns(lines(axis, side, "m"), {{"n", 2}, {"m", 2 * M}}) <= static_cast<double>(most_turns));
      CHECK(turns(lines(axis, "n", side), {{"n", 2 * M}, {"m", 2}}) <= static_cast<double>(most_turns));
    }
}

TEST_CASE("the longest row of a sparse matrix decides how it is summed, not the mean") {
  const std::string csr = sparse_vector("csr");
  for (const std::int64_t n : {100, 70000, 2000000}) {
    INFO(n);
    const Sizes sizes = {{"n", n}, {"m", n}};
    CHECK(turns(csr, sizes, 7, false) <= static_cast<double>(most_turns));
    CHECK(turns(csr, sizes, n) <= static_cast<double>(most_turns));
  }
  const Sizes sizes = {{"n", 70000}, {"m", 70000}};
  CHECK(turns(csr, sizes, 70000, false) > static_cast<double>(most_turns));
  CHECK(turns(sparse_vector("diagonal(-1, 0, 1)"), {{"n", 500 * M}, {"m", 500 * M}}, 0, false) <=
        static_cast<double>(most_turns));
}

TEST_CASE("tall products, sums of long lines and a long row are work for 256 workgroups and more") {
  CHECK(workgroups(matrix_vector("k, i", "m x n"), {{"n", 30}, {"m", M}}) >= 256);  // V'*w
  CHECK(workgroups(matrix_matrix, {{"n", 30}, {"m", M}}) >= 256);                   // V'*V
  CHECK(workgroups(lines("cols", "n", "m"), {{"n", M}, {"m", 30}}) >= 256);         // sum(W, 2)
  CHECK(workgroups(lines("cols", "n", "m"), {{"n", 30}, {"m", M}}) >= 256);         // of its transpose
  CHECK(workgroups(sparse_vector("csr"), {{"n", 1}, {"m", M}}, M) >= 256);          // one row
}

TEST_CASE("sums in parts are the sums") {
  codegen::glsl::GlslOptions options;
  options.most_turns = 64;
  options.split = true;
  for (const std::int64_t m : {31, 700}) {
    const std::vector<Sizes> sizes = {{{"n", 3}, {"m", m}}, {{"n", 70}, {"m", m}}};
    check_on_device(matrix_vector("i, k", "n x m"), sizes, 1e-3, options);
    check_on_device(matrix_vector("k, i", "m x n"), sizes, 1e-3, options);
    check_on_device(sparse_vector("csr"), sizes, 1e-3, options);
    check_on_device(matrix_matrix, sizes, 1e-3, options);
    check_on_device(summed_product, sizes, 1e-3, options);
    check_on_device(lines("rows", "n", "m"), sizes, 1e-3, options);
    check_on_device(lines("cols", "n", "m"), sizes, 1e-3, options);
    check_on_device(lines("cols", "5", "m"), sizes, 1e-3, options);
    check_on_device(lines("rows", "m", "7"), sizes, 1e-3, options);
  }
}

TEST_CASE("a loop over the workgroups of its own stage makes as many turns as there are of them") {
  const runtime::vulkan::SizeOf size_of = [](const Size&) -> std::int64_t { return 0; };
  const TurnNumbers numbers = {size_of, {}, {}};
  const std::vector<LoopTurns> loops = {{TurnCount::own_groups(256)}};
  CHECK(turns_of(loops, {1024, 2, 1}, numbers) == 8 + 1);
  CHECK(turns_of(loops, {1, 1, 1}, numbers) == 1 + 1);
}

TEST_CASE("a kernel that workgroups have no schedule for is refused") {
  const Plan plan = test::fragment_plan(lac::test::graph_of_kernel(flat));
  const OpId launch = plan.blocks[plan.body].ops.front();
  CHECK_THROWS_AS(codegen::glsl::emit_kernel(plan, launch, {}), InternalError);
}
