#include "ir/types/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "ir/support/missing.h"

namespace lac {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string quoted(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') result += "\\n";
    else if (c == '\t') result += "\\t";
    else if (c == '"' || c == '\\') result += {'\\', c};
    else if (byte < 0x20 || byte == 0x7f) result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    else result += c;
  }
  return result + "\"";
}

std::string number_text(double number) {
  if (std::isnan(number)) return is_missing(number) ? "na" : "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), is_name_character);
}

std::string name_text(std::string_view name) { return is_identifier(name) ? std::string(name) : quoted(name); }

// -- characters and words ---------------------------------------------------------------------------------------------

void TextReader::fail(const std::string& message) const {
  const std::string_view before = text_.substr(0, at_);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  throw TextError(std::to_string(line) + ":" + std::to_string(at_ - start + 1) + ": " + message);
}

void TextReader::skip_spaces() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  if (at_ < text_.size() && text_[at_] == ';') at_ = std::min(text_.find('\n', at_), text_.size());
}

bool TextReader::at_line_end() {
  skip_spaces();
  return at_ == text_.size() || text_[at_] == '\n';
}

bool TextReader::at_end() {
  while (at_line_end() && at_ < text_.size()) ++at_;
  return at_ == text_.size();
}

void TextReader::end_line() {
  if (!at_line_end()) fail("the line should end here");
  at_end();
}

bool TextReader::next_is(char c) {
  skip_spaces();
  return at_ < text_.size() && text_[at_] == c;
}

bool TextReader::next_is_digit() {
  skip_spaces();
  return at_ < text_.size() && is_digit(text_[at_]);
}

bool TextReader::accept(char c) {
  const bool found = next_is(c);
  if (found) ++at_;
  return found;
}

void TextReader::expect(char c) {
  if (!accept(c)) fail(std::string("expected '") + c + "'");
}

std::string_view TextReader::peek_word() {
  skip_spaces();
  std::size_t end = at_;
  if (end < text_.size() && is_letter(text_[end]))
    while (end < text_.size() && is_name_character(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

bool TextReader::accept_word(std::string_view word) {
  const bool found = peek_word() == word;
  if (found) at_ += word.size();
  return found;
}

void TextReader::expect_word(std::string_view word) {
  if (!accept_word(word)) fail("expected '" + std::string(word) + "'");
}

std::string TextReader::identifier() {
  const std::string_view word = peek_word();
  if (word.empty()) fail("expected a name");
  at_ += word.size();
  return std::string(word);
}

std::string TextReader::name() { return next_is('"') ? quoted_string() : identifier(); }

std::string TextReader::quoted_string() {
  expect('"');
  std::string result;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
    char c = text_[at_++];
    if (c == '\\' && at_ < text_.size()) {
      c = text_[at_++];
      if (c == 'n') c = '\n';
      else if (c == 't') c = '\t';
      else if (c == 'x' && at_ + 2 <= text_.size()) {
        c = static_cast<char>(hex_digit(text_[at_]) * 16 + hex_digit(text_[at_ + 1]));
        at_ += 2;
      }
    }
    result += c;
  }
  if (at_ == text_.size() || text_[at_] != '"') fail("the string does not end");
  ++at_;
  return result;
}

std::int64_t TextReader::integer() {
  skip_spaces();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error != std::errc()) fail("expected an integer");
  at_ = static_cast<std::size_t>(end - text_.data());
  return value;
}

double TextReader::number() {
  skip_spaces();
  if (accept_word("na")) return missing_value();
  double value = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error != std::errc()) fail("expected a number");
  at_ = static_cast<std::size_t>(end - text_.data());
  return value;
}

std::uint32_t TextReader::reference(char sigil) {
  expect(sigil);
  if (at_ == text_.size() || !is_digit(text_[at_])) fail("expected a number");
  return static_cast<std::uint32_t>(integer());
}

// -- sizes and types --------------------------------------------------------------------------------------------------

Size TextReader::size_factor(const SymbolLookup& symbols) {
  if (next_is_digit()) return integer();
  const bool is_quoted = next_is('"');
  const Size symbol = Size::symbol(next_is('%') ? symbols.numbered(reference('%')) : symbols.named(name(), is_quoted));
  Size power = symbol;
  if (!accept('^')) return power;
  const std::int64_t exponent = integer();
  if (exponent < 1 || exponent > 16) fail("an exponent is from 1 to 16");
  for (std::int64_t i = 1; i < exponent; ++i) power = power * symbol;
  return power;
}

Size TextReader::size_product(const SymbolLookup& symbols) {
  Size product = size_factor(symbols);
  while (accept('*')) product = product * size_factor(symbols);
  return product;
}

Size TextReader::size(const SymbolLookup& symbols) {
  Size sum = accept('-') ? Size(0) - size_product(symbols) : size_product(symbols);
  for (;;) {
    if (accept('+')) sum = sum + size_product(symbols);
    else if (accept('-')) sum = sum - size_product(symbols);
    else return sum;
  }
}

Element TextReader::element() {
  for (Element candidate : {Element::logical, Element::integer, Element::single, Element::real})
    if (accept_word(lac::name(candidate))) return candidate;
  fail("expected an element type (logical, int, f32, f64)");
}

Type TextReader::type(const SymbolLookup& symbols) {
  Type result = Type::scalar(element());
  if (accept('[')) {
    result.rows = size(symbols);
    expect_word("x");
    result.cols = size(symbols);
    expect(']');
  }
  for (Storage storage : {Storage::csr, Storage::diagonal})
    if (accept_word(lac::name(storage))) result.storage = storage;
  if (result.storage == Storage::diagonal) {
    expect('(');
    while (!accept(')')) {
      result.offsets.push_back(size(symbols));
      if (!next_is(')')) expect(',');
    }
  }
  for (const PropertyName& entry : property_names())
    if (accept_word(entry.name)) result.properties.add(entry.property);
  return result;
}

}  // namespace lac
