#include "runtime/tensor/sparse_map.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "ir/support/result.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/csr_builder.h"

namespace lac::runtime {
namespace {

/// The stored values of `a` replaced by f of them, zeros left alone; csr drops what becomes zero.
template <class F>
Tensor replace_stored(const Tensor& a, Element element, F&& f) {
  if (a.storage() == Storage::diagonal) {
    Tensor result = a.like(element);
    with_element(a.element(), [&](auto from) {
      with_element(element, [&](auto to) {
        const auto* values = a.values<decltype(from)>();
        auto* results = result.mutable_values<decltype(to)>();
        for (std::int64_t k = 0; k < a.stored(); ++k)
          if (values[k] != 0) results[k] = static_cast<decltype(to)>(f(static_cast<double>(values[k])));
      });
    });
    return result;
  }
  const CsrView view(a);
  CsrBuilder builder(element, a.rows(), a.cols());
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    for (std::int32_t k = view.begin(i); k < view.end(i); ++k)
      if (view.value(k) != 0) builder.add(view.col(k), f(view.value(k)));
    builder.end_row();
  }
  return builder.finish();
}

/// One operand of a function that is evaluated row by row.
class Rows {
 public:
  explicit Rows(const Tensor& a) : tensor_(a), row_(static_cast<std::size_t>(a.cols()), 0.0) {
    if (!a.is_dense()) view_.emplace(a);
  }

  bool sparse() const { return view_.has_value(); }
  const CsrView& view() const { return *view_; }
  /// Makes row i available.
  void open(std::int64_t i) {
    current_ = i;
    if (!view_) return;
    for (std::int32_t k = view_->begin(i); k < view_->end(i); ++k)
      row_[static_cast<std::size_t>(view_->col(k))] = view_->value(k);
  }
  void close() {
    if (!view_) return;
    for (std::int32_t k = view_->begin(current_); k < view_->end(current_); ++k)
      row_[static_cast<std::size_t>(view_->col(k))] = 0;
  }
  double at(std::int64_t j) const {
    return view_ ? row_[static_cast<std::size_t>(j)] : tensor_.stored_value(j * tensor_.rows() + current_);
  }

 private:
  const Tensor& tensor_;
  std::vector<double> row_;
  std::optional<CsrView> view_;
  std::int64_t current_ = 0;
};

/// Where a function of two matrices has to be evaluated.
enum class Pattern : std::uint8_t { everywhere, either, common, product };

void columns_of(const CsrView& view, std::int64_t i, std::vector<std::int32_t>& columns) {
  for (std::int32_t k = view.begin(i); k < view.end(i); ++k) columns.push_back(view.col(k));
}

/// The columns of row i at which the function may differ from zero, ascending.
void pattern_of_row(Pattern pattern, const Rows& a, const Rows& b, std::int64_t i, std::int64_t cols,
                    std::vector<std::int32_t>& columns) {
  columns.clear();
  if (pattern == Pattern::common) {
    for (std::int32_t k = a.view().begin(i); k < a.view().end(i); ++k)
      if (b.at(a.view().col(k)) != 0) columns.push_back(a.view().col(k));
    return;
  }
  for (const Rows* operand : {&a, &b})
    if (operand->sparse()) columns_of(operand->view(), i, columns);
  if (pattern == Pattern::product) {  // zero times Inf or NaN is NaN
    const Rows& full = a.sparse() ? b : a;
    for (std::int64_t j = 0; j < cols; ++j)
      if (!std::isfinite(full.at(j))) columns.push_back(static_cast<std::int32_t>(j));
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

Tensor map_matrices(ScalarOp op, Element element, const Tensor& a, const Tensor& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) throw InternalError("sparse_map of shapes that differ");
  Rows x(a), y(b);
  const bool both = x.sparse() && y.sparse(), is_product = op == ScalarOp::mul;
  const Pattern pattern = both && is_product                               ? Pattern::common
                          : is_product                                     ? Pattern::product
                          : both && evaluate_as(element, op, 0, 0, 0) == 0 ? Pattern::either
                                                                           : Pattern::everywhere;
  CsrBuilder builder(element, a.rows(), a.cols());
  std::vector<std::int32_t> columns;
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    x.open(i);
    y.open(i);
    const auto add = [&](std::int64_t j) {
      const bool no_base = op == ScalarOp::pow && x.at(j) == 0;
      builder.add(j, no_base ? 1 : evaluate_as(element, op, x.at(j), y.at(j)));
    };
    if (pattern == Pattern::everywhere) {
      for (std::int64_t j = 0; j < a.cols(); ++j) add(j);
    } else {
      pattern_of_row(pattern, x, y, i, a.cols(), columns);
      for (const std::int32_t j : columns) add(j);
    }
    x.close();
    y.close();
    builder.end_row();
  }
  return builder.finish();
}

/// f(x) at every element of A.
template <class F>
Tensor map_everywhere(const Tensor& a, Element element, F&& f) {
  Rows x(a);
  CsrBuilder builder(element, a.rows(), a.cols());
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    x.open(i);
    for (std::int64_t j = 0; j < a.cols(); ++j) builder.add(j, f(x.at(j)));
    x.close();
    builder.end_row();
  }
  return builder.finish();
}

template <class F>
Tensor map_one(const Tensor& a, Element element, bool stored_only, F&& f) {
  return !a.is_dense() && (stored_only || f(0.0) == 0) ? replace_stored(a, element, f) : map_everywhere(a, element, f);
}

}  // namespace

Tensor map_sparse(ScalarOp op, Element element, const Tensor& a) {
  return map_one(a, element, false, [&](double x) { return evaluate_as(element, op, x); });
}

Tensor map_sparse(ScalarOp op, Element element, const Tensor& a, const Tensor& b) {
  const bool left_scalar = a.is_scalar() && !b.is_scalar(), right_scalar = b.is_scalar() && !left_scalar;
  if (right_scalar) {
    const double s = b.as_scalar();
    const bool stored_only = op == ScalarOp::mul || op == ScalarOp::div;
    return map_one(a, element, stored_only, [&](double x) { return evaluate_as(element, op, x, s); });
  }
  if (left_scalar) {
    const double s = a.as_scalar();
    return map_one(b, element, op == ScalarOp::mul, [&](double x) { return evaluate_as(element, op, s, x); });
  }
  return map_matrices(op, element, a, b);
}

}  // namespace lac::runtime
