// The texts of check, warn, format and print ops.
#pragma once

#include <span>
#include <string>

#include "ir/graph/attributes.h"
#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"
#include "runtime/text/number_format.h"

namespace lac::runtime {

/// The printf template with its literals, and `operands` (in order) where the message has no literal. Fails with
/// Octave's message where printf does.
Result<std::string> format_message(const Message& message, std::span<const Tensor> operands);

/// What a failed check or a warning shows: "error: ..." or "warning: ..." without a newline at the end.
std::string error_text(const Message& message, std::span<const Tensor> operands);
std::string warning_text(const Message& message, std::span<const Tensor> operands);

/// What Octave shows for a statement without ';', or for disp when the display has no name.
/// `operands`: the value; of a range also its base, increment and limit.
std::string display_text(const Display& shown, std::span<const Tensor> operands, ShownDigits digits);

/// Octave's truth of a condition: non-empty and all elements non-zero.
bool is_true(const Tensor& condition);

}  // namespace lac::runtime
