#include "runtime/files/table.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "ir/support/missing.h"
#include "runtime/stop.h"

namespace lac::runtime {
namespace {

constexpr std::string_view blanks = " \t", usual_separators = ",:; \t";

/// What ends a field.
struct Separators {
  std::string_view characters;
  bool many_are_one = false;
};

/// What stands behind the first field of a line.
Separators found_in(std::string_view line) {
  const std::size_t at = line.find_first_of(usual_separators, line.find_first_not_of(blanks));
  if (at == std::string_view::npos || blanks.find(line[at]) != std::string_view::npos) return {blanks, true};
  return {line.substr(at, 1)};
}

std::string_view without_blanks(std::string_view field) {
  const std::size_t first = field.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : field.substr(first, field.find_last_not_of(blanks) - first + 1);
}

/// Decimal; 0 where there is none.
double number_in(std::string_view field) {
  if (field == "NA") return missing_value();
  return std::strtod(std::string(field.substr(0, field.find_first_of("xX"))).c_str(), nullptr);
}

std::vector<double> numbers_of(std::string_view line, const Separators& separators) {
  std::vector<double> numbers;
  if (separators.many_are_one) line = without_blanks(line);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(separators.characters), line.size());
    numbers.push_back(number_in(without_blanks(line.substr(0, end))));
    line.remove_prefix(std::min(end + 1, line.size()));
    if (separators.many_are_one) line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  }
  return numbers;
}

}  // namespace

Table read_table(std::string_view text, std::string_view separators, std::size_t rows_left_out,
                 std::size_t cols_left_out) {
  std::optional<Separators> used;
  if (!separators.empty()) used = Separators{separators};
  std::vector<std::vector<double>> lines;
  Table table;
  for (std::size_t line_number = 0; !text.empty(); ++line_number) {
    if (line_number % 4096 == 0) poll_stop();
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool ends_in_return = line.ends_with('\r');
    if (ends_in_return) line.remove_suffix(1);
    const bool blank = without_blanks(line).empty() && (!used || used->many_are_one);
    if (line_number < rows_left_out || (!ends_in_return && (line.empty() || blank))) continue;
    if (!used) used = found_in(line);
    lines.push_back(numbers_of(line, *used));
    std::vector<double>& numbers = lines.back();
    numbers.erase(numbers.begin(),
                  numbers.begin() + static_cast<std::ptrdiff_t>(std::min(cols_left_out, numbers.size())));
    table.cols = std::max(table.cols, numbers.size());
  }
  table.rows = table.cols == 0 ? 0 : lines.size();
  table.values.resize(table.rows * table.cols);
  for (std::size_t i = 0; i < table.rows; ++i)
    for (std::size_t j = 0; j < lines[i].size(); ++j) table.values[j * table.rows + i] = lines[i][j];
  return table;
}

}  // namespace lac::runtime
