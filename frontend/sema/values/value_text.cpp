#include "frontend/sema/values/value_text.h"

#include <bit>
#include <cstdint>

namespace lac::frontend {
namespace {

constexpr int deepest = 6;  ///< operations one in the other

std::string text_of(const Emitter& e, ValueId value, int depth) {
  const Op* op = e.graph.definition(value);
  if (op && op->kind == OpKind::constant)
    return std::to_string(std::bit_cast<std::uint64_t>(attribute<double>(*op))) + ":" +
           std::to_string(static_cast<int>(e.type(value).element)) + " ";
  if (op && op->kind == OpKind::size)
    return to_string(attribute<Size>(*op), [](SymbolId id) { return "#" + std::to_string(id.index); }) + " ";
  const bool computed = op && (op->kind == OpKind::map || op->kind == OpKind::convert);
  if (!computed) return "%" + std::to_string(value.index) + " ";
  if (depth == 0) return {};
  std::string text = op->kind == OpKind::map ? std::string(name(attribute<ScalarOp>(*op))) : "convert";
  text += ":" + std::to_string(static_cast<int>(e.type(value).element)) + "(";
  for (ValueId operand : op->operands) {
    const std::string part = text_of(e, operand, depth - 1);
    if (part.empty()) return {};
    text += part;
  }
  return text + ")";
}

}  // namespace

std::string text_of_value(const Emitter& e, ValueId value) { return text_of(e, value, deepest); }

}  // namespace lac::frontend
