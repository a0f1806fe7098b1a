// Reads the text form of graphs (text.h).
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "ir/graph/graph.h"
#include "ir/support/result.h"

namespace lac {

/// The graph that `text` describes, or "line:column: what is wrong". Only the form is checked; verifier.h checks the
/// rest. Values may be named before they are defined.
Result<Graph> parse_graph(std::string_view text);

/// The same with the values by their numbers in the text.
struct NumberedGraph {
  Graph graph;
  std::map<std::uint32_t, ValueId> values;
};
Result<NumberedGraph> parse_numbered_graph(std::string_view text);

}  // namespace lac
