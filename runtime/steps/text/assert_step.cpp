// What a failed assert (observed, expected, tol) reports.
#include <cmath>

#include "ir/support/mismatch.h"
#include "ir/support/printf.h"
#include "runtime/steps/steps.h"
#include "runtime/steps/text/text_output.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/text/number_text.h"

namespace lac::runtime::steps {
namespace {

std::string shown(const char* format, double value) {
  const Result<std::string> text = format_printf(format, {PrintfArgument::numbers({value})}, "assert");
  return text ? text.value() : std::string();
}

std::string number(double value) {
  const std::vector<std::string> rows = num2str(Tensor::scalar(value, Element::real));
  return rows.empty() ? std::string() : rows[0];
}

struct Comparison {
  const Tensor &observed, &expected, &tolerance;

  std::string location(std::int64_t i, std::int64_t j) const {
    if (observed.count() == 1) return "()";
    if (observed.rows() == 1 || observed.cols() == 1) return "(" + std::to_string(i + j + 1) + ")";
    return "(" + std::to_string(i + 1) + "," + std::to_string(j + 1) + ")";
  }

  // Why the elements do not agree; empty where they do. `pass` 0: NaN, 1: Inf, 2: the others.
  std::string reason(std::int64_t i, std::int64_t j, int pass) const {
    const double a = observed.at(i, j), b = expected.at(i, j);
    const bool any_nan = std::isnan(a) || std::isnan(b), any_inf = !any_nan && (std::isinf(a) || std::isinf(b));
    if (pass == 0) return std::isnan(a) != std::isnan(b) ? "'NaN' mismatch" : "";
    if (pass == 1) return any_inf && a != b ? "'Inf' mismatch" : "";
    if (any_nan || any_inf || tolerance.empty()) return "";
    const double tol = tolerance.count() == 1 ? tolerance.as_scalar() : tolerance.at(i, j);
    const bool relative = tol < 0 && b != 0;
    const double error = relative ? std::abs(a - b) / std::abs(b) : std::abs(a - b), bound = std::abs(tol);
    if (!(error > bound)) return "";
    return std::string(relative ? "Rel" : "Abs") + " err " + shown("%.5g", error) + " exceeds tol " +
           shown("%.5g", bound) + " by " + shown("%.1g", error - bound);
  }

  std::string rows() const {
    std::string text;
    for (int pass = 0; pass < 3; ++pass)
      for (std::int64_t j = 0; j < observed.cols(); ++j)
        for (std::int64_t i = 0; i < observed.rows(); ++i) {
          const std::string why = reason(i, j, pass);
          if (!why.empty())
            text += mismatch_row(location(i, j), number(observed.at(i, j)), number(expected.at(i, j)), why);
        }
    return text;
  }
};

Rows table(const Input& input) {
  if (input.operands[0].as_scalar() != 0) return std::vector<std::string>{""};
  const Comparison comparison{input.operands[2], input.operands[3], input.operands[4]};
  return std::vector{text_of(input.operands[1]) + std::string(mismatch_head) + comparison.rows()};
}

}  // namespace

Output assert_text(const Input& input) { return as_text(table(input), input); }
Output assert_text_length(const Input& input) { return as_length(table(input), input); }

}  // namespace lac::runtime::steps
