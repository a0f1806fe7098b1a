#include "tests/fuzz/text_parts.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lac::fuzz {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

Parts::Parts(const std::string& text) : text_(text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines_.push_back(text.substr(at, end - at));
    at = end;
  }
  if (lines_.empty()) lines_.emplace_back("\n");
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (is_word(text[at]) && end < text.size() && is_word(text[end])) ++end;
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) pieces_.push_back({at, end});
    at = end;
  }
  if (pieces_.empty()) pieces_.push_back({0, 0});
}

std::string Parts::lines_from(std::size_t first, std::size_t count) const {
  std::string result;
  for (std::size_t i = first; i < lines_.size() && i - first < count; ++i) result += lines_[i];
  return result;
}

std::string Parts::with_lines(std::size_t at, std::size_t removed, const std::string& inserted) const {
  return lines_from(0, at) + inserted + lines_from(at + removed, lines_.size());
}

Parts::Kind Parts::kind(std::size_t i) const {
  if (pieces_[i].end == 0) return Kind::other;
  const char first = text_[pieces_[i].begin];
  if (is_word(first)) return Kind::word;
  return std::string_view("()[]{}'\"%#").find(first) != std::string_view::npos ? Kind::bracket : Kind::other;
}

std::string Parts::with_piece(std::size_t i, const std::string& inserted) const {
  return text_.substr(0, pieces_[i].begin) + inserted + text_.substr(pieces_[i].end);
}

std::string Parts::expression(std::size_t i) const {
  return text_.substr(pieces_[i].begin, expression_end(i) - pieces_[i].begin);
}

std::string Parts::with_expression(std::size_t i, const std::string& inserted) const {
  return text_.substr(0, pieces_[i].begin) + inserted + text_.substr(expression_end(i));
}

std::size_t Parts::expression_end(std::size_t i) const {
  const std::size_t end = pieces_[i].end;
  if (end == 0) return end;
  const bool is_call = is_word(text_[pieces_[i].begin]) && i + 1 < pieces_.size() && text_[pieces_[i + 1].begin] == '(';
  int depth = 0;
  for (std::size_t j = is_call ? i + 1 : i; j < pieces_.size(); ++j) {
    const char c = text_[pieces_[j].begin];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth <= 0) return pieces_[j].end;
  }
  return end;
}

}  // namespace lac::fuzz
