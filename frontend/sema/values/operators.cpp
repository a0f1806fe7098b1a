// Operators on values: elementwise work with its conversions, products, division, powers.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

struct ElementwiseOperator {
  ast::BinaryOp op;
  ScalarOp function;
};

constexpr ElementwiseOperator elementwise_operators[] = {
    {ast::BinaryOp::add, ScalarOp::add},
    {ast::BinaryOp::subtract, ScalarOp::sub},
    {ast::BinaryOp::times, ScalarOp::mul},
    {ast::BinaryOp::element_divide, ScalarOp::div},
    {ast::BinaryOp::less, ScalarOp::lt},
    {ast::BinaryOp::less_equal, ScalarOp::le},
    {ast::BinaryOp::equal, ScalarOp::eq},
    {ast::BinaryOp::not_equal, ScalarOp::ne},
    {ast::BinaryOp::greater_equal, ScalarOp::ge},
    {ast::BinaryOp::greater, ScalarOp::gt},
    {ast::BinaryOp::logical_and, ScalarOp::logical_and},
    {ast::BinaryOp::logical_or, ScalarOp::logical_or},
};

// A non-negative integer scalar as a size of its own.
Size runtime_size(Graph& graph, ValueId value) {
  const Size size = as_size(graph, value);
  if (const auto symbol = size.as_symbol()) graph.symbols[*symbol].lower = 0;
  return size;
}

// What the run broadcasts. Extents that are not provably equal must be so when the program runs, or 1: then that
// operand is read as a view whose step is 0. Where an extent that cannot be 1 is among them, the result has that one.
void broadcast(Lowerer& l, std::vector<ValueId>& operands, Span span, const std::string& name) {
  Graph& graph = l.graph;
  Builder& builder = l.builder;
  const Facts& facts = l.facts;
  const auto extent_of = [&](ValueId value, int axis) { return axis == 0 ? l.type(value).rows : l.type(value).cols; };
  const std::vector<ValueId> given = operands;
  Size steps[3][2] = {{1, 1}, {1, 1}, {1, 1}};
  Size extents[2] = {1, 1};
  bool spreads = false;
  for (int axis = 0; axis < 2; ++axis) {
    Size& result = extents[axis];
    std::size_t owner = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Size extent = extent_of(given[i], axis);
      if (extent.is(1) || extent == result) continue;
      if (!result.is(1) && (facts.not_one(graph, result) || !facts.not_one(graph, extent))) continue;
      result = extent;
      owner = i;
    }
    const bool fixed = facts.not_one(graph, result);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Size extent = extent_of(given[i], axis);
      if (extent.is(1) || extent == result) continue;
      const ValueId first = given[std::min(i, owner)], second = given[std::max(i, owner)];
      const bool spreads_never = facts.not_one(graph, extent);
      if (fixed && spreads_never && facts.distinct(graph, extent, result))
        l.fail(span, l.nonconformant(name, first, second), l.shape_notes(span));
      const auto either = [&](ValueId x, ValueId y) { return builder.map(ScalarOp::logical_or, x, y); };
      const ValueId other = l.equal_sizes(result, 1);
      ValueId fits = l.equal_sizes(extent, result);
      if (!spreads_never) fits = either(fits, l.equal_sizes(extent, 1));
      if (!fixed) fits = either(fits, other);
      const Type a = l.type(first), b = l.type(second);
      l.require(fits, l.nonconformant_format(name),
                {builder.size(a.rows), builder.size(a.cols), builder.size(b.rows), builder.size(b.cols)},
                "Octave:nonconformant-args");
      if (!fixed)
        result = runtime_size(graph, builder.map(ScalarOp::select, other, builder.size(extent), builder.size(result)));
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Size extent = extent_of(given[i], axis);
      if (extent == result || extent.is(1) || facts.not_one(graph, extent)) continue;
      const ValueId stays =
          builder.map(ScalarOp::logical_or, l.equal_sizes(extent, result),
                      builder.map(ScalarOp::ne, builder.size(extent), builder.constant(1, Element::integer)));
      steps[i][axis] = runtime_size(graph, builder.convert(stays, Element::integer));
      spreads = true;
    }
  }
  if (!spreads) return;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (steps[i][0].is(1) && steps[i][1].is(1)) continue;
    Subscripts view;
    for (int axis = 0; axis < 2; ++axis) {
      const Size extent = extent_of(given[i], axis);
      if (steps[i][axis].is(1)) view.axes.push_back({SubscriptKind::all, 0, 1, extent});
      else view.axes.push_back({SubscriptKind::range, 0, steps[i][axis], extents[axis]});
    }
    operands[i] = builder.index(operands[i], view, {}, view.axes[0].count, view.axes[1].count);
  }
}

// What is known of the scalar integer that `op` made: mod(a, n) lies in 0..n-1, min(a, b) below b.
void note_bounds(Graph& graph, Facts& facts, ScalarOp op, ValueId value, const std::vector<ValueId>& operands) {
  if (op != ScalarOp::mod && op != ScalarOp::min && op != ScalarOp::max) return;
  const Size a = as_size(graph, operands[0]), b = as_size(graph, operands[1]);
  const auto symbol = as_size(graph, value).as_symbol();
  if (!symbol || Size::symbol(*symbol) == a || Size::symbol(*symbol) == b) return;
  const auto low_a = a.lower_bound(graph.symbols), low_b = b.lower_bound(graph.symbols);
  if (op == ScalarOp::mod) {
    if (!facts.nonnegative(graph, b - 1)) return;
    graph.symbols[*symbol].lower = 0;
    facts.upper.insert_or_assign(*symbol, b - 1);
  } else if (op == ScalarOp::min) {
    if (low_a && low_b) graph.symbols[*symbol].lower = std::min(*low_a, *low_b);
    facts.upper.insert_or_assign(*symbol, b.is_constant() || !a.is_constant() ? b : a);
  } else if (low_a || low_b) {
    graph.symbols[*symbol].lower = std::max(low_a ? *low_a : *low_b, low_b ? *low_b : *low_a);
  }
}

}  // namespace

std::optional<bool> Lowerer::decided(ScalarOp op, ValueId a, ValueId b) {
  for (ValueId operand : {a, b}) {
    const Op* made = graph.definition(operand);
    const bool affine = made && (made->kind == OpKind::size || made->kind == OpKind::constant);
    if (!affine || type(operand).element != Element::integer || !type(operand).is_scalar()) return std::nullopt;
  }
  const Size gap = as_size(graph, b) - as_size(graph, a);
  const bool never_above = facts.nonnegative(graph, gap), below = facts.nonnegative(graph, gap - 1);
  const bool never_below = facts.nonnegative(graph, Size(0) - gap), above = facts.nonnegative(graph, Size(0) - gap - 1);
  const auto answer = [](bool yes, bool no) {
    return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt;
  };
  switch (op) {
    case ScalarOp::eq: return answer(never_above && never_below, below || above);
    case ScalarOp::ne: return answer(below || above, never_above && never_below);
    case ScalarOp::lt: return answer(below, never_below);
    case ScalarOp::le: return answer(never_above, above);
    case ScalarOp::gt: return answer(above, never_above);
    case ScalarOp::ge: return answer(never_below, below);
    default: return std::nullopt;
  }
}

void Lowerer::require_no_nan(ValueId value) {
  const Type t = type(value);
  if (!is_floating(t.element) || t.is_sparse()) return;
  const ValueId numbers = builder.map(ScalarOp::logical_not, builder.map(ScalarOp::is_nan, value));
  require(t.is_scalar() ? numbers : builder.reduce(numbers, {ReduceOp::all, Axis::all}),
          "invalid conversion from NaN to logical", {});
}

ValueId Lowerer::elementwise(ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name) {
  for (ValueId operand : operands)
    if (type(operand).is_sparse()) return sparse_elementwise(op, std::move(operands), span, name);
  broadcast(*this, operands, span, name);
  const ScalarOpInfo& entry = info(op);
  Element elements[3] = {};
  for (std::size_t i = 0; i < operands.size(); ++i) elements[i] = type(operands[i]).element;
  const Element result = result_element(op, elements, graph.precision);
  const bool is_logic = op == ScalarOp::logical_and || op == ScalarOp::logical_or || op == ScalarOp::logical_xor ||
                        op == ScalarOp::logical_not;
  if (entry.result == ScalarResult::arithmetic || entry.result == ScalarResult::floating) {
    for (ValueId& operand : operands) operand = builder.convert(operand, result);
  } else if (entry.result == ScalarResult::truth && !is_logic && operands.size() == 2) {
    const Element common = arithmetic_join(elements[0], elements[1]);
    for (ValueId& operand : operands) operand = builder.convert(operand, common);
    if (const auto known = decided(op, operands[0], operands[1])) return builder.constant(*known, Element::logical);
  } else if (is_logic) {
    for (const ValueId operand : operands) require_no_nan(operand);
  } else if (entry.result == ScalarResult::choice) {
    for (std::size_t i = 1; i < 3; ++i) operands[i] = builder.convert(operands[i], result);
  }
  guard_domain(op, operands, span);
  const ValueId value = builder.map(op, operands);
  if (result == Element::integer && operands.size() == 2 && type(value).is_scalar())
    note_bounds(graph, facts, op, value, operands);
  // Ranges stay known through sums and products with an integer scalar: (2:n-1) + 1.
  if (result == Element::integer && operands.size() == 2 && !type(value).is_scalar() &&
      (op == ScalarOp::add || op == ScalarOp::sub || op == ScalarOp::mul)) {
    for (int side = 0; side < 2; ++side) {
      const auto range = facts.ranges.find(operands[side]);
      if (range == facts.ranges.end() || !type(operands[1 - side]).is_scalar()) continue;
      const Size other = as_size(graph, operands[1 - side]);
      RangeFact fact = range->second;
      if (op == ScalarOp::mul) fact = {fact.first * other, fact.step * other, fact.count};
      else if (op == ScalarOp::add) fact.first = fact.first + other;
      else if (side == 0) fact.first = fact.first - other;
      else fact = {other - fact.first, Size(0) - fact.step, fact.count};
      facts.ranges.insert_or_assign(value, fact);
      break;
    }
  }
  if (op == ScalarOp::neg) {
    const auto range = facts.ranges.find(operands[0]);
    if (range != facts.ranges.end())
      facts.ranges.insert_or_assign(
          value, RangeFact{Size(0) - range->second.first, Size(0) - range->second.step, range->second.count});
  }
  return value;
}

std::string Lowerer::nonconformant_text(const std::string& name, const std::string& a, const std::string& b,
                                        bool as_format) const {
  const auto operand = [&](Span span, const char* fallback) {
    std::string text = span.valid() ? written(span) : std::string(fallback);
    for (std::size_t at = as_format ? text.find('%') : std::string::npos; at != std::string::npos;
         at = text.find('%', at + 2))
      text.insert(at, "%");
    return text;
  };
  const std::string shapes =
      operand(operands_.left, "op1") + " is " + a + ", " + operand(operands_.right, "op2") + " is " + b + ")";
  const bool function = std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return function ? name + ": nonconformant arguments (" + shapes
                  : "nonconformant arguments (operator " + name + ": " + shapes;
}

std::string Lowerer::nonconformant(const std::string& name, ValueId a, ValueId b) const {
  return nonconformant_text(name, shape_text(a), shape_text(b), false);
}

// Shows rows and columns of both.
std::string Lowerer::nonconformant_format(const std::string& name) const {
  return nonconformant_text(name, "%dx%d", "%dx%d", true);
}

ValueId Lowerer::transpose(ValueId value) {
  if (const auto known = structured_transpose(value)) return *known;
  const ValueId result = builder.transpose(value);
  const auto literal = facts.literals.find(value);
  if (literal != facts.literals.end() && type(value).is_vector())
    facts.literals[result] = std::vector<ValueId>(literal->second);
  return result;
}

namespace {

/// An operator on matrices that works on elements where one of `candidates` turns out to be 1x1. `inner` are the
/// extents that must be equal where none does; products of equal extents need no difference.
ValueId unless_scalar(Lowerer& l, const std::vector<ValueId>& candidates, const Size (&inner)[2],
                      const std::string& refusal, const std::vector<Size>& shown,
                      const std::function<ValueId()>& by_elements, const std::function<ValueId()>& of_matrices) {
  if (inner[0] == inner[1]) return of_matrices();
  std::optional<ValueId> scalar;
  for (const ValueId value : candidates) {
    const Type t = l.type(value);
    if (!t.is_dense() || l.facts.not_one(l.graph, t.rows) || l.facts.not_one(l.graph, t.cols)) continue;
    const ValueId one = l.builder.map(ScalarOp::logical_and, l.equal_sizes(t.rows, 1), l.equal_sizes(t.cols, 1));
    scalar = scalar ? l.builder.map(ScalarOp::logical_or, *scalar, one) : one;
  }
  if (!scalar) return of_matrices();
  if (!l.facts.distinct(l.graph, inner[0], inner[1])) return l.branch_value(*scalar, by_elements, of_matrices);
  std::vector<ValueId> sizes;
  for (const Size& size : shown) sizes.push_back(l.builder.size(size));
  l.require(*scalar, refusal, sizes, "Octave:nonconformant-args");
  return by_elements();
}

}  // namespace

ValueId Lowerer::multiply(ValueId a, ValueId b, Span span) {
  const Type ta = type(a), tb = type(b);
  const auto is_one = [](const Type& t) { return t.rows.is(1) && t.cols.is(1); };
  const bool sparse = ta.is_sparse() || tb.is_sparse();
  if (is_one(ta) || is_one(tb)) {
    // A full matrix times a sparse 1x1 is full, unlike its elementwise product.
    const bool full = (ta.is_dense() && !is_one(ta)) || (tb.is_dense() && !is_one(tb));
    if (const auto known = sparse ? std::nullopt : scaled_diagonal(ScalarOp::mul, a, b, span)) return *known;
    if (!sparse || full) return elementwise(ScalarOp::mul, {dense(a), dense(b)}, span, "*");
    return sparse_elementwise(ScalarOp::mul, {a, b}, span, "*");
  }
  const auto product = [&] {
    require_equal(ta.cols, tb.rows, span, nonconformant("*", a, b), {ta.rows, ta.cols, tb.rows, tb.cols},
                  nonconformant_format("*"));
    if (const auto known = sparse ? structured_sparse_product(a, b, span) : std::nullopt) return *known;
    if (sparse) return sparse_product(a, b);
    if (const auto known = structured_product(a, b, span)) return *known;
    const Element element = arithmetic_join(ta.element, tb.element);
    return builder.matmul(builder.convert(a, element), builder.convert(b, element));
  };
  if (sparse) return product();
  return unless_scalar(
      *this, {a, b}, {ta.cols, tb.rows}, nonconformant_format("*"), {ta.rows, ta.cols, tb.rows, tb.cols},
      [&] {
        return elementwise(ScalarOp::mul, {dense(a), dense(b)}, span, "*");
      },
      product);
}

ValueId Lowerer::left_divide(ValueId a, ValueId b, Span span) {
  const Type ta = type(a), tb = type(b);
  if (ta.rows.is(1) && ta.cols.is(1)) {
    if (const auto known = scaled_diagonal(ScalarOp::div, b, a, span)) return *known;
    return divide_by_one(b, a, span, "\\");
  }
  const auto solution = [&] {
    require_equal(ta.rows, tb.rows, span, nonconformant("\\", a, b), {ta.rows, ta.cols, tb.rows, tb.cols},
                  nonconformant_format("\\"));
    if (ta.is_sparse()) return sparse_left_divide(a, b);
    if (const auto known = structured_sparse_division(a, b, span)) return *known;
    if (const auto known = structured_left_division(a, b, span)) return *known;
    Element elements[2] = {ta.element, tb.element};
    const Element element = result_element(ScalarOp::div, elements, graph.precision);
    return solve(builder.convert(a, element), builder.convert(dense(b), element),
                 Type::matrix(element, ta.cols, tb.cols));
  };
  return unless_scalar(
      *this, {a}, {ta.rows, tb.rows}, nonconformant_format("\\"), {ta.rows, ta.cols, tb.rows, tb.cols},
      [&] {
        return elementwise(ScalarOp::div, {dense(b), a}, span, "\\");
      },
      solution);
}

ValueId Lowerer::solve(ValueId a, ValueId b, const Type& result) {
  const bool sparse = type(a).is_sparse();
  if (tried_solves.empty() || tried_solves.back().block != builder.block)
    return builder.library(sparse ? LibraryFn::sparse_solve : LibraryFn::solve, {a, b}, {result})[0];
  const auto parts = builder.library(sparse ? LibraryFn::sparse_try_solve : LibraryFn::try_solve, {a, b},
                                     {result, Type::scalar(Element::logical)});
  tried_solves.back().singular.push_back(parts[1]);
  return parts[0];
}

ValueId Lowerer::power(ValueId a, ValueId b, bool matrix, Span span) {
  const Type ta = type(a), tb = type(b);
  const std::optional<double> exponent = constant_of(b);
  const auto is_one = [](const Type& t) { return t.rows.is(1) && t.cols.is(1); };
  if (matrix && !(is_one(ta) && is_one(tb))) return matrix_power(a, b, span);
  // x^2 is x*x to the last bit; integers stay exact under small constant powers.
  if (exponent && *exponent == 2) return elementwise(ScalarOp::mul, {a, a}, span, "^");
  if (exponent && ta.element == Element::integer && *exponent == std::trunc(*exponent) && *exponent >= 1 &&
      *exponent <= 4) {
    ValueId result = a;
    for (int i = 1; i < *exponent; ++i) result = elementwise(ScalarOp::mul, {result, a}, span, "^");
    return result;
  }
  const ValueId result = elementwise(ScalarOp::pow, {a, b}, span, matrix ? "^" : ".^");
  const auto base = constant_of(a);
  if (const auto value = constant_of(result); value && base && std::trunc(*value) == *value && std::abs(*value) < 9e15)
    return builder.constant(*value, Element::integer);
  return result;
}

ValueId Lowerer::negate(ValueId value, Span span) {
  if (diagonal_of(value)) return multiply(builder.constant(-1, Element::integer), value, span);
  return elementwise(ScalarOp::neg, {value}, span, "-");
}

ValueId Lowerer::binary(ast::BinaryOp op, ValueId a, ValueId b, Span span) {
  using ast::BinaryOp;
  const std::string name(ast::spelling(op));
  if (op == BinaryOp::add || op == BinaryOp::subtract)
    if (const auto known = structured_sum(op == BinaryOp::subtract, a, b, span)) return *known;
  for (const ElementwiseOperator& entry : elementwise_operators)
    if (entry.op == op) return elementwise(entry.function, {a, b}, span, name);
  switch (op) {
    case BinaryOp::multiply: return multiply(a, b, span);
    case BinaryOp::divide: {
      if (type(b).rows.is(1) && type(b).cols.is(1)) {
        if (const auto known = scaled_diagonal(ScalarOp::div, a, b, span)) return *known;
        return divide_by_one(a, b, span, name);
      }
      const Type ta = type(a), tb = type(b);
      const std::vector<Size> shown = {ta.rows, ta.cols, tb.rows, tb.cols};
      return unless_scalar(
          *this, {b}, {ta.cols, tb.cols}, nonconformant_format("/"), shown,
          [&] {
            return elementwise(ScalarOp::div, {dense(a), b}, span, "/");
          },
          [&] {
            require_equal(ta.cols, tb.cols, span, nonconformant("/", a, b), shown, nonconformant_format("/"));
            return transpose(left_divide(transpose(b), transpose(a), span));
          });
    }
    case BinaryOp::left_divide: return left_divide(a, b, span);
    case BinaryOp::element_left_divide: return elementwise(ScalarOp::div, {b, a}, span, name);
    case BinaryOp::power: return power(a, b, true, span);
    case BinaryOp::element_power: return power(a, b, false, span);
    default: fail(span, "operator " + name + " is not supported here");
  }
}

bool Lowerer::insert_offset(std::vector<Size>& offsets, const Size& offset) const {
  for (std::size_t i = 0; i <= offsets.size(); ++i) {
    if (i == offsets.size()) {
      offsets.push_back(offset);
      return true;
    }
    if (offsets[i] == offset) return true;
    if (facts.less_equal(graph, offset + 1, offsets[i])) {
      offsets.insert(offsets.begin() + static_cast<std::ptrdiff_t>(i), offset);
      return true;
    }
    if (!facts.less_equal(graph, offsets[i] + 1, offset)) return false;
  }
  return false;
}

}  // namespace lac::frontend
