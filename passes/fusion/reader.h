// What a kernel op reads, seen through everything that is never stored.
#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/graph.h"
#include "passes/capabilities.h"
#include "passes/cost/cost.h"
#include "passes/fusion/access.h"

namespace lac::passes {

struct OperandRead {
  ValueId value;
  Access access;
};

/// The points over which a kernel op is evaluated.
Domain kernel_domain(const Graph& graph, const Op& op);
/// How a kernel op reads its operands at a point. The base of an update in place and the sparse matrix of a product are
/// not among them (see whole_operand).
std::vector<OperandRead> operand_reads(const Graph& graph, const Op& op);
/// The operand that a kernel op uses as it is, not element by element: the base of an update in place, a sparse
/// product's matrix.
ValueId whole_operand(const Graph& graph, const Op& op);

bool is_view(const Op& op);
bool is_elementwise(const Op& op);
/// Elementwise work or a reduction: it joins the pass over memory that has its operands.
bool joins_pass(const Op& op);

/// Expands values of one block down to what is in memory. Views, fills, iotas and cheap scalar arithmetic are expanded
/// where they are read; so are the elementwise values in `inlined`. Of enclosing blocks only what costs nothing to
/// repeat is expanded: constants, fills, iotas, reshapes and slices.
class Reader {
 public:
  Reader(const Graph& graph, BlockId block, const Capabilities& capabilities);

  std::unordered_set<ValueId> inlined;  ///< elementwise values that are computed where they are read
  std::unordered_set<ValueId> cut;      ///< views and scalars that are read from memory all the same

  struct Visitor {
    std::function<void(ValueId root, const Access& access)> leaf;  ///< a matrix in memory, access normalised
    std::function<void(ValueId scalar)> scalar;                    ///< a scalar that becomes an input
    std::function<void(OpId op)> expanded;                         ///< each op that was looked through
  };
  void walk(ValueId value, const Access& access, const Domain& domain, const Visitor& visitor) const;

  /// True for ops of the block itself.
  bool is_local(ValueId value) const;
  /// The elementwise value is computed from coordinates and scalars alone, with little work: that takes less than
  /// reading it, and so it is repeated wherever it is read through such an access.
  bool is_generated(ValueId value, const Access& access, const Domain& domain) const;
  /// A scalar, or computed from coordinates and scalars by little work.
  bool costs_no_read(ValueId value) const;
  /// The scalar op is repeated in the kernels that read it.
  bool inlines_scalar(ValueId value) const;
  /// The access to the view's operand if the view is expanded there.
  std::optional<Access> expand_view(ValueId value, const Access& access, const Domain& domain) const;
  /// The access to the operand of a view of one element, if the view is expanded.
  std::optional<Access> expand_element(ValueId value) const;

 private:
  bool looks_through(ValueId value) const;
  cost::Time time_of_generating(ValueId value) const;
  bool can_generate(ValueId value, const Access& access, const Domain& domain) const;
  void walk_scalar(ValueId value, const Domain& domain, const Visitor& visitor) const;
  void walk_gathers(const Access& access, const Domain& domain, const Visitor& visitor) const;

  const Graph& graph_;
  bool fusion_;
  std::unordered_set<OpId> local_;
  std::unordered_set<ValueId> inlined_scalars_;
  mutable std::unordered_map<ValueId, cost::Time> generating_;  ///< what is known of time_of_generating
};

}  // namespace lac::passes
