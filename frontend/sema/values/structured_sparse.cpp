// Diagonal and permutation matrices beside sparse ones: S + eye(n), diag(d)*S, P*S. Octave keeps such results sparse,
// and nothing here is as large as the structured matrix would be full.
#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

/// Each stored entry with the element of `by` (a column) that belongs to its row or column; over 0 it is 0.
ValueId scaled(Lowerer& l, ScalarOp op, ValueId sparse, ValueId by, Axis side, Span span) {
  Builder& b = l.builder;
  const Type t = l.type(sparse);
  const Lowerer::SparseEntries entries = l.sparse_entries(l.to_csr(sparse));
  const Subscripts each{{{SubscriptKind::vector, 0, 1, entries.count}}};
  const ValueId factors = b.index(by, each, {side == Axis::rows ? entries.rows : entries.cols}, entries.count, 1);
  ValueId values = l.elementwise(op, {entries.values, factors}, span, op == ScalarOp::mul ? "*" : "\\");
  const Element element = l.type(values).element;
  if (op == ScalarOp::div) {
    const ValueId none = b.map(ScalarOp::eq, factors, b.constant(0, l.type(factors).element));
    values = b.map(ScalarOp::select, none, b.constant(0, element), values);
  }
  return b.library(LibraryFn::sparse_triplets, {entries.rows, entries.cols, values},
                   {csr_type(element, t.rows, t.cols)})[0];
}

bool is_one(const Type& t) { return t.rows.is(1) && t.cols.is(1); }

}  // namespace

std::optional<ValueId> Lowerer::sparse_of_diagonal(ValueId value) {
  const auto diagonal = diagonal_of(value);
  if (!diagonal) return std::nullopt;
  Type result = type(value);
  result.properties = {};
  result.storage = Storage::diagonal;
  result.offsets = {Size(0)};
  return builder.library(LibraryFn::spdiags, {builder.convert(*diagonal, result.element)}, {result})[0];
}

std::optional<ValueId> Lowerer::sparse_of_structure(ValueId value) {
  if (const auto diagonal = sparse_of_diagonal(value)) return diagonal;
  const auto permutation = facts.permutations.find(value);
  if (permutation == facts.permutations.end()) return std::nullopt;
  const Type t = type(value);
  const PermutationFact fact = permutation->second;
  const ValueId places =
      builder.map(ScalarOp::add, builder.iota(Axis::rows, t.rows, 1), builder.constant(1, Element::integer));
  return builder.library(LibraryFn::sparse_triplets,
                         {places, fact.rows, builder.fill(builder.constant(1, t.element), t.rows, 1)},
                         {csr_type(t.element, t.rows, t.cols)})[0];
}

// The diagonal from both diagonals, and S*0 beside it: what is infinite or NaN there becomes NaN.
std::optional<ValueId> Lowerer::structured_sparse_times(ValueId a, ValueId b, Span span) {
  const bool left = diagonal_of(b).has_value();
  const ValueId sparse = left ? a : b, other = left ? b : a;
  const auto diagonal = diagonal_of(other);
  const Type t = type(sparse);
  if (!diagonal || !t.is_sparse() || is_one(t) || t.rows != t.cols) return std::nullopt;
  const ValueId kept = builder.library(LibraryFn::sparse_diagonal, {sparse}, {Type::matrix(t.element, t.rows, 1)})[0];
  const ValueId product = elementwise(ScalarOp::mul, {kept, *diagonal}, span, ".*");
  const ValueId on = *sparse_of_diagonal(diagonal_matrix(product, t.rows, t.cols));
  const ValueId zeros =
      to_csr(sparse_elementwise(ScalarOp::mul, {sparse, builder.constant(0, Element::integer)}, span, ".*"));
  const auto band = [&](double first, double last) {
    return builder.library(LibraryFn::sparse_band,
                           {zeros, builder.constant(first, Element::integer), builder.constant(last, Element::integer)},
                           {type(zeros)})[0];
  };
  const ValueId beside = sparse_sum(false, band(-0x1p52, -1), band(1, 0x1p52), span);
  return sparse_sum(false, to_csr(on), beside, span);
}

std::optional<ValueId> Lowerer::structured_sparse_product(ValueId a, ValueId b, Span span) {
  const Type ta = type(a), tb = type(b);
  if (ta.is_sparse() == tb.is_sparse()) return std::nullopt;
  const bool on_left = tb.is_sparse();
  const ValueId known = on_left ? a : b, sparse = on_left ? b : a;
  const Type t = type(known);
  if (const auto diagonal = diagonal_of(known)) {
    if (t.rows == t.cols)
      return scaled(*this, ScalarOp::mul, sparse, *diagonal, on_left ? Axis::rows : Axis::cols, span);
    const ValueId turned = *sparse_of_diagonal(known);
    return on_left ? sparse_product(turned, sparse) : sparse_product(sparse, turned);
  }
  const auto permutation = facts.permutations.find(known);
  if (permutation == facts.permutations.end()) return std::nullopt;
  const Type s = type(sparse);
  const Type result = csr_type(arithmetic_join(s.element, s.element), s.rows, s.cols);
  const ValueId from = builder.convert(to_csr(sparse), result.element);
  return on_left ? builder.library(LibraryFn::sparse_rows, {from, permutation->second.rows}, {result})[0]
                 : builder.library(LibraryFn::sparse_columns, {from, permutation->second.cols}, {result})[0];
}

std::optional<ValueId> Lowerer::structured_sparse_division(ValueId a, ValueId b, Span span) {
  if (!type(a).is_dense() || !type(b).is_sparse()) return std::nullopt;
  const Type t = type(a);
  const auto diagonal = diagonal_of(a);
  if (diagonal && t.rows == t.cols) return scaled(*this, ScalarOp::div, b, *diagonal, Axis::rows, span);
  if (diagonal) {
    const ValueId none = builder.map(ScalarOp::eq, *diagonal, builder.constant(0, type(*diagonal).element));
    const ValueId inverse = elementwise(ScalarOp::div, {builder.constant(1, Element::integer), *diagonal}, span, "\\");
    const ValueId kept = builder.map(ScalarOp::select, none, builder.constant(0, type(inverse).element), inverse);
    return sparse_product(*sparse_of_diagonal(diagonal_matrix(kept, t.cols, t.rows)), b);
  }
  if (facts.permutations.find(a) == facts.permutations.end()) return std::nullopt;
  return structured_sparse_product(*structured_transpose(a), b, span);
}

}  // namespace lac::frontend
