#include "frontend/sema/values/known_text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace lac::frontend {
namespace {

constexpr double most_whole = 9007199254740992.0;  // 2^53

std::optional<double> number_of(const Emitter& e, const Binding& value) {
  if (!value.is_matrix() || !e.type(value.value).is_scalar()) return std::nullopt;
  const auto number = e.constant_of(value.value);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool is_whole(double number) {
  return number == std::trunc(number) && std::abs(number) < most_whole && !(number == 0 && std::signbit(number));
}

/// %[flags][width][.precision]letter
struct Conversion {
  std::string flags;
  char letter;
};

std::optional<Conversion> conversion_at(std::string_view format, std::size_t& at) {
  const std::size_t end = format.find_first_not_of("-+ 0123456789.", at);
  if (end == std::string_view::npos || end - at > 8) return std::nullopt;
  Conversion found{std::string(format.substr(at, end - at)), format[end]};
  at = end + 1;
  return found;
}

std::optional<std::string> converted(const Emitter& e, const Conversion& conversion, const Binding& arg) {
  std::array<char, 512> text{};
  const std::string plain = "%" + conversion.flags;
  const auto made = [&](int size) -> std::optional<std::string> {
    if (size < 0 || static_cast<std::size_t>(size) >= text.size()) return std::nullopt;
    return std::string(text.data(), static_cast<std::size_t>(size));
  };
  if (conversion.letter == 's') {
    if (!arg.is_known_text() || arg.text.empty() || arg.text.find('\0') != std::string::npos) return std::nullopt;
    return made(std::snprintf(text.data(), text.size(), (plain + "s").c_str(), arg.text.c_str()));
  }
  const auto number = number_of(e, arg);
  if (!number) return std::nullopt;
  if (conversion.letter == 'd' || conversion.letter == 'i') {
    if (!is_whole(*number)) return std::nullopt;
    return made(std::snprintf(text.data(), text.size(), (plain + "lld").c_str(), static_cast<long long>(*number)));
  }
  if (conversion.letter != 'f' && conversion.letter != 'e' && conversion.letter != 'g') return std::nullopt;
  return made(std::snprintf(text.data(), text.size(), (plain + conversion.letter).c_str(), *number));
}

}  // namespace

std::optional<std::string> known_format(const Emitter& e, const std::vector<Binding>& args, std::size_t at) {
  if (!args[at].is_known_text()) return std::nullopt;
  const std::string_view format = args[at].text;
  if (!args[at].double_quoted && format.find('\\') != std::string_view::npos) return std::nullopt;  // escapes
  std::string text;
  std::size_t next = at + 1;
  for (std::size_t i = 0; i < format.size();) {
    const char c = format[i++];
    if (c != '%') {
      text += c;
      continue;
    }
    if (i < format.size() && format[i] == '%') {
      text += format[i++];
      continue;
    }
    const auto conversion = conversion_at(format, i);
    if (!conversion || next == args.size()) return std::nullopt;
    const auto part = converted(e, *conversion, args[next++]);
    if (!part) return std::nullopt;
    text += *part;
  }
  if (next != args.size() || text.empty()) return std::nullopt;
  return text;
}

std::optional<std::string> known_digits(const Emitter& e, const Binding& value) {
  const auto number = number_of(e, value);
  if (!number || !is_whole(*number)) return std::nullopt;
  return std::to_string(static_cast<long long>(*number));
}

}  // namespace lac::frontend
