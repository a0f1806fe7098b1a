#include "runtime/cpu/finite.h"

#include <cmath>

namespace lac::runtime {
namespace {

template <class T>
std::string first_not_finite(const T* values, std::int64_t count, const std::string& name) {
  for (std::int64_t k = 0; k < count; ++k)
    if (!std::isfinite(static_cast<double>(values[k])))
      return std::string("error: ") + (std::isnan(static_cast<double>(values[k])) ? "NaN" : "Inf") + " in " +
             (name.empty() ? "a computed value" : name);
  return {};
}

std::string check(const void* values, Element element, std::int64_t count, const std::string& name) {
  if (!is_floating(element)) return {};
  return with_element(
      element, [&](auto tag) { return first_not_finite(static_cast<const decltype(tag)*>(values), count, name); });
}

}  // namespace

std::string not_finite(const Tensor& tensor, const std::string& name) {
  return check(tensor.data(), tensor.element(), tensor.stored(), name);
}

std::string not_finite(const KernelEntry& kernel, const std::uint64_t* slots) {
  for (const KernelResult& result : kernel.results) {
    const std::int64_t count = result.rows.in(slots)*result.cols.in(slots);
    const std::string problem =
        check(reinterpret_cast<const void*>(slots[result.slot]), result.element, count, result.name);
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace lac::runtime
