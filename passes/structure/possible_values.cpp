#include "passes/structure/possible_values.h"

#include <algorithm>

#include "ir/scalar/scalar_op.h"

namespace lac::passes {
namespace {

using Numbers = std::optional<std::vector<double>>;

constexpr std::size_t most_numbers = 4;

Numbers both(const Numbers& a, const Numbers& b) {
  if (!a || !b) return std::nullopt;
  std::vector<double> numbers = *a;
  for (double number : *b)
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  return numbers.size() <= most_numbers ? Numbers(std::move(numbers)) : std::nullopt;
}

bool is_always(const Numbers& numbers, double number) {
  return numbers && std::ranges::all_of(*numbers, [&](double other) { return other == number; });
}

}  // namespace

Numbers PossibleValues::of(ValueId value) {
  if (const auto found = known_.find(value); found != known_.end()) return found->second;
  known_.emplace(value, std::nullopt);
  return known_[value] = evaluate(value);
}

Numbers PossibleValues::evaluate(ValueId value) {
  const OpId id = graph_.values[value].op;
  if (!id.valid() || !graph_.type(value).is_scalar()) return std::nullopt;
  const Op& op = graph_.ops[id];
  switch (op.kind) {
    case OpKind::constant: return std::vector<double>{attribute<double>(op)};
    case OpKind::branch: return of_branch(op, graph_.values[value].index, id);
    case OpKind::map: return of_map(op, graph_.type(value).element);
    default: return std::nullopt;
  }
}

Numbers PossibleValues::of_branch(const Op& op, std::uint32_t result, OpId id) {
  const auto yielded = [&](std::size_t arm) { return of(graph_.blocks[op.blocks[arm]].yields[result]); };
  if (id == branch_) return yielded(arm_);
  const Numbers condition = of(op.operands[0]);
  if (is_always(condition, 0)) return yielded(1);
  if (is_always(condition, 1)) return yielded(0);
  return both(yielded(0), yielded(1));
}

Numbers PossibleValues::of_map(const Op& op, Element element) {
  std::vector<Numbers> operands;
  for (ValueId operand : op.operands) operands.push_back(of(operand));
  const ScalarOp function = attribute<ScalarOp>(op);
  const auto any_is = [&](double number) {
    return std::ranges::any_of(operands, [&](const Numbers& numbers) { return is_always(numbers, number); });
  };
  if (function == ScalarOp::logical_and && any_is(0)) return std::vector<double>{0};
  if (function == ScalarOp::logical_or && any_is(1)) return std::vector<double>{1};
  if (function == ScalarOp::select) {
    if (is_always(operands[0], 1)) return operands[1];
    return is_always(operands[0], 0) ? operands[2] : both(operands[1], operands[2]);
  }
  if (op.operands.size() > 2 || !std::ranges::all_of(operands, [](const Numbers& n) { return n.has_value(); }))
    return std::nullopt;
  Numbers results = std::vector<double>{};
  for (double a : *operands[0])
    for (double b : operands.size() == 2 ? *operands[1] : std::vector<double>{0})
      results = both(results, std::vector<double>{evaluate_as(element, function, a, b)});
  return results;
}

}  // namespace lac::passes
