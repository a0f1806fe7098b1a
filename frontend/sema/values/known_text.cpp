#include "frontend/sema/values/known_text.h"

#include <algorithm>
#include <cmath>

#include "frontend/sema/values/concatenation.h"
#include "ir/scalar/scalar_op.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

constexpr double most_whole = 9007199254740992.0;  // 2^53
constexpr std::size_t most_numbers = 1000;         // of a matrix: a string of all of them is the run's

std::optional<PrintfArgument> known_argument(const Emitter& e, const Binding& value) {
  if (value.is_known_text()) return PrintfArgument::string(value.text);
  if (!value.is_matrix()) return std::nullopt;
  const Element element = e.type(value.value).element;
  std::optional<std::vector<double>> numbers = numbers_of(e, value.value);
  if (const auto constant = e.constant_of(value.value)) numbers = {*constant};
  if (!numbers || numbers->size() > most_numbers) return std::nullopt;
  for (double& number : *numbers) number = round_to(element, number);
  return PrintfArgument::numbers(*std::move(numbers));
}

}  // namespace

std::string with_escapes(const Binding& text) { return text.double_quoted ? text.text : expand_escapes(text.text); }

Binding escapes_expanded(Binding text) {
  if (text.is_known_text()) text.text = with_escapes(text);
  return text;
}

std::optional<std::string> known_format(const Emitter& e, const std::vector<Binding>& args, std::size_t at) {
  if (!args[at].is_known_text()) return std::nullopt;
  std::vector<PrintfArgument> known;
  for (std::size_t i = at + 1; i < args.size(); ++i) {
    std::optional<PrintfArgument> argument = known_argument(e, args[i]);
    if (!argument) return std::nullopt;
    known.push_back(*std::move(argument));
  }
  const std::string format = with_escapes(args[at]);
  const Result<std::string> text = format_printf(format, known, "sprintf");
  if (!text || text.value().empty()) return std::nullopt;
  return text.value();
}

std::optional<std::vector<std::string>> known_rows(const Emitter& e, const Binding& text) {
  if (text.is_known_text()) return std::vector{text.text};
  const auto written = [&](ValueId value) -> const std::string* {
    const Op* op = e.graph.definition(value);
    return op && op->kind == OpKind::text ? &attribute<std::string>(*op) : nullptr;
  };
  if (const std::string* row = written(text.value)) return std::vector{*row};
  const Op* op = e.graph.definition(text.value);
  if (!op || op->kind != OpKind::library || attribute<LibraryFn>(*op) != LibraryFn::text_stack) return std::nullopt;
  std::vector<std::string> rows;
  for (const ValueId operand : op->operands) {
    const std::string* row = written(operand);
    if (!row) return std::nullopt;
    rows.push_back(*row);
  }
  return rows;
}

std::optional<std::string> known_characters(const Emitter& e, const Binding& text, ValueId read) {
  const Op* op = e.graph.definition(read);
  if (!text.is_known_text() || !op || op->kind != OpKind::index || op->operands.size() != 1) return std::nullopt;
  const Subscript& along = attribute<Subscripts>(*op).axes.back();
  const Type t = e.type(read);
  if (!t.rows.is(1) || along.kind != SubscriptKind::range) return std::nullopt;
  if (!along.first.is_constant() || !along.step.is_constant() || !along.count.is_constant()) return std::nullopt;
  std::string characters;
  for (std::int64_t k = 0; k < along.count.constant(); ++k) {
    const std::int64_t at = along.first.constant() + k * along.step.constant();
    if (at < 0 || at >= static_cast<std::int64_t>(text.text.size())) return std::nullopt;
    characters += text.text[static_cast<std::size_t>(at)];
  }
  if (characters.empty()) return std::nullopt;
  return characters;
}

std::optional<std::string> known_digits(const Emitter& e, const Binding& value) {
  if (!value.is_matrix() || !e.type(value.value).is_scalar()) return std::nullopt;
  const auto constant = e.constant_of(value.value);
  if (!constant) return std::nullopt;
  const double number = round_to(e.type(value.value).element, *constant);
  const bool whole = number == std::trunc(number) && std::abs(number) < most_whole;
  if (!whole || (number == 0 && std::signbit(number))) return std::nullopt;
  return format_printf("%d", {PrintfArgument::numbers({number})}).value();
}

}  // namespace lac::frontend
