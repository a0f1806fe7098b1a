#include "ir/support/diagnostics.h"

#include <algorithm>
#include <numeric>

#include "ir/support/printable.h"

namespace lac {
namespace {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::remark: return "remark";
  }
  return "error";
}

std::string place(const Span& span, std::uint32_t offset, const SourceManager& sources) {
  if (!span.valid()) return "";
  const LineColumn at = sources.position(span.file, offset);
  return sources.file(span.file).name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

// The source line and, below it, '~' under the span and '^' at the caret. A tab stays a tab so columns line up.
std::string excerpt(const Span& span, std::uint32_t caret, const SourceManager& sources) {
  const LineColumn at = sources.position(span.file, caret);
  const std::string line(sources.line(span.file, at.line));
  const std::uint32_t line_start = sources.file(span.file).line_starts[at.line - 1];
  std::string shown, underline;
  for (std::uint32_t i = 0; i <= line.size(); ++i) {
    const std::uint32_t offset = line_start + i;
    const bool blank =
        caret != span.begin && i < line.size() && line[i] == ' ' && (offset + 1 == caret || offset == caret + 1);
    if (offset == caret) underline += '^';
    else if (offset >= span.begin && offset < span.end && !blank) underline += '~';
    else underline += i < line.size() && line[i] == '\t' ? '\t' : ' ';
    if (i == line.size()) break;
    const std::size_t bytes = printable_bytes(std::string_view(line).substr(i));
    if (bytes == 0) {
      shown += escaped_byte(line[i]);
      underline.append(3, underline.back() == '^' ? '~' : underline.back());
    }
    // The rest of a character of several bytes is looked at byte by byte: columns count bytes.
    for (std::size_t k = 0; k < bytes; ++k) shown += line[i + k];
    for (std::size_t k = 1; k < bytes; ++k) {
      const std::uint32_t inside = line_start + ++i;
      underline += inside == caret ? '^' : inside >= span.begin && inside < span.end ? '~' : ' ';
    }
  }
  underline.erase(underline.find_last_not_of(" \t") + 1);
  const std::string number = std::to_string(at.line);
  const std::string margin = std::string(number.size() < 4 ? 4 - number.size() : 0, ' ');
  return margin + number + " | " + shown + "\n" + margin + std::string(number.size(), ' ') + " | " + underline + "\n";
}

// Levenshtein distance, where two letters in the wrong order count as one mistake.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> older, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] != b[j]), row[j] + 1, last[j + 1] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) row[j + 1] = std::min(row[j + 1], older[j - 1] + 1);
    }
    older = std::exchange(last, row);
  }
  return last.back();
}

}  // namespace

Diagnostic& Diagnostics::error(Span span, std::string message) {
  items_.push_back({Severity::error, span, 0, std::move(message), {}});
  return items_.back();
}

Diagnostic& Diagnostics::warning(Span span, std::string message) {
  items_.push_back({Severity::warning, span, 0, std::move(message), {}});
  return items_.back();
}

bool Diagnostics::has_errors() const { return error_count() > 0; }

std::size_t Diagnostics::error_count() const {
  return static_cast<std::size_t>(
      std::count_if(items_.begin(), items_.end(), [](const Diagnostic& d) { return d.severity == Severity::error; }));
}

std::string render(const Diagnostic& diagnostic, const SourceManager& sources) {
  const std::uint32_t caret = diagnostic.caret ? diagnostic.caret : diagnostic.span.begin;
  std::string out = printable(place(diagnostic.span, caret, sources) + severity_name(diagnostic.severity) + ": " +
                              diagnostic.message) +
                    "\n";
  if (diagnostic.span.valid()) out += excerpt(diagnostic.span, caret, sources);
  for (const Note& note : diagnostic.notes) {
    out += printable(place(note.span, note.span.begin, sources) + "note: " + note.message) + "\n";
    if (note.span.valid()) out += excerpt(note.span, note.span.begin, sources);
  }
  return out;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = name.size() < 2 ? 0 : name.size() < 5 ? 1 : (name.size() + 1) / 3;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > best_distance || candidate == name) continue;
    const bool begins_alike = !best.empty() && !best.starts_with(name[0]) && candidate.starts_with(name[0]);
    if (best.empty() || distance < best_distance || begins_alike) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace lac
