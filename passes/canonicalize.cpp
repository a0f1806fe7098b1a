#include "passes/canonicalize.h"

#include "passes/rules/rewriter.h"

namespace lac::passes {

bool canonicalize(Graph& graph, PassContext& context) {
  Rewriter rewriter(graph, context.capabilities,
                    {append_rules(), elementwise_rules(), view_rules(), few_lines_rules(), mask_rules(),
                     product_rules(), reduction_rules()});
  return rewriter.run();
}

}  // namespace lac::passes
