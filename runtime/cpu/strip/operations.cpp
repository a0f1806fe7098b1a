#include "runtime/cpu/strip/operations.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "ir/plan/math_functions.h"
#include "ir/support/result.h"
#include "runtime/cpu/strip/extremes.h"
#include "runtime/cpu/strip/vector_call.h"
#include "runtime/cpu/symbols.h"

namespace lac::runtime {
namespace {

template <class T>
constexpr T none = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

// -- functions of one point -------------------------------------------------------------------------------------------

template <class T>
T sign(T x) {
  return std::isnan(x) ? none<T> : x > 0 ? T(1) : x < 0 ? T(-1) : T(0);
}

template <class T>
T missing_or(T result, T x, T y) {
  return !std::isnan(result) ? result : std::isnan(x) ? x : std::isnan(y) ? y : result;
}
template <class T>
T missing_or(T result, T x) {
  return missing_or(result, x, x);
}

template <class T>
T modulo(T x, T y, T (*to_integer)(T)) {
  const T quotient = x / y, nearest = std::round(quotient);
  const bool integral = std::fabs((quotient - nearest) / nearest) < std::numeric_limits<T>::epsilon() && nearest != 0 &&
                        std::round(y) != y;
  const T product = y * to_integer(quotient);
  return integral ? T(0) : x - product;
}
template <class T>
T mod(T x, T y) {
  T rest = std::copysign(modulo<T>(x, y, [](T q) { return std::floor(q); }), y);
  if (x == y) rest = 0;
  const T result = std::isinf(x) || std::isinf(y) ? none<T> : rest;
  return y == 0 ? x : missing_or(result, x, y);
}
template <class T>
T rem(T x, T y) {
  T rest = std::copysign(modulo<T>(x, y, [](T q) { return std::trunc(q); }), x);
  if (x == y) rest = 0;
  const T result = std::isinf(x) || std::isinf(y) ? none<T> : rest;
  return y == 0 ? none<T> : missing_or(result, x, y);
}

template <class T>
T fixed_gamma(T x, T gamma) {
  if (x == 0) return std::copysign(infinity<T>, x);
  if (std::trunc(x) == x && x < 0) return infinity<T>;
  return std::isnan(x) ? none<T> : gamma;
}

// -- strips -----------------------------------------------------------------------------------------------------------

using Bytes = std::uint8_t;

template <class Out, class In, auto f>
void unary(const void*, const void* const* in, void* out, std::int64_t count) {
  const In* x = static_cast<const In*>(in[0]);
  Out* y = static_cast<Out*>(out);
  for (std::int64_t l = 0; l < count; ++l) y[l] = f(x[l]);
}
template <class Out, class In, auto f>
void binary(const void*, const void* const* in, void* out, std::int64_t count) {
  const In *x = static_cast<const In*>(in[0]), *y = static_cast<const In*>(in[1]);
  Out* z = static_cast<Out*>(out);
  for (std::int64_t l = 0; l < count; ++l) z[l] = f(x[l], y[l]);
}
template <class T>
void choose(const void*, const void* const* in, void* out, std::int64_t count) {
  const auto* condition = static_cast<const Bytes*>(in[0]);
  const T *x = static_cast<const T*>(in[1]), *y = static_cast<const T*>(in[2]);
  T* z = static_cast<T*>(out);
  for (std::int64_t l = 0; l < count; ++l) z[l] = condition[l] != 0 ? x[l] : y[l];
}

template <ScalarOp op, class T>
T of_bits(T x, T y) {
  return static_cast<T>(evaluate(op, x, y));
}

template <class T>
StripFunction arithmetic(ScalarOp op) {
  switch (op) {
    case ScalarOp::add: return binary<T, T, [](T x, T y) { return x + y; }>;
    case ScalarOp::sub: return binary<T, T, [](T x, T y) { return x - y; }>;
    case ScalarOp::mul: return binary<T, T, [](T x, T y) { return x * y; }>;
    case ScalarOp::div: return binary<T, T, [](T x, T y) { return x / y; }>;
    case ScalarOp::neg: return unary<T, T, [](T x) { return -x; }>;
    case ScalarOp::abs: return unary<T, T, [](T x) { return std::fabs(x); }>;
    case ScalarOp::sign: return unary<T, T, [](T x) { return sign(x); }>;
    case ScalarOp::min: return binary<T, T, [](T x, T y) { return smaller(x, y); }>;
    case ScalarOp::max: return binary<T, T, [](T x, T y) { return larger(x, y); }>;
    case ScalarOp::mod: return binary<T, T, [](T x, T y) { return mod(x, y); }>;
    case ScalarOp::rem: return binary<T, T, [](T x, T y) { return rem(x, y); }>;
    case ScalarOp::floor: return unary<T, T, [](T x) { return std::floor(x); }>;
    case ScalarOp::ceil: return unary<T, T, [](T x) { return std::ceil(x); }>;
    case ScalarOp::round: return unary<T, T, [](T x) { return std::round(x); }>;
    case ScalarOp::fix: return unary<T, T, [](T x) { return std::trunc(x); }>;
    case ScalarOp::sqrt: return unary<T, T, [](T x) { return std::sqrt(x); }>;
    case ScalarOp::bit_and: return binary<T, T, of_bits<ScalarOp::bit_and, T>>;
    case ScalarOp::bit_or: return binary<T, T, of_bits<ScalarOp::bit_or, T>>;
    case ScalarOp::bit_xor: return binary<T, T, of_bits<ScalarOp::bit_xor, T>>;
    default: return nullptr;
  }
}

template <class T>
StripFunction test(ScalarOp op) {
  switch (op) {
    case ScalarOp::eq: return binary<Bytes, T, [](T x, T y) { return static_cast<Bytes>(x == y); }>;
    case ScalarOp::ne: return binary<Bytes, T, [](T x, T y) { return static_cast<Bytes>(x != y); }>;
    case ScalarOp::lt: return binary<Bytes, T, [](T x, T y) { return static_cast<Bytes>(x < y); }>;
    case ScalarOp::le: return binary<Bytes, T, [](T x, T y) { return static_cast<Bytes>(x <= y); }>;
    case ScalarOp::gt: return binary<Bytes, T, [](T x, T y) { return static_cast<Bytes>(x > y); }>;
    case ScalarOp::ge: return binary<Bytes, T, [](T x, T y) { return static_cast<Bytes>(x >= y); }>;
    case ScalarOp::is_nan: return unary<Bytes, T, [](T x) { return static_cast<Bytes>(x != x); }>;
    case ScalarOp::is_inf: return unary<Bytes, T, [](T x) { return static_cast<Bytes>(std::fabs(x) == infinity<T>); }>;
    case ScalarOp::is_finite:
      return unary<Bytes, T, [](T x) { return static_cast<Bytes>(std::fabs(x) < infinity<T>); }>;
    default: return nullptr;
  }
}

StripFunction logic(ScalarOp op) {
  using B = Bytes;
  switch (op) {
    case ScalarOp::logical_and: return binary<B, B, [](B x, B y) { return static_cast<B>(x & y); }>;
    case ScalarOp::logical_or: return binary<B, B, [](B x, B y) { return static_cast<B>(x | y); }>;
    case ScalarOp::logical_xor: return binary<B, B, [](B x, B y) { return static_cast<B>(x ^ y); }>;
    case ScalarOp::logical_not: return unary<B, B, [](B x) { return static_cast<B>(x ^ 1); }>;
    default: return nullptr;
  }
}

template <class T>
StripFunction power(double exponent) {
  if (exponent == 2.0) return unary<T, T, [](T x) { return x * x; }>;
  if (exponent == -1.0) return unary<T, T, [](T x) { return T(1) / x; }>;
  return nullptr;
}

// -- functions of mathematics -----------------------------------------------------------------------------------------

struct MathRow {
  ScalarOp op;
  double (*of_one)(double);
  double (*of_two)(double, double);
};

using Op = ScalarOp;
constexpr MathRow math_rows[] = {
    {Op::pow, nullptr, std::pow},      {Op::hypot, nullptr, std::hypot},   {Op::atan2, nullptr, std::atan2},
    {Op::cbrt, std::cbrt, nullptr},    {Op::exp, std::exp, nullptr},       {Op::expm1, std::expm1, nullptr},
    {Op::log, std::log, nullptr},      {Op::log1p, std::log1p, nullptr},   {Op::log2, std::log2, nullptr},
    {Op::log10, std::log10, nullptr},  {Op::sin, std::sin, nullptr},       {Op::cos, std::cos, nullptr},
    {Op::tan, std::tan, nullptr},      {Op::asin, std::asin, nullptr},     {Op::acos, std::acos, nullptr},
    {Op::atan, std::atan, nullptr},    {Op::sinh, std::sinh, nullptr},     {Op::cosh, std::cosh, nullptr},
    {Op::tanh, std::tanh, nullptr},    {Op::asinh, std::asinh, nullptr},   {Op::acosh, std::acosh, nullptr},
    {Op::atanh, std::atanh, nullptr},  {Op::erf, std::erf, nullptr},       {Op::erfc, std::erfc, nullptr},
    {Op::gamma, std::tgamma, nullptr}, {Op::lgamma, std::lgamma, nullptr},
};

const MathRow* math_row(ScalarOp op) {
  for (const MathRow& row : math_rows)
    if (row.op == op) return &row;
  return nullptr;
}

// Computed in double and rounded.
template <class T, bool gamma>
void libm_unary(const void* data, const void* const* in, void* out, std::int64_t count) {
  const auto* row = static_cast<const MathRow*>(data);
  const T* x = static_cast<const T*>(in[0]);
  T* y = static_cast<T*>(out);
  for (std::int64_t l = 0; l < count; ++l) {
    const T result = static_cast<T>(row->of_one(static_cast<double>(x[l])));
    y[l] = gamma ? fixed_gamma(x[l], result) : result;
  }
}
template <class T>
void libm_binary(const void* data, const void* const* in, void* out, std::int64_t count) {
  const auto* row = static_cast<const MathRow*>(data);
  const T *x = static_cast<const T*>(in[0]), *y = static_cast<const T*>(in[1]);
  T* z = static_cast<T*>(out);
  for (std::int64_t l = 0; l < count; ++l)
    z[l] = static_cast<T>(row->of_two(static_cast<double>(x[l]), static_cast<double>(y[l])));
}

template <class T, VectorIsa isa, bool gamma>
void sleef_unary(const void* data, const void* const* in, void* out, std::int64_t count) {
  const T* x = static_cast<const T*>(in[0]);
  T* y = static_cast<T*>(out);
  call_vectors(isa, data, x, y, count);
  for (std::int64_t l = 0; l < count; ++l) {
    y[l] = missing_or(y[l], x[l]);
    if (gamma) y[l] = fixed_gamma(x[l], y[l]);
  }
}
template <class T, VectorIsa isa>
void sleef_binary(const void* data, const void* const* in, void* out, std::int64_t count) {
  const T *x = static_cast<const T*>(in[0]), *y = static_cast<const T*>(in[1]);
  T* z = static_cast<T*>(out);
  call_vectors(isa, data, x, y, z, count);
  for (std::int64_t l = 0; l < count; ++l) z[l] = missing_or(z[l], x[l], y[l]);
}

template <class T, VectorIsa isa>
StripFunction sleef_function(const MathRow& row) {
  if (row.of_two != nullptr) return sleef_binary<T, isa>;
  return row.op == ScalarOp::gamma ? sleef_unary<T, isa, true> : sleef_unary<T, isa, false>;
}

template <class T>
Operation math(const MathRow& row, VectorIsa isa, bool vectors) {
  constexpr bool single = sizeof(T) == 4;
  if (!vectors) {
    const StripFunction of_one = row.op == ScalarOp::gamma ? libm_unary<T, true> : libm_unary<T, false>;
    return {row.of_two != nullptr ? libm_binary<T> : of_one, &row};
  }
  const MathFunction& function = *math_function(row.op);
  const std::string name = sleef_name(isa, function.sleef, function.accuracy, single);
  const void* address = find_symbol(name.c_str());
  if (address == nullptr) throw InternalError("no library has the function " + name);
  switch (isa) {
    case VectorIsa::sse2: return {sleef_function<T, VectorIsa::sse2>(row), address};
    case VectorIsa::sse4: return {sleef_function<T, VectorIsa::sse4>(row), address};
    case VectorIsa::avx2: return {sleef_function<T, VectorIsa::avx2>(row), address};
    case VectorIsa::avx512f: break;
  }
  return {sleef_function<T, VectorIsa::avx512f>(row), address};
}

template <class T>
Operation floating(ScalarOp op, VectorIsa isa, bool vectors, std::optional<double> exponent) {
  constexpr Register kind = sizeof(T) == 4 ? Register::single : Register::real;
  if (const StripFunction function = test<T>(op)) return {function, nullptr, kind, kind, Register::truth};
  Operation operation{arithmetic<T>(op)};
  if (operation.function == nullptr && op == ScalarOp::pow && exponent) operation.function = power<T>(*exponent);
  if (operation.function == nullptr)
    if (const MathRow* row = math_row(op)) operation = math<T>(*row, isa, vectors);
  operation.first = operation.others = operation.result = kind;
  return operation;
}

template <class To, class From>
void convert(const void*, const void* const* in, void* out, std::int64_t count) {
  const From* x = static_cast<const From*>(in[0]);
  To* y = static_cast<To*>(out);
  for (std::int64_t l = 0; l < count; ++l) {
    if constexpr (std::is_same_v<To, Bytes>) y[l] = static_cast<Bytes>(x[l] != 0);
    else y[l] = static_cast<To>(x[l]);
  }
}

}  // namespace

Register register_of(Element element) {
  if (element == Element::logical) return Register::truth;
  return element == Element::single ? Register::single : Register::real;
}

std::int64_t byte_size(Register kind) { return kind == Register::truth ? 1 : kind == Register::single ? 4 : 8; }

Operation operation_of(ScalarOp op, Element element, const std::vector<Element>& operands, VectorIsa isa, bool vectors,
                       std::optional<double> exponent) {
  const Register result = register_of(element);
  if (op == ScalarOp::select) {
    const StripFunction function = result == Register::truth    ? choose<Bytes>
                                   : result == Register::single ? choose<float>
                                                                : choose<double>;
    return {function, nullptr, Register::truth, result, result};
  }
  if (const StripFunction function = logic(op))
    return {function, nullptr, Register::truth, Register::truth, Register::truth};
  bool single = op == ScalarOp::mod || op == ScalarOp::rem ? element == Element::single : true;
  if (op != ScalarOp::mod && op != ScalarOp::rem)
    for (const Element operand : operands) single &= operand == Element::single;
  const Operation operation =
      single ? floating<float>(op, isa, vectors, exponent) : floating<double>(op, isa, vectors, exponent);
  if (operation.function == nullptr) throw InternalError("no strip function for " + std::string(name(op)));
  return operation;
}

StripFunction conversion(Register from, Register to) {
  if (from == to) return nullptr;
  switch (from) {
    case Register::real: return to == Register::single ? convert<float, double> : convert<Bytes, double>;
    case Register::single: return to == Register::real ? convert<double, float> : convert<Bytes, float>;
    case Register::truth: break;
  }
  return to == Register::real ? convert<double, Bytes> : convert<float, Bytes>;
}

}  // namespace lac::runtime
