#include <algorithm>
#include <filesystem>

#include "driver/lsp/answers.h"

namespace lac::driver::lsp {

namespace {

constexpr FileId own{0};

int severity_number(Severity severity) {
  return severity == Severity::error ? 1 : severity == Severity::warning ? 2 : 3;
}

std::string place_of(const Span& span, const SourceManager& sources) {
  return sources.file(span.file).name + ":" + std::to_string(sources.begin(span).line);
}

Json range_in(const Span& span, const SourceManager& sources) {
  return range_of(Positions(sources.file(span.file).text), span.begin, span.end);
}

/// Notes with a place that an editor can open; the others go to the message.
void add_notes(const Diagnostic& diagnostic, const SourceManager& sources, Json& json, std::string& message) {
  for (const Note& note : diagnostic.notes) {
    const bool placed = note.span.valid();
    const std::string name = placed ? sources.file(note.span.file).name : "";
    std::error_code error;
    if (placed && (note.span.file == own || std::filesystem::is_regular_file(name, error))) {
      json["relatedInformation"].push_back(
          {{"location", {{"uri", uri_of_path(name)}, {"range", range_in(note.span, sources)}}},
           {"message", note.message}});
    } else {
      message += "\n" + (placed ? place_of(note.span, sources) + ": " : std::string()) + note.message;
    }
  }
}

Json diagnostic_json(const Diagnostic& diagnostic, const SourceManager& sources) {
  Json json = {{"severity", severity_number(diagnostic.severity)}, {"source", "lac"}};
  std::string message = diagnostic.message;
  Span span = diagnostic.span;
  if (span.valid() && span.file != own) {
    message = place_of(span, sources) + ": " + message;
    const auto here = std::ranges::find_if(diagnostic.notes, [](const Note& note) { return note.span.file == own; });
    span = here == diagnostic.notes.end() ? Span{own, 0, 0} : here->span;
  }
  json["range"] = range_in(span.valid() ? span : Span{own, 0, 0}, sources);
  add_notes(diagnostic, sources, json, message);
  json["message"] = std::move(message);
  return json;
}

}  // namespace

Json range_of(const Positions& positions, std::size_t begin, std::size_t end) {
  const auto point = [&](std::size_t offset) {
    const Position position = positions.position(offset);
    return Json{{"line", position.line}, {"character", position.character}};
  };
  return {{"start", point(begin)}, {"end", point(end)}};
}

Json diagnostics_of(const Analysis& analysis) {
  Json list = Json::array();
  if (!analysis.module) return list;
  const Diagnostics* const parts[] = {&analysis.module->diagnostics, &analysis.found};
  for (const Diagnostics* diagnostics : parts)
    for (const Diagnostic& diagnostic : diagnostics->items()) {
      Json json = diagnostic_json(diagnostic, analysis.module->sources);
      if (std::find(list.begin(), list.end(), json) == list.end()) list.push_back(std::move(json));
    }
  return list;
}

}  // namespace lac::driver::lsp
