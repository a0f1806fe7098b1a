// The blocks of a kernel and the loops over them.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/llvm/kernel_product.h"
#include "codegen/llvm/kernel_reduce.h"

namespace lac::codegen {

/// How many blocks the kernel has (i64); 0 for an empty domain unless a reduction along one axis still has results.
Value* emit_block_count(KernelFunction& f, const WalkPlan& plan);

/// Everything inside NAME after its slots are read.
class KernelWalk {
 public:
  KernelWalk(KernelFunction& f, const WalkPlan& plan);

  void emit(Value* first_block, Value* last_block);

 private:
  struct Range {
    Value *lane_begin, *lane_end, *other_begin, *other_end;
  };

  Range range_of(Value* block);
  void walk_lines(const Range& range);
  void walk_strips(const Range& range);
  void walk_chunks(const Range& range);
  /// All vectors along the lane axis in [begin, end) at one index of the other axis.
  void line(Value* begin, Value* end, Value* other);
  /// Calls visit(first, mask) for every vector in [begin, end); the mask is null for full ones.
  void vectors(Value* begin, Value* end, llvm::function_ref<void(Value*, Value*)> visit);
  void vectors_with_edges(Value* begin, Value* end, llvm::function_ref<void(Value*, Value*)> visit);
  /// The same at one index of the other axis for kernels with an interior, which has no masks: from the line's edge
  /// through the interior to the other edge.
  void line_with_edges(Value* begin, Value* end, Value* other);
  /// [first, behind) of the line that is in the interior.
  std::pair<Value*, Value*> interior(Value* begin, Value* end, Value* other);
  /// One vector of points: body, stores, reductions.
  void point(Value* lane, Value* mask, Value* other, Value* buffer_offset, bool interior = false);
  void write_partials(Value* block);

  std::vector<Accumulator*> accumulators(bool (*wanted)(const WalkPlan&, Axis));

  KernelFunction& f_;
  const WalkPlan& plan_;
  std::optional<Interior> interior_;
  BodyEmitter body_;
  std::unique_ptr<Product> product_;
  std::vector<Accumulator> accumulators_;
  Value* blocks_ = nullptr;
};

}  // namespace lac::codegen
