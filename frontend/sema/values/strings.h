// Strings that a program computes.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// Of the 26 letters.
std::string lower_case(std::string text);
/// The characters of a string as a row of integers.
ValueId codes(Emitter& e, const Binding& text);
/// What a step that has a `..._length` partner makes: `rows` lines of a length that the run tells.
Binding text_step(Emitter& e, LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands, const Size& rows,
                  bool double_quoted);
Binding join_strings(Emitter& e, const std::vector<Binding>& parts, Span span);   ///< ["a" s]
Binding stack_strings(Emitter& e, const std::vector<Binding>& parts, Span span);  ///< ["ab"; s]
ValueId same_strings(Emitter& e, const Binding& a, const Binding& b);             ///< logical
/// sprintf with the template at `args[at]`; `caller` is named in messages.
Binding formatted(Emitter& e, const std::string& caller, const std::vector<Binding>& args, std::size_t at);

}  // namespace lac::frontend
