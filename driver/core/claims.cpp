#include "driver/core/claims.h"

#include <fmt/format.h>

#include "runtime/tensor/convert.h"
#include "runtime/tensor/structure.h"

namespace lac::driver {

namespace {

using runtime::Tensor;

/// Files whose two halves were computed apart differ by a few units in the last place: that is not a false claim.
constexpr double rounding = 1e-14;

std::string shape(const Tensor& a) { return fmt::format("{}x{}", a.rows(), a.cols()); }

std::optional<std::string> asymmetry(const std::string& name, const Tensor& a) {
  if (a.rows() != a.cols()) return fmt::format("{} is {}, not square", name, shape(a));
  const auto found = runtime::find_asymmetry(a, rounding);
  if (!found) return std::nullopt;
  if (found->row == found->col) return fmt::format("{0}({1},{1}) is NaN", name, found->row + 1);
  return fmt::format("{0}({1},{2}) is {3} and {0}({2},{1}) is {4}", name, found->row + 1, found->col + 1, found->value,
                     found->transposed);
}

std::optional<std::string> nonpositive_diagonal(const std::string& name, const Tensor& a) {
  const auto row = runtime::find_nonpositive_diagonal(a);
  if (!row) return std::nullopt;
  return fmt::format("{0}({1},{1}) is {2:g}, not positive", name, *row + 1, a.at(*row, *row));
}

/// The first non-zero entry on the wrong side of the diagonal, row by row.
std::optional<std::string> outside_triangle(const std::string& name, const Tensor& a, bool lower) {
  const runtime::Bandwidth band = runtime::bandwidth(a);
  if ((lower ? band.upper : band.lower) == 0) return std::nullopt;
  for (const runtime::Triplet& entry : runtime::to_triplets(a)) {
    const bool outside = lower ? entry.col > entry.row : entry.row > entry.col;
    if (outside && entry.value != 0) {
      return fmt::format("{}({},{}) is {:g}, not zero", name, entry.row + 1, entry.col + 1, entry.value);
    }
  }
  return std::nullopt;
}

std::optional<std::string> disproof(Property property, const std::string& name, const Tensor& a) {
  switch (property) {
    case Property::symmetric: return asymmetry(name, a);
    case Property::spd:
      if (auto reason = asymmetry(name, a)) return reason;
      return nonpositive_diagonal(name, a);
    case Property::lower: return outside_triangle(name, a, true);
    case Property::upper: return outside_triangle(name, a, false);
    case Property::orthogonal: return std::nullopt;  // costs a product
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> disproved_claim(const frontend::ParameterInfo& parameter, const runtime::Tensor& value) {
  for (const PropertyName& entry : property_names()) {
    // `symmetric` follows from `spd`: only what was written is reported.
    if (entry.property == Property::symmetric && parameter.claims.has(Property::spd)) continue;
    if (!parameter.claims.has(entry.property)) continue;
    if (auto reason = disproof(entry.property, parameter.name, value)) {
      return fmt::format("{} is claimed {}, but {}", parameter.name, entry.name, *reason);
    }
  }
  return std::nullopt;
}

}  // namespace lac::driver
