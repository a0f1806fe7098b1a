// The functions of mathematics that scalar functions are computed by: libm's for single values, SLEEF's for vectors.
#pragma once

#include "ir/scalar/scalar_op.h"

namespace lac {

struct MathFunction {
  ScalarOp op = ScalarOp::exp;
  const char* libm = nullptr;      ///< the double function of libm
  const char* sleef = nullptr;     ///< the stem of SLEEF's name
  const char* accuracy = nullptr;  ///< SLEEF's suffix: u10 is one ulp
};

inline constexpr MathFunction math_functions[] = {
    {ScalarOp::pow, "pow", "pow", "u10"},         {ScalarOp::hypot, "hypot", "hypot", "u05"},
    {ScalarOp::atan2, "atan2", "atan2", "u10"},   {ScalarOp::cbrt, "cbrt", "cbrt", "u10"},
    {ScalarOp::exp, "exp", "exp", "u10"},         {ScalarOp::expm1, "expm1", "expm1", "u10"},
    {ScalarOp::log, "log", "log", "u10"},         {ScalarOp::log1p, "log1p", "log1p", "u10"},
    {ScalarOp::log2, "log2", "log2", "u10"},      {ScalarOp::log10, "log10", "log10", "u10"},
    {ScalarOp::sin, "sin", "sin", "u10"},         {ScalarOp::cos, "cos", "cos", "u10"},
    {ScalarOp::tan, "tan", "tan", "u10"},         {ScalarOp::asin, "asin", "asin", "u10"},
    {ScalarOp::acos, "acos", "acos", "u10"},      {ScalarOp::atan, "atan", "atan", "u10"},
    {ScalarOp::sinh, "sinh", "sinh", "u10"},      {ScalarOp::cosh, "cosh", "cosh", "u10"},
    {ScalarOp::tanh, "tanh", "tanh", "u10"},      {ScalarOp::asinh, "asinh", "asinh", "u10"},
    {ScalarOp::acosh, "acosh", "acosh", "u10"},   {ScalarOp::atanh, "atanh", "atanh", "u10"},
    {ScalarOp::erf, "erf", "erf", "u10"},         {ScalarOp::erfc, "erfc", "erfc", "u15"},
    {ScalarOp::gamma, "tgamma", "tgamma", "u10"}, {ScalarOp::lgamma, "lgamma", "lgamma", "u10"},
};

/// Null for a function that is a few instructions.
constexpr const MathFunction* math_function(ScalarOp op) {
  for (const MathFunction& each : math_functions)
    if (each.op == op) return &each;
  return nullptr;
}

}  // namespace lac
