// One attempt to lower a loop with the types of its carried variables as they are thought to be.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {

/// While it lives, statements are lowered in a trip of a loop, as Location::loops tells it.
class TripPlace {
 public:
  TripPlace(Frame& frame, std::int64_t trip) : frame_(frame), depth_(frame.loops.size()) {
    frame.loops.push_back(trip);
  }
  ~TripPlace() { frame_.loops.resize(depth_); }
  TripPlace(const TripPlace&) = delete;
  TripPlace& operator=(const TripPlace&) = delete;

 private:
  Frame& frame_;
  const std::size_t depth_;
};

/// What is known of a variable that the loop carries, beyond its value before the loop. Attempts only ever add to it.
struct Lowerer::CarriedInfo {
  std::optional<Element> element;    ///< wider than the initial value's
  bool varies[2] = {false, false};   ///< rows, columns
  bool shrinks[2] = {false, false};  ///< below what the extent is before the loop
  bool grows = false;                ///< tried: the second trip changes the shape again
  bool tracks_definition = false;
  bool csr = false;   ///< sparse, of a pattern that the loop changes
  bool late = false;  ///< first assigned inside the loop
  bool is_text = false;
  Type late_type;
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
  Size limit;
  std::optional<RangeFact> range;
  std::function<Binding(const Size& trip)> element;
  ValueId columns;              ///< what the loop goes over where that is not a range
  std::int64_t first_trip = 0;  ///< trips that were peeled
  bool wants_peel = false;
  bool may_peel() const { return first_trip < most_peels; }
  bool is_for() const { return info.kind == LoopKind::for_range; }
  const std::string& variable_name() const { return variable->name.text; }
  /// While a second trip is tried: what the first one left behind, of the variables whose shapes it changed.
  std::map<std::string, Type> second_trip;
};

/// Lowers the body once. What it leaves behind either has the types that it began with, and the loop is appended, or
/// what differs is noted in `carried`, and the caller takes the graph back and tries again.
class Lowerer::LoopAttempt {
 public:
  LoopAttempt(Lowerer& lowerer, LoopPlan& plan, std::map<std::string, CarriedInfo>& carried);

  /// Whether the loop stands: appended, or without a trip, or reported as wrong.
  bool run();

 private:
  struct CarriedValue {
    std::string name;
    ValueId init, argument, defined_init;
    ValueId extent_arguments[2];
    std::int64_t least[2] = {0, 0};  ///< extents that vary: what they never fall below
    Type type;
    bool is_text = false;
  };

  bool makes_no_trip();

  // The block and its arguments.
  void open_block();
  std::optional<CarriedValue> initial_value(const std::string& name);
  CarriedValue from_before(const Binding& binding, const std::string& name, const CarriedInfo& info);
  CarriedValue from_nothing(const CarriedInfo& info);
  void add_extent_arguments(CarriedValue& value, const CarriedInfo& info);

  // The body, and the condition of the next trip.
  void lower_body();
  void lower_next(std::size_t errors_before);
  void make_texts_computed();

  // What the body left behind.
  bool finds_late_names();
  bool is_broken() const;
  void forget_what_it_assigned();
  bool differs_from_start();
  bool becomes_truth(const CarriedValue& value, const Type& end, const CarriedInfo& info) const;
  bool other_storage(const CarriedValue& value, const Type& end, CarriedInfo& info);
  bool other_extent(const CarriedValue& value, const Type& end, int axis, CarriedInfo& info);
  bool invariant(const Size& size) const;

  // The accepted loop.
  ValueId append_loop();
  void tie(CarriedValue& value, Op& op, std::vector<ValueId>& yields);
  void poison_changed_functions();
  void bind_variable_after(ValueId trips);

  Lowerer& l_;
  Emitter& emit_;
  Builder& builder_;
  LoopPlan& plan_;
  std::map<std::string, CarriedInfo>& carried_;
  const bool is_for_, trying_;

  ValueId enters_, limit_;
  std::set<std::string> own_names_;  ///< assigned in the body or the condition
  std::set<std::string> names_;      ///< and "#return"
  bool variable_is_carried_ = false;
  Environment before_, after_;
  std::size_t first_inner_ = 0;  ///< values from here on are made in the loop
  BlockId body_;
  SymbolId trip_;
  std::vector<CarriedValue> values_;
  ValueId going_on_;
  std::set<std::string> missing_in_body_, begun_in_body_;  ///< as Lowerer::missing_ and begun_
  bool reported_ = false;                                  ///< the body has an error
};

}  // namespace lac::frontend
