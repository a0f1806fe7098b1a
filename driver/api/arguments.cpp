#include <algorithm>
#include <string_view>

#include "driver/api/access.h"
#include "driver/core/host_run.h"
#include "ir/types/extent.h"

namespace lac::api {

namespace {

using runtime::Tensor;

/// What makes borrowed CSR arrays unusable, or nothing.
std::string malformed_csr(std::int64_t rows, std::int64_t cols, std::int64_t nonzeros, const std::int32_t* row_pointers,
                          const std::int32_t* column_indices, const void* values) {
  if (rows < 0 || cols < 0 || nonzeros < 0) return "a size is negative";
  if (!is_sparse_extent(rows) || !is_sparse_extent(cols) || !is_sparse_extent(nonzeros))
    return "a sparse matrix has at most 2147483647 rows, columns and entries";
  if (row_pointers == nullptr) return "row_pointers is null";
  if (nonzeros > 0 && column_indices == nullptr) return "column_indices is null";
  if (nonzeros > 0 && values == nullptr) return "values is null";
  if (row_pointers[0] != 0 || row_pointers[rows] != nonzeros) return "row_pointers must run from 0 to nonzeros";
  for (std::int64_t i = 0; i < rows; ++i) {
    if (row_pointers[i + 1] < row_pointers[i] || row_pointers[i + 1] > nonzeros) return "row_pointers must not descend";
    for (std::int32_t k = row_pointers[i]; k < row_pointers[i + 1]; ++k) {
      if (column_indices[k] < 0 || column_indices[k] >= cols) return "a column index is out of range";
      if (k > row_pointers[i] && column_indices[k] <= column_indices[k - 1]) {
        return "columns must ascend and be distinct in each row";
      }
    }
  }
  return {};
}

void put(std::vector<ArgumentEntry>& entries, ArgumentEntry entry) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const ArgumentEntry& other) { return other.name == entry.name; });
  if (found == entries.end()) {
    entries.push_back(std::move(entry));
  } else {
    *found = std::move(entry);
  }
}

ArgumentEntry dense_entry(std::string name, Element element, const void* values, std::int64_t rows, std::int64_t cols) {
  ArgumentEntry entry{std::move(name), ArgumentEntry::Kind::tensor, {}, {}};
  if (rows < 0 || cols < 0) {
    entry.kind = ArgumentEntry::Kind::malformed;
    entry.text = "a size is negative";
  } else if (!checked_count(rows, cols)) {
    entry.kind = ArgumentEntry::Kind::malformed;
    entry.text = "a matrix has fewer than 2^53 rows, columns and elements";
  } else if (values == nullptr && rows != 0 && cols != 0) {
    entry.kind = ArgumentEntry::Kind::malformed;
    entry.text = "values is null";
  } else {
    entry.tensor = Tensor::borrow_dense(static_cast<lac::Element>(element), rows, cols, values);
  }
  return entry;
}

ArgumentEntry csr_entry(std::string name, Element element, std::int64_t rows, std::int64_t cols, std::int64_t nonzeros,
                        const std::int32_t* row_pointers, const std::int32_t* column_indices, const void* values) {
  ArgumentEntry entry{std::move(name), ArgumentEntry::Kind::tensor, {}, {}};
  entry.text = malformed_csr(rows, cols, nonzeros, row_pointers, column_indices, values);
  if (!entry.text.empty()) {
    entry.kind = ArgumentEntry::Kind::malformed;
  } else {
    entry.tensor = Tensor::borrow_csr(static_cast<lac::Element>(element), rows, cols, nonzeros, row_pointers,
                                      column_indices, values);
  }
  return entry;
}

lac::Result<driver::GivenValue> read_entry(const ArgumentEntry& entry, driver::HostRun& run) {
  switch (entry.kind) {
    case ArgumentEntry::Kind::tensor: return driver::GivenValue{entry.tensor, "given by the host"};
    case ArgumentEntry::Kind::text: return driver::value_of_text(entry.name, entry.text, run);
    case ArgumentEntry::Kind::file: return driver::value_of_file(entry.text);
    case ArgumentEntry::Kind::malformed: break;
  }
  return Failure{entry.name + ": " + entry.text};
}

std::string without_error(const std::string& message) {
  constexpr std::string_view prefix = "error: ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

}  // namespace

Arguments::Arguments() : impl_(std::make_unique<Impl>()) {}
Arguments::Arguments(const Arguments& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Arguments::Arguments(Arguments&& other) noexcept : impl_(std::exchange(other.impl_, std::make_unique<Impl>())) {}
Arguments& Arguments::operator=(const Arguments& other) {
  *impl_ = *other.impl_;
  return *this;
}
Arguments& Arguments::operator=(Arguments&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
Arguments::~Arguments() = default;

Arguments& Arguments::matrix(std::string name, const double* values, std::int64_t rows, std::int64_t cols) {
  put(impl_->entries, dense_entry(std::move(name), Element::real, values, rows, cols));
  return *this;
}

Arguments& Arguments::matrix(std::string name, const float* values, std::int64_t rows, std::int64_t cols) {
  put(impl_->entries, dense_entry(std::move(name), Element::single, values, rows, cols));
  return *this;
}

Arguments& Arguments::csr(std::string name, std::int64_t rows, std::int64_t cols, std::int64_t nonzeros,
                          const std::int32_t* row_pointers, const std::int32_t* column_indices, const double* values) {
  put(impl_->entries,
      csr_entry(std::move(name), Element::real, rows, cols, nonzeros, row_pointers, column_indices, values));
  return *this;
}

Arguments& Arguments::csr(std::string name, std::int64_t rows, std::int64_t cols, std::int64_t nonzeros,
                          const std::int32_t* row_pointers, const std::int32_t* column_indices, const float* values) {
  put(impl_->entries,
      csr_entry(std::move(name), Element::single, rows, cols, nonzeros, row_pointers, column_indices, values));
  return *this;
}

Arguments& Arguments::scalar(std::string name, double value) {
  put(impl_->entries, {std::move(name), ArgumentEntry::Kind::tensor, {}, Tensor::scalar(value)});
  return *this;
}

Arguments& Arguments::text(std::string name, std::string value) {
  put(impl_->entries, {std::move(name), ArgumentEntry::Kind::text, std::move(value), {}});
  return *this;
}

Arguments& Arguments::file(std::string name, std::string path) {
  put(impl_->entries, {std::move(name), ArgumentEntry::Kind::file, std::move(path), {}});
  return *this;
}

// What ends the run ends the reading: all that is missing then is missing for that reason.
std::vector<driver::GivenArgument> ArgumentsAccess::read(const Arguments& arguments, driver::HostRun& run) {
  std::vector<driver::GivenArgument> result;
  runtime::RunStatus status;
  for (const ArgumentEntry& entry : arguments.impl_->entries) {
    lac::Result<driver::GivenValue> value = Failure{};
    const auto read = [&] { value = read_entry(entry, run); };
    if (!run.was_ended()) status = run.prepare(read, driver::HostRun::Memory::free);
    if (!status.ok()) value = Failure{entry.name + ": " + without_error(status.message)};
    result.push_back({entry.name, std::move(value)});
  }
  return result;
}

}  // namespace lac::api
