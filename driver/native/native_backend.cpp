#include "driver/native/native_backend.h"

#include <algorithm>

#include "codegen/llvm/jit.h"
#include "codegen/llvm/object.h"
#include "driver/core/signature_text.h"
#include "driver/native/link.h"
#include "frontend/ast/print.h"
#include "ir/graph/dot.h"
#include "ir/graph/text.h"
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

using TextOf = Result<std::string> (*)(const Graph& plan, const Module& module, const api::Options& options);

struct PlanStage {
  std::string_view name;
  TextOf text;
};

/// The stages that are shown from a plan.
constexpr PlanStage plan_stages[] = {
    {"plan",
     [](const Graph& plan, const Module& module, const api::Options&) -> Result<std::string> {
       return print(plan, &module.sources);
     }},
    {"kernels",
     [](const Graph& plan, const Module& module, const api::Options&) -> Result<std::string> {
       return print_kernels(plan, &module.sources);
     }},
    {"llvm", [](const Graph& plan, const Module&,
                const api::Options& options) { return codegen::emit_llvm_text(plan, codegen_options(options)); }},
    {"asm", [](const Graph& plan, const Module&,
               const api::Options& options) { return codegen::emit_asm(plan, codegen_options(options)); }},
};

const PlanStage* find_plan_stage(std::string_view name) {
  const auto* found = std::find_if(std::begin(plan_stages), std::end(plan_stages),
                                   [&](const PlanStage& stage) { return stage.name == name; });
  return found == std::end(plan_stages) ? nullptr : found;
}

class NativeBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    auto compiled = compile_to_plan(module, request, diagnostics);
    if (!compiled) return nullptr;
    auto result = std::make_shared<Specialisation>();
    result->signature = request.signature;
    result->times = compiled->times;
    if (compiled->stopped) return result;
    if (!dump_code(compiled->plan, module, *request.options, diagnostics)) return nullptr;
    const double start = now_ms();
    const std::vector<codegen::HostSymbol> symbols = runtime_symbols();
    auto program = codegen::jit(compiled->plan, codegen_options(*request.options), symbols);
    if (!program) {
      diagnostics.error({}, program.failure().message);
      return nullptr;
    }
    auto code = std::make_shared<NativeCode>(NativeCode{program.take(), manifest_of(compiled->plan, module.sources)});
    result->times.codegen = now_ms() - start;
    result->parameters = code->manifest.parameters;
    result->locations = code->manifest.locations;
    result->run = [code](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
      return runtime::run_cpu({code->program.entry(), &code->manifest}, parameters, options);
    };
    return result;
  }

  Result<std::string> emit(std::string_view what, Module& module, const CompileRequest& request,
                           Diagnostics& diagnostics) override {
    if (what == "ast") return frontend::ast::print(*module.program);
    if (what == "graph" || what == "dot") {
      double milliseconds = 0;
      const auto lowered = lower_module(module, request, milliseconds, diagnostics);
      if (!lowered) return Failure{"the program does not lower"};
      return what == "graph" ? print(lowered->graph, &module.sources) : dot(lowered->graph);
    }
    const PlanStage* stage = find_plan_stage(what);
    if (!stage) return Failure{"there is no stage '" + std::string(what) + "'"};
    const auto compiled = compile_to_plan(module, request, diagnostics);
    if (!compiled) return Failure{"the program does not compile"};
    return stage->text(compiled->plan, module, *request.options);
  }

  Result<std::string> build(const std::string& path, api::BuildKind kind, Module& module, const CompileRequest& request,
                            Diagnostics& diagnostics) override {
    const auto compiled = compile_to_plan(module, request, diagnostics);
    if (!compiled) return Failure{"the program does not compile"};
    Manifest manifest = manifest_of(compiled->plan, module.sources);
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

 private:
  /// llvm and asm are made again for the dump: they cost time only when asked for.
  static bool dump_code(const Graph& plan, const Module& module, const api::Options& options,
                        Diagnostics& diagnostics) {
    if (!options.dump_sink) return true;
    for (const std::string_view item : {"llvm", "asm"}) {
      if (std::find(options.dump.begin(), options.dump.end(), item) == options.dump.end()) continue;
      const Result<std::string> text = find_plan_stage(item)->text(plan, module, options);
      if (!text) {
        diagnostics.error({}, text.failure().message);
        return false;
      }
      options.dump_sink(std::string(item), text.value());
    }
    return true;
  }
};

/// Runs the oracle; shows the other stages as the cpu target has them.
class InterpreterBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    const api::Options& options = *request.options;
    for (const std::string& item : options.dump) {
      if (!options.dump_sink) break;
      const Result<std::string> text = native_.emit(item, module, request, diagnostics);
      if (!text) return nullptr;
      options.dump_sink(item, text.value());
    }
    return compile_for_interpreter(module, request, diagnostics);
  }

  Result<std::string> emit(std::string_view what, Module& module, const CompileRequest& request,
                           Diagnostics& diagnostics) override {
    return native_.emit(what, module, request, diagnostics);
  }

  Result<std::string> build(const std::string&, api::BuildKind, Module&, const CompileRequest&, Diagnostics&) override {
    return Failure{"the target interp makes no executables; build with --target=cpu"};
  }

 private:
  NativeBackend native_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(api::Target target) {
  if (target == api::Target::interp) return std::make_unique<InterpreterBackend>();
  return std::make_unique<NativeBackend>();
}

}  // namespace lac::driver

namespace lac::api {

std::vector<Pass> passes() {
  std::vector<Pass> result;
  for (const std::string_view name : lac::passes::find_pipeline("cpu")->passes) {
    const lac::passes::PassInfo* info = lac::passes::find_pass(name);
    if (info) result.push_back({std::string(info->name), std::string(info->description)});
  }
  return result;
}

}  // namespace lac::api
