#include <algorithm>
#include <set>

#include "runtime/stop.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"

namespace lac::runtime {
namespace {

template <class T>
Tensor kron_dense(const Tensor& a, const Tensor& b) {
  Tensor result = Tensor::dense(a.element(), a.rows() * b.rows(), a.cols() * b.cols());
  T* to = result.mutable_values<T>();
  for (std::int64_t ja = 0; ja < a.cols(); ++ja)
    for (std::int64_t jb = 0; jb < b.cols(); ++jb, poll_stop())
      for (std::int64_t ia = 0; ia < a.rows(); ++ia)
        for (std::int64_t ib = 0; ib < b.rows(); ++ib)
          *to++ = static_cast<T>(a.values<T>()[ja * a.rows() + ia] * b.values<T>()[jb * b.rows() + ib]);
  return result;
}

template <class T>
Tensor kron_csr(const Tensor& a, const Tensor& b) {
  Tensor result = Tensor::csr(a.element(), a.rows() * b.rows(), a.cols() * b.cols(), a.stored() * b.stored());
  std::int32_t* pointers = result.mutable_row_pointers();
  std::int32_t* columns = result.mutable_column_indices();
  T* values = result.mutable_values<T>();
  std::int32_t next = 0;
  StopPoll poll;
  for (std::int64_t ia = 0; ia < a.rows(); ++ia)
    for (std::int64_t ib = 0; ib < b.rows(); ++ib) {
      poll();
      for (std::int32_t k = a.row_pointers()[ia]; k < a.row_pointers()[ia + 1]; ++k)
        for (std::int32_t l = b.row_pointers()[ib]; l < b.row_pointers()[ib + 1]; ++l) {
          columns[next] = static_cast<std::int32_t>(a.column_indices()[k] * b.cols() + b.column_indices()[l]);
          values[next++] = static_cast<T>(a.values<T>()[k] * b.values<T>()[l]);
        }
      pointers[ia * b.rows() + ib + 1] = next;
    }
  return result;
}

// With B square (n x n), A(ia, ia+p) * B(ib, ib+q) lies on diagonal p*n + q. Two pairs (p, q) may share a diagonal;
// they never share a row of it.
template <class T>
Tensor kron_diagonal(const Tensor& a, const Tensor& b) {
  const std::int64_t n = b.rows();
  std::set<std::int64_t> offsets;
  for (const std::int64_t p : a.offsets())
    for (const std::int64_t q : b.offsets()) offsets.insert(p * n + q);
  Tensor result = Tensor::diagonal(a.element(), a.rows() * n, a.cols() * n, {offsets.begin(), offsets.end()});
  T* to = result.mutable_values<T>();
  for (std::size_t x = 0; x < a.offsets().size(); ++x)
    for (std::size_t y = 0; y < b.offsets().size(); ++y) {
      const std::int64_t p = a.offsets()[x], q = b.offsets()[y];
      T* diagonal = to + std::distance(offsets.begin(), offsets.find(p * n + q)) * result.rows();
      const T* a_values = a.values<T>() + static_cast<std::int64_t>(x) * a.rows();
      const T* b_values = b.values<T>() + static_cast<std::int64_t>(y) * n;
      const std::int64_t ia_begin = std::max<std::int64_t>(0, -p), ia_end = std::min(a.rows(), a.cols() - p);
      const std::int64_t ib_begin = std::max<std::int64_t>(0, -q), ib_end = std::min(n, n - q);
      for (std::int64_t ia = ia_begin; ia < ia_end; ++ia)
        for (std::int64_t ib = ib_begin; ib < ib_end; ++ib)
          diagonal[ia * n + ib] = static_cast<T>(a_values[ia] * b_values[ib]);
    }
  return result;
}

}  // namespace

Tensor kron(const Tensor& a, const Tensor& b) {
  const Element element = arithmetic_join(a.element(), b.element());
  const Tensor x = to_element(a, element);
  const Tensor y = to_element(b, element);
  return with_element(element, [&](auto tag) {
    using T = decltype(tag);
    if (a.is_dense() && b.is_dense()) return kron_dense<T>(x, y);
    if (a.storage() == Storage::diagonal && b.storage() == Storage::diagonal && b.rows() == b.cols())
      return kron_diagonal<T>(x, y);
    return kron_csr<T>(to_csr(x), to_csr(y));
  });
}

}  // namespace lac::runtime
