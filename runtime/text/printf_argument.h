// A tensor as an argument of printf.
#pragma once

#include "ir/support/printf.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// All its elements, stored zeros of sparse ones included.
PrintfArgument printf_argument(const Tensor& a);

}  // namespace lac::runtime
