// The step that takes a text apart into columns, which then wait as the leaves of a file do.
#include <algorithm>

#include "ir/support/column_template.h"
#include "runtime/files/scan_columns.h"
#include "runtime/steps/files/files_of_run.h"
#include "runtime/steps/text/text_tensor.h"

namespace lac::runtime::steps {
namespace {

constexpr std::int64_t place_lines = 3;  // rows, columns, where it begins

LoadedLeaves::Leaf leaf_of(Tensor matrix) { return {{matrix.rows(), matrix.cols()}, std::move(matrix)}; }

LoadedLeaves::Leaf places_of(const ScannedColumn& column) {
  const auto count = static_cast<std::int64_t>(column.lengths.size());
  Tensor places = Tensor::for_writing(Element::integer, place_lines, count);
  double begin = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto length = static_cast<double>(column.lengths[static_cast<std::size_t>(k)]);
    const double lines[place_lines] = {length == 0 ? 0.0 : 1.0, length, begin};
    for (std::int64_t line = 0; line < place_lines; ++line)
      places.set_stored_value(k * place_lines + line, lines[line]);
    begin += length;
  }
  return leaf_of(std::move(places));
}

void add_leaves(const ColumnPart& part, const ScannedColumn& column, std::vector<LoadedLeaves::Leaf>& leaves) {
  if (part.data_class != DataClass::text) {
    const auto count = static_cast<std::int64_t>(column.numbers.size());
    leaves.push_back(leaf_of(Tensor::dense(Element::real, count, 1, column.numbers)));
    return;
  }
  const auto count = static_cast<std::int64_t>(column.characters.size());
  leaves.push_back(leaf_of(text_tensor(column.characters, {Element::integer, Storage::dense, 1, count, {}})));
  leaves.push_back(places_of(column));
}

/// None where it is negative or NaN.
std::size_t count_of(double number) {
  constexpr double most = 0x1p53;
  return number > 0 ? static_cast<std::size_t>(std::min(number, most)) : 0;
}

ColumnRules rules_of(const Input& input) {
  const Tensor& numbers = input.operands[4];
  ColumnRules rules;
  rules.delimiters = text_of(input.operands[3]);
  rules.lines_left_out = count_of(numbers.stored_value(0));
  if (numbers.stored_value(1) >= 0) rules.most_rows = count_of(numbers.stored_value(1));
  rules.delimiters_are_one = numbers.stored_value(2) != 0;
  rules.has_words = text_of(input.operands[1]) != "textscan";
  return rules;
}

}  // namespace

Output scan_columns(const Input& input) {
  const std::string call = text_of(input.operands[1]);
  const auto failed = [&](const Failure& failure) { return Failure{"error: " + call + ": " + failure.message}; };
  const Tensor& source = input.operands[0];
  const bool of_file = is_floating(source.element());  // strings have integers as their codes
  OpenFiles& files = files_of(input);
  const std::string given = of_file ? "" : text_of(source);
  std::string_view text = given;
  const auto number = of_file ? static_cast<std::int64_t>(source.as_scalar()) : 0;
  if (of_file) {
    const Result<std::string_view> rest = files.rest(number);
    if (!rest) return failed(rest.failure());
    text = rest.value();
  }
  const std::vector<ColumnPart> parts = column_template(text_of(input.operands[2])).value();
  const Result<ScannedColumns> found = runtime::scan_columns(text, parts, rules_of(input));
  if (!found) return failed(found.failure());
  files.loaded.leaves.clear();
  std::size_t column = 0;
  for (const ColumnPart& part : parts)
    if (part.is_column()) add_leaves(part, found.value().columns[column++], files.loaded.leaves);
  if (of_file) files.skip(number, found.value().end);
  return std::vector<Tensor>();
}

}  // namespace lac::runtime::steps
