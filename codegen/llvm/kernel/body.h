// A scalar body evaluated at some points.
#pragma once

#include <vector>

#include "codegen/llvm/kernel/access.h"
#include "ir/plan/interior.h"

namespace lac::codegen {

class BodyEmitter {
 public:
  /// Emits here, once, what is the same at every point: constants, sizes, scalar inputs and arithmetic on them.
  BodyEmitter(KernelFunction& f, const Body& body, const Interior* interior = nullptr);

  /// Emits the rest for these points; the value of every instruction, by its index.
  std::vector<TypedValue> evaluate(const Points& points);

 private:
  TypedValue uniform_value(const Instr& instr);
  TypedValue value_at(InstrId id, const Points& points, const std::vector<TypedValue>& values);
  Value* index_at(const Instr& instr, const Points& points);

  KernelFunction& f_;
  const Body& body_;
  const Interior* interior_;
  std::vector<TypedValue> uniform_;  ///< empty where the value depends on the point
};

/// The positions that the gathers of a map refer to, among the values of its body.
GatheredPositions gathered_positions(const AccessMap& map, const std::vector<TypedValue>& values);

}  // namespace lac::codegen
