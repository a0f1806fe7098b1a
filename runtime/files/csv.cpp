#include "runtime/files/csv.h"

#include <optional>
#include <vector>

#include "runtime/files/scanner.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

// Appends one row's numbers; nothing is skipped silently: two commas in a row are an empty field.
std::optional<Failure> take_row(Scanner& in, std::vector<double>& values) {
  for (;;) {
    in.skip_blanks();
    if (in.at_line_end() || in.peek() == ',') return in.failure("an empty field");
    double value = 0.0;
    if (in.take(value) != NumberError::none) return in.failure("'" + in.word() + "' is not a number");
    values.push_back(value);
    in.skip_blanks();
    if (in.at_line_end()) return std::nullopt;
    in.skip(',');
  }
}

}  // namespace

Result<Tensor> read_csv(std::string_view text, const std::string& name) {
  Scanner in(text, name);
  std::vector<double> values;  // row by row
  std::size_t cols = 0;
  std::int64_t rows = 0;
  while (in.skip_to_content('#')) {
    const std::size_t before = values.size();
    if (auto failed = take_row(in, values)) return *failed;
    const std::size_t found = values.size() - before;
    if (rows++ == 0) cols = found;
    if (found != cols)
      return in.failure("the row has " + std::to_string(found) + " numbers, the first one has " + std::to_string(cols));
    in.next_line();
  }
  if (rows == 0) return Failure{name + ": the file holds no numbers"};
  Tensor result = Tensor::for_writing(Element::real, rows, static_cast<std::int64_t>(cols));
  double* to = result.mutable_values<double>();
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      to[static_cast<std::int64_t>(j) * rows + i] = values[static_cast<std::size_t>(i) * cols + j];
  return result;
}

std::string format_csv(const Tensor& a) {
  const Tensor dense = to_dense(a);
  std::string out;
  StopPoll poll;
  for (std::int64_t i = 0; i < dense.rows(); ++i)
    for (std::int64_t j = 0; j < dense.cols(); ++j, poll()) {
      const std::int64_t k = j * dense.rows() + i;
      if (dense.element() == Element::single) append_number(out, dense.values<float>()[k]);
      else append_number(out, dense.stored_value(k));
      out += j + 1 < dense.cols() ? ',' : '\n';
    }
  return out;
}

}  // namespace lac::runtime
