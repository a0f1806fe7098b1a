// Eigen's sparse matrices from and to tensors. Eigen (MPL-2.0) is included by the files of this folder alone.
#pragma once

#define EIGEN_MPL2_ONLY
#include <Eigen/SparseCore>

#include "runtime/stop.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

using EigenColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using EigenRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using EigenDense = Eigen::MatrixXd;

/// Stored zeros are left out.
EigenColumns to_eigen(const Tensor& a);
/// csr of doubles, without zeros.
Tensor from_eigen(const EigenRows& a);

/// What the constructor Factor(a) does; before, between the ordering and the numbers, and after, it hears that the run
/// is to end.
template <class Factor>
void factorise(Factor& factor, const EigenColumns& a) {
  poll_stop();
  factor.analyzePattern(a);
  poll_stop();
  factor.factorize(a);
  poll_stop();
}

EigenDense dense_to_eigen(const Tensor& a);
Tensor dense_from_eigen(const EigenDense& a);

}  // namespace lac::runtime
