// Every kernel here is compiled and run on its own, and compared with the kernel interpreter; runs that cut the blocks
// differently must agree bit for bit.
#include <llvm/ExecutionEngine/MCJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/DynamicLibrary.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "codegen/llvm/kernel_emitter.h"
#include "codegen/llvm/optimize.h"
#include "codegen/llvm/target.h"
#include "ir/graph/parse_text.h"
#include "ir/plan/abi.h"
#include "ir/plan/slots.h"
#include "runtime/interp/kernel_interpreter.h"
#include "runtime/tensor/convert.h"

using namespace lac;
using namespace lac::runtime;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// One kernel in machine code.
class Native {
 public:
  explicit Native(const Graph& graph, const Kernel& kernel, const std::string& cpu = "native") : kernel_(kernel) {
    auto machine = codegen::make_target_machine({cpu, true}, codegen::CodeUse::jit);
    REQUIRE(machine.ok());
    auto module = std::make_unique<llvm::Module>("kernel", context_);
    codegen::emit_kernel(*module, graph, kernel, codegen::kernel_target(*machine.value()));
    codegen::set_target(*module, *machine.value());
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*module, &stream)) FAIL(stream.str());
    codegen::optimize(*module, *machine.value());
    load(std::move(module), machine.value().release());
  }

  std::int64_t blocks(const std::vector<std::uint64_t>& slots) const { return blocks_(slots.data()); }

  /// Runs the blocks in `pieces` calls, the last blocks first.
  void run(const std::vector<std::uint64_t>& slots, std::int64_t pieces) const {
    const std::int64_t count = blocks(slots);
    for (std::int64_t piece = pieces; piece-- > 0;)
      main_(slots.data(), count * piece / pieces, count * (piece + 1) / pieces);
    if (finish_) finish_(slots.data(), count);
  }

 private:
  void load(std::unique_ptr<llvm::Module> module, llvm::TargetMachine* machine) {
    REQUIRE_FALSE(llvm::sys::DynamicLibrary::LoadLibraryPermanently("libsleef.so.3"));
    std::string problem;
    engine_.reset(llvm::EngineBuilder(std::move(module)).setErrorStr(&problem).create(machine));
    INFO(problem);
    REQUIRE(engine_ != nullptr);
    blocks_ = reinterpret_cast<abi::BlocksFunction>(engine_->getFunctionAddress(kernel_.name + "_blocks"));
    main_ = reinterpret_cast<abi::KernelFunction>(engine_->getFunctionAddress(kernel_.name));
    if (partial_count(kernel_) > 0)
      finish_ = reinterpret_cast<abi::FinishFunction>(engine_->getFunctionAddress(kernel_.name + "_finish"));
  }

  const Kernel& kernel_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::ExecutionEngine> engine_;
  abi::BlocksFunction blocks_ = nullptr;
  abi::KernelFunction main_ = nullptr;
  abi::FinishFunction finish_ = nullptr;
};

using Sizes = std::map<std::string, std::int64_t>;

/// Random inputs: with zeros, ties, and now and then NaN where the input is called "nan".
class Data {
 public:
  Tensor tensor(const Type& type, const std::string& name, const runtime::interp::SizeOf& size_of) {
    const std::int64_t rows = size_of(type.rows), cols = size_of(type.cols);
    if (type.storage == Storage::csr) return sparse(type, rows, cols, name);
    if (type.storage == Storage::dense) return matrix(type, rows, cols, name, 0.1);
    std::vector<std::int64_t> offsets;
    for (const Size& offset : type.offsets) offsets.push_back(size_of(offset));
    Tensor tensor = Tensor::diagonal(type.element, rows, cols, offsets);
    for (std::size_t d = 0; d < offsets.size(); ++d)
      for (std::int64_t i = 0; i < rows; ++i) {
        const std::int64_t j = i + offsets[d];
        if (j >= 0 && j < cols)
          tensor.set_stored_value(static_cast<std::int64_t>(d) * rows + i, number(type.element, name, 0.1));
      }
    return tensor;
  }

 private:
  Tensor matrix(const Type& type, std::int64_t rows, std::int64_t cols, const std::string& name, double zeros) {
    std::vector<double> values(static_cast<std::size_t>(rows * cols));
    for (double& value : values) {
      value = number(type.element, name, zeros);
      if (name == "position") value = static_cast<double>(1 + generator_() % static_cast<std::uint64_t>(rows * cols));
    }
    return Tensor::dense(type.element, rows, cols, values);
  }

  // With empty rows and, among the stored values, zeros.
  Tensor sparse(const Type& type, std::int64_t rows, std::int64_t cols, const std::string& name) {
    Tensor tensor = to_csr(matrix(type, rows, cols, name, 0.7));
    for (std::int64_t k = 0; k < tensor.stored(); k += 5) tensor.set_stored_value(k, 0);
    return tensor;
  }

  double number(Element element, const std::string& name, double zeros) {
    if (std::uniform_real_distribution<>(0, 1)(generator_) < zeros) return 0;
    if (name == "nan" && generator_() % 4 == 0) return not_a_number;
    if (element == Element::logical) return 1;
    if (element == Element::integer) return static_cast<double>(generator_() % 7) - 3;
    return std::normal_distribution<>(0, 1)(generator_);
  }

  std::mt19937_64 generator_{42};
};

Graph parse(const std::string& kernel) {
  const Result<Graph> graph = parse_graph(
      "graph \"g\" f64\nsymbol n rows 0 lower 2\nsymbol m rows 1 lower 2\nparameter x: f64[n x 1]\n"
      "parameter y: f64[m x 1]\n\n" +
      kernel);
  if (!graph) FAIL(graph.failure().message);
  return graph.value();
}

void append_input(std::vector<std::uint64_t>& slots, const Tensor& tensor, const Type& type) {
  auto address = [](const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
  if (type.is_scalar()) {
    slots.push_back(0);
    std::memcpy(&slots.back(), tensor.data(), static_cast<std::size_t>(byte_size(type.element)));
    return;
  }
  if (type.storage == Storage::csr) {
    slots.push_back(address(tensor.row_pointers()));
    slots.push_back(address(tensor.column_indices()));
  }
  slots.push_back(address(tensor.data()));
}

std::vector<Tensor> run_native(const Native& native, const Kernel& kernel, const std::vector<Tensor>& inputs,
                               const runtime::interp::SizeOf& size_of, std::int64_t pieces) {
  std::vector<std::uint64_t> slots;
  for (std::size_t n = 0; n < inputs.size(); ++n) append_input(slots, inputs[n], kernel.inputs[n].type);
  std::vector<Tensor> outputs;
  for (const KernelOutput& output : kernel.outputs) {
    Tensor tensor = Tensor::dense(output.type.element, size_of(output.type.rows), size_of(output.type.cols));
    if (output.base >= 0) tensor = inputs[static_cast<std::size_t>(output.base)];
    slots.push_back(reinterpret_cast<std::uint64_t>(tensor.mutable_data()));
    outputs.push_back(tensor);
  }
  for (const Size& size : slot_sizes(kernel)) slots.push_back(static_cast<std::uint64_t>(size_of(size)));
  slots.push_back(0);
  std::vector<double> partials(static_cast<std::size_t>(native.blocks(slots) * partial_count(kernel)));
  slots.back() = reinterpret_cast<std::uint64_t>(partials.data());
  native.run(slots, pieces);
  return outputs;
}

void check_close(const Tensor& actual, const Tensor& expected, double tolerance) {
  REQUIRE(actual.stored() == expected.stored());
  int shown = 0;
  for (std::int64_t k = 0; k < actual.stored() && shown < 5; ++k) {
    const double a = actual.stored_value(k), e = expected.stored_value(k);
    const bool same = a == e || (std::isnan(a) && std::isnan(e)) || std::abs(a - e) <= tolerance * (1 + std::abs(e));
    if (same) continue;
    ++shown;
    FAIL_CHECK("element " << k << ": " << a << " instead of " << e);
  }
}

void check_kernel(const std::string& text, const std::vector<Sizes>& sizes, double tolerance = 1e-11,
                  const std::string& cpu = "native") {
  Graph graph = parse(text);
  REQUIRE(graph.kernels.size() == 1);
  Kernel kernel = *graph.kernels.begin();
  kernel.name = "k0";
  const Native native(graph, kernel, cpu);
  for (const Sizes& given : sizes) {
    const runtime::interp::SizeOf size_of = [&](const Size& size) {
      return size.evaluate([&](SymbolId id) { return given.at(graph.symbols[id].name); });
    };
    std::string description = text;
    for (const auto& [name, value] : given) description += name + " = " + std::to_string(value) + "\n";
    INFO(description);
    Data data;
    std::vector<Tensor> inputs;
    for (const KernelInput& input : kernel.inputs) inputs.push_back(data.tensor(input.type, input.name, size_of));
    const std::vector<Tensor> expected = runtime::interp::interpret_kernel(kernel, inputs, size_of);
    const std::vector<Tensor> whole = run_native(native, kernel, inputs, size_of, 1);
    const std::vector<Tensor> pieces = run_native(native, kernel, inputs, size_of, 5);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      INFO("output " << n);
      check_close(whole[n], expected[n], tolerance);
      CHECK(std::memcmp(whole[n].data(), pieces[n].data(), whole[n].value_bytes()) == 0);
    }
  }
}

const std::vector<Sizes> lengths = {{{"n", 0}},  {{"n", 1}},  {{"n", 15}},  {{"n", 16}},
                                    {{"n", 17}}, {{"n", 64}}, {{"n", 333}}, {{"n", 1000}}};
const std::vector<Sizes> shapes = {{{"n", 2}, {"m", 3}},  {{"n", 16}, {"m", 16}},  {{"n", 3}, {"m", 70}},
                                   {{"n", 33}, {"m", 5}}, {{"n", 130}, {"m", 37}}, {{"n", 300}, {"m", 2}}};

}  // namespace

TEST_CASE("a flat kernel: elementwise work, scalars, every reduction over all elements") {
  check_kernel(R"(kernel k0 "flat" domain [n x m] flat block 64 lanes 16 {
  in x: f64[n x m], nan: f64[n x m], a: f64, b: int, l: logical[n x m]
  out y: f64[n x m], z: logical[n x m], s: f64, p: f64, lo: f64, hi: f64, any: logical, all: logical, count: int
  $0 = load x[i, j]
  $1 = load nan[i, j]
  $2 = load a
  $3 = load b
  $4 = load l[i, j]
  $5 = div $2, $3
  $6 = mul $5, $0
  $7 = constant 0.5
  $8 = lt $0, $7
  $9 = index i
  $10 = index j
  $11 = add $6, $9
  $12 = add $11, $10
  $13 = abs $0
  $14 = constant 0.9
  $15 = pow $13, $14
  store y[i, j] = $12
  store z[i, j] = $8
  reduce s = sum all $0
  reduce p = prod all $15
  reduce lo = min all $1
  reduce hi = max all $1
  reduce any = any all $8
  reduce all = all all $8
  reduce count = sum all $4
}
)",
               {{{"n", 2}, {"m", 2}}, {{"n", 7}, {"m", 9}}, {{"n", 64}, {"m", 3}}, {{"n", 30}, {"m", 31}}});
}

TEST_CASE("a flat kernel of vectors in single precision") {
  check_kernel(R"(kernel k0 "axpy" domain [n x 1] flat block 48 lanes 16 {
  in x: f32[n x 1], y: f32[n x 1], a: f32
  out z: f32[n x 1], s: f32
  $0 = load x[i]
  $1 = load y[i]
  $2 = load a
  $3 = mul $0, $2
  $4 = add $3, $1
  $5 = mul $4, $4
  store z[i] = $4
  reduce s = sum all $5
}
)",
               lengths, 1e-5);
}

TEST_CASE("columns: broadcasts, transposes, shifts with fill and wrap") {
  check_kernel(R"(kernel k0 "maps" domain [n x m] columns block 64 lanes 16 {
  in a: f64[n x m], c: f64[n x 1], r: f64[1 x m], t: f64[m x n]
  out y: f64[n x m], z: f64[m x n]
  $0 = load a[i, j]
  $1 = load c[i, 0]
  $2 = load r[0, j]
  $3 = load t[j, i]
  $4 = load a[i - 1, j] fill 0.5
  $5 = load a[i, j + 1] wrap
  $6 = load a[n - i - 1, m - j - 1]
  $7 = load a[(i + 1) mod (n), (j) div (2)]
  $8 = add $0, $1
  $9 = mul $8, $2
  $10 = sub $9, $3
  $11 = mul $10, $4
  $12 = add $11, $5
  $13 = mul $12, $6
  $14 = add $13, $7
  store y[i, j] = $14
  store z[j, i] = $9
}
)",
               shapes);
}

TEST_CASE("columns: reductions along rows, with the position of the extreme") {
  check_kernel(R"(kernel k0 "sums" domain [n x m] columns block 64 lanes 16 {
  in x: f64[n x m], nan: f32[n x m], tie: int[n x m]
  out s: f64[1 x m], lo: f32[1 x m], at: int[1 x m], hi: int[1 x m], where: int[1 x m], g: f64, pos: int
  $0 = load x[i, j]
  $1 = load nan[i, j]
  $2 = load tie[i, j]
  $3 = mul $0, $0
  reduce s = sum rows $3
  reduce lo, at = min rows $1
  reduce hi, where = max rows $2
  reduce g, pos = max all $0
}
)",
               shapes);
}

TEST_CASE("rows: reductions along columns") {
  check_kernel(R"(kernel k0 "sums" domain [n x m] rows block 32 lanes 16 {
  in x: f64[n x m], nan: f64[n x m]
  out s: f64[n x 1], lo: f64[n x 1], at: int[n x 1], any: logical[n x 1], g: f64
  $0 = load x[i, j]
  $1 = load nan[i, j]
  $2 = constant 1.5
  $3 = gt $0, $2
  reduce s = sum cols $0
  reduce lo, at = min cols $1
  reduce any = any cols $3
  reduce g = sum all $0
}
)",
               shapes);
}

TEST_CASE("one row: vectors run along the columns") {
  check_kernel(R"(kernel k0 "row" domain [1 x n] columns block 32 lanes 16 {
  in x: f64[1 x n], c: f64[n x 1]
  out y: f64[1 x n], s: f64[1 x 1], g: f64, at: int
  $0 = load x[0, j]
  $1 = load c[j, 0]
  $2 = sub $0, $1
  $3 = index j
  $4 = mul $2, $3
  store y[0, j] = $4
  reduce s = sum cols $2
  reduce g, at = min all $0
}
)",
               {lengths.begin() + 1, lengths.end()});
}

TEST_CASE("gathers and updates: the last of several stores to one place wins") {
  check_kernel(R"(kernel k0 "gather" domain [n x 1] columns block 32 lanes 16 {
  in x: f64[n x 1], position: int[n x 1]
  out y: f64[n x 1], z: f64[n x 1] from x
  $0 = load position[i]
  $1 = load x[@$0]
  $2 = index i
  store y[i] = $1
  store z[@$0] = $2
}
)",
               {lengths.begin() + 1, lengths.end()});
  check_kernel(R"(kernel k0 "strided" domain [n x 1] flat block 32 lanes 16 {
  in x: f64[2*n x 1]
  out y: f64[2*n x 1] from x
  $0 = load x[2*i + 1]
  $1 = neg $0
  store y[2*i + 1] = $1
}
)",
               {});
  check_kernel(R"(kernel k0 "strided" domain [n x 1] columns block 32 lanes 16 {
  in x: f64[2*n x 1]
  out y: f64[2*n x 1] from x
  $0 = load x[2*i + 1]
  $1 = neg $0
  store y[2*i + 1] = $1
}
)",
               lengths);
}

TEST_CASE("sparse products carry their epilogue and dot products along") {
  const std::vector<std::string> storages = {"csr", "diagonal(-1, 0, 1)", "diagonal(-n + 1, -3, 0, 2, n - 1)"};
  for (const std::string element : {"f64", "f32"})
    for (const std::string& storage : storages) {
      const std::string kind = storage == "csr" ? "csr" : "diagonal";
      check_kernel("kernel k0 \"spmv\" domain [n x 1] rows block 160 lanes 16 {\n  in A: " + element + "[n x n] " +
                       storage + ", p: " + element + "[n x 1], r: " + element + "[n x 1]\n  out q: " + element +
                       "[n x 1], pq: " + element + "\n  contract k over " + kind + " row of A: " + element + R"( {
    $0 = matrix_element
    $1 = load p[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = load p[i]
  $2 = load r[i]
  $3 = sub $2, $0
  $4 = mul $1, $0
  store q[i] = $3
  reduce pq = sum all $4
}
)",
                   {{{"n", 7}}, {{"n", 15}}, {{"n", 16}}, {{"n", 17}}, {{"n", 333}}, {{"n", 1000}}},
                   element == "f64" ? 1e-11 : 1e-4);
    }
}

TEST_CASE("a stored zero contributes nothing, whatever it meets") {
  for (const std::string storage : {"csr", "diagonal(-1, 0, 1)"}) {
    const std::string kind = storage == "csr" ? "csr" : "diagonal";
    check_kernel("kernel k0 \"spmv\" domain [n x 1] rows block 32 lanes 16 {\n  in A: f64[n x n] " + storage +
                     ", x: f64[n x 1]\n  out q: f64[n x 1]\n  contract k over " + kind + R"( row of A: f64 {
    $0 = matrix_element
    $1 = load x[k]
    $2 = constant 0
    $3 = div $1, $2
    $4 = mul $0, $3
    sum $4
  }
  $0 = contraction
  store q[i] = $0
}
)",
                 {{{"n", 5}}, {{"n", 40}}});
  }
}

TEST_CASE("a row with NaN under a stored zero is summed again with care") {
  for (const std::string storage : {"csr", "diagonal(-1, 0, 1)"}) {
    const std::string kind = storage == "csr" ? "csr" : "diagonal";
    for (const std::string cpu : {"native", "x86-64-v2"})
      check_kernel("kernel k0 \"spmv\" domain [n x 1] rows block 32 lanes 16 {\n  in A: f32[n x n] " + storage +
                       ", nan: f32[n x 1]\n  out q: f32[n x 1]\n  contract k over " + kind + R"( row of A: f32 {
    $0 = matrix_element
    $1 = load nan[k]
    $2 = mul $1, $0
    sum $2
  }
  $0 = contraction
  store q[i] = $0
}
)",
                   {{{"n", 5}}, {{"n", 12}}, {{"n", 40}}}, 1e-4, cpu);
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
  for (const std::string cpu : {"x86-64", "x86-64-v2", "x86-64-v3"}) check_kernel(text, shapes, 1e-11, cpu);
}

TEST_CASE("a product with many diagonals, a rectangular one, one with a matrix") {
  std::string offsets = "-20";
  for (int offset = -19; offset <= 20; ++offset) offsets += ", " + std::to_string(offset);
  check_kernel("kernel k0 \"many\" domain [n x 1] rows block 32 lanes 16 {\n  in A: f64[n x n] diagonal(" + offsets +
                   R"(), x: f64[n x 1]
  out q: f64[n x 1]
  contract k over diagonal row of A: f64 {
    $0 = matrix_element
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store q[i] = $0
}
)",
               {{{"n", 25}}, {{"n", 100}}});
  for (const std::string storage : {"csr", "diagonal(-1, 0, 2)"}) {
    const std::string kind = storage == "csr" ? "csr" : "diagonal";
    check_kernel("kernel k0 \"spmm\" domain [n x 3] rows block 32 lanes 16 {\n  in A: f64[n x m] " + storage +
                     ", X: f64[m x 3]\n  out Q: f64[n x 3], s: f64[n x 1]\n  contract k over " + kind +
                     R"( row of A: f64 {
    $0 = matrix_element
    $1 = load X[k, j]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store Q[i, j] = $0
  reduce s = sum cols $0
}
)",
                 {{{"n", 50}, {"m", 40}}, {{"n", 20}, {"m", 40}}, {{"n", 200}, {"m", 199}}});
  }
}

TEST_CASE("dense products: along rows, along k, and neither") {
  const std::vector<std::string> operands = {"A: f64[n x m], x: f64[m x 1]", "A: f64[m x n], x: f64[m x 1]",
                                             "A: f64[2*n x 2*m], x: f64[m x 1]"};
  const std::vector<std::string> loads = {"A[i, k]", "A[k, i]", "A[2*i + 1, 2*k]"};
  for (std::size_t n = 0; n < operands.size(); ++n)
    for (const std::string extent : {"m", "m - 1"})
      check_kernel("kernel k0 \"gemv\" domain [n x 1] rows block 160 lanes 16 {\n  in " + operands[n] +
                       ", b: f64[n x 1]\n  out r: f64[n x 1], s: f64\n  contract k below " + extent +
                       ": f64 {\n    $0 = load " + loads[n] + R"(
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = load b[i]
  $2 = sub $1, $0
  $3 = mul $2, $2
  store r[i] = $2
  reduce s = sum all $3
}
)",
                   shapes);
}

TEST_CASE("dense products in single precision, of one row, of two matrices") {
  check_kernel(R"(kernel k0 "gemv" domain [n x 1] rows block 256 lanes 16 {
  in A: f32[n x m], x: f32[m x 1]
  out r: f32[n x 1]
  contract k below m: f32 {
    $0 = load A[i, k]
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store r[i] = $0
}
)",
               shapes, 1e-4);
  check_kernel(R"(kernel k0 "row" domain [1 x n] rows block 32 lanes 16 {
  in A: f64[m x n], x: f64[1 x m]
  out r: f64[1 x n]
  contract k below m: f64 {
    $0 = load A[k, j]
    $1 = load x[0, k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store r[0, j] = $0
}
)",
               shapes);
  check_kernel(R"(kernel k0 "gemm" domain [n x m] columns block 256 lanes 16 {
  in A: f64[n x m], B: f64[m x m]
  out C: f64[n x m], s: f64[1 x m]
  contract k below m: f64 {
    $0 = load A[i, k]
    $1 = load B[k, j]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store C[i, j] = $0
  reduce s = sum rows $0
}
)",
               shapes);
}

TEST_CASE("every scalar function agrees with its definition") {
  for (int n = 0; n < scalar_op_count; ++n) {
    const auto op = static_cast<ScalarOp>(n);
    for (const std::string element : {"f64", "f32"}) {
      const int arity = info(op).arity;
      const bool chooses = op == ScalarOp::select;
      std::string apply = std::string(name(op)) + (chooses ? " $2, $0, $1" : arity == 2 ? " $0, $1" : " $0");
      const bool truth = info(op).result == ScalarResult::truth;
      check_kernel("kernel k0 \"op\" domain [n x 1] flat block 512 lanes 16 {\n  in x: " + element +
                       "[n x 1], nan: " + element + "[n x 1]\n  out y: " + (truth ? "logical" : element) +
                       "[n x 1]\n  $0 = load x[i]\n  $1 = load nan[i]\n  $2 = lt $0, $1\n  $3 = " + apply +
                       "\n  store y[i] = $3\n}\n",
                   {{{"n", 333}}}, element == "f64" ? 1e-14 : 2e-6);
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
  const Graph graph = parse(text);
  Kernel kernel = *graph.kernels.begin();
  kernel.name = "k0";
  const runtime::interp::SizeOf size_of = [](const Size& size) { return size.evaluate([](SymbolId) { return 333; }); };
  const std::vector<Tensor> inputs = {Data().tensor(kernel.inputs[0].type, "x", size_of)};
  std::vector<std::vector<Tensor>> results;
  for (const std::string cpu : {"x86-64-v3", "x86-64-v4"})
    if (codegen::make_target_machine({cpu, false}, codegen::CodeUse::jit))
      results.push_back(run_native(Native(graph, kernel, cpu), kernel, inputs, size_of, 1));
  for (const std::vector<Tensor>& result : results)
    for (std::size_t n = 0; n < result.size(); ++n)
      CHECK(std::memcmp(result[n].data(), results[0][n].data(), result[n].value_bytes()) == 0);
}
