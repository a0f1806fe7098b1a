// Places in a text as editors count them: lines from 0, and UTF-16 code units from 0 within a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lac::driver::lsp {

struct Position {
  std::int64_t line = 0, character = 0;
};

/// Between byte offsets of one text (UTF-8; bytes that are none count as one unit each) and positions.
class Positions {
 public:
  /// Borrows the text.
  explicit Positions(std::string_view text);

  Position position(std::size_t offset) const;
  /// Positions behind the end of a line or of the text mean that end; negative ones the beginning.
  std::size_t offset(Position position) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> line_starts_;
};

/// "file:///home/a%20b.la" is "/home/a b.la"; other URIs stay as they are.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view path);

}  // namespace lac::driver::lsp
