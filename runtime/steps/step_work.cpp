#include "runtime/steps/step_work.h"

namespace lac::runtime {

std::string step_name(OpKind kind, const Attribute& attribute) {
  if (const LibraryFn* function = std::get_if<LibraryFn>(&attribute)) return std::string(name(*function));
  return std::string(info(kind).name);
}

void add_step_work(abi::Work& work, std::span<const Tensor> operands, std::span<const ResultType> results) {
  for (const Tensor& operand : operands) {
    const bool matrix = !operand.is_dense() || (operand.rows() != 1 && operand.cols() != 1);
    if (!operand.is_scalar())
      (matrix ? work.matrix_read : work.vector_read) += static_cast<std::int64_t>(operand.value_bytes());
  }
  for (const ResultType& result : results) {
    const std::int64_t elements = result.rows * result.cols;
    const bool matrix = result.rows != 1 && result.cols != 1;
    if (result.storage == Storage::dense && elements != 1)
      (matrix ? work.matrix_written : work.vector_written) += elements * byte_size(result.element);
  }
}

}  // namespace lac::runtime
