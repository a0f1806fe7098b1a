#include "runtime/text/display.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"
#include "runtime/text/summary.h"

using namespace lac;
using namespace lac::runtime;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Tensor row(const std::vector<double>& values, Element element = Element::real) {
  return Tensor::dense(element, 1, static_cast<std::int64_t>(values.size()), values);
}

std::string shown(double value) { return display("x", Tensor::scalar(value)); }

std::vector<double> range_values(const RangeHint& range) {
  std::vector<double> values;
  const auto count = static_cast<int>(std::floor((range.limit - range.base) / range.increment * (1 + 1e-15))) + 1;
  for (int k = 0; k < count; ++k) values.push_back(range.base + k * range.increment);
  return values;
}

}  // namespace

TEST_CASE("scalars") {
  CHECK(shown(5) == "x = 5\n");
  CHECK(shown(-1.5) == "x = -1.5000\n");
  CHECK(shown(100.5) == "x = 100.50\n");
  CHECK(shown(0.01) == "x = 0.010000\n");
  CHECK(shown(0.001) == "x = 1.0000e-03\n");
  CHECK(shown(12345.678) == "x = 1.2346e+04\n");
  CHECK(shown(9999.95) == "x = 10000.0\n");
  CHECK(shown(1234567) == "x = 1234567\n");
  CHECK(shown(12345678) == "x = 1.2346e+07\n");
  CHECK(shown(-0.0) == "x = 0\n");
  CHECK(shown(not_a_number) == "x = NaN\n");
  CHECK(shown(-infinite) == "x = -Inf\n");
  CHECK(display("x", Tensor::scalar(1, Element::logical)) == "x = 1\n");
  CHECK(display("x", Tensor::scalar(0.1, Element::single)) == "x = 0.1000\n");
  CHECK(display("s", std::vector<std::string>{"abc"}) == "s = abc\n");
  CHECK(display("s", std::vector<std::string>{"ab", "cd"}) == "s =\n\nab\ncd\n\n");
  CHECK(disp(std::vector<std::string>{""}) == "\n");
}

TEST_CASE("matrices") {
  CHECK(display("x", row({1, -2, 3})) == "x =\n\n   1  -2   3\n\n");
  CHECK(disp(row({not_a_number, 1.5, -infinite})) == "      NaN   1.5000     -Inf\n");
  CHECK(disp(row({0, 0.5})) == "        0   0.5000\n");
  CHECK(disp(row({1.5, 1000.5})) == "   1.5000e+00   1.0005e+03\n");
  CHECK(disp(row({1e120, 1.5})) == "   1.0000e+120    1.5000e+00\n");
  CHECK(disp(row({1e-50, 1})) == "  1e-50   1\n");
  CHECK(disp(row({1, 0}, Element::logical)) == "  1  0\n");
  CHECK(display("x", Tensor::dense(Element::real, 0, 3)) == "x = [](0x3)\n");
  const Tensor eye = Tensor::dense(Element::real, 2, 2, {1, 0, 0, 1});
  CHECK(display("x", eye, {.form = DisplayForm::diagonal}) == "x =\n\nDiagonal Matrix\n\n   1   0\n   0   1\n\n");
}

TEST_CASE("long rows are split into groups of columns") {
  std::string expected = " Columns 1 through 8:\n\n";
  for (int j = 0; j < 8; ++j) expected += "   1.5000";
  expected += "\n\n Column 9:\n\n   1.5000\n";
  CHECK(disp(row(std::vector<double>(9, 1.5))) == expected);
  CHECK(disp(row(std::vector<double>(10, 1.5))).find("\n Columns 9 and 10:\n\n") != std::string::npos);
}

TEST_CASE("ranges are laid out by base and limit") {
  CHECK(disp(row({0, 0.5, 1}), {.range = RangeHint{0, 0.5, 1}}) == "         0    0.5000    1.0000\n");
  CHECK(disp(row({0, 3, 6, 9}), {.range = RangeHint{0, 3, 10}}) == "    0    3    6    9\n");
}

TEST_CASE("sparse matrices list their entries by columns") {
  const Tensor a = csr_from_triplets(Element::real, 2, 3, {{0, 0, 1}, {0, 2, 3}, {1, 1, 2.5}, {1, 2, 0}});
  const std::string expected =
      "Compressed Column Sparse (rows = 2, cols = 3, nnz = 3 [50%])\n\n"
      "  (1, 1) -> 1\n  (2, 2) -> 2.5000\n  (1, 3) -> 3\n";
  CHECK(disp(a) == expected);
  CHECK(disp(to_storage(a, Storage::diagonal)) == expected);
  CHECK(display("x", a) == "x =\n\n" + expected + "\n");
}

TEST_CASE("large values are summarised") {
  Tensor a = Tensor::dense(Element::real, 300, 1);
  for (std::int64_t k = 0; k < 300; ++k) a.set_stored_value(k, static_cast<double>(k % 5) - 1);
  CHECK_FALSE(prints_whole(a));
  CHECK(prints_whole(row({1, 2, 3})));
  CHECK(summary("x", a) ==
        "x = 300x1 double\n  min -1, max 3, norm 30\n  first 5 rows:\n  -1\n   0\n   1\n   2\n   3\n");
  a.set_stored_value(0, not_a_number);
  CHECK(summary("x", a).find("\n  1 NaN\n") != std::string::npos);
  CHECK(summary("x", to_csr(Tensor::dense(Element::real, 1, 3, {0, -2, 0}))) ==
        "x = 1x3 double sparse, 1 non-zero\n  min -2, max 0, norm 2\n  first row:\n   0  -2   0\n");
  CHECK(summary("x", row({1e200, 1e200})).find("norm 1.41421e+200") != std::string::npos);
}

namespace {

/// One value, and the Octave expression that makes it.
struct Sample {
  std::string expression;
  Tensor value;
  DisplayHint hint = {};
};

std::string literal(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return std::isnan(value) ? "NaN" : std::isinf(value) ? (value < 0 ? "-Inf" : "Inf") : buffer;
}

std::string literal(const Tensor& a) {
  std::string text = "reshape([";
  for (std::int64_t k = 0; k < a.count(); ++k) text += literal(a.stored_value(k)) + ",";
  text += "]," + std::to_string(a.rows()) + "," + std::to_string(a.cols()) + ")";
  if (a.element() == Element::single) return "single(" + text + ")";
  if (a.element() == Element::logical) return "logical(" + text + ")";
  return text;
}

// Numbers of the kinds that decide on a layout, in one matrix of like magnitude.
class Generator {
 public:
  double number(int kind) {
    const double u = uniform_(random_);
    switch (kind) {
      case 0: return std::round(20 * u - 10);
      case 1: return std::round(2e5 * u - 1e5);
      case 2: return std::round(1e8 * u);
      case 3: return 2 * u - 1;
      case 4: return 2000 * u - 1000;
      case 5: return 1e-3 * u;
      case 6: return std::ldexp(2 * u - 1, static_cast<int>(integer(-200, 200)));
      case 7: return std::ldexp(2 * u - 1, static_cast<int>(integer(-12, 12)));
      case 8: return u < 0.1 ? not_a_number : u < 0.2 ? infinite : u < 0.3 ? -infinite : std::round(100 * u) / 4;
      case 9: return u < 0.2 ? not_a_number : u < 0.3 ? -infinite : std::round(100 * u);
      case 10: return u < 0.4 ? 0 : std::ldexp(1.0, static_cast<int>(integer(-10, 10)));
      default: return std::pow(10.0, static_cast<double>(integer(-8, 8)));
    }
  }
  static constexpr int kinds = 12;

  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  Sample dense() {
    const int kind = static_cast<int>(integer(0, kinds - 1));
    const Element elements[] = {Element::real, Element::real, Element::single, Element::logical};
    const Element element = elements[integer(0, kind == 0 ? 3 : 2)];
    const bool scalar = integer(0, 2) == 0;
    Tensor a = Tensor::dense(element, scalar ? 1 : integer(0, 5), scalar ? 1 : integer(0, integer(0, 3) == 0 ? 40 : 6));
    for (std::int64_t k = 0; k < a.count(); ++k) a.set_stored_value(k, number(kind));
    return {literal(a), a};
  }

  Sample range() {
    const double scale = integer(0, 1) == 0 ? 1.0 : 0.25;
    RangeHint r{static_cast<double>(integer(-30, 30)) * scale, static_cast<double>(integer(1, 7)) * scale, 0};
    if (integer(0, 1) == 0) r.increment = -r.increment;
    r.limit = r.base + r.increment * (static_cast<double>(integer(1, 20)) + 0.5);
    const std::string text = literal(r.base) + ":" + literal(r.increment) + ":" + literal(r.limit);
    return {text, row(range_values(r)), {.range = r}};
  }

  Sample sparse() {
    const Sample full = dense();
    if (full.value.element() == Element::single) return full;
    return {"sparse(" + full.expression + ")", to_csr(full.value)};
  }

  Sample diagonal() {
    Tensor v = Tensor::dense(Element::real, integer(2, 25), 1);
    const int kind = static_cast<int>(integer(0, kinds - 1));
    for (std::int64_t k = 0; k < v.count(); ++k) v.set_stored_value(k, number(kind));
    return {"diag(" + literal(v) + ")", diagonal_matrix(v, 0, Storage::dense), {.form = DisplayForm::diagonal}};
  }

  Sample sample() {
    switch (integer(0, 5)) {
      case 0: return range();
      case 1: return sparse();
      case 2: return diagonal();
      default: return dense();
    }
  }

 private:
  std::mt19937_64 random_{20240607};
  std::uniform_real_distribution<double> uniform_{0.0, 1.0};
};

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  pclose(pipe);
  return out;
}

}  // namespace

TEST_CASE("random values print as in Octave") {
  if (std::system("command -v octave-cli >/dev/null 2>&1") != 0) {
    WARN("skipped: octave-cli is not installed");
    return;
  }
  const char* count_text = std::getenv("LAC_DISPLAY_SAMPLES");
  const int count = count_text != nullptr ? std::atoi(count_text) : 300;
  Generator generator;
  std::string name = (std::filesystem::temp_directory_path() / "lac-display-XXXXXX").string();
  REQUIRE(mkstemp(name.data()) >= 0);
  std::ofstream script(name);
  std::vector<Sample> samples;
  for (int k = 0; k < count; ++k) {
    samples.push_back(generator.sample());
    script << "x = " << samples.back().expression << "\nprintf('#\\n'); disp(x); printf('##\\n')\n";
  }
  script.close();
  const std::string printed = output_of("octave-cli -q --no-history " + name + " 2>/dev/null");
  std::filesystem::remove(name);
  std::size_t at = 0;
  for (const Sample& sample : samples) {
    const std::size_t end = std::min(printed.find("##\n", at), printed.size());
    const std::string expected = printed.substr(at, end - at);
    INFO(sample.expression);
    CHECK(display("x", sample.value, sample.hint) + "#\n" + disp(sample.value, sample.hint) == expected);
    at = std::min(end + 3, printed.size());
  }
}
