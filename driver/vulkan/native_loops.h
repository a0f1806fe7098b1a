// The loops of a device's plan that the host may run itself (LoopPlan::native), as code beside the shaders.
#pragma once

#include <memory>
#include <optional>

#include "driver/core/content_store.h"
#include "driver/native/tiered_code.h"
#include "ir/plan/manifest.h"

namespace lac::driver {

class NativeLoops {
 public:
  /// None where the plan has no such loops, or this machine no code that begins before it is compiled.
  static std::optional<NativeLoops> make(const Plan& plan, const SourceManager& sources, const api::Options& options);

  /// Runs them alone; lives as long as this.
  const runtime::CpuProgram& program() const { return program_; }

 private:
  NativeLoops(std::unique_ptr<const Manifest> manifest, std::shared_ptr<TieredCode> code);

  std::unique_ptr<const Manifest> manifest_;
  std::shared_ptr<TieredCode> code_;
  runtime::CpuProgram program_;
};

}  // namespace lac::driver
