// What the values of a Graph lie between, as far as their definitions tell: enough to see that a check can never fail.
#pragma once

#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/graph/graph.h"

namespace lac {

/// Every element is NaN (only where `nan`) or lies in [low, high], and is Inf or -Inf only where `infinite`: what is
/// counted has no bound and is finite. Integers are doubles: their products overflow, and Inf - Inf is NaN.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool nan = true, infinite = true;

  static Interval number(double value);
  bool known() const;
  bool finite() const { return !nan && !infinite; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval join(const Interval& a, const Interval& b);

/// Intervals by a walk over definitions. Floating-point operations round monotonically, so bounds survive rounding.
/// What a loop carries may be anything until `settle` has found what its trips keep. A Graph may grow at its end; where
/// it is taken back, `keep_first` says so; one that changes otherwise needs a new object.
class Intervals {
 public:
  explicit Intervals(const Graph& graph) : graph_(graph) {}
  /// What would hold if no integer were NaN: for those who stop the run where one is.
  static Intervals of_numbers(const Graph& graph) {
    Intervals intervals(graph);
    intervals.integers_are_numbers_ = true;
    return intervals;
  }

  /// Finds intervals of everything that loops carry: those of the initial values, widened until every trip keeps them.
  void settle();
  /// From now on what a loop carries lies there, for those who ask in every trip.
  void assume(ValueId argument, const Interval& interval);
  Interval of(ValueId value);
  /// It lies there besides, whatever its definition tells: what is asked for from now on, of it and of what is made of
  /// it.
  void note(ValueId value, const Interval& interval);
  /// Forgets all but the first `values` values: the Graph has no others now.
  void keep_first(std::size_t values) {
    if (found_.size() > values) found_.resize(values);
  }

 private:
  Interval defined(const Op& op, const Value& value);
  Interval of_map(const Op& op);
  bool is_integer_made(ValueId value) const;
  Interval of_size(const Size& size);
  Interval of_trips(OpId loop);
  Interval of_symbol(const SizeSymbol& symbol);
  Interval of_step(const Op& op, Element element);
  Interval of_extreme(const Op& op);
  Interval of_reduction(const Op& op);
  Interval of_product(const Op& op);
  Interval of_table(const Op& op);
  Interval of_operands(const Op& op, std::size_t from);
  Interval of_argument(const Value& value, ValueId id);
  Interval of_result(OpId op, std::uint32_t index);
  bool widen(const Op& loop, bool first);
  void find_thresholds(const std::vector<OpId>& rests);
  double threshold_above(double bound) const;

  const Graph& graph_;
  std::vector<std::optional<Interval>> found_;     ///< by value
  std::unordered_map<ValueId, Interval> carried_;  ///< of block arguments of loops
  std::vector<double> thresholds_;                 ///< where bounds that grow stop first, ascending
  bool integers_are_numbers_ = false;
  int depth_ = 0;
  int round_ = 0;
};

}  // namespace lac
