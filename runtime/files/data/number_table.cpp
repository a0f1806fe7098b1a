#include "runtime/files/data/number_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <vector>

#include "ir/support/missing.h"
#include "runtime/files/number.h"
#include "runtime/stop.h"

namespace lac::runtime {
namespace {

constexpr std::string_view separators = " \t\r,";

/// Numbers beyond the range are infinite, or zero.
bool parse(std::string_view word, double& value) {
  if (word == "NA") {
    value = missing_value();
    return true;
  }
  const ParsedNumber<double> parsed = parse_double(word.data(), word.data() + word.size());
  value = parsed.value;
  return parsed.error != NumberError::not_a_number && parsed.end == word.data() + word.size();
}

/// Without the semicolon that may end it; what follows the semicolon in a line of one word is none of the matrix.
std::string_view before_semicolon(std::string_view word, bool is_alone) {
  const std::size_t semicolon = word.find(';');
  const bool ends = semicolon != 0 && semicolon != std::string_view::npos;
  return ends && (is_alone || semicolon + 1 == word.size()) ? word.substr(0, semicolon) : word;
}

/// Appends the numbers of the line, row after row; the first word that is none, or nothing.
std::string_view read_line(std::string_view line, std::vector<double>& numbers) {
  line = line.substr(0, line.find_first_of("%#"));
  const std::size_t first = line.find_first_not_of(separators);
  for (std::size_t at = first; at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    const std::size_t next = line.find_first_not_of(separators, end);
    const bool is_alone = at == first && next == std::string_view::npos;
    double value = 0;
    if (!parse(before_semicolon(line.substr(at, end - at), is_alone), value)) return line.substr(at, end - at);
    numbers.push_back(value);
    at = next;
  }
  return {};
}

DataFile table_of(const std::vector<double>& by_rows, std::int64_t cols) {
  const std::int64_t rows = static_cast<std::int64_t>(by_rows.size()) / cols;
  Tensor table = Tensor::for_writing(Element::real, rows, cols);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j)
      table.mutable_values<double>()[j * rows + i] = by_rows[static_cast<std::size_t>(i * cols + j)];
  DataFile file;
  file.variables.push_back({"", matrix_value(DataClass::real, std::move(table))});
  return file;
}

}  // namespace

Result<DataFile> read_number_table(std::string_view bytes, const std::string& name) {
  std::vector<double> numbers;
  MemoryBudget::Share held;
  std::size_t cols = 0;
  StopPoll poll;
  for (std::int64_t line_number = 1; !bytes.empty(); ++line_number) {
    poll();
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    const std::size_t before = numbers.size();
    if (const std::string_view word = read_line(line, numbers); !word.empty())
      return Failure{fmt::format("{}:{}: '{}' is no number", name, line_number, word.substr(0, 20))};
    const std::size_t found = numbers.size() - before;
    if (!held.take(found * sizeof(double))) throw std::bad_alloc();
    if (cols == 0) cols = found;
    if (found != 0 && found != cols)
      return Failure{fmt::format("{}:{}: {} numbers stand in a line, where the lines before have {}", name, line_number,
                                 found, cols)};
  }
  if (cols == 0) return Failure{name + ": the file holds no numbers"};
  return table_of(numbers, static_cast<std::int64_t>(cols));
}

}  // namespace lac::runtime
