// Ranges: first:step:last.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// first:step:last as scalars. One without elements makes a range without elements: `some` is false then.
struct RangeParts {
  ValueId first, step, last;
  ValueId some;                                     ///< logical scalar
  IntegerClass integer_class = IntegerClass::none;  ///< of its elements
};

/// A number that is written out as a part. Literals stay double here, whatever the precision: 0:0.1:0.5 has six
/// elements in single too.
ValueId number_of_range(Emitter& e, double number);
/// A value as a part. Where it may have no elements it is read as 0 and `some` tells; without `some` it must be 1x1.
ValueId part_of_range(Emitter& e, ValueId value, Span span, const std::string& what, ValueId* some = nullptr);

/// A range whose parts are exact integers, without materialising it.
std::optional<RangeFact> exact_range(Emitter& e, const RangeParts& parts);
/// The same of integers up to a real limit that is never NaN: for loops, which go over integers then. The run stops
/// where the range is endless.
std::optional<RangeFact> integer_range(Emitter& e, const RangeParts& parts);
/// Any other range that is a subscript, rounded as Octave does: nothing where its step may be no integer.
std::optional<RangeFact> subscript_range(Emitter& e, const RangeParts& parts, const std::string& invalid);
/// What is no integer in a range that is a subscript is rounded, with Octave's warning.
void warn_of_rounded_range(Emitter& e, ValueId whole);
/// But a range of one element is that number, which is `invalid` where it is not `whole`.
void require_several_or(Emitter& e, ValueId whole, const Size& count, const std::string& invalid, ValueId first);
/// A range of any other numbers: how many there are, and those at 0-based positions (integers of any shape).
struct RealRange {
  Size count;
  std::function<ValueId(ValueId positions)> elements;
};
RealRange real_range(Emitter& e, const RangeParts& parts, Span span);
/// The elements as a row, known as the range that was written.
ValueId range_value(Emitter& e, const RangeParts& parts, Span span);
ValueId integer_range_value(Emitter& e, const RangeFact& fact);
ValueId make_range(Emitter& e, const RangeParts& parts, Span span);

}  // namespace lac::frontend
