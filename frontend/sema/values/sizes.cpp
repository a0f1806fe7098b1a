// Sizes and scalars: from values to normal forms, and the checks that what is not provable needs.
#include <algorithm>
#include <cmath>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

Message error_message(std::string id, std::string format, std::size_t arguments) {
  Message message;
  message.stream = Stream::err;
  message.id = std::move(id);
  message.format = std::move(format);
  message.arguments.resize(arguments);
  return message;
}

}  // namespace

void Lowerer::require(ValueId condition, const std::string& format, const std::vector<ValueId>& arguments,
                      const std::string& id) {
  if (constant_of(condition).value_or(0) != 0) return;
  builder.check(condition, error_message(id, format, arguments.size()), arguments);
}

ValueId Lowerer::equal_sizes(const Size& a, const Size& b) {
  if (a == b) return builder.constant(1, Element::logical);
  if (facts.distinct(graph, a, b)) return builder.constant(0, Element::logical);
  return builder.map(ScalarOp::eq, builder.size(a), builder.size(b));
}

ValueId Lowerer::is_zero_by_zero(const Type& t) {
  return builder.map(ScalarOp::logical_and, equal_sizes(t.rows, 0), equal_sizes(t.cols, 0));
}

void Lowerer::require_equal(const Size& a, const Size& b, Span span, const std::string& what,
                            const std::vector<Size>& shown, const std::string& format) {
  if (a == b) return;
  if (facts.distinct(graph, a, b)) fail(span, what, shape_notes(span));
  std::vector<ValueId> arguments;
  for (const Size& size : shown) arguments.push_back(builder.size(size));
  require(equal_sizes(a, b), format, arguments, "Octave:nonconformant-args");
}

// Whether values made in `block` are visible where ops are being appended. A block under construction is tied to its
// parent only when its op is appended, so the chain is kept in open_blocks.
bool Lowerer::encloses(BlockId block) const {
  return block == builder.block || std::find(open_blocks.begin(), open_blocks.end(), block) != open_blocks.end();
}

// max(size, 0). One symbol serves every use in the block that made it and in the blocks below.
Size Lowerer::max0(const Size& size) {
  if (facts.nonnegative(graph, size)) return size;
  if (facts.nonnegative(graph, Size(0) - size)) return 0;
  const std::string text = to_string(size, [](SymbolId id) { return "#" + std::to_string(id.index); });
  const auto key = [&](BlockId block) { return text + " in " + std::to_string(block.index); };
  const auto made_in = [&](BlockId block) { return clamp_symbols_.find(key(block)); };
  if (const auto made = made_in(builder.block); made != clamp_symbols_.end()) return Size::symbol(made->second);
  for (BlockId block : open_blocks)
    if (const auto made = made_in(block); made != clamp_symbols_.end()) return Size::symbol(made->second);
  const ValueId value = builder.map(ScalarOp::max, builder.size(size), builder.constant(0, Element::integer));
  const SymbolId symbol = symbol_of(graph, value);
  graph.symbols[symbol].lower = 0;
  facts.clamped[symbol] = size;
  clamp_symbols_.emplace(key(builder.block), symbol);
  return Size::symbol(symbol);
}

Size Lowerer::chosen_any(ValueId condition, const Size& yes, const Size& no) {
  if (yes == no) return yes;
  if (const auto known = constant_of(condition)) return *known != 0 ? yes : no;
  return as_size(graph, builder.map(ScalarOp::select, condition, builder.size(yes), builder.size(no)));
}

Size Lowerer::chosen(ValueId condition, const Size& yes, const Size& no) {
  const Size size = chosen_any(condition, yes, no);
  if (size == yes || size == no) return size;
  if (const auto symbol = size.as_symbol()) graph.symbols[*symbol].lower = 0;
  return size;
}

Size Lowerer::at_most_one(const Size& extent) {
  if (facts.less_equal(graph, extent, 1)) return extent;
  if (facts.nonnegative(graph, extent - 1)) return 1;
  const Size size =
      chosen(builder.map(ScalarOp::gt, builder.size(extent), builder.constant(0, Element::integer)), 1, 0);
  if (const auto symbol = size.as_symbol()) facts.upper[*symbol] = 1;
  return size;
}

ValueId Lowerer::as_scalar(ValueId value, Span span, const std::string& what) {
  if (type(value).is_sparse() && type(value).rows.is(1) && type(value).cols.is(1)) value = dense(value);
  const Type& t = type(value);
  if (t.is_scalar()) return value;
  if (t.is_sparse()) fail(span, what + " must be a scalar, but is a " + shape_text(value) + " sparse matrix");
  if (facts.distinct(graph, t.rows, 1) || facts.distinct(graph, t.cols, 1))
    fail(span, what + " must be a scalar, but is " + shape_text(value));
  const Size rows = t.rows, cols = t.cols;
  const ValueId one = builder.map(ScalarOp::logical_and, equal_sizes(rows, 1), equal_sizes(cols, 1));
  require(one, what + " must be a scalar, but is %dx%d", {builder.size(rows), builder.size(cols)});
  return builder.index(value, Subscripts{{{SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1);
}

// `format` shows the offending value with one conversion.
ValueId Lowerer::as_integer(ValueId scalar, const std::string& format) {
  const Element element = type(scalar).element;
  if (element == Element::integer) return scalar;
  if (element == Element::logical) return builder.convert(scalar, Element::integer);
  if (const auto number = constant_of(scalar)) {
    if (std::trunc(*number) == *number && std::abs(*number) < 9e15) return builder.constant(*number, Element::integer);
  }
  const ValueId rounded = builder.map(ScalarOp::fix, scalar);
  const ValueId exact = builder.map(ScalarOp::logical_and, builder.map(ScalarOp::eq, rounded, scalar),
                                    builder.map(ScalarOp::is_finite, scalar));
  require(exact, format, {scalar});
  return builder.convert(rounded, Element::integer);
}

Size Lowerer::to_size(ValueId value, Span span, bool clamp) {
  const ValueId scalar = as_scalar(value, span, "a size");
  const ValueId integer = as_integer(scalar, "conversion of %g to int64_t value failed");
  const Size size = as_size(graph, integer);
  return clamp ? max0(size) : size;
}

// max(a, b) of sizes.
Size Lowerer::larger(const Size& a, const Size& b) {
  if (facts.less_equal(graph, b, a)) return a;
  if (facts.less_equal(graph, a, b)) return b;
  return a + max0(b - a);
}

}  // namespace lac::frontend
