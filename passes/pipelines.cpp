#include "passes/pipelines.h"

#include <sstream>

namespace lac::passes {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

/// What a pass left over: equal values, and such that nobody reads.
const std::string tidy = " canonicalize cse dce ";

const std::string graph_passes =
    "dce order_products canonicalize constant_fold silent_checks diagonals" + tidy + "licm cse dce ";
const std::string fold_passes = " fold_vectors" + tidy;
const std::string straight_passes = "if_convert" + tidy;
const std::string element_passes = "carry_elements dce ";
const std::string trip_passes = "advance dce retime dce recompute dce ";
const std::string kernel_passes =
    "rematerialize dce fuse dce join_nests dce follow_products split_stencils guard_launches schedule plan_memory ";
const std::string group_passes = "assign_layouts schedule_groups";

// What a device decides it decides once, and it also chooses: selects instead of branches, where scalars are all that
// depends on them.
const std::string cpu = graph_passes + "batch_updates" + fold_passes,
                  vulkan = graph_passes + "select_scalars" + tidy + fold_passes, joined = "join_branches dce ";

}  // namespace

const std::vector<Pipeline>& all_pipelines() {
  static const std::vector<Pipeline> pipelines = {
      {"none", {}},
      {"cpu", words(cpu + straight_passes + element_passes + trip_passes + kernel_passes)},
      {"cpu-no-retime", words(cpu + kernel_passes)},
      {"vulkan", words(vulkan + straight_passes + joined + trip_passes + kernel_passes + group_passes)},
      {"vulkan-no-retime", words(vulkan + joined + kernel_passes + group_passes)},
  };
  return pipelines;
}

const Pipeline* find_pipeline(std::string_view name) {
  for (const Pipeline& pipeline : all_pipelines())
    if (pipeline.name == name) return &pipeline;
  return nullptr;
}

}  // namespace lac::passes
