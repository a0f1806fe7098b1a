// Rearrangements. All exact: no number changes.
#include <algorithm>

#include "passes/rules/rule.h"

namespace lac::passes {
namespace {

Replacement one(ValueId value) { return std::vector<ValueId>{value}; }

// transpose(transpose(x)) = x
Replacement double_transpose(Rewrite& r) {
  const Op* inner = r.defined_by(r.operand(0), OpKind::transpose);
  if (!inner || !r.fits(inner->operands[0])) return std::nullopt;
  return one(inner->operands[0]);
}

// transpose(A) = A for symmetric A
Replacement symmetric_transpose(Rewrite& r) {
  if (!r.operand_type(0).properties.has(Property::symmetric) || !r.fits(r.operand(0))) return std::nullopt;
  return one(r.operand(0));
}

// A transposed sparse matrix is a library step.
Replacement sparse_transpose(Rewrite& r) {
  if (!r.operand_type(0).is_sparse()) return std::nullopt;
  return one(r.build.transpose(r.operand(0)));
}

// A' ' = A for the library step
Replacement double_sparse_transpose(Rewrite& r) {
  const auto is_transpose = [](const Op* op) {
    return op && op->kind == OpKind::library && attribute<LibraryFn>(*op) == LibraryFn::sparse_transpose;
  };
  if (!is_transpose(&r.op)) return std::nullopt;
  const Op* inner = r.defined_by(r.operand(0), OpKind::library);
  if (!is_transpose(inner) || !r.fits(inner->operands[0])) return std::nullopt;
  return one(inner->operands[0]);
}

// transpose(x) = reshape(x) for vectors
Replacement vector_transpose(Rewrite& r) {
  const Type type = r.type();
  if (!type.is_vector() || !type.is_dense() || type.is_scalar()) return std::nullopt;
  return one(r.build.reshape(r.operand(0), type.rows, type.cols));
}

// transpose, reshape, resize to the same shape: x
Replacement no_view(Rewrite& r) {
  if (!r.fits(r.operand(0)) || (r.op.kind == OpKind::transpose && !r.type().is_scalar())) return std::nullopt;
  return one(r.operand(0));
}

// view(fill(s)) = fill(s), index of a scalar = fill
Replacement view_of_fill(Rewrite& r) {
  const Op* fill = r.defined_by(r.operand(0), OpKind::fill);
  const bool scalar = r.operand_type(0).is_scalar();
  if ((!fill && !scalar) || !r.type().is_dense()) return std::nullopt;
  const Type type = r.type();
  return one(r.build.fill(fill ? fill->operands[0] : r.operand(0), type.rows, type.cols));
}

// reshape(reshape(x)) = reshape(x)
Replacement double_reshape(Rewrite& r) {
  const Op* inner = r.defined_by(r.operand(0), OpKind::reshape);
  if (!inner) return std::nullopt;
  const Type type = r.type();
  return one(r.build.reshape(inner->operands[0], type.rows, type.cols));
}

Subscripts first_element() { return {{Subscript{SubscriptKind::range, 0, 1, 1}}}; }

// A matrix that must have one element, as a scalar: its first.
Replacement reshape_to_scalar(Rewrite& r) {
  if (!r.type().is_scalar() || r.operand_type(0).is_scalar()) return std::nullopt;
  return one(r.build.index(r.operand(0), first_element(), {}, 1, 1));
}

// The only element of diagonal k is A(max(0, -k), max(0, k)).
Replacement diagonal_to_scalar(Rewrite& r) {
  if (!r.type().is_scalar()) return std::nullopt;
  const std::int64_t k = attribute<std::int64_t>(r.op);
  const Subscripts at{
      {Subscript{SubscriptKind::range, k < 0 ? -k : 0, 1, 1}, Subscript{SubscriptKind::range, k > 0 ? k : 0, 1, 1}}};
  return one(r.build.index(r.operand(0), at, {}, 1, 1));
}

// The diagonal of a sparse matrix is a library step.
Replacement sparse_diagonal(Rewrite& r) {
  if (!r.operand_type(0).is_sparse() || attribute<std::int64_t>(r.op) != 0) return std::nullopt;
  return r.build.library(LibraryFn::sparse_diagonal, {r.operand(0)}, {r.type()});
}

bool is_whole(const Subscript& s, const Size& extent) {
  return s.kind == SubscriptKind::all ||
         (s.kind == SubscriptKind::range && s.first.is(0) && s.step.is(1) && s.count == extent);
}

bool selects_all(const Subscripts& subscripts, const Type& base) {
  if (subscripts.linear()) return is_whole(subscripts.axes[0], base.count());
  return is_whole(subscripts.axes[0], base.rows) && is_whole(subscripts.axes[1], base.cols);
}

// x(:) = reshape(x), A(:, :) = A
Replacement whole_index(Rewrite& r) {
  if (!r.operand_type(0).is_dense() || !selects_all(attribute<Subscripts>(r.op), r.operand_type(0)))
    return std::nullopt;
  const Type type = r.type();
  return one(r.build.reshape(r.operand(0), type.rows, type.cols));
}

// element p of 0, 1, 2, ... is p
Replacement index_of_iota(Rewrite& r) {
  const Op* iota = r.defined_by(r.operand(0), OpKind::iota);
  if (!iota || !r.type().is_scalar()) return std::nullopt;
  const Subscripts& subscripts = attribute<Subscripts>(r.op);
  const Type& type = r.operand_type(0);
  const bool down = attribute<Axis>(*iota) == Axis::rows;
  const Subscript* at = nullptr;
  if (!subscripts.linear()) at = &subscripts.axes[down ? 0 : 1];
  else if (down ? type.cols.is(1) : type.rows.is(1)) at = &subscripts.axes[0];
  if (!at || at->kind != SubscriptKind::range) return std::nullopt;
  return one(r.build.size(at->first));
}

// A(:, :) = v replaces all
Replacement whole_update(Rewrite& r) {
  if (!selects_all(attribute<Subscripts>(r.op), r.operand_type(0))) return std::nullopt;
  const ValueId value = r.op.operands.back();
  const Type type = r.type(), given = r.graph.type(value);
  if (given.element != type.element) return std::nullopt;
  if (given.is_scalar()) return one(r.build.fill(value, type.rows, type.cols));
  return one(r.build.reshape(value, type.rows, type.cols));
}

// An update of a scalar is its value.
Replacement scalar_update(Rewrite& r) {
  const ValueId value = r.op.operands.back();
  if (!r.type().is_scalar() || !r.graph.type(value).is_scalar()) return std::nullopt;
  return one(r.build.convert(value, r.type().element));
}

// [x] = x; [a, b, ...] of many = [[a, ...], [...], ...], so that each kernel selects among few
Replacement concat_of_few(Rewrite& r) {
  if (r.op.operands.size() == 1 && r.fits(r.operand(0))) return one(r.operand(0));
  const std::size_t most = static_cast<std::size_t>(r.capabilities.max_concat);
  const std::vector<ValueId> values = r.op.operands;
  if (values.size() <= most) return std::nullopt;
  const Axis axis = attribute<Axis>(r.op);
  std::vector<ValueId> parts;
  for (std::size_t n = 0; n < values.size(); n += most) {
    const std::vector<ValueId> part(values.begin() + static_cast<std::ptrdiff_t>(n),
                                    values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), n + most)));
    parts.push_back(part.size() == 1 ? part[0] : r.build.concat(part, axis));
  }
  return one(r.build.concat(parts, axis));
}

// fill(s) of one element = s
Replacement scalar_fill(Rewrite& r) {
  if (!r.type().is_scalar() || !r.fits(r.operand(0))) return std::nullopt;
  return one(r.operand(0));
}

// What is known to have no elements is an empty fill, whatever made it; so no chain of views ends in it.
Replacement nothing(Rewrite& r) {
  const Type t = r.type();
  if (!t.is_dense() || !(t.rows.is(0) || t.cols.is(0))) return std::nullopt;
  return {{r.build.fill(r.build.constant(0, t.element), t.rows, t.cols)}};
}

}  // namespace

std::span<const Rule> view_rules() {
  static constexpr Rule rules[] = {
      {OpKind::map, nothing},
      {OpKind::convert, nothing},
      {OpKind::index, nothing},
      {OpKind::reshape, nothing},
      {OpKind::transpose, nothing},
      {OpKind::transpose, no_view},
      {OpKind::transpose, double_transpose},
      {OpKind::transpose, view_of_fill},
      {OpKind::transpose, symmetric_transpose},
      {OpKind::transpose, sparse_transpose},
      {OpKind::transpose, vector_transpose},
      {OpKind::library, double_sparse_transpose},
      {OpKind::reshape, no_view},
      {OpKind::reshape, view_of_fill},
      {OpKind::reshape, double_reshape},
      {OpKind::reshape, reshape_to_scalar},
      {OpKind::diagonal, sparse_diagonal},
      {OpKind::diagonal, view_of_fill},
      {OpKind::diagonal, diagonal_to_scalar},
      {OpKind::index, view_of_fill},
      {OpKind::shift, view_of_fill},
      {OpKind::index, whole_index},
      {OpKind::index, index_of_iota},
      {OpKind::update, whole_update},
      {OpKind::update, scalar_update},
      {OpKind::resize, no_view},
      {OpKind::concat, concat_of_few},
      {OpKind::fill, scalar_fill},
  };
  return rules;
}

}  // namespace lac::passes
