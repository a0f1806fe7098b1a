// Indexed assignment, x(i) = v and A(i, j) = v, and the growth that it causes.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

/// A store in two steps, for the subscripts are lowered between them and may ask for the base.
class IndexedStore {
 public:
  /// Base and value in the class that the store leaves behind.
  IndexedStore(Emitter& e, ValueId base, ValueId value);
  ValueId base() const { return base_; }
  /// The base with the value in the elements that the subscripts pick; `name` is the variable's, for messages.
  ValueId into(ResolvedSubscripts resolved, const std::string& name, Span span);

 private:
  std::pair<Size, Size> grown_across(ResolvedSubscripts& resolved);
  std::pair<Size, Size> grown_along(const ResolvedSubscripts& resolved, const std::string& name);
  ValueId into_sparse(const ResolvedSubscripts& resolved, const Size& rows, const Size& cols);

  Emitter& e_;
  const std::optional<ValueId> diagonal_;  ///< of the base
  Element element_;
  ValueId base_, value_;
};

}  // namespace lac::frontend
