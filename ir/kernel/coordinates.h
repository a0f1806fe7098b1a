// The coordinates i, j, k as size symbols: while an index is written or read, it is one Size over them.
#pragma once

#include <cstdint>

#include "ir/types/size.h"

namespace lac {

// Past the end of any symbol table.
inline constexpr std::uint32_t first_coordinate = 0xfffffff0u;
inline constexpr const char* coordinate_names[] = {"i", "j", "k"};

constexpr SymbolId coordinate(std::uint32_t number) { return {first_coordinate + number}; }
constexpr bool is_coordinate(SymbolId id) { return id.valid() && id.index >= first_coordinate; }

}  // namespace lac
