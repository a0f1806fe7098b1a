#include "runtime/steps/text/message.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "runtime/steps/text/text_tensor.h"
#include "runtime/text/display.h"
#include "runtime/text/printf_argument.h"

namespace lac::runtime {
namespace {

std::string prefixed(std::string_view prefix, const Message& message, std::span<const Tensor> operands) {
  const Result<std::string> text = format_message(message, operands);
  std::string result = std::string(prefix) + (text ? text.value() : text.failure().message);
  if (!result.empty() && result.back() == '\n') result.pop_back();
  return result;
}

}  // namespace

Result<std::string> format_message(const Message& message, std::span<const Tensor> operands) {
  std::vector<PrintfArgument> arguments;
  std::size_t next = 0;
  for (const auto& literal : message.arguments) {
    if (!literal && next == operands.size()) throw InternalError("a message with fewer operands than arguments");
    arguments.push_back(literal ? PrintfArgument::string(*literal) : printf_argument(operands[next++]));
  }
  return format_printf(message.format, arguments);
}

std::string error_text(const Message& message, std::span<const Tensor> operands) {
  return prefixed("error: ", message, operands);
}

std::string warning_text(const Message& message, std::span<const Tensor> operands) {
  return prefixed("warning: ", message, operands);
}

namespace {

bool is_complex(DisplayForm form) {
  return form == DisplayForm::complex || form == DisplayForm::complex_diagonal || form == DisplayForm::kept_complex;
}

bool has_heading(DisplayForm form) {
  return form == DisplayForm::diagonal || form == DisplayForm::complex_diagonal || form == DisplayForm::permutation;
}

// Octave leaves rows of characters, the entries of sparse matrices and what stands above diagonal ones at the margin.
bool is_at_margin(const Display& shown, const Tensor& value, int line) {
  if (shown.form == DisplayForm::text || !value.is_dense()) return line > 0;
  return has_heading(shown.form) && line == 2;
}

std::string indented(const std::string& text, const Display& shown, const Tensor& value) {
  if (shown.indent == 0) return text;
  std::string out;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (text[begin] != '\n' && !is_at_margin(shown, value, line)) out.append(shown.indent, ' ');
    out.append(text, begin, end - begin);
    begin = end;
  }
  return out;
}

std::string unindented(const Display& shown, std::span<const Tensor> operands, ShownDigits digits) {
  const Tensor& value = operands[0];
  if (shown.form == DisplayForm::text)
    return shown.name.empty() ? disp(text_rows(value)) : display(shown.name, text_rows(value));
  if (is_complex(shown.form)) {
    const DisplayHint hint{.form = shown.form, .digits = digits, .width = DisplayHint{}.width - shown.indent};
    return shown.name.empty() ? disp(value, operands[1], hint) : display(shown.name, value, operands[1], hint);
  }
  DisplayHint hint{.form = shown.form, .digits = digits, .width = DisplayHint{}.width - shown.indent};
  if (shown.form == DisplayForm::range && operands.size() == 4) {
    hint.range = RangeHint{operands[1].as_scalar(), operands[2].as_scalar(), operands[3].as_scalar()};
    hint.width = DisplayHint{}.width;  // what indents a range does not count
  }
  if (shown.form == DisplayForm::integer && operands.size() > 1) hint.lowest = operands[1].as_scalar();
  if (shown.form == DisplayForm::integer && operands.size() > 2) hint.all = &operands[2];
  return shown.name.empty() ? disp(value, hint) : display(shown.name, value, hint);
}

}  // namespace

std::string display_text(const Display& shown, std::span<const Tensor> operands, ShownDigits digits) {
  if (const std::size_t at = shown.name.find("%d"); at != std::string::npos) {  // the last operand
    Display named = shown;
    named.name.replace(at, 2, std::to_string(static_cast<std::int64_t>(operands.back().as_scalar())));
    return display_text(named, operands.first(operands.size() - 1), digits);
  }
  return indented(unindented(shown, operands, digits), shown, operands[0]);
}

bool is_true(const Tensor& condition) {
  for (std::int64_t k = 0; k < condition.count(); ++k)
    if (condition.stored_value(k) == 0) return false;
  return !condition.empty();
}

}  // namespace lac::runtime
