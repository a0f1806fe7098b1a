#include <algorithm>

#include "driver/api/access.h"
#include "driver/core/report.h"
#include "runtime/files/files.h"
#include "runtime/tensor/convert.h"
#include "runtime/text/display.h"
#include "runtime/text/summary.h"

namespace lac::api {

static_assert(static_cast<int>(Element::real) == static_cast<int>(lac::Element::real));
static_assert(static_cast<int>(Element::single) == static_cast<int>(lac::Element::single));
static_assert(static_cast<int>(Storage::diagonal) == static_cast<int>(lac::Storage::diagonal));

Matrix MatrixAccess::make(std::string name, runtime::Tensor tensor) {
  return Matrix(std::make_shared<const Matrix::Impl>(Matrix::Impl{std::move(name), std::move(tensor)}));
}

const std::string& Matrix::name() const { return impl_->name; }
std::int64_t Matrix::rows() const { return impl_->tensor.rows(); }
std::int64_t Matrix::cols() const { return impl_->tensor.cols(); }
Element Matrix::element() const { return static_cast<Element>(impl_->tensor.element()); }
Storage Matrix::storage() const { return static_cast<Storage>(impl_->tensor.storage()); }
const void* Matrix::data() const { return impl_->tensor.data(); }
std::int64_t Matrix::stored() const { return impl_->tensor.stored(); }

template <>
const double* Matrix::values<double>() const {
  const bool fits = element() == Element::real || element() == Element::integer;
  return fits ? static_cast<const double*>(data()) : nullptr;
}

template <>
const float* Matrix::values<float>() const {
  return element() == Element::single ? static_cast<const float*>(data()) : nullptr;
}

template <>
const std::uint8_t* Matrix::values<std::uint8_t>() const {
  return element() == Element::logical ? static_cast<const std::uint8_t*>(data()) : nullptr;
}

const std::int32_t* Matrix::row_pointers() const {
  return storage() == Storage::csr ? impl_->tensor.row_pointers() : nullptr;
}

const std::int32_t* Matrix::column_indices() const {
  return storage() == Storage::csr ? impl_->tensor.column_indices() : nullptr;
}

const std::vector<std::int64_t>& Matrix::offsets() const { return impl_->tensor.offsets(); }

double Matrix::at(std::int64_t row, std::int64_t col) const { return impl_->tensor.at(row, col); }

std::vector<double> Matrix::to_vector() const {
  const runtime::Tensor dense = runtime::to_element(runtime::to_dense(impl_->tensor), lac::Element::real);
  const auto* first = dense.values<double>();
  return std::vector<double>(first, first + dense.count());
}

std::string Matrix::display() const { return runtime::display(impl_->name, impl_->tensor); }
std::string Matrix::summary() const {
  if (runtime::prints_whole(impl_->tensor)) return display();
  return runtime::summary(impl_->name, impl_->tensor);
}

std::optional<std::string> Matrix::file_content(std::string_view extension) const {
  const auto format = runtime::format_of_path("x" + std::string(extension));
  if (!format) return std::nullopt;
  return runtime::format_tensor(format.value(), impl_->tensor);
}

std::optional<Diagnostic> Matrix::write(const std::string& path) const {
  const auto written = runtime::write_tensor(path, impl_->tensor);
  if (written) return std::nullopt;
  return driver::plain_error(written.failure().message);
}

}  // namespace lac::api
