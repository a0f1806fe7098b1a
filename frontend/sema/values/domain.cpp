// NaN and one warning for each place.
#include "frontend/sema/values/domain.h"

#include <cmath>

#include "frontend/sema/values/sparse.h"
#include "ir/graph/warning_ids.h"

namespace lac::frontend {
namespace {

enum class Outside : std::uint8_t { below_zero, below_minus_one, below_one, beyond_one, root, negative_gamma };

/// What is outside a function's real domain, and what a message says of it.
struct Domain {
  ScalarOp function;
  Outside outside;
  const char* what;
};

constexpr Domain domains[] = {
    {ScalarOp::sqrt, Outside::below_zero, "sqrt of a negative number"},
    {ScalarOp::log, Outside::below_zero, "log of a negative number"},
    {ScalarOp::log2, Outside::below_zero, "log2 of a negative number"},
    {ScalarOp::log10, Outside::below_zero, "log10 of a negative number"},
    {ScalarOp::log1p, Outside::below_minus_one, "log1p of a number below -1"},
    {ScalarOp::asin, Outside::beyond_one, "asin of a number outside -1 to 1"},
    {ScalarOp::acos, Outside::beyond_one, "acos of a number outside -1 to 1"},
    {ScalarOp::atanh, Outside::beyond_one, "atanh of a number outside -1 to 1"},
    {ScalarOp::acosh, Outside::below_one, "acosh of a number below 1"},
    {ScalarOp::lgamma, Outside::negative_gamma, "lgamma where gamma is negative"},
    {ScalarOp::pow, Outside::root, "a negative number to a power that is not an integer"},
};

const Domain* domain_of(ScalarOp op) {
  for (const Domain& domain : domains)
    if (domain.function == op) return &domain;
  return nullptr;
}

// Logical, of the shape of the result. NaN is inside: it is a number's absence, not a complex number.
ValueId outside_mask(Emitter& e, Outside outside, const std::vector<ValueId>& operands) {
  Builder& b = e.builder;
  const ValueId x = operands[0];
  const auto number = [&](double value) { return b.constant(value, e.type(x).element); };
  switch (outside) {
    case Outside::below_zero: return b.map(ScalarOp::lt, x, number(0));
    case Outside::below_minus_one: return b.map(ScalarOp::lt, x, number(-1));
    case Outside::below_one: return b.map(ScalarOp::lt, x, number(1));
    case Outside::beyond_one: return b.map(ScalarOp::gt, b.map(ScalarOp::abs, x), number(1));
    case Outside::negative_gamma: {  // between -1 and 0, -3 and -2, ...; at the poles it is Inf
      const ValueId floor = b.map(ScalarOp::floor, x);
      const ValueId odd = b.map(ScalarOp::eq, b.map(ScalarOp::mod, floor, number(2)), number(1));
      return b.map(ScalarOp::logical_and, b.map(ScalarOp::logical_and, b.map(ScalarOp::lt, x, number(0)), odd),
                   b.map(ScalarOp::ne, x, floor));
    }
    case Outside::root: break;
  }
  const ValueId broken = b.map(ScalarOp::ne, operands[1], b.map(ScalarOp::fix, operands[1]));
  return b.map(ScalarOp::logical_and, b.map(ScalarOp::lt, x, number(0)), broken);
}

bool surely_inside(Emitter& e, Outside outside, const std::vector<ValueId>& operands) {
  Intervals& intervals = e.intervals;
  const Interval x = intervals.of(operands[0]);
  switch (outside) {
    case Outside::negative_gamma:
    case Outside::below_zero: return x.low >= 0;
    case Outside::below_minus_one: return x.low >= -1;
    case Outside::below_one: return x.low >= 1;
    case Outside::beyond_one: return x.low >= -1 && x.high <= 1;
    case Outside::root: break;
  }
  const auto exponent = e.constant_of(operands[1]);
  const Op* made = e.graph.definition(operands[1]);
  const bool integer = made && made->kind == OpKind::convert && !is_floating(e.type(made->operands[0]).element);
  return x.low >= 0 || integer || (exponent && *exponent == std::trunc(*exponent));
}

ValueId all_inside(Emitter& e, ValueId mask) {
  if (!e.type(mask).is_scalar()) mask = e.builder.reduce(mask, {ReduceOp::any, Axis::all});
  return e.builder.map(ScalarOp::logical_not, mask);
}

}  // namespace

void guard_domain(Emitter& e, ScalarOp op, const std::vector<ValueId>& operands, Span span) {
  const Domain* domain = domain_of(op);
  if (!domain || surely_inside(e, domain->outside, operands)) return;
  const LocationId outer = e.builder.location;
  if (span.valid()) e.builder.location = e.locate(span);
  const ValueId mask = outside_mask(e, domain->outside, operands);
  const ValueId inside = all_inside(e, mask);
  if (e.constant_of(inside).value_or(0) == 0) {
    Message message;
    message.stream = Stream::err;
    message.id = domain_warning;
    if (e.options.check_domain) {
      // The smallest offender; NaN marks the others and loses against any number.
      const Element element = e.type(operands[0]).element;
      ValueId worst = e.builder.map(ScalarOp::select, mask, operands[0], e.builder.constant(std::nan(""), element));
      if (!e.type(worst).is_scalar()) worst = e.builder.reduce(worst, {ReduceOp::min, Axis::all});
      message.format = std::string(domain->what) + " (%g): complex in Octave";
      message.arguments.resize(1);
      e.builder.check(inside, std::move(message), {worst});
    } else {
      message.format = std::string(domain->what) + ": NaN here, complex in Octave";
      e.builder.warn(inside, std::move(message), {});
    }
  }
  e.builder.location = outer;
}

void guard_sparse_domain(Emitter& e, ScalarOp op, const std::vector<ValueId>& operands, Span span) {
  if (!domain_of(op)) return;
  const bool by_stored = std::isfinite(evaluate(op, 0, 1)) || op == ScalarOp::log || op == ScalarOp::log2 ||
                         op == ScalarOp::log10;  // zeros are inside
  const bool single_pattern = operands.size() == 1 || is_one(e.type(operands[1]));
  std::vector<ValueId> values;
  for (const ValueId operand : operands) {
    const bool stored = by_stored && single_pattern && e.type(operand).is_sparse() && !is_one(e.type(operand));
    values.push_back(stored ? sparse_entries(e, operand).values : dense(e, operand));
  }
  Element elements[2] = {};
  for (std::size_t i = 0; i < values.size(); ++i) elements[i] = e.type(values[i]).element;
  const Element element = result_element(op, elements, e.graph.precision);
  for (ValueId& value : values) value = e.builder.convert(value, element);
  guard_domain(e, op, values, span);
}

void require_real(Emitter& e, ScalarOp op, ValueId operand, const std::string& name) {
  const Domain* domain = domain_of(op);
  if (surely_inside(e, domain->outside, {operand})) return;
  e.require(all_inside(e, outside_mask(e, domain->outside, {operand})), name + ": produced complex result", {});
}

}  // namespace lac::frontend
