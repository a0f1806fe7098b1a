#include "ir/support/source.h"

#include <algorithm>

namespace lac {

Span join(const Span& a, const Span& b) {
  if (!a.valid()) return b;
  if (!b.valid() || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

FileId SourceManager::add(std::string name, std::string text) {
  SourceFile file{std::move(name), std::move(text), {0}};
  for (std::uint32_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
  files_.push_back(std::move(file));
  return FileId{static_cast<std::uint32_t>(files_.size() - 1)};
}

std::string_view SourceManager::text(const Span& span) const {
  if (!span.valid()) return {};
  return std::string_view(file(span.file).text).substr(span.begin, span.end - span.begin);
}

LineColumn SourceManager::position(FileId id, std::uint32_t offset) const {
  const auto& starts = file(id).line_starts;
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

std::string_view SourceManager::line(FileId id, std::uint32_t line) const {
  const SourceFile& source = file(id);
  if (line == 0 || line > source.line_starts.size()) return {};
  std::string_view rest = std::string_view(source.text).substr(source.line_starts[line - 1]);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

}  // namespace lac
