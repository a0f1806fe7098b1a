#include "runtime/tensor/csr_builder.h"

#include <algorithm>

#include "runtime/tensor/convert.h"

namespace lac::runtime {

Tensor CsrBuilder::finish() const {
  Tensor result = Tensor::csr(Element::real, rows_, cols_, static_cast<std::int64_t>(columns_.size()));
  std::copy(pointers_.begin(), pointers_.end(), result.mutable_row_pointers());
  std::copy(columns_.begin(), columns_.end(), result.mutable_column_indices());
  std::copy(values_.begin(), values_.end(), result.mutable_values<double>());
  return to_element(result, element_);
}

CsrView::CsrView(const Tensor& csr)
    : real_(to_element(to_csr(csr), byte_size(csr.element()) == 8 ? csr.element() : Element::real)),
      pointers_(real_.row_pointers()),
      columns_(real_.column_indices()),
      values_(real_.values<double>()) {}

}  // namespace lac::runtime
