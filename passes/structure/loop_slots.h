// What passes that move work between the trips of a loop have in common.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/graph/builder.h"

namespace lac::passes {

/// Makes the loop, an op of block `outside`, carry one more value; its place among the body's arguments and yields.
std::uint32_t add_slot(Graph& graph, BlockId outside, OpId loop, ValueId initial, ValueId yielded, std::string name);

/// Appends the ops once more, on the images of what they read; `image` has their results afterwards.
void append_copies(Graph& graph, BlockId block, const std::vector<Op>& ops,
                   std::unordered_map<ValueId, ValueId>& image);

/// A stencil reads something in the loop's own body.
bool has_stencil(const Graph& graph, BlockId body);

/// The op can stand before the loop and behind it: nothing of a trip guards it or is in its sizes.
bool may_leave_trip(const Graph& graph, BlockId body, const Op& op);

/// A size in the type is an argument of the body or made in it.
bool mentions_trip(const Graph& graph, BlockId body, const Type& type);

}  // namespace lac::passes
