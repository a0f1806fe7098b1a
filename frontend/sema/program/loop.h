// A loop that is being lowered.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "frontend/sema/program/carried.h"
#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {

/// While it lives, statements are lowered in a trip of a loop, as Location::loops tells it.
class TripPlace {
 public:
  TripPlace(Frame& frame, std::int64_t trip)
      : frame_(frame), depth_(frame.loops.size()), remaining_(std::exchange(frame.remaining, nullptr)) {
    frame.loops.push_back(trip);
  }
  ~TripPlace() {
    frame_.loops.resize(depth_);
    frame_.remaining = remaining_;
  }
  TripPlace(const TripPlace&) = delete;
  TripPlace& operator=(const TripPlace&) = delete;

 private:
  Frame& frame_;
  const std::size_t depth_;
  const Remaining* const remaining_;
};

/// What is lowered outside the innermost loop while this lives.
class OutsideTrip {
 public:
  explicit OutsideTrip(Frame& frame) : frame_(frame), trip_(frame.loops.back()) { frame.loops.pop_back(); }
  ~OutsideTrip() { frame_.loops.push_back(trip_); }
  OutsideTrip(const OutsideTrip&) = delete;
  OutsideTrip& operator=(const OutsideTrip&) = delete;

 private:
  Frame& frame_;
  const std::int64_t trip_;
};

struct Lowerer::LoopPlan {
  static constexpr int most_peels =
      2;  ///< one for what is first assigned in the loop, one for a shape that then changes

  LoopInfo info;
  Span span;
  const ast::Block* body = nullptr;
  const ast::Expr* condition = nullptr;
  // for loops
  const ast::LValue* variable = nullptr;
  const ast::LValue* key = nullptr;  ///< of `for [value, key] = s`
  std::function<Binding(const Size& trip)> key_of;
  Size limit;
  std::optional<RangeFact> range;
  std::optional<Size> last;  ///< the limit of the range as written: no element is beyond it
  std::function<Binding(const Size& trip)> element;
  ValueId columns;                                  ///< what the loop goes over where that is not a range
  std::int64_t first_trip = 0;                      ///< trips that were peeled
  bool unrolled = false;                            ///< every trip is: the limit is a constant
  bool stays_a_loop = false;                        ///< written out it is too large, or has errors as well
  std::optional<std::size_t> most_errors;           ///< written out to no end where there are more
  bool of_complex = false;                          ///< the columns are complex
  IntegerClass integer_class = IntegerClass::none;  ///< of what the loop goes over
  bool may_peel() const { return first_trip < most_peels; }
  bool is_for() const { return info.kind == LoopKind::for_range; }
  const std::string& variable_name() const { return variable->name.text; }
};

/// What an attempt to lower a loop came to. Where it does not stand, it peels or asks for types above those it had.
struct Lowerer::Attempted {
  bool stands = false;                         ///< the loop is appended, or makes no trip, or is reported as wrong
  bool has_errors = false;                     ///< it is reported as wrong, and may be right where it is written out
  bool peels = false;                          ///< the first trip must be one of its own
  std::map<std::string, StackedParts> stacks;  ///< of variables that must be stacked before the loop
  /// Variables that are complex, or have parts that are, after a trip and must be so before the loop, as these are.
  std::map<std::string, Binding> complexes;
  /// Structs that some trip gives fields, or makes, and their fields that are new: they lack these before the loop.
  struct NewFields {
    Binding form;
    std::map<std::string, Carried::Late> leaves;  ///< by their paths
  };
  std::map<std::string, NewFields> fields;
  std::map<std::string, Binding> variants;  ///< variables that must be variants before the loop, of these forms
  std::set<std::string> rebound;  ///< variables that the loop must begin without: it does not read what they hold
  bool unrolls = false;           ///< every trip must
  CarriedTypes needed;            ///< what the body left behind that the types do not cover
  /// Variables that have another shape, or another class, after the first trip. A second trip from these types tells
  /// whether it keeps them, so that the first one is peeled, or changes them again: then `needed_if_changed` as well.
  std::map<std::string, Type> after_first;
  CarriedTypes needed_if_changed;
};

/// How a loop was lowered. One that is met again with the same values before it, as in another attempt to lower the
/// loop around, begins where this ended.
struct Lowerer::LoopOutcome {
  enum class Way : std::uint8_t { loop, peeled, unrolled };
  Way way = Way::loop;
  CarriedTypes types = {};  ///< that it stood with
};

}  // namespace lac::frontend
