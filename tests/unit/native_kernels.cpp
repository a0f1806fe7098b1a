#include "tests/unit/native_kernels.h"

#include <llvm/ExecutionEngine/MCJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/DynamicLibrary.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "codegen/llvm/kernel_emitter.h"
#include "codegen/llvm/optimize.h"
#include "codegen/llvm/target.h"
#include "ir/plan/abi.h"
#include "ir/plan/slots.h"
#include "runtime/interp/kernel_interpreter.h"

namespace lac::test {
namespace {

using runtime::Tensor;

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
                               const SizeOf& size_of, std::int64_t pieces) {
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

}  // namespace

void check_native(const std::string& text, const std::vector<Sizes>& sizes, double tolerance, const std::string& cpu) {
  const Graph graph = parse_kernel(text);
  Kernel kernel = *graph.kernels.begin();
  kernel.name = "k0";
  const Native native(graph, kernel, cpu);
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
    const std::vector<Tensor> pieces = run_native(native, kernel, inputs, size_of, 5);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      INFO("output " << n);
      check_close(whole[n], expected[n], tolerance);
      CHECK(std::memcmp(whole[n].data(), pieces[n].data(), whole[n].value_bytes()) == 0);
    }
  }
}

std::vector<Tensor> native_outputs(const std::string& text, const std::string& cpu) {
  if (!codegen::make_target_machine({cpu, false}, codegen::CodeUse::jit)) return {};
  const Graph graph = parse_kernel(text);
  Kernel kernel = *graph.kernels.begin();
  kernel.name = "k0";
  const SizeOf size_of = [](const Size& size) { return size.evaluate([](SymbolId) { return 333; }); };
  KernelData data;
  std::vector<Tensor> inputs;
  for (const KernelInput& input : kernel.inputs) inputs.push_back(data.tensor(input.type, input.name, size_of));
  return run_native(Native(graph, kernel, cpu), kernel, inputs, size_of, 1);
}

}  // namespace lac::test
