#include "passes/diagonals.h"

#include <algorithm>

#include "passes/rules/rewriter.h"
#include "passes/structure/diagonals.h"

namespace lac::passes {
namespace {

constexpr std::size_t most_diagonals = 32;

/// What a product of diagonals has along some of its factors: at i the element at (i, i + offset).
struct Line {
  Size extent = 1, offset = 0;
  ValueId value;   ///< a column, or a scalar that is all of its elements
  ValueId inside;  ///< where i + offset is a column of every factor: logicals; invalid: everywhere
};

/// A factor that is off its main diagonal, and how far apart its elements are in the whole.
struct Move {
  Size stride, extent, offset;
  friend bool operator==(const Move&, const Move&) = default;
};

/// One term of the sum on a domain of inner.extent x outer.extent points.
struct Term {
  Line inner, outer;
  std::vector<Move> moves;

  /// Of the diagonal in the whole matrix.
  Size offset() const { return inner.offset + inner.extent * outer.offset; }
};

class Stencil {
 public:
  Stencil(Builder& build, ValueId x, Element element)
      : build_(build), x_(build.convert(x, element)), element_(element) {}

  /// The elements of the matrix's own diagonal as a column, if it is known which of the diagonals it is.
  static std::optional<ValueId> main_diagonal(Builder& build, DiagonalSum sum, Type type) {
    Stencil stencil(build, type.element);
    if (!stencil.lay_out(sum, type.rows)) return std::nullopt;
    const SymbolTable& symbols = build.graph.symbols;
    std::optional<ValueId> found;
    for (const Term& term : stencil.terms_) {
      if (term.moves.empty()) found = stencil.coefficient(term);
      else if (!at_most(symbols, 1, term.offset()) && !at_most(symbols, term.offset(), -1)) return std::nullopt;
    }
    // A zero that was scaled by a negative number is no -0 of a sparse matrix.
    const ValueId zero = build.constant(0, type.element);
    const ValueId value = found ? build.map(ScalarOp::add, *found, zero) : zero;
    if (stencil.is_scalar(value)) return build.fill(value, type.rows, 1);
    const ValueId ones = build.fill(build.constant(1, type.element), stencil.inner_, stencil.outer_);
    return build.reshape(build.map(ScalarOp::mul, ones, value), type.rows, 1);
  }

  /// With that many rows, and x as many by its type or by a check before.
  std::optional<ValueId> product(DiagonalSum sum, const Size& rows) {
    if (!lay_out(sum, rows)) return std::nullopt;
    shifted_ = build_.reshape(x_, inner_, outer_);
    ValueId total = build_.constant(0, element_);  // as the product of a stored matrix begins: -0 is no result
    for (const Term& each : terms_) total = build_.map(ScalarOp::add, total, contribution(each));
    return is_scalar(total) ? build_.fill(total, rows, 1) : build_.reshape(total, rows, 1);
  }

 private:
  Stencil(Builder& build, Element element) : build_(build), element_(element) {}

  /// The domain, and the diagonals as terms over it.
  bool lay_out(DiagonalSum& sum, const Size& rows) {
    if (!fills(sum, rows)) return false;
    inner_ = rows;
    outer_ = 1;
    split(sum);
    for (const DiagonalProduct& factors : sum) add(term(factors));
    return true;
  }

  static bool fills(const DiagonalSum& sum, const Size& rows) {
    return std::ranges::all_of(sum, [&](const DiagonalProduct& product) {
      Size extent = 1;
      for (const Diagonal& factor : product) extent = extent * factor.extent;
      return extent == rows;
    });
  }

  /// The fastest factor becomes an axis of the domain where all products have one of the same extent.
  void split(DiagonalSum& sum) {
    for (const DiagonalProduct& product : sum) {
      if (product.size() < 2) continue;
      std::optional<DiagonalSum> parts = split_at(build_, sum, product.front().extent);
      if (!parts || !have_one_rest(*parts)) continue;
      inner_ = product.front().extent;
      outer_ = rest_of(parts->front());
      sum = *std::move(parts);
      split_ = true;
      return;
    }
  }

  /// The extent of all factors but the first.
  static Size rest_of(const DiagonalProduct& product) {
    Size extent = 1;
    for (std::size_t n = 1; n < product.size(); ++n) extent = extent * product[n].extent;
    return extent;
  }
  static bool have_one_rest(const DiagonalSum& sum) {
    return std::ranges::all_of(
        sum, [&](const DiagonalProduct& product) { return rest_of(product) == rest_of(sum.front()); });
  }

  Term term(const DiagonalProduct& factors) {
    const auto first_outer = factors.begin() + (split_ ? 1 : static_cast<std::ptrdiff_t>(factors.size()));
    Term result{along({factors.begin(), first_outer}), along({first_outer, factors.end()}), {}};
    Size stride = 1;
    for (const Diagonal& factor : factors) {
      if (!factor.offset.is(0)) result.moves.push_back({stride, factor.extent, factor.offset});
      stride = stride * factor.extent;
    }
    return result;
  }

  Line along(DiagonalProduct factors) {
    if (factors.empty()) return {1, 0, build_.constant(1, element_), {}};
    const Diagonal first = factors.front();
    const ValueId value = build_.convert(first.value, element_);
    const Line fast{first.extent, first.offset, value, inside(first)};
    factors.erase(factors.begin());
    if (factors.empty()) return fast;
    const Line slow = along(std::move(factors));
    return {fast.extent * slow.extent, fast.offset + fast.extent * slow.offset,
            spread(ScalarOp::mul, fast, fast.value, slow, slow.value),
            spread(ScalarOp::logical_and, fast, fast.inside, slow, slow.inside)};
  }

  ValueId inside(const Diagonal& diagonal) {
    if (diagonal.zero_outside) return {};  // and zeros contribute nothing
    const SymbolTable& symbols = build_.graph.symbols;
    const auto test = [&](ScalarOp op, const Size& bound) {
      return build_.map(op, build_.iota(Axis::rows, diagonal.extent, 1), build_.size(bound));
    };
    ValueId found;
    if (!at_most(symbols, 0, diagonal.offset)) found = both(found, test(ScalarOp::ge, Size(0) - diagonal.offset));
    if (!at_most(symbols, diagonal.offset, 0))
      found = both(found, test(ScalarOp::lt, diagonal.extent - diagonal.offset));
    return found;
  }

  ValueId both(ValueId a, ValueId b) {
    if (!a.valid()) return b;
    return b.valid() ? build_.map(ScalarOp::logical_and, a, b) : a;
  }

  /// op(fast, slow) over all points of both lines, as one column; a scalar where both are, invalid where both are.
  ValueId spread(ScalarOp op, const Line& fast, ValueId of_fast, const Line& slow, ValueId of_slow) {
    if (!of_fast.valid() && !of_slow.valid()) return {};
    const auto filled = [&](ValueId value, const Size& rows, const Size& cols) {
      if (!value.valid()) value = build_.constant(1, Element::logical);
      return is_scalar(value) ? build_.fill(value, rows, cols) : build_.reshape(value, rows, cols);
    };
    if (of_fast.valid() && of_slow.valid() && is_scalar(of_fast) && is_scalar(of_slow))
      return combined(op, of_fast, of_slow);
    const ValueId all = build_.map(op, filled(of_fast, fast.extent, 1), filled(of_slow, 1, slow.extent));
    return build_.reshape(all, fast.extent * slow.extent, 1);
  }

  bool is_scalar(ValueId value) const { return build_.graph.type(value).is_scalar(); }
  bool is_number(ValueId value, double number) const { return constant_value(build_.graph, value) == number; }

  ValueId combined(ScalarOp op, ValueId a, ValueId b) {
    if (op == ScalarOp::mul && is_number(a, 1)) return b;
    if (op == ScalarOp::mul && is_number(b, 1)) return a;
    return build_.map(op, a, b);
  }

  /// In the order of offsets; diagonals on the same places are one, their elements added.
  void add(Term added) {
    if (const auto same = std::ranges::find(terms_, added.moves, &Term::moves); same != terms_.end()) {
      const ValueId sum = build_.map(ScalarOp::add, coefficient(*same), coefficient(added));
      same->inner.value = sum;
      same->outer.value = build_.constant(1, element_);
      if (!same->inner.inside.valid()) same->inner.inside = added.inner.inside;
      if (!same->outer.inside.valid()) same->outer.inside = added.outer.inside;
      return;
    }
    const auto behind = [&](const Term& other) {
      return at_most(build_.graph.symbols, added.offset() + 1, other.offset());
    };
    terms_.insert(std::ranges::find_if(terms_, behind), std::move(added));
  }

  /// The diagonal's elements, broadcast to the domain.
  ValueId coefficient(const Term& term) { return combined(ScalarOp::mul, term.inner.value, as_row(term.outer.value)); }

  ValueId as_row(ValueId column) {
    if (!column.valid() || is_scalar(column)) return column;
    return build_.reshape(column, 1, build_.graph.type(column).rows);
  }

  ValueId contribution(const Term& term) {
    const ValueId value = coefficient(term), zero = build_.constant(0, element_);
    if (is_number(value, 0)) return zero;
    const ValueId x = build_.shift(shifted_, {term.inner.offset, inner_}, {term.outer.offset, outer_});
    ValueId counts = both(term.inner.inside, as_row(term.outer.inside));
    if (!constant_value(build_.graph, value)) counts = both(counts, build_.map(ScalarOp::ne, value, zero));
    const ValueId product = is_number(value, 1)    ? x
                            : is_number(value, -1) ? build_.map(ScalarOp::neg, x)
                                                   : build_.map(ScalarOp::mul, value, x);
    return counts.valid() ? build_.map(ScalarOp::select, counts, product, zero) : product;
  }

  Builder& build_;
  ValueId x_, shifted_;
  Element element_;
  bool split_ = false;
  Size inner_, outer_;
  std::vector<Term> terms_;
};

// A*x for a column x and a matrix of known diagonals. Within rounding: products are not added by one fma.
Replacement product_with_diagonals(Rewrite& r) {
  const Type left = r.operand_type(0), right = r.operand_type(1);
  const Transposes& transposes = attribute<Transposes>(r.op);
  if (!left.is_sparse() || transposes.left || transposes.right || !right.is_dense() || !right.cols.is(1) ||
      right.is_scalar() || left.rows.is(1))
    return std::nullopt;
  const ValueId x = r.operand(1);
  const Element element = r.type().element;
  const std::optional<DiagonalSum> sum = diagonals_of(r.build, r.operand(0), most_diagonals);
  if (!sum) return std::nullopt;
  const std::optional<ValueId> product = Stencil(r.build, x, element).product(*sum, left.rows);
  if (!product) return std::nullopt;
  return std::vector<ValueId>{*product};
}

/// The matrix whose own diagonal this column is, sparse or full.
ValueId matrix_of_diagonal(const Rewrite& r, const Op& op) {
  const LibraryFn function = attribute<LibraryFn>(op);
  if (function == LibraryFn::sparse_convert) {
    const Op* made = r.defined_by(op.operands[0], OpKind::library);
    return made && attribute<LibraryFn>(*made) == LibraryFn::sparse_diagonal ? matrix_of_diagonal(r, *made) : ValueId{};
  }
  if (function != LibraryFn::sparse_diagonal) return {};
  const bool main = op.operands.size() == 1 || constant_value(r.graph, op.operands[1]) == 0.0;
  return main ? op.operands[0] : ValueId{};
}

// full(diag(A)) of a matrix of known diagonals. Exact.
Replacement known_diagonal(Rewrite& r) {
  const ValueId matrix = matrix_of_diagonal(r, r.op);
  if (!matrix.valid()) return std::nullopt;
  const Type type = r.type();
  if (!type.is_dense() || type.is_scalar() || !type.cols.is(1)) return std::nullopt;
  const std::optional<DiagonalSum> sum = diagonals_of(r.build, matrix, most_diagonals);
  if (!sum || r.graph.type(matrix).rows != type.rows) return std::nullopt;
  const auto column = Stencil::main_diagonal(r.build, *sum, r.graph.type(matrix));
  if (!column) return std::nullopt;
  return std::vector<ValueId>{r.build.convert(*column, type.element)};
}

constexpr Rule rules[] = {{OpKind::matmul, product_with_diagonals}, {OpKind::library, known_diagonal}};

}  // namespace

bool diagonals(Graph& graph, PassContext& context) { return Rewriter(graph, context.capabilities, {rules}).run(); }

}  // namespace lac::passes
