#include "runtime/text/printf_argument.h"

#include <utility>

#include "runtime/tensor/convert.h"

namespace lac::runtime {

PrintfArgument printf_argument(const Tensor& a) {
  const Tensor dense = to_dense(a);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(dense.count()));
  for (std::int64_t k = 0; k < dense.count(); ++k) values.push_back(dense.stored_value(k));
  return PrintfArgument::numbers(std::move(values));
}

}  // namespace lac::runtime
