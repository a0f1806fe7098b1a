// Accumulators of a kernel's reductions: `kernel_lanes` lanes, combined pairwise at the end of what they cover.
#pragma once

#include "codegen/llvm/kernel/access.h"

namespace lac::codegen {

/// A value and, for arg reductions, the 0-based position of it (infinity: none yet), both single values or vectors.
struct Extreme {
  Value* value = nullptr;
  Value* position = nullptr;
};

class Accumulator {
 public:
  Accumulator(KernelFunction& f, const KernelReduction& reduction);

  const KernelReduction& reduction() const { return reduction_; }
  /// That is carried.
  Element element() const { return element_; }
  void reset();
  /// Lane l takes the value of point l, where the mask has it.
  void add(const Points& points, TypedValue value);
  /// Combines all lanes, pairwise: lane e with lane e + 8, then e + 4, e + 2, e + 1.
  Extreme combined() const;
  /// The lanes as they are.
  Extreme lanes() const;
  unsigned lanes_in_use() const;

  /// To element `index` of the outputs; for vectors, to the elements from `index` on, where the mask has them.
  void store(const Extreme& result, Value* index, Value* mask = nullptr) const;

  /// Partials are doubles: partial `first` + 0 (value) and + 1 (position) of a block.
  void store_partial(const Extreme& result, std::int64_t first, Value* block, Value* blocks) const;

  /// Of a reduction that is spread over strips (spread_outputs): combines a value, or a vector of them, with the
  /// partials from `index` on, where the mask has them.
  void add_to_partials(TypedValue value, Value* index, Value* mask = nullptr) const;
  /// Sets the partials [begin, begin + count) to where a reduction starts.
  void reset_partials(Value* begin, Value* count) const;

 private:
  KernelFunction& f_;
  const KernelReduction& reduction_;
  Element element_;
  llvm::AllocaInst* value_;
  llvm::AllocaInst* position_ = nullptr;
};

/// The elements of an output that is reduced over strips, and where its partials begin.
Value* spread_elements(KernelFunction& f, std::uint32_t output);
Value* spread_begin(KernelFunction& f, std::uint32_t output, Value* blocks);

/// The body of NAME_finish: combines the partials of `blocks` blocks in their order, in double, and stores the results.
void emit_finish(KernelFunction& f, Value* blocks);

}  // namespace lac::codegen
