#include "passes/branches/scalar_work.h"

#include <algorithm>

namespace lac::passes {

bool is_scalar_arithmetic(const Graph& graph, const Op& op) {
  switch (op.kind) {
    case OpKind::constant:
    case OpKind::size: return true;
    case OpKind::map:
    case OpKind::convert:
      return std::ranges::all_of(op.operands, [&](ValueId operand) { return graph.type(operand).is_scalar(); });
    default: return false;
  }
}

}  // namespace lac::passes
