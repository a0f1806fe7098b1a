#include "driver/explain/buffers.h"

#include <algorithm>

namespace lac::driver {

void Buffers::enter(const Op& op) {
  if (op.kind == OpKind::branch) return;
  if (op.kind == OpKind::loop) {  // operands: limit, condition, initial values; arguments: trip, carried
    const std::vector<ValueId>& arguments = plan_.blocks[op.blocks[0]].arguments;
    for (std::size_t n = 1; n < arguments.size(); ++n) share(arguments[n], op.operands[n + 1]);
    return;
  }
  for (std::size_t n = 0; n < op.results.size(); ++n) {
    const std::int32_t reused = n < op.reuse.size() ? op.reuse[n] : -1;
    if (reused >= 0) share(op.results[n], op.operands[static_cast<std::size_t>(reused)]);
    else make(op.results[n], op.kind == OpKind::parameter);
  }
}

void Buffers::leave(const Op& op) {
  if (op.kind != OpKind::branch && op.kind != OpKind::loop) return;
  const Block& first = plan_.blocks[op.blocks[0]];
  const bool loop = op.kind == OpKind::loop;
  for (std::size_t n = loop ? 1 : 0; n < op.results.size(); ++n)
    share(op.results[n], loop ? first.arguments[n] : first.yields[n]);
}

std::vector<std::uint32_t> Buffers::of(const std::vector<ValueId>& values) const {
  std::vector<std::uint32_t> numbers;
  for (ValueId value : values) {
    const auto found = number_.find(value);
    if (found != number_.end() && std::ranges::find(numbers, found->second) == numbers.end())
      numbers.push_back(found->second);
  }
  return numbers;
}

void Buffers::make(ValueId value, bool borrowed) {
  if (plan_.type(value).is_scalar()) return;
  number_[value] = static_cast<std::uint32_t>(buffers_.size());
  buffers_.push_back({plan_.values[value].name, plan_.text(plan_.type(value)), borrowed});
}

void Buffers::share(ValueId value, ValueId owner) {
  const auto found = number_.find(owner);
  if (found == number_.end()) return make(value, false);
  const std::uint32_t number = found->second;
  number_[value] = number;
  if (buffers_[number].name.empty()) buffers_[number].name = plan_.values[value].name;
}

}  // namespace lac::driver
