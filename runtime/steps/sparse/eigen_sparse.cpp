#include "runtime/steps/sparse/eigen_sparse.h"

#include <algorithm>

#include "runtime/tensor/convert.h"
#include "runtime/tensor/csr_builder.h"

namespace lac::runtime {

EigenColumns to_eigen(const Tensor& a) {
  const CsrView view(a);
  EigenRows rows(static_cast<Eigen::Index>(a.rows()), static_cast<Eigen::Index>(a.cols()));
  rows.reserve(static_cast<Eigen::Index>(view.stored()));
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    rows.startVec(static_cast<Eigen::Index>(i));
    for (std::int32_t k = view.begin(i); k < view.end(i); ++k)
      if (view.value(k) != 0) rows.insertBack(static_cast<Eigen::Index>(i), view.col(k)) = view.value(k);
  }
  rows.finalize();
  return EigenColumns(rows);
}

Tensor from_eigen(const EigenRows& a) {
  CsrBuilder builder(Element::real, a.rows(), a.cols());
  for (Eigen::Index i = 0; i < a.outerSize(); ++i) {
    for (EigenRows::InnerIterator entry(a, i); entry; ++entry) builder.add(entry.col(), entry.value());
    builder.end_row();
  }
  return builder.finish();
}

EigenDense dense_to_eigen(const Tensor& a) {
  const Tensor real = to_element(to_dense(a), Element::real);
  return Eigen::Map<const EigenDense>(real.values<double>(), a.rows(), a.cols());
}

Tensor dense_from_eigen(const EigenDense& a) {
  Tensor result = Tensor::dense(Element::real, a.rows(), a.cols());
  std::copy(a.data(), a.data() + a.size(), result.mutable_values<double>());
  return result;
}

}  // namespace lac::runtime
