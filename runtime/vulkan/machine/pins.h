// What the blocks of an op find on the device when they begin.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// The arguments of the op's blocks and what ops in them make, at any depth.
std::unordered_set<ValueId> values_inside(const Graph& graph, const Op& op);

/// What the op uses of other values that there are at the moment.
std::vector<std::pair<ValueId, Value>> values_from_outside(const Machine& machine, const Op& op);

/// The matrices that a loop or a branch uses from outside, kept on the device as long as this lives. Throws DeviceError
/// out_of_memory where they do not fit.
class Pins {
 public:
  Pins(Machine& machine, const Op& op);
  /// What fails while the op is left with an error is not said twice.
  ~Pins();
  Pins(const Pins&) = delete;
  Pins& operator=(const Pins&) = delete;

  std::int64_t bytes() const;

 private:
  Machine& machine_;
  std::vector<MatrixUse> uses_;
};

}  // namespace lac::runtime::vulkan
