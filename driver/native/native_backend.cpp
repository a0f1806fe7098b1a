#include "driver/native/native_backend.h"

#include <algorithm>

#include "codegen/llvm/jit.h"
#include "codegen/llvm/object.h"
#include "driver/core/signature_text.h"
#include "driver/native/compile.h"
#include "driver/native/link.h"
#include "ir/plan/manifest.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/symbols.h"
#include "runtime/files/files.h"

namespace lac::driver {

namespace {

/// What a compiled specialisation keeps alive.
struct NativeCode {
  codegen::JitProgram program;
  Manifest manifest;
};

codegen::CodegenOptions codegen_options(const api::Options& options) {
  codegen::CodegenOptions result;
  result.cpu = options.cpu;
  result.check_bounds = options.check_bounds;
#ifdef LAC_VERIFY_PASSES
  result.verify = true;
#endif
  return result;
}

std::vector<codegen::HostSymbol> runtime_symbols() {
  std::vector<codegen::HostSymbol> symbols;
  for (const runtime::AbiSymbol& symbol : runtime::abi_symbols()) symbols.push_back({symbol.name, symbol.address});
  return symbols;
}

/// The manifest with the texts that lines in statistics and messages refer to.
Manifest manifest_of(const Graph& plan, const SourceManager& sources) {
  Manifest manifest = make_manifest(plan);
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const SourceFile& file = sources.file(FileId{i});
    manifest.sources.push_back({file.name, file.text});
  }
  return manifest;
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
    const auto compiled = compile_to_plan(module, request, cpu_plan(), diagnostics);
    if (!compiled) return Failure{"the program does not compile"};
    return show_code(what, compiled->plan, *request.options);
  }

  Result<std::string> build(const std::string& path, api::BuildKind kind, const Module& module,
                            const CompileRequest& request, Diagnostics& diagnostics) override {
    const auto compiled = compile_to_plan(module, request, cpu_plan(), diagnostics);
    if (!compiled) return Failure{"the program does not compile"};
    Manifest manifest = manifest_of(compiled->plan, *request.sources);
    manifest.host_data = signature_to_text(request.signature);
    auto object = codegen::emit_object(compiled->plan, manifest, codegen_options(*request.options));
    if (!object) return object.failure();
    if (kind == api::BuildKind::object) {
      const auto written = runtime::write_file(path, object.value());
      if (!written) return written.failure();
      return std::string();
    }
    const auto linked = link_program(object.value(), path);
    if (!linked) return linked.failure();
    return std::string();
  }
};

}  // namespace

std::unique_ptr<Backend> make_native_backend() { return std::make_unique<NativeBackend>(); }

}  // namespace lac::driver
