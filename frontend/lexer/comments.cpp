#include "frontend/lexer/comments.h"

#include <algorithm>
#include <utility>

#include "frontend/lexer/literals.h"

namespace lac::frontend {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_marks(std::string_view comment) {
  while (!comment.empty() && is_comment_mark(comment.front())) comment.remove_prefix(1);
  return comment;
}

}  // namespace

std::string_view line_at(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  return trimmed(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
}

bool is_block_mark(std::string_view line, char brace) {
  return line.size() == 2 && is_comment_mark(line[0]) && line[1] == brace;
}

std::string_view comment_text(std::string_view comment) { return trimmed(without_marks(comment)); }

std::string opening_comment(std::string_view text) {
  std::string help;
  bool first_line = true;
  while (!text.empty()) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    const std::string_view line = trimmed(whole);
    const bool interpreter = std::exchange(first_line, false) && whole.substr(0, 2) == "#!";
    if (interpreter || (line.empty() && help.empty())) continue;
    if (line.empty() || !is_comment_mark(line.front()) || is_block_mark(line, '{')) break;
    std::string_view said = without_marks(line);
    if (!said.empty() && is_blank(said.front())) said.remove_prefix(1);
    help.append(said).append("\n");
  }
  return help;
}

}  // namespace lac::frontend
