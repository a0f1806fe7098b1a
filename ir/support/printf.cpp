#include "ir/support/printf.h"

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <variant>

#include "ir/support/character.h"
#include "ir/support/missing.h"
#include "ir/support/printf_format.h"
#include "ir/support/text_edit.h"

namespace lac {
namespace {

// What a conversion receives: a number, a string, or nothing (an element of an empty argument).
using Item = std::variant<std::monostate, double, std::string>;

bool is_character_code(double value) { return value == std::trunc(value) && value >= 0 && value <= 255; }

// Hands out the elements of all arguments in order.
class Items {
 public:
  explicit Items(const std::vector<PrintfArgument>& args) : args_(args) {}

  bool exhausted() const { return argument_ >= args_.size(); }

  /// The next item for a conversion of this type. Not when exhausted.
  Item take(char type) {
    const PrintfArgument& argument = args_[argument_];
    if (size(argument) == 0) {
      next_argument();
      return type == 's' || type == 'c' ? Item(std::string()) : Item();
    }
    Item item = type == 's' ? take_string(argument) : take_element(argument, type == 'c');
    if (element_ == size(argument)) next_argument();
    return item;
  }

 private:
  static std::size_t size(const PrintfArgument& a) { return a.is_string ? a.text.size() : a.values.size(); }

  void next_argument() {
    ++argument_;
    element_ = 0;
  }

  Item take_element(const PrintfArgument& argument, bool as_character) {
    const std::size_t k = element_++;
    if (argument.is_string) {
      if (as_character) return argument.text.substr(k, 1);
      return static_cast<double>(static_cast<unsigned char>(argument.text[k]));
    }
    if (as_character && is_character_code(argument.values[k])) return std::string(1, character_of(argument.values[k]));
    return argument.values[k];
  }

  Item take_string(const PrintfArgument& argument) {
    std::string text;
    if (argument.is_string) {
      text = argument.text.substr(element_);
      element_ = argument.text.size();
      return text;
    }
    while (element_ < argument.values.size() && is_character_code(argument.values[element_]))
      text += character_of(argument.values[element_++]);
    if (text.empty()) return argument.values[element_++];
    return text;
  }

  const std::vector<PrintfArgument>& args_;
  std::size_t argument_ = 0;
  std::size_t element_ = 0;
};

void append_padded(std::string& out, std::string_view text, int width, bool left) {
  const std::size_t padding =
      width > 0 && static_cast<std::size_t>(width) > text.size() ? static_cast<std::size_t>(width) - text.size() : 0;
  if (!left) out.append(padding, ' ');
  out += text;
  if (left) out.append(padding, ' ');
}

// One number through C's printf with the part's flags and this conversion.
template <class T>
void append_number(std::string& out, const FormatPart& part, const char* conversion, T value) {
  std::string format = "%" + part.flags;
  std::erase(format, '~');
  if (part.width >= 0) format += std::to_string(part.width);
  if (part.precision >= 0) format += "." + std::to_string(part.precision);
  format += conversion;
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof buffer, format.c_str(), value);
  if (length < 0) return;
  if (static_cast<std::size_t>(length) < sizeof buffer) {
    out.append(buffer, static_cast<std::size_t>(length));
    return;
  }
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  out += text;
}

void append_utf8(std::string& out, std::int64_t code) {
  if (code < 0 || code > 0x10ffff) return;
  const auto byte = [&](std::int64_t lead, int shift) { out += static_cast<char>(lead | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    byte(0x80, 0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    byte(0x80, 6);
    byte(0x80, 0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    byte(0x80, 12);
    byte(0x80, 6);
    byte(0x80, 0);
  }
}

// 2^63 and 2^64 count as in range and saturate, as Octave's integer conversion does.
std::int64_t saturated_signed(double value) {
  if (value >= 0x1p63) return INT64_MAX;
  if (value <= -0x1p63) return INT64_MIN;
  return static_cast<std::int64_t>(value);
}

std::uint64_t saturated_unsigned(double value) {
  return value >= 0x1p64 ? UINT64_MAX : static_cast<std::uint64_t>(value);
}

void append_word(std::string& out, const FormatPart& part, double value) {
  std::string word = is_missing(value) ? "NA" : std::isnan(value) ? "NaN" : value < 0 ? "-Inf" : "Inf";
  if (part.has_flag('~')) word = lower_case(word);
  if (part.has_flag('+') && word[0] != '-') word.insert(0, "+");
  append_padded(out, word, part.width, part.has_flag('-'));
}

void append_value(std::string& out, const FormatPart& part, double value) {
  if (!std::isfinite(value)) return append_word(out, part, value);
  const bool integer = value == std::trunc(value);
  const char conversion[] = {part.type, '\0'};
  const char long_conversion[] = {'l', part.type, '\0'};
  switch (part.type) {
    case 'd':
    case 'i':
      if (integer && value <= 0x1p63) return append_number(out, part, long_conversion, saturated_signed(value));
      return append_number(out, part, "g", value);
    case 'c':
      if (integer && value <= 0x1p63) return append_utf8(out, saturated_signed(value));
      return append_number(out, part, "g", value);
    case 'o':
    case 'x':
    case 'X':
    case 'u':
      if (integer && value >= 0 && value <= 0x1p64)
        return append_number(out, part, long_conversion, saturated_unsigned(value));
      return append_number(out, part, "g", value);
    case 's': return;  // Octave 7 prints nothing for a number that is no character code
    default: return append_number(out, part, conversion, value);
  }
}

void append_item(std::string& out, const FormatPart& part, const Item& item) {
  if (const auto* text = std::get_if<std::string>(&item)) {
    const bool cut = part.precision >= 0 && static_cast<std::size_t>(part.precision) < text->size();
    const std::string_view shown =
        std::string_view(*text).substr(0, cut ? static_cast<std::size_t>(part.precision) : text->size());
    append_padded(out, shown, part.width, part.has_flag('-'));
  } else if (const auto* value = std::get_if<double>(&item)) {
    append_value(out, part, *value);
  }
}

// Takes the argument of a '*'; false when there is none or it is no width.
bool take_star(Items& items, int& number) {
  if (number != FormatPart::star) return true;
  if (items.exhausted()) return false;
  const Item item = items.take(0);
  const auto* value = std::get_if<double>(&item);
  if (value == nullptr || !(*value >= 0 && *value <= INT_MAX && *value == std::trunc(*value))) return false;
  number = static_cast<int>(*value);
  return true;
}

// "%.*s" gives its argument to the width: Octave does so when '*' stands for the precision alone.
void swap_lone_star_precision(FormatPart& part, bool star_width, bool star_precision) {
  if (part.type != 's' && part.type != 'c') return;
  if (!star_precision || star_width) return;
  part.width = part.precision;
  part.precision = FormatPart::absent;
}

}  // namespace

Result<std::string> format_printf(std::string_view format, const std::vector<PrintfArgument>& args,
                                  std::string_view caller) {
  const auto parts = parse_format(format);
  if (!parts) return Failure{std::string(caller) + ": invalid format specified"};
  bool has_conversion = false;
  for (const FormatPart& part : *parts) has_conversion = has_conversion || !part.is_literal();
  std::string out;
  Items items(args);
  for (std::size_t k = 0; k < parts->size();) {
    FormatPart part = (*parts)[k];
    if (part.is_literal()) {
      out += part.text;
    } else {
      const bool star_width = part.width == FormatPart::star;
      const bool star_precision = part.precision == FormatPart::star;
      if (!take_star(items, part.width) || !take_star(items, part.precision))
        return Failure{std::string(caller) + ": invalid field width, must be integer >= 0 and <= INT_MAX"};
      if (items.exhausted()) break;
      swap_lone_star_precision(part, star_width, star_precision);
      append_item(out, part, items.take(part.type));
    }
    if (++k == parts->size() && has_conversion && !items.exhausted()) k = 0;
    if (k < parts->size() && items.exhausted() && !(*parts)[k].is_literal()) break;
  }
  return out;
}

std::string expand_escapes(std::string_view text) {
  constexpr std::string_view names = "abfnrtv\\'\"";
  constexpr std::string_view values = "\a\b\f\n\r\t\v\\'\"";
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    const bool hex = c == 'x' && i + 1 < text.size() && digit(text[i + 1]) < 16;
    if (hex || digit(c) < 8) {  // at most two hexadecimal or three octal digits
      const int base = hex ? 16 : 8;
      const std::size_t limit = i + 3;
      std::size_t at = hex ? i + 1 : i;
      int code = 0;
      while (at < text.size() && at < limit && digit(text[at]) < base) code = code * base + digit(text[at++]);
      out += static_cast<char>(code);
      i = at - 1;
      continue;
    }
    const std::size_t known = names.find(c);
    out += known == std::string_view::npos ? c : values[known];
  }
  return out;
}

}  // namespace lac
