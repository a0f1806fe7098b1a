#include "frontend/sema/values/operators.h"

#include <cmath>

#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"

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

}  // namespace

ValueId transpose(Emitter& e, ValueId value) {
  if (const auto known = structured_transpose(e, value)) return *known;
  const ValueId result = e.builder.transpose(value);
  const auto literal = e.facts.literals.find(value);
  if (literal != e.facts.literals.end() && e.type(value).is_vector())
    e.facts.literals[result] = std::vector<ValueId>(literal->second);
  return result;
}

namespace {

/// An operator on matrices that works on elements where one of `candidates` turns out to be 1x1. `inner` are the
/// extents that must be equal where none does; products of equal extents need no difference.
ValueId unless_scalar(Emitter& e, const std::vector<ValueId>& candidates, const Size (&inner)[2],
                      const std::string& refusal, const std::vector<Size>& shown,
                      const std::function<ValueId()>& by_elements, const std::function<ValueId()>& of_matrices) {
  if (inner[0] == inner[1]) return of_matrices();
  std::optional<ValueId> scalar;
  for (const ValueId value : candidates) {
    const Type t = e.type(value);
    if (!t.is_dense() || e.facts.not_one(e.graph, t.rows) || e.facts.not_one(e.graph, t.cols)) continue;
    const ValueId one = e.builder.map(ScalarOp::logical_and, e.equal_sizes(t.rows, 1), e.equal_sizes(t.cols, 1));
    scalar = scalar ? e.builder.map(ScalarOp::logical_or, *scalar, one) : one;
  }
  if (!scalar) return of_matrices();
  const auto require = [&](ValueId holds) {
    std::vector<ValueId> sizes;
    for (const Size& size : shown) sizes.push_back(e.builder.size(size));
    e.require(holds, refusal, sizes, "Octave:nonconformant-args");
  };
  if (!e.facts.distinct(e.graph, inner[0], inner[1])) {
    ++e.open_shapes;
    if (e.errors)  // a try catches nothing in an arm
      require(e.builder.map(ScalarOp::logical_or, *scalar, e.equal_sizes(inner[0], inner[1])));
    return branch_value(e, *scalar, by_elements, of_matrices);
  }
  require(*scalar);
  return by_elements();
}

}  // namespace

ValueId multiply(Emitter& e, ValueId a, ValueId b, Span span) {
  const Type ta = e.type(a), tb = e.type(b);
  const bool sparse = ta.is_sparse() || tb.is_sparse();
  if (is_one(ta) || is_one(tb)) {
    // A full matrix times a sparse 1x1 is full, unlike its elementwise product.
    const bool full = (ta.is_dense() && !is_one(ta)) || (tb.is_dense() && !is_one(tb));
    if (const auto known = sparse ? std::nullopt : scaled_diagonal(e, ScalarOp::mul, a, b, span)) return *known;
    if (!sparse || full) return elementwise(e, ScalarOp::mul, {dense(e, a), dense(e, b)}, span, "*");
    return sparse_elementwise(e, ScalarOp::mul, {a, b}, span, "*");
  }
  const auto product = [&] {
    require_equal(e, ta.cols, tb.rows, span, nonconformant(e, "*", a, b), {ta.rows, ta.cols, tb.rows, tb.cols},
                  nonconformant_format(e, "*"));
    if (const auto known = sparse ? structured_sparse_product(e, a, b, span) : std::nullopt) return *known;
    if (sparse) return sparse_product(e, a, b);
    if (const auto known = structured_product(e, a, b, span)) return *known;
    const Element element = arithmetic_join(ta.element, tb.element);
    return e.builder.matmul(e.builder.convert(a, element), e.builder.convert(b, element));
  };
  if (sparse) return product();
  return unless_scalar(
      e, {a, b}, {ta.cols, tb.rows}, nonconformant_format(e, "*"), {ta.rows, ta.cols, tb.rows, tb.cols},
      [&] {
        return elementwise(e, ScalarOp::mul, {dense(e, a), dense(e, b)}, span, "*");
      },
      product);
}

ValueId left_divide(Emitter& e, ValueId a, ValueId b, Span span) {
  const Type ta = e.type(a), tb = e.type(b);
  if (is_one(ta)) {
    if (const auto known = scaled_diagonal(e, ScalarOp::div, b, a, span)) return *known;
    return divide_by_one(e, b, a, span, "\\");
  }
  const auto solution = [&] {
    require_equal(e, ta.rows, tb.rows, span, nonconformant(e, "\\", a, b), {ta.rows, ta.cols, tb.rows, tb.cols},
                  nonconformant_format(e, "\\"));
    if (ta.is_sparse()) return sparse_left_divide(e, a, b);
    if (const auto known = structured_sparse_division(e, a, b, span)) return *known;
    if (const auto known = structured_left_division(e, a, b, span)) return *known;
    Element elements[2] = {ta.element, tb.element};
    const Element element = result_element(ScalarOp::div, elements, e.graph.precision);
    return solve(e, e.builder.convert(a, element), e.builder.convert(dense(e, b), element),
                 Type::matrix(element, ta.cols, tb.cols));
  };
  return unless_scalar(
      e, {a}, {ta.rows, tb.rows}, nonconformant_format(e, "\\"), {ta.rows, ta.cols, tb.rows, tb.cols},
      [&] {
        return elementwise(e, ScalarOp::div, {dense(e, b), a}, span, "\\");
      },
      solution);
}

ValueId solve(Emitter& e, ValueId a, ValueId b, const Type& result) {
  const bool sparse = e.type(a).is_sparse();
  if (e.tried_solves.empty() || e.tried_solves.back().block != e.builder.block)
    return e.builder.library(sparse ? LibraryFn::sparse_solve : LibraryFn::solve, {a, b}, {result})[0];
  const auto parts = e.builder.library(sparse ? LibraryFn::sparse_try_solve : LibraryFn::try_solve, {a, b},
                                       {result, Type::scalar(Element::logical)});
  e.tried_solves.back().singular.push_back(parts[1]);
  return parts[0];
}

ValueId power(Emitter& e, ValueId a, ValueId b, bool matrix, Span span) {
  const Type ta = e.type(a), tb = e.type(b);
  const std::optional<double> exponent = e.constant_of(b);
  if (matrix && !(is_one(ta) && is_one(tb))) return matrix_power(e, a, b, span);
  // x^2 is x*x to the last bit; integers stay exact under small constant powers.
  if (exponent && *exponent == 2) return elementwise(e, ScalarOp::mul, {a, a}, span, "^");
  if (exponent && ta.element == Element::integer && *exponent == std::trunc(*exponent) && *exponent >= 1 &&
      *exponent <= 4) {
    ValueId result = a;
    for (int i = 1; i < *exponent; ++i) result = elementwise(e, ScalarOp::mul, {result, a}, span, "^");
    return result;
  }
  const ValueId result = elementwise(e, ScalarOp::pow, {a, b}, span, matrix ? "^" : ".^");
  const auto base = e.constant_of(a);
  if (const auto value = e.constant_of(result);
      value && base && std::trunc(*value) == *value && std::abs(*value) <= 0x1p53)
    return e.builder.constant(*value, Element::integer);
  return result;
}

ValueId negate(Emitter& e, ValueId value, Span span) {
  if (diagonal_of(e, value)) return multiply(e, e.builder.constant(-1, Element::integer), value, span);
  return elementwise(e, ScalarOp::neg, {value}, span, "-");
}

ValueId binary(Emitter& e, ast::BinaryOp op, ValueId a, ValueId b, Span span) {
  using ast::BinaryOp;
  const std::string name(ast::spelling(op));
  if (op == BinaryOp::add || op == BinaryOp::subtract)
    if (const auto known = structured_sum(e, op == BinaryOp::subtract, a, b, span)) return *known;
  for (const ElementwiseOperator& entry : elementwise_operators)
    if (entry.op == op) return elementwise(e, entry.function, {a, b}, span, name);
  switch (op) {
    case BinaryOp::multiply: return multiply(e, a, b, span);
    case BinaryOp::divide: {
      if (is_one(e.type(b))) {
        if (const auto known = scaled_diagonal(e, ScalarOp::div, a, b, span)) return *known;
        return divide_by_one(e, a, b, span, name);
      }
      const Type ta = e.type(a), tb = e.type(b);
      const std::vector<Size> shown = {ta.rows, ta.cols, tb.rows, tb.cols};
      return unless_scalar(
          e, {b}, {ta.cols, tb.cols}, nonconformant_format(e, "/"), shown,
          [&] {
            return elementwise(e, ScalarOp::div, {dense(e, a), b}, span, "/");
          },
          [&] {
            require_equal(e, ta.cols, tb.cols, span, nonconformant(e, "/", a, b), shown, nonconformant_format(e, "/"));
            return transpose(e, left_divide(e, transpose(e, b), transpose(e, a), span));
          });
    }
    case BinaryOp::left_divide: return left_divide(e, a, b, span);
    case BinaryOp::element_left_divide: return elementwise(e, ScalarOp::div, {b, a}, span, name);
    case BinaryOp::power: return power(e, a, b, true, span);
    case BinaryOp::element_power: return power(e, a, b, false, span);
    default: e.fail(span, "operator " + name + " is not supported here");
  }
}

}  // namespace lac::frontend
