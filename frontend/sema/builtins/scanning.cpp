// sscanf: numbers and characters in strings, by a template.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/characters.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/character.h"
#include "ir/support/printf.h"
#include "ir/support/text_scan.h"

namespace lac::frontend {
namespace {

constexpr double most_rows = 1e9;  // of what sscanf makes: more numbers than any string has

/// The third argument of sscanf: how many numbers are taken, and how many stand below each other (0: all).
struct WantedSize {
  double most = std::numeric_limits<double>::infinity();
  std::size_t rows = 0;
};

WantedSize wanted_size(Call& call) {
  if (call.count() < 3) return {};
  if (call.is_text(2))
    call.fail("results of their own, as \"C\" asks for, are outside the language here: take elements");
  const auto size = numbers_of(call.emit, call.matrix(2));
  if (!size || size->empty() || size->size() > 2) call.fail("SIZE must be known while the program is compiled");
  for (const double extent : *size) {
    if (std::isnan(extent)) call.fail("NaN invalid as size specification");
    if (extent < 0) call.fail("negative value invalid as size specification");
  }
  if (size->size() == 1) return {size->front(), 0};
  const double rows = (*size)[0], columns = (*size)[1];
  if (std::isinf(rows)) call.fail("infinite value invalid as size specification");
  return {rows == 0 || columns == 0 ? 0 : rows * columns, static_cast<std::size_t>(std::min(rows, most_rows))};
}

Binding matrix_scanned(Call& call, std::vector<double> values, const WantedSize& wanted) {
  Emitter& e = call.emit;
  if (values.empty()) {
    const bool none_wanted = wanted.most == 0;
    return Binding::matrix(e.builder.fill(e.builder.constant(0, e.graph.precision),
                                          none_wanted ? static_cast<std::int64_t>(wanted.rows) : 0,
                                          none_wanted ? 0 : 1));
  }
  const std::size_t rows = wanted.rows > 0 ? std::min(wanted.rows, values.size()) : values.size();
  while (values.size() % rows != 0) values.push_back(0);
  std::vector<double> by_rows;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t at = i; at < values.size(); at += rows) by_rows.push_back(values[at]);
  return Binding::matrix(matrix_by_rows(e, by_rows, rows));
}

/// The template at `args[1]` as it is read, and what it is made of.
std::pair<std::string, std::vector<ScanPart>> scan_parts(Call& call) {
  if (!call.is_text(1)) call.fail("format TEMPLATE must be a string");
  call.text(1);  // fails where the run finds it
  std::string format = with_escapes(call.args[1]);
  Result<std::vector<ScanPart>> parts = scan_template(format);
  if (!parts) call.fail(parts.failure().message);
  return {std::move(format), parts.take()};
}

}  // namespace

std::vector<ValueId> numbers_wanted(Call& call) {
  Builder& b = call.emit.builder;
  const auto [format, parts] = scan_parts(call);
  const bool characters = std::ranges::any_of(
      parts, [](const ScanPart& part) { return !part.skipped && (part.conversion == 's' || part.conversion == 'c'); });
  if (characters)
    call.fail(
        "%s and %c in a text that the run brings are outside the language: take parts of it with strtok or regexp");
  const WantedSize wanted = wanted_size(call);
  return {b.text(format), b.constant(std::min(wanted.most, most_rows), Element::integer),
          b.constant(static_cast<double>(wanted.rows), Element::integer)};
}

namespace {

constexpr const char* differing = "sscanf: format failed to match";

Binding integer_of(Call& call, std::size_t value) {
  return Binding::matrix(call.emit.builder.constant(static_cast<double>(value), Element::integer));
}

Binding text_of_codes(const std::vector<double>& codes) {
  std::string text;
  for (const double code : codes) text += character_of(code);
  return Binding::string(std::move(text), false);
}

/// How many conversions there were, what went wrong, and where the text goes on.
std::vector<Binding> outcome_of(Call& call, const Scanned& scanned) {
  return {integer_of(call, scanned.ends.size()), Binding::string(scanned.differs ? differing : "", false),
          integer_of(call, scanned.end + 1)};
}

// The same of a text that the run brings: of numbers in one column only how many there are.
std::vector<Binding> outcome_of_run(Call& call, const Binding& found) {
  if (call.nargout < 2) return {};
  if (call.nargout > 2)
    call.fail("what went wrong in a text that the run brings is outside the language: compare COUNT");
  if (call.count() > 2)
    call.fail("SIZE beside COUNT is outside the language in a text that the run brings: reshape(x, ...)");
  return one(call.emit.builder.size(call.type(found.value).count()));
}

/// What Octave gives for conversions that are read over: [], behind the results of the others.
std::vector<Binding> skipped_results(Call& call) {
  const auto skipped = std::ranges::count_if(scan_parts(call).second, &ScanPart::skipped);
  return std::vector<Binding>(static_cast<std::size_t>(skipped), Binding::matrix(call.emit.nothing()));
}

// sscanf(s, template, "C"): a result for each conversion, [] for one that found nothing, and the outcome behind them.
std::vector<Binding> results_of_their_own(Call& call) {
  const std::vector<ScanPart> parts = scan_parts(call).second;
  const Scanned scanned = scan_text(call.text(0), parts, std::numeric_limits<std::size_t>::max(), true);
  std::vector<Binding> results;
  std::size_t begin = 0, found = 0;
  for (const ScanPart& part : parts) {
    if (part.conversion == 0 || part.skipped) continue;
    if (found == scanned.ends.size()) {
      results.push_back(Binding::matrix(call.emit.nothing()));
      continue;
    }
    const std::size_t end = scanned.ends[found++];
    const std::vector<double> values(scanned.values.begin() + static_cast<std::ptrdiff_t>(begin),
                                     scanned.values.begin() + static_cast<std::ptrdiff_t>(end));
    const bool characters = part.conversion == 's' || part.conversion == 'c';
    results.push_back(characters ? text_of_codes(values) : Binding::matrix(matrix_by_rows(call.emit, values, 1)));
    begin = end;
  }
  const std::vector<Binding> skipped = skipped_results(call), outcome = outcome_of(call, scanned);
  results.insert(results.end(), skipped.begin(), skipped.end());
  results.insert(results.end(), outcome.begin(), outcome.end() - 1);
  const auto conversions = std::ranges::count_if(parts, [](const ScanPart& part) { return part.conversion != 0; });
  if (!scanned.differs && scanned.ends.size() + skipped.size() < static_cast<std::size_t>(conversions))
    results.back() = Binding::string("%s: read error: sscanf", false);  // Octave forgets to put the name in
  return results;
}

// The same of a text that the run brings, whose conversions must all find a number.
std::vector<Binding> results_of_run(Call& call) {
  Emitter& e = call.emit;
  call.args.pop_back();
  std::vector<ValueId> operands = numbers_wanted(call);
  const auto conversions = std::ranges::count_if(
      scan_parts(call).second, [](const ScanPart& part) { return part.conversion != 0 && !part.skipped; });
  operands[1] = e.builder.constant(static_cast<double>(conversions), Element::integer);
  operands.insert(operands.begin(), codes(e, call.args[0]));
  const ValueId found = matrix_step(e, LibraryFn::text_scan, LibraryFn::text_scan_size, operands).value;
  e.refuse_unless(
      e.equal_sizes(call.type(found).count(), static_cast<std::int64_t>(conversions)),
      "sscanf: with \"C\" a text that the run brings must have a number for each conversion: without it the "
      "numbers that there are come as a column");
  std::vector<Binding> results;
  for (std::int64_t k = 0; k < conversions; ++k)
    results.push_back(Binding::matrix(e.builder.index(found, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1)));
  const std::vector<Binding> skipped = skipped_results(call);
  results.insert(results.end(), skipped.begin(), skipped.end());
  results.push_back(integer_of(call, static_cast<std::size_t>(conversions)));
  results.push_back(Binding::string("", false));
  return results;
}

// [x, count, message, position] = sscanf(s, template, size)
std::vector<Binding> sscanf_of(Call& call) {
  if (!call.is_text(0)) call.fail("argument STRING must be a string");
  const bool known = call.args[0].is_known_text();
  if (call.is_text(2)) {
    if (call.text(2) != "C") call.fail("SIZE must be numbers or \"C\"");
    return known ? results_of_their_own(call) : results_of_run(call);
  }
  if (!known) {
    std::vector<ValueId> operands = numbers_wanted(call);
    operands.insert(operands.begin(), codes(call.emit, call.args[0]));
    const Binding found = matrix_step(call.emit, LibraryFn::text_scan, LibraryFn::text_scan_size, operands);
    std::vector<Binding> results = outcome_of_run(call, found);
    results.insert(results.begin(), found);
    return results;
  }
  const WantedSize wanted = wanted_size(call);
  const auto most = static_cast<std::size_t>(std::min(wanted.most, most_rows));
  Scanned scanned = scan_text(call.text(0), scan_parts(call).second, most);
  std::vector<Binding> results = outcome_of(call, scanned);
  std::vector<double>& values = scanned.values;
  if (wanted.most < static_cast<double>(values.size())) values.resize(most);  // %s is taken whole
  const bool text = !values.empty() && scanned.characters_alone;
  results.insert(results.begin(), text ? text_of_codes(values) : matrix_scanned(call, std::move(values), wanted));
  return results;
}

}  // namespace

std::span<const Builtin> scanning_builtins() {
  static constexpr Builtin entries[] = {
      {"sscanf", 2, 3, 32, sscanf_of},
  };
  return entries;
}

}  // namespace lac::frontend
