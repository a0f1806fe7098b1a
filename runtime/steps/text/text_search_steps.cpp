// Steps that search strings: where something stands in them, what stands there, and what they are without it.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "ir/support/text_edit.h"
#include "ir/support/text_pattern.h"
#include "ir/support/text_scan.h"
#include "runtime/steps/text/text_output.h"
#include "runtime/steps/text/text_tensor.h"

namespace lac::runtime::steps {

Output sizes(const Input& input, std::size_t rows, std::size_t cols) {
  return std::vector{Tensor::scalar(static_cast<double>(rows), input.results[0].element),
                     Tensor::scalar(static_cast<double>(cols), input.results[1].element)};
}

Output as_matrix(const std::vector<double>& numbers, const Input& input) {
  const ResultType& type = input.results[0];
  Tensor made = Tensor::dense(type.element, type.rows, type.cols);
  for (std::size_t k = 0; k < numbers.size(); ++k) made.set_stored_value(static_cast<std::int64_t>(k), numbers[k]);
  return std::vector{made};
}

namespace {

std::string text_at(const Input& input, std::size_t i) { return text_of(input.operands[i]); }
double number_at(const Input& input, std::size_t i) { return input.operands[i].stored_value(0); }

/// The columns that strtrim and deblank leave; a column goes where each row is blank.
Rows stripped(const Input& input) {
  std::vector<std::string> rows = text_rows(input.operands[0]);
  const bool both_ends = number_at(input, 1) != 0;
  const std::string_view blanks = both_ends ? space_characters : blank_characters;
  std::size_t begin = std::string::npos, end = 0;
  for (const std::string& row : rows) {
    begin = std::min(begin, row.find_first_not_of(blanks));
    end = std::max(end, row.find_last_not_of(blanks) + 1);
  }
  if (begin == std::string::npos) end = begin = 0;
  if (!both_ends) begin = 0;
  for (std::string& row : rows) row = row.substr(begin, end - begin);
  return rows;
}

Rows replaced_in(const Input& input) {
  return std::vector{replaced(text_at(input, 0), text_at(input, 1), text_at(input, 2))};
}

Rows word(const Input& input) {
  const std::string text = text_at(input, 0), separators = text_at(input, 1);
  const auto [first, rest] = first_word(text, separators);
  return std::vector{std::string(number_at(input, 2) == 0 ? first : rest)};
}

bool agree(std::string_view a, std::string_view b, std::size_t n) {
  const bool longer = a.size() < n || b.size() < n;
  return longer ? a == b : a.substr(0, n) == b.substr(0, n);
}

/// Operators and brackets alone: nothing that Octave could compute.
bool is_no_expression(std::string_view text) {
  return std::ranges::none_of(
      text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '"' || c == '\'' || c == '{'; });
}

/// What str2num reads: the rows of the string as those of a matrix.
Result<NumberRows> listed_numbers(const Input& input) {
  std::string lines;
  for (const std::string& row : text_rows(input.operands[0])) lines += (lines.empty() ? "" : ";") + row;
  Result<NumberRows> numbers = numbers_in(lines);
  if (!numbers && is_no_expression(lines)) return NumberRows{};
  if (!numbers) return Failure{"error: str2num: " + numbers.failure().message};
  return numbers;
}

/// The compiler has read the template before.
std::vector<double> scanned(const Input& input) {
  const std::size_t most = static_cast<std::size_t>(number_at(input, 2));
  std::vector<double> values = scan_text(text_at(input, 0), scan_template(text_at(input, 1)).value(), most).values;
  values.resize(std::min(values.size(), most));  // %s is taken whole
  return values;
}

bool has_option(const Input& input, std::size_t options, char option) {
  return text_at(input, options).find(option) != std::string::npos;
}

Result<TextPattern> pattern_of(const Input& input, std::size_t options) {
  return TextPattern::of(text_at(input, 1), has_option(input, options, 'i'));
}

bool once(const Input& input, std::size_t options) { return has_option(input, options, 'o'); }

Rows substituted(const Input& input) {
  const Result<TextPattern> pattern = pattern_of(input, 3);
  if (!pattern) return Failure{"regexprep: " + pattern.failure().message};
  const std::string format = replacement_format(text_at(input, 2), has_option(input, 3, 'e'));
  return std::vector{pattern.value().replaced(text_at(input, 0), format, once(input, 3))};
}

Rows first_match(const Input& input) {
  const Result<TextPattern> pattern = pattern_of(input, 2);
  if (!pattern) return Failure{"regexp: " + pattern.failure().message};
  const std::string text = text_at(input, 0);
  const Matches found = pattern.value().matches(text, true);
  return std::vector{found.empty() ? std::string() : found[0].str()};
}

Result<std::vector<double>> match_places(const Input& input) {
  const Result<TextPattern> pattern = pattern_of(input, 2);
  if (!pattern) return Failure{"error: regexp: " + pattern.failure().message};
  const std::string text = text_at(input, 0);
  const bool last = number_at(input, 3) != 0;
  std::vector<double> places;
  for (const std::smatch& match : pattern.value().matches(text, once(input, 2)))
    places.push_back(static_cast<double>(last ? match.position() + match.length() : match.position() + 1));
  return places;
}

}  // namespace

Output text_strip(const Input& input) { return as_text(stripped(input), input); }
Output text_strip_length(const Input& input) { return as_length(stripped(input), input); }
Output text_replace(const Input& input) { return as_text(replaced_in(input), input); }
Output text_replace_length(const Input& input) { return as_length(replaced_in(input), input); }
Output text_word(const Input& input) { return as_text(word(input), input); }
Output text_word_length(const Input& input) { return as_length(word(input), input); }

Output text_find(const Input& input) {
  std::vector<double> places;
  for (const std::size_t at : places_of(text_at(input, 1), text_at(input, 0)))
    places.push_back(static_cast<double>(at) + 1);
  return as_matrix(places, input);
}
Output text_find_length(const Input& input) {
  return number(input, static_cast<double>(places_of(text_at(input, 1), text_at(input, 0)).size()));
}

Output text_begins(const Input& input) {
  const auto n = static_cast<std::size_t>(number_at(input, 2));
  return number(input, agree(text_at(input, 0), text_at(input, 1), n) ? 1 : 0);
}

Output text_number(const Input& input) {
  std::vector<double> numbers;
  for (const std::string& row : text_rows(input.operands[0])) {
    const Result<double> value = number_in(row);
    if (!value) return Failure{"error: str2double: " + value.failure().message};
    numbers.push_back(value.value());
  }
  if (numbers.empty()) numbers.push_back(std::nan(""));
  return as_matrix(numbers, input);
}

Output text_numbers_size(const Input& input) {
  const Result<NumberRows> numbers = listed_numbers(input);
  if (!numbers) return numbers.failure();
  return sizes(input, numbers.value().rows, numbers.value().columns);
}
Output text_numbers(const Input& input) {
  const Result<NumberRows> numbers = listed_numbers(input);
  if (!numbers) return numbers.failure();
  const NumberRows& n = numbers.value();
  std::vector<double> by_columns;
  for (std::size_t j = 0; j < n.columns; ++j)
    for (std::size_t i = 0; i < n.rows; ++i) by_columns.push_back(n.by_rows[i * n.columns + j]);
  return as_matrix(by_columns, input);
}

Output text_scan_size(const Input& input) {
  const ScanExtents extents = scan_extents(scanned(input).size(), static_cast<std::size_t>(number_at(input, 2)),
                                           static_cast<std::size_t>(number_at(input, 3)));
  return sizes(input, extents.rows, extents.cols);
}
Output text_scan(const Input& input) { return as_matrix(scanned(input), input); }

Output text_substitute(const Input& input) { return as_text(substituted(input), input); }
Output text_substitute_length(const Input& input) { return as_length(substituted(input), input); }
Output text_match(const Input& input) { return as_text(first_match(input), input); }
Output text_match_length(const Input& input) { return as_length(first_match(input), input); }

Output text_match_places(const Input& input) {
  const Result<std::vector<double>> places = match_places(input);
  if (!places) return places.failure();
  return as_matrix(places.value(), input);
}
Output text_match_places_length(const Input& input) {
  const Result<std::vector<double>> places = match_places(input);
  if (!places) return places.failure();
  return number(input, static_cast<double>(places.value().size()));
}

}  // namespace lac::runtime::steps
