#include "passes/structure/possible_values.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "ir/scalar/scalar_op.h"

namespace lac::passes {
namespace {

using Numbers = PossibleValues::Numbers;

constexpr std::size_t most_numbers = 4;

/// 0 and -0 are equal, and two numbers.
bool is_same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool is_always(const Numbers& numbers, double number) {
  return numbers && std::ranges::all_of(*numbers, [&](double other) { return other == number; });
}

Numbers chosen(const Numbers& condition, const Numbers& yes, const Numbers& no) {
  if (is_always(condition, 1)) return yes;
  return is_always(condition, 0) ? no : PossibleValues::either(yes, no);
}

Numbers of_map(ScalarOp function, Element element, const std::vector<Numbers>& operands) {
  const auto any_is = [&](double number) {
    return std::ranges::any_of(operands, [&](const Numbers& numbers) { return is_always(numbers, number); });
  };
  if (function == ScalarOp::logical_and && any_is(0)) return std::vector<double>{0};
  if (function == ScalarOp::logical_or && any_is(1)) return std::vector<double>{1};
  if (function == ScalarOp::select) return chosen(operands[0], operands[1], operands[2]);
  if (operands.size() > 2 || !std::ranges::all_of(operands, [](const Numbers& n) { return n.has_value(); }))
    return std::nullopt;
  Numbers results = std::vector<double>{};
  for (double a : *operands[0])
    for (double b : operands.size() == 2 ? *operands[1] : std::vector<double>{0})
      results = PossibleValues::either(results, std::vector<double>{evaluate_as(element, function, a, b)});
  return results;
}

}  // namespace

PossibleValues::Numbers PossibleValues::either(const Numbers& a, const Numbers& b) {
  if (!a || !b) return std::nullopt;
  std::vector<double> numbers = *a;
  for (double number : *b)
    if (std::ranges::none_of(numbers, [&](double other) { return is_same(number, other); })) numbers.push_back(number);
  return numbers.size() <= most_numbers ? Numbers(std::move(numbers)) : std::nullopt;
}

/// By a stack of its own: programs may compute in long chains.
Numbers PossibleValues::of(ValueId value) {
  std::vector<ValueId> pending = {value};
  while (!pending.empty()) {
    const ValueId next = pending.back();
    const std::size_t before = pending.size();
    if (!found_.contains(next))
      for (ValueId needed : needed_for(next))
        if (!found_.contains(needed)) pending.push_back(needed);
    if (pending.size() > before) continue;
    if (!found_.contains(next)) found_[next] = evaluate(next);
    pending.pop_back();
  }
  return found_.at(value);
}

Numbers PossibleValues::where(ValueId value, ValueId known, double number) {
  for (ValueId needed : needed_for(value)) of(needed);
  return evaluate(value, known, number);
}

std::vector<ValueId> PossibleValues::needed_for(ValueId value) const {
  const Op* op = graph_.definition(value);
  if (!op || !graph_.type(value).is_scalar()) return {};
  if (op->kind == OpKind::map) return op->operands;
  if (op->kind != OpKind::branch) return {};
  std::vector<ValueId> needed = {op->operands[0]};
  for (BlockId arm : op->blocks) needed.push_back(graph_.blocks[arm].yields[graph_.values[value].index]);
  return needed;
}

/// From what is found of those needed.
Numbers PossibleValues::evaluate(ValueId value, ValueId known, double number) {
  const Op* op = graph_.definition(value);
  if (!op || !graph_.type(value).is_scalar()) return std::nullopt;
  if (op->kind == OpKind::constant) return std::vector<double>{attribute<double>(*op)};
  std::vector<Numbers> numbers;
  for (ValueId needed : needed_for(value))
    numbers.push_back(needed == known ? std::vector<double>{number} : found_.at(needed));
  if (op->kind == OpKind::branch) return chosen(numbers[0], numbers[1], numbers[2]);
  return op->kind == OpKind::map ? of_map(attribute<ScalarOp>(*op), graph_.type(value).element, numbers) : std::nullopt;
}

}  // namespace lac::passes
