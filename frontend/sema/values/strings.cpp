// Strings that a program computes: rows of character codes, made and joined by steps of the host.
#include "frontend/sema/values/strings.h"

#include <algorithm>
#include <optional>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {

ValueId codes(Emitter& e, const Binding& text) { return text.value ? text.value : e.builder.text(text.text); }

bool may_be_nothing(const Emitter& e, const Binding& text) {
  if (!text.is_text()) return false;
  return text.value ? e.facts.maybe_nothing.count(text.value) != 0 : text.text.empty();
}

ValueId characters(Emitter& e, const Binding& text) {
  return text.is_known_text() && text.text.empty() ? e.nothing() : codes(e, text);
}

ValueId operand_codes(Emitter& e, const Binding& text) {
  if (!text.is_known_text() || text.text.size() != 1) return characters(e, text);
  return e.builder.constant(static_cast<unsigned char>(text.text[0]), Element::integer);
}

Size size_found(Emitter& e, ValueId count) {
  const SymbolId symbol = symbol_of(e.graph, count);
  e.graph.symbols[symbol].lower = 0;
  return Size::symbol(symbol);
}

namespace {

/// `rows`, but none where the condition holds.
Size rows_unless(Emitter& e, ValueId vanishes, const Size& rows) {
  const Size left = e.chosen(vanishes, 0, rows);
  if (const auto symbol = left.as_symbol()) e.facts.at_most(*symbol, rows);
  return left;
}

/// How many columns the run finds a step to make.
Size length_of(Emitter& e, LibraryFn length, const std::vector<ValueId>& operands) {
  return size_found(e, e.builder.library(length, operands, {Type::scalar(Element::integer)})[0]);
}

Binding text_of_shape(Emitter& e, LibraryFn fn, const std::vector<ValueId>& operands, const Size& rows,
                      const Size& cols, bool double_quoted) {
  const Type result = Type::matrix(Element::integer, rows, cols);
  return Binding::computed_text(e.builder.library(fn, operands, {result})[0], double_quoted);
}

}  // namespace

Binding text_step(Emitter& e, LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands, const Size& rows,
                  bool double_quoted) {
  const Size cols = length_of(e, length, operands);
  return text_of_shape(e, fn, operands, rows, cols, double_quoted);
}

Binding text_step_or_nothing(Emitter& e, LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands,
                             const Size& rows, bool double_quoted, ValueId keeps_shape) {
  const Size cols = length_of(e, length, operands);
  ValueId vanishes = e.equal_sizes(cols, 0);
  if (keeps_shape)
    vanishes = e.builder.map(ScalarOp::logical_and, vanishes, e.builder.map(ScalarOp::logical_not, keeps_shape));
  return text_of_shape(e, fn, operands, rows_unless(e, vanishes, rows), cols, double_quoted);
}

ValueId row_step(Emitter& e, LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands,
                 const Size& rows_of_none) {
  const Size count = length_of(e, length, operands);
  const Size rows = e.chosen(e.equal_sizes(count, 0), rows_of_none, 1);
  return e.builder.library(fn, operands, {Type::matrix(Element::integer, rows, count)})[0];
}

Binding matrix_step(Emitter& e, LibraryFn fn, LibraryFn size, const std::vector<ValueId>& operands) {
  const Type count = Type::scalar(Element::integer);
  const std::vector<ValueId> extents = e.builder.library(size, operands, {count, count});
  const Size rows = size_found(e, extents[0]), cols = size_found(e, extents[1]);
  return Binding::matrix(e.builder.library(fn, operands, {Type::matrix(e.graph.precision, rows, cols)})[0]);
}

Binding padded_rows(Emitter& e, const std::vector<Binding>& lines, const Size& width) {
  std::vector<ValueId> stacked;
  Size rows = 0;
  for (const Binding& line : lines) {
    ValueId value = codes(e, line);
    const Type t = e.type(value);
    if (!t.rows.is(1) && e.facts.less_equal(e.graph, t.rows, 1)) value = e.builder.reshape(value, 1, t.count());
    rows = rows + e.type(value).rows;
    stacked.push_back(value);
  }
  const Type result = Type::matrix(Element::integer, rows, width);
  return Binding::computed_text(e.builder.library(LibraryFn::text_stack, stacked, {result})[0], false);
}

namespace {

/// A matrix beside strings: the codes of characters.
ValueId characters_of(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  if (is_floating(t.element)) {
    const ValueId whole = e.builder.map(ScalarOp::eq, value, e.builder.map(ScalarOp::fix, value));
    e.require(t.is_scalar() ? whole : e.builder.reduce(whole, {ReduceOp::all, Axis::all}),
              "a number that is joined with a string must be the code of a character: num2str makes text of it", {});
  }
  return e.builder.convert(value, Element::integer);
}

/// Strings beside each other, as far as they are joined.
struct Line {
  std::vector<ValueId> parts;
  Size rows = 1, cols = 0;
};

// What the run finds to be without characters, as num2str of nothing, disappears.
void add_to_line(Emitter& e, Line& line, ValueId value, const Type& t, Span span) {
  Builder& b = e.builder;
  const std::string format = "horizontal dimensions mismatch (%dx%d vs %dx%d)";
  const ValueId none = t.rows.is_constant() ? b.constant(0, Element::logical) : e.equal_sizes(t.count(), 0);
  if (line.parts.empty()) {
    line.rows = t.rows;
  } else if (e.constant_of(none) == 0.0 && line.rows.is_constant()) {
    require_equal(e, line.rows, t.rows, span, "horizontal dimensions mismatch: strings of different numbers of rows",
                  {line.rows, line.cols, t.rows, t.cols}, format);
  } else {
    const ValueId first = e.equal_sizes(line.rows * line.cols, 0);
    const ValueId fits =
        b.map(ScalarOp::logical_or, e.equal_sizes(line.rows, t.rows), b.map(ScalarOp::logical_or, none, first));
    e.require(fits, format, {b.size(line.rows), b.size(line.cols), b.size(t.rows), b.size(t.cols)},
              "Octave:nonconformant-args");
    line.rows = e.chosen(line.rows.is_constant() ? b.constant(0, Element::logical) : first, t.rows, line.rows);
  }
  line.cols = line.cols + e.chosen(none, 0, t.cols);
  line.parts.push_back(value);
}

// The parts as one known string; a text may double its strings, so the run makes what is longer.
std::optional<std::string> known_text(const std::vector<Binding>& parts) {
  constexpr std::size_t most_known = std::size_t{1} << 16;
  std::string text;
  for (const Binding& part : parts) {
    if (!part.is_known_text() || text.size() + part.text.size() > most_known) return std::nullopt;
    text += part.text;
  }
  return text;
}

}  // namespace

Binding join_strings(Emitter& e, const std::vector<Binding>& parts, Span span) {
  const bool double_quoted =
      std::ranges::all_of(parts, [](const Binding& part) { return !part.is_text() || part.double_quoted; });
  if (std::optional<std::string> text = known_text(parts)) return Binding::string(*std::move(text), double_quoted);
  Line line;
  bool any_numbers = false;
  for (const Binding& part : parts) {
    ValueId value = part.is_text() ? codes(e, part) : dense(e, part.value);
    const Type t = e.type(value);
    if (t.rows.is(0) || t.cols.is(0)) continue;
    if (!part.is_text()) value = characters_of(e, value);
    any_numbers = any_numbers || !part.is_text();
    add_to_line(e, line, value, t, span);
  }
  if (any_numbers) {
    Message message;
    message.stream = Stream::err;
    message.format = "implicit conversion from numeric to char";
    e.builder.warn(e.builder.constant(0, Element::logical), std::move(message), {});
  }
  if (line.parts.empty()) return Binding::string({}, double_quoted);
  if (line.parts.size() == 1) return Binding::computed_text(line.parts[0], double_quoted);
  const Type result = Type::matrix(Element::integer, line.rows, line.cols);
  return Binding::computed_text(e.builder.library(LibraryFn::text_join, line.parts, {result})[0], double_quoted);
}

namespace {

/// With blanks behind, until each line is as wide as the widest one.
Size widen_lines(Emitter& e, std::vector<ValueId>& lines) {
  Builder& b = e.builder;
  Size width = e.type(lines.front()).cols;
  for (const ValueId line : lines) width = e.larger(width, e.type(line).cols);
  for (ValueId& line : lines) {
    const Type t = e.type(line);
    if (t.cols == width) continue;
    const ValueId blanks = b.fill(b.constant(' ', Element::integer), t.rows, e.max0(width - t.cols));
    line = b.library(LibraryFn::text_join, {line, blanks}, {Type::matrix(Element::integer, t.rows, width)})[0];
  }
  return width;
}

}  // namespace

Binding stack_strings(Emitter& e, const std::vector<Binding>& parts, Span span, bool padded) {
  std::vector<ValueId> stacked;
  Size rows = 0;
  bool double_quoted = true, alike = true;
  if (parts.size() == 1) return parts[0];
  for (const Binding& part : parts) {
    double_quoted = double_quoted && part.double_quoted;
    if (part.is_known_text() && part.text.empty()) continue;
    ValueId line = codes(e, part);
    if (const Type t = e.type(line); padded && may_be_nothing(e, part))
      line = e.builder.reshape(line, e.chosen(e.equal_sizes(t.count(), 0), 0, t.rows), t.cols);
    stacked.push_back(line);
    rows = rows + e.type(stacked.back()).rows;
    alike = alike && e.type(stacked.back()).cols == e.type(stacked.front()).cols;
  }
  if (stacked.empty()) return Binding::string({}, double_quoted);
  if (stacked.size() == 1) return Binding::computed_text(stacked[0], double_quoted);
  if (!alike && !padded) return Binding::computed_text(concatenate(e, stacked, Axis::rows, span), double_quoted);
  const Size width = padded ? widen_lines(e, stacked) : e.type(stacked.front()).cols;
  const Type result = Type::matrix(Element::integer, rows, width);
  return Binding::computed_text(e.builder.library(LibraryFn::text_stack, stacked, {result})[0], double_quoted);
}

ValueId same_strings(Emitter& e, const Binding& a, const Binding& b) {
  if (a.is_known_text() && b.is_known_text()) return e.builder.constant(a.text == b.text ? 1 : 0, Element::logical);
  for (const Binding* known : {&a, &b}) {
    if (!known->is_known_text() || !known->text.empty()) continue;  // "" is 0x0, other than a computed 1x0
    const ValueId other = codes(e, known == &a ? b : a);
    const Type t = e.type(other);
    return e.facts.maybe_nothing.count(other) != 0 ? e.equal_sizes(t.count(), 0) : e.is_zero_by_zero(t);
  }
  const ValueId left = codes(e, a), right = codes(e, b);
  const Type t = e.type(left), u = e.type(right);
  if (t.is_scalar() && u.is_scalar()) return e.builder.map(ScalarOp::eq, left, right);  // one character each
  if (e.facts.distinct(e.graph, t.rows, u.rows) || e.facts.distinct(e.graph, t.cols, u.cols))
    return e.builder.constant(0, Element::logical);
  return e.builder.library(LibraryFn::text_equal, {left, right}, {Type::scalar(Element::logical)})[0];
}

ValueId same_in_cells(Emitter& e, const Binding& a, const Binding& b) {
  const ValueId same = same_strings(e, a, b);
  const auto empty = [&](const Binding& text) {
    if (text.value) return e.equal_sizes(e.type(text.value).count(), 0);
    return e.builder.constant(text.text.empty() ? 1 : 0, Element::logical);
  };
  const ValueId first = empty(a), second = empty(b);
  const auto none = e.constant_of(first), other = e.constant_of(second), known = e.constant_of(same);
  if (none == 0.0 || other == 0.0 || known == 1.0) return same;
  const ValueId both = none ? second : other ? first : e.builder.map(ScalarOp::logical_and, first, second);
  return known || e.constant_of(both) == 1.0 ? both : e.builder.map(ScalarOp::logical_or, same, both);
}

Binding formatted(Emitter& e, const std::string& caller, const std::vector<Binding>& args, std::size_t at) {
  std::string call = args[at].double_quoted ? "p" : "e";
  std::vector<ValueId> operands = {{}, codes(e, args[at])};
  for (std::size_t i = at + 1; i < args.size(); ++i) {
    if (!args[i].is_text() && !args[i].is_matrix())
      e.fail(e.graph.locations[e.builder.location].span, caller + ": wrong type argument 'function handle'");
    call += args[i].is_text() ? 's' : 'n';
    operands.push_back(args[i].is_text() ? codes(e, args[i]) : dense(e, args[i].value));
  }
  operands[0] = e.builder.text(call + " " + caller);
  return text_step(e, LibraryFn::sprintf, LibraryFn::sprintf_length, operands, 1, args[at].double_quoted);
}

}  // namespace lac::frontend
