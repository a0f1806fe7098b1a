#include "frontend/sema/values/emitter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lac::frontend {

Emitter::Emitter(SourceManager& source_manager, const LowerOptions& lower_options, Diagnostics& sink)
    : builder(graph), sources(source_manager), options(lower_options), diagnostics(sink) {
  graph.precision = options.precision;
}

void Emitter::fail(Span span, std::string message, std::vector<Note> notes) {
  failed_in = builder.block;
  Diagnostic diagnostic{Severity::error, span, 0, std::move(message), std::move(notes)};
  if (operands.op.valid() && operands.whole == span) diagnostic.caret = operands.op.begin;
  for (const Activation* call = active; call; call = call->outer)
    if (call->call_span.valid() && call->call_span != span)
      diagnostic.notes.push_back({call->call_span, "in the call of '" + call->name + "' here"});
  diagnostics.add(std::move(diagnostic));
  throw LowerError{};
}

LocationId Emitter::locate(Span span) {
  Location location;
  location.span = span;
  if (active) location = {span, active->name, active->caller, active->loops};
  if (builder.location && graph.locations[builder.location] == location) return builder.location;
  return graph.locations.push(std::move(location));
}

Emitter::Snapshot Emitter::save() const {
  std::vector<BlockId> open = open_blocks_;
  open.push_back(builder.block);
  return {Checkpoint(graph, open),    facts,         builder.block, builder.location, open_blocks_,
          diagnostics.items().size(), clamp_symbols_};
}

void Emitter::restore(const Snapshot& snapshot) {
  snapshot.graph.restore(graph);
  intervals.keep_first(graph.values.size());
  of_numbers.keep_first(graph.values.size());
  facts = snapshot.facts;
  builder.block = snapshot.block;
  builder.location = snapshot.location;
  open_blocks_ = snapshot.open_blocks;
  diagnostics.truncate(snapshot.diagnostics);
  clamp_symbols_ = snapshot.clamp_symbols;
}

// A block under construction is tied to its parent only when its op is appended, so the chain is kept in open_blocks_.
Emitter::Around Emitter::enter(BlockId block) {
  Around around{builder.block, open_blocks_.size(), facts.checked};
  open_blocks_.push_back(builder.block);
  builder.block = block;
  return around;
}

void Emitter::leave(Around around) {
  builder.block = around.block;
  open_blocks_.resize(around.open);
  facts.checked = std::move(around.checked);
}

void Emitter::inside(BlockId block, const std::function<void()>& body) {
  struct Guard {
    Emitter& emitter;
    Around around;
    ~Guard() { emitter.leave(std::move(around)); }
  };
  const Guard guard{*this, enter(block)};
  body();
}

void Emitter::reachable(const std::function<void()>& body) {
  const Conditionally guard(*this);
  try {
    body();
  } catch (const Unreachable&) {  // what is behind it is left out
  }
}

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

std::string as_format(const std::string& text) {
  std::string format;
  for (const char c : text) format += c == '%' ? std::string("%%") : std::string(1, c);
  return format;
}

void Emitter::require(ValueId condition, const std::string& format, const std::vector<ValueId>& arguments,
                      const std::string& id) {
  if (constant_of(condition).value_or(0) != 0) return;
  check(condition, error_message(id, format, arguments.size()), arguments);
}

bool Emitter::is_caught_with(const std::vector<Size>& shown) const {
  return errors && !std::ranges::all_of(shown, &Size::is_constant);
}

void Emitter::refuse_unless(ValueId condition, const std::string& complaint) {
  if (constant_of(condition).value_or(0) == 0) builder.check(condition, error_message({}, as_format(complaint), 0), {});
}

void Emitter::check(ValueId holds, const Message& message, const std::vector<ValueId>& arguments) {
  if (errors) errors->check(holds, message, arguments);
  else builder.check(holds, message, arguments);
}

ValueId Emitter::equal_sizes(const Size& a, const Size& b) {
  if (a == b) return builder.constant(1, Element::logical);
  if (facts.distinct(graph, a, b)) return builder.constant(0, Element::logical);
  return builder.map(ScalarOp::eq, builder.size(a), builder.size(b));
}

ValueId Emitter::is_zero_by_zero(const Type& t) {
  return builder.map(ScalarOp::logical_and, equal_sizes(t.rows, 0), equal_sizes(t.cols, 0));
}

// What is carried by a loop whose body is not lowered yet may be anything: passes see more, and drop the check.
void Emitter::require_number(ValueId scalar, const std::string& format, const std::string& id) {
  if (!intervals.of(scalar).nan) return;
  require(builder.map(ScalarOp::logical_not, builder.map(ScalarOp::is_nan, scalar)), format, {scalar}, id);
}

Size Emitter::bounded_size(ValueId integer) {
  const Size size = as_size(graph, integer);
  const auto symbol = size.as_symbol();
  if (!symbol || graph.symbols[*symbol].lower != SizeSymbol::unbounded) return size;
  const ValueId value = graph.symbols[*symbol].value;
  const Interval interval = intervals.of(value);
  if (!interval.finite()) return size;
  const auto is_exact = [](double bound) { return std::abs(bound) < 9e15; };
  if (is_exact(interval.low)) graph.symbols[*symbol].lower = static_cast<std::int64_t>(std::ceil(interval.low));
  if (is_exact(interval.high)) facts.at_most(*symbol, static_cast<std::int64_t>(std::floor(interval.high)));
  return size;
}

// max(size, 0). One symbol serves every use in the block that made it and in the blocks below.
Size Emitter::max0(const Size& size) {
  if (facts.nonnegative(graph, size)) return size;
  if (facts.nonnegative(graph, Size(0) - size)) return 0;
  const std::string text = to_string(size, [](SymbolId id) { return "#" + std::to_string(id.index); });
  const auto key = [&](BlockId block) { return text + " in " + std::to_string(block.index); };
  const auto made_in = [&](BlockId block) { return clamp_symbols_.find(key(block)); };
  if (const auto made = made_in(builder.block); made != clamp_symbols_.end()) return Size::symbol(made->second);
  for (BlockId block : open_blocks_)
    if (const auto made = made_in(block); made != clamp_symbols_.end()) return Size::symbol(made->second);
  const ValueId value = builder.map(ScalarOp::max, builder.size(size), builder.constant(0, Element::integer));
  const SymbolId symbol = symbol_of(graph, value);
  graph.symbols[symbol].lower = 0;
  facts.clamped[symbol] = size;
  clamp_symbols_.emplace(key(builder.block), symbol);
  return Size::symbol(symbol);
}

Size Emitter::chosen_any(ValueId condition, const Size& yes, const Size& no) {
  if (yes == no) return yes;
  if (const auto known = constant_of(condition)) return *known != 0 ? yes : no;
  return as_size(graph, builder.map(ScalarOp::select, condition, builder.size(yes), builder.size(no)));
}

Size Emitter::chosen(ValueId condition, const Size& yes, const Size& no) {
  const Size size = chosen_any(condition, yes, no);
  if (size == yes || size == no) return size;
  if (const auto symbol = size.as_symbol()) graph.symbols[*symbol].lower = 0;
  return size;
}

Size Emitter::at_most_one(const Size& extent) {
  if (facts.less_equal(graph, extent, 1)) return extent;
  if (facts.nonnegative_here(graph, extent - 1)) return 1;
  const Size size =
      chosen(builder.map(ScalarOp::gt, builder.size(extent), builder.constant(0, Element::integer)), 1, 0);
  if (const auto symbol = size.as_symbol()) facts.at_most(*symbol, 1);
  return size;
}

// max(a, b) of sizes.
Size Emitter::larger(const Size& a, const Size& b) {
  if (facts.less_equal(graph, b, a)) return a;
  if (facts.less_equal(graph, a, b)) return b;
  return a + max0(b - a);
}

Size Emitter::minimum(const Size& a, const Size& b) {
  if (facts.less_equal(graph, a, b)) return a;
  if (facts.less_equal(graph, b, a)) return b;
  const Size excess = max0(a - b);
  const auto low_a = a.lower_bound(graph.symbols), low_b = b.lower_bound(graph.symbols);
  // The minimum is no smaller than both bounds, so a matrix with that many rows may be known to be no row.
  if (const auto symbol = excess.as_symbol(); symbol && low_a && low_b)
    facts.at_most(*symbol, a - Size(std::min(*low_a, *low_b)));
  return a - excess;
}

}  // namespace lac::frontend
