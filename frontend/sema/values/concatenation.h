// Matrices made of parts: scalars, tables of numbers, matrices beside or below each other.
#pragma once

#include <optional>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// The class of a number as written.
Element element_of_number(const Emitter& e, double value);
/// rows x cols of scalars in column-major order.
ValueId literal(Emitter& e, const std::vector<ValueId>& items, std::int64_t rows, std::int64_t cols);
/// The numbers of a value that is made of constants, in column-major order.
std::optional<std::vector<double>> numbers_of(const Emitter& e, ValueId value);
/// The elements of a matrix that the program writes out, in column-major order.
std::optional<std::vector<ValueId>> written_elements(Emitter& e, ValueId value);
ValueId concatenate(Emitter& e, const std::vector<ValueId>& parts, Axis axis, Span span);

}  // namespace lac::frontend
