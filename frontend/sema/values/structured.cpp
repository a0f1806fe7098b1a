// Matrices that are known by their diagonal or as a permutation, although they are stored dense: eye, diag, the P of
// lu. Octave keeps such matrices as types of their own, whose products and quotients touch the elements of the result
// alone.
#include <algorithm>
#include <cmath>
#include <set>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {

Size Lowerer::minimum(const Size& a, const Size& b) {
  if (facts.less_equal(graph, a, b)) return a;
  if (facts.less_equal(graph, b, a)) return b;
  const Size excess = max0(a - b);
  const auto low_a = a.lower_bound(graph.symbols), low_b = b.lower_bound(graph.symbols);
  // The minimum is no smaller than both bounds, so a matrix with that many rows may be known to be no row.
  if (const auto symbol = excess.as_symbol(); symbol && low_a && low_b)
    facts.upper.emplace(*symbol, a - Size(std::min(*low_a, *low_b)));
  return a - excess;
}

std::optional<ValueId> Lowerer::diagonal_of(ValueId value) const {
  const auto found = facts.diagonals.find(value);
  return found == facts.diagonals.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// Rows (or columns) 1..wanted of a matrix, with zeros where it has fewer.
ValueId fitted(Lowerer& l, ValueId value, Axis axis, Size wanted) {
  const Type t = l.type(value);
  const bool rows = axis == Axis::rows;
  const Size extent = rows ? t.rows : t.cols;
  if (extent == wanted) return value;
  if (!l.facts.less_equal(l.graph, wanted, extent)) {
    const Size longer = l.larger(extent, wanted);
    value = rows ? l.builder.resize(value, longer, t.cols) : l.builder.resize(value, t.rows, longer);
    if (longer == wanted) return value;
  }
  const Subscript leading{SubscriptKind::range, 0, 1, wanted};
  const Subscript every{SubscriptKind::all, 0, 1, rows ? t.cols : t.rows};
  return rows ? l.builder.index(value, Subscripts{{leading, every}}, {}, wanted, t.cols)
              : l.builder.index(value, Subscripts{{every, leading}}, {}, t.rows, wanted);
}

/// Row i of a matrix times (or over) element i of a column; what has no element is left out.
ValueId scaled_rows(Lowerer& l, ScalarOp op, ValueId matrix, ValueId column, Span span) {
  const ValueId part = fitted(l, matrix, Axis::rows, l.type(column).rows);
  return l.elementwise(op, {part, column}, span, op == ScalarOp::mul ? "*" : "\\");
}

ValueId scaled_cols(Lowerer& l, ScalarOp op, ValueId matrix, ValueId column, Span span) {
  const ValueId part = fitted(l, matrix, Axis::cols, l.type(column).rows);
  const ValueId row = l.builder.reshape(column, 1, l.type(column).rows);
  return l.elementwise(op, {part, row}, span, op == ScalarOp::mul ? "*" : "/");
}

ValueId gathered(Lowerer& l, ValueId matrix, Axis axis, ValueId positions) {
  const Type t = l.type(matrix);
  const Size count = l.type(positions).count();
  const Subscript which{SubscriptKind::vector, 0, 1, count};
  const Subscript every{SubscriptKind::all, 0, 1, axis == Axis::rows ? t.cols : t.rows};
  return axis == Axis::rows ? l.builder.index(matrix, Subscripts{{which, every}}, {positions}, count, t.cols)
                            : l.builder.index(matrix, Subscripts{{every, which}}, {positions}, t.rows, count);
}

/// The elements over d, and 0 where d is 0: what Octave's diagonal solve gives.
ValueId divided(Lowerer& l, ValueId quotient, ValueId divisor) {
  Builder& b = l.builder;
  const ValueId none = b.map(ScalarOp::eq, divisor, b.constant(0, l.type(divisor).element));
  return b.map(ScalarOp::select, none, b.constant(0, l.type(quotient).element), quotient);
}

}  // namespace

ValueId Lowerer::diagonal_matrix(ValueId diagonal, const Size& rows, const Size& cols) {
  const Size m = rows, n = cols;  // whoever calls may refer to a type, which moves as values are added
  const Element element = type(diagonal).element;
  const ValueId on = builder.map(ScalarOp::eq, builder.iota(Axis::rows, m, n), builder.iota(Axis::cols, m, n));
  const Op* made = graph.definition(diagonal);
  const bool ones = made && made->kind == OpKind::fill && constant_of(made->operands[0]) == 1.0;
  const ValueId value =
      ones ? builder.convert(on, element)
           : builder.map(ScalarOp::select, on, fitted(*this, diagonal, Axis::rows, m), builder.constant(0, element));
  // Octave has no diagonal type of logicals.
  if (!type(value).is_scalar() && element != Element::logical) facts.diagonals[value] = diagonal;
  return value;
}

ValueId Lowerer::permutation_matrix(ValueId positions, Element element) {
  const Size n = type(positions).count();
  const ValueId column = builder.reshape(positions, n, 1);
  const ValueId on = builder.map(ScalarOp::eq, builder.iota(Axis::cols, n, n),
                                 builder.map(ScalarOp::sub, column, builder.constant(1, Element::integer)));
  const ValueId count =
      builder.map(ScalarOp::add, builder.iota(Axis::rows, n, 1), builder.constant(1, Element::integer));
  const Subscripts where{{{SubscriptKind::vector, 0, 1, n}}};
  const ValueId inverse =
      builder.update(builder.fill(builder.constant(0, Element::integer), n, 1), where, {column}, count);
  const ValueId value = builder.convert(on, element);
  if (!type(value).is_scalar()) facts.permutations[value] = {column, inverse};
  return value;
}

bool Lowerer::is_permutation(ValueId index, const Size& n) const {
  if (type(index).count() != n) return false;
  if (const auto range = facts.ranges.find(index); range != facts.ranges.end()) {
    const RangeFact& r = range->second;
    return (r.first.is(1) && r.step.is(1)) || (r.first == n && r.step == Size(-1));
  }
  if (const auto numbers = numbers_of(index); numbers && !type(index).is_scalar()) {
    const std::set<double> positions(numbers->begin(), numbers->end());
    return !positions.empty() && positions.size() == numbers->size() && *positions.begin() == 1 &&
           *positions.rbegin() == static_cast<double>(positions.size());
  }
  const Op* made = graph.definition(index);
  if (!made) return false;
  if (made->kind == OpKind::convert && type(index).element != Element::integer && type(index).element != Element::real)
    return false;
  if (made->kind == OpKind::convert || made->kind == OpKind::reshape || made->kind == OpKind::transpose)
    return is_permutation(made->operands[0], n);
  return made->kind == OpKind::library && std::get<LibraryFn>(made->attribute) == LibraryFn::sort &&
         index == made->results[1] && type(made->operands[0]).is_vector();
}

std::optional<ValueId> Lowerer::permuted_identity(ValueId value, const Subscripts& subscripts,
                                                  const std::vector<ValueId>& vectors) {
  const Type t = type(value);
  const auto diagonal = diagonal_of(value);
  if (!diagonal || t.rows != t.cols || subscripts.axes.size() != 2 || vectors.size() > 1) return std::nullopt;
  const Op* made = graph.definition(*diagonal);
  if (!made || made->kind != OpKind::fill || constant_of(made->operands[0]) != 1.0) return std::nullopt;
  const bool by_rows = subscripts.axes[0].kind != SubscriptKind::all;
  const Subscript& chosen_axis = subscripts.axes[by_rows ? 0 : 1];
  if (subscripts.axes[by_rows ? 1 : 0].kind != SubscriptKind::all) return std::nullopt;
  ValueId positions;
  if (chosen_axis.kind == SubscriptKind::vector && is_permutation(vectors[0], t.rows)) {
    positions = vectors[0];
  } else if (chosen_axis.kind == SubscriptKind::range && chosen_axis.step.is(-1) && chosen_axis.count == t.rows &&
             chosen_axis.first + 1 == facts.where_positive(t.rows)) {  // n:-1:1
    positions = builder.map(ScalarOp::sub, builder.size(t.rows), builder.iota(Axis::rows, t.rows, 1));
  } else {
    return std::nullopt;
  }
  const ValueId result = permutation_matrix(positions, t.element);
  return by_rows ? result : structured_transpose(result);
}

ValueId Lowerer::without_structure(ValueId value) {
  const Type t = type(value);
  if (const auto diagonal = diagonal_of(value)) {
    const ValueId full = diagonal_matrix(*diagonal, t.rows, t.cols);
    facts.diagonals.erase(full);
    return full;
  }
  const auto permutation = facts.permutations.find(value);
  if (permutation == facts.permutations.end()) return value;
  const ValueId full = permutation_matrix(permutation->second.rows, t.element);
  facts.permutations.erase(full);
  return full;
}

std::optional<ValueId> Lowerer::structured_transpose(ValueId value) {
  const Type t = type(value);
  if (const auto diagonal = diagonal_of(value)) {
    if (t.rows == t.cols) return value;
    return diagonal_matrix(*diagonal, t.cols, t.rows);
  }
  const auto permutation = facts.permutations.find(value);
  if (permutation == facts.permutations.end()) return std::nullopt;
  const PermutationFact fact = permutation->second;
  const ValueId result = builder.transpose(value);
  facts.permutations[result] = {fact.cols, fact.rows};
  return result;
}

std::optional<ValueId> Lowerer::structured_block(ValueId value, const Subscripts& where) {
  const auto diagonal = diagonal_of(value);
  const auto leading = [](const Subscript& axis) {
    return axis.kind == SubscriptKind::all ||
           (axis.kind == SubscriptKind::range && axis.first.is(0) && axis.step.is(1));
  };
  if (!diagonal || !leading(where.axes[0]) || !leading(where.axes[1])) return std::nullopt;
  const Size rows = where.axes[0].count, cols = where.axes[1].count;
  if (rows.is(1) && cols.is(1)) return std::nullopt;
  if (!facts.less_equal(graph, cols, type(value).rows)) return std::nullopt;  // Octave: a full matrix
  return diagonal_matrix(fitted(*this, *diagonal, Axis::rows, minimum(rows, cols)), rows, cols);
}

std::optional<ValueId> Lowerer::scaled_diagonal(ScalarOp op, ValueId a, ValueId b, Span span) {
  const auto da = diagonal_of(a), db = diagonal_of(b);
  if (!da && !db) return std::nullopt;
  const Type shape = type(da ? a : b);
  return diagonal_matrix(elementwise(op, {da.value_or(a), db.value_or(b)}, span, op == ScalarOp::mul ? "*" : "/"),
                         shape.rows, shape.cols);
}

std::optional<ValueId> Lowerer::structured_product(ValueId a, ValueId b, Span span) {
  const Type ta = type(a), tb = type(b);
  if (!ta.is_dense() || !tb.is_dense()) return std::nullopt;
  const auto da = diagonal_of(a), db = diagonal_of(b);
  if (da && db && type(*da).rows == type(*db).rows && ta.rows == ta.cols && tb.rows == tb.cols)
    return diagonal_matrix(elementwise(ScalarOp::mul, {*da, *db}, span, "*"), ta.rows, tb.cols);
  if (da) return fitted(*this, scaled_rows(*this, ScalarOp::mul, b, *da, span), Axis::rows, ta.rows);
  if (db) return fitted(*this, scaled_cols(*this, ScalarOp::mul, a, *db, span), Axis::cols, tb.cols);
  const auto left = facts.permutations.find(a), right = facts.permutations.find(b), none = facts.permutations.end();
  if (left != none && right != none)
    return permutation_matrix(gathered(*this, right->second.rows, Axis::rows, left->second.rows), ta.element);
  if (left != none) return gathered(*this, b, Axis::rows, left->second.rows);
  if (right != none) return gathered(*this, a, Axis::cols, right->second.cols);
  return std::nullopt;
}

std::optional<ValueId> Lowerer::structured_left_division(ValueId a, ValueId b, Span span) {
  const Type ta = type(a);
  if (!ta.is_dense() || !type(b).is_dense()) return std::nullopt;
  if (const auto diagonal = diagonal_of(a)) {
    const auto other = diagonal_of(b);
    if (other && ta.rows == ta.cols && type(b).rows == type(b).cols) {
      const ValueId quotient = elementwise(ScalarOp::div, {*other, *diagonal}, span, "\\");
      return diagonal_matrix(divided(*this, quotient, *diagonal), ta.cols, ta.cols);
    }
    const ValueId quotient = divided(*this, scaled_rows(*this, ScalarOp::div, b, *diagonal, span), *diagonal);
    return fitted(*this, quotient, Axis::rows, ta.cols);
  }
  const auto permutation = facts.permutations.find(a);
  if (permutation == facts.permutations.end()) return std::nullopt;
  return gathered(*this, b, Axis::rows, permutation->second.cols);
}

std::optional<ValueId> Lowerer::structured_sum(bool subtract, ValueId a, ValueId b, Span span) {
  const auto da = diagonal_of(a), db = diagonal_of(b);
  const Type shape = type(a);
  if (!da || !db || !shape.same_shape(type(b))) return std::nullopt;
  const ValueId sum = elementwise(subtract ? ScalarOp::sub : ScalarOp::add, {*da, *db}, span, subtract ? "-" : "+");
  return diagonal_matrix(sum, shape.rows, shape.cols);
}

std::optional<ValueId> Lowerer::structured_power(ValueId base, ValueId exponent, Span span) {
  const auto diagonal = diagonal_of(base);
  const Type shape = type(base);
  if (!diagonal || shape.rows != shape.cols) return std::nullopt;
  return diagonal_matrix(power(*diagonal, exponent, false, span), shape.rows, shape.cols);
}

// Products for constant integers; a library step for what the run decides and for what needs eigenvalues.
ValueId Lowerer::matrix_power(ValueId a, ValueId b, Span span) {
  constexpr const char* not_square =
      "for x^y, only square matrix arguments are permitted and one argument must be scalar.  Use .^ for elementwise "
      "power.";
  const bool matrix_base = !(type(a).rows.is(1) && type(a).cols.is(1));
  ValueId &matrix = matrix_base ? a : b, &scalar = matrix_base ? b : a;
  scalar = as_scalar(dense(scalar), span, "the exponent of a matrix");
  const Type t = type(matrix);
  require_equal(t.rows, t.cols, span, not_square, {}, not_square);
  const std::optional<double> exponent = matrix_base ? constant_of(b) : std::nullopt;
  const bool integral = exponent && std::trunc(*exponent) == *exponent && std::abs(*exponent) <= 1024;
  if (t.is_sparse() && !integral)
    fail(span, "a power of a sparse matrix needs a constant integer exponent: use full(A)");
  if (matrix_base)
    if (const auto known = structured_power(a, b, span)) return *known;
  const Element elements[2] = {type(a).element, type(b).element};
  const Element element = result_element(ScalarOp::div, elements, graph.precision);
  Type result_type = Type::matrix(element, t.rows, t.cols);
  if (!integral) {
    matrix = builder.convert(matrix, element);
    return builder.library(LibraryFn::matrix_power, {a, b}, {result_type})[0];
  }
  if (*exponent == 0 && t.is_sparse()) {
    result_type.storage = Storage::diagonal;
    result_type.offsets = {Size(0)};
    return builder.library(LibraryFn::sparse_identity, {}, {result_type})[0];
  }
  if (*exponent == 0) return diagonal_matrix(builder.fill(builder.constant(1, element), t.rows, 1), t.rows, t.rows);
  if (*exponent < 0 && t.is_sparse()) {
    result_type.storage = Storage::csr;
    a = builder.library(LibraryFn::sparse_inverse, {builder.convert(a, element)}, {result_type})[0];
  } else if (*exponent < 0) {
    a = builder.library(LibraryFn::inverse, {builder.convert(a, element), builder.constant(2, Element::integer)},
                        {result_type, Type::scalar(element)})[0];
  }
  // By repeated squaring.
  ValueId result;
  for (double left = std::abs(*exponent); left > 0; left = std::floor(left / 2)) {
    if (std::fmod(left, 2) == 1) result = result ? multiply(result, a, span) : a;
    if (left > 1) a = multiply(a, a, span);
  }
  return result;
}

}  // namespace lac::frontend
