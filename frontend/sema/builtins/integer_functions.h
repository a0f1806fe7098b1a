// What functions are where an argument is of an integer class.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/sema/builtins/walk.h"
#include "frontend/sema/integers/integers.h"

namespace lac::frontend {

/// A call with an argument of an integer class, or one that asks for such a class by its name: zeros(2, "uint8").
/// Nothing where it is neither, or where the function takes these values as they are. `is_ours`: the function is of the
/// language and no program's own.
std::optional<std::vector<Binding>> integer_call(Emitter& e, Walk& walk, const std::string& name,
                                                 const std::vector<Binding>& args, int nargout, Span span,
                                                 bool is_ours);

}  // namespace lac::frontend
