// Inclusive scans: cumsum, cumprod, cummin, cummax.
#pragma once

#include "ir/graph/attributes.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// Along rows (down each column), cols (along each row) or all (column-major order), in plain order, every step rounded
/// to `element`. min and max skip NaN: leading NaN stay, later ones repeat the extreme so far.
Tensor scan_tensor(const Reduction& reduction, const Tensor& x, Element element);

}  // namespace lac::runtime
