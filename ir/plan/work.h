// What a launch moves and computes, as numbers: the figures of KernelStatistics and of cost models.
#pragma once

#include <cstdint>
#include <functional>

#include "ir/kernel/kernel.h"
#include "ir/plan/abi.h"

namespace lac {

/// Each element counts once per launch, however many loads read it; a gathered or divided index may touch anything, at
/// most as many elements as the domain has points. Sparse matrices count whole, csr with its indices. Scalars do not
/// count. `stored` gives the number of stored values of a csr input, by its index.
abi::Work launch_work(const Kernel& kernel, const std::function<std::int64_t(const Size&)>& size_of,
                      const std::function<std::int64_t(std::uint32_t input)>& stored);

}  // namespace lac
