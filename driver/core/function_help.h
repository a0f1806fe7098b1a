// What a function is, wherever it comes from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/core/module.h"

namespace lac::driver {

/// The call forms and what it does: of a function of the text, its first line and the comment above it; of a built-in,
/// its entry in the table; of one found by `finder`, the comment that opens its file. Ends without a newline; nothing
/// when there is no such function.
std::optional<std::string> function_help(const std::string& name, const frontend::ast::Program* program,
                                         const SourceManager& sources, const FunctionFinder& finder);

/// The first line of the help, without what it does where that is told apart by blanks: "z = trapz(y), trapz(x, y)".
std::string call_forms(std::string_view help);

}  // namespace lac::driver
