#include "codegen/glsl/scalar/math_library.h"

#include <cctype>
#include <charconv>

#include "codegen/glsl/scalar/math_polynomials.h"
#include "codegen/glsl/text/literal.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// a + x * (b + x * (c + ...)).
std::string horner(std::span<const double> coefficients, std::string_view x, Element element) {
  std::string text, close;
  for (std::size_t n = 0; n < coefficients.size(); ++n) {
    text += literal_text(coefficients[n], element);
    if (n + 1 == coefficients.size()) break;
    const bool last = n + 2 == coefficients.size();
    text += " + " + std::string(x) + (last ? " * " : " * (");
    if (!last) close += ")";
  }
  return "(" + text + close + ")";
}

double number(std::string_view text) {
  double value = 0;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
    throw InternalError("not a number in a math definition: " + std::string(text));
  return negative ? -value : value;
}

class Instantiation {
 public:
  Instantiation(std::string_view text, Element element) : text_(text), element_(element) {}

  std::string run() {
    while (position_ < text_.size()) step();
    return std::move(result_);
  }

 private:
  bool single() const { return element_ == Element::single; }

  void step() {
    if (text_.substr(position_, 2) == "$T") {
      result_ += single() ? "_f32" : "_f64";
      position_ += 2;
    } else if (is_word(text_[position_])) {
      word();
    } else {
      result_ += text_[position_++];
    }
  }

  void word() {
    const std::size_t first = position_;
    while (position_ < text_.size() && is_word(text_[position_])) ++position_;
    const std::string_view word = text_.substr(first, position_ - first);
    if (word == "REAL") result_ += single() ? "float" : "double";
    else if (word == "LET") result_ += single() ? "precise float" : "precise double";
    else if (word == "NUM") result_ += literal_text(number(argument()), element_);
    else if (word == "PICK") pick(argument());
    else if (word == "POLY") polynomial_of(argument());
    else result_ += word;
  }

  /// What the brackets behind the word hold.
  std::string_view argument() {
    const std::size_t first = ++position_;
    for (int depth = 1; depth > 0 && position_ < text_.size(); ++position_)
      depth += text_[position_] == '[' ? 1 : text_[position_] == ']' ? -1 : 0;
    return text_.substr(first, position_ - 1 - first);
  }

  void pick(std::string_view choices) {
    const std::size_t bar = choices.find('|');
    result_ += instantiate(single() ? choices.substr(0, bar) : choices.substr(bar + 1), element_);
  }

  void polynomial_of(std::string_view arguments) {
    const std::size_t comma = arguments.find(',');
    result_ += horner(polynomial(arguments.substr(0, comma), element_), arguments.substr(comma + 1), element_);
  }

  std::string_view text_;
  Element element_;
  std::size_t position_ = 0;
  std::string result_;
};

}  // namespace

std::string instantiate(std::string_view text, Element element) { return Instantiation(text, element).run(); }

const std::vector<MathDefinition>& math_definitions() {
  static const std::vector<MathDefinition> definitions = [] {
    std::vector<MathDefinition> all;
    for (auto part : {basic_definitions, exponential_definitions, trigonometric_definitions, hyperbolic_definitions,
                      special_definitions})
      for (const MathDefinition& definition : part()) all.push_back(definition);
    return all;
  }();
  return definitions;
}

}  // namespace lac::codegen::glsl
