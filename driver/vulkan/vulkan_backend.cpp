#include "driver/vulkan/vulkan_backend.h"

#include "codegen/glsl/program/addresses.h"
#include "codegen/glsl/program/program.h"
#include "codegen/glsl/program/split.h"
#include "driver/explain/plan_json.h"
#include "driver/native/compile.h"
#include "driver/native/kept_plan.h"
#include "driver/vulkan/devices.h"
#include "driver/vulkan/host_steps.h"
#include "driver/vulkan/native_loops.h"
#include "driver/vulkan/shader_pack.h"
#include "driver/vulkan/shader_stages.h"
#include "driver/vulkan/shader_store.h"
#include "runtime/steps/library.h"
#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/machine/run.h"
#include "runtime/vulkan/pack/pack.h"

namespace lac::driver {

namespace {

using codegen::glsl::GlslOptions;
using runtime::vulkan::Device;
using runtime::vulkan::DeviceType;

/// What a compiled specialisation keeps alive.
struct VulkanCode {
  Plan plan;
  ShaderProgram shaders;
  codegen::glsl::AddressedStages by_address;  ///< of the shaders, where matrices are too large for bindings
  codegen::glsl::SplitShaders split;          ///< where sums are too long for an invocation
  std::optional<NativeLoops> native = {};

  VulkanCode(Plan made, ShaderProgram program, const GlslOptions& options)
      : plan(std::move(made)), shaders(std::move(program)), by_address(options), split(plan, options) {}
};

/// Partial results fill a large device; a cpu that plays one is slower with many.
GlslOptions glsl_options_of(const Device& device, const SourceManager& sources) {
  GlslOptions options = glsl_options(sources);
  const bool is_gpu =
      device.info().type != DeviceType::cpu || device.options().mode == runtime::vulkan::DeviceMode::wide;
  if (!is_gpu) options.max_groups = codegen::glsl::groups_of_cpu;
  options.last_group_combines = !device.info().driver.starts_with("MoltenVK");
  options.rounds_quotients = options.coalesces = is_gpu;  // the instructions of a cpu round once
  options.most_turns = device.limits().turns;
  options.shared_bytes = device.limits().shared_bytes;
  return options;
}

/// The first shader that needs double precision, where the device has none.
const ShaderStage* needs_double(const ShaderProgram& program, const Device& device) {
  if (device.info().float64) return nullptr;
  for (const KernelShaders& kernel : program.kernels)
    for (const ShaderStage& stage : kernel.stages)
      if (stage.float64) return &stage;
  for (const auto& [op, step] : program.steps)
    for (const ShaderStage& stage : step.stages)
      if (stage.float64) return &stage;
  return nullptr;
}

std::string double_refusal(const Device& device, const ShaderStage& stage, Element precision) {
  std::string text = "the device " + device.info().name + " has no double precision";
  if (precision == Element::real) return text + ": run with --precision=single, or choose another with --device";
  return text + ", which " + stage.name + " needs for its integers: choose another with --device";
}

/// Makes the pipelines, which stay in the device's cache. What fails here fails in the run again, and is told there.
void make_pipelines(const ShaderProgram& shaders, Device& device) {
  try {
    const std::lock_guard lock(device.run_mutex());
    for (const KernelShaders& kernel : shaders.kernels)
      for (const ShaderStage& stage : kernel.stages) static_cast<void>(device.pipeline(stage));
    for (const auto& [op, step] : shaders.steps)
      for (const ShaderStage& stage : step.stages) static_cast<void>(device.pipeline(stage));
    for (const ShaderStage& stage : shaders.control) static_cast<void>(device.pipeline(stage));
  } catch (const runtime::vulkan::DeviceError&) {
  }
}

/// Those of the steps that the host does.
void load_libraries(const VulkanCode& code) {
  for (std::uint32_t k = 0; k < code.plan.ops.size(); ++k) {
    const Op& op = code.plan.ops[OpId{k}];
    if (op.kind != OpKind::library || code.plan.device_steps.contains(OpId{k})) continue;
    if (runtime::calls_lapack(attribute<LibraryFn>(op))) return runtime::load_lapack();
  }
}

/// auto is buffers: images gain only where a device reads textures faster than memory (docs/vulkan.md).
const PlanTarget& plan_target(const api::Options& options) {
  return options.shader_pack ? pack_plan() : vulkan_plan(options.layout == api::Layout::texel);
}

/// The shaders of each kernel; of one in a tail, those of the launch that does it.
std::vector<std::vector<KernelCode>> codes_of(const Plan& plan, const ShaderProgram& program) {
  std::vector<std::vector<KernelCode>> codes;
  for (const KernelShaders& kernel : program.kernels) {
    std::vector<KernelCode>& forms = codes.emplace_back();
    for (const ShaderStage& stage : kernel.stages) forms.push_back({"GLSL, " + stage.name, stage.glsl});
  }
  const auto kernel_of = [&](OpId launch) { return attribute<KernelId>(plan.ops[launch]).index; };
  for (const auto& [launch, tail] : plan.tails)
    for (OpId id : tail) codes[kernel_of(id)] = codes[kernel_of(launch)];
  return codes;
}

class VulkanBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    auto compiled = recall_or_compile(module, request, plan_target(*request.options), diagnostics);
    if (!compiled) return nullptr;
    auto result = std::make_shared<Specialisation>();
    result->signature = std::move(compiled->signature);
    result->times = compiled->times;
    if (compiled->stopped) return result;
    const api::Options& options = *request.options;
    const auto show = [&](std::string_view what) {
      return show_shaders(what, compiled->plan, glsl_options(*request.sources, what));
    };
    if (!dump_stages(shader_stages, options, diagnostics, show)) return nullptr;
    const auto device = holder(options)->get();
    if (!device) {
      diagnostics.error({}, device.failure().message);
      return nullptr;
    }
    const double start = now_ms();
    GlslOptions shader_options = glsl_options_of(*device.value(), *request.sources);
    const std::shared_ptr<ShaderStore> store = shader_store(options);
    shader_options.store = store;
    auto shaders = codegen::glsl::compile_shaders(compiled->plan, shader_options);
    if (!shaders) throw InternalError(shaders.failure().message);
    if (const ShaderStage* stage = needs_double(shaders.value(), *device.value())) {
      diagnostics.error({}, double_refusal(*device.value(), *stage, request.precision));
      return nullptr;
    }
    auto code = std::make_shared<VulkanCode>(std::move(compiled->plan), shaders.take(), shader_options);
    if (options.native_loops && !options.shader_pack)
      code->native = NativeLoops::make(code->plan, *request.sources, options);
    if (options.remarks) remark_host_steps(code->plan, diagnostics);
    result->times.codegen = now_ms() - start;
    result->times.cache = use_of(store, diagnostics);
    result->parameters = code->plan.parameters;
    result->locations = code->plan.locations;
    result->warm = [code, holder = holder(options)] {
      load_libraries(*code);
      if (const auto device = holder->get()) make_pipelines(code->shaders, *device.value());
    };
    const runtime::vulkan::VulkanRunOptions how{options.device_memory, options.device_loops};
    result->run = on_device(holder(options), [code, how, take_pack = options.shader_pack,
                                              name = std::string(module.sources.file(FileId{0}).name)](
                                                 const auto& parameters, const auto& run, const auto& device) {
      const auto by_address = [&](const ShaderStage& stage) -> const ShaderStage& {
        return code->by_address.of(stage);
      };
      const auto split = [&](OpId op) -> const KernelShaders& { return code->split.of(op); };
      const runtime::CpuProgram* native = code->native ? &code->native->program() : nullptr;
      const runtime::vulkan::VulkanProgram program = {&code->plan, &code->shaders, by_address, split, native};
      if (!take_pack) return runtime::vulkan::run_vulkan(program, parameters, run, how, device);
      runtime::vulkan::Pack pack;
      runtime::vulkan::PackRecorder recorder(pack);
      runtime::vulkan::VulkanRunOptions recorded = how;
      recorded.pack = &recorder;
      runtime::RunResult result = runtime::vulkan::run_vulkan(program, parameters, run, recorded, device);
      if (result.status.ok()) take_pack(files_of(pack, name));
      return result;
    });
    return result;
  }

  Result<Shown> emit(std::string_view what, const Module& module, const CompileRequest& request,
                     Diagnostics& diagnostics) override {
    if (auto shown = show_graph_stage(what, module, request, plan_target(*request.options), diagnostics))
      return std::move(*shown);
    const bool explains = what == "explain";
    if (!explains && !is_shader_stage(what)) {
      return Failure{"the target vulkan has no stage '" + std::string(what) + "'; use --target=cpu"};
    }
    const auto plan = plan_for_code(module, request, plan_target(*request.options), diagnostics);
    if (!plan) return plan.failure();
    if (explains)
      return Shown{
          plan_json(plan.value(), *request.sources, "vulkan",
                    codes_of(plan.value(), codegen::glsl::emit_shaders(plan.value(), glsl_options(*request.sources))))};
    return show_shaders(what, plan.value(), glsl_options(*request.sources, what));
  }

  Result<std::string> build(const std::string&, api::BuildKind, const Module&, const CompileRequest&,
                            Diagnostics&) override {
    return Failure{"the target vulkan makes no executables; build with --target=cpu"};
  }

 private:
  std::shared_ptr<DeviceHolder> holder(const api::Options& options) {
    if (!holder_) holder_ = std::make_shared<DeviceHolder>(options);
    return holder_;
  }

  std::shared_ptr<DeviceHolder> holder_;
};

}  // namespace

std::unique_ptr<Backend> make_vulkan_backend() { return std::make_unique<VulkanBackend>(); }

}  // namespace lac::driver
