#include "frontend/lexer/commands.h"

#include <algorithm>
#include <array>

#include "frontend/lexer/literals.h"
#include "frontend/lexer/token.h"

namespace lac::frontend {
namespace {

// What programs write without parentheses.
constexpr std::array<std::string_view, 23> session_words = {
    "axis",     "box",     "clc",    "clear",  "clearvars", "clf",     "close",  "colorbar",
    "colormap", "drawnow", "figure", "format", "grid",      "hold",    "legend", "load",
    "more",     "pkg",     "print",  "save",   "shading",   "subplot", "warning"};

// After these Octave never looks for a command.
constexpr std::array<std::string_view, 11> constant_words = {"e",   "pi",  "i",   "j",  "I",  "J",
                                                             "Inf", "inf", "NaN", "NA", "nan"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool ends_statement(std::string_view text, std::size_t i) {
  constexpr std::string_view ends = "\n;,%#";
  return i >= text.size() || ends.find(text[i]) != std::string_view::npos;
}

/// Whether what stands after `name` and a blank makes it a command: a word, or an operator glued to what follows.
bool reads_as_command(std::string_view text, std::size_t i) {
  if (ends_statement(text, i) || text[i] == '(' || text.substr(i, 3) == "...") return false;
  if (text[i] == '\'' || text[i] == '@' || text[i] == '[') return true;
  if (text[i] == '{') return false;
  if (text[i] == '.' && i + 1 < text.size() && is_name_start(text[i + 1])) return false;
  const std::size_t length = find_operator(text, i).length;
  if (length == 0) return static_cast<unsigned char>(text[i]) < 0x80;
  if (text.substr(i, length) == "=") return false;
  return i + length >= text.size() || !is_blank(text[i + length]);
}

std::vector<Command::Word> words_of(std::string_view text, std::size_t i) {
  std::vector<Command::Word> words;
  while (true) {
    while (i < text.size() && is_blank(text[i])) ++i;
    if (ends_statement(text, i)) return words;
    Command::Word word{i, i};
    if (text[i] == '\'' || text[i] == '"') {
      StringLiteral quoted = scan_string(text, i);
      word.text = std::move(quoted.text);
      i = quoted.end;
    } else {
      while (!ends_statement(text, i) && !is_blank(text[i])) ++i;
      word.text = text.substr(word.begin, i - word.begin);
    }
    word.end = i;
    words.push_back(std::move(word));
  }
}

}  // namespace

Command find_command(std::string_view text, std::size_t begin, std::size_t name_end) {
  const std::string name(text.substr(begin, name_end - begin));
  std::size_t next = name_end;
  while (next < text.size() && is_blank(text[next])) ++next;
  if (next == name_end || contains(constant_words, name) || !reads_as_command(text, next)) return {};
  if (contains(session_words, name)) return {.words = words_of(text, next)};

  std::size_t end = next;
  while (!ends_statement(text, end)) ++end;
  while (is_blank(text[end - 1])) --end;
  const std::string written(text.substr(begin, std::min<std::size_t>(end - begin, 60)));
  if (is_name_start(text[next])) {
    const std::string argument(text.substr(next, std::min<std::size_t>(end - next, 40)));
    return {end, "command syntax is outside the language: write " + name + "(\"" + argument + "\"), or put an " +
                     "operator between '" + name + "' and '" + argument + "'"};
  }
  return {end, "Octave reads '" + written + "' as a command and its words; put blanks on both sides of the operator, " +
                   "or on none"};
}

}  // namespace lac::frontend
