// The variants of kernels and steps that split long sums (GlslOptions::split), for launches whose invocations would run
// too long otherwise (ir/plan/turns.h).
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// Those of a plan, each made and compiled at its first use. Thread-safe.
class SplitShaders {
 public:
  /// `plan` outlives this.
  SplitShaders(const Plan& plan, const GlslOptions& options);

  /// Of a launch or a step whose KernelShaders say `splits`. Lives as long as this.
  const KernelShaders& of(OpId op);

 private:
  const Plan& plan_;
  GlslOptions options_;
  std::mutex mutex_;
  std::map<OpId, std::unique_ptr<const KernelShaders>> made_;
  std::map<KernelId, OpId> first_launch_;  ///< that made the variant of a kernel
};

}  // namespace lac::codegen::glsl
