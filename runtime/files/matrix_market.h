// Matrix Market exchange files (https://math.nist.gov/MatrixMarket/formats.html).
#pragma once

#include <string>
#include <string_view>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// Reads the text of a Matrix Market file in one pass. `name` appears in failures ("name:line: what is wrong").
/// - coordinate becomes csr, array becomes dense, both with real elements; a `vector` is one column;
/// - fields real, double, integer, unsigned-integer and pattern (every entry is 1); complex is refused;
/// - symmetric and skew-symmetric matrices are expanded: an off-diagonal entry in either triangle stands for both,
///   a diagonal entry (even of a skew-symmetric file) for itself; hermitian is refused;
/// - entries given twice are added; entries that are zero stay in the pattern;
/// - one entry a line; blank lines and lines starting with '%' may stand anywhere after the banner.
/// Refused with its place: a bad banner or size line, an index out of range, a word that is no number, a fraction in an
/// integer field or an integer above 2^53 in size, too few or too many entries, a dimension or entry count above 2^31-1
/// for coordinate files.
Result<Tensor> read_matrix_market(std::string_view text, const std::string& name);

/// Sparse tensors as `coordinate`, dense ones as `array`, symmetry `general`, numbers in the shortest form that reads
/// back equal. Logical and integer elements use the field `integer`.
std::string format_matrix_market(const Tensor& a);

}  // namespace lac::runtime
