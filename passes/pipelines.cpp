#include "passes/pipelines.h"

namespace lac::passes {

// canonicalize and cse run again after licm: what left a loop may meet its equal outside.
const std::vector<Pipeline>& all_pipelines() {
  static const std::vector<Pipeline> pipelines = {
      {"none", {}},
      {"cpu",
       {"dce", "canonicalize", "constant_fold", "silent_checks", "canonicalize", "cse", "dce", "licm", "cse", "dce",
        "batch_updates", "fuse", "dce", "schedule", "plan_memory"}},
      // What a device decides it also chooses: selects instead of branches, where scalars are all that depends on them.
      {"vulkan",
       {"dce", "canonicalize", "constant_fold", "silent_checks", "canonicalize", "cse", "dce", "licm", "cse", "dce",
        "select_scalars", "canonicalize", "cse", "dce", "fuse", "dce", "schedule", "plan_memory", "assign_layouts"}},
  };
  return pipelines;
}

const Pipeline* find_pipeline(std::string_view name) {
  for (const Pipeline& pipeline : all_pipelines())
    if (pipeline.name == name) return &pipeline;
  return nullptr;
}

}  // namespace lac::passes
