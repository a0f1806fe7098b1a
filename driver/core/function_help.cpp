#include "driver/core/function_help.h"

#include <algorithm>
#include <vector>

#include "frontend/builtin_help.h"
#include "frontend/lexer/comments.h"

namespace lac::driver {

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// The comment lines right above a line (from 1), without their marks.
std::string comment_above(const SourceManager& sources, FileId file, std::uint32_t line) {
  std::vector<std::string> lines;
  for (; line > 1; --line) {
    const std::string_view above = sources.line(file, line - 1);
    const std::size_t start = above.find_first_not_of(" \t");
    if (start == std::string_view::npos || !frontend::is_comment_mark(above[start])) break;
    lines.emplace_back(frontend::comment_text(above.substr(start)));
  }
  std::string text;
  for (auto each = lines.rbegin(); each != lines.rend(); ++each) text += "\n" + *each;
  return text;
}

}  // namespace

std::optional<std::string> function_help(const std::string& name, const frontend::ast::Program* program,
                                         const SourceManager& sources, const FunctionFinder& finder) {
  for (const frontend::ast::Function& function :
       program ? program->functions : std::vector<frontend::ast::Function>{}) {
    if (function.name.text != name) continue;
    return "function " + std::string(sources.text(function.signature)) +
           comment_above(sources, function.span.file, sources.begin(function.span).line);
  }
  if (const frontend::BuiltinHelp* help = frontend::help_of_builtin(name))
    return std::string(help->forms) + "\n" + std::string(help->what);
  if (const auto found = finder.find(name)) {
    const std::string comment = frontend::opening_comment(found->text);
    return comment.empty() ? name + " (" + found->path + ")" : std::string(without_blanks(comment));
  }
  return std::nullopt;
}

std::string call_forms(std::string_view help) {
  std::string_view line = help.substr(0, help.find('\n'));
  line = line.substr(0, line.find("   "));
  return std::string(without_blanks(line));
}

}  // namespace lac::driver
