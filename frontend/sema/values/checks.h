// Scalars, sizes and truth values made of values, and the checks that what is not provable needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// The sizes must be equal: nothing when provable, an error when impossible, else a run-time check.
void require_equal(Emitter& e, const Size& a, const Size& b, Span span, const std::string& what,
                   const std::vector<Size>& shown, const std::string& format);
/// Octave converts no NaN to a truth value.
void require_no_nan(Emitter& e, ValueId value);
/// A value that must be 1x1 (checked at run time where its shape is).
ValueId as_scalar(Emitter& e, ValueId value, Span span, const std::string& what);
/// `format` shows the offending value with one conversion.
ValueId as_integer(Emitter& e, ValueId scalar, const std::string& format);
/// What as_integer has made here of what is computed alike.
std::optional<ValueId> known_integer(const Emitter& e, ValueId scalar);
/// A scalar as a size; a real is checked to be an integer at run time. Negative sizes count as 0 where `clamp`.
Size to_size(Emitter& e, ValueId value, Span span, bool clamp);
/// A dense matrix of these extents has certainly more elements than the language counts.
bool too_many_elements(const Size& rows, const Size& cols);
/// A warning where a double is no single; `what` it is of, as in "'x'".
void warn_of_rounding(Emitter& e, ValueId value, const std::string& what);
/// What a condition makes of a value: whether it has elements and none of them is zero.
ValueId truth(Emitter& e, ValueId value);

}  // namespace lac::frontend
