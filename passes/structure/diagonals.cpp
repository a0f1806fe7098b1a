#include "passes/structure/diagonals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace lac::passes {
namespace {

using Found = std::optional<DiagonalSum>;

/// The columns of dense matrices, as scalars where all of their elements are the same.
class Columns {
 public:
  explicit Columns(Builder& build) : build_(build) {}

  ValueId of(ValueId matrix, std::int64_t c) {
    const auto [found, is_new] = known_.try_emplace({matrix, c});
    return is_new ? known_[{matrix, c}] = find(matrix, c) : found->second;
  }

 private:
  ValueId find(ValueId matrix, std::int64_t c) {
    const Type type = build_.graph.type(matrix);
    if (type.is_scalar()) return matrix;
    if (type.cols.is(1) && !is_even(matrix)) return matrix;
    if (const Op* op = build_.graph.definition(matrix)) {
      const Op made = *op;
      if (made.kind == OpKind::fill) return made.operands[0];
      if (made.kind == OpKind::convert) return build_.convert(of(made.operands[0], c), type.element);
      if (made.kind == OpKind::map) return mapped(made, c);
      if (made.kind == OpKind::table && type.rows.is(1))
        return build_.constant((*attribute<Numbers>(made).values)[static_cast<std::size_t>(c)], type.element);
      if (made.kind == OpKind::concat && attribute<Axis>(made) == Axis::cols && of_single_columns(made))
        return of(made.operands[static_cast<std::size_t>(c)], 0);
    }
    const Subscripts where{{{SubscriptKind::all, 0, 1, type.rows}, {SubscriptKind::range, Size(c), 1, 1}}};
    return build_.index(matrix, where, {}, type.rows, 1);
  }

  /// All elements of it are the same.
  bool is_even(ValueId value) {
    if (build_.graph.type(value).is_scalar()) return true;
    if (const auto found = even_.find(value); found != even_.end()) return found->second;
    even_[value] = false;
    const Op* op = build_.graph.definition(value);
    if (!op) return false;
    const bool even = op->kind == OpKind::fill ||
                      ((op->kind == OpKind::convert ||
                        (op->kind == OpKind::map && all_of_its_columns(*op, build_.graph.type(value)))) &&
                       std::ranges::all_of(op->operands, [&](ValueId operand) { return is_even(operand); }));
    return even_[value] = even;
  }

  bool all_of_its_columns(const Op& op, const Type& type) const {
    return std::ranges::all_of(op.operands, [&](ValueId operand) {
      const Type& given = build_.graph.type(operand);
      return given.is_scalar() || (given.rows == type.rows && given.cols == type.cols);
    });
  }
  bool of_single_columns(const Op& op) const {
    return std::ranges::all_of(op.operands, [&](ValueId operand) { return build_.graph.type(operand).cols.is(1); });
  }
  ValueId mapped(const Op& op, std::int64_t c) {
    std::vector<ValueId> operands;
    for (ValueId operand : op.operands)  // ones(n, 1) * [-1 2 -1]: what is broadcast has one column or one row
      operands.push_back(of(operand, build_.graph.type(operand).cols.is(1) ? 0 : c));
    return build_.map(attribute<ScalarOp>(op), operands);
  }

  Builder& build_;
  std::map<std::pair<ValueId, std::int64_t>, ValueId> known_;
  std::unordered_map<ValueId, bool> even_;
};

class Analysis {
 public:
  Analysis(Builder& build, std::size_t most) : build_(build), columns_(build), most_(most) {}

  Found of(ValueId matrix) {
    if (const auto known = known_.find(matrix); known != known_.end()) return known->second;
    known_[matrix] = std::nullopt;
    return known_[matrix] = find(matrix);
  }

 private:
  Found find(ValueId matrix) {
    const Type type = build_.graph.type(matrix);
    if (!type.is_sparse() || type.rows != type.cols) return std::nullopt;
    Found found = through_op(matrix, type);
    if (!found) found = stored(matrix, type);
    if (!found || found->size() > most_) return std::nullopt;
    for (DiagonalProduct& product : *found)
      for (Diagonal& diagonal : product) diagonal.value = build_.convert(diagonal.value, type.element);
    return found;
  }

  Found through_op(ValueId matrix, const Type& type) {
    const Op* op = build_.graph.definition(matrix);
    if (!op) return std::nullopt;
    const Op made = *op;
    return made.kind == OpKind::convert ? of(made.operands[0]) : through_library(made, type);
  }

  /// What is in memory: of a symmetric matrix half of it, as element (i, i - d) is element i - d of diagonal d.
  Found stored(ValueId matrix, const Type& type) {
    const std::vector<Size>& offsets = type.offsets;
    if (type.storage != Storage::diagonal || offsets.size() > most_) return std::nullopt;
    const ValueId vectors = build_.reshape(matrix, type.rows, static_cast<std::int64_t>(offsets.size()));
    DiagonalSum found;
    for (const Size& offset : offsets) {
      const auto mirrored = std::ranges::find(offsets, Size(0) - offset);
      const bool below = type.properties.has(Property::symmetric) && mirrored != offsets.end() &&
                         at_most(build_.graph.symbols, offset, -1);
      const ValueId column =
          columns_.of(vectors, (below ? mirrored : std::ranges::find(offsets, offset)) - offsets.begin());
      found.push_back({{type.rows, offset, below ? moved(column, offset) : column, !below}});
    }
    return found;
  }

  Found through_library(const Op& op, const Type& type) {
    if (op.kind != OpKind::library) return std::nullopt;
    switch (attribute<LibraryFn>(op)) {
      case LibraryFn::sparse_identity: return DiagonalSum{{{type.rows, 0, build_.constant(1, type.element)}}};
      case LibraryFn::spdiags: return columns(op, type);
      case LibraryFn::kron: return kron(op);
      case LibraryFn::sparse_add: return sum(op, false);
      case LibraryFn::sparse_subtract: return sum(op, true);
      case LibraryFn::sparse_map: return scaled(op);
      case LibraryFn::sparse_transpose: return transposed(op);
      case LibraryFn::sparse_convert: return of(op.operands[0]);
      default: return std::nullopt;
    }
  }

  // Element j of a column stands in column j of the matrix.
  Found columns(const Op& op, const Type& type) {
    const Type given = build_.graph.type(op.operands[0]);
    if (given.rows != type.rows || !given.cols.is(static_cast<std::int64_t>(type.offsets.size()))) return std::nullopt;
    if (type.offsets.size() > most_) return std::nullopt;
    DiagonalSum found;
    for (std::size_t d = 0; d < type.offsets.size(); ++d) {
      const ValueId column = columns_.of(op.operands[0], static_cast<std::int64_t>(d));
      found.push_back({{type.rows, type.offsets[d], moved(column, type.offsets[d])}});
    }
    return found;
  }

  /// Element i becomes element i + by of the column.
  ValueId moved(ValueId column, const Size& by) {
    const Type type = build_.graph.type(column);
    return type.is_scalar() ? column : build_.shift(column, {by, type.rows}, {0, 1});
  }

  Found kron(const Op& op) {
    const Found slow = of(op.operands[0]);
    const Found fast = slow ? of(op.operands[1]) : std::nullopt;
    if (!fast || slow->size() * fast->size() > most_) return std::nullopt;
    DiagonalSum found;
    for (const DiagonalProduct& outer : *slow)
      for (const DiagonalProduct& inner : *fast) {
        found.push_back(inner);
        found.back().insert(found.back().end(), outer.begin(), outer.end());
      }
    return found;
  }

  Found sum(const Op& op, bool subtract) {
    Found a = of(op.operands[0]);
    Found b = a ? of(op.operands[1]) : std::nullopt;
    if (!b || a->size() + b->size() > most_) return std::nullopt;
    for (DiagonalProduct& product : *b) {
      if (subtract) product.front().value = build_.map(ScalarOp::neg, product.front().value);
      a->push_back(std::move(product));
    }
    return a;
  }

  // -A, A * s, A / s
  Found scaled(const Op& op) {
    const auto which = constant_value(build_.graph, op.operands[0]);
    if (!which) return std::nullopt;
    const auto function = static_cast<ScalarOp>(static_cast<int>(*which));
    const bool by_scalar = op.operands.size() == 3 && build_.graph.type(op.operands[2]).is_scalar() &&
                           build_.graph.type(op.operands[2]).is_dense();
    const bool known =
        function == ScalarOp::neg || (by_scalar && (function == ScalarOp::mul || function == ScalarOp::div));
    Found found = known ? of(op.operands[1]) : std::nullopt;
    if (!found) return std::nullopt;
    for (DiagonalProduct& product : *found) {
      ValueId& value = product.front().value;
      value = op.operands.size() == 3 ? scaled(function, value, op.operands[2]) : build_.map(function, value);
    }
    return found;
  }

  /// A zero of a sparse matrix stays one, whatever the factor.
  ValueId scaled(ScalarOp function, ValueId value, ValueId factor) {
    const ValueId result = build_.map(function, value, factor);
    const auto number = constant_value(build_.graph, factor), element = constant_value(build_.graph, value);
    if ((number && *number != 0 && std::isfinite(*number)) || element.value_or(0) != 0) return result;
    const ValueId zero = build_.constant(0, build_.graph.type(value).element);
    return build_.map(ScalarOp::select, build_.map(ScalarOp::ne, value, zero), result,
                      build_.constant(0, build_.graph.type(result).element));
  }

  // Element (i, i + d) becomes (i + d, i), element i + d of diagonal -d.
  Found transposed(const Op& op) {
    Found found = of(op.operands[0]);
    if (!found) return std::nullopt;
    for (DiagonalProduct& product : *found)
      for (Diagonal& diagonal : product) {
        diagonal.offset = Size(0) - diagonal.offset;
        diagonal.value = moved(diagonal.value, diagonal.offset);
        diagonal.zero_outside = false;
      }
    return found;
  }

  Builder& build_;
  Columns columns_;
  std::size_t most_;
  std::unordered_map<ValueId, Found> known_;
};

bool is_multiple_of_identity(const Graph& graph, const Diagonal& diagonal) {
  return diagonal.offset.is(0) && graph.type(diagonal.value).is_scalar();
}

}  // namespace

std::optional<DiagonalSum> diagonals_of(Builder& build, ValueId matrix, std::size_t most) {
  return Analysis(build, most).of(matrix);
}

std::optional<DiagonalSum> split_at(Builder& build, const DiagonalSum& sum, const Size& extent) {
  DiagonalSum result = sum;
  for (DiagonalProduct& product : result) {
    if (product.front().extent == extent) continue;
    const std::optional<Size> rest = quotient(product.front().extent, extent);
    if (!is_multiple_of_identity(build.graph, product.front()) || !rest) return std::nullopt;
    const ValueId one = build.constant(1, build.graph.type(product.front().value).element);
    product.front().extent = *rest;
    product.insert(product.begin(), {extent, 0, one});
  }
  return result;
}

}  // namespace lac::passes
