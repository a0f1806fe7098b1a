// Who may read which buffer, in phase plan: the interpreter's tensors are immutable values, so a plan that reuses
// memory too early, or puts two matrices into one buffer, would still compute the right thing. This class notices it.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/plan/plan.h"

namespace lac::runtime::interp {

/// Tracks one buffer for each matrix value. Scalars have none, and a graph without plan ops or reuse is not tracked.
/// Every member throws InternalError when the plan breaks its contract.
class Ownership {
 public:
  /// `plan` is the graph's, or null where only the graph is there: buffers have no names then.
  explicit Ownership(const Graph& graph, const Plan* plan);

  bool tracked() const { return tracked_; }
  /// `value` has a fresh buffer of `bytes` (or, for parameters, one that is only borrowed from the host).
  void define(ValueId value, std::int64_t bytes, bool borrowed = false);
  /// `value` is another name for the buffer of `source`.
  void define_view(ValueId value, ValueId source);
  /// The buffer of `source` goes on as the buffer of something else; reading `source` is an error from now on.
  void take_over(ValueId source);
  void release(ValueId value);
  /// At the end of a run everything has been released: what is left would pile up in a loop.
  void check_end() const;
  void check_read(ValueId value) const;

  std::int64_t peak_bytes() const { return peak_bytes_; }
  std::int64_t buffers_made() const { return buffers_made_; }

 private:
  /// A place in the table, which later buffers use again: `made` tells them apart.
  struct Buffer {
    std::int64_t bytes = 0;
    bool borrowed = false;
    bool live = true;
    std::int64_t made = 0;
  };
  struct Reference {
    std::size_t place = 0;
    std::int64_t made = -1;  ///< none yet
  };

  bool ignores(ValueId value) const;
  bool is_live(const Reference& reference) const;
  void end(ValueId value);
  void occupy(ValueId value);
  void vacate(ValueId value);

  const Graph& graph_;
  const Plan* plan_;
  bool tracked_ = false;
  std::vector<Reference> buffer_of_;  ///< by value
  std::vector<Buffer> buffers_;
  std::vector<std::size_t> free_;  ///< places of buffers that ended
  std::vector<bool> occupied_;     ///< by buffer of the plan
  std::int64_t buffers_made_ = 0;
  std::int64_t live_bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace lac::runtime::interp
