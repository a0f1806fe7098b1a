#include "runtime/steps/dense/complex_matrix.h"

#include <cmath>

#include "runtime/tensor/convert.h"

namespace lac::runtime {

template <class T>
ComplexMatrix<T>::ComplexMatrix(const Tensor& re, const Tensor& im)
    : ComplexMatrix(static_cast<int>(re.rows()), static_cast<int>(re.cols())) {
  const Tensor a = to_element(to_dense(re), lapack::element_of<T>()),
               b = to_element(to_dense(im), lapack::element_of<T>());
  const T *x = a.values<T>(), *y = b.values<T>();
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = {x[k], y[k]};
}

template <class T>
bool ComplexMatrix<T>::finite() const {
  return std::ranges::all_of(values, [](const Value& z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); });
}

template <class T>
bool ComplexMatrix<T>::hermitian() const {
  if (rows != cols) return false;
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i <= j; ++i)
      if (at(i, j) != std::conj(at(j, i))) return false;
  return true;
}

template <class T>
T ComplexMatrix<T>::norm1() const {
  T largest = 0;
  for (int j = 0; j < cols; ++j) {
    T sum = 0;
    for (int i = 0; i < rows; ++i) sum += std::abs(at(i, j));
    if (sum > largest || std::isnan(sum)) largest = sum;
  }
  return largest;
}

template <class T>
void append_parts(std::vector<Tensor>& results, const ComplexMatrix<T>& a) {
  lapack::Matrix<T> re = lapack::zeros<T>(a.rows, a.cols), im = lapack::zeros<T>(a.rows, a.cols);
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    re.data[k] = a.values[k].real();
    im.data[k] = a.values[k].imag();
  }
  results.push_back(re.tensor);
  results.push_back(im.tensor);
}

template struct ComplexMatrix<float>;
template struct ComplexMatrix<double>;
template void append_parts(std::vector<Tensor>& results, const ComplexMatrix<float>& a);
template void append_parts(std::vector<Tensor>& results, const ComplexMatrix<double>& a);

}  // namespace lac::runtime
