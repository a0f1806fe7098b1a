// Accumulators of a kernel's reductions, as codegen/llvm/kernel/reduce has them.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/kernel/kernel.h"
#include "runtime/cpu/strip/access.h"

namespace lac::runtime {

/// A value, held as the accumulator's element rounds it, and for arg reductions its 0-based position (infinity: none).
struct Extreme {
  double value = 0, position = 0;
};

/// What is accumulated, decided once for a nest.
struct StripReduction {
  StripReduction(const Kernel& kernel, const Nest& nest, const KernelReduction& reduction, const SlotNumbers& numbers);

  Extreme identity() const;
  Extreme combine(const Extreme& a, const Extreme& b) const;
  /// partials[l] = combine(partials[l], value of lane l), l < count: `values` are registers of `element`.
  void add_to_partials(double* partials, const void* values, std::int64_t count) const;
  /// To element `index` of the outputs.
  void store(const Extreme& result, const std::uint64_t* slots, std::int64_t index) const;

  ReduceOp op;
  Axis axis;
  Element element;                     ///< that is carried
  Element stored;                      ///< that of the output
  std::int32_t value;                  ///< register of `element`, set by who has the body
  std::int32_t slot, index_slot = -1;  ///< of the outputs
  Element stored_index = Element::integer;
  SlotNumber rows;

  bool has_position() const { return index_slot >= 0; }
};

/// Lane accumulators of one reduction in one launch.
class StripAccumulator {
 public:
  StripAccumulator(const StripReduction& reduction, std::int64_t lanes, Scratch& scratch);

  const StripReduction& reduction() const { return reduction_; }
  void reset();
  /// Lane l of the points goes to accumulator l mod `lanes`.
  void add(const StripPoints& points, const std::uint64_t* slots, const void* values);
  /// All kernel_lanes lanes, pairwise: lane e with lane e + 8, then e + 4, e + 2, e + 1.
  Extreme combined() const;
  Extreme lane(std::int64_t lane) const;

 private:
  const StripReduction& reduction_;
  std::int64_t lanes_;
  void* values_;
  double* positions_ = nullptr;
};

}  // namespace lac::runtime
