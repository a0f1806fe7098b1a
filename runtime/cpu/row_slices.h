// The rows of a csr matrix in slices, for products that sum several rows at once: sliced ELL (Monakov, Lokhmotov,
// Avetisyan 2010), whose slices are as wide as their longest row.
//
// This is no storage and no part of a plan: the pool makes it of a matrix by which a run multiplies again and again, as
// kernels are compiled when they have run for a while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/plan/abi.h"
#include "runtime/cpu/launcher.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// A copy of the matrix's columns and values; the numbers of its own rows it leaves to the matrix, which outlives it.
class RowSlices {
 public:
  /// Made by the threads of the launcher. Nothing is made where it would be much larger than the matrix, rows being of
  /// very different lengths, or a large part of the machine's memory, nor in a run whose memory is limited: that is for
  /// what the program needs. `ok`, or why the run is to end.
  static RunCode make(const Tensor& csr, Launcher& launcher, std::optional<RowSlices>& made);

  const abi::Slices& view() const { return view_; }
  std::size_t bytes() const { return memory_.size(); }

 private:
  Memory memory_;
  abi::Slices view_;
};

/// How often a run multiplies by a matrix before slices of it are made. That takes as long as three to five products
/// and saves a quarter to a half of each one to come.
inline constexpr std::int64_t first_products_before_slices = 4;
/// After so many products slices were worth making. A run that drops some before waits twice as long with the next.
inline constexpr std::int64_t products_that_repay = 12;

}  // namespace lac::runtime
