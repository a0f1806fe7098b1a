// Graphs and Plans as bytes, to keep them between processes. Ids stay what they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/plan/plan.h"

namespace lac {

std::string to_bytes(const Graph& graph);
std::string to_bytes(const Plan& plan);
/// Nothing for bytes that no `to_bytes` of this version wrote. That the graph is sound is not checked: the verifier is
/// for that.
std::optional<Graph> graph_from_bytes(std::string_view bytes);
/// The same; plan_verifier.h.
std::optional<Plan> plan_from_bytes(std::string_view bytes);

}  // namespace lac
