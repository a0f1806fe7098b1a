#include "codegen/llvm/jit.h"

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/llvm/module.h"
#include "codegen/llvm/program.h"
#include "codegen/llvm/target.h"

namespace lac::codegen {
namespace {

namespace orc = llvm::orc;

Failure failure(llvm::Error error) { return {"JIT: " + llvm::toString(std::move(error))}; }

bool calls_sleef(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with("Sleef_")) return true;
  return false;
}

// The machine is made once and compiles the one module; LLJIT's own builder would probe the host a second time.
class OneMachineCompiler : public orc::SimpleCompiler {
 public:
  explicit OneMachineCompiler(std::shared_ptr<llvm::TargetMachine> machine)
      : SimpleCompiler(*machine), machine_(std::move(machine)) {}

 private:
  std::shared_ptr<llvm::TargetMachine> machine_;
};

llvm::Error define_runtime(orc::LLJIT& jit, std::span<const HostSymbol> runtime) {
  orc::SymbolMap symbols;
  for (const HostSymbol& symbol : runtime)
    symbols[jit.mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                 llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
}

llvm::Error add_libraries(orc::LLJIT& jit, const llvm::Module& module) {
  const char prefix = jit.getDataLayout().getGlobalPrefix();
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process) return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  if (!calls_sleef(module)) return llvm::Error::success();
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
  Result<std::unique_ptr<llvm::TargetMachine>> made = make_target_machine(options, CodeUse::jit);
  if (!made) return made.failure();
  const std::shared_ptr<llvm::TargetMachine> machine = made.take();
  CompiledModule compiled = compile_module(plan, options, *machine);

  orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(orc::JITTargetMachineBuilder(machine->getTargetTriple()));
  builder.setDataLayout(machine->createDataLayout());
  builder.setCompileFunctionCreator([&](orc::JITTargetMachineBuilder) {
    return llvm::Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>>(
        std::make_unique<OneMachineCompiler>(machine));
  });
  auto created = builder.create();
  if (!created) return failure(created.takeError());
  auto state = std::make_unique<JitProgram::State>();
  state->jit = std::move(*created);

  if (llvm::Error error = define_runtime(*state->jit, runtime)) return failure(std::move(error));
  if (llvm::Error error = add_libraries(*state->jit, *compiled.module)) return failure(std::move(error));
  orc::ThreadSafeModule module(std::move(compiled.module), std::move(compiled.context));
  if (llvm::Error error = state->jit->addIRModule(std::move(module))) return failure(std::move(error));
  auto entry = state->jit->lookup(program_name);
  if (!entry) return failure(entry.takeError());
  state->entry = entry->toPtr<abi::ProgramFunction>();
  return JitProgram(std::move(state));
}

}  // namespace lac::codegen
