#include "ir/support/text_pattern.h"

#include <string_view>

#include "ir/support/printf.h"

namespace lac {
namespace {

// What the dialects of Octave and of std::regex tell apart: Octave's `.` matches the end of a line too, but for the
// dots of a class and escaped ones; `\<` and `\>` stand before and behind words.
std::string translated(const std::string& pattern) {
  std::string made;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const char escaped = pattern[++i];
      if (escaped == '<' && !in_class) made += "(?:\\b(?=\\w)|\\B(?!\\w))";
      else if (escaped == '>' && !in_class) made += "(?!\\w)";
      else made += {c, escaped};
      continue;
    }
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    if (c == '.' && !in_class) made += "[\\s\\S]";
    else made += c;
  }
  return made;
}

/// A pattern without the names of its tokens, and these names, empty for tokens without one.
struct Named {
  std::string pattern;
  std::vector<std::string> names;
};

Named without_names(const std::string& pattern) {
  Named made;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    made.pattern += c;
    if (c == '\\' && i + 1 < pattern.size()) made.pattern += pattern[++i];
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    if (c != '(' || in_class) continue;
    const bool marked = pattern.compare(i + 1, 1, "?") == 0;
    const std::size_t end = pattern.find('>', i);
    const bool named = pattern.compare(i + 1, 2, "?<") == 0 && end != std::string::npos &&
                       pattern.compare(i + 3, 1, "=") != 0 && pattern.compare(i + 3, 1, "!") != 0;
    if (named) {
      made.names.push_back(pattern.substr(i + 3, end - i - 3));
      i = end;
    } else if (!marked) {
      made.names.emplace_back();
    }
  }
  return made;
}

}  // namespace

Result<TextPattern> TextPattern::of(const std::string& written, bool ignore_case) {
  const std::string pattern = without_names(written).pattern;
  if (pattern.find("(?<") != std::string::npos || pattern.find("(?i") != std::string::npos)
    return Failure{"lookbehind and options inside of a pattern are outside the language"};
  try {
    return TextPattern(std::regex(translated(pattern),
                                  ignore_case ? std::regex::ECMAScript | std::regex::icase : std::regex::ECMAScript));
  } catch (const std::regex_error& error) {
    return Failure{"the pattern '" + pattern + "' is not understood: " + error.what()};
  }
}

Matches TextPattern::matches(const std::string& text, bool once) const {
  Matches found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression_), end; at != end; ++at) {
    if (at->length() == 0) continue;
    found.push_back(*at);
    if (once) break;
  }
  return found;
}

std::string TextPattern::replaced(const std::string& text, const std::string& format, bool once) const {
  std::string made;
  std::size_t done = 0;
  for (const std::smatch& match : matches(text, once)) {
    const auto begin = static_cast<std::size_t>(match.position());
    made += text.substr(done, begin - done) + match.format(format);
    done = begin + static_cast<std::size_t>(match.length());
  }
  return made + text.substr(done);
}

std::vector<std::string> token_names(const std::string& pattern) { return without_names(pattern).names; }

// For std::regex '$' alone and "$&" mean more than in Octave, where "$0" is the match and "\\$" a dollar sign.
std::string replacement_format(const std::string& text, bool expands) {
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  const auto is_octal = [&](std::size_t i) { return is_digit(i) && text[i] < '8'; };
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes = text[i] == '\\' && i + 1 < text.size();
    if (escapes && (text[i + 1] == '$' || text[i + 1] == '\\')) made += text[++i] == '$' ? "$$" : "\\";
    else if (escapes && expands && std::string_view("abfnrtv").find(text[i + 1]) != std::string_view::npos)
      made += expand_escapes(text.substr(i++, 2));
    else if (escapes && expands && is_octal(i + 1)) {
      std::size_t digits = 1;
      while (digits < 3 && is_octal(i + 1 + digits)) ++digits;
      const std::string character = expand_escapes(text.substr(i, 1 + digits));
      made += character == "$" ? "$$" : character;
      i += digits;
    } else if (escapes && expands) made += text[++i];
    else if (text[i] == '$' && is_digit(i + 1) && text[i + 1] == '0') made += "$&", ++i;
    else if (text[i] == '$' && !is_digit(i + 1)) made += "$$";
    else made += text[i];
  }
  return made;
}

}  // namespace lac
