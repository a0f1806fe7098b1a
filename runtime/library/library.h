// Library steps: host algorithms over whole tensors, shared by the interpreter and the CPU runtime.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/graph/attributes.h"
#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// The type of a result with its sizes evaluated.
struct ResultType {
  Element element = Element::real;
  Storage storage = Storage::dense;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> offsets = {};  ///< of diagonal storage, ascending
};

struct LibraryWarning {
  std::string id;       ///< "Octave:singular-matrix"
  std::string message;  ///< "warning: matrix singular to machine precision"
};

/// Runs one step. `results` has one entry per result; each returned tensor has that element, storage and shape. Extents
/// found at run time (the count of `find`) come back as integer scalars; buffers keep the stated shape. A Failure is
/// the program's: its message is Octave's, with "error: " in front. Warnings are appended.
Result<std::vector<Tensor>> run_library(LibraryFn fn, const Attribute& attribute, std::span<const Tensor> operands,
                                        std::span<const ResultType> results, std::vector<LibraryWarning>& warnings);

}  // namespace lac::runtime
