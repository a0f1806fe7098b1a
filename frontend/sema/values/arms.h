// Branches whose arms make values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// What an arm leaves in one place; without a value: nothing.
struct ArmValue {
  ValueId value;
  ValueId defined = {};  ///< as Binding::defined
};

/// A branch of which both arms are lowered, each in its block. The values that they leave become results: `settle` for
/// every place, then `finish` for each in the same order, then `append`.
class Arms {
 public:
  Arms(Emitter& e, ValueId condition, BlockId then_block, BlockId else_block);

  /// One place that the arms leave different values in, of the type that holds both.
  struct Place {
    ValueId values[2];   ///< of an arm that has none: zeros
    ValueId defined[2];  ///< logical scalars, where an arm may have none
    bool may_lack = false, rows_vary = false, cols_vary = false;
    Type type;
  };
  /// Nothing where one value is sparse and the other full: no type holds both.
  std::optional<Place> settle(const ArmValue (&left)[2]);
  /// The place behind the branch. Equal constants need no result, save those of texts.
  ArmValue finish(Place& place, const std::string& name, bool is_text = false);
  void append();
  /// Whether a size is made of values from before the branch.
  bool visible_behind(const Size& size) const;

 private:
  void fill_in(Place& place, int arm, const ArmValue& left);
  std::optional<double> same_constant(const Place& place) const;
  ValueId add_result(const Type& type, ValueId then_value, ValueId else_value, const std::string& name = "");
  Size extent(const Place& place, bool rows);

  Emitter& e_;
  Op op_;
  std::vector<ValueId> yields_[2];
  std::size_t first_inner_;  ///< values from here on are made in the arms
};

/// The value of the arm that runs; it has the type that holds both.
ValueId branch_value(Emitter& e, ValueId condition, const std::function<ValueId()>& then_arm,
                     const std::function<ValueId()>& else_arm);
/// Arms that leave no value: checks, and what a program says.
void branch_effects(Emitter& e, ValueId condition, const std::function<void()>& then_arm,
                    const std::function<void()>& else_arm, Span span);

/// A loop of `count` trips that leave no value.
void loop_effects(Emitter& e, const Size& count, const std::function<void(const Size& trip)>& trip);

/// What is said where a value fits a place in no other way than by being 1x1.
struct Misfit {
  bool certain = false;
  std::string format;
  std::vector<Size> shown = {};  ///< the extents in `format`
  std::string id = {};
  std::vector<std::pair<Size, Size>> equal = {};  ///< sizes that are equal where a value that is not 1x1 fits
};
/// A value for a place of rows x cols: filled where it turns out to be 1x1, else what `otherwise` makes of it.
ValueId filling(Emitter& e, ValueId value, const Size& rows, const Size& cols, const Misfit& misfit,
                const std::function<ValueId()>& otherwise);

}  // namespace lac::frontend
