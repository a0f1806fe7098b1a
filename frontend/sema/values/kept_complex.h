// Complex values that are no less so where all imaginary parts are zero: what `complex` has made, and copies of it, but
// nothing that is computed of them. They are told by the identity of both parts.
#pragma once

#include "frontend/sema/values/facts.h"

namespace lac::frontend {

inline bool is_kept_complex(const Facts& facts, ValueId re, ValueId im) {
  const auto* found = facts.kept_complex.find(im);
  return found != facts.kept_complex.end() && found->second == re;
}

}  // namespace lac::frontend
