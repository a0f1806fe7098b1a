// Break, continue and return, and an error in a try, are logical variables with names of their own, so that joins treat
// them like any other.
#pragma once

namespace lac::frontend {

inline constexpr const char* exit_flags[] = {"#break", "#continue", "#return", "#error"};

// What an error leaves beside its flag, inside of a try: which one it is, and the numbers of its message.
inline constexpr const char* error_marks[] = {"#error", "#error_code", "#error_0", "#error_1", "#error_2", "#error_3"};

}  // namespace lac::frontend
