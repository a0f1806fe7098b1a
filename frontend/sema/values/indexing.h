// Indexing: x(i), A(i, j).
#pragma once

#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

ValueId indexed(Emitter& e, ValueId value, const ResolvedSubscripts& resolved);

}  // namespace lac::frontend
