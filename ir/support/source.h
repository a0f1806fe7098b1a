// Source texts and places in them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/id.h"

namespace lac {

using FileId = Id<struct FileTag>;

/// A half-open range [begin, end) of byte offsets in one file. A default Span means "no place".
struct Span {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool valid() const { return file.valid(); }
  friend bool operator==(const Span&, const Span&) = default;
};

/// The smallest span that covers both; an invalid span is neutral.
Span join(const Span& a, const Span& b);

/// Line and column as people count them: from 1. Columns count bytes.
struct LineColumn {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct SourceFile {
  std::string name;  ///< as the user wrote it; "-e" and "-" for expressions and standard input
  std::string text;
  std::vector<std::uint32_t> line_starts;
};

/// Owns the texts of one compilation. Ids and string_views into it stay valid as long as it lives.
class SourceManager {
 public:
  FileId add(std::string name, std::string text);
  void clear() { files_.clear(); }
  const SourceFile& file(FileId id) const { return files_[id.index]; }
  std::string_view text(const Span& span) const;
  LineColumn position(FileId file, std::uint32_t offset) const;
  LineColumn begin(const Span& span) const { return position(span.file, span.begin); }
  /// One line without its newline; `line` counts from 1.
  std::string_view line(FileId file, std::uint32_t line) const;
  std::size_t size() const { return files_.size(); }

 private:
  std::deque<SourceFile> files_;  // deque: views into a text survive later additions
};

}  // namespace lac
