// What passes that move work between the trips of a loop have in common.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/builder.h"

namespace lac::passes {

/// What reads what among the ops of one block.
class BlockUses {
 public:
  BlockUses(const Graph& graph, BlockId block);

  /// Made by an op of the block.
  bool is_local(ValueId value) const { return place_.contains(graph_.values[value].op); }
  /// The block's ops that read it, themselves or in their own blocks; once for each time.
  const std::vector<OpId>& readers(ValueId value) const;
  /// Where the op stood when this was made.
  std::size_t place(OpId op) const { return place_.at(op); }

 private:
  const Graph& graph_;
  std::unordered_map<OpId, std::size_t> place_;
  std::unordered_map<ValueId, std::vector<OpId>> readers_;
};

/// Calls visit(block, loop) for every loop, inner ones first, with the block that it stands in; true if any call says
/// so.
bool for_each_loop(Graph& graph, BlockId block, const std::function<bool(BlockId, OpId)>& visit);

/// Moves the block's ops from place `first` on to place `to`.
void move_ops(Graph& graph, BlockId block, std::size_t first, std::size_t to);

/// Makes the loop, an op of block `outside`, carry one more value; its place among the body's arguments and yields.
std::uint32_t add_slot(Graph& graph, BlockId outside, OpId loop, ValueId initial, ValueId yielded, std::string name);

/// Of two carried matrices that every trip makes the same, one that trips do not read leaves the loop: behind it stands
/// the other, or where there was no trip what it started from. True if there was one.
bool drop_twins(Graph& graph, BlockId outside, OpId loop);

/// Appends the ops once more, on the images of what they read; `image` has their results afterwards.
void append_copies(Graph& graph, BlockId block, const std::vector<Op>& ops,
                   std::unordered_map<ValueId, ValueId>& image);

/// The values that some op of the program reads, hands on or has in a size, other than to give them out.
std::unordered_set<ValueId> values_read(const Graph& graph);

/// What a device counts itself where nobody else counts its trips (Capabilities::device_counters), by the arguments of
/// the loop's body: what the loop carries and changes where nobody knows how many trips it makes at most, and what of
/// that is read behind it where they have a limit, but the device may end it before (`ends_early`).
std::vector<ValueId> counted_on_device(const Graph& graph, const Op& loop, bool ends_early,
                                       const std::unordered_set<ValueId>& read);

/// A stencil reads something in the loop's own body.
bool has_stencil(const Graph& graph, BlockId body);

/// The op can stand before the loop and behind it: nothing of a trip guards it or is in its sizes.
bool may_leave_trip(const Graph& graph, BlockId body, const Op& op);

/// An argument of the body, or made by an op of it.
bool is_of_trip(const Graph& graph, BlockId body, ValueId value);

/// A size in the type is of the trip.
bool mentions_trip(const Graph& graph, BlockId body, const Type& type);

}  // namespace lac::passes
