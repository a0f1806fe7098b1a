#include "runtime/steps/library.h"

#include <fmt/format.h>

#include <exception>
#include <iterator>
#include <new>
#include <string>

#include "ir/types/extent.h"
#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/extents.h"
#include "runtime/steps/steps.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/stop.h"

namespace lac::runtime {
namespace {

constexpr steps::Step table[] = {
#define LAC_LIBRARY(name, fewest, most, results, code, voice) steps::name,
#include "ir/graph/library.def"
#undef LAC_LIBRARY
};

constexpr int library_count = 0
#define LAC_LIBRARY(name, fewest, most, results, code, voice) +1
#include "ir/graph/library.def"
#undef LAC_LIBRARY
    ;
static_assert(std::size(table) == library_count);

/// What a step that reaches a file by its name is called in programs; empty for all others.
std::string call_with_file(LibraryFn fn, std::span<const Tensor> operands) {
  switch (fn) {
    case LibraryFn::read_size:
    case LibraryFn::read_matrix: return "read";
    case LibraryFn::write_matrix: return "write";
    case LibraryFn::write_picture: return "imwrite";
    case LibraryFn::file_open: return "fopen";
    case LibraryFn::file_text:
    case LibraryFn::file_text_length: return "fileread";
    case LibraryFn::file_table:
    case LibraryFn::file_table_size: return "dlmread";
    case LibraryFn::file_kind: return "exist";
    case LibraryFn::file_temporary:
    case LibraryFn::file_temporary_length: return "tempname";
    case LibraryFn::file_remove:
    case LibraryFn::file_folder: return text_of(operands[1]);
    case LibraryFn::file_rename: return "rename";
    case LibraryFn::data_save: return "save";
    case LibraryFn::data_open: return "load";
    default: return {};
  }
}

}  // namespace

bool calls_lapack(LibraryFn fn) {
  enum class Code : bool { own, lapack };
  static constexpr Code code_of[] = {
#define LAC_LIBRARY(name, fewest, most, results, code, voice) Code::code,
#include "ir/graph/library.def"
#undef LAC_LIBRARY
  };
  return code_of[static_cast<int>(fn)] == Code::lapack;
}

void load_lapack() {
  try {
    const lapack::Call loads_them;
  } catch (const std::exception&) {  // the step that needs them says what is missing
  }
}

steps::Output steps::quietly(Step step, const Input& input) {
  std::vector<LibraryWarning> warnings;
  Output output = step({input.operands, input.results.first(input.results.size() - 1), warnings});
  if (!output) return output;
  output.value().push_back(Tensor::scalar(warnings.empty() ? 0 : 1, input.results.back().element));
  return output;
}

void check_extents(const ResultType& type) {
  if (type.storage == Storage::dense) element_count(type.rows, type.cols);
  else if (!is_sparse_extent(type.rows) || !is_sparse_extent(type.cols)) throw std::bad_alloc();
}

Result<std::vector<Tensor>> run_library(LibraryFn fn, std::span<const Tensor> operands,
                                        std::span<const ResultType> results, std::vector<LibraryWarning>& warnings,
                                        const RunOptions& options) {
  if (const std::string call = call_with_file(fn, operands); !call.empty() && !options.files)
    return Failure{fmt::format("error: {}: {}", call, files_refused)};
  poll_stop();
  steps::Output output = table[static_cast<int>(fn)]({operands, results, warnings, &options});
  poll_stop();
  return output;
}

}  // namespace lac::runtime
