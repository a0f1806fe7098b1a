// Break, continue and return, and an error in a try, are logical variables with names of their own, so that joins treat
// them like any other.
#pragma once

namespace lac::frontend {

inline constexpr const char* exit_flags[] = {"#break", "#continue", "#return", "#error"};

// What an error leaves beside its flag, inside of a try: which one it is, and the numbers of its message.
inline constexpr const char* error_marks[] = {"#error", "#error_code", "#error_0", "#error_1", "#error_2", "#error_3"};

// The message itself, character codes in a row, of an error that says what the run has made of strings. It is carried
// where some error has one (Lowerer::errors_have_text_).
inline constexpr const char* error_text = "#error_text";

// What the arms of a condition leave behind.
inline constexpr const char* truth_name = "#value";
inline constexpr const char* chosen_element = "#chosen";  ///< what Lowerer::chosen gives

}  // namespace lac::frontend
