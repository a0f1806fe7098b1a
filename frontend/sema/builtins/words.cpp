// strtok, ostrsplit, validatestring, strsplit, ...: words and choices in strings.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/characters.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

Binding text_of(std::string text) { return Binding::string(std::move(text), false); }

// [word, rest] = strtok(s[, separators])
std::vector<Binding> strtok(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a character string or cell array of strings.");
  const Binding separators = call.count() > 1 ? call.args[1] : text_of(std::string(space_characters));
  if (!separators.is_text()) call.fail("DELIM must be a string");
  if (call.args[0].is_known_text() && separators.is_known_text()) {
    const auto [word, rest] = first_word(call.text(0), separators.text);
    return {text_of(std::string(word)), text_of(std::string(rest))};
  }
  Emitter& e = call.emit;
  const auto part = [&](int which, ValueId keeps_shape) {
    const std::vector<ValueId> operands = {codes(e, call.args[0]), codes(e, separators),
                                           e.builder.constant(which, Element::integer)};
    return text_step_or_nothing(e, LibraryFn::text_word, LibraryFn::text_word_length, operands, 1, false, keeps_shape);
  };
  const ValueId some = e.builder.map(ScalarOp::logical_not,  // a word without characters in what has some is 1x0
                                     e.equal_sizes(call.type(codes(e, call.args[0])).count(), 0));
  return {part(0, some), part(1, {})};
}

// ostrsplit(s, separators[, whether empty parts are left out]): every character of `separators` separates.
std::vector<Binding> ostrsplit(Call& call) {
  if (!call.is_text(0) || !call.is_text(1)) call.fail("S and SEP must be string values");
  if (!call.args[0].is_known_text() || !call.args[1].is_known_text())
    return call.walk.call_by_name("ostrsplit_by_loop", call.args, 1, call.span);
  const std::string &text = call.text(0), &separators = call.text(1);
  const bool strip = call.count() > 2 && call.constant_integer(2, "STRIP_EMPTY") != 0;
  std::vector<Binding> parts;
  for (std::size_t begin = 0, end = 0; end != text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    if (!strip || end > begin) parts.push_back(text_of(text.substr(begin, end - begin)));
    if (end + 1 == text.size() && !strip) parts.push_back(text_of(""));
    if (end + 1 == text.size()) break;
  }
  const auto count = static_cast<std::int64_t>(parts.size());
  return {cell_array(1, count, std::move(parts))};
}

std::vector<Binding> cellstr(Call& call) {
  if (call.args[0].is_cell()) return {call.args[0]};
  if (!call.is_text(0)) call.fail("argument STRING must be a 2-D character array");
  if (!call.args[0].is_known_text()) return call.walk.call_by_name("cellstr_by_rows", {call.args[0]}, 1, call.span);
  const std::string& text = call.text(0);
  return {cell_array(1, 1, {text_of(text.substr(0, text.find_last_not_of(' ') + 1))})};
}

std::vector<Binding> cstrcat(Call& call) {
  for (std::size_t i = 0; i < call.count(); ++i)
    if (!call.is_text(i)) call.fail("arguments must be character strings");
  if (call.count() == 0) return {text_of("")};
  return {join_strings(call.emit, call.args, call.span)};
}

// The strings of all arguments below each other, filled with blanks; strvcat leaves empty ones out.
std::vector<Binding> strvcat(Call& call) {
  std::vector<Binding> lines;
  for (const Binding& argument : call.args) {
    const std::vector<Binding> each = argument.is_cell() ? items_of(argument) : std::vector{argument};
    for (const Binding& line : each) {
      if (!line.is_text()) call.fail("wrong type argument: what stands below each other must be strings");
      if (line.is_known_text() && line.text.empty()) continue;
      const ValueId none = call.emit.equal_sizes(call.type(codes(call.emit, line)).count(), 0);
      call.emit.refuse_unless(call.emit.builder.map(ScalarOp::logical_not, none),
                              "strvcat: a string that the run finds to be empty: use char, which keeps it as a row");
      lines.push_back(line);
    }
  }
  if (lines.empty()) return {text_of("")};
  return {rows_of_text(call, lines)};
}

// validatestring(s, choices[, function[, variable[, position]]])
std::vector<Binding> validatestring(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a single character string");
  if (!call.args[1].is_cell()) call.fail("STRARRAY must be a cellstr");
  if (!call.args[0].is_known_text()) return call.walk.call_by_name("validatestring_by_loop", call.args, 1, call.span);
  const std::string given = lower_case(call.text(0));
  std::vector<std::string> matches, choices;
  for (const Binding& item : items_of(call.args[1])) {
    if (!item.is_known_text()) call.fail("STRARRAY must be a cellstr");
    choices.push_back(item.text);
    if (lower_case(item.text).starts_with(given)) matches.push_back(item.text);
  }
  const auto listed = [](const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "'" : ", '") + text + "'";
    return list;
  };
  const std::string named = call.count() > 2 && !call.text(2).empty() ? call.text(2) : call.name;
  std::string about = named + ": '" + call.text(0) + "' ";
  if (call.count() > 3) about += "(variable " + call.text(3) + ") ";
  if (matches.empty()) call.emit.fail(call.span, about + "does not match any of\n" + listed(choices));
  const std::string shortest = *std::ranges::min_element(matches, {}, &std::string::size);
  for (const std::string& match : matches)
    if (!lower_case(match).starts_with(lower_case(shortest)))
      call.emit.fail(call.span, about + "matches multiple possible values:\n" + listed(matches));
  return {text_of(shortest)};
}

/// The strings of a string or a cell array of strings that is known.
std::vector<std::string> known_strings(Call& call, std::size_t i) {
  if (!call.args[i].is_cell() || call.args[i].aggregate->stacked) return {call.text(i)};
  std::vector<std::string> all;
  for (const Binding& item : items_of(call.args[i])) {
    if (!item.is_known_text())
      call.fail("the strings of argument " + std::to_string(i + 1) + " must be known while the program is compiled");
    all.push_back(item.text);
  }
  return all;
}

struct SplitOptions {
  std::vector<std::string> separators = {" "};
  bool collapse = true;  ///< runs of separators count as one
};

SplitOptions split_options(Call& call) {
  SplitOptions options;
  std::size_t i = 1;
  const bool begins_with_name =
      call.is_text(1) && lower_case(call.text(1)) == "collapsedelimiters" && call.count() % 2 == 1;
  if (call.count() > 1 && !begins_with_name) {
    options.separators = known_strings(call, i++);
    for (std::string& each : options.separators) each = expand_escapes(each);
  }
  const auto truth = [&](std::size_t at) {
    const auto known = call.emit.constant_of(call.scalar(at));
    if (!known) call.fail("COLLAPSEDELIMITERS must be known while the program is compiled");
    options.collapse = *known != 0;
  };
  if (i + 1 == call.count()) truth(i++);
  for (; i + 1 < call.count(); i += 2) {
    const std::string name = call.is_text(i) ? lower_case(call.text(i)) : "";
    if (name == "collapsedelimiters") truth(i + 1);
    else if (name != "delimitertype" || lower_case(call.text(i + 1)) != "simple")
      call.fail("the option \"" + name + "\" is outside the language");
  }
  if (i < call.count()) call.fail("invalid parameter name, ''");
  // Of two that begin alike the longer one is meant.
  std::ranges::stable_sort(options.separators, std::greater<>(), &std::string::size);
  if (options.separators.empty() || options.separators.back().empty()) call.fail("the separator must have characters");
  return options;
}

std::vector<Binding> split_by_run(Call& call, const SplitOptions& options) {
  std::vector<Binding> separators;
  for (const std::string& each : options.separators) separators.push_back(text_of(each));
  const auto count = static_cast<std::int64_t>(separators.size());
  const Binding collapse = Binding::matrix(call.emit.builder.constant(options.collapse ? 1 : 0, Element::logical));
  return call.walk.call_by_name("strsplit_by_loop",
                                {call.args[0], cell_array(1, count, std::move(separators)), collapse}, 1, call.span);
}

// strsplit(s[, separators][, collapse])
std::vector<Binding> strsplit(Call& call) {
  if (!call.is_text(0)) call.fail("S and SEP must be string values");
  const SplitOptions options = split_options(call);
  if (!call.args[0].is_known_text()) {
    const Size& rows = call.type(call.args[0].value).rows;
    if (rows.is_constant() && rows.constant() > 1) call.fail("S must be a char row vector");
    return split_by_run(call, options);
  }
  const std::string_view text = call.text(0);
  std::vector<Binding> parts;
  std::size_t begin = 0, at = 0;
  bool after_separator = false;
  while (at < text.size()) {
    const auto here = std::ranges::find_if(options.separators,
                                           [&](const std::string& each) { return text.substr(at).starts_with(each); });
    if (here == options.separators.end()) {
      ++at;
      continue;
    }
    if (!(options.collapse && after_separator && at == begin))
      parts.push_back(text_of(std::string(text.substr(begin, at - begin))));
    begin = at += here->size();
    after_separator = true;
  }
  parts.push_back(text_of(std::string(text.substr(begin))));
  const auto count = static_cast<std::int64_t>(parts.size());
  return {cell_array(1, count, std::move(parts))};
}

// strjoin(c[, separator]), strjoin(c, separators): one behind each string.
std::vector<Binding> strjoin(Call& call) {
  if (!call.args[0].is_cell()) call.fail("CSTR must be a cell array of strings");
  const std::vector<Binding>& items = items_of(call.args[0]);
  const bool each = call.count() > 1 && call.args[1].is_cell();
  std::vector<std::string> separators = call.count() > 1 ? known_strings(call, 1) : std::vector<std::string>{" "};
  if (each && separators.size() + 1 != items.size())
    call.fail("the number of delimiters does not match the number of strings");
  if (!each) separators.assign(items.size(), expand_escapes(separators.front()));
  std::vector<Binding> parts;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (!items[k].is_text()) call.fail("CSTR must be a cell array of strings");
    if (k > 0) parts.push_back(text_of(separators[k - 1]));
    parts.push_back(items[k]);
  }
  if (parts.empty()) return {text_of("")};
  return {join_strings(call.emit, parts, call.span)};
}

}  // namespace

std::span<const Builtin> word_builtins() {
  static constexpr Builtin entries[] = {
      {"strsplit", 1, -1, 1, strsplit}, {"strjoin", 1, 2, 1, strjoin},
      {"strtok", 1, 2, 2, strtok},      {"ostrsplit", 2, 3, 1, ostrsplit},
      {"cellstr", 1, 1, 1, cellstr},    {"cstrcat", 0, -1, 1, cstrcat},
      {"strvcat", 1, -1, 1, strvcat},   {"validatestring", 2, 5, 1, validatestring},

  };
  return entries;
}

}  // namespace lac::frontend
