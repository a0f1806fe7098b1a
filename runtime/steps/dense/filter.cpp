// Convolution and recursive filters of dense values.
#include <algorithm>
#include <vector>

#include "runtime/steps/steps.h"
#include "runtime/stop.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {
namespace {

/// Coefficients over the leading one of A, padded to `length`.
template <class T>
std::vector<T> coefficients(const Tensor& values, T leading, std::size_t length) {
  std::vector<T> result(length, T(0));
  for (std::int64_t k = 0; k < values.count(); ++k)
    result[static_cast<std::size_t>(k)] = static_cast<T>(values.stored_value(k)) / leading;
  return result;
}

/// One signal of `count` elements through the transposed direct form II:
///   y(n) = s(1) + b(1) x(n);   s(k) = s(k+1) + b(k+1) x(n) - a(k+1) y(n)
/// Without `feedback`, A being one number, the last term is left out: NaN and Inf leave the state after `order` steps.
template <class T, bool feedback>
void run_filter(const std::vector<T>& b, const std::vector<T>& a, const T* x, T* y, std::int64_t count, T* state,
                StopPoll& poll) {
  const std::size_t order = b.size() - 1;
  for (std::int64_t n = 0; n < count; ++n) {
    poll();
    const T in = x[n], out = order == 0 ? b[0] * in : state[0] + b[0] * in;
    const auto fed_back = [&](std::size_t k) { return feedback ? a[k] * out : T(0); };
    for (std::size_t k = 0; k + 1 < order; ++k) state[k] = state[k + 1] - fed_back(k + 1) + b[k + 1] * in;
    if (order > 0) state[order - 1] = b[order] * in - fed_back(order);
    y[n] = out;
  }
}

template <class T>
std::vector<Tensor> filtered(const Input& input, Element element) {
  const Tensor &b = input.operands[0], &a = input.operands[1];
  const Tensor x = to_element(to_dense(input.operands[2]), element);
  const auto length = static_cast<std::size_t>(std::max({a.count(), b.count(), std::int64_t{1}}));
  const T leading = static_cast<T>(a.stored_value(0));
  const std::vector<T> numerator = coefficients(b, leading, length), denominator = coefficients(a, leading, length);
  Tensor y = Tensor::dense(element, x.rows(), x.cols());
  Tensor states = to_element(to_dense(input.operands[3]), element);
  const T* from = x.values<T>();
  T *to = y.mutable_values<T>(), *state = states.mutable_values<T>();
  const auto run = a.count() > 1 ? run_filter<T, true> : run_filter<T, false>;
  StopPoll poll;  // of the step: many short signals count as one long one
  for (std::int64_t j = 0; j < x.cols(); ++j)
    run(numerator, denominator, from + j * x.rows(), to + j * x.rows(), x.rows(), state + j * states.rows(), poll);
  return {to_element(y, input.results[0].element), to_element(states, input.results[1].element)};
}

/// A zero of the kernel adds nothing, whatever it meets: NaN and Inf of `a` stay where they are.
template <class T>
Tensor convolved(const Tensor& a, const Tensor& kernel, Tensor result) {
  const T *x = a.values<T>(), *k = kernel.values<T>();
  T* y = result.mutable_values<T>();
  const std::int64_t rows = result.rows();
  for (std::int64_t ja = 0; ja < a.cols(); ++ja)
    for (std::int64_t jk = 0; jk < kernel.cols(); ++jk)
      for (std::int64_t ik = 0; ik < kernel.rows(); ++ik) {
        const T tap = k[jk * kernel.rows() + ik];
        if (tap == T(0)) continue;
        poll_stop();
        const T* from = x + ja * a.rows();
        T* target = y + (ja + jk) * rows + ik;
        for (std::int64_t ia = 0; ia < a.rows(); ++ia) target[ia] += tap * from[ia];
      }
  return result;
}

Element computing_element(Element element) { return element == Element::single ? Element::single : Element::real; }

}  // namespace

Output filter(const Input& input) {
  if (input.operands[1].empty() || input.operands[1].stored_value(0) == 0)
    return Failure{"error: filter: the first element of A must be nonzero"};
  const Element element = computing_element(input.results[0].element);
  return element == Element::single ? filtered<float>(input, element) : filtered<double>(input, element);
}

Output convolve(const Input& input) {
  const ResultType& type = input.results[0];
  const Element element = computing_element(type.element);
  const Tensor a = to_element(to_dense(input.operands[0]), element),
               b = to_element(to_dense(input.operands[1]), element);
  const Tensor zero = Tensor::dense(element, type.rows, type.cols);
  if (a.empty() || b.empty()) return std::vector{to_element(zero, type.element)};
  const Tensor y = element == Element::single ? convolved<float>(a, b, zero) : convolved<double>(a, b, zero);
  return std::vector{to_element(y, type.element)};
}

}  // namespace lac::runtime::steps
