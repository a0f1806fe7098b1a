#include "frontend/sema/names/patterns.h"

namespace lac::frontend {

bool fits_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped)
      if (fits_pattern(pattern.substr(1), name.substr(skipped))) return true;
    return false;
  }
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         fits_pattern(pattern.substr(1), name.substr(1));
}

}  // namespace lac::frontend
