#include "runtime/cpu/row_slices.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac::runtime {
namespace {

constexpr auto lanes = static_cast<std::int64_t>(kernel_lanes);
// With more places for each entry there is nothing to gain: all of them are read.
constexpr std::int64_t most_places = 2;
constexpr std::size_t most_of_machine = 8;  // an eighth of its memory

std::size_t machine_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t whole_lines(std::size_t bytes) {
  return (bytes + Memory::alignment - 1) / Memory::alignment * Memory::alignment;
}

/// Where each slice begins and the last one ends.
std::vector<std::int64_t> starts_of(const Tensor& csr) {
  const std::int32_t* row_pointers = csr.row_pointers();
  std::vector<std::int64_t> starts = {0};
  starts.reserve(static_cast<std::size_t>(csr.rows() / lanes + 2));
  for (std::int64_t first = 0; first < csr.rows(); first += lanes) {
    std::int32_t longest = 0;
    for (std::int64_t row = first; row < std::min(first + lanes, csr.rows()); ++row)
      longest = std::max(longest, row_pointers[row + 1] - row_pointers[row]);
    starts.push_back(starts.back() + longest * lanes);
  }
  return starts;
}

/// The slice that begins with row `first` at place `start`, up to `end`; zeros behind the ends of rows.
template <class Value>
void fill(const Tensor& csr, std::int64_t first, std::int64_t start, std::int64_t end, std::int32_t* columns,
          Value* values) {
  const auto* stored = static_cast<const Value*>(csr.data());
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const std::int64_t row = std::min(first + lane, csr.rows() - 1);
    std::int64_t place = start + lane;
    if (row == first + lane)
      for (std::int64_t entry = csr.row_pointers()[row]; entry < csr.row_pointers()[row + 1]; ++entry, place += lanes) {
        columns[place] = csr.column_indices()[entry];
        values[place] = stored[entry];
      }
    for (; place < end; place += lanes) {
      columns[place] = 0;
      values[place] = 0;
    }
  }
}

abi::Work work_of(std::size_t bytes) {
  abi::Work work;
  work.matrix_written = static_cast<std::int64_t>(bytes);
  return work;
}

}  // namespace

RunCode RowSlices::make(const Tensor& csr, Launcher& launcher, std::optional<RowSlices>& made) {
  if (MemoryBudget::current()) return RunCode::ok;
  RowSlices slices;
  std::vector<std::int64_t> starts;
  std::size_t of_starts = 0, of_columns = 0;
  try {
    starts = starts_of(csr);
    if (starts.back() > most_places * csr.stored()) return RunCode::ok;
    const auto places = static_cast<std::size_t>(starts.back());
    of_starts = whole_lines(starts.size() * sizeof starts[0]);
    of_columns = whole_lines(places * sizeof(std::int32_t));
    const std::size_t bytes = of_starts + of_columns + places * static_cast<std::size_t>(byte_size(csr.element()));
    if (bytes > machine_bytes() / most_of_machine) return RunCode::ok;
    slices.memory_ = Memory::for_writing(bytes);
  } catch (const std::bad_alloc&) {
    return RunCode::ok;
  }
  auto* memory = static_cast<std::byte*>(slices.memory_.writable());
  std::memcpy(memory, starts.data(), starts.size() * sizeof starts[0]);
  auto* columns = reinterpret_cast<std::int32_t*>(memory + of_starts);
  std::byte* values = memory + of_starts + of_columns;
  slices.view_ = {reinterpret_cast<const std::int64_t*>(memory), columns, values};

  const auto fill_some = [&](std::int64_t from, std::int64_t to) {
    with_element(csr.element(), [&]<class Value>(Value) {
      for (std::int64_t slice = from; slice < to; ++slice)
        fill(csr, slice * lanes, slices.view_.starts[slice], slices.view_.starts[slice + 1], columns,
             reinterpret_cast<Value*>(values));
    });
  };
  const auto count = static_cast<std::int64_t>(starts.size()) - 1;
  const RunCode heard = launcher.run(fill_some, {0, count}, work_of(slices.bytes()));
  if (heard == RunCode::ok) made = std::move(slices);
  return heard;
}

}  // namespace lac::runtime
