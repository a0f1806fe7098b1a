// Patterns of names of variables, as `clear`, `save` and `load` take them.
#pragma once

#include <string_view>

namespace lac::frontend {

/// '*' stands for any letters, '?' for one.
bool fits_pattern(std::string_view pattern, std::string_view name);
/// Whether it is a pattern and no plain name; sets of letters, "x[12]", count as such and fit nothing.
inline bool is_pattern(std::string_view name) { return name.find_first_of("*?[") != std::string_view::npos; }

}  // namespace lac::frontend
