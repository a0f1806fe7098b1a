#include "runtime/library/library.h"

#include <iterator>
#include <new>

#include "ir/types/extent.h"
#include "runtime/library/extents.h"
#include "runtime/library/steps.h"

namespace lac::runtime {
namespace {

constexpr steps::Step table[] = {
#define LAC_LIBRARY(name, fewest, most, results) steps::name,
#include "ir/graph/library.def"
#undef LAC_LIBRARY
};

constexpr int library_count = 0
#define LAC_LIBRARY(name, fewest, most, results) +1
#include "ir/graph/library.def"
#undef LAC_LIBRARY
    ;
static_assert(std::size(table) == library_count);

}  // namespace

steps::Output steps::quietly(Step step, const Input& input) {
  std::vector<LibraryWarning> warnings;
  Output output = step({input.attribute, input.operands, input.results.first(input.results.size() - 1), warnings});
  if (!output) return output;
  output.value().push_back(Tensor::scalar(warnings.empty() ? 0 : 1, input.results.back().element));
  return output;
}

void check_extents(const ResultType& type) {
  if (type.storage == Storage::dense) element_count(type.rows, type.cols);
  else if (!is_sparse_extent(type.rows) || !is_sparse_extent(type.cols)) throw std::bad_alloc();
}

Result<std::vector<Tensor>> run_library(LibraryFn fn, const Attribute& attribute, std::span<const Tensor> operands,
                                        std::span<const ResultType> results, std::vector<LibraryWarning>& warnings) {
  return table[static_cast<int>(fn)]({attribute, operands, results, warnings});
}

}  // namespace lac::runtime
