// NA, the missing value of Octave and R: a NaN with a payload of its own, which shows as NA. Arithmetic may lose it.
#pragma once

#include <bit>
#include <cstdint>

namespace lac {

/// Its upper half is also the single NA, so that conversions keep it.
constexpr std::uint64_t missing_bits = 0x7FF840F440000000;

inline double missing_value() { return std::bit_cast<double>(missing_bits); }
inline bool is_missing(double value) { return std::bit_cast<std::uint64_t>(value) == missing_bits; }

}  // namespace lac
