// What error, warning and assert share.
#pragma once

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

/// What error, warning and a failed assert say: TEXT as it is, or TEMPLATE, ..., or ID, TEMPLATE, ...
struct Said {
  Message message;
  std::vector<ValueId> operands;
  ValueId silent;  ///< a logical scalar: there is nothing to say, so nothing happens
};

/// The arguments from `at` on.
Said said_by(Call& call, std::size_t at);

/// assert, of values of any kind.
std::vector<Binding> assertion(Call& call);

}  // namespace lac::frontend
