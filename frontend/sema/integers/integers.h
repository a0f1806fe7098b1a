// Integer classes. A value of one is a matrix of the Graph, element `int`, whose elements are whole numbers in the
// range of the class, none of them -0; the class is told by the Binding. Arithmetic is done on the numbers in double
// and brought back, saturate(round(a op b)), which is what Octave does and exact for classes of up to 32 bits. So
// passes and targets know nothing of classes.
//
// The numbers of int64 and uint64 are exact up to 2^53 alone: the run stops where a result would lie beyond.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/operators.h"
#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"
#include "frontend/sema/values/integer_class.h"
#include "frontend/sema/values/ranges.h"

namespace lac::frontend {

/// The class of a value, of an array of more than two dimensions that of its elements.
IntegerClass element_class(const Binding& value);
/// The numbers of a matrix or an array of an integer class; anything else as it is.
Binding numbers_of(const Binding& value);
/// Numbers that are of the class already, a matrix or an array, as a value of it.
Binding with_class(const Binding& numbers, IntegerClass integer_class);
/// The class that the values have: of the first that is of one.
IntegerClass integer_class_of(const std::vector<Binding>& values);

/// The numbers, rounded (halves away from zero) and cut off at the limits of the class; NaN is 0.
Binding saturated(Emitter& e, IntegerClass integer_class, ValueId numbers);
/// The value, a string as its codes, in the class.
Binding in_class(Emitter& e, IntegerClass integer_class, const Binding& value);
/// The numbers, whole as in the class (halves away from zero, NaN is 0) but of either sign and not cut off: a 64-bit
/// class holds them exactly.
ValueId whole_numbers(Emitter& e, IntegerClass integer_class, ValueId numbers);
/// Notes what is known of the numbers of a value of an integer class, before they are computed with.
void note_class(Emitter& e, const Binding& value);
/// The numbers of a value of the class as doubles, whatever the precision of the program.
ValueId exact(Emitter& e, ValueId numbers);

/// "int8 matrix", "complex scalar", "bool", "cell": as Octave's messages name a value.
std::string operand_name(const Emitter& e, const Binding& value);

/// "binary operator '+' not implemented for 'int8 matrix' by 'int16 matrix' operations".
std::string not_implemented(const Emitter& e, ast::BinaryOp op, const Binding& a, const Binding& b);

/// The parts of a range of an integer class as integers; what is none ends in Octave's words.
void bring_range(Emitter& e, RangeParts& parts, Span span);

/// An operator where an operand is of an integer class.
Binding integer_binary(Emitter& e, ast::BinaryOp op, const Binding& a, const Binding& b, Span span);
Binding integer_negate(Emitter& e, const Binding& value, Span span);

}  // namespace lac::frontend
