// A Graph as bytes, to keep a Plan between processes. Ids stay what they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/graph/graph.h"

namespace lac {

std::string to_bytes(const Graph& graph);
/// Nothing for bytes that no `to_bytes` of this version wrote. That the graph is sound is not checked: the verifier is
/// for that.
std::optional<Graph> graph_from_bytes(std::string_view bytes);

}  // namespace lac
