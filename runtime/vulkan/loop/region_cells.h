// The matrices of a loop on the device. Trips are recorded before it is known whether they run, and the results of the
// last that ran must still be there: so within the loop buffers circulate among its own trips alone. What a recorded
// trip wrote is overwritten only by later trips, which do not run if that one was the last.
#pragma once

#include <memory>
#include <vector>

#include "runtime/vulkan/machine/values.h"

namespace lac::runtime::vulkan {

/// While it lives, matrices that are made come from here: a matrix whose last name goes serves the next one of its
/// element and size, the latest first, so that a loop's buffers return to the same order after a few trips. What is
/// made here is pinned; matrices with contents from the host serve nobody else until their chunk was polled.
class Cells : public MatrixKeeper {
 public:
  explicit Cells(Matrices& matrices);
  ~Cells() override;
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;

  /// A name for a dense matrix from before the loop that the loop consumes.
  MatrixRef adopt(MatrixRef matrix);
  /// The matrix itself for one of its names: it keeps the contents' place without keeping it from being used again.
  MatrixRef owner(const MatrixRef& name) const;
  /// The free matrices serve in the order in which they were made.
  void sort_free();
  /// Of matrices with contents from the host: those recorded so far, for the chunk that they were recorded in.
  std::vector<MatrixRef> take_held();
  /// What lives on behaves as any other matrix from now on.
  void close();

  MatrixRef reuse(const ResultType& type, Form form) override;
  MatrixRef keep(MatrixRef made) override;
  void held(const MatrixRef& matrix) override;

 private:
  struct Shelf {
    std::vector<Matrix*> free;
    bool open = true;
  };

  MatrixRef name(const MatrixRef& owner) const;

  Matrices& matrices_;
  std::vector<MatrixRef> owners_;
  std::vector<MatrixRef> held_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace lac::runtime::vulkan
