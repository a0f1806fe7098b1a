#include "frontend/sema/values/effects.h"

#include <cstdint>

namespace lac::frontend {

OpId next_op(const Graph& graph) { return OpId{static_cast<std::uint32_t>(graph.ops.size())}; }

void require_no_effect(Emitter& e, OpId first, Span span) {
  for (OpId id = first; id.index < e.graph.ops.size(); ++id.index) {
    const OpKind kind = e.graph.ops[id].kind;
    if (kind == OpKind::random || kind == OpKind::format || kind == OpKind::print)
      e.fail(
          span,
          "the subscripts of what is updated are computed twice, and here they draw random numbers or print: give the "
          "position a name before");
  }
}

}  // namespace lac::frontend
