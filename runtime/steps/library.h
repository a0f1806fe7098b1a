// Library steps: host algorithms over whole tensors, shared by the interpreter and the CPU runtime.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph/attributes.h"
#include "ir/support/result.h"
#include "runtime/run.h"
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

/// Whether the step may call LAPACK or BLAS, which are loaded by the first call; and loads them ahead, where they are.
bool calls_lapack(LibraryFn fn);
void load_lapack();

/// What the Failure of a step says that would reach a file where none may be.
inline constexpr std::string_view files_refused =
    "this program may not reach files: run it without --sandbox, or with Options::files where a host runs it";

/// Runs one step of a run with these options, of which count: whether files may be reached (the one place where that is
/// decided: a step that would reach one is a Failure that says so). `results` has one entry per result; each returned
/// tensor has that element, storage and shape. Extents found at run time (the count of `find`) come back as integer
/// scalars; buffers keep the stated shape. A Failure is the program's: its message is Octave's, with "error: " in
/// front. Warnings are appended. Throws Stopped where the run of the StopScope is to end: before and after the step,
/// before each call of LAPACK, between the parts of sparse factorisations, and in its loops where they take long.
Result<std::vector<Tensor>> run_library(LibraryFn fn, std::span<const Tensor> operands,
                                        std::span<const ResultType> results, std::vector<LibraryWarning>& warnings,
                                        const RunOptions& options);

}  // namespace lac::runtime
