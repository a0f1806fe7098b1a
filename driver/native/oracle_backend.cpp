#include "driver/native/oracle_backend.h"

#include "driver/native/compile.h"
#include "driver/native/native_backend.h"
#include "driver/vulkan/vulkan_backend.h"
#include "runtime/interp/interpreter.h"

namespace lac::driver {

namespace {

class OracleBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    const api::Options& options = *request.options;
    if (!options.plan_of.empty()) return compile_plan(module, request, diagnostics);
    for (const std::string& item : options.dump) {
      if (!options.dump_sink) break;
      const Result<Shown> shown = emit(item, module, request, diagnostics);
      if (!shown) return nullptr;
      options.dump_sink(item, shown.value().text);
    }
    return compile_for_interpreter(module, request, diagnostics);
  }

  Result<Shown> emit(std::string_view what, const Module& module, const CompileRequest& request,
                     Diagnostics& diagnostics) override {
    const auto shown_by = request.options->plan_of == "vulkan" ? make_vulkan_backend() : make_native_backend();
    return shown_by->emit(what, module, request, diagnostics);
  }

  Result<std::string> build(const std::string&, api::BuildKind, const Module&, const CompileRequest&,
                            Diagnostics&) override {
    return Failure{"the target interp makes no executables; build with --target=cpu"};
  }

 private:
  static std::shared_ptr<const Specialisation> compile_plan(const Module& module, const CompileRequest& request,
                                                            Diagnostics& diagnostics) {
    const PlanTarget& target = request.options->plan_of == "vulkan" ? vulkan_plan() : cpu_plan();
    auto compiled = compile_to_plan(module, request, target, diagnostics);
    if (!compiled) return nullptr;
    auto result = std::make_shared<Specialisation>();
    result->signature = std::move(compiled->signature);
    result->times = compiled->times;
    if (compiled->stopped) return result;
    auto plan = std::make_shared<const Plan>(std::move(compiled->plan));
    result->parameters = plan->parameters;
    result->locations = plan->locations;
    result->run = [plan](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
      return runtime::interpret(*plan, parameters, options);
    };
    return result;
  }
};

}  // namespace

std::unique_ptr<Backend> make_oracle_backend() { return std::make_unique<OracleBackend>(); }

}  // namespace lac::driver
