// Strings that a program computes.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"
#include "ir/support/text_edit.h"

namespace lac::frontend {

/// The characters of a string as a row of integers.
ValueId codes(Emitter& e, const Binding& text);
/// The same; of "" 0x0.
ValueId characters(Emitter& e, const Binding& text);
/// The characters of a string where an operator takes them: of one that is known a constant.
ValueId operand_codes(Emitter& e, const Binding& text);
/// What a step has found as the extent of what it makes: an integer, which is never negative.
Size size_found(Emitter& e, ValueId count);
/// What a step that has a `..._length` partner makes: `rows` lines of a length that the run tells.
Binding text_step(Emitter& e, LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands, const Size& rows,
                  bool double_quoted);
/// The same, of a step whose result is 0x0 where it has no characters, unless `keeps_shape` holds.
Binding text_step_or_nothing(Emitter& e, LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands,
                             const Size& rows, bool double_quoted, ValueId keeps_shape = {});
/// What a step makes as a row of numbers, which is `rows_of_none` x 0 where there are none.
ValueId row_step(Emitter& e, LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands,
                 const Size& rows_of_none);
/// What a step makes as a matrix of numbers whose rows and columns the other one tells.
Binding matrix_step(Emitter& e, LibraryFn fn, LibraryFn size, const std::vector<ValueId>& operands);
/// Strings below one another, each filled with blanks up to `width`; one without rows is an empty row.
Binding padded_rows(Emitter& e, const std::vector<Binding>& lines, const Size& width);
Binding join_strings(Emitter& e, const std::vector<Binding>& parts, Span span);  ///< ["a" s]
/// ["ab"; s]; where lines are `padded`, the shorter ones are filled with blanks.
Binding stack_strings(Emitter& e, const std::vector<Binding>& parts, Span span, bool padded = false);
bool may_be_nothing(const Emitter& e, const Binding& text);  ///< "", or so on some path (Facts::maybe_nothing)
ValueId same_strings(Emitter& e, const Binding& a, const Binding& b);  ///< logical
/// The same of strings in cells: those without characters are equal, whatever their extents.
ValueId same_in_cells(Emitter& e, const Binding& a, const Binding& b);
/// sprintf with the template at `args[at]`; `caller` is named in messages.
Binding formatted(Emitter& e, const std::string& caller, const std::vector<Binding>& args, std::size_t at);

}  // namespace lac::frontend
