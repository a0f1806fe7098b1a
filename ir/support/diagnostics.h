// Diagnostics are values: collected here, rendered by `render`, printed only by the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/support/source.h"

namespace lac {

enum class Severity { error, warning, remark };

struct Note {
  Span span;  ///< may be invalid: the note then has no place
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Span span;                ///< the whole construct, underlined with '~'
  std::uint32_t caret = 0;  ///< byte offset of the '^'; 0 means the span's begin
  std::string message;
  std::vector<Note> notes = {};
};

/// Collects diagnostics in the order they were found. Not thread-safe.
class Diagnostics {
 public:
  Diagnostic& error(Span span, std::string message);
  Diagnostic& warning(Span span, std::string message);
  void add(Diagnostic diagnostic) { items_.push_back(std::move(diagnostic)); }

  bool has_errors() const;
  std::size_t error_count() const;
  const std::vector<Diagnostic>& items() const { return items_; }
  /// Forgets what was added after there were `count` items: an attempt that was taken back.
  void truncate(std::size_t count) { items_.resize(count); }
  std::vector<Diagnostic> take() { return std::exchange(items_, {}); }

 private:
  std::vector<Diagnostic> items_;
};

/// "cg.la:7:11: error: ..." with the source line, underline and notes; ends with a newline.
std::string render(const Diagnostic& diagnostic, const SourceManager& sources);

/// The candidate nearest to `name` by edit distance, of several the first that begins as it does; "" when none is near
/// enough to suggest.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace lac
