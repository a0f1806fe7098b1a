// The functions that operators stand for.
#pragma once

#include <string_view>

namespace lac::frontend::ast {

/// "lt" of "<", "ctranspose" of "'"; what is no operator stays itself.
std::string_view function_of_operator(std::string_view written);

}  // namespace lac::frontend::ast
