// Changes to texts that keep most of them programs: whole lines, expressions, names and numbers instead of bytes.
#pragma once

#include <cstdint>
#include <string>

namespace lac::fuzz {

/// One to three changes: a line put in, repeated, removed or wrapped in a block; an expression, a name, a number or an
/// operator replaced by another of the text or of the language; a built-in called. The same seed makes the same
/// changes.
std::string mutated(const std::string& text, std::uint32_t seed);

/// `text` with lines or an expression of `other`.
std::string crossed(const std::string& text, const std::string& other, std::uint32_t seed);

}  // namespace lac::fuzz
