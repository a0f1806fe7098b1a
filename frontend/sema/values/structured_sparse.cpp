// Diagonal and permutation matrices beside sparse ones: S + eye(n), diag(d)*S, P*S. Octave keeps such results sparse,
// and nothing here is as large as the structured matrix would be full.
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

/// Each stored entry with the element of `by` (a column) that belongs to its row or column; over 0 it is 0.
ValueId scaled(Emitter& e, ScalarOp op, ValueId sparse, ValueId by, Axis side, Span span) {
  Builder& b = e.builder;
  const Type t = e.type(sparse);
  const SparseEntries entries = sparse_entries(e, to_csr(e, sparse));
  const Subscripts each{{{SubscriptKind::vector, 0, 1, entries.count}}};
  const ValueId factors = b.index(by, each, {side == Axis::rows ? entries.rows : entries.cols}, entries.count, 1);
  ValueId values = elementwise(e, op, {entries.values, factors}, span, op == ScalarOp::mul ? "*" : "\\");
  const Element element = e.type(values).element;
  if (op == ScalarOp::div) {
    const ValueId none = b.map(ScalarOp::eq, factors, b.constant(0, e.type(factors).element));
    values = b.map(ScalarOp::select, none, b.constant(0, element), values);
  }
  return b.library(LibraryFn::sparse_triplets, {entries.rows, entries.cols, values},
                   {csr_type(element, t.rows, t.cols)})[0];
}

}  // namespace

std::optional<ValueId> sparse_of_diagonal(Emitter& e, ValueId value) {
  const auto diagonal = diagonal_of(e, value);
  if (!diagonal) return std::nullopt;
  Type result = e.type(value);
  result.properties = {};
  result.storage = Storage::diagonal;
  result.offsets = {Size(0)};
  return e.builder.library(LibraryFn::spdiags, {e.builder.convert(*diagonal, result.element)}, {result})[0];
}

std::optional<ValueId> sparse_of_structure(Emitter& e, ValueId value) {
  if (const auto diagonal = sparse_of_diagonal(e, value)) return diagonal;
  const auto permutation = e.facts.permutations.find(value);
  if (permutation == e.facts.permutations.end()) return std::nullopt;
  const Type t = e.type(value);
  const PermutationFact fact = permutation->second;
  const ValueId places =
      e.builder.map(ScalarOp::add, e.builder.iota(Axis::rows, t.rows, 1), e.builder.constant(1, Element::integer));
  return e.builder.library(LibraryFn::sparse_triplets,
                           {places, fact.rows, e.builder.fill(e.builder.constant(1, t.element), t.rows, 1)},
                           {csr_type(t.element, t.rows, t.cols)})[0];
}

// The diagonal from both diagonals, and S*0 beside it: what is infinite or NaN there becomes NaN.
std::optional<ValueId> structured_sparse_times(Emitter& e, ValueId a, ValueId b, Span span) {
  const bool left = diagonal_of(e, b).has_value();
  const ValueId sparse = left ? a : b, other = left ? b : a;
  const auto diagonal = diagonal_of(e, other);
  const Type t = e.type(sparse);
  if (!diagonal || !t.is_sparse() || is_one(t) || t.rows != t.cols) return std::nullopt;
  const ValueId kept = e.builder.library(LibraryFn::sparse_diagonal, {sparse}, {Type::matrix(t.element, t.rows, 1)})[0];
  const ValueId product = elementwise(e, ScalarOp::mul, {kept, *diagonal}, span, ".*");
  const ValueId on = *sparse_of_diagonal(e, diagonal_matrix(e, product, t.rows, t.cols));
  const ValueId zeros =
      to_csr(e, sparse_elementwise(e, ScalarOp::mul, {sparse, e.builder.constant(0, Element::integer)}, span, ".*"));
  const auto band = [&](double first, double last) {
    return e.builder.library(
        LibraryFn::sparse_band,
        {zeros, e.builder.constant(first, Element::integer), e.builder.constant(last, Element::integer)},
        {e.type(zeros)})[0];
  };
  const ValueId beside = sparse_sum(e, false, band(-0x1p52, -1), band(1, 0x1p52), span);
  return sparse_sum(e, false, to_csr(e, on), beside, span);
}

std::optional<ValueId> structured_sparse_product(Emitter& e, ValueId a, ValueId b, Span span) {
  const Type ta = e.type(a), tb = e.type(b);
  if (ta.is_sparse() == tb.is_sparse()) return std::nullopt;
  const bool on_left = tb.is_sparse();
  const ValueId known = on_left ? a : b, sparse = on_left ? b : a;
  const Type t = e.type(known);
  if (const auto diagonal = diagonal_of(e, known)) {
    if (t.rows == t.cols) return scaled(e, ScalarOp::mul, sparse, *diagonal, on_left ? Axis::rows : Axis::cols, span);
    const ValueId turned = *sparse_of_diagonal(e, known);
    return on_left ? sparse_product(e, turned, sparse) : sparse_product(e, sparse, turned);
  }
  const auto permutation = e.facts.permutations.find(known);
  if (permutation == e.facts.permutations.end()) return std::nullopt;
  const Type s = e.type(sparse);
  const Type result = csr_type(arithmetic_join(s.element, s.element), s.rows, s.cols);
  const ValueId from = e.builder.convert(to_csr(e, sparse), result.element);
  return on_left ? e.builder.library(LibraryFn::sparse_rows, {from, permutation->second.rows}, {result})[0]
                 : e.builder.library(LibraryFn::sparse_columns, {from, permutation->second.cols}, {result})[0];
}

std::optional<ValueId> structured_sparse_division(Emitter& e, ValueId a, ValueId b, Span span) {
  if (!e.type(a).is_dense() || !e.type(b).is_sparse()) return std::nullopt;
  const Type t = e.type(a);
  const auto diagonal = diagonal_of(e, a);
  if (diagonal && t.rows == t.cols) return scaled(e, ScalarOp::div, b, *diagonal, Axis::rows, span);
  if (diagonal) {
    const ValueId none = e.builder.map(ScalarOp::eq, *diagonal, e.builder.constant(0, e.type(*diagonal).element));
    const ValueId inverse =
        elementwise(e, ScalarOp::div, {e.builder.constant(1, Element::integer), *diagonal}, span, "\\");
    const ValueId kept = e.builder.map(ScalarOp::select, none, e.builder.constant(0, e.type(inverse).element), inverse);
    return sparse_product(e, *sparse_of_diagonal(e, diagonal_matrix(e, kept, t.cols, t.rows)), b);
  }
  if (e.facts.permutations.find(a) == e.facts.permutations.end()) return std::nullopt;
  return structured_sparse_product(e, *structured_transpose(e, a), b, span);
}

}  // namespace lac::frontend
