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

const std::string graph_passes = "dce canonicalize constant_fold silent_checks diagonals" + tidy + "licm cse dce ";
const std::string kernel_passes =
    " fold_vectors" + tidy + "advance dce retime dce recompute dce fuse dce schedule plan_memory ";

}  // namespace

const std::vector<Pipeline>& all_pipelines() {
  static const std::vector<Pipeline> pipelines = {
      {"none", {}},
      {"cpu", words(graph_passes + "batch_updates" + kernel_passes)},
      // What a device decides it also chooses: selects instead of branches, where scalars are all that depends on them.
      {"vulkan", words(graph_passes + "select_scalars" + tidy + kernel_passes + "assign_layouts")},
  };
  return pipelines;
}

const Pipeline* find_pipeline(std::string_view name) {
  for (const Pipeline& pipeline : all_pipelines())
    if (pipeline.name == name) return &pipeline;
  return nullptr;
}

}  // namespace lac::passes
