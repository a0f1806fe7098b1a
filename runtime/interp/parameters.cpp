#include "runtime/interp/parameters.h"

#include <fmt/format.h>

#include "ir/support/result.h"

namespace lac::runtime::interp {

std::optional<std::string> find_mismatch(const Graph& graph, const std::vector<Tensor>& parameters) {
  if (parameters.size() != graph.parameters.size())
    return fmt::format("{} parameters, expected {}", parameters.size(), graph.parameters.size());
  const auto symbol_value = [&](SymbolId id) -> std::int64_t {
    const SizeSymbol& symbol = graph.symbols[id];
    const Tensor& source = parameters[symbol.parameter];
    switch (symbol.origin) {
      case SymbolOrigin::parameter_rows: return source.rows();
      case SymbolOrigin::parameter_cols: return source.cols();
      case SymbolOrigin::parameter_value: return static_cast<std::int64_t>(source.as_scalar());
      case SymbolOrigin::value: break;
    }
    throw InternalError("the type of a parameter mentions a runtime size");
  };
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Tensor& tensor = parameters[p];
    const Type& type = graph.parameters[p].type;
    const std::string& name = graph.parameters[p].name;
    const std::int64_t rows = type.rows.evaluate(symbol_value), cols = type.cols.evaluate(symbol_value);
    if (tensor.rows() != rows || tensor.cols() != cols)
      return fmt::format("parameter {} is {}x{}, expected {}x{}", name, tensor.rows(), tensor.cols(), rows, cols);
    if (tensor.element() != type.element || tensor.storage() != type.storage)
      return fmt::format("parameter {} is {} {}, expected {} {}", name, lac::name(tensor.element()),
                         lac::name(tensor.storage()), lac::name(type.element), lac::name(type.storage));
    std::vector<std::int64_t> offsets;
    for (const Size& offset : type.offsets) offsets.push_back(offset.evaluate(symbol_value));
    if (tensor.offsets() != offsets) return fmt::format("parameter {} has other diagonals than expected", name);
  }
  return std::nullopt;
}

}  // namespace lac::runtime::interp
