#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

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

/// Diagnostics as JSON; the lines of a file are looked for once, however many of them it has.
class Writer {
 public:
  explicit Writer(const SourceManager& sources) : sources_(sources) {}

  Json write(const Diagnostic& diagnostic) {
    Json json = {{"severity", severity_number(diagnostic.severity)}, {"source", "lac"}};
    std::string message = diagnostic.message;
    Span span = diagnostic.span;
    if (span.valid() && span.file != own) {
      message = place_of(span, sources_) + ": " + message;
      const auto here = std::ranges::find_if(diagnostic.notes, [](const Note& note) { return note.span.file == own; });
      span = here == diagnostic.notes.end() ? Span{own, 0, 0} : here->span;
    }
    json["range"] = range_in(span.valid() ? span : Span{own, 0, 0});
    add_notes(diagnostic, json, message);
    json["message"] = std::move(message);
    return json;
  }

 private:
  Json range_in(const Span& span) {
    const auto [positions, added] = positions_.try_emplace(span.file, sources_.file(span.file).text);
    return range_of(positions->second, span.begin, span.end);
  }

  /// Notes with a place that an editor can open; the others go to the message.
  void add_notes(const Diagnostic& diagnostic, Json& json, std::string& message) {
    for (const Note& note : diagnostic.notes) {
      const bool placed = note.span.valid();
      const std::string name = placed ? sources_.file(note.span.file).name : "";
      std::error_code error;
      if (placed && (note.span.file == own || std::filesystem::is_regular_file(name, error))) {
        json["relatedInformation"].push_back(
            {{"location", {{"uri", uri_of_path(name)}, {"range", range_in(note.span)}}}, {"message", note.message}});
      } else {
        message += "\n" + (placed ? place_of(note.span, sources_) + ": " : std::string()) + note.message;
      }
    }
  }

  const SourceManager& sources_;
  std::map<FileId, Positions> positions_;
};

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
  Writer writer(analysis.module->sources);
  std::set<std::string> told;
  const Diagnostics* const parts[] = {&analysis.module->diagnostics, &analysis.found};
  for (const Diagnostics* diagnostics : parts)
    for (const Diagnostic& diagnostic : diagnostics->items()) {
      Json json = writer.write(diagnostic);
      if (told.insert(json.dump(-1, ' ', false, Json::error_handler_t::replace)).second)
        list.push_back(std::move(json));
    }
  return list;
}

}  // namespace lac::driver::lsp
