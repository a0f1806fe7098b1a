// Steps over strings. Where only the result tells its own length, a step of two says it first.
#include <algorithm>

#include "runtime/steps/text/text_output.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/text/number_text.h"
#include "runtime/text/printf_argument.h"

namespace lac::runtime::steps {
namespace {

// An operand without rows is an empty string.
Rows trim(const Input& input) {
  std::vector<std::string> joined(1);
  for (const Tensor& operand : input.operands) {
    const std::vector<std::string> rows = text_rows(operand);
    if (rows.empty()) continue;
    if (joined.size() == 1) joined.resize(rows.size(), joined[0]);
    for (std::size_t i = 0; i < joined.size(); ++i) {
      const std::string& row = rows[rows.size() == 1 ? 0 : i];
      joined[i] += row.substr(0, row.find_last_not_of(' ') + 1);
    }
  }
  return joined;
}

Rows formatted(const Input& input) {
  const std::string call = text_of(input.operands[0]);
  const std::size_t blank = call.find(' ');
  std::string format = text_of(input.operands[1]);
  if (call[0] == 'e') format = expand_escapes(format);
  std::vector<PrintfArgument> arguments;
  for (std::size_t i = 1; i < blank; ++i) {
    const Tensor& operand = input.operands[i + 1];
    arguments.push_back(call[i] == 's' ? PrintfArgument::string(text_of(operand)) : printf_argument(operand));
  }
  const Result<std::string> text = format_printf(format, arguments, call.substr(blank + 1));
  if (!text) return text.failure();
  return std::vector{text.value()};
}

Rows number_rows(const Input& input) {
  const Tensor &x = input.operands[0], &precision = input.operands[1], &format = input.operands[2];
  if (x.empty()) return std::vector<std::string>{};
  Rows rows = !format.empty()                                       ? num2str(x, text_of(format))
              : !precision.empty() && precision.stored_value(0) < 0 ? Rows(int2str(x))
              : !precision.empty() ? Rows(num2str(x, static_cast<int>(precision.stored_value(0))))
                                   : Rows(num2str(x));
  if (!rows) return rows;
  if (static_cast<std::int64_t>(rows.value().size()) != x.rows())
    return Failure{"num2str: a format must give one line for each row of the matrix"};
  return rows;
}

Rows matrix_text(const Input& input) {
  return std::vector{
      mat2str(input.operands[0], static_cast<int>(input.operands[1].stored_value(0)), text_of(input.operands[2]))};
}

}  // namespace

Output as_text(const Rows& rows, const Input& input) {
  if (!rows) return Failure{"error: " + rows.failure().message};
  return std::vector{text_tensor(rows.value(), input.results[0])};
}

Output as_length(const Rows& rows, const Input& input) {
  if (!rows) return Failure{"error: " + rows.failure().message};
  std::size_t length = 0;
  for (const std::string& row : rows.value()) length = std::max(length, row.size());
  return number(input, static_cast<double>(length));
}

Output text_join(const Input& input) {
  const ResultType& type = input.results[0];
  Tensor codes = Tensor::dense(type.element, type.rows, type.cols);
  std::int64_t next = 0;
  for (const Tensor& part : input.operands)
    for (std::int64_t k = 0; k < part.count(); ++k) codes.set_stored_value(next++, part.stored_value(k));
  return std::vector{codes};
}

Output text_stack(const Input& input) {
  std::vector<std::string> rows;
  for (const Tensor& part : input.operands)
    for (std::string& row : text_rows(part)) rows.push_back(std::move(row));
  return std::vector{text_tensor(rows, input.results[0])};
}

Output text_equal(const Input& input) {
  const Tensor &a = input.operands[0], &b = input.operands[1];
  const bool same = (a.rows() == b.rows() && a.cols() == b.cols() && text_of(a) == text_of(b));
  return std::vector{Tensor::scalar(same ? 1 : 0, Element::logical)};
}

Output text_trim(const Input& input) { return as_text(trim(input), input); }
Output text_trim_length(const Input& input) { return as_length(trim(input), input); }
Output sprintf(const Input& input) { return as_text(formatted(input), input); }
Output sprintf_length(const Input& input) { return as_length(formatted(input), input); }
Output num2str(const Input& input) { return as_text(number_rows(input), input); }
Output num2str_length(const Input& input) { return as_length(number_rows(input), input); }
Output mat2str(const Input& input) { return as_text(matrix_text(input), input); }
Output mat2str_length(const Input& input) { return as_length(matrix_text(input), input); }

}  // namespace lac::runtime::steps
