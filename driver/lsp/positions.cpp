#include "driver/lsp/positions.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace lac::driver::lsp {

namespace {

struct Character {
  std::size_t bytes, units;
};

/// The length of the character at `text[at]` in UTF-8 and in UTF-16.
Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  if (at + bytes > text.size()) return {1, 1};
  for (std::size_t k = 1; k < bytes; ++k)
    if ((static_cast<unsigned char>(text[at + k]) & 0xc0) != 0x80) return {1, 1};
  return {bytes, bytes == 4 ? std::size_t{2} : std::size_t{1}};
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = std::tolower(static_cast<unsigned char>(c));
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

Positions::Positions(std::string_view text) : text_(text), line_starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') line_starts_.push_back(i + 1);
}

Position Positions::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  Position result{next - line_starts_.begin() - 1, 0};
  for (std::size_t at = *(next - 1); at < offset;) {
    const Character c = character_at(text_, at);
    at += c.bytes;
    result.character += static_cast<std::int64_t>(c.units);
  }
  return result;
}

std::size_t Positions::offset(Position position) const {
  if (position.line < 0) return 0;
  if (position.line >= static_cast<std::int64_t>(line_starts_.size())) return text_.size();
  std::size_t at = line_starts_[static_cast<std::size_t>(position.line)];
  for (std::int64_t units = 0;
       at < text_.size() && text_[at] != '\n' && text_[at] != '\r' && units < position.character;) {
    const Character c = character_at(text_, at);
    at += c.bytes;
    units += static_cast<std::int64_t>(c.units);
  }
  return at;
}

std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return std::string(uri);
  uri.remove_prefix(scheme.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // the host
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool escaped =
        uri[i] == '%' && i + 2 < uri.size() && hexadecimal(uri[i + 1]) >= 0 && hexadecimal(uri[i + 2]) >= 0;
    path += escaped ? static_cast<char>(hexadecimal(uri[i + 1]) * 16 + hexadecimal(uri[i + 2])) : uri[i];
    if (escaped) i += 2;
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
  std::string uri = "file://";
  for (const char c : absolute) {
    constexpr std::string_view plain = "/-._~:", digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte) != 0) || plain.find(c) != std::string_view::npos) uri += c;
    else uri += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return uri;
}

}  // namespace lac::driver::lsp
