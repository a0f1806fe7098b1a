// cellfun and arrayfun: what is asked of their options before it is known what their arguments are.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/builtins/walk.h"

namespace lac::frontend {

/// Takes "ErrorHandler" and its function off the arguments of cellfun and arrayfun: where it was there, the function of
/// elements becomes one that calls it on errors, and a further argument has the positions of the elements. Whether so.
bool take_error_handler(Walk& walk, Emitter& e, const std::string& name, std::vector<Binding>& args, Span span);

}  // namespace lac::frontend
