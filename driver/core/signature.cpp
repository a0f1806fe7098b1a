#include "driver/core/signature.h"

#include <algorithm>
#include <cmath>

#include "ir/types/extent.h"
#include "runtime/tensor/convert.h"

namespace lac::driver {

namespace {

using Kind = frontend::ParameterSignature::Kind;

/// Sizes of at least 2 are symbols.
std::int64_t size_class(std::int64_t size) { return std::min<std::int64_t>(size, 2); }

constexpr auto largest_exact_integer = static_cast<double>(largest_extent);

bool is_exact_integer(double value) {
  return std::floor(value) == value && std::abs(value) <= largest_exact_integer && !(value == 0 && std::signbit(value));
}

frontend::ParameterSignature scalar_signature(const runtime::Tensor& value) {
  frontend::ParameterSignature result;
  const double number = value.as_scalar();
  if (value.element() == Element::logical) {
    result.kind = Kind::logical_scalar;
  } else if (!is_exact_integer(number)) {
    result.kind = Kind::real_scalar;
  } else if (number >= 2) {
    result.kind = Kind::integer_symbol;
  } else {
    result.kind = Kind::integer_constant;
    result.value = static_cast<std::int64_t>(number);
  }
  return result;
}

std::string describe(const frontend::ParameterSignature& signature) {
  switch (signature.kind) {
    case Kind::unbound: return "default";
    case Kind::integer_symbol: return "integer >= 2";
    case Kind::integer_constant: return std::to_string(signature.value);
    case Kind::real_scalar: return "real";
    case Kind::logical_scalar: return "logical";
    case Kind::matrix: break;
  }
  const auto extent = [](std::int64_t size) { return size >= 2 ? std::string("n") : std::to_string(size); };
  return std::string(signature.logical ? "logical " : "") + std::string(name(signature.storage)) + " " +
         extent(signature.rows) + "x" + extent(signature.cols);
}

}  // namespace

runtime::Tensor choose_storage(const frontend::ParameterInfo& parameter, runtime::Tensor value, bool detect) {
  const bool sparse = value.storage() != Storage::dense || parameter.claims_sparse;
  if (!sparse || value.rows() < 2 || value.cols() < 2) return runtime::to_dense(value);
  const runtime::Tensor csr = runtime::to_csr(value);
  return detect ? runtime::detect_storage(csr) : csr;
}

frontend::ParameterSignature signature_of(const frontend::ParameterInfo& parameter, const runtime::Tensor& value) {
  if (!parameter.is_matrix) return scalar_signature(value);
  frontend::ParameterSignature result;
  result.kind = Kind::matrix;
  result.logical = value.element() == Element::logical;
  result.storage = value.storage();
  result.rows = size_class(value.rows());
  result.cols = size_class(value.cols());
  result.offsets = value.offsets();
  return result;
}

frontend::ParameterSignature assumed_signature(const frontend::ParameterInfo& parameter, std::int64_t rows,
                                               std::int64_t cols) {
  frontend::ParameterSignature result;
  if (!parameter.is_matrix) {
    result.kind = Kind::real_scalar;
    return result;
  }
  result.kind = Kind::matrix;
  result.rows = size_class(rows);
  result.cols = size_class(cols);
  result.storage = parameter.claims_sparse && result.rows == 2 && result.cols == 2 ? Storage::csr : Storage::dense;
  return result;
}

namespace {

bool serves(const frontend::ParameterSignature& compiled, const frontend::ParameterSignature& given,
            Element precision) {
  if (compiled == given) return true;
  const bool integer = given.kind == Kind::integer_symbol || given.kind == Kind::integer_constant;
  if (integer) return compiled.kind == Kind::real_scalar && precision == Element::real;
  if (given.kind != Kind::matrix || given.storage != Storage::diagonal) return false;
  frontend::ParameterSignature as_csr = given;
  as_csr.storage = Storage::csr;
  as_csr.offsets.clear();
  return compiled == as_csr;
}

}  // namespace

bool serves(const std::vector<frontend::ParameterSignature>& compiled,
            const std::vector<frontend::ParameterSignature>& given, Element precision) {
  return std::equal(compiled.begin(), compiled.end(), given.begin(), given.end(),
                    [&](const auto& one, const auto& other) { return serves(one, other, precision); });
}

std::string describe(const frontend::Interface& interface, const std::vector<frontend::ParameterSignature>& signature) {
  std::string text;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (i > 0) text += ", ";
    text += interface.parameters[i].name + ": " + describe(signature[i]);
  }
  return text.empty() ? "no parameters" : text;
}

std::vector<std::size_t> differing(const std::vector<frontend::ParameterSignature>& a,
                                   const std::vector<frontend::ParameterSignature>& b) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    if (!(a[k] == b[k])) found.push_back(k);
  return found;
}

Diagnostic specialisation_remark(const frontend::Interface& interface,
                                 const std::vector<frontend::ParameterSignature>& before,
                                 const std::vector<frontend::ParameterSignature>& now) {
  Diagnostic remark;
  remark.severity = Severity::remark;
  remark.message = "compiled again for another kind of data:";
  for (const std::size_t k : differing(before, now)) {
    if (!remark.span.valid()) remark.span = interface.parameters[k].span;
    else remark.message += ";";
    remark.message += " " + interface.parameters[k].name + " is " + describe(now[k]) + " here, and was " +
                      describe(before[k]) + (now[k].offsets != before[k].offsets ? ", with other diagonals" : "");
  }
  return remark;
}

}  // namespace lac::driver
