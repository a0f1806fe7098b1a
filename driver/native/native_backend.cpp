#include "driver/native/native_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "driver/core/content_store.h"
#include "driver/explain/functions_of_code.h"
#include "driver/explain/plan_json.h"
#include "driver/native/code_generator.h"
#include "driver/native/compile.h"
#include "driver/native/kept_plan.h"
#include "driver/native/native_code.h"
#include "driver/native/program_builder.h"
#include "driver/native/tiered_code.h"
#include "ir/plan/manifest.h"
#include "ir/plan/units.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/strip/kernel.h"

namespace lac::driver {

namespace {

/// What a compiled specialisation keeps alive: one of the two kinds of code, and beside the first the second for runs
/// that look at every result.
class Compiled {
 public:
  explicit Compiled(Manifest of) : manifest(std::move(of)) {}

  void set(NativeCode made, Plan plan, codegen::CodegenOptions options, std::shared_ptr<ContentStore> store) {
    code_.emplace(std::move(made));
    plan_ = std::move(plan);
    options_ = std::move(options);
    store_ = std::move(store);
  }
  void set(std::shared_ptr<TieredCode> made) { tiers = std::move(made); }

  runtime::CpuProgram program(const runtime::RunOptions& options) {
    if (tiers) return tiers->program(manifest);
    if (!options.check_nan) return code_->program(manifest);
    std::call_once(watched_made_, [this] { watched_ = step_by_step(); });
    return watched_->program(manifest);
  }

  const Manifest manifest;
  std::shared_ptr<TieredCode> tiers;

 private:
  // Straight code does not look at its results: what does runs the plan, with the code of kernels alone.
  std::shared_ptr<TieredCode> step_by_step() const {
    const auto isa = runtime::vector_isa_of(options_.cpu);
    codegen::CodegenOptions unchecked = options_;
    unchecked.check_bounds = false;
    return TieredCode::make(plan_, unchecked, isa.value_or(*runtime::vector_isa_of("native")), store_,
                            Compiling::when_worth_it);
  }

  std::optional<NativeCode> code_;
  std::once_flag watched_made_;
  Plan plan_;  ///< as what follows, of `code_`
  codegen::CodegenOptions options_;
  std::shared_ptr<ContentStore> store_;
  std::shared_ptr<TieredCode> watched_;
};

std::string time_table(const CodeTimes& times, bool each) {
  const auto line = [](std::string_view name, const codegen::UnitTimes& unit) {
    return fmt::format("{:<16} {:>9.3f} ms  {:>9.3f} ms  {:>9.3f} ms\n", name, unit.emission, unit.optimisation,
                       unit.generation);
  };
  codegen::UnitTimes kernels;
  std::string text = fmt::format("{:<16} {:>12}  {:>12}  {:>12}\n", "code", "emission", "optimisation", "generation");
  for (const CodeTimes::Unit& unit : std::span(times.units).first(times.units.size() - 1)) {
    kernels.emission += unit.times.emission;
    kernels.optimisation += unit.times.optimisation;
    kernels.generation += unit.times.generation;
    if (each) text += line(unit.name, unit.times);
  }
  text += line(fmt::format("{} kernels", times.units.size() - 1), kernels) + line("program", times.units.back().times);
  return text + fmt::format("{:<16} {:>9.3f} ms\n", "linking", times.linking);
}

Result<std::shared_ptr<Compiled>> make_code(Plan plan, const SourceManager& sources, const api::Options& options,
                                            const std::shared_ptr<ContentStore>& store) {
  auto made = std::make_shared<Compiled>(manifest_of(plan, sources));
  const codegen::CodegenOptions how = codegen_options(options);
  const auto isa = runtime::vector_isa_of(how.cpu);
  if (isa && !options.check_bounds && options.compile != api::Compile::first) {
    const bool never = options.compile == api::Compile::never;
    made->set(TieredCode::make(std::move(plan), how, *isa, store, never ? Compiling::never : Compiling::when_worth_it));
    return made;
  }
  auto code = NativeCode::make(plan, how, store.get());
  if (!code) return code.failure();
  made->set(code.take(), std::move(plan), how, store);
  return made;
}

/// What is measured is made, all of it, whatever is on disk.
Result<std::shared_ptr<Compiled>> make_timed_code(const Plan& plan, const SourceManager& sources,
                                                  const api::Options& options) {
  auto made = std::make_shared<Compiled>(manifest_of(plan, sources));
  CodeTimes times;
  const codegen::CodegenOptions how = codegen_options(options);
  auto code = NativeCode::make(plan, how, nullptr, &times);
  if (!code) return code.failure();
  made->set(code.take(), plan, how, nullptr);
  if (options.dump_sink) options.dump_sink("time-passes", time_table(times, options.time_kernels));
  return made;
}

constexpr std::string_view code_stages[] = {"llvm", "asm"};

Result<Shown> show_code(std::string_view what, const Plan& plan, const SourceManager& sources,
                        const api::Options& options, bool every_kernel = false) {
  const auto generator = code_generator();
  if (!generator) return generator.failure();
  codegen::CodegenOptions how = codegen_options(options);
  how.every_kernel = every_kernel;
  auto text =
      what == "llvm" ? generator.value()->emit_llvm_text(plan, sources, how) : generator.value()->emit_asm(plan, how);
  if (!text) return text.failure();
  return Shown{text.take()};
}

/// LLVM IR and assembly of each kernel.
Result<std::vector<std::vector<KernelCode>>> codes_of(const Plan& plan, const SourceManager& sources,
                                                      const api::Options& options) {
  const Result<Shown> llvm = show_code("llvm", plan, sources, options, true);
  const Result<Shown> assembly = show_code("asm", plan, sources, options, true);
  if (!llvm) return llvm.failure();
  if (!assembly) return assembly.failure();
  const auto of_llvm = functions_of_llvm(llvm.value().text), of_assembly = functions_of_assembly(assembly.value().text);
  const PlanUnits units = plan_units(plan, options.check_bounds);
  std::vector<std::vector<KernelCode>> codes;
  for (std::uint32_t n = 0; n < plan.kernels.size(); ++n) {
    const std::string id = runtime::kernel_id(units.kernels[units.of[KernelId{n}]].index);
    codes.push_back(
        {{"LLVM IR", functions_of_kernel(of_llvm, id)}, {"assembly", functions_of_kernel(of_assembly, id)}});
  }
  return codes;
}

class NativeBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    auto compiled = recall_or_compile(module, request, cpu_plan(), diagnostics);
    if (!compiled) return nullptr;
    auto result = std::make_shared<Specialisation>();
    result->signature = std::move(compiled->signature);
    result->times = compiled->times;
    if (compiled->stopped) return result;
    // Made again for the dump: they cost time only when asked for.
    const auto show = [&](std::string_view what) {
      return show_code(what, compiled->plan, *request.sources, *request.options);
    };
    if (!dump_stages(code_stages, *request.options, diagnostics, show)) return nullptr;
    const double start = now_ms();
    const std::shared_ptr<ContentStore> store = content_store(*request.options, "object");
    auto made = request.options->time_passes
                    ? make_timed_code(compiled->plan, *request.sources, *request.options)
                    : make_code(std::move(compiled->plan), *request.sources, *request.options, store);
    if (!made) {
      diagnostics.error({}, made.failure().message);
      return nullptr;
    }
    const std::shared_ptr<Compiled> code = made.take();
    result->times.codegen = now_ms() - start;
    if (store) {
      result->times.cache = code->tiers && code->tiers->has_kept() ? api::CacheUse::hit : store->use();
      warn_of_problems(*store, diagnostics);
    }
    result->parameters = code->manifest.parameters;
    result->locations = code->manifest.locations;
    result->run = [code](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
      runtime::RunResult outcome = runtime::run_cpu(code->program(options), parameters, options);
      if (code->tiers) code->tiers->note_run();
      return outcome;
    };
    result->warm = [code] {
      if (code->tiers) code->tiers->compile_all();
      runtime::warm_cpu(code->program({}));
    };
    return result;
  }

  Result<Shown> emit(std::string_view what, const Module& module, const CompileRequest& request,
                     Diagnostics& diagnostics) override {
    if (auto shown = show_graph_stage(what, module, request, cpu_plan(), diagnostics)) return std::move(*shown);
    const bool explains = what == "explain";
    if (!explains && std::ranges::find(code_stages, what) == std::end(code_stages)) {
      return Failure{"the target cpu has no stage '" + std::string(what) + "'; use --target=vulkan"};
    }
    const auto plan = plan_for_code(module, request, cpu_plan(), diagnostics);
    if (!plan) return plan.failure();
    if (explains) {
      const auto codes = codes_of(plan.value(), *request.sources, *request.options);
      if (!codes) return codes.failure();
      return Shown{plan_json(plan.value(), *request.sources, "cpu", codes.value())};
    }
    return show_code(what, plan.value(), *request.sources, *request.options);
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
