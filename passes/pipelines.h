// The pipelines: data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lac::passes {

struct Pipeline {
  std::string_view name;
  std::vector<std::string> passes;
};

/// `none` (the oracle runs the graph as lowered), `cpu` and `vulkan` (end in phase plan), and these with `-no-retime`:
/// all work stays in its trip.
const std::vector<Pipeline>& all_pipelines();
/// Null when there is no such pipeline.
const Pipeline* find_pipeline(std::string_view name);

}  // namespace lac::passes
