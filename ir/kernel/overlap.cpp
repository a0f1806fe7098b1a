#include "ir/kernel/overlap.h"

#include <algorithm>
#include <numeric>

namespace lac {
namespace {

struct Range {
  Size first, last;
};

bool not_negative(const SymbolTable& symbols, const Size& size) {
  const std::optional<std::int64_t> bound = size.lower_bound(symbols);
  return bound && *bound >= 0;
}

/// Adds what `coefficient` times 0 ... extent - 1 adds; false where its sign is open. There is a point, so every extent
/// is at least 1.
bool widen(const SymbolTable& symbols, Range& range, const Size& coefficient, const Size& extent) {
  if (coefficient.is(0) || extent.is(1)) return true;
  const Size reach = coefficient * (extent - 1);
  if (not_negative(symbols, coefficient)) range.last = range.last + reach;
  else if (not_negative(symbols, Size(0) - coefficient)) range.first = range.first + reach;
  else return false;
  return true;
}

/// All values of an affine index; none where they are not known.
std::optional<Range> range_of(const SymbolTable& symbols, const Points& points, const AffineIndex& index) {
  if (index.step != AffineIndex::Step::none) return std::nullopt;
  Range range{index.base, index.base};
  if (!widen(symbols, range, index.i, points.rows) || !widen(symbols, range, index.j, points.cols) ||
      !widen(symbols, range, index.k, points.extent))
    return std::nullopt;
  return range;
}

/// base + multiples of one step, which differ by no multiple of it: the odd and the even rows.
bool interleaved(const AffineIndex& a, const AffineIndex& b) {
  std::int64_t step = 0;
  for (const AffineIndex* index : {&a, &b}) {
    if (index->step != AffineIndex::Step::none) return false;
    for (const Size* coefficient : {&index->i, &index->j, &index->k}) {
      if (!coefficient->is_constant()) return false;
      step = std::gcd(step, coefficient->constant());
    }
  }
  const Size distance = a.base - b.base;
  const auto is_multiple = [&](const Size::Term& term) { return term.factors.empty() || term.coefficient % step == 0; };
  return step > 1 && std::ranges::all_of(distance.terms(), is_multiple) && distance.constant() % step != 0;
}

bool disjoint(const SymbolTable& symbols, const Points& points, const AffineIndex& a, const AffineIndex& b) {
  if (interleaved(a, b)) return true;
  const std::optional<Range> x = range_of(symbols, points, a), y = range_of(symbols, points, b);
  return x && y && (at_most(symbols, x->last + 1, y->first) || at_most(symbols, y->last + 1, x->first));
}

bool reads_along_k(const AccessMap& map) { return !map.row.k.is(0) || !map.col.k.is(0); }

}  // namespace

Points points_of(const Kernel& kernel) {
  if (!kernel.contraction) return {kernel.rows, kernel.cols, 1};
  const Contraction& c = *kernel.contraction;
  return {kernel.rows, kernel.cols, c.storage == Storage::dense ? c.extent : kernel.inputs[c.matrix].type.cols};
}

bool reads_no_other_store(const SymbolTable& symbols, const Points& points, const AccessMap& read,
                          const AccessMap& store) {
  if (points.rows.is(1) && points.cols.is(1)) return true;
  const bool gathers = store.row_gather || store.col_gather;
  if (read == store && !gathers && !reads_along_k(read)) return true;
  if (read.linear != store.linear) return false;
  const auto apart = [&](const AffineIndex& a, InstrId a_gather, const AffineIndex& b, InstrId b_gather) {
    return !a_gather && !b_gather && disjoint(symbols, points, a, b);
  };
  return apart(read.row, read.row_gather, store.row, store.row_gather) ||
         (!read.linear && apart(read.col, read.col_gather, store.col, store.col_gather));
}

}  // namespace lac
