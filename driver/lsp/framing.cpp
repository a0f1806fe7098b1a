#include "driver/lsp/framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace lac::driver::lsp {

namespace {

constexpr std::size_t longest_line = 4096, longest_content = std::size_t{1} << 28;

/// The number of a line "Content-Length: 42", in any case.
std::optional<std::size_t> content_length(std::string_view line) {
  constexpr std::string_view key = "content-length:";
  if (line.size() < key.size()) return std::nullopt;
  const bool is_key = std::equal(key.begin(), key.end(), line.begin(), [](char wanted, char c) {
    return wanted == std::tolower(static_cast<unsigned char>(c));
  });
  if (!is_key) return std::nullopt;
  line.remove_prefix(key.size());
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  std::size_t length = 0;
  const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), length);
  if (failed != std::errc() || end == line.data() || length > longest_content) return std::nullopt;
  return length;
}

}  // namespace

std::optional<std::string> MessageReader::next() {
  while (!in_content_) {
    const std::size_t newline = buffer_.find('\n');
    if (newline == std::string::npos) {
      if (buffer_.size() > longest_line) buffer_.clear();  // no header is that long
      return std::nullopt;
    }
    std::string_view line(buffer_.data(), newline);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) in_content_ = length_.has_value();
    else if (const auto length = content_length(line)) length_ = length;
    buffer_.erase(0, newline + 1);
  }
  if (buffer_.size() < *length_) return std::nullopt;
  std::string content = buffer_.substr(0, *length_);
  buffer_.erase(0, *length_);
  length_.reset();
  in_content_ = false;
  return content;
}

std::string framed(std::string_view content) {
  return "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + std::string(content);
}

}  // namespace lac::driver::lsp
