// The scalar functions in shaders: each runs on a device over many arguments and is compared with evaluate. The bounds
// here are those of docs/numerics.md.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>

#include "codegen/glsl/scalar/scalar_math.h"
#include "codegen/glsl/spirv/spirv.h"
#include "codegen/glsl/text/literal.h"
#include "runtime/vulkan/device/float_controls.h"
#include "runtime/vulkan/stream/launch.h"
#include "tests/unit/device_kernels.h"

using namespace lac;
using namespace lac::test;
using runtime::Tensor;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Ordinary arguments: uniform in [low, high], besides the edges and arguments of all magnitudes.
struct Range {
  double low, high;
};

/// Largest errors in units in the last place: of a single result against evaluate, of a real one against evaluate,
/// which is itself within one (gamma: a few). `absolute`: where the function passes through zero.
struct Bound {
  ScalarOp op;
  Range single_range, real_range;
  double single, real;
  double absolute = 0;  ///< in units in the last place of 1
};

constexpr Range wide = {-1e6, 1e6}, small = {-5, 5}, unit = {-1, 1};

constexpr Bound bounds[] = {
    {ScalarOp::add, small, small, 0.5, 0},
    {ScalarOp::sub, small, small, 0.5, 0},
    {ScalarOp::mul, small, small, 0.5, 0},
    {ScalarOp::div, small, small, 2.5, 0},
    {ScalarOp::neg, small, small, 0, 0},
    {ScalarOp::abs, small, small, 0, 0},
    {ScalarOp::sign, small, small, 0, 0},
    {ScalarOp::min, small, small, 0, 0},
    {ScalarOp::max, small, small, 0, 0},
    {ScalarOp::mod, {-100, 100}, {-100, 100}, 0.5, 0},
    {ScalarOp::rem, {-100, 100}, {-100, 100}, 0.5, 0},
    {ScalarOp::floor, small, small, 0, 0},
    {ScalarOp::ceil, small, small, 0, 0},
    {ScalarOp::round, small, small, 0, 0},
    {ScalarOp::fix, small, small, 0, 0},
    {ScalarOp::pow, {0, 20}, {0, 200}, 2, 3},
    {ScalarOp::hypot, small, small, 1, 1.5},
    {ScalarOp::atan2, small, small, 2, 3},
    {ScalarOp::sqrt, {0, 100}, {0, 100}, 2.5, 0},
    {ScalarOp::cbrt, small, small, 1, 4},
    {ScalarOp::exp, {-90, 90}, {-710, 710}, 2, 2},
    {ScalarOp::expm1, {-20, 90}, {-40, 710}, 2, 2},
    {ScalarOp::log, {0, 3}, {0, 3}, 2, 2},
    {ScalarOp::log1p, {-1, 3}, {-1, 3}, 2, 2},
    {ScalarOp::log2, {0, 3}, {0, 3}, 2, 2},
    {ScalarOp::log10, {0, 3}, {0, 3}, 2, 3},
    {ScalarOp::sin, wide, wide, 2, 2},
    {ScalarOp::cos, wide, wide, 2, 2},
    {ScalarOp::tan, wide, wide, 4, 4},
    {ScalarOp::asin, unit, unit, 2, 2},
    {ScalarOp::acos, unit, unit, 2, 2},
    {ScalarOp::atan, small, small, 2, 2},
    {ScalarOp::sinh, {-89, 89}, {-710, 710}, 3, 4},
    {ScalarOp::cosh, {-89, 89}, {-710, 710}, 2, 3},
    {ScalarOp::tanh, small, small, 3, 4},
    {ScalarOp::asinh, small, small, 3, 4},
    {ScalarOp::acosh, {1, 5}, {1, 5}, 3, 4},
    {ScalarOp::atanh, unit, unit, 3, 4},
    {ScalarOp::erf, small, small, 2, 3},
    {ScalarOp::erfc, {-4, 9}, {-6, 26}, 5, 6},
    {ScalarOp::gamma, {-10, 34}, {-20, 171}, 8, 12},
    {ScalarOp::lgamma, {-10, 40}, {-20, 200}, 5, 6, 16},
    {ScalarOp::eq, small, small, 0, 0},
    {ScalarOp::ne, small, small, 0, 0},
    {ScalarOp::lt, small, small, 0, 0},
    {ScalarOp::le, small, small, 0, 0},
    {ScalarOp::gt, small, small, 0, 0},
    {ScalarOp::ge, small, small, 0, 0},
    {ScalarOp::logical_and, small, small, 0, 0},
    {ScalarOp::logical_or, small, small, 0, 0},
    {ScalarOp::logical_xor, small, small, 0, 0},
    {ScalarOp::logical_not, small, small, 0, 0},
    {ScalarOp::bit_and, {-3, 16000000}, {-3, 16000000}, 0, 0},
    {ScalarOp::bit_or, {-3, 16000000}, {-3, 16000000}, 1, 0},
    {ScalarOp::bit_xor, {-3, 16000000}, {-3, 16000000}, 1, 0},
    {ScalarOp::is_nan, small, small, 0, 0},
    {ScalarOp::is_inf, small, small, 0, 0},
    {ScalarOp::is_finite, small, small, 0, 0},
    {ScalarOp::select, small, small, 0, 0},
};
static_assert(std::size(bounds) == scalar_op_count);

const std::vector<double> edges = {
    0.0,      -0.0,      1,    -1,        0.5,  -0.5, 1.5,      -1.5,         2,     -2,        2.5,       -2.5, 3,
    -7,       10,        1e5,  -1e5,      0.1,  -0.3, infinity, not_a_number, 0.75,  1e-20,     -1e-20,    1e20, -1e20,
    8388609., 8388607.5, 1e-6, -infinity, 0.25, 100,  -100,     1000,         -1000, 16777216., 0.49999997};

/// The arguments of a test, one vector per operand.
std::vector<std::vector<double>> arguments(const Bound& bound, Element element, int arity) {
  const Range range = element == Element::single ? bound.single_range : bound.real_range;
  std::vector<std::vector<double>> columns(3);
  std::mt19937_64 generator(7);
  const bool remainder = bound.op == ScalarOp::mod || bound.op == ScalarOp::rem;
  const auto add = [&](double a, double b, double c) {
    if (remainder && std::isfinite(a) && std::fabs(a) > 1e8 * std::fabs(b) && b != 0) return;  // evaluate is inexact
    const double row[] = {a, b, c};
    for (int n = 0; n < 3; ++n) columns[n].push_back(round_to(element, row[n]));
  };
  for (double a : edges)
    for (double b : edges) {
      add(a, b, -3);
      if (arity == 1) break;
    }
  std::uniform_real_distribution<> uniform(range.low, range.high);
  for (int n = 0; n < 20000; ++n) add(uniform(generator), uniform(generator), uniform(generator));
  if (bound.op != ScalarOp::mod &&
      bound.op != ScalarOp::rem)  // quotients of any size: evaluate itself loses all digits
    for (int n = 0; n < 5000; ++n) {
      const auto any = [&] {
        return std::ldexp(uniform(generator) < (range.low + range.high) / 2 ? 1.37 : -1.61,
                          static_cast<int>(generator() % 160) - 80);
      };
      const double a = any(), b = any();
      add(a, b, 1);
    }
  columns.resize(static_cast<std::size_t>(arity));
  return columns;
}

std::string kernel_text(ScalarOp op, Element element) {
  const int arity = info(op).arity;
  const std::string in = element == Element::single ? "f32" : "f64";
  const Element result = info(op).result == ScalarResult::truth ? Element::logical : element;
  std::string text = "kernel k0 \"" + std::string(name(op)) + "\" domain [n x 1] flat block 64 lanes 16 {\n  in ";
  for (int n = 0; n < arity; ++n) text += (n ? ", x" : "x") + std::to_string(n) + ": " + in + "[n x 1]";
  text += "\n  out y: " + std::string(lac::name(result)) + "[n x 1]\n";
  for (int n = 0; n < arity; ++n) text += "  $" + std::to_string(n) + " = load x" + std::to_string(n) + "[i]\n";
  text += "  $" + std::to_string(arity) + " = " + std::string(name(op)) + " $0";
  for (int n = 1; n < arity; ++n) text += ", $" + std::to_string(n);
  return text + "\n  store y[i] = $" + std::to_string(arity) + "\n}\n";
}

double smallest_normal(Element element) {
  return element == Element::single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
}

/// One unit in the last place of `value` as this element, and of nothing below the smallest normal number.
double ulp(double value, Element element) {
  const double size = std::max(std::fabs(value), smallest_normal(element));
  int exponent = 0;
  std::frexp(size, &exponent);
  return std::ldexp(1.0, exponent - (element == Element::single ? 24 : 53));
}

/// `actual` beside the exact `wanted`; results that are denormal may be zero, results next to overflow may be Inf.
double error_in_ulps(double actual, double wanted, Element element) {
  const double rounded = round_to(element, wanted);
  if (std::isnan(rounded) || std::isnan(actual)) return std::isnan(rounded) == std::isnan(actual) ? 0 : infinity;
  if (actual == 0 && rounded == 0 && std::signbit(actual) != std::signbit(rounded)) return infinity;
  if (actual == rounded) return std::isinf(rounded) ? 0 : std::fabs(actual - wanted) / ulp(wanted, element);
  const double largest =
      element == Element::single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  if (std::isinf(actual) || std::isinf(rounded)) return std::fabs(wanted) >= largest * (1 - 1e-6) ? 0 : infinity;
  if (std::fabs(wanted) < smallest_normal(element) && std::fabs(actual) <= smallest_normal(element)) return 0;
  return std::fabs(actual - wanted) / ulp(wanted, element);
}

struct Worst {
  double ulps = 0;
  std::size_t row = 0;
};

/// Where quotients and roots are the driver's, whatever is asked for (docs/numerics.md).
bool is_left_to_driver(double number) {
  const double size = std::fabs(number);
  return std::isfinite(size) && size != 0 && (size > 1e25 || size < 1e-25);
}

Worst worst_of(const Bound& bound, Element element, const std::vector<std::vector<double>>& columns,
               const Tensor& actual, bool rounds_quotients) {
  Worst worst;
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    double x[3] = {};
    for (std::size_t n = 0; n < columns.size(); ++n) x[n] = columns[n][row];
    const double wanted = evaluate(bound.op, x[0], x[1], x[2]);
    const double got = actual.stored_value(static_cast<std::int64_t>(row));
    double ulps = error_in_ulps(got, wanted, element);
    if (std::fabs(got - wanted) <= bound.absolute * ulp(1, element)) ulps = 0;
    const bool is_drivers = is_left_to_driver(wanted) || std::ranges::any_of(x, is_left_to_driver);
    if (rounds_quotients && is_drivers && ulps <= 2.5) ulps = 0;
    if (ulps > worst.ulps) worst = {ulps, row};
  }
  return worst;
}

void check(runtime::vulkan::Device& device, const Bound& bound, Element element,
           const codegen::glsl::GlslOptions& options = {}) {
  const Graph graph = graph_of_kernel(kernel_text(bound.op, element));
  const KernelShaders shaders = compile_kernel(graph, options);
  CHECK(shaders.stages[0].float64 == (element == Element::real));
  const std::vector<std::vector<double>> columns = arguments(bound, element, info(bound.op).arity);
  const auto count = static_cast<std::int64_t>(columns[0].size());
  std::vector<Tensor> inputs;
  for (const std::vector<double>& column : columns) inputs.push_back(Tensor::dense(element, count, 1, column));
  const auto size_of = [&](const Size& size) { return size.evaluate([&](SymbolId) { return count; }); };
  const Kernel& kernel = graph.kernels[KernelId{0}];
  const std::vector<Tensor> outputs = run_kernel(device, kernel, shaders, inputs, size_of);
  const Worst worst = worst_of(bound, element, columns, outputs[0], options.rounds_quotients);
  const double allowed = element == Element::single ? bound.single : bound.real;
  if (std::getenv("LAC_SHOW_ULPS") != nullptr)
    std::cout << lac::name(bound.op) << " " << lac::name(element) << " " << worst.ulps << " of " << allowed << "\n";
  std::string place;
  for (const std::vector<double>& column : columns)
    place += codegen::glsl::literal_text(column[worst.row], Element::real) + " ";
  INFO(lac::name(bound.op) << " in " << lac::name(element) << " at " << place << ": "
                           << outputs[0].stored_value(static_cast<std::int64_t>(worst.row)));
  CHECK(worst.ulps <= allowed);
}

}  // namespace

TEST_CASE("scalar functions in shaders are as accurate as docs/numerics says") {
  const auto device = test_device();
  if (!device) return;
  for (const Bound& bound : bounds)
    for (const Element element : {Element::single, Element::real}) check(*device, bound, element);
}

TEST_CASE("quotients and roots of singles are rounded once where that is asked for") {
  const auto device = test_device();
  if (!device) return;
  codegen::glsl::GlslOptions options;
  options.rounds_quotients = true;
  for (Bound bound : bounds) {
    if (bound.op != ScalarOp::div && bound.op != ScalarOp::sqrt) continue;
    bound.single = 0.5;
    check(*device, bound, Element::single, options);
  }
  codegen::glsl::FunctionSet functions;
  const codegen::glsl::TypedText x = {"x", Element::single}, y = {"y", Element::real};
  CHECK(codegen::glsl::apply_text(ScalarOp::div, Element::single, {x, x}, options, functions) ==
        "lac_quotient_f32(x, x)");
  CHECK(codegen::glsl::apply_text(ScalarOp::div, Element::real, {y, y}, options, functions) == "(y / y)");
}

namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The shader with divisions and roots that are off by `ulps`, as a driver's may be, on this kernel's operands.
Tensor with_bad_driver(runtime::vulkan::Device& device, ScalarOp op, int ulps, const std::vector<Tensor>& inputs) {
  codegen::glsl::GlslOptions options;
  options.rounds_quotients = true;
  const Graph graph = graph_of_kernel(kernel_text(op, Element::single));
  KernelShaders shaders = compile_kernel(graph, options);
  ShaderStage& stage = shaders.stages[0];
  int found = 0;
  for (const std::string exact : {"a / b;", "(1.0 / b);", "1.0 / b;", "sqrt(x);", "0.5 / guess;"}) {
    found += stage.glsl.find(" " + exact) != std::string::npos ? 1 : 0;
    const std::string value = exact.substr(0, exact.size() - 1);
    replace_all(stage.glsl, " " + exact,
                " uintBitsToFloat(uint(int(floatBitsToUint(" + value + ")) + (" + std::to_string(ulps) + ")));");
  }
  CHECK(found == 2);
  stage.source = {};
  REQUIRE(codegen::glsl::compile_stage(stage, options).ok());
  const std::int64_t count = inputs[0].rows();
  const auto size_of = [&](const Size& size) { return size.evaluate([&](SymbolId) { return count; }); };
  return run_kernel(device, graph.kernels[KernelId{0}], shaders, inputs, size_of)[0];
}

}  // namespace

TEST_CASE("they are so with a driver that is off by some ulps") {
  const auto device = test_device();
  if (!device) return;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> exponent(-20, 20), mantissa(1, 2);
  std::vector<double> a, b;
  for (int k = 0; k < 20000; ++k) {
    a.push_back(std::ldexp(mantissa(random), static_cast<int>(exponent(random))));
    b.push_back(std::ldexp(mantissa(random), static_cast<int>(exponent(random))) * (k % 2 == 0 ? 1 : -1));
  }
  const auto count = static_cast<std::int64_t>(a.size());
  const Tensor left = Tensor::dense(Element::single, count, 1, a), right = Tensor::dense(Element::single, count, 1, b);
  for (const int ulps : {-3, -1, 1, 2, 3}) {
    INFO(ulps << " ulps");
    const Tensor quotients = with_bad_driver(*device, ScalarOp::div, ulps, {left, right});
    const Tensor roots = with_bad_driver(*device, ScalarOp::sqrt, ulps, {left});
    int wrong_quotients = 0, wrong_roots = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const auto x = static_cast<float>(a[static_cast<std::size_t>(k)]),
                 y = static_cast<float>(b[static_cast<std::size_t>(k)]);
      wrong_quotients += quotients.stored_value(k) != static_cast<double>(x / y) ? 1 : 0;
      wrong_roots += roots.stored_value(k) != static_cast<double>(std::sqrt(x)) ? 1 : 0;
    }
    CHECK(wrong_quotients == 0);
    CHECK(wrong_roots == 0);
  }
}

TEST_CASE("literals read back as they were written") {
  using namespace codegen::glsl;
  CHECK(literal_text(1.5, Element::single) == "1.5");
  CHECK(literal_text(-2, Element::real) == "(-2.0lf)");
  CHECK(literal_text(1, Element::logical) == "true");
  CHECK(literal_text(not_a_number, Element::single) == "uintBitsToFloat(0x7fc00000u)");
  CHECK(literal_text(-0.0, Element::real) == "packDouble2x32(uvec2(0x0u, 0x80000000u))");
  for (double value : {0.1, -1e300, 3.0, 1e-300, 123456789.0})
    CHECK(literal_value(literal_text(value, Element::real)) == value);
  CHECK(!literal_value("x"));
  CHECK(!literal_value("inf"));
}

TEST_CASE("operands that a float holds exactly stay in float") {
  using namespace codegen::glsl;
  FunctionSet functions;
  const TypedText x = {"x", Element::single}, two = {"2.0lf", Element::integer}, tenth = {"0.1lf", Element::real},
                  n = {"n", Element::integer}, flag = {"flag", Element::logical};
  CHECK(apply_text(ScalarOp::mul, Element::single, {two, x}, {}, functions) == "(2.0 * x)");
  CHECK(apply_text(ScalarOp::add, Element::single, {x, flag}, {}, functions) == "(x + float(flag))");
  CHECK(apply_text(ScalarOp::mul, Element::single, {tenth, x}, {}, functions) == "float((0.1lf * double(x)))");
  CHECK(apply_text(ScalarOp::div, Element::single, {n, two}, {}, functions) == "float((n / 2.0lf))");
  CHECK(apply_text(ScalarOp::lt, Element::logical, {x, two}, {}, functions) == "(x < 2.0)");
  CHECK(apply_text(ScalarOp::select, Element::single, {x, two, x}, {}, functions) == "((!(x == 0.0)) ? 2.0 : x)");
  CHECK(functions.empty());
  CHECK(apply_text(ScalarOp::exp, Element::single, {x}, {}, functions) == "lac_exp_f32(x)");
  CHECK(library_text(functions).find("float lac_exp_reduced_f32(") != std::string::npos);
  CHECK(library_text(functions).find("double") == std::string::npos);
}

TEST_CASE("shaders ask that NaN, Inf and the sign of zero are preserved, in the widths that the device can") {
  const KernelShaders shaders = compile_kernel(graph_of_kernel(kernel_text(ScalarOp::min, Element::real)), {});
  const std::vector<std::uint32_t>& spirv = shaders.stages[0].spirv;
  using runtime::vulkan::preserving_nan;
  CHECK(preserving_nan(spirv, false, false) == spirv);
  CHECK(preserving_nan(spirv, true, false).size() == spirv.size() + 2 + 4);
  const std::vector<std::uint32_t> both = preserving_nan(spirv, true, true);
  CHECK(both.size() == spirv.size() + 2 + 4 + 4);
  CHECK(both[5] == (2u << 16 | 17u));  // OpCapability SignedZeroInfNanPreserve
  CHECK(both[6] == 4466);
}

TEST_CASE("literal zeros as factors and divisors meet NaN, Inf and zero") {
  for (const std::string element : {"f32", "f64"})
    for (const std::string zero : {"0", "-0"})
      check_on_device("kernel k0 \"zeros\" domain [n x 1] {\n  in nan: " + element + "[n x 1]\n  out a: " + element +
                          "[n x 1], b: " + element + "[n x 1], c: " + element +
                          "[n x 1]\n  $0 = load nan[i]\n  $1: " + element + " = constant " + zero + R"(
  $2 = mul $1, $0
  $3 = div $0, $1
  $4 = div $1, $0
  store a[i] = $2
  store b[i] = $3
  store c[i] = $4
}
)",
                      {{{"n", 60}}});
}
