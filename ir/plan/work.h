// What a launch moves and computes: the figures of KernelStatistics and of cost models. Each element counts once per
// launch, however many loads read it; a gathered or divided index may touch anything, at most as many elements as the
// domain has points. Sparse matrices count whole, csr with its indices. Scalars do not count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/plan/abi.h"

namespace lac {

/// amount, but at most `limit`; with `stored_of`, times the number of stored values of that csr input.
struct WorkTerm {
  std::int64_t abi::Work::*field;  ///< where it is added
  Size amount;
  std::optional<Size> limit = {};
  std::optional<std::uint32_t> stored_of = {};
};

/// The terms that a launch's work is the sum of; their sizes are the kernel's.
std::vector<WorkTerm> work_terms(const Kernel& kernel);

/// Their sum. `stored` gives the number of stored values of a csr input, by its index.
abi::Work launch_work(const Kernel& kernel, const std::function<std::int64_t(const Size&)>& size_of,
                      const std::function<std::int64_t(std::uint32_t input)>& stored);

}  // namespace lac
