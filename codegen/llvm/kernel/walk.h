// The blocks of a kernel with one nest and the loops over them; a part of a nest's domain (strips.h).
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/llvm/kernel/product.h"
#include "codegen/llvm/kernel/reduce.h"

namespace lac::codegen {

/// How many blocks the kernel has (i64); 0 for an empty domain unless a reduction along one axis still has results.
Value* emit_block_count(KernelFunction& f, const WalkPlan& plan);

/// ceil(a / b) of i64.
Value* ceil_divide(KernelFunction& f, Value* a, Value* b);

/// Partial results of a launch: how many blocks write them, and the number of the first one here.
struct PartialsAt {
  Value* blocks = nullptr;
  std::int64_t first = 0;
};

/// One nest; the kernel function has entered it.
class NestWalk {
 public:
  /// Emits what is the same at all points.
  NestWalk(KernelFunction& f, const PartialsAt& partials);

  const Nest& nest() const { return nest_; }

  /// Everything inside NAME after its slots are read, where this is the only nest.
  void emit(Value* first_block, Value* last_block);

  /// Block by block, strip by strip of the axis that several nests share: [begin, end) of it.
  void begin_block(Value* block);
  void strip(Value* begin, Value* end, Value* block);
  void write_partials(Value* block);

 private:
  struct Range {
    Value *lane_begin, *lane_end, *other_begin, *other_end;
  };

  /// Whether the products of several blocks are computed before the body looks at the first.
  bool computes_blocks_ahead() const;
  void emit_blocks_ahead(Value* first_block, Value* last_block);
  void walk(const Range& range);
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
  /// Body and stores; the values that are reduced, of all the points.
  std::vector<Value*> compute(const Points& points);
  std::vector<Value*> compute_in_parts(const Points& points, Value* lane, Value* other, unsigned together);
  /// Of a part of a vector that has not all of its points, if it has one.
  std::vector<Value*> compute_if_any(const Points& part, Value* start);
  Value* lanes_of(Value* vector, unsigned first, unsigned count);
  Element reduced_element(std::size_t reduction) const;

  std::vector<Accumulator*> accumulators(bool (*wanted)(const WalkPlan&, Axis));
  bool is_spread(const Accumulator& accumulator) const;
  /// Where the partials of the block at hand begin.
  Value* spread_partials(const Accumulator& accumulator, Value* block);

  KernelFunction& f_;
  const Nest& nest_;
  WalkPlan plan_;
  PartialsAt partials_;
  std::optional<Interior> interior_;
  BodyEmitter body_;
  unsigned lanes_together_, masked_together_;  ///< pressure.h
  std::unique_ptr<Product> product_;
  std::vector<Accumulator> accumulators_;
  Value* block_ = nullptr;                          ///< at hand
  std::optional<std::pair<Value*, Value*>> edges_;  ///< [first, behind) of the interior, of the line at hand
};

}  // namespace lac::codegen
