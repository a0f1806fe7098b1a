#include "runtime/cpu/binding.h"

#include <fmt/format.h>

#include "ir/types/extent.h"
#include "runtime/cpu/context.h"

namespace lac::runtime {
namespace {

std::int64_t symbol_value(const SizeSymbol& symbol, const std::vector<Tensor>& parameters) {
  const Tensor& tensor = parameters[symbol.parameter];
  if (symbol.origin == SymbolOrigin::parameter_rows) return tensor.rows();
  if (symbol.origin == SymbolOrigin::parameter_cols) return tensor.cols();
  return tensor.is_scalar() ? size_of_number(tensor.as_scalar()) : 0;
}

}  // namespace

std::optional<std::string> binding_problem(const Manifest& manifest, const std::vector<Tensor>& parameters) {
  if (parameters.size() != manifest.parameters.size())
    return fmt::format("{} parameters expected, {} given", manifest.parameters.size(), parameters.size());
  const auto value_of = [&](SymbolId id) { return symbol_value(manifest.symbols[id], parameters); };
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& given = parameters[i];
    const Type& type = manifest.parameters[i].type;
    const std::string& name = manifest.parameters[i].name;
    if (given.element() != type.element)
      return fmt::format("parameter {} is {} where {} was compiled", name, lac::name(given.element()),
                         lac::name(type.element));
    if (given.storage() != type.storage)
      return fmt::format("parameter {} has {} storage where {} was compiled", name, lac::name(given.storage()),
                         lac::name(type.storage));
    const std::int64_t rows = type.rows.evaluate(value_of), cols = type.cols.evaluate(value_of);
    if (given.rows() != rows || given.cols() != cols)
      return fmt::format("parameter {} is {}x{} where {}x{} is expected", name, given.rows(), given.cols(), rows, cols);
    if (type.storage != Storage::diagonal) continue;
    std::vector<std::int64_t> offsets;
    for (const Size& offset : type.offsets) offsets.push_back(offset.evaluate(value_of));
    if (offsets != given.offsets()) return fmt::format("parameter {} has other diagonals than were compiled", name);
  }
  return std::nullopt;
}

void bind(abi::Context& run, const std::vector<Tensor>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& tensor = parameters[i];
    abi::Argument argument{nullptr, 0, tensor.rows(), tensor.cols()};
    if (run.manifest.parameters[i].type.is_scalar()) argument.scalar = tensor.as_scalar();
    else argument.buffer = run.pool.borrow(tensor);
    run.arguments.push_back(argument);
  }
}

}  // namespace lac::runtime
