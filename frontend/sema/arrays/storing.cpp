#include "frontend/sema/arrays/storing.h"

#include <algorithm>

#include "frontend/sema/arrays/picking.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/indexed_assignment.h"

namespace lac::frontend {
namespace {

std::vector<Size> without_ones(const std::vector<Size>& extents) {
  std::vector<Size> kept;
  std::ranges::copy_if(extents, std::back_inserter(kept), [](const Size& extent) { return !extent.is(1); });
  return kept;
}

std::vector<Size> counts_of(const std::vector<Pick>& picks) {
  std::vector<Size> counts;
  for (const Pick& pick : picks) counts.push_back(pick.subscript.count);
  return counts;
}

/// As Octave: the extents of the value that are not 1 are those of the region, in their order.
void require_fits(Emitter& e, const std::vector<Size>& region, const std::vector<Size>& value, Span span) {
  const std::vector<Size> left = without_ones(region), right = without_ones(value);
  const std::vector<Size> op1 = trimmed(region);
  std::vector<Size> op2 = right.empty() ? value : right;
  op2.resize(std::max<std::size_t>(op2.size(), 2), 1);
  std::vector<Size> shown = op1;
  shown.insert(shown.end(), op2.begin(), op2.end());
  const std::string what =
      "=: nonconformant arguments (op1 is " + extents_text(e, op1) + ", op2 is " + extents_text(e, op2) + ")";
  const std::string format = "=: nonconformant arguments (op1 is " + extents_format(op1.size()) + ", op2 is " +
                             extents_format(op2.size()) + ")";
  if (left.size() != right.size()) return require_equal(e, product(region), product(value), span, what, shown, format);
  for (std::size_t k = 0; k < left.size(); ++k) require_equal(e, left[k], right[k], span, what, shown, format);
}

/// How far ':' reaches where nothing was there: as far as the value does.
void reach(std::vector<Pick>& picks, const std::vector<Size>& value) {
  const auto several = static_cast<std::size_t>(std::ranges::count_if(picks, [](const Pick& p) { return !p.scalar; }));
  const bool everything = std::ranges::all_of(picks, &Pick::colon);
  const std::vector<Size> extents = everything || several == value.size() ? value : without_ones(value);
  std::size_t next = 0;
  for (Pick& pick : picks) {
    if (pick.scalar) continue;
    const Size extent = next < extents.size() ? extents[next] : Size(1);
    if (pick.colon) pick.subscript.count = extent;
    if (pick.colon || several == value.size()) ++next;
  }
}

bool is_nothing(const std::vector<Size>& extents) {
  return std::ranges::all_of(extents.begin(), extents.begin() + 2, [](const Size& extent) { return extent.is(0); });
}

class ArrayStore {
 public:
  ArrayStore(Emitter& e, const Binding& base, ResolvedSubscripts resolved, const Binding& value, std::string name,
             Span span)
      : e_(e),
        base_(array_of(e, base)),
        value_(array_of(e, value)),
        resolved_(std::move(resolved)),
        picks_(picks_of(resolved_)),
        name_(std::move(name)),
        span_(span) {}

  Binding run() {
    const bool fewer = picks_.size() < base_.count();
    if (is_nothing(base_.extents)) begin();
    const std::vector<Size> before = folded(base_.extents, picks_.size());
    std::vector<Size> extents = before;
    for (std::size_t k = 0; k < picks_.size(); ++k) extents[k] = extent_behind(k, before[k], fewer);
    const std::size_t last = picks_.size() - 1;
    if (!std::equal(before.begin(), before.end() - 1, extents.begin())) enlarge(before, extents);
    const Size rows = product(extents, 0, last);
    const ValueId view = viewed(e_, base_.elements, rows, grown_ ? extents[last] : before[last]);
    IndexedStore store(e_, view, shaped());
    const Pick lead = together(e_, {picks_.begin(), picks_.end() - 1}, extents);
    ResolvedSubscripts places = of_matrix(lead, picks_.back());
    if (!grown_) {
      places.axes[1].grows = resolved_.axes[last].grows;
      places.axes[1].past_end = resolved_.axes[last].past_end;
    }
    const ValueId made = store.into(std::move(places), name_, span_);
    if (fewer) return laid_out(e_, made, base_.extents);
    extents[last] = e_.type(made).cols;
    return laid_out(e_, made, extents);
  }

 private:
  /// x = []; x(:, :, k) = M
  void begin() {
    reach(picks_, value_.extents);
    base_.extents.assign(picks_.size(), 0);
    for (std::size_t k = 0; k < picks_.size(); ++k)
      base_.extents[k] = picks_[k].colon ? picks_[k].subscript.count : past_end(k);
    base_.elements = e_.builder.fill(e_.builder.constant(0, e_.type(base_.elements).element),
                                     product(base_.extents, 0, picks_.size() - 1), base_.extents.back());
    grown_ = true;
  }

  /// Not below 0, where a check before has stopped at a position below 1.
  Size past_end(std::size_t k) const {
    const Size& end = resolved_.axes[k].past_end;
    return end.is_constant() ? Size(std::max<std::int64_t>(end.constant(), 0)) : end;
  }

  Size extent_behind(std::size_t k, const Size& extent, bool fewer) {
    const ResolvedSubscripts::Axis& axis = resolved_.axes[k];
    if (!axis.grows || grown_) return extent;
    const bool last = k + 1 == picks_.size();
    if (last && !fewer) return extent;  // the store itself sees to it
    if (!fewer && axis.past_end.is_constant() && extent.is_constant())
      return std::max(axis.past_end.constant(), extent.constant());
    const std::string why = fewer ? "Octave:index out of bound; value %d out of bound %d: '" + name_ +
                                        "' grows where it has a subscript for each dimension"
                                  : "'" + name_ + "' does not grow to %d along dimension " + std::to_string(k + 1) +
                                        ", which has %d: only along the last one does it grow by places that the run "
                                        "finds";
    e_.require(e_.builder.map(ScalarOp::le, e_.builder.size(axis.past_end), e_.builder.size(extent)), why,
               {e_.builder.size(axis.past_end), e_.builder.size(extent)}, "Octave:index-out-of-bounds");
    return extent;
  }

  /// The elements at their places among zeros.
  void enlarge(const std::vector<Size>& before, std::vector<Size>& extents) {
    const std::size_t last = extents.size() - 1;
    const ResolvedSubscripts::Axis& axis = resolved_.axes[last];
    if (axis.grows) extents[last] = e_.larger(before[last], axis.past_end);
    const Element element = e_.type(base_.elements).element;
    std::vector<Pick> there;
    for (const Size& extent : before) there.push_back(run_of(0, 1, extent));
    for (std::size_t k = 0; k < picks_.size(); ++k)
      if (picks_[k].colon) picks_[k].subscript.count = extents[k];
    const Size rows = product(extents, 0, last);
    const ValueId zeros = e_.builder.fill(e_.builder.constant(0, element), rows, extents[last]);
    IndexedStore store(e_, zeros, viewed(e_, base_.elements, product(before, 0, last), before[last]));
    const Pick lead = together(e_, {there.begin(), there.end() - 1}, extents);
    base_.elements = store.into(of_matrix(lead, there.back()), name_, span_);
    grown_ = true;
  }

  /// The value as the rows and columns that it replaces.
  ValueId shaped() {
    const std::vector<Size> counts = counts_of(picks_);
    const Size rows = product(counts, 0, counts.size() - 1), cols = counts.back();
    if (e_.type(value_.elements).is_scalar()) {
      const bool one = rows.is(1) && cols.is(1);
      return one ? value_.elements : e_.builder.fill(value_.elements, rows, cols);
    }
    require_fits(e_, counts, value_.extents, span_);
    return viewed(e_, value_.elements, rows, cols);
  }

  Emitter& e_;
  Array base_;
  const Array value_;
  const ResolvedSubscripts resolved_;
  std::vector<Pick> picks_;
  const std::string name_;
  const Span span_;
  bool grown_ = false;  ///< the base is as large as it will be
};

}  // namespace

Binding stored(Emitter& e, const Binding& base, ResolvedSubscripts resolved, const Binding& value,
               const std::string& name, Span span) {
  return ArrayStore(e, base, std::move(resolved), value, name, span).run();
}

Binding stored_linear(Emitter& e, const Binding& base, ResolvedSubscripts resolved, const Binding& value,
                      const std::string& name, Span span) {
  const std::vector<Size> extents = extents_of(e, base);
  ResolvedSubscripts::Axis& axis = resolved.axes.front();
  if (axis.grows) {
    const std::string invalid = "Octave:index out of bound; value %d out of bound %d: '" + name +
                                "' has a subscript for each dimension where it grows";
    e.require(e.builder.map(ScalarOp::le, e.builder.size(axis.past_end), e.builder.size(product(extents))), invalid,
              {e.builder.size(axis.past_end), e.builder.size(product(extents))}, "Octave:index-out-of-bounds");
    axis.grows = false;
  }
  const ValueId given = value.is_array() ? as_column(e, value) : value.value;
  IndexedStore store(e, as_column(e, base), given);
  return laid_out(e, store.into(std::move(resolved), name, span), extents);
}

}  // namespace lac::frontend
