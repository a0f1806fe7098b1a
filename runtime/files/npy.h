// NumPy's .npy files, format versions 1 to 3 (numpy.lib.format).
#pragma once

#include <string>
#include <string_view>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// Reads the bytes of an .npy file into a dense tensor. `name` appears in failures.
/// - f8 and all integer types become real, f4 single, b1 logical; either byte order, C and Fortran order;
/// - a 0-d array is 1x1, a 1-d array one column; more than two dimensions are refused;
/// - the header is exactly what numpy.lib.format describes: the three keys, each once; anything else is refused;
/// - an integer that a double cannot hold exactly is refused, and so are complex, half, string and object arrays.
Result<Tensor> read_npy(std::string_view bytes, const std::string& name);

/// The bytes of an .npy file: version 1.0, little-endian, Fortran order, always two dimensions. Sparse tensors are
/// written dense; integer elements as '<i8', logical as '|b1'.
std::string format_npy(const Tensor& a);

}  // namespace lac::runtime
