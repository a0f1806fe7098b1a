// The singular value decomposition, for the steps that need one.
#pragma once

#include <vector>

#include "runtime/steps/dense/lapack.h"

namespace lac::runtime {

/// A = U * diag(values) * V', values descending.
template <class T>
struct SingularValues {
  lapack::Matrix<T> u;
  std::vector<T> values;  ///< min(rows, cols) of them
  lapack::Matrix<T> vt;   ///< V transposed
  bool converged;
};

enum class SvdForm : std::uint8_t { values_only, economical, complete };

/// By xGESVD, which Octave uses too: so the signs of the vectors agree. Any shape; elements must be finite.
template <class T>
SingularValues<T> decompose(lapack::Matrix<T> a, SvdForm form);

extern template SingularValues<float> decompose(lapack::Matrix<float> a, SvdForm form);
extern template SingularValues<double> decompose(lapack::Matrix<double> a, SvdForm form);

}  // namespace lac::runtime
