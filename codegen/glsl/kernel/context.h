// What the stages of one launch have in common.
#pragma once

#include <string>
#include <vector>

#include "codegen/glsl/text/stage_writer.h"

namespace lac::codegen::glsl {

struct KernelContext {
  const Graph& plan;
  const Kernel& kernel;
  const GlslOptions& options;
  std::string name;                     ///< legal, unique in the program: how the stages' names begin
  std::vector<Place> places;            ///< by input; meaningful for scalars
  std::vector<Layout> inputs, outputs;  ///< by input and output
  std::vector<std::int32_t> reuse;      ///< by output: the input whose memory it takes over, or -1
  std::vector<std::string> comment;     ///< for the top of every stage: the kernel's name and source lines
  std::int32_t parts = -1;      ///< the scratch that holds the contraction's parts (contraction_parts.h); -1: none
  std::string part = {};        ///< while parts are summed: its number, an int expression
  std::int64_t part_terms = 0;  ///< how many terms a part has; 0: as the workgroups along z share them out
  /// How the launch counts its scalar inputs and outputs: those of a tail (Plan::tails) stand behind those before it.
  std::uint32_t first_input = 0, first_output = 0;
  bool textures = false;  ///< inputs are packed textures, as fragment.h has them, whatever their layout
};

/// Of a launch. `plan` and `options` outlive it.
KernelContext kernel_context(const Plan& plan, const Op& launch, const GlslOptions& options);

}  // namespace lac::codegen::glsl
