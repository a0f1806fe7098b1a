#include "frontend/lexer/commands.h"

#include <algorithm>
#include <array>

#include "frontend/lexer/literals.h"
#include "frontend/lexer/token.h"

namespace lac::frontend {
namespace {

// They change the state of Octave's session, of which a program has none.
constexpr std::array<std::string_view, 9> session_words = {"clc",  "clear", "clearvars", "figure", "format",
                                                           "hold", "more",  "pkg",       "close"};

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

}  // namespace

Command find_command(std::string_view text, std::size_t begin, std::size_t name_end) {
  const std::string name(text.substr(begin, name_end - begin));
  std::size_t next = name_end;
  while (next < text.size() && is_blank(text[next])) ++next;
  const bool session = contains(session_words, name);
  // `close` is too good a name for a variable to be refused where it stands alone.
  if (session && name != "close" && ends_statement(text, next)) {
    return {name_end, "'" + name + "' is outside the language: a program has no session; remove the line"};
  }
  if (next == name_end || contains(constant_words, name) || !reads_as_command(text, next)) return {};

  std::size_t end = next;
  while (!ends_statement(text, end)) ++end;
  while (is_blank(text[end - 1])) --end;
  std::string written(text.substr(begin, std::min<std::size_t>(end - begin, 60)));
  if (session) return {end, "'" + written + "' is outside the language: a program has no session; remove the line"};
  if (is_name_start(text[next])) {
    const std::string argument(text.substr(next, std::min<std::size_t>(end - next, 40)));
    return {end, "command syntax is outside the language: write " + name + "(\"" + argument + "\"), or put an " +
                     "operator between '" + name + "' and '" + argument + "'"};
  }
  return {end, "Octave reads '" + written + "' as a command and its words; put blanks on both sides of the operator, " +
                   "or on none"};
}

}  // namespace lac::frontend
