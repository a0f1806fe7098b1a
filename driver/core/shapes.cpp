#include "driver/core/shapes.h"

#include <fmt/format.h>

#include <cmath>

#include "ir/types/extent.h"

namespace lac::driver {

namespace ast = frontend::ast;

namespace {

std::string shape(const runtime::Tensor& a) { return fmt::format("{}x{}", a.rows(), a.cols()); }

/// In double, as the run computes sizes; what is larger than any extent equals none.
std::int64_t combine(ast::BinaryOp op, double a, double b) {
  switch (op) {
    case ast::BinaryOp::add: return size_of_number(a + b);
    case ast::BinaryOp::subtract: return size_of_number(a - b);
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::times: return size_of_number(a * b);
    default: return size_of_number(std::pow(a, b));
  }
}

bool is_arithmetic(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::times:
    case ast::BinaryOp::power:
    case ast::BinaryOp::element_power: return true;
    default: return false;
  }
}

/// Evaluates constants and arithmetic over what `value_of` knows.
template <class Lookup>
std::optional<std::int64_t> evaluate_dimension(const ast::Expr& expression, const Lookup& value_of) {
  const ast::Expr& inner = ast::strip_parens(expression);
  if (const auto* number = std::get_if<ast::Number>(&inner.node)) {
    if (number->value != std::floor(number->value)) return std::nullopt;
    return size_of_number(number->value);
  }
  if (const auto* identifier = std::get_if<ast::Identifier>(&inner.node)) return value_of(identifier->name);
  if (const auto* binary = std::get_if<ast::Binary>(&inner.node)) {
    const auto left = evaluate_dimension(*binary->left, value_of);
    const auto right = evaluate_dimension(*binary->right, value_of);
    if (left && right && is_arithmetic(binary->op))
      return combine(binary->op, static_cast<double>(*left), static_cast<double>(*right));
  }
  return std::nullopt;
}

}  // namespace

std::string shape_reason(const std::string& name, const GivenValue& given) {
  const std::string because = given.origin.empty() ? "" : " because it was " + given.origin;
  return fmt::format("{} is {}{}", name, shape(given.tensor), because);
}

void SizeTable::add_scalar(const frontend::ParameterInfo& parameter, double value) {
  if (value != std::floor(value) || std::abs(value) > 1e15) return;
  known_[parameter.name] = {static_cast<std::int64_t>(value), "the value of param " + parameter.name, parameter.span,
                            ""};
}

std::optional<std::int64_t> SizeTable::evaluate(const ast::Expr& dimension) const {
  return evaluate_dimension(dimension, [this](const std::string& name) -> std::optional<std::int64_t> {
    const auto found = known_.find(name);
    if (found == known_.end()) return std::nullopt;
    return found->second.value;
  });
}

bool SizeTable::check_axis(const frontend::ParameterInfo& parameter, const GivenValue& given,
                           const ast::Expr& dimension, std::int64_t extent, std::string_view axis,
                           Diagnostics& diagnostics) {
  const ast::Expr& inner = ast::strip_parens(dimension);
  const auto* identifier = std::get_if<ast::Identifier>(&inner.node);
  const std::optional<std::int64_t> expected = evaluate(dimension);
  if (!expected) {
    if (identifier) {
      known_[identifier->name] = {extent, fmt::format("the {} of {}", axis, parameter.name), parameter.span,
                                  shape_reason(parameter.name, given)};
    }
    return true;
  }
  if (*expected == extent) return true;
  const auto source = identifier ? known_.find(identifier->name) : known_.end();
  std::string message = fmt::format("{} is {}, but {}{} needs {} {}", parameter.name, shape(given.tensor),
                                    parameter.name, parameter.dims, *expected, axis);
  if (source != known_.end()) message += fmt::format(": {} is {}, {}", source->first, *expected, source->second.reason);
  Diagnostic& error = diagnostics.error(parameter.span, std::move(message));
  error.notes.push_back({{}, shape_reason(parameter.name, given)});
  if (source != known_.end() && source->second.span != parameter.span) {
    const std::string& detail = source->second.detail;
    error.notes.push_back({source->second.span, detail.empty() ? source->first + " comes from here" : detail});
  }
  return false;
}

bool SizeTable::check(const Module& module, const frontend::ParameterInfo& parameter, const GivenValue& given,
                      Diagnostics& diagnostics) {
  const runtime::Tensor& value = given.tensor;
  if (!parameter.is_matrix) {
    if (value.is_scalar()) return true;
    Diagnostic& error = diagnostics.error(
        parameter.span, fmt::format("param {} is a scalar, but its value is {}", parameter.name, shape(value)));
    error.notes.push_back({{}, shape_reason(parameter.name, given)});
    error.notes.push_back({{}, fmt::format("a matrix has its sizes behind its name: param {}(m, n)", parameter.name)});
    return false;
  }
  const std::vector<ast::ExprPtr>* dimensions = dimensions_of(module, parameter.name);
  if (!dimensions) return true;
  if (dimensions->size() == 1 && value.cols() != 1) {  // `param x(n)` is `param x(n, 1)`
    diagnostics
        .error(parameter.span,
               fmt::format("{0} is {1}, but {0}{2} is a column", parameter.name, shape(value), parameter.dims))
        .notes.push_back({{}, shape_reason(parameter.name, given)});
    return false;
  }
  if (dimensions->size() == 1) {
    return check_axis(parameter, given, *(*dimensions)[0], value.rows(), "rows", diagnostics);
  }
  return check_axis(parameter, given, *(*dimensions)[0], value.rows(), "rows", diagnostics) &&
         check_axis(parameter, given, *(*dimensions)[1], value.cols(), "columns", diagnostics);
}

}  // namespace lac::driver
