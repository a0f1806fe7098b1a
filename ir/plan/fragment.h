// Kernels as render passes, for the target vulkan-fragment: what codegen makes and its runtime draws, as plain data.
//
// Every value that kernels touch is a packed RGBA32F texture of `count` numbers: number e is channel e % 4 of texel
// (t % 1024, t / 1024), t = e / 4. A dense matrix is its elements in column-major order, a matrix by diagonals its
// stored values, a scalar that kernels compute one number. Channels past the last number are 0. Elements are single,
// logical as 0 and 1, or integers as two textures: the nearest single, and the rest as another one, exact up to 2^48.
//
// A pass is one triangle over the whole of its targets, which are of one extent; what it reads is never one of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/plan/shader.h"

namespace lac {

inline constexpr std::int64_t packed_width = 1024;

struct PackedExtent {
  std::uint32_t width = 1, height = 1;
  friend bool operator==(const PackedExtent&, const PackedExtent&) = default;
};

/// `count` is at least 1.
inline PackedExtent packed_extent(std::int64_t count) {
  const std::int64_t texels = (count + 3) / 4;
  return {static_cast<std::uint32_t>(std::min(texels, packed_width)),
          static_cast<std::uint32_t>((texels + packed_width - 1) / packed_width)};
}

/// What a target of a pass holds of an output.
struct FragmentTarget {
  std::uint32_t output = 0;
  bool rest = false;  ///< of its integers
};

/// Reductions: `main` leaves partial results, four channels to a texture, one texel for each texel of the domain, an
/// integer in two channels;
/// `fold` makes of every 4 x 4 texels one, until there is one; `finish` hands its channels out.
///
/// Reductions along one axis: `lines`, drawn over the targets of their results, goes along a line for each.
///
/// A contraction of many terms takes more turns than a fragment may make (turns.h). Then `part` is drawn for one part
/// of `part_terms` terms after the other, each adding to the texture that the last one left, and `main_of_parts` takes
/// the place of main: both have that texture as scratch 0.
struct FragmentKernel {
  std::string name;
  Size points = 1;                      ///< of the domain
  ShaderStage main;                     ///< targets: `stored`, then the partial textures
  std::vector<FragmentTarget> stored;   ///< by target
  std::uint32_t partials = 0;           ///< textures; 0: no reductions, and no shaders for them
  ShaderStage fold;                     ///< bindings and targets: the partial textures
  ShaderStage finish;                   ///< bindings: the partial textures, of one texel
  std::vector<FragmentTarget> reduced;  ///< by target of `finish`, a scalar each
  Size line_count = 0;                  ///< 0: there are none
  ShaderStage lines;
  std::vector<FragmentTarget> of_lines;  ///< by target of `lines`
  Size terms = 0;                        ///< of a dense contraction; 0: there is none, and no shaders for its parts
  std::int64_t part_terms = 0;
  ShaderStage first_part, part;  ///< target: c at the points of the texel so far; of integers a second one, the rest
  std::uint32_t part_targets = 1;
  ShaderStage main_of_parts;

  /// Those that there are.
  std::vector<ShaderStage*> stages() {
    std::vector<ShaderStage*> all = {&main};
    if (partials > 0) all.insert(all.end(), {&fold, &finish});
    if (!of_lines.empty()) all.push_back(&lines);
    if (part_terms > 0) all.insert(all.end(), {&first_part, &part, &main_of_parts});
    return all;
  }
};

/// VkDrawIndirectCommand of a draw that is one instance, or none.
struct DrawCounts {
  std::uint32_t vertices = 3, instances = 1, first_vertex = 0, first_instance = 0;
};

/// What a loop on the device knows of itself.
struct FragmentLoopState {
  std::uint32_t active = 1;
  std::uint32_t trips = 0;  ///< done
};

struct FragmentProgram {
  ShaderStage vertex;
  IdVector<KernelId, FragmentKernel> kernels;
  /// One workgroup after each recorded trip. Bindings: the condition (a packed scalar), the DrawCounts of the chunk,
  /// the FragmentLoopState; parameters: int32 first and last of the draws of the trips that follow. An active loop
  /// counts the trip; where the condition is false it becomes inactive and those draws get no instances.
  ShaderStage close_trip;
};

}  // namespace lac
