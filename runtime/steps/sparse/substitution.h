// Systems with a triangular matrix in compressed rows, solved where it lies: preconditioners solve two in every trip.
// Every right side reads all of the matrix: where those have few entries, columns are the better order (SparseSolver).
#pragma once

#include <optional>
#include <utility>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

class Substitution {
 public:
  /// Nothing where A is not in compressed rows, square and triangular, with numbers that are finite, none on the
  /// diagonal zero and one beside it at least. What is stored and zero is not there.
  static std::optional<Substitution> of(const Tensor& a);

  /// x of A x = b for a dense b of doubles with A's rows, forwards for a lower triangle and backwards for an upper one,
  /// the terms of a row from the first unknown to the last one found.
  Tensor solve(const Tensor& b) const;

 private:
  Substitution(Tensor a, bool is_lower) : a_(std::move(a)), is_lower_(is_lower) {}

  Tensor a_;
  bool is_lower_;
};

}  // namespace lac::runtime
