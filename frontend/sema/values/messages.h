// How messages show source text, shapes and the operands at hand, and where shapes come from.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// Source text as written, shortened.
std::string written(const Emitter& e, Span span);
/// 3x4, n x 1, n x (n + 1); ? is an extent that only the run knows.
std::string shape_text(const Emitter& e, ValueId value);
/// Where the shapes of the operands at hand come from: at most three notes.
std::vector<Note> shape_notes(const Emitter& e, Span error);
std::vector<Note> shape_notes(const Emitter& e, Span error, ValueId a, ValueId b);
/// "nonconformant arguments (operator *: A is 2x3, p is 2x1)"; the format takes the four extents at run time.
std::string nonconformant(const Emitter& e, const std::string& name, ValueId a, ValueId b);
std::string nonconformant_format(const Emitter& e, const std::string& name);

}  // namespace lac::frontend
