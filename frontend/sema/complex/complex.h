// Complex values: two real matrices of one shape, which end in the frontend. The Graph has their parts alone, so every
// pass and target works on them, and what needs one part never touches the other.
//
// What is complex is decided by the text of a program. Octave makes a value real as soon as all of its imaginary parts
// are zero, which only the run can tell, unless `complex` has just made it: where that changes a result (an order, what
// is shown), `is_narrow` asks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

inline constexpr std::string_view complex_arrays =
    "complex arrays of more than two dimensions are not supported: keep real and imaginary parts apart, or pages in a "
    "cell "
    "array";

/// Both parts have one shape and one floating class. Without `im` the value is real, of any class and storage.
struct Complex {
  ValueId re, im = {};
  bool kept = false;  ///< a value that is_kept_complex, or its elements in another order
  bool is_real() const { return !im; }
};

/// The variable or value; the parts are brought into one floating class.
Binding complex_binding(Emitter& e, const Complex& value);
/// The form of a complex variable without parts.
Binding complex_form();
/// The parts of a complex value or a matrix.
Complex parts_of(Emitter& e, const Binding& binding);
/// The imaginary part, zeros where the value is real.
ValueId imaginary_part(Emitter& e, const Complex& value);
/// The value with both parts: of a real one the imaginary parts are zero.
Complex widened(Emitter& e, const Complex& value);
Binding widened(Emitter& e, const Binding& binding);
/// The value, or the struct or cell array, with complex values where `form` has them and it has matrices.
Binding widened_like(Emitter& e, const Binding& binding, const Binding& form);
/// What `complex` makes (values/kept_complex.h).
Binding kept_complex(Emitter& e, const Complex& value);
/// Logical, 1x1: all imaginary parts are zero, so Octave has made the value real.
ValueId is_narrow(Emitter& e, const Complex& value);
/// The real parts, where the run finds all imaginary parts zero; else it ends with `complaint`.
ValueId require_real_value(Emitter& e, const Complex& value, const std::string& complaint);
/// Which elements are not zero.
ValueId nonzero(Emitter& e, const Complex& value, Span span);
/// The value with `change` made to each part.
Complex each_part(const Complex& value, const std::function<ValueId(ValueId)>& change);

}  // namespace lac::frontend
