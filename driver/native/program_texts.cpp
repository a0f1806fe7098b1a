#include "driver/native/program_texts.h"

#include <algorithm>
#include <set>
#include <string>

#include "frontend/parser.h"
#include "frontend/sema/names/names.h"

namespace lac::driver {

namespace {

namespace ast = frontend::ast;

// `exist` takes the name of a function as a string.
void collect_strings(const ast::Expr& expression, std::set<std::string>& names) {
  if (const auto* string = std::get_if<ast::String>(&expression.node)) names.insert(string->text);
  frontend::for_each_child(expression, [&](const ast::ExprPtr& child) { collect_strings(*child, names); });
}

void collect_strings(const ast::Block& block, std::set<std::string>& names) {
  for (const ast::Statement& statement : block) {
    frontend::for_each_expression(statement, [&](const ast::Expr& each) { collect_strings(each, names); });
    frontend::for_each_inner_block(statement, [&](const ast::Block& inner) { collect_strings(inner, names); });
  }
}

/// What the text of a program or of a function may call, variables among it.
std::set<std::string> names_in(const ast::Program& program) {
  std::set<std::string> names;
  const auto look = [&](const ast::Block& block) {
    for (const auto& [name, count] : frontend::read_counts(block)) names.insert(name);
    collect_strings(block, names);
  };
  look(program.statements);
  for (const ast::Function& function : program.functions) look(function.body);
  return names;
}

bool is_identifier(const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 && std::ranges::all_of(name, fits);
}

bool is_of_library(const std::string& path, const std::string& text) {
  return std::ranges::any_of(solver_library(),
                             [&](const LibraryText& each) { return each.path == path && each.text == text; });
}

std::optional<ast::Program> parsed(const std::string& name, const std::string& text) {
  SourceManager sources;
  Diagnostics ignored;
  return frontend::parse(sources.add(name, text), sources, ignored);
}

}  // namespace

ProgramTexts::ProgramTexts(const Module& module) {
  const SourceFile& own = module.sources.file(FileId{0});
  add(own.name, own.text);
}

FileId ProgramTexts::add(const std::string& name, const std::string& text) {
  const auto found =
      std::ranges::find_if(texts_, [&](const SourceText& each) { return each.name == name && each.text == text; });
  const auto index = static_cast<std::uint32_t>(found - texts_.begin());
  if (found == texts_.end()) texts_.push_back({name, text});
  return FileId{index};
}

void ProgramTexts::share(const SourceManager& compilation, Manifest& manifest) {
  std::vector<FileId> shared;
  for (std::uint32_t i = 0; i < compilation.size(); ++i) {
    const SourceFile& file = compilation.file(FileId{i});
    shared.push_back(add(file.name, file.text));
  }
  for (Location& location : manifest.locations)
    if (location.span.valid()) location.span.file = shared[location.span.file.index];
}

void ProgramTexts::add_named_functions(const Module& module) {
  std::set<std::string> seen;
  for (std::size_t next = 0; next < texts_.size(); ++next) {
    const std::optional<ast::Program> program = parsed(texts_[next].name, texts_[next].text);
    if (!program) continue;
    for (const std::string& name : names_in(*program)) {
      if (!is_identifier(name) || !seen.insert(name).second) continue;
      const auto found = module.finder.find(name);
      if (!found || !found->path.ends_with(".la") || is_of_library(found->path, found->text)) continue;
      const std::optional<ast::Program> file = parsed(found->path, found->text);
      const auto defines = [&](const ast::Function& function) { return function.name.text == name; };
      if (file && std::ranges::any_of(file->functions, defines)) add(found->path, found->text);
    }
  }
}

}  // namespace lac::driver
