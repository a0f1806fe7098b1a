// Strings that a program computes: rows of character codes, made and joined by steps of the host.
#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {

ValueId Lowerer::codes(const Binding& text) { return text.value ? text.value : builder.text(text.text); }

Binding Lowerer::text_step(LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands, const Size& rows,
                           bool double_quoted) {
  const ValueId count = builder.library(length, operands, {Type::scalar(Element::integer)})[0];
  const SymbolId symbol = symbol_of(graph, count);
  graph.symbols[symbol].lower = 0;
  const Type result = Type::matrix(Element::integer, rows, Size::symbol(symbol));
  return Binding::computed_text(builder.library(fn, operands, {result})[0], double_quoted);
}

Binding Lowerer::join_strings(const std::vector<Binding>& parts, Span span) {
  constexpr std::size_t most_known = std::size_t{1}
                                     << 16;  // a text may double its strings: the run makes what is longer
  bool known = true, double_quoted = true, any_numbers = false;
  std::size_t length = 0;
  for (const Binding& part : parts) {
    length += part.text.size();
    known = known && part.is_known_text() && length <= most_known;
    if (part.is_text()) double_quoted = double_quoted && part.double_quoted;
  }
  std::string text;
  for (const Binding& part : parts)
    if (known) text += part.text;
  if (known) return Binding::string(std::move(text), double_quoted);
  std::vector<ValueId> joined;
  Size rows = 1, cols = 0;
  for (const Binding& part : parts) {
    ValueId value = part.is_text() ? codes(part) : dense(part.value);
    const Type t = type(value);
    if (t.rows.is(0) || t.cols.is(0)) continue;
    if (!part.is_text()) {
      if (is_floating(t.element)) {
        const ValueId whole = builder.map(ScalarOp::eq, value, builder.map(ScalarOp::fix, value));
        require(t.is_scalar() ? whole : builder.reduce(whole, {ReduceOp::all, Axis::all}),
                "a number that is joined with a string must be the code of a character: num2str makes text of it", {});
      }
      any_numbers = true;
      value = builder.convert(value, Element::integer);
    }
    const std::string format = "horizontal dimensions mismatch (%dx%d vs %dx%d)";
    // What the run finds to be without characters, as num2str of nothing, disappears.
    const ValueId none = t.rows.is_constant() ? builder.constant(0, Element::logical) : equal_sizes(t.count(), 0);
    if (joined.empty()) {
      rows = t.rows;
    } else if (constant_of(none) == 0.0 && rows.is_constant()) {
      require_equal(rows, t.rows, span, "horizontal dimensions mismatch: strings of different numbers of rows",
                    {rows, cols, t.rows, t.cols}, format);
    } else {
      const ValueId first = equal_sizes(rows * cols, 0);
      const ValueId fits =
          builder.map(ScalarOp::logical_or, equal_sizes(rows, t.rows), builder.map(ScalarOp::logical_or, none, first));
      require(fits, format, {builder.size(rows), builder.size(cols), builder.size(t.rows), builder.size(t.cols)},
              "Octave:nonconformant-args");
      rows = chosen(rows.is_constant() ? builder.constant(0, Element::logical) : first, t.rows, rows);
    }
    cols = cols + chosen(none, 0, t.cols);
    joined.push_back(value);
  }
  if (any_numbers) {
    Message message;
    message.stream = Stream::err;
    message.format = "implicit conversion from numeric to char";
    builder.warn(builder.constant(0, Element::logical), std::move(message), {});
  }
  if (joined.empty()) return Binding::string({}, double_quoted);
  if (joined.size() == 1) return Binding::computed_text(joined[0], double_quoted);
  const Type result = Type::matrix(Element::integer, rows, cols);
  return Binding::computed_text(builder.library(LibraryFn::text_join, joined, {result})[0], double_quoted);
}

Binding Lowerer::stack_strings(const std::vector<Binding>& parts, Span span) {
  std::vector<ValueId> stacked;
  Size rows = 0, cols = 0;
  bool double_quoted = true;
  if (parts.size() == 1) return parts[0];
  for (const Binding& part : parts) {
    double_quoted = double_quoted && part.double_quoted;
    if (part.is_known_text() && part.text.empty()) continue;
    const ValueId value = codes(part);
    const Type t = type(value);
    if (stacked.empty()) cols = t.cols;
    const std::string what = "vertical dimensions mismatch (" + graph.text(rows) + "x" + graph.text(cols) + " vs " +
                             graph.text(t.rows) + "x" + graph.text(t.cols) + ")";
    require_equal(cols, t.cols, span, what, {rows, cols, t.rows, t.cols},
                  "vertical dimensions mismatch (%dx%d vs %dx%d)");
    rows = rows + t.rows;
    stacked.push_back(value);
  }
  if (stacked.empty()) return Binding::string({}, double_quoted);
  if (stacked.size() == 1) return Binding::computed_text(stacked[0], double_quoted);
  const Type result = Type::matrix(Element::integer, rows, cols);
  return Binding::computed_text(builder.library(LibraryFn::text_stack, stacked, {result})[0], double_quoted);
}

ValueId Lowerer::same_strings(const Binding& a, const Binding& b) {
  if (a.is_known_text() && b.is_known_text()) return builder.constant(a.text == b.text ? 1 : 0, Element::logical);
  for (const Binding* known : {&a, &b}) {
    if (!known->is_known_text() || !known->text.empty()) continue;  // "" is 0x0, other than a computed 1x0
    const Type t = type(codes(known == &a ? b : a));
    return is_zero_by_zero(t);
  }
  return builder.library(LibraryFn::text_equal, {codes(a), codes(b)}, {Type::scalar(Element::logical)})[0];
}

Binding Lowerer::formatted(const std::string& caller, const std::vector<Binding>& args, std::size_t at) {
  std::string call = args[at].double_quoted ? "p" : "e";
  std::vector<ValueId> operands = {{}, codes(args[at])};
  for (std::size_t i = at + 1; i < args.size(); ++i) {
    if (!args[i].is_text() && !args[i].is_matrix())
      fail(graph.locations[builder.location].span, caller + ": wrong type argument 'function handle'");
    call += args[i].is_text() ? 's' : 'n';
    operands.push_back(args[i].is_text() ? codes(args[i]) : dense(args[i].value));
  }
  operands[0] = builder.text(call + " " + caller);
  return text_step(LibraryFn::sprintf, LibraryFn::sprintf_length, operands, 1, args[at].double_quoted);
}

}  // namespace lac::frontend
