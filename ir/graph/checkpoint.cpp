#include "ir/graph/checkpoint.h"

namespace lac {

Checkpoint::Checkpoint(const Graph& graph, const std::vector<BlockId>& open)
    : parameters_(graph.parameters.size()),
      symbols_(graph.symbols.size()),
      values_(graph.values.size()),
      ops_(graph.ops.size()),
      blocks_(graph.blocks.size()),
      locations_(graph.locations.size()) {
  for (BlockId block : open)
    open_.push_back({block, graph.blocks[block].ops.size(), graph.blocks[block].arguments.size()});
}

void Checkpoint::restore(Graph& graph) const {
  for (std::size_t i = symbols_; i < graph.symbols.size(); ++i) {
    const SizeSymbol& symbol = graph.symbols[SymbolId{static_cast<std::uint32_t>(i)}];
    if (symbol.origin == SymbolOrigin::value && symbol.value.index < values_) graph.values[symbol.value].symbol = {};
  }
  for (const Length& length : open_) {
    graph.blocks[length.block].ops.resize(length.ops);
    graph.blocks[length.block].arguments.resize(length.arguments);
  }
  graph.parameters.resize(parameters_);
  graph.symbols.resize(symbols_);
  graph.values.resize(values_);
  graph.ops.resize(ops_);
  graph.blocks.resize(blocks_);
  graph.locations.resize(locations_);
}

}  // namespace lac
