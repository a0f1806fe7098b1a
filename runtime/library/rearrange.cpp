// Steps that gather, search and order dense values.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ir/support/result.h"
#include "runtime/library/steps.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {

Output literal(const Input& input) {
  const ResultType& type = input.results[0];
  std::vector<double> values;
  for (const Tensor& element : input.operands) values.push_back(element.as_scalar());
  return std::vector{Tensor::dense(type.element, type.rows, type.cols, values)};
}

Output find(const Input& input) {
  const Tensor x = to_dense(input.operands[0]);
  const ResultType& type = input.results[0];
  Tensor places = Tensor::dense(type.element, type.rows, type.cols);
  std::int64_t count = 0;
  with_element(x.element(), [&](auto tag) {
    const auto* values = x.values<decltype(tag)>();
    for (std::int64_t k = 0; k < x.count(); ++k)
      if (values[k] != 0) places.set_stored_value(count++, static_cast<double>(k + 1));
  });
  return std::vector{places, Tensor::scalar(static_cast<double>(count), input.results[1].element)};
}

Output sort(const Input& input) {
  const Tensor x = to_dense(input.operands[0]);
  Tensor sorted = Tensor::dense(input.results[0].element, x.rows(), x.cols());
  Tensor places = Tensor::dense(input.results[1].element, x.rows(), x.cols());
  const std::int64_t length = x.rows() == 1 ? x.cols() : x.rows();
  const auto before = [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; };
  std::vector<std::int64_t> order(static_cast<std::size_t>(length));
  for (std::int64_t first = 0; first < x.count(); first += length) {
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return before(x.stored_value(a), x.stored_value(b)); });
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t from = order[static_cast<std::size_t>(k)];
      sorted.set_stored_value(first + k, x.stored_value(from));
      places.set_stored_value(first + k, static_cast<double>(from - first + 1));
    }
  }
  return std::vector{sorted, places};
}

}  // namespace lac::runtime::steps
