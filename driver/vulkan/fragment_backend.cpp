// The target vulkan-fragment: kernels as render passes, in single precision.
#include "codegen/glsl/program/fragment.h"
#include "driver/native/compile.h"
#include "driver/native/kept_plan.h"
#include "driver/vulkan/devices.h"
#include "driver/vulkan/shader_stages.h"
#include "driver/vulkan/shader_store.h"
#include "driver/vulkan/vulkan_backend.h"
#include "runtime/vulkan/fragment/fragment.h"

namespace lac::driver {

namespace {

using codegen::glsl::compile_fragments;

/// What a compiled specialisation keeps alive.
struct FragmentCode {
  Plan plan;
  FragmentProgram passes;
};

/// The same shaders in the form of compute's, to be looked at.
ShaderProgram as_shaders(FragmentProgram passes) {
  ShaderProgram program;
  for (FragmentKernel& kernel : passes.kernels) {
    KernelShaders& shaders = program.kernels[program.kernels.push({kernel.name, {}, {}})];
    for (const ShaderStage* stage : kernel.stages()) shaders.stages.push_back(*stage);
  }
  for (const ShaderStage* stage : passes.own_stages()) program.control.push_back(*stage);
  return program;
}

/// Textures hold single precision; said before any kernel is looked at.
bool refused(Element precision, Diagnostics& diagnostics) {
  if (precision != Element::real) return false;
  diagnostics.error({}, "vulkan-fragment computes in single precision: leave double out, or use --target=vulkan");
  return true;
}

class FragmentBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    if (refused(request.precision, diagnostics)) return nullptr;
    auto compiled = recall_or_compile(module, request, fragment_plan(), diagnostics);
    if (!compiled) return nullptr;
    auto result = std::make_shared<Specialisation>();
    result->signature = std::move(compiled->signature);
    result->times = compiled->times;
    if (compiled->stopped) return result;
    const double start = now_ms();
    const std::shared_ptr<ShaderStore> store = shader_store(*request.options);
    codegen::glsl::GlslOptions shader_options = glsl_options(*request.sources);
    shader_options.store = store;
    auto passes = compile_fragments(compiled->plan, shader_options);
    if (!passes) {
      diagnostics.error({}, passes.failure().message);
      return nullptr;
    }
    const auto show = [&](std::string_view what) -> Result<Shown> {
      return show_shaders(what, compiled->plan, as_shaders(passes.value()));
    };
    if (!dump_stages(shader_stages, *request.options, diagnostics, show)) return nullptr;
    auto code = std::make_shared<FragmentCode>(FragmentCode{std::move(compiled->plan), passes.take()});
    result->times.codegen = now_ms() - start;
    result->times.cache = use_of(store, diagnostics);
    result->parameters = code->plan.parameters;
    result->locations = code->plan.locations;
    const runtime::vulkan::FragmentRunOptions how{request.options->device_loops};
    result->run =
        on_device(holder(*request.options), [code, how](const auto& parameters, const auto& run, const auto& device) {
          return runtime::vulkan::run_fragment({&code->plan, &code->passes}, parameters, run, how, device);
        });
    return result;
  }

  Result<Shown> emit(std::string_view what, const Module& module, const CompileRequest& request,
                     Diagnostics& diagnostics) override {
    if (auto shown = show_graph_stage(what, module, request, fragment_plan(), diagnostics)) return std::move(*shown);
    if (!is_shader_stage(what)) {
      return Failure{"the target vulkan-fragment has no stage '" + std::string(what) + "'; use --target=cpu"};
    }
    if (refused(request.precision, diagnostics)) return Failure{"the program does not compile"};
    const auto plan = plan_for_code(module, request, fragment_plan(), diagnostics);
    if (!plan) return plan.failure();
    const auto passes = compile_fragments(plan.value(), glsl_options(*request.sources));
    if (!passes) return passes.failure();
    return show_shaders(what, plan.value(), as_shaders(passes.value()));
  }

  Result<std::string> build(const std::string&, api::BuildKind, const Module&, const CompileRequest&,
                            Diagnostics&) override {
    return Failure{"the target vulkan-fragment makes no executables; build with --target=cpu"};
  }

 private:
  std::shared_ptr<DeviceHolder> holder(const api::Options& options) {
    if (!holder_) holder_ = std::make_shared<DeviceHolder>(options);
    return holder_;
  }

  std::shared_ptr<DeviceHolder> holder_;
};

}  // namespace

std::unique_ptr<Backend> make_fragment_backend() { return std::make_unique<FragmentBackend>(); }

}  // namespace lac::driver
