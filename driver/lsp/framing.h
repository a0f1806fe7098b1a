// How messages follow each other in the stream: a header with Content-Length, an empty line, the content.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lac::driver::lsp {

/// Cuts a stream into messages. Lines that are no header are skipped, so that it finds back after garbage.
class MessageReader {
 public:
  void add(std::string_view bytes) { buffer_.append(bytes); }
  /// The content of the next message that is there as a whole.
  std::optional<std::string> next();
  /// A message has begun that is not complete: more is on its way.
  bool in_message() const { return in_content_ || !buffer_.empty(); }

 private:
  std::string buffer_;
  std::optional<std::size_t> length_;  ///< of the content whose header is being read
  bool in_content_ = false;
};

/// The content with its header.
std::string framed(std::string_view content);

}  // namespace lac::driver::lsp
