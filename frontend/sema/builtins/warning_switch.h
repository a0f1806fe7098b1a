// warning("on", ID), warning("off", ID), warning("query", ID).
#pragma once

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

/// What a call of `warning` that switches or asks leaves; nothing where it warns.
std::optional<std::vector<Binding>> warning_switch(Call& call);

}  // namespace lac::frontend
