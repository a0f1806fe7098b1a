#include <filesystem>

#include "driver/core/disk_cache.h"
#include "driver/lsp/answers.h"
#include "frontend/builtin_help.h"
#include "frontend/parser.h"
#include "runtime/files/cache_file.h"
#include "runtime/files/files.h"

namespace lac::driver::lsp {

namespace {

namespace fs = std::filesystem;

/// A file with this text that an editor can open; empty when there is no place for one.
std::string file_to_show(const frontend::LowerOptions::Found& found) {
  std::error_code error;
  if (fs::is_regular_file(found.path, error)) return found.path;
  if (fs::path(found.path).is_absolute()) return found.path;  // open in the editor, not on the disk yet
  const fs::path folder = cache_folder();
  if (folder.empty()) return {};
  const fs::path path = folder / "text" / found.path;
  fs::create_directories(path.parent_path(), error);
  if (!runtime::is_own(path.parent_path())) return {};  // what another put there may be a link to a file of this user
  const Result<std::string> there = runtime::read_file(path.string());
  if (there && there.value() == found.text) return path.string();
  return runtime::write_file(path.string(), found.text) ? path.string() : std::string();
}

Json location(const std::string& uri, const std::string& text, const Span& span) {
  return {{"uri", uri}, {"range", range_of(Positions(text), span.begin, span.end)}};
}

Span name_of_function(const frontend::ast::Program& program, const std::string& name) {
  for (const frontend::ast::Function& function : program.functions)
    if (function.name.text == name) return function.name.span;
  return {};
}

Json function_elsewhere(const Analysis& analysis, const std::string& name) {
  const auto found = analysis.module->finder.find(name);
  if (!found) return nullptr;
  const std::string path = file_to_show(*found);
  if (path.empty()) return nullptr;
  SourceManager sources;
  Diagnostics ignored;
  const auto program = frontend::parse(sources.add(path, found->text), sources, ignored);
  const Span span = program ? name_of_function(*program, name) : Span{};
  return location(uri_of_path(path), found->text, span);
}

}  // namespace

Json definition(const Asked& asked, const std::string& uri, std::size_t offset) {
  const Analysis& analysis = asked.analysis;
  const frontend::Token* name = name_at(analysis, offset);
  if (!name) return nullptr;
  if (const Span first = first_assignment(analysis, name->text, offset); first.valid())
    return location(uri, analysis.text(), first);
  if (analysis.program()) {
    if (const Span span = name_of_function(*analysis.program(), name->text); span.valid())
      return location(uri, analysis.text(), span);
  }
  if (frontend::help_of_builtin(name->text)) return nullptr;
  return function_elsewhere(analysis, name->text);
}

}  // namespace lac::driver::lsp
