#include "runtime/cpu/row_slices.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "ir/kernel/kernel.h"
#include "runtime/run.h"

namespace lac::runtime {
namespace {

/// Rows of these lengths; entry e of row i is in column (i + 2*e) mod 64, with the value 100*i + e.
Tensor rows_of(const std::vector<int>& lengths) {
  std::int64_t stored = 0;
  for (const int length : lengths) stored += length;
  Tensor matrix = Tensor::csr(Element::single, static_cast<std::int64_t>(lengths.size()), 64, stored);
  std::int32_t entry = 0;
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    for (int e = 0; e < lengths[row]; ++e, ++entry) {
      matrix.mutable_column_indices()[entry] = static_cast<std::int32_t>((row + 2 * static_cast<std::size_t>(e)) % 64);
      matrix.set_stored_value(entry, static_cast<double>(100 * row) + e);
    }
    matrix.mutable_row_pointers()[row + 1] = entry;
  }
  return matrix;
}

class Slicer {
 public:
  std::optional<RowSlices> of(const Tensor& matrix) {
    std::optional<RowSlices> made;
    REQUIRE(RowSlices::make(matrix, launcher_, made) == RunCode::ok);
    return made;
  }

 private:
  RunOptions options_;
  Launcher launcher_{options_};
};

/// Where entry `e` of the row is.
std::int64_t place(const abi::Slices& slices, std::size_t row, int e) {
  return slices.starts[row / kernel_lanes] + e * static_cast<std::int64_t>(kernel_lanes) +
         static_cast<std::int64_t>(row % kernel_lanes);
}

std::vector<int> uneven(std::size_t rows) {
  std::vector<int> lengths;
  for (std::size_t row = 0; row < rows; ++row) lengths.push_back(static_cast<int>(3 + row % 4));
  return lengths;
}

TEST_CASE("slices have every entry of a row in its lane") {
  for (const std::size_t rows : {1, 15, 16, 17, 50, 50'000}) {  // the last by several threads
    const std::vector<int> lengths = uneven(rows);
    const Tensor matrix = rows_of(lengths);
    const std::optional<RowSlices> made = Slicer().of(matrix);
    if (rows == 1) {
      CHECK(!made);  // 16 places for each entry
      continue;
    }
    REQUIRE(made);
    const abi::Slices& slices = made->view();
    std::int64_t different = 0;
    for (std::size_t row = 0; row < rows; ++row)
      for (int e = 0; e < lengths[row]; ++e) {
        const std::int64_t at = place(slices, row, e);
        const std::int64_t entry = matrix.row_pointers()[row] + e;
        different += slices.columns[at] != matrix.column_indices()[entry] ||
                     static_cast<const float*>(slices.values)[at] != matrix.values<float>()[entry];
      }
    CHECK(different == 0);
  }
}

TEST_CASE("no slices are made where they would be much larger than the matrix, or memory is limited") {
  Slicer slicer;
  std::vector<int> lengths(64, 2);
  lengths[20] = 60;
  CHECK(!slicer.of(rows_of(lengths)));
  CHECK(!slicer.of(rows_of(std::vector<int>(3, 5))));
  CHECK(slicer.of(rows_of(std::vector<int>(64, 2))));
  const MemoryBudget::Scope limited(std::make_shared<MemoryBudget>(std::int64_t{1} << 40));
  CHECK(!slicer.of(rows_of(std::vector<int>(64, 2))));
}

TEST_CASE("a run that is to end makes no slices, and why is told") {
  const std::atomic<bool> interrupt = true;
  RunOptions options;
  options.threads = 1;
  options.interrupt = &interrupt;
  Launcher launcher(options);
  std::optional<RowSlices> made;
  const Tensor large = rows_of(std::vector<int>(4'000'000, 5));  // 160 MB: smaller ones are made between two looks
  CHECK(RowSlices::make(large, launcher, made) == RunCode::interrupted);
  CHECK(!made);
}

TEST_CASE("slices of a matrix without entries have none") {
  Slicer slicer;
  const std::optional<RowSlices> made = slicer.of(rows_of(std::vector<int>(40, 0)));
  REQUIRE(made);
  CHECK(made->view().starts[3] == 0);
}

}  // namespace
}  // namespace lac::runtime
