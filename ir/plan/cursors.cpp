#include "ir/plan/cursors.h"

namespace lac {
namespace {

constexpr std::size_t most_diagonals = 16;  ///< each is code of its own

}  // namespace

bool is_cursor(const Graph& plan, const Op& op) {
  if (op.kind != OpKind::library) return false;
  const LibraryFn step = attribute<LibraryFn>(op);
  if (step != LibraryFn::sparse_element && step != LibraryFn::sparse_row_product) return false;
  const Type &matrix = plan.type(op.operands[0]), &result = plan.type(op.results[0]);
  const bool walked = matrix.storage == Storage::csr || matrix.offsets.size() <= most_diagonals;
  return walked && matrix.is_sparse() && is_floating(matrix.element) && result.is_scalar() &&
         result.element == matrix.element;
}

}  // namespace lac
