// Matrices that are known by their diagonal or as a permutation, although they are stored dense: eye, diag, the P of
// lu. Octave keeps such matrices as types of their own, whose products and quotients touch the elements of the result
// alone.
#include "frontend/sema/values/structured.h"

#include <cmath>
#include <set>

#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {

std::optional<ValueId> diagonal_of(const Emitter& e, ValueId value) {
  const auto found = e.facts.diagonals.find(value);
  return found == e.facts.diagonals.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// Rows (or columns) 1..wanted of a matrix, with zeros where it has fewer.
ValueId fitted(Emitter& e, ValueId value, Axis axis, Size wanted) {
  const Type t = e.type(value);
  const bool rows = axis == Axis::rows;
  const Size extent = rows ? t.rows : t.cols;
  if (extent == wanted) return value;
  if (!e.facts.less_equal(e.graph, wanted, extent)) {
    const Size longer = e.larger(extent, wanted);
    value = rows ? e.builder.resize(value, longer, t.cols) : e.builder.resize(value, t.rows, longer);
    if (longer == wanted) return value;
  }
  const Subscript leading{SubscriptKind::range, 0, 1, wanted};
  const Subscript every{SubscriptKind::all, 0, 1, rows ? t.cols : t.rows};
  return rows ? e.builder.index(value, Subscripts{{leading, every}}, {}, wanted, t.cols)
              : e.builder.index(value, Subscripts{{every, leading}}, {}, t.rows, wanted);
}

/// Row i of a matrix times (or over) element i of a column; what has no element is left out.
ValueId scaled_rows(Emitter& e, ScalarOp op, ValueId matrix, ValueId column, Span span) {
  const ValueId part = fitted(e, matrix, Axis::rows, e.type(column).rows);
  return elementwise(e, op, {part, column}, span, op == ScalarOp::mul ? "*" : "\\");
}

ValueId scaled_cols(Emitter& e, ScalarOp op, ValueId matrix, ValueId column, Span span) {
  const ValueId part = fitted(e, matrix, Axis::cols, e.type(column).rows);
  const ValueId row = e.builder.reshape(column, 1, e.type(column).rows);
  return elementwise(e, op, {part, row}, span, op == ScalarOp::mul ? "*" : "/");
}

ValueId gathered(Emitter& e, ValueId matrix, Axis axis, ValueId positions) {
  const Type t = e.type(matrix);
  const Size count = e.type(positions).count();
  const Subscript which{SubscriptKind::vector, 0, 1, count};
  const Subscript every{SubscriptKind::all, 0, 1, axis == Axis::rows ? t.cols : t.rows};
  return axis == Axis::rows ? e.builder.index(matrix, Subscripts{{which, every}}, {positions}, count, t.cols)
                            : e.builder.index(matrix, Subscripts{{every, which}}, {positions}, t.rows, count);
}

/// The elements over d, and 0 where d is 0: what Octave's diagonal solve gives.
ValueId divided(Emitter& e, ValueId quotient, ValueId divisor) {
  Builder& b = e.builder;
  const ValueId none = b.map(ScalarOp::eq, divisor, b.constant(0, e.type(divisor).element));
  return b.map(ScalarOp::select, none, b.constant(0, e.type(quotient).element), quotient);
}

}  // namespace

ValueId diagonal_matrix(Emitter& e, ValueId diagonal, const Size& rows, const Size& cols) {
  const Size m = rows, n = cols;  // whoever calls may refer to a type, which moves as values are added
  const Element element = e.type(diagonal).element;
  const ValueId on = e.builder.map(ScalarOp::eq, e.builder.iota(Axis::rows, m, n), e.builder.iota(Axis::cols, m, n));
  const Op* made = e.graph.definition(diagonal);
  const bool ones = made && made->kind == OpKind::fill && e.constant_of(made->operands[0]) == 1.0;
  const ValueId value =
      ones ? e.builder.convert(on, element)
           : e.builder.map(ScalarOp::select, on, fitted(e, diagonal, Axis::rows, m), e.builder.constant(0, element));
  // Octave has no diagonal type of logicals.
  if (!e.type(value).is_scalar() && element != Element::logical) e.facts.diagonals[value] = diagonal;
  return value;
}

ValueId permutation_matrix(Emitter& e, ValueId positions, Element element) {
  const Size n = e.type(positions).count();
  const ValueId column = e.builder.reshape(positions, n, 1);
  const ValueId on = e.builder.map(ScalarOp::eq, e.builder.iota(Axis::cols, n, n),
                                   e.builder.map(ScalarOp::sub, column, e.builder.constant(1, Element::integer)));
  const ValueId count =
      e.builder.map(ScalarOp::add, e.builder.iota(Axis::rows, n, 1), e.builder.constant(1, Element::integer));
  const Subscripts where{{{SubscriptKind::vector, 0, 1, n}}};
  const ValueId inverse =
      e.builder.update(e.builder.fill(e.builder.constant(0, Element::integer), n, 1), where, {column}, count);
  const ValueId value = e.builder.convert(on, element);
  if (!e.type(value).is_scalar()) e.facts.permutations[value] = {column, inverse};
  return value;
}

namespace {

bool is_permutation(const Emitter& e, ValueId index, const Size& n) {
  if (e.type(index).count() != n) return false;
  if (const auto range = e.facts.ranges.find(index); range != e.facts.ranges.end()) {
    const RangeFact& r = range->second;
    return (r.first.is(1) && r.step.is(1)) || (r.first == n && r.step == Size(-1));
  }
  if (const auto numbers = numbers_of(e, index); numbers && !e.type(index).is_scalar()) {
    const std::set<double> positions(numbers->begin(), numbers->end());
    return !positions.empty() && positions.size() == numbers->size() && *positions.begin() == 1 &&
           *positions.rbegin() == static_cast<double>(positions.size());
  }
  const Op* made = e.graph.definition(index);
  if (!made) return false;
  if (made->kind == OpKind::convert && e.type(index).element != Element::integer &&
      e.type(index).element != Element::real)
    return false;
  if (made->kind == OpKind::convert || made->kind == OpKind::reshape || made->kind == OpKind::transpose)
    return is_permutation(e, made->operands[0], n);
  return made->kind == OpKind::library && std::get<LibraryFn>(made->attribute) == LibraryFn::sort &&
         index == made->results[1] && e.type(made->operands[0]).is_vector();
}

}  // namespace

std::optional<ValueId> permuted_identity(Emitter& e, ValueId value, const Subscripts& subscripts,
                                         const std::vector<ValueId>& vectors) {
  const Type t = e.type(value);
  const auto diagonal = diagonal_of(e, value);
  if (!diagonal || t.rows != t.cols || subscripts.axes.size() != 2 || vectors.size() > 1) return std::nullopt;
  const Op* made = e.graph.definition(*diagonal);
  if (!made || made->kind != OpKind::fill || e.constant_of(made->operands[0]) != 1.0) return std::nullopt;
  const bool by_rows = subscripts.axes[0].kind != SubscriptKind::all;
  const Subscript& chosen_axis = subscripts.axes[by_rows ? 0 : 1];
  if (subscripts.axes[by_rows ? 1 : 0].kind != SubscriptKind::all) return std::nullopt;
  ValueId positions;
  if (chosen_axis.kind == SubscriptKind::vector && is_permutation(e, vectors[0], t.rows)) {
    positions = vectors[0];
  } else if (chosen_axis.kind == SubscriptKind::range && chosen_axis.step.is(-1) && chosen_axis.count == t.rows &&
             chosen_axis.first + 1 == e.facts.where_positive(t.rows)) {  // n:-1:1
    positions = e.builder.map(ScalarOp::sub, e.builder.size(t.rows), e.builder.iota(Axis::rows, t.rows, 1));
  } else {
    return std::nullopt;
  }
  const ValueId result = permutation_matrix(e, positions, t.element);
  return by_rows ? result : structured_transpose(e, result);
}

ValueId without_structure(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  if (const auto diagonal = diagonal_of(e, value)) {
    const ValueId full = diagonal_matrix(e, *diagonal, t.rows, t.cols);
    e.facts.diagonals.erase(full);
    return full;
  }
  const auto permutation = e.facts.permutations.find(value);
  if (permutation == e.facts.permutations.end()) return value;
  const ValueId full = permutation_matrix(e, permutation->second.rows, t.element);
  e.facts.permutations.erase(full);
  return full;
}

std::optional<ValueId> structured_transpose(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  if (const auto diagonal = diagonal_of(e, value)) {
    if (t.rows == t.cols) return value;
    return diagonal_matrix(e, *diagonal, t.cols, t.rows);
  }
  const auto permutation = e.facts.permutations.find(value);
  if (permutation == e.facts.permutations.end()) return std::nullopt;
  const PermutationFact fact = permutation->second;
  const ValueId result = e.builder.transpose(value);
  e.facts.permutations[result] = {fact.cols, fact.rows};
  return result;
}

std::optional<ValueId> structured_block(Emitter& e, ValueId value, const Subscripts& where) {
  const auto diagonal = diagonal_of(e, value);
  const auto leading = [](const Subscript& axis) {
    return axis.kind == SubscriptKind::all ||
           (axis.kind == SubscriptKind::range && axis.first.is(0) && axis.step.is(1));
  };
  if (!diagonal || !leading(where.axes[0]) || !leading(where.axes[1])) return std::nullopt;
  const Size rows = where.axes[0].count, cols = where.axes[1].count;
  if (rows.is(1) && cols.is(1)) return std::nullopt;
  if (!e.facts.less_equal(e.graph, cols, e.type(value).rows)) return std::nullopt;  // Octave: a full matrix
  return diagonal_matrix(e, fitted(e, *diagonal, Axis::rows, e.minimum(rows, cols)), rows, cols);
}

std::optional<ValueId> scaled_diagonal(Emitter& e, ScalarOp op, ValueId a, ValueId b, Span span) {
  const auto da = diagonal_of(e, a), db = diagonal_of(e, b);
  if (!da && !db) return std::nullopt;
  const Type shape = e.type(da ? a : b);
  return diagonal_matrix(e, elementwise(e, op, {da.value_or(a), db.value_or(b)}, span, op == ScalarOp::mul ? "*" : "/"),
                         shape.rows, shape.cols);
}

std::optional<ValueId> structured_product(Emitter& e, ValueId a, ValueId b, Span span) {
  const Type ta = e.type(a), tb = e.type(b);
  if (!ta.is_dense() || !tb.is_dense()) return std::nullopt;
  const auto da = diagonal_of(e, a), db = diagonal_of(e, b);
  if (da && db && e.type(*da).rows == e.type(*db).rows && ta.rows == ta.cols && tb.rows == tb.cols)
    return diagonal_matrix(e, elementwise(e, ScalarOp::mul, {*da, *db}, span, "*"), ta.rows, tb.cols);
  if (da) return fitted(e, scaled_rows(e, ScalarOp::mul, b, *da, span), Axis::rows, ta.rows);
  if (db) return fitted(e, scaled_cols(e, ScalarOp::mul, a, *db, span), Axis::cols, tb.cols);
  const auto left = e.facts.permutations.find(a), right = e.facts.permutations.find(b),
             none = e.facts.permutations.end();
  if (left != none && right != none)
    return permutation_matrix(e, gathered(e, right->second.rows, Axis::rows, left->second.rows), ta.element);
  if (left != none) return gathered(e, b, Axis::rows, left->second.rows);
  if (right != none) return gathered(e, a, Axis::cols, right->second.cols);
  return std::nullopt;
}

std::optional<ValueId> structured_left_division(Emitter& e, ValueId a, ValueId b, Span span) {
  const Type ta = e.type(a);
  if (!ta.is_dense() || !e.type(b).is_dense()) return std::nullopt;
  if (const auto diagonal = diagonal_of(e, a)) {
    const auto other = diagonal_of(e, b);
    if (other && ta.rows == ta.cols && e.type(b).rows == e.type(b).cols) {
      const ValueId quotient = elementwise(e, ScalarOp::div, {*other, *diagonal}, span, "\\");
      return diagonal_matrix(e, divided(e, quotient, *diagonal), ta.cols, ta.cols);
    }
    const ValueId quotient = divided(e, scaled_rows(e, ScalarOp::div, b, *diagonal, span), *diagonal);
    return fitted(e, quotient, Axis::rows, ta.cols);
  }
  const auto permutation = e.facts.permutations.find(a);
  if (permutation == e.facts.permutations.end()) return std::nullopt;
  return gathered(e, b, Axis::rows, permutation->second.cols);
}

std::optional<ValueId> structured_sum(Emitter& e, bool subtract, ValueId a, ValueId b, Span span) {
  const auto da = diagonal_of(e, a), db = diagonal_of(e, b);
  const Type shape = e.type(a);
  if (!da || !db || !shape.same_shape(e.type(b))) return std::nullopt;
  const ValueId sum = elementwise(e, subtract ? ScalarOp::sub : ScalarOp::add, {*da, *db}, span, subtract ? "-" : "+");
  return diagonal_matrix(e, sum, shape.rows, shape.cols);
}

namespace {

std::optional<ValueId> structured_power(Emitter& e, ValueId base, ValueId exponent, Span span) {
  const auto diagonal = diagonal_of(e, base);
  const Type shape = e.type(base);
  if (!diagonal || shape.rows != shape.cols) return std::nullopt;
  return diagonal_matrix(e, power(e, *diagonal, exponent, false, span), shape.rows, shape.cols);
}

}  // namespace

// Products for constant integers; a library step for what the run decides and for what needs eigenvalues.
ValueId matrix_power(Emitter& e, ValueId a, ValueId b, Span span) {
  constexpr const char* not_square =
      "for x^y, only square matrix arguments are permitted and one argument must be scalar.  Use .^ for elementwise "
      "power.";
  const bool matrix_base = !(e.type(a).rows.is(1) && e.type(a).cols.is(1));
  ValueId &matrix = matrix_base ? a : b, &scalar = matrix_base ? b : a;
  scalar = as_scalar(e, dense(e, scalar), span, "the exponent of a matrix");
  const Type t = e.type(matrix);
  require_equal(e, t.rows, t.cols, span, not_square, {}, not_square);
  const std::optional<double> exponent = matrix_base ? e.constant_of(b) : std::nullopt;
  const bool integral = exponent && std::trunc(*exponent) == *exponent && std::abs(*exponent) <= 1024;
  if (t.is_sparse() && !integral)
    e.fail(span, "a power of a sparse matrix needs a constant integer exponent: use full(A)");
  if (matrix_base)
    if (const auto known = structured_power(e, a, b, span)) return *known;
  const Element elements[2] = {e.type(a).element, e.type(b).element};
  const Element element = result_element(ScalarOp::div, elements, e.graph.precision);
  Type result_type = Type::matrix(element, t.rows, t.cols);
  if (!integral) {
    matrix = e.builder.convert(matrix, element);
    return e.builder.library(LibraryFn::matrix_power, {a, b}, {result_type})[0];
  }
  if (*exponent == 0 && t.is_sparse()) {
    result_type.storage = Storage::diagonal;
    result_type.offsets = {Size(0)};
    return e.builder.library(LibraryFn::sparse_identity, {}, {result_type})[0];
  }
  if (*exponent == 0)
    return diagonal_matrix(e, e.builder.fill(e.builder.constant(1, element), t.rows, 1), t.rows, t.rows);
  if (*exponent < 0 && t.is_sparse()) {
    result_type.storage = Storage::csr;
    a = e.builder.library(LibraryFn::sparse_inverse, {e.builder.convert(a, element)}, {result_type})[0];
  } else if (*exponent < 0) {
    a = e.builder.library(LibraryFn::inverse, {e.builder.convert(a, element), e.builder.constant(2, Element::integer)},
                          {result_type, Type::scalar(element)})[0];
  }
  // By repeated squaring.
  ValueId result;
  for (double left = std::abs(*exponent); left > 0; left = std::floor(left / 2)) {
    if (std::fmod(left, 2) == 1) result = result ? multiply(e, result, a, span) : a;
    if (left > 1) a = multiply(e, a, a, span);
  }
  return result;
}

}  // namespace lac::frontend
