// Whether the parameters of a run are what the Graph expects.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph/graph.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::interp {

/// The first parameter whose element, storage, diagonals or extents differ from its stated type, in words: "parameter b
/// is 3x1, expected 4x1". Symbols take their numbers from the parameters themselves.
std::optional<std::string> find_mismatch(const Graph& graph, const std::vector<Tensor>& parameters);

/// The size that a symbol stands for; `number` gives the scalar that a runtime size is computed from.
std::int64_t size_of_symbol(const SizeSymbol& symbol, const std::vector<Tensor>& parameters,
                            const std::function<double(ValueId)>& number);

}  // namespace lac::runtime::interp
