#include "driver/core/report.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>

#include "driver/core/loops.h"
#include "driver/core/shapes.h"
#include "frontend/parser.h"
#include "ir/graph/signals.h"
#include "ir/graph/warning_ids.h"
#include "ir/support/printable.h"

namespace lac::driver {

namespace {

api::Severity severity_of(Severity severity) {
  switch (severity) {
    case Severity::error: return api::Severity::error;
    case Severity::warning: return api::Severity::warning;
    case Severity::remark: return api::Severity::remark;
  }
  return api::Severity::error;
}

std::string without_prefix(const std::string& message, std::string_view prefix) {
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

/// Trees of the files that an error passes through; parsed again, only when something went wrong.
class Trees {
 public:
  explicit Trees(const SourceManager& sources) : sources_(sources) {}

  const frontend::ast::Program* tree(FileId file) {
    auto [entry, added] = trees_.try_emplace(file.index);
    if (added) {
      Diagnostics ignored;
      entry->second = frontend::parse(file, sources_, ignored);
    }
    return entry->second ? &*entry->second : nullptr;
  }

 private:
  const SourceManager& sources_;
  std::map<std::uint32_t, std::optional<frontend::ast::Program>> trees_;
};

/// The chain of places from the innermost out: the place itself, the call, the call of the caller, ...
std::vector<const Location*> call_chain(LocationId id, const Locations& locations) {
  std::vector<const Location*> chain;
  while (locations.contains(id) && chain.size() < 100) {
    chain.push_back(&locations[id]);
    id = locations[id].caller;
  }
  return chain;
}

/// "in trip 7 of the loop at line 5", innermost loop first, and "called from" notes between the functions.
std::vector<Note> trace_notes(const runtime::RunStatus& status, const Locations& locations,
                              const SourceManager& sources) {
  std::vector<Note> notes;
  Trees trees(sources);
  std::vector<std::int64_t> trips = status.trips;
  const std::vector<const Location*> chain = call_chain(status.location, locations);
  for (std::size_t depth = 0; depth < chain.size(); ++depth) {
    const Location& place = *chain[depth];
    if (!place.span.valid()) continue;
    if (depth > 0) notes.push_back({place.span, "in the call of " + chain[depth - 1]->function});
    const frontend::ast::Program* tree = place.loops.empty() ? nullptr : trees.tree(place.span.file);
    if (!tree) continue;
    const auto loops = loops_around(*tree, place.span);
    for (std::size_t k = std::min(loops.size(), place.loops.size()); k-- > 0;) {
      const std::int64_t before = place.loops[k];
      const bool peeled = before > 0;
      if (!peeled && trips.empty()) break;
      const std::int64_t trip = peeled ? before : trips.back() - before;
      if (!peeled) trips.pop_back();
      notes.push_back({{}, fmt::format("in trip {} of the loop at line {}", trip, sources.begin(loops[k]->span).line)});
    }
  }
  return notes;
}

Span span_of(LocationId id, const Locations& locations) { return locations.contains(id) ? locations[id].span : Span{}; }

bool names(std::string_view text, std::string_view word) {
  const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !part_of_name(text[at - 1])) && (end == text.size() || !part_of_name(text[end]))) return true;
  }
  return false;
}

/// `A is 100x80 because it was read from "well.mtx"`, for at most three parameters of the file that the place names.
void add_shape_notes(const runtime::RunStatus& status, const Locations& locations, const SourceManager& sources,
                     const std::vector<BoundParameter>& parameters, std::vector<Note>& notes) {
  if (status.id != "Octave:nonconformant-args" || !locations.contains(status.location)) return;
  const Location& place = locations[status.location];
  if (!place.span.valid() || !place.function.empty()) return;
  int added = 0;
  for (const BoundParameter& parameter : parameters) {
    if (added == 3 || !parameter.tensor || !names(sources.text(place.span), parameter.name)) continue;
    notes.push_back({{}, shape_reason(parameter.name, {*parameter.tensor, parameter.origin})});
    ++added;
  }
}

/// Octave's words, or what a device says of which memory and how much.
std::string out_of_memory_message(const runtime::RunStatus& status) {
  const std::string message = without_prefix(status.message, "error: ");
  return status.message == runtime::out_of_memory_text ? message : "out of memory: " + message;
}

}  // namespace

api::Diagnostic to_api(const Diagnostic& diagnostic, const SourceManager& sources) {
  api::Diagnostic result;
  result.severity = severity_of(diagnostic.severity);
  result.message = diagnostic.message;
  result.rendered = render(diagnostic, sources);
  if (diagnostic.span.valid()) {
    const std::uint32_t offset = diagnostic.caret != 0 ? diagnostic.caret : diagnostic.span.begin;
    const LineColumn place = sources.position(diagnostic.span.file, offset);
    result.file = sources.file(diagnostic.span.file).name;
    result.line = place.line;
    result.column = place.column;
  }
  return result;
}

std::vector<api::Diagnostic> to_api(const Diagnostics& diagnostics, const SourceManager& sources) {
  std::vector<api::Diagnostic> result;
  for (const Diagnostic& diagnostic : diagnostics.items()) result.push_back(to_api(diagnostic, sources));
  return result;
}

std::string rendered(const std::vector<api::Diagnostic>& diagnostics) {
  std::string text;
  for (const api::Diagnostic& diagnostic : diagnostics) text += diagnostic.rendered;
  return text;
}

api::Diagnostic plain_error(const std::string& message) {
  api::Diagnostic result;
  result.message = message;
  result.rendered = "error: " + printable(message) + "\n";
  return result;
}

api::Diagnostic plain_warning(std::string id, const std::string& message) {
  api::Diagnostic result;
  result.severity = api::Severity::warning;
  result.id = std::move(id);
  result.message = message;
  result.rendered = "warning: " + printable(message) + "\n";
  return result;
}

api::Diagnostic to_api(const runtime::RunStatus& status, const Locations& locations, const SourceManager& sources,
                       const std::vector<BoundParameter>& parameters) {
  Diagnostic diagnostic;
  diagnostic.span = span_of(status.location, locations);
  switch (status.code) {
    case runtime::RunCode::interrupted: diagnostic.message = "interrupted"; break;
    case runtime::RunCode::out_of_memory: diagnostic.message = out_of_memory_message(status); break;
    case runtime::RunCode::internal_error:
      diagnostic.message = "internal error: " + without_prefix(status.message, "error: ");
      break;
    default: diagnostic.message = without_prefix(status.message, "error: ");
  }
  diagnostic.notes = trace_notes(status, locations, sources);
  add_shape_notes(status, locations, sources, parameters, diagnostic.notes);
  api::Diagnostic result = to_api(diagnostic, sources);
  result.id = status.id;
  return result;
}

api::Diagnostic to_api(const runtime::RunWarning& warning, const Locations& locations, const SourceManager& sources) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::warning;
  diagnostic.span = span_of(warning.location, locations);
  diagnostic.message = without_prefix(warning.message, "warning: ");
  const std::vector<const Location*> chain = call_chain(warning.location, locations);
  for (std::size_t depth = 1; depth < chain.size(); ++depth)
    diagnostic.notes.push_back({chain[depth]->span, "in the call of " + chain[depth - 1]->function});
  api::Diagnostic result = to_api(diagnostic, sources);
  result.id = warning.id;
  if (warning.id != domain_warning) result.rendered = "warning: " + printable(diagnostic.message) + "\n";
  return result;
}

bool is_exit(const runtime::RunStatus& status) { return status.id == exit_id; }

int exit_status_of(const runtime::RunStatus& status) {
  return static_cast<int>(std::strtol(without_prefix(status.message, "error: ").c_str(), nullptr, 10));
}

api::Outcome outcome_of(const runtime::RunStatus& status) {
  if (status.ok() || is_exit(status)) return api::Outcome::ok;
  return status.code == runtime::RunCode::interrupted ? api::Outcome::interrupted : api::Outcome::failed;
}

}  // namespace lac::driver
