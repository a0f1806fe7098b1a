// Where views stand among the ops of a block.
#pragma once

#include "ir/graph/outer_uses.h"

namespace lac::passes {

/// Views go down to their own first readers, or to the block's end: there they may take the buffer over, where above
/// one that reads their source they would be second names of it, which a loop's next trip cannot have.
void sink_views(Graph& graph, BlockId block, OuterUses& outer);

}  // namespace lac::passes
