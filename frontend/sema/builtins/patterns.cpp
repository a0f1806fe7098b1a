// regexprep, regexp, regexpi: regular expressions over strings that are known while the program is compiled.
#include <algorithm>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/characters.h"
#include "frontend/sema/values/aggregate.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

// Octave's `.` matches the end of a line too; the dots of a class and escaped ones are themselves.
std::string with_dots_for_all(const std::string& pattern) {
  std::string made;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      made += {c, pattern[++i]};
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

std::regex compiled(Call& call, const std::string& written, bool ignore_case) {
  const std::string pattern = without_names(written).pattern;
  if (pattern.find("(?<") != std::string::npos || pattern.find("(?i") != std::string::npos)
    call.fail("lookbehind and options inside of a pattern are outside the language");
  try {
    return std::regex(with_dots_for_all(pattern),
                      ignore_case ? std::regex::ECMAScript | std::regex::icase : std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    call.fail("the pattern '" + pattern + "' is not understood: " + error.what());
  }
}

// What replaces a match, for std::regex: there '$' alone and "$&" mean more than in Octave, where "$0" is the match and
// "\\$" a dollar sign.
std::string replacement_format(const Binding& replacement) {
  const std::string& text = replacement.text;
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes = text[i] == '\\' && i + 1 < text.size();
    if (escapes && (text[i + 1] == '$' || text[i + 1] == '\\')) made += text[++i] == '$' ? "$$" : "\\";
    else if (escapes && !replacement.double_quoted &&
             std::string_view("abfnrtv").find(text[i + 1]) != std::string_view::npos)
      made += expand_escapes(text.substr(i++, 2));
    else if (escapes && !replacement.double_quoted) made += text[++i];
    else if (text[i] == '$' && is_digit(i + 1) && text[i + 1] == '0') made += "$&", ++i;
    else if (text[i] == '$' && !is_digit(i + 1)) made += "$$";
    else made += text[i];
  }
  return made;
}

// Octave passes over empty matches.
std::string replaced(const std::string& text, const std::regex& expression, const std::string& format, bool once) {
  std::string made;
  std::size_t done = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    if (at->length() == 0) continue;
    const auto begin = static_cast<std::size_t>(at->position());
    made += text.substr(done, begin - done) + at->format(format);
    done = begin + static_cast<std::size_t>(at->length());
    if (once) break;
  }
  return made + text.substr(done);
}

std::vector<Binding> regexprep(Call& call) {
  bool once = false, ignore_case = false;
  for (std::size_t i = 3; i < call.count(); ++i) {
    const std::string& option = call.text(i);
    if (option == "once") once = true;
    else if (option == "ignorecase") ignore_case = true;
    else call.fail("the option '" + option + "' is outside the language: once and ignorecase are inside");
  }
  call.text(2);  // refused where it is no string that is known
  const std::string text = call.text(0);
  const std::regex expression = compiled(call, call.text(1), ignore_case);
  return {
      Binding::string(replaced(text, expression, replacement_format(call.args[2]), once), call.args[0].double_quoted)};
}

// -- regexp

using Matches = std::vector<std::smatch>;

Binding text_of(const std::string& text) { return Binding::string(text, false); }

Binding row_of(std::vector<Binding> items) {
  const auto count = static_cast<std::int64_t>(items.size());
  return cell_array(1, count, std::move(items));
}

// The tokens that took part.
Binding tokens_of(const std::smatch& match) {
  std::vector<Binding> tokens;
  for (std::size_t i = 1; i < match.size(); ++i)
    if (match[i].matched) tokens.push_back(text_of(match[i].str()));
  return row_of(std::move(tokens));
}

std::size_t first_of(const std::smatch& match) { return static_cast<std::size_t>(match.position()); }

// The place of the last character, counted from 0.
std::size_t last_of(const std::smatch& match) { return first_of(match) + static_cast<std::size_t>(match.length()) - 1; }

Binding places_of(Call& call, const Matches& matches, std::size_t (*place)(const std::smatch&)) {
  Builder& b = call.emit.builder;
  if (matches.empty()) return Binding::matrix(b.fill(b.constant(0, call.emit.graph.precision), 1, 0));
  std::vector<std::size_t> found;
  for (const std::smatch& match : matches) found.push_back(place(match));
  return Binding::matrix(row_of_places(call.emit, found));
}

Binding cells_of(const Matches& matches, Binding (*part)(const std::smatch&)) {
  std::vector<Binding> items;
  for (const std::smatch& match : matches) items.push_back(part(match));
  return row_of(std::move(items));
}

Binding match_of(const std::smatch& match) { return text_of(match.str()); }

Binding between(const std::string& text, const Matches& matches) {
  std::vector<Binding> parts;
  std::size_t begin = 0;
  for (const std::smatch& match : matches) {
    parts.push_back(text_of(text.substr(begin, first_of(match) - begin)));
    begin = first_of(match) + static_cast<std::size_t>(match.length());
  }
  parts.push_back(text_of(text.substr(begin)));
  return row_of(std::move(parts));
}

// The results in Octave's order, by the word that asks for one.
constexpr std::string_view results[] = {"start", "end", "tokenExtents", "match", "tokens", "names", "split"};

// A struct for each match, with a field for each name; of no match 0x0.
Binding names_of(Call& call, const Matches& matches) {
  const auto count = static_cast<std::int64_t>(matches.size());
  Aggregate made{count == 0 ? 0 : 1, count, {}};
  const std::vector<std::string> names = without_names(call.text(1)).names;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty()) continue;
    Slot slot{names[k], {}};
    for (const std::smatch& match : matches) slot.items.push_back(text_of(match[k + 1].str()));
    made.slots.push_back(std::move(slot));
  }
  return Binding::of(Binding::Kind::record, std::move(made));
}

Binding empty_matrix(Call& call, std::int64_t rows, std::int64_t cols) {
  return Binding::matrix(call.emit.builder.fill(call.emit.builder.constant(0, call.emit.graph.precision), rows, cols));
}

// A row for each token with the places of its first and last character.
Binding extents_of(Call& call, const std::smatch& match) {
  std::vector<double> places;
  for (std::size_t i = 1; i < match.size(); ++i) {
    if (!match[i].matched) continue;
    places.push_back(static_cast<double>(match.position(i)) + 1);
    places.push_back(static_cast<double>(match.position(i) + match.length(i)));
  }
  if (places.empty()) return empty_matrix(call, 0, 2);
  return Binding::matrix(matrix_by_rows(call.emit, places, places.size() / 2));
}

Binding all_extents(Call& call, const Matches& matches) {
  std::vector<Binding> items;
  for (const std::smatch& match : matches) items.push_back(extents_of(call, match));
  return row_of(std::move(items));
}

Binding result(Call& call, std::string_view wanted, const std::string& text, const Matches& matches, bool once) {
  const bool none = once && matches.empty();
  Binding made;
  if (wanted == "start") made = places_of(call, matches, first_of);
  else if (wanted == "end") made = places_of(call, matches, last_of);
  else if (wanted == "match") made = none ? text_of("") : once ? match_of(matches[0]) : cells_of(matches, match_of);
  else if (wanted == "tokens")
    made = none ? cell_array(0, 0, {}) : once ? tokens_of(matches[0]) : cells_of(matches, tokens_of);
  else if (wanted == "names") made = names_of(call, matches);
  else if (wanted == "split") made = none ? text_of(text) : between(text, matches);
  else if (none) made = empty_matrix(call, 0, 0);
  else made = once ? extents_of(call, matches[0]) : all_extents(call, matches);
  return made;
}

std::vector<Binding> regexp(Call& call) {
  bool once = false, ignore_case = call.name == "regexpi";
  std::vector<std::string_view> order;
  for (std::size_t i = 2; i < call.count(); ++i) {
    const std::string& option = call.text(i);
    if (option == "once") once = true;
    else if (option == "ignorecase") ignore_case = true;
    else if (std::ranges::find(results, option) != std::end(results)) order.push_back(option);
    else call.fail("the option '" + option + "' is outside the language");
  }
  for (const std::string_view each : results)  // what is not asked for by a word follows in order
    if (std::ranges::find(order, each) == order.end()) order.push_back(each);
  const std::string& text = call.text(0);
  const std::regex expression = compiled(call, call.text(1), ignore_case);
  Matches matches;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    if (at->length() == 0) continue;  // Octave passes over empty matches
    matches.push_back(*at);
    if (once) break;
  }
  std::vector<Binding> made;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(call.nargout, 1)); ++i)
    made.push_back(result(call, order[i], text, matches, once));
  return made;
}

constexpr Builtin entries[] = {
    {"regexprep", 3, -1, 1, regexprep},
    {"regexp", 2, -1, 7, regexp},
    {"regexpi", 2, -1, 7, regexp},
};

}  // namespace

std::span<const Builtin> pattern_builtins() { return entries; }

}  // namespace lac::frontend
