#include "driver/native/native_backend.h"

#include <algorithm>

#include "codegen/llvm/jit.h"
#include "codegen/llvm/object.h"
#include "driver/native/compile.h"
#include "driver/native/program_builder.h"
#include "ir/plan/manifest.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/symbols.h"

namespace lac::driver {

namespace {

/// What a compiled specialisation keeps alive.
struct NativeCode {
  codegen::JitProgram program;
  Manifest manifest;
};

std::vector<codegen::HostSymbol> runtime_symbols() {
  std::vector<codegen::HostSymbol> symbols;
  for (const runtime::AbiSymbol& symbol : runtime::abi_symbols()) symbols.push_back({symbol.name, symbol.address});
  return symbols;
}

constexpr std::string_view code_stages[] = {"llvm", "asm"};

Result<Shown> show_code(std::string_view what, const Graph& plan, const api::Options& options) {
  auto text = what == "llvm" ? codegen::emit_llvm_text(plan, codegen_options(options))
                             : codegen::emit_asm(plan, codegen_options(options));
  if (!text) return text.failure();
  return Shown{text.take()};
}

class NativeBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    auto compiled = compile_to_plan(module, request, cpu_plan(), diagnostics);
    if (!compiled) return nullptr;
    auto result = std::make_shared<Specialisation>();
    result->signature = request.signature;
    result->times = compiled->times;
    if (compiled->stopped) return result;
    // Made again for the dump: they cost time only when asked for.
    const auto show = [&](std::string_view what) { return show_code(what, compiled->plan, *request.options); };
    if (!dump_stages(code_stages, *request.options, diagnostics, show)) return nullptr;
    const double start = now_ms();
    const std::vector<codegen::HostSymbol> symbols = runtime_symbols();
    auto program = codegen::jit(compiled->plan, codegen_options(*request.options), symbols);
    if (!program) {
      diagnostics.error({}, program.failure().message);
      return nullptr;
    }
    auto code = std::make_shared<NativeCode>(NativeCode{program.take(), manifest_of(compiled->plan, *request.sources)});
    result->times.codegen = now_ms() - start;
    result->parameters = code->manifest.parameters;
    result->locations = code->manifest.locations;
    result->run = [code](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
      return runtime::run_cpu({code->program.entry(), &code->manifest}, parameters, options);
    };
    result->warm = [code] { runtime::warm_cpu({code->program.entry(), &code->manifest}); };
    return result;
  }

  Result<Shown> emit(std::string_view what, const Module& module, const CompileRequest& request,
                     Diagnostics& diagnostics) override {
    if (auto shown = show_graph_stage(what, module, request, cpu_plan(), diagnostics)) return std::move(*shown);
    if (std::ranges::find(code_stages, what) == std::end(code_stages)) {
      return Failure{"the target cpu has no stage '" + std::string(what) + "'; use --target=vulkan"};
    }
    const auto plan = plan_for_code(module, request, cpu_plan(), diagnostics);
    if (!plan) return plan.failure();
    return show_code(what, plan.value(), *request.options);
  }

  Result<std::string> build(const std::string& path, api::BuildKind kind, const Module& module,
                            const CompileRequest& request, Diagnostics& diagnostics) override {
    return kind == api::BuildKind::object ? build_object(path, module, request, diagnostics)
                                          : build_program(path, module, request, diagnostics);
  }
};

}  // namespace

std::unique_ptr<Backend> make_native_backend() { return std::make_unique<NativeBackend>(); }

}  // namespace lac::driver
