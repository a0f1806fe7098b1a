#include "tests/unit/native_kernels.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

#include "codegen/llvm/machine/unit.h"
#include "ir/kernel/shared_axis.h"
#include "ir/plan/abi.h"
#include "ir/plan/slots.h"
#include "ir/plan/walk.h"
#include "runtime/cpu/loaded_code.h"
#include "runtime/cpu/row_slices.h"
#include "runtime/cpu/strip/kernel.h"
#include "runtime/cpu/symbols.h"
#include "runtime/interp/kernel_interpreter.h"

namespace lac::test {
namespace {

using runtime::Tensor;

/// Runs the parts of a launch in `pieces` calls, the last ones first, but the seams that those leave behind all blocks.
void in_pieces(const Kernel& kernel, std::int64_t parts, std::int64_t pieces,
               const std::function<void(std::int64_t, std::int64_t)>& run) {
  const PartCount count = reach(kernel).is(0) ? PartCount{parts, false} : PartCount::of(parts);
  const auto cut = [&](std::int64_t piece) { return count.blocks * piece / pieces; };
  for (std::int64_t piece = pieces; piece-- > 0;) run(cut(piece), cut(piece + 1));
  if (reach(kernel).is(0)) return;
  for (std::int64_t piece = pieces; piece-- > 0;)
    if (count.is_far) run(count.blocks + cut(piece), count.blocks + cut(piece + 1));
    else if (cut(piece) > 0 && cut(piece) < cut(piece + 1))
      run(count.blocks + cut(piece) - 1, count.blocks + cut(piece));
}

/// One kernel in machine code.
class Native {
 public:
  explicit Native(const Graph& graph, const Kernel& kernel, const std::string& cpu = "native") : kernel_(kernel) {
    const auto object = codegen::compile_kernel(graph, KernelId{0}, {cpu, true});
    INFO((object ? std::string() : object.failure().message));
    REQUIRE(object.ok());
    const std::string_view bytes = object.value();
    auto code = runtime::LoadedCode::load({&bytes, 1}, runtime::find_symbol);
    INFO((code ? std::string() : code.failure().message));
    REQUIRE(code.ok());
    code_.emplace(code.take());
    blocks_ = reinterpret_cast<abi::BlocksFunction>(code_->find(0, "kernel_blocks"));
    main_ = reinterpret_cast<abi::KernelFunction>(code_->find(0, "kernel"));
    finish_ = reinterpret_cast<abi::FinishFunction>(code_->find(0, "kernel_finish"));
    REQUIRE((finish_ != nullptr) == has_partials(kernel_));
  }

  std::int64_t blocks(const std::vector<std::uint64_t>& slots) const { return blocks_(slots.data()); }

  void run(const std::vector<std::uint64_t>& slots, std::int64_t pieces) const {
    const std::int64_t count = blocks(slots);
    in_pieces(kernel_, count, pieces, [&](auto first, auto last) { main_(slots.data(), first, last); });
    if (finish_) finish_(slots.data(), count);
  }

 private:
  const Kernel& kernel_;
  std::optional<runtime::LoadedCode> code_;
  abi::BlocksFunction blocks_ = nullptr;
  abi::KernelFunction main_ = nullptr;
  abi::FinishFunction finish_ = nullptr;
};

using Sizes = std::map<std::string, std::int64_t>;

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

/// The same kernel without compiling it.
class Strips {
 public:
  Strips(const Kernel& kernel, const std::string& cpu)
      : kernel_(kernel), strips_(kernel, runtime::vector_isa_of(cpu).value()) {}

  std::int64_t blocks(const std::vector<std::uint64_t>& slots) const { return strips_.blocks(slots.data()); }
  void run(const std::vector<std::uint64_t>& slots, std::int64_t pieces) const {
    const std::int64_t count = blocks(slots);
    in_pieces(kernel_, count, pieces, [&](auto first, auto last) { strips_.run(slots.data(), first, last); });
    if (has_partials(kernel_)) strips_.finish(slots.data(), count);
  }

 private:
  const Kernel& kernel_;
  runtime::StripKernel strips_;
};

std::optional<runtime::RowSlices> slices_of(const Tensor& matrix) {
  const runtime::RunOptions options;
  runtime::Launcher launcher(options);
  std::optional<runtime::RowSlices> made;
  REQUIRE(runtime::RowSlices::make(matrix, launcher, made) == runtime::RunCode::ok);
  return made;
}

/// In so many pieces; `sliced`: from slices of a csr matrix, where there are any.
template <class Code>
std::vector<Tensor> run_native(const Code& native, const Kernel& kernel, const std::vector<Tensor>& inputs,
                               const SizeOf& size_of, std::int64_t pieces, bool sliced = false) {
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
  std::vector<std::optional<runtime::RowSlices>> slices(inputs.size());
  for (std::uint32_t n = 0; n < inputs.size(); ++n) {
    if (!takes_slices(kernel, n)) continue;
    if (sliced) slices[n] = slices_of(inputs[n]);
    slots.push_back(slices[n] ? reinterpret_cast<std::uint64_t>(&slices[n]->view()) : 0);
  }
  slots.push_back(0);
  std::int64_t each_block = partial_count(kernel);
  for (const std::uint32_t output : spread_outputs(kernel)) each_block += size_of(kernel.outputs[output].type.count());
  std::vector<double> partials(static_cast<std::size_t>(native.blocks(slots) * each_block));
  slots.back() = reinterpret_cast<std::uint64_t>(partials.data());
  native.run(slots, pieces);
  return outputs;
}

}  // namespace

namespace {

/// Equal bits, but that one NaN is as good as another.
void check_same(const Tensor& got, const Tensor& wanted) {
  REQUIRE(got.value_bytes() == wanted.value_bytes());
  for (std::int64_t j = 0; j < wanted.cols(); ++j)
    for (std::int64_t i = 0; i < wanted.rows(); ++i) {
      const double a = got.at(i, j), b = wanted.at(i, j);
      if ((std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0) continue;
      INFO("strips at (" << i << ", " << j << ")");
      CHECK(a == b);
      CHECK(std::signbit(a) == std::signbit(b));
      return;
    }
}

}  // namespace

void check_native(const std::string& text, const std::vector<Sizes>& sizes, double tolerance, const std::string& cpu) {
  const Graph graph = parse_kernel(text);
  Kernel kernel = *graph.kernels.begin();
  kernel.name = "k0";
  const Native native(graph, kernel, cpu);
  const Strips strips(kernel, cpu);
  for (const Sizes& given : sizes) {
    const SizeOf size_of = [&](const Size& size) {
      return size.evaluate([&](SymbolId id) { return given.at(graph.symbols[id].name); });
    };
    std::string description = text;
    for (const auto& [name, value] : given) description += name + " = " + std::to_string(value) + "\n";
    INFO(description);
    KernelData data;
    std::vector<Tensor> inputs;
    for (const KernelInput& input : kernel.inputs) inputs.push_back(data.tensor(input.type, input.name, size_of));
    const std::vector<Tensor> expected = runtime::interp::interpret_kernel(kernel, inputs, size_of);
    const std::vector<Tensor> whole = run_native(native, kernel, inputs, size_of, 1);
    const std::vector<Tensor> pieces = run_native(native, kernel, inputs, size_of, 5, true);
    const std::vector<Tensor> uncompiled = run_native(strips, kernel, inputs, size_of, 3);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      INFO("output " << n);
      check_close(whole[n], expected[n], tolerance);
      CHECK(
          (whole[n].value_bytes() == 0 || std::memcmp(whole[n].data(), pieces[n].data(), whole[n].value_bytes()) == 0));
      check_same(uncompiled[n], whole[n]);
    }
  }
}

std::vector<Tensor> native_outputs(const std::string& text, const std::string& cpu) {
  const Graph graph = parse_kernel(text);
  if (!codegen::compile_kernel(graph, KernelId{0}, {cpu, false})) return {};
  Kernel kernel = *graph.kernels.begin();
  kernel.name = "k0";
  const SizeOf size_of = [](const Size& size) { return size.evaluate([](SymbolId) { return 333; }); };
  KernelData data;
  std::vector<Tensor> inputs;
  for (const KernelInput& input : kernel.inputs) inputs.push_back(data.tensor(input.type, input.name, size_of));
  return run_native(Native(graph, kernel, cpu), kernel, inputs, size_of, 1);
}

}  // namespace lac::test
