// What the generation of shaders depends on besides the plan.
#pragma once

#include <cstdint>
#include <memory>

#include "codegen/glsl/spirv/spirv_store.h"
#include "ir/plan/shader.h"
#include "ir/plan/turns.h"
#include "ir/support/source.h"

namespace lac::codegen::glsl {

/// Workgroups of stages that reduce, at most, as partial results fill a large device; a cpu that plays one is slower
/// with many.
inline constexpr std::int32_t groups_of_gpu = groups_of_large_device, groups_of_cpu = 64;
/// Workgroups that share out long sums (the split variant), at most.
inline constexpr std::int64_t busy_groups = 2 * groups_of_large_device;
/// Turns of an invocation below which sharing a sum costs more than it brings.
inline constexpr std::int64_t least_turns_of_part = 16;

struct GlslOptions {
  std::int32_t max_groups = groups_of_cpu;  ///< workgroups of stages that reduce: one partial result each
  std::uint32_t shared_bytes = 32768;
  std::int64_t most_turns = lac::most_turns;  ///< of the loops of an invocation, see ir/plan/turns.h
  /// The variant of stages whose invocations sum no more than a part of a long sum: the terms of a contraction, a line
  /// of a reduction along one axis or of a scan.
  bool split = false;
  /// The last workgroup of a launch that reduces finishes the sums; else a stage of its own does. Needs memory in which
  /// workgroups see what others wrote.
  bool last_group_combines = true;
  bool own_math = true;  ///< our functions where GLSL's are inaccurate; false: the driver's (see docs/numerics)
  /// Quotients and roots of singles are rounded once, whatever the driver does: Vulkan lets it be off by 2.5 ulps.
  bool rounds_quotients = false;
  /// As a GPU wants it: memory is read fastest where neighbouring invocations read neighbouring words, and many loads
  /// are on their way together. Several invocations take a sparse row, sums take four terms a turn, tiles are larger.
  bool coalesces = false;
  bool optimize = true;                    ///< spirv-opt
  const SourceManager* sources = nullptr;  ///< for source lines in comments; none without
  bool validate = false;                   ///< spirv-val on every shader; a finding is an InternalError
  std::shared_ptr<SpirvStore> store = {};  ///< asked before the compiler; null: none
};

}  // namespace lac::codegen::glsl
