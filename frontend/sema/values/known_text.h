// Strings that are made of what is known while the program is compiled: names of fields, keys of maps, labels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// A known string as functions take templates and delimiters: what stands in single quotes has its escapes expanded.
std::string with_escapes(const Binding& text);
/// The same of a text that may be one of the run, which stays as it is.
Binding escapes_expanded(Binding text);
/// sprintf of the template at `args[at]` where it and all arguments are known: strings and not too many numbers.
/// Nothing elsewhere, where printf fails, and where the string would be empty.
std::optional<std::string> known_format(const Emitter& e, const std::vector<Binding>& args, std::size_t at);
/// The rows of a text, of one or of several, where they are written in the program.
std::optional<std::vector<std::string>> known_rows(const Emitter& e, const Binding& text);
/// The characters of a known string that a read by subscripts has left: of "linear"(2:end) they are known as well.
std::optional<std::string> known_characters(const Emitter& e, const Binding& text, ValueId read);
/// The digits of a value that is a whole number.
std::optional<std::string> known_digits(const Emitter& e, const Binding& value);

}  // namespace lac::frontend
