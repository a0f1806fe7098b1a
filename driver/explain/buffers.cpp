#include "driver/explain/buffers.h"

#include <algorithm>
#include <utility>

namespace lac::driver {
namespace {

void add(std::vector<std::uint32_t>& numbers, const std::vector<std::uint32_t>& more) {
  for (const std::uint32_t number : more)
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
}

}  // namespace

std::vector<std::uint32_t> Buffers::enter(const Op& op) {
  Numbers written;
  if (op.kind == OpKind::branch) return written;
  if (op.kind == OpKind::loop) {  // operands: limit, condition, initial values; arguments: trip, carried
    const std::vector<ValueId>& arguments = plan_.blocks[op.blocks[0]].arguments;
    for (std::size_t n = 1; n < arguments.size(); ++n) {
      if (plan_.type(arguments[n]).is_scalar()) continue;
      Numbers initial = of(op.operands[n + 1]);
      if (initial.empty()) add(written, initial = {make(arguments[n], false)});
      put(arguments[n], std::move(initial));
    }
    return written;
  }
  for (std::size_t n = 0; n < op.results.size(); ++n) {
    const ValueId result = op.results[n];
    if (plan_.type(result).is_scalar()) continue;
    const std::int32_t reused = n < op.reuse.size() ? op.reuse[n] : -1;
    Numbers own;
    if (reused >= 0) own = of(op.operands[static_cast<std::size_t>(reused)]);
    if (own.empty()) own = {make(result, op.kind == OpKind::parameter)};
    add(written, own);
    put(result, std::move(own));
  }
  return written;
}

std::vector<std::uint32_t> Buffers::leave(const Op& op) {
  Numbers written;
  const bool loop = op.kind == OpKind::loop;
  if (!loop && op.kind != OpKind::branch) return written;
  for (std::size_t n = loop ? 1 : 0; n < op.results.size(); ++n) {
    const ValueId result = op.results[n];
    if (plan_.type(result).is_scalar()) continue;
    Numbers own;
    if (loop) own = of(plan_.blocks[op.blocks[0]].arguments[n]);
    for (BlockId block : op.blocks) {
      if (loop) break;
      Numbers yielded = of(plan_.blocks[block].yields[n]);
      if (yielded.empty()) add(written, yielded = {make(result, false)});
      add(own, yielded);
    }
    put(result, std::move(own));
  }
  return written;
}

std::vector<std::uint32_t> Buffers::of(const std::vector<ValueId>& values) const {
  Numbers numbers;
  for (ValueId value : values) add(numbers, of(value));
  return numbers;
}

Buffers::Numbers Buffers::of(ValueId value) const {
  const auto found = numbers_.find(value);
  return found == numbers_.end() ? Numbers() : found->second;
}

std::uint32_t Buffers::make(ValueId value, bool borrowed) {
  buffers_.push_back({plan_.values[value].name, plan_.text(plan_.type(value)), borrowed});
  return static_cast<std::uint32_t>(buffers_.size() - 1);
}

void Buffers::put(ValueId value, Numbers numbers) {
  for (const std::uint32_t number : numbers)
    if (buffers_[number].name.empty()) buffers_[number].name = plan_.values[value].name;
  numbers_[value] = std::move(numbers);
}

}  // namespace lac::driver
