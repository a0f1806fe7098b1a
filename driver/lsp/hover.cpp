#include "driver/core/function_help.h"
#include "driver/lsp/answers.h"

namespace lac::driver::lsp {

namespace {

/// "A: real csr n x n, symmetric"
std::string type_line(const frontend::VariableInfo& info) {
  std::string text = info.name + ": " + info.element;
  if (!info.storage.empty() && info.storage != "dense") text += " " + info.storage;
  if (!info.shape.empty()) text += info.shape == "scalar" ? " scalar" : " matrix " + info.shape;
  if (!info.properties.empty()) text += ", " + info.properties;
  return text;
}

/// The types of the variable that is mentioned at the offset, a line for each specialisation of its function.
std::string types_at(const Analysis& analysis, std::uint32_t offset) {
  std::string text;
  constexpr int most = 4;
  int count = 0;
  for (auto each = analysis.mentions.lower_bound({offset, ""});
       each != analysis.mentions.end() && each->first.first == offset; ++each) {
    if (++count > most) return text + "...\n";
    const std::string line = type_line(each->second);
    const std::string& scope = each->first.second;
    text += line + (scope.empty() ? "" : "    % in " + scope) + "\n";
  }
  return text;
}

/// Of the same name elsewhere, the last before the offset.
std::string types_nearby(const Analysis& analysis, const std::string& name, std::uint32_t offset) {
  std::string text;
  for (const auto& [key, info] : analysis.mentions)
    if (info.name == name && (key.first <= offset || text.empty())) text = type_line(info) + "\n";
  return text;
}

Json markdown(const std::string& code, const std::string& text, Json range) {
  std::string value = code.empty() ? "" : "```octave\n" + code + (code.ends_with('\n') ? "" : "\n") + "```\n";
  return {{"contents", {{"kind", "markdown"}, {"value", value + text}}}, {"range", std::move(range)}};
}

}  // namespace

Json hover(const Asked& asked, std::size_t offset) {
  const Analysis& analysis = asked.analysis;
  const frontend::Token* name = name_at(analysis, offset);
  if (!name) return nullptr;
  const Json range = range_of(Positions(analysis.text()), name->span.begin, name->span.end);
  const bool parses = analysis.program() != nullptr;
  const Analysis& known = parses || !asked.parsed ? analysis : *asked.parsed;
  const Span first = first_assignment(known, name->text, std::min<std::size_t>(offset, known.text().size()));
  if (first.valid()) {
    std::string types = parses ? types_at(analysis, name->span.begin) : "";
    if (types.empty()) types = types_nearby(known, name->text, name->span.begin);
    if (types.empty()) types = name->text + ": a variable; its type is known where it is computed\n";
    const std::string line = std::to_string(known.module->sources.begin(first).line);
    return markdown(types, parses ? "first set in line " + line : "", range);
  }
  const auto help = function_help(name->text, known.program(), known.module->sources, known.module->finder);
  return help ? markdown(*help, "", range) : Json(nullptr);
}

}  // namespace lac::driver::lsp
