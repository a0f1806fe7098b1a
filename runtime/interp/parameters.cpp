#include "runtime/interp/parameters.h"

#include <fmt/format.h>

#include "ir/support/result.h"
#include "ir/types/extent.h"

namespace lac::runtime::interp {

std::int64_t size_of_symbol(const SizeSymbol& symbol, const std::vector<Tensor>& parameters,
                            const std::function<double(ValueId)>& number) {
  switch (symbol.origin) {
    case SymbolOrigin::parameter_rows: return parameters[symbol.parameter].rows();
    case SymbolOrigin::parameter_cols: return parameters[symbol.parameter].cols();
    case SymbolOrigin::parameter_value: return size_of_number(parameters[symbol.parameter].as_scalar());
    case SymbolOrigin::value: return size_of_number(number(symbol.value));
  }
  throw InternalError("a size symbol of unknown origin");
}

std::optional<std::string> find_mismatch(const Graph& graph, const std::vector<Tensor>& parameters) {
  if (parameters.size() != graph.parameters.size())
    return fmt::format("{} parameters, expected {}", parameters.size(), graph.parameters.size());
  const auto value_of = [&](SymbolId id) {
    return size_of_symbol(graph.symbols[id], parameters, [](ValueId) -> double {
      throw InternalError("the type of a parameter mentions a runtime size");
    });
  };
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Tensor& tensor = parameters[p];
    const Type& type = graph.parameters[p].type;
    const std::string& name = graph.parameters[p].name;
    const std::int64_t rows = type.rows.evaluate(value_of), cols = type.cols.evaluate(value_of);
    if (tensor.rows() != rows || tensor.cols() != cols)
      return fmt::format("parameter {} is {}x{}, expected {}x{}", name, tensor.rows(), tensor.cols(), rows, cols);
    if (tensor.element() != type.element || tensor.storage() != type.storage)
      return fmt::format("parameter {} is {} {}, expected {} {}", name, lac::name(tensor.element()),
                         lac::name(tensor.storage()), lac::name(type.element), lac::name(type.storage));
    std::vector<std::int64_t> offsets;
    for (const Size& offset : type.offsets) offsets.push_back(offset.evaluate(value_of));
    if (tensor.offsets() != offsets) return fmt::format("parameter {} has other diagonals than expected", name);
  }
  return std::nullopt;
}

}  // namespace lac::runtime::interp
