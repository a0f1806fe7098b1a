// Which way a variable goes in statements: a counter that only falls is never above what it was before them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frontend/ast/ast.h"

namespace lac::frontend {

enum class Course : std::uint8_t { falls, rises };

/// Nothing where the statements may assign it anything but itself and a whole number more, or less: `k = k + 1`,
/// `k -= 2`, `k++`.
std::optional<Course> course_of(const std::string& name, const ast::Block& block);

}  // namespace lac::frontend
