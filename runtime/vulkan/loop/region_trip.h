// Recording one trip: the ops of a loop's body, with what the host does at the poll left behind as entries.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/vulkan/loop/region_cells.h"
#include "runtime/vulkan/loop/region_chunk.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// What the host has to do if the trip ran: a text, or a check that may have failed.
struct Entry {
  struct Operand {
    Value value;             ///< a text's: known to the host, or nothing
    std::int32_t slot = -1;  ///< of the chunk's log
    Element element = Element::real;
  };

  OpId op;
  std::int64_t trip = 0;
  std::vector<std::int64_t> inner;  ///< of the loops inside around it, outermost first
  std::int32_t mark = -1;           ///< log slot; texts only
  std::int32_t number = 0;          ///< of a check, from 1
  std::vector<Operand> operands;
};

class TripRecorder {
 public:
  TripRecorder(Machine& machine, ChunkRecorder& recorder, const Cells& cells)
      : machine_(machine), recorder_(recorder), cells_(cells) {}

  /// The body's ops. False where a check that the host knows to fail ended it. Entries are appended.
  bool record(BlockId body, std::int64_t trip, std::vector<Entry>& entries);
  /// By the place of a loop inside: its trips that were recorded so far.
  const std::map<LocationId, std::int64_t>& inner_trips() const { return inner_trips_; }
  /// Copies the matrices of `other` to those of `kept` where they are not the same, as if all at once.
  void merge_matrices(const std::vector<Value>& kept, const std::vector<Value>& other);

 private:
  bool walk(BlockId block, bool certain);
  bool visit(OpId id, bool certain);
  bool check(OpId id, bool certain);
  void text(OpId id);
  bool branch(OpId id, bool certain);
  bool inner_loop(const Op& op, bool certain);
  void device_branch(const Op& op);
  std::vector<MatrixRef> homes_of(const Op& op, const std::vector<std::pair<ValueId, Value>>& outside) const;
  void send_copies_home(const Op& op, const std::vector<MatrixRef>& homes);
  std::vector<Value> arm(const Op& op, std::size_t which);
  void copy_to(const Op& op, const MatrixRef& target);
  void copy_contents(const MatrixRef& from, const MatrixRef& to);

  Machine& machine_;
  ChunkRecorder& recorder_;
  const Cells& cells_;
  std::vector<Entry>* entries_ = nullptr;
  std::int64_t trip_ = 0;
  std::vector<std::int64_t> inner_;
  std::map<LocationId, std::int64_t> inner_trips_;
  std::int32_t checks_ = 0;
  std::unordered_map<ValueId, MatrixRef> targets_;  ///< of copies, by what they make
};

}  // namespace lac::runtime::vulkan
