#include <array>
#include <map>

#include "driver/core/function_help.h"
#include "driver/lsp/answers.h"
#include "frontend/builtin_help.h"
#include "frontend/lexer/literals.h"

namespace lac::driver::lsp {

namespace {

/// Numbers of the protocol's CompletionItemKind.
enum ItemNumber { function_item = 3, variable_item = 6, keyword_item = 14 };

constexpr std::array<std::string_view, 19> keywords = {
    "break", "continue", "do", "else",      "elseif", "end",    "endfor", "endfunction", "endif", "endwhile",
    "for",   "function", "if", "precision", "return", "output", "param",  "until",       "while"};

class Items {
 public:
  explicit Items(std::string prefix) : prefix_(std::move(prefix)) {}

  bool wants(std::string_view name) const { return name.starts_with(prefix_) && items_.count(std::string(name)) == 0; }
  void add(std::string_view name, ItemNumber kind, std::string detail) {
    if (!wants(name)) return;
    Json item = {{"label", name}, {"kind", static_cast<int>(kind)}};
    if (!detail.empty()) item["detail"] = std::move(detail);
    items_.emplace(name, std::move(item));
  }
  Json take() const {
    Json list = Json::array();
    for (const auto& [name, item] : items_) list.push_back(item);
    return {{"isIncomplete", false}, {"items", std::move(list)}};
  }

 private:
  std::string prefix_;
  std::map<std::string, Json> items_;
};

std::string prefix_before(std::string_view text, std::size_t offset) {
  std::size_t begin = offset;
  while (begin > 0 && frontend::is_name_part(text[begin - 1])) --begin;
  return std::string(text.substr(begin, offset - begin));
}

/// Names that are given a value somewhere, by the tokens: it works while the text does not parse.
void add_variables(const Asked& asked, std::size_t offset, Items& items) {
  std::map<std::string, std::string> shapes;
  for (const Analysis* analysis : {asked.parsed, &asked.analysis}) {
    if (!analysis) continue;
    for (const auto& [place, info] : analysis->mentions)
      if (items.wants(info.name)) shapes[info.name] = info.shape.empty() ? info.element : info.shape;
  }
  const std::set<std::string> variables = variables_at(asked.analysis, offset);
  for (const frontend::Token& token : asked.analysis.tokens.tokens) {
    if (token.kind != frontend::TokenKind::identifier || token.span.end == offset || !items.wants(token.text)) continue;
    if (const auto shape = shapes.find(token.text); shape != shapes.end())
      items.add(token.text, variable_item, shape->second);
    else if (variables.contains(token.text)) items.add(token.text, variable_item, "");
  }
}

}  // namespace

Json completion(const Asked& asked, std::size_t offset) {
  const Analysis& known = asked.parsed ? *asked.parsed : asked.analysis;
  Items items(prefix_before(asked.analysis.text(), offset));
  add_variables(asked, offset, items);
  const auto add_function = [&](const std::string& name) {
    if (!items.wants(name)) return;
    const auto help = function_help(name, known.program(), known.module->sources, known.module->finder);
    items.add(name, function_item, help ? call_forms(*help) : "");
  };
  if (known.program())
    for (const frontend::ast::Function& function : known.program()->functions) add_function(function.name.text);
  for (const std::string& name : frontend::names_of_builtins()) add_function(name);
  for (const LibraryText& entry : solver_library()) add_function(std::string(entry.name));
  for (const std::string_view word : keywords) items.add(word, keyword_item, "");
  return items.take();
}

}  // namespace lac::driver::lsp
