// Kernels as render passes, for the target vulkan-fragment: what codegen makes and its runtime draws, as plain data.
//
// Every value that kernels touch is a packed RGBA32F texture of `count` numbers: number e is channel e % 4 of texel
// (t % texel_fold, t / texel_fold), t = e / 4: vectors of Layout::texel (ir/plan/texel.h) fold the same way, and a
// matrix of any shape has room as long as its elements have. A dense matrix is its elements in column-major order, a
// matrix by diagonals its stored values, a scalar that kernels compute one number. Channels past the last number are 0.
// Elements are single, or logical as 0 and 1. What is a double (integers are) is two textures: the nearest single, and
// the rest as another one, which is 48 bits: integers are exact up to 2^48.
//
// A pass is one triangle over the whole of its targets, which are of one extent; what it reads is never one of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/plan/shader.h"
#include "ir/plan/texel.h"

namespace lac {

struct PackedExtent {
  std::uint32_t width = 1, height = 1;
  friend bool operator==(const PackedExtent&, const PackedExtent&) = default;
};

/// Textures, or channels of one, that hold an element.
constexpr std::uint32_t channels_of(Element element) {
  return element == Element::integer || element == Element::real ? 2 : 1;
}

/// `count` is at least 1.
inline PackedExtent packed_extent(std::int64_t count) {
  const std::int64_t texels = (count + 3) / 4;
  return {static_cast<std::uint32_t>(std::min(texels, texel_fold)),
          static_cast<std::uint32_t>((texels + texel_fold - 1) / texel_fold)};
}

/// What a target of a pass holds: an output, or of each point what a scatter wants.
struct FragmentTarget {
  std::uint32_t output = 0;
  bool rest = false;          ///< of doubles
  std::int32_t scatter = -1;  ///< FragmentKernel::scatters
  bool position = false;      ///< of the scatter, from 1; 0: the point is left out. Else the value
};

struct FragmentPass {
  ShaderStage stage;
  std::vector<FragmentTarget> targets;
};

/// Texels of partial results that one fragment adds up, in their order.
inline constexpr std::int64_t folded_texels = 1024;

/// What one pass over the domain makes. Reductions: it leaves partial results in textures behind its targets, four
/// channels to a texture, one texel for each texel of the domain, a double in two channels; `fold` makes one of every
/// `folded_texels`, as long as there are more; `finish` adds the last ones and hands out what their channels are.
struct FragmentGroup {
  FragmentPass main;
  std::uint32_t partials = 0;  ///< textures; 0: no reductions, and no shaders for them
  ShaderStage fold;            ///< bindings and targets: the partial textures
  FragmentPass finish;         ///< bindings: the partial textures; targets are scalars
  ShaderStage main_of_parts;   ///< takes the place of `main` where the contraction is summed in parts
};

/// An output of which points write any element, in their order: over what its base has, or over zeros.
struct FragmentScatter {
  std::uint32_t output = 0;
  std::int32_t base = -1;  ///< an input
  Size count = 0;          ///< of its elements
  bool rest = false;       ///< they are doubles
};

/// Reductions along one axis: each of `lines` is drawn over the targets of its results, and goes along a line for each.
///
/// A contraction of many terms takes more turns than a fragment may make (turns.h). Then `part` is drawn for one part
/// of `part_terms` terms after the other, each adding to the texture that the last one left, and `main_of_parts` takes
/// the place of main: both have that texture as scratch 0.
struct FragmentKernel {
  std::string name;
  Size points = 1;  ///< of the domain
  std::vector<FragmentGroup> groups;
  std::vector<FragmentScatter> scatters;  ///< in the order of the kernel's stores
  Size line_count = 0;
  std::vector<FragmentPass> lines;
  Size terms = 0;  ///< of a dense contraction; 0: there is none, and no shaders for its parts
  std::int64_t part_terms = 0;
  ShaderStage first_part, part;  ///< target: c at the points of the texel so far; of doubles a second one, the rest
  std::uint32_t part_targets = 1;

  /// Those that there are.
  std::vector<ShaderStage*> stages() {
    std::vector<ShaderStage*> all;
    for (FragmentGroup& group : groups) {
      all.push_back(&group.main.stage);
      if (group.partials > 0) all.insert(all.end(), {&group.fold, &group.finish.stage});
      if (part_terms > 0) all.push_back(&group.main_of_parts);
    }
    for (FragmentPass& pass : lines) all.push_back(&pass.stage);
    if (part_terms > 0) all.insert(all.end(), {&first_part, &part});
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

/// The parameters of a scatter.
struct ScatterParameters {
  std::int32_t channel = 0;            ///< the only one that the draw writes
  std::int32_t width = 1, height = 1;  ///< of the targets
};

struct FragmentProgram {
  ShaderStage vertex;
  IdVector<KernelId, FragmentKernel> kernels;
  /// One workgroup after each recorded trip. Bindings: the condition (a packed scalar), the DrawCounts of the chunk,
  /// the FragmentLoopState; parameters: int32 first and last of the draws of the trips that follow. An active loop
  /// counts the trip; where the condition is false it becomes inactive and those draws get no instances.
  ShaderStage close_trip;
  ShaderStage copy;  ///< binding: what is copied into a target of its extent
  ShaderStage zero;
  /// A point for each point of the kernel, at the texel of its position; bindings: positions and their rests, values
  /// and their rests; parameters: ScatterParameters. `scatter` has one target, `scatter_doubles` two. Positions and
  /// parameters are the vertex shader's.
  ShaderStage scatter_vertex, scatter, scatter_doubles;

  /// Those that belong to no kernel.
  std::vector<ShaderStage*> own_stages() {
    return {&vertex, &close_trip, &copy, &zero, &scatter_vertex, &scatter, &scatter_doubles};
  }
};

}  // namespace lac
