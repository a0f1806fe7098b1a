#include "codegen/llvm/jit.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include "codegen/llvm/jit_object.h"
#include "codegen/llvm/program.h"

namespace lac::codegen {
namespace {

namespace orc = llvm::orc;

Failure failure(llvm::Error error) { return {"JIT: " + llvm::toString(std::move(error))}; }

llvm::Error define_runtime(orc::LLJIT& jit, std::span<const HostSymbol> runtime) {
  orc::SymbolMap symbols;
  for (const HostSymbol& symbol : runtime)
    symbols[jit.mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                 llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
}

llvm::Error add_libraries(orc::LLJIT& jit, bool calls_sleef) {
  const char prefix = jit.getDataLayout().getGlobalPrefix();
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process) return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  if (!calls_sleef) return llvm::Error::success();
  auto sleef = orc::DynamicLibrarySearchGenerator::Load("libsleef.so.3", prefix);
  if (!sleef) return sleef.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*sleef));
  return llvm::Error::success();
}

}  // namespace

struct JitProgram::State {
  std::unique_ptr<orc::LLJIT> jit;
  abi::ProgramFunction entry = nullptr;
};

JitProgram::JitProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
JitProgram::JitProgram(JitProgram&&) noexcept = default;
JitProgram& JitProgram::operator=(JitProgram&&) noexcept = default;
JitProgram::~JitProgram() = default;
abi::ProgramFunction JitProgram::entry() const { return state_->entry; }

Result<JitProgram> jit(const Graph& plan, const CodegenOptions& options, std::span<const HostSymbol> runtime) {
  const Result<std::vector<JitObject>> objects = compile_objects(plan, options);
  if (!objects) return objects.failure();
  auto created = orc::LLJITBuilder().create();
  if (!created) return failure(created.takeError());
  auto state = std::make_unique<JitProgram::State>();
  state->jit = std::move(*created);

  bool calls_sleef = false;
  for (const JitObject& object : objects.value()) calls_sleef |= object.calls_sleef;
  if (llvm::Error error = define_runtime(*state->jit, runtime)) return failure(std::move(error));
  if (llvm::Error error = add_libraries(*state->jit, calls_sleef)) return failure(std::move(error));
  for (const JitObject& object : objects.value()) {
    auto bytes = llvm::MemoryBuffer::getMemBufferCopy(object.bytes, "program");
    if (llvm::Error error = state->jit->addObjectFile(std::move(bytes))) return failure(std::move(error));
  }
  auto entry = state->jit->lookup(program_name);
  if (!entry) return failure(entry.takeError());
  state->entry = entry->toPtr<abi::ProgramFunction>();
  return JitProgram(std::move(state));
}

}  // namespace lac::codegen
