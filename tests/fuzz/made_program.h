// Programs that are made to go wrong where sizes, ranges and overlaps do: every extent, bound, step and position is
// drawn from what is usual and from what overflows, is no integer, no number or empty; half of them only a run knows.
#pragma once

#include <cstdint>
#include <string>

namespace lac::fuzz {

/// The same seed makes the same program, of less than a kilobyte. All arithmetic of it is exact while numbers are
/// small, so that two right implementations print the same.
std::string made_program(std::uint32_t seed);

/// Whether a text has only names of made programs and numbers that are exact in a few bits: then what it prints can be
/// compared.
bool is_exact_program(const std::string& text);

}  // namespace lac::fuzz
