#include "driver/native/compile.h"
#include "driver/vulkan/vulkan_backend.h"

namespace lac::driver {

namespace {

constexpr const char* refusal = "this lac was built without Vulkan (LAC_VULKAN=OFF): use --target=cpu";

class NoVulkanBackend final : public Backend {
 public:
  std::shared_ptr<const Specialisation> compile(const Module&, const CompileRequest&,
                                                Diagnostics& diagnostics) override {
    diagnostics.error({}, refusal);
    return nullptr;
  }

  Result<Shown> emit(std::string_view what, const Module& module, const CompileRequest& request,
                     Diagnostics& diagnostics) override {
    if (auto shown = show_graph_stage(what, module, request, vulkan_plan(), diagnostics)) return std::move(*shown);
    return Failure{refusal};
  }

  Result<std::string> build(const std::string&, api::BuildKind, const Module&, const CompileRequest&,
                            Diagnostics&) override {
    return Failure{refusal};
  }
};

}  // namespace

std::unique_ptr<Backend> make_vulkan_backend() { return std::make_unique<NoVulkanBackend>(); }
std::unique_ptr<Backend> make_fragment_backend() { return std::make_unique<NoVulkanBackend>(); }

api::Devices vulkan_devices() { return {{}, refusal}; }

}  // namespace lac::driver
