// Words of a session of Octave.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lac::frontend {

/// Why a call of this function does nothing; empty where it does something.
std::string_view why_without_effect(std::string_view name);

/// Whether `clear`, with these words behind it, takes its value from the variable.
bool is_cleared(const std::string& name, const std::vector<std::string>& words);

}  // namespace lac::frontend
