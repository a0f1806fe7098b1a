#include "driver/vulkan/native_loops.h"

#include <algorithm>
#include <utility>

#include "driver/native/program_builder.h"
#include "runtime/cpu/strip/kernel.h"

namespace lac::driver {
namespace {

Plan with_straight_loops(Plan plan) {
  for (auto& [id, loop] : plan.loops) {
    if (!std::exchange(loop.native, false)) continue;
    loop.mode = LoopMode::straight;
    loop.reason.clear();
    loop.compared.reset();
  }
  return plan;
}

Compiling compiling(api::Compile when) {
  if (when == api::Compile::first) return Compiling::at_once;
  return when == api::Compile::never ? Compiling::never : Compiling::when_worth_it;
}

}  // namespace

NativeLoops::NativeLoops(std::unique_ptr<const Manifest> manifest, std::shared_ptr<TieredCode> code)
    : manifest_(std::move(manifest)), code_(std::move(code)), program_(code_->program(*manifest_)) {}

std::optional<NativeLoops> NativeLoops::make(const Plan& plan, const SourceManager& sources,
                                             const api::Options& options) {
  const codegen::CodegenOptions how = codegen_options(options);
  const auto isa = runtime::vector_isa_of(how.cpu);
  const bool any = std::ranges::any_of(plan.loops, [](const auto& each) { return each.second.native; });
  if (!any || !isa || options.check_bounds) return std::nullopt;
  auto code = TieredCode::make(with_straight_loops(plan), how, *isa, content_store(options, "object"),
                               compiling(options.compile));
  return NativeLoops(std::make_unique<const Manifest>(manifest_of(plan, sources)), std::move(code));
}

}  // namespace lac::driver
