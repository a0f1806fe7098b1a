// Break, continue and return are logical variables with names of their own, so that joins treat them like any other.
#pragma once

namespace lac::frontend {

inline constexpr const char* exit_flags[] = {"#break", "#continue", "#return"};

}  // namespace lac::frontend
