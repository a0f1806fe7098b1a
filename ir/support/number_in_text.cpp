#include "ir/support/number_in_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "ir/support/missing.h"

namespace lac {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A summand: a number, which may be imaginary and have a sign in front.
struct Summand {
  double value = 0;
  bool imaginary = false, has_sign = false;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }

  std::optional<Summand> summand() {
    Summand made;
    const bool negative = rest_.starts_with('-');
    made.has_sign = negative || rest_.starts_with('+');
    if (made.has_sign) take(1);
    if (!starts_with_word("inf") && takes_unit()) {
      made.imaginary = true;
      made.value = 1;
      if (rest_.starts_with('*')) {
        take(1);
        const auto factor = number();
        if (!factor) return {};
        made.value = *factor;
      }
    } else {
      const auto value = number();
      if (!value) return {};
      made.value = *value;
      const bool times = rest_.starts_with('*');
      if (times) take(1);
      made.imaginary = takes_unit();
      if (times && !made.imaginary) return {};
    }
    if (negative) made.value = -made.value;
    return made;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }

  void take(std::size_t count) {
    rest_.remove_prefix(count);
    skip_blanks();
  }

  /// Whether the word, given in small letters, stands here in any.
  bool starts_with_word(std::string_view word) const {
    return rest_.size() >= word.size() && std::ranges::equal(rest_.substr(0, word.size()), word, {}, [](char c) {
             return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
           });
  }

  bool takes_unit() {
    if (rest_.empty() || (rest_.front() != 'i' && rest_.front() != 'j')) return false;
    take(1);
    return true;
  }

  std::optional<double> word() {
    if (starts_with_word("inf")) return take(3), infinite;
    if (starts_with_word("nan")) return take(3), none;
    if (rest_.starts_with("NA")) return take(2), missing_value();
    return {};
  }

  /// A word, or a decimal number, which may have a sign of its own.
  std::optional<double> number() {
    if (const auto value = word()) return value;
    const auto digits_from = [&](std::size_t at) {
      return std::min(rest_.find_first_not_of("0123456789", at), rest_.size());
    };
    const std::size_t begin = rest_.starts_with('-') || rest_.starts_with('+') ? 1 : 0;
    std::size_t end = digits_from(begin);
    if (rest_.substr(end).starts_with('.')) end = digits_from(end + 1);
    if (end < rest_.size() && (rest_[end] == 'e' || rest_[end] == 'E')) {
      const std::size_t exponent = end + 1 < rest_.size() && (rest_[end + 1] == '-' || rest_[end + 1] == '+') ? 2 : 1;
      end = digits_from(end + exponent);
    }
    const std::string written(rest_.substr(0, end));
    char* stop = nullptr;
    const double value = std::strtod(written.c_str(), &stop);
    if (written.empty() || stop != written.c_str() + written.size() || std::isinf(value)) return {};
    take(end);
    return value;
  }

  std::string_view rest_;
};

}  // namespace

// What follows a second summand is not looked at, as in Octave.
std::optional<std::complex<double>> number_in_text(std::string text) {
  std::erase(text, ',');
  Reader reader(text);
  const auto first = reader.summand();
  if (!first) return {};
  double parts[2] = {0, 0};
  parts[first->imaginary] = first->value;
  if (!reader.at_end()) {
    const auto second = reader.summand();
    if (!second || !second->has_sign || second->imaginary == first->imaginary) return {};
    parts[second->imaginary] = second->value;
  }
  return std::complex<double>(parts[0], parts[1]);
}

}  // namespace lac
