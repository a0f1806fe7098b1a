// The loads and stores of strips, through the maps of a kernel (AccessMap).
#pragma once

#include <array>
#include <cstdint>

#include "runtime/cpu/strip/frame.h"

namespace lac::runtime {

/// `lanes` neighbouring points: lane l is at (i + l*step_i, j + l*step_j, k + l*step_k), steps 0 or 1, or its k is
/// ks[l]. Only the first `live` exist, and of these those whose `mask` is not 0; the others read what is out of range
/// and store nothing.
struct StripPoints {
  std::int64_t i = 0, j = 0, k = 0;
  std::int64_t step_i = 0, step_j = 0, step_k = 0;
  const std::int64_t* ks = nullptr;
  bool flat = false;  ///< i is the position in a domain walked as one vector, j is 0
  std::int64_t lanes = 0, live = 0;
  const std::uint8_t* mask = nullptr;
  const void* matrix_element = nullptr;
  std::array<const void*, Contraction::most_sums> sums = {};  ///< of a contraction

  bool all() const { return live == lanes && mask == nullptr; }
  bool is_live(std::int64_t lane) const { return lane < live && (mask == nullptr || mask[lane] != 0); }
};

/// first + l*stride, or vector[l].
struct LaneIndex {
  std::int64_t first = 0, stride = 0;
  const std::int64_t* vector = nullptr;
  bool uniform = false;  ///< by the kernel, not only in this launch

  std::int64_t at(std::int64_t lane) const { return vector ? vector[lane] : first + lane * stride; }
};

/// An AffineIndex, or the register of its gather.
struct StripIndex {
  SlotNumber base, i, j, k, amount;
  AffineIndex::Step step = AffineIndex::Step::none;
  bool moves_i = false, moves_j = false, moves_k = false;
  std::int32_t gather = -1;  ///< register of doubles
};

/// How a load or store touches its buffer.
struct StripMap {
  StripMap() = default;
  /// `gather_register` says where the 1-based positions of an instruction are, as doubles.
  StripMap(const AccessMap& map, const Type& buffer, const SlotNumbers& numbers,
           const std::function<std::int32_t(InstrId)>& gather_register);

  StripIndex row, col;
  bool linear = false;
  OutOfRange out_of_range = OutOfRange::impossible;
  double fill = 0;
  SlotNumber rows, cols;
};

/// Column-major positions of the lanes, and which are inside of the buffer (null: all are, or nobody asks).
struct StripPlace {
  LaneIndex position;
  const std::uint8_t* inside = nullptr;
};

StripPlace place_of(const StripMap& map, const StripPoints& points, const std::uint64_t* slots, void* const* registers,
                    Scratch& scratch);

/// Elements of `base` in registers of register_of(element).
void load(Element element, const void* base, const StripMap& map, const StripPlace& place, const StripPoints& points,
          void* out);
/// Registers of register_of(element) to `base`, lane 0 first.
void store(Element element, void* base, const StripPlace& place, const StripPoints& points, const void* values);

/// floor(a / b), |a| < 2^53, b > 0
std::int64_t floor_divide(std::int64_t a, std::int64_t b);

}  // namespace lac::runtime
