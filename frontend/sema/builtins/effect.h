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

/// What is shown from here on is kept, and the string that it makes once it ends.
void begin_capture(Emitter& e);
Binding end_capture(Emitter& e);

/// disp(x), and s = disp(x).
template <Handler show>
std::vector<Binding> shown_or_kept(Call& call) {
  if (call.nargout == 0) return show(call);
  begin_capture(call.emit);
  show(call);
  return {end_capture(call.emit)};
}

/// assert, of values of any kind.
std::vector<Binding> assertion(Call& call);

}  // namespace lac::frontend
