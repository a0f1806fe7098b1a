// regexprep, regexp, regexpi: regular expressions over strings. Where the run makes one of them a step gives what is
// one string or a row of numbers.
#include <algorithm>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/characters.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/text_pattern.h"

namespace lac::frontend {
namespace {

TextPattern compiled(Call& call, const std::string& written, bool ignore_case) {
  Result<TextPattern> pattern = TextPattern::of(written, ignore_case);
  if (!pattern) call.fail(pattern.failure().message);
  return pattern.take();
}

/// The options of the steps of patterns.
ValueId step_options(Call& call, bool once, bool ignore_case, bool expands = false) {
  return call.emit.builder.text(std::string(once ? "o" : "") + (ignore_case ? "i" : "") + (expands ? "e" : ""));
}

/// Whether the strings are known, all of them; a pattern that is known is understood then.
bool known_strings(Call& call, std::size_t count, bool ignore_case) {
  bool known = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!call.is_text(i)) call.fail("argument " + std::to_string(i + 1) + " must be a string");
    known = known && call.args[i].is_known_text();
  }
  if (call.args[1].is_known_text()) (void)compiled(call, call.text(1), ignore_case);
  return known;
}

std::vector<Binding> regexprep(Call& call) {
  bool once = false, ignore_case = false;
  for (std::size_t i = 3; i < call.count(); ++i) {
    const std::string& option = call.text(i);
    if (option == "once") once = true;
    else if (option == "ignorecase") ignore_case = true;
    else call.fail("the option '" + option + "' is outside the language: once and ignorecase are inside");
  }
  const bool known = known_strings(call, 3, ignore_case), expands = !call.args[2].double_quoted;
  const Binding& s = call.args[0];
  if (known)
    return {Binding::string(
        compiled(call, call.text(1), ignore_case).replaced(s.text, replacement_format(call.text(2), expands), once),
        s.double_quoted)};
  Emitter& e = call.emit;
  return {text_step_or_nothing(
      e, LibraryFn::text_substitute, LibraryFn::text_substitute_length,
      {codes(e, s), codes(e, call.args[1]), codes(e, call.args[2]), step_options(call, once, ignore_case, expands)}, 1,
      s.double_quoted)};
}

// -- regexp

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

/// "once" has its tokens below each other.
Binding as_column(const Binding& cells) {
  const auto count = static_cast<std::int64_t>(items_of(cells).size());
  return cell_array(count, count > 0 ? 1 : 0, items_of(cells));
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
  const std::vector<std::string> names = token_names(call.text(1));
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
    made = none ? cell_array(0, 0, {}) : once ? as_column(tokens_of(matches[0])) : cells_of(matches, tokens_of);
  else if (wanted == "names") made = names_of(call, matches);
  else if (wanted == "split") made = none ? text_of(text) : between(text, matches);
  else if (none) made = empty_matrix(call, 0, 0);
  else made = once ? extents_of(call, matches[0]) : all_extents(call, matches);
  return made;
}

/// How many tokens a pattern has, where each of them takes part in every match and what stands around a match does not
/// matter for it: then they are found again in the match alone.
std::optional<std::size_t> plain_tokens(std::string_view pattern) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i], next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (c == '\\') {
      if (next == 'b' || next == 'B' || next == '<' || next == '>') return std::nullopt;
      ++i;
    } else if (c == '[') {
      i = std::min(pattern.find(']', i + 2), pattern.size());
    } else if (c == '|' || (c == '(' && next == '?') || (c == ')' && (next == '?' || next == '*' || next == '{'))) {
      return std::nullopt;
    } else if (c == '(') {
      ++count;
    }
  }
  return count;
}

Binding result_of_run(Call& call, std::string_view wanted, bool once, bool ignore_case);

/// All matches, or what stands between them: how many there are the run finds.
Binding texts_of_run(Call& call, std::string_view wanted, bool ignore_case) {
  const bool between = wanted == "split";
  return call.walk.call_by_name(
      "regexp_by_places",
      {call.args[0], result_of_run(call, "start", false, ignore_case), result_of_run(call, "end", false, ignore_case)},
      between ? 2 : 1, call.span)[between ? 1 : 0];
}

/// The tokens of the first match, or of all.
Binding tokens_of_run(Call& call, bool once, bool ignore_case) {
  const auto count = call.args[1].is_known_text() && !ignore_case ? plain_tokens(call.args[1].text) : std::nullopt;
  if (!count)
    call.fail(
        "of a string that the run makes, \"tokens\" are those of a pattern that is known, in which each takes part in "
        "every match: without |, (?, )?, )* and \\b");
  const ValueId number = call.emit.builder.constant(static_cast<double>(*count), call.emit.graph.precision);
  std::vector<Binding> arguments = {call.args[1], Binding::matrix(number)};
  if (once) {
    arguments.insert(arguments.begin(), result_of_run(call, "match", true, ignore_case));
    return call.walk.call_by_name("regexp_by_tokens", std::move(arguments), 1, call.span)[0];
  }
  for (const char* places : {"start", "end"}) arguments.push_back(result_of_run(call, places, false, ignore_case));
  arguments.insert(arguments.begin(), call.args[0]);
  return call.walk.call_by_name("regexp_by_all_tokens", std::move(arguments), 1, call.span)[0];
}

/// The same of a string that the run makes.
Binding result_of_run(Call& call, std::string_view wanted, bool once, bool ignore_case) {
  Emitter& e = call.emit;
  const bool last = wanted == "end";
  std::vector<ValueId> operands = {codes(e, call.args[0]), codes(e, call.args[1]),
                                   step_options(call, once, ignore_case)};
  if (wanted == "match" && once)
    return text_step_or_nothing(e, LibraryFn::text_match, LibraryFn::text_match_length, operands, 1, false);
  if (wanted == "tokens") return tokens_of_run(call, once, ignore_case);
  if ((wanted == "match" || wanted == "split") && !once) return texts_of_run(call, wanted, ignore_case);
  if (wanted != "start" && !last)
    call.fail(
        "of a string that the run makes, \"start\", \"end\", \"match\", \"split\" and \"tokens\" are inside the "
        "language");
  operands.push_back(e.builder.constant(last ? 1 : 0, Element::integer));
  return Binding::matrix(row_step(e, LibraryFn::text_match_places, LibraryFn::text_match_places_length, operands,
                                  once ? Size(0) : Size(1)));
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
  const bool known = known_strings(call, 2, ignore_case);
  const std::string& text = call.args[0].text;
  const Matches matches = known ? compiled(call, call.text(1), ignore_case).matches(text, once) : Matches();
  std::vector<Binding> made;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(call.nargout, 1)); ++i)
    made.push_back(known ? result(call, order[i], text, matches, once)
                         : result_of_run(call, order[i], once, ignore_case));
  return made;
}

}  // namespace

std::span<const Builtin> pattern_builtins() {
  static constexpr Builtin entries[] = {
      {"regexprep", 3, -1, 1, regexprep},
      {"regexp", 2, -1, 7, regexp},
      {"regexpi", 2, -1, 7, regexp},
  };
  return entries;
}

}  // namespace lac::frontend
