// One attempt to lower a loop with the types of its carried variables as they are thought to be.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/sema/names/course.h"
#include "frontend/sema/program/loop.h"

namespace lac::frontend {

/// Lowers the body once. What it leaves behind either has the types that it began with, and the loop is appended, or
/// what is needed is told, and the caller takes the graph back and tries again.
class Lowerer::LoopAttempt {
 public:
  /// Where a second trip is tried: `after_first` are the types that the first one left behind. Only whether it peels is
  /// of interest then; the loop never stands.
  LoopAttempt(Lowerer& lowerer, const LoopPlan& plan, const CarriedTypes& types,
              const std::map<std::string, Type>& after_first);

  void run();
  /// What comes of the attempt is that the loop is written out.
  void unroll();
  /// Whether the number of trips is a constant that is not more than that.
  bool can_be_unrolled(std::int64_t most) const;
  bool goes_on_known_values() const;
  /// So does the next trip: it is known as well whether one follows.
  bool next_is_known() const;
  /// Whether the value is computed from the number of the trip.
  bool tells(ValueId value) const;
  /// Whether it is the number of the trip, from 0 on, as the loop variable of 1:n counts one more.
  bool is_trip(const Size& size) const { return size == Size::symbol(trip_) + plan_.first_trip; }
  /// Good, as far as it goes, also where run() ended by a LowerError.
  const Attempted& attempted() const { return attempted_; }

 private:
  struct CarriedValue {
    std::string name;
    ValueId init, argument, defined_init;
    ValueId extent_arguments[2];
    bool maybe_nothing = false;      ///< a string that is "" before the loop, or so on some path
    bool maybe_mask = false;         ///< logical before the loop, or so on some path, and numbers in it
    std::int64_t least[2] = {0, 0};  ///< extents that vary: what they never fall below
    Type type;
    Binding form;                  ///< a leaf of its class
    std::optional<Course> course;  ///< a counter: it stays on one side of `init`
  };

  static const Size& extent(const Type& t, int axis) { return axis == 0 ? t.rows : t.cols; }
  static Size& extent(Type& t, int axis) { return axis == 0 ? t.rows : t.cols; }
  /// A leaf of its class; what a loop carries of a string are codes.
  static Binding form_of(const Binding& leaf) {
    return leaf.is_text() ? Binding::computed_text({}, true) : leaf.with_value({});
  }

  // -- loop_attempt.cpp: the block and its arguments, the body, and the condition of the next trip
  bool makes_no_trip();
  void open_block();
  const Carried& carried(const std::string& name) const;
  std::optional<CarriedValue> initial_value(const std::string& name);
  CarriedValue from_before(const Binding& binding, const std::string& name);
  CarriedValue from_nothing(const Carried& known);
  bool has_value_before(const std::string& name) const;
  void add_extent_arguments(CarriedValue& value, const Carried& known);
  std::optional<Course> course_of_counter(const CarriedValue& value, const std::string& name) const;
  void bound_counter(const CarriedValue& value, ValueId later);
  void lower_body();
  void lower_next(std::size_t errors_before);
  void make_texts_computed();
  bool is_broken() const;
  void forget_what_it_assigned();

  std::set<std::string> carried_names() const;
  bool becomes_complex(const std::string& name);
  void widen_results();
  bool finds_changed_maps();
  StackedParts stacks_of(const std::string& name) const;
  bool gains_fields(const std::string& name);
  bool becomes_variant(const std::string& name);
  void keep_kinds(const std::string& name, const Binding& old);
  bool old_value_is_in_the_way(const std::string& name) const;
  bool changes_form();
  bool changes_form(const std::string& name);

  // -- loop_types.cpp: what the body left behind
  /// Whether the body reads names before it assigns them: what is behind that reading was not lowered then.
  bool find_late_names();
  bool is_missing(const std::string& name) const;
  bool is_wanted(const std::string& name) const;
  void refuse_late_kinds();
  void compare_with_start();
  void compare_texts();
  bool changes_class(const CarriedValue& value, const Binding& end);
  bool certainly_enters() const;
  /// Whether nothing reads what the variable holds before the loop.
  bool is_rebound(const std::string& name) const;
  void compare(const CarriedValue& value, const Binding& end);
  /// The first trip must be one of its own.
  void peel() { attempted_.peels = must_peel_ = true; }
  bool other_storage(const CarriedValue& value, const Type& end);
  [[noreturn]] void refuse_other_storage(const CarriedValue& value, const Type& end);
  void compare_elements(const CarriedValue& value, const Type& end);
  void compare_second_trip(const CarriedValue& value, const Type& end);
  void try_second_trip(const CarriedValue& value, const Type& end);
  bool becomes_truth(const CarriedValue& value, const Type& end) const;
  void compare_extents(const CarriedValue& value, const Type& end, int axis);
  bool invariant(const Size& size) const;

  // -- loop_results.cpp: the accepted loop
  void append();
  ValueId append_loop();
  void tie(CarriedValue& value, Op& op, std::vector<ValueId>& yields);
  void poison_changed_functions();
  void bind_variable_after(ValueId trips);

  Lowerer& l_;
  Emitter& emit_;
  Builder& builder_;
  const LoopPlan& plan_;
  const CarriedTypes& types_;
  const std::map<std::string, Type>& after_first_;
  const bool is_for_, second_trip_;
  Attempted attempted_;
  bool must_peel_ = false;

  ValueId enters_, limit_;
  std::set<std::string> roots_;      ///< the variables that the body or the condition assigns, or parts of them
  std::set<std::string> own_names_;  ///< what is assigned: of structs and cells the leaves
  std::set<std::string> names_;      ///< and "#return"
  bool variable_is_carried_ = false;
  bool carries_text_ = false;  ///< the message of an error
  Environment before_, after_;
  std::size_t first_inner_ = 0;  ///< values from here on are made in the loop
  BlockId body_;
  SymbolId trip_;
  std::vector<CarriedValue> values_;
  std::set<std::string> known_texts_;  ///< strings in structs and cells that are taken to stay what they are
  ValueId going_on_;
  std::set<std::string> missing_in_body_, begun_in_body_;  ///< as Lowerer::missing_ and begun_
  bool left_out_in_body_ = false;                          ///< as Lowerer::left_out_
  bool reported_ = false;                                  ///< the body has an error
};

}  // namespace lac::frontend
