// Steps that gather, search and count dense values.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ir/support/result.h"
#include "runtime/steps/steps.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {

Output literal(const Input& input) {
  const ResultType& type = input.results[0];
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(element_count(type.rows, type.cols)));
  for (const Tensor& part : input.operands)
    for (std::int64_t k = 0; k < part.count(); ++k) values.push_back(part.stored_value(k));
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

Output accumulate(const Input& input) {
  const Tensor &positions = input.operands[0], &values = input.operands[1];
  const ResultType& type = input.results[0];
  const double filler = input.operands[2].as_scalar();
  enum Kind { sum, prod, min };  // and max
  const int kind = static_cast<int>(input.operands[3].as_scalar());
  const auto cells = static_cast<std::size_t>(element_count(type.rows, type.cols));
  std::vector<double> cell(cells, kind == prod ? 1.0 : 0.0);
  std::vector<char> met(cells, 0);
  for (std::int64_t k = 0; k < positions.count(); ++k) {
    const double position = positions.stored_value(k), value = values.stored_value(values.is_scalar() ? 0 : k);
    if (!(position >= 1 && position <= static_cast<double>(cells))) continue;  // checked before, but may run earlier
    const auto at = static_cast<std::size_t>(position) - 1;
    double& c = cell[at];
    if (kind == sum) c += value;
    else if (kind == prod) c *= value;
    else if (!met[at] || std::isnan(c) || (kind == min ? value < c : value > c)) c = value;
    met[at] = 1;
  }
  for (std::size_t at = 0; at < cells; ++at)
    if (!met[at]) cell[at] = filler;
  return std::vector{Tensor::dense(type.element, type.rows, type.cols, cell)};
}

Output lookup(const Input& input) {
  const Tensor &table = input.operands[0], &y = input.operands[1];
  const ResultType& type = input.results[0];
  Tensor places = Tensor::dense(type.element, type.rows, type.cols);
  std::vector<double> edges(static_cast<std::size_t>(table.count()));
  for (std::size_t k = 0; k < edges.size(); ++k) edges[k] = table.stored_value(static_cast<std::int64_t>(k));
  const bool falling = edges.size() > 1 && edges.back() < edges.front();
  // NaN stands above all numbers.
  const auto above = [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a > b; };
  for (std::int64_t k = 0; k < y.count(); ++k) {
    const auto passed = std::partition_point(edges.begin(), edges.end(), [&, value = y.stored_value(k)](double edge) {
      return falling ? !(edge < value) : !above(edge, value);
    });
    places.set_stored_value(k, static_cast<double>(passed - edges.begin()));
  }
  return std::vector{places};
}

}  // namespace lac::runtime::steps
