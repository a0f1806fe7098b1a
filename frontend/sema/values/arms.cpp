#include "frontend/sema/values/arms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {
namespace {

/// The type with storage that holds any pattern.
Type in_csr(const Type& type) { return csr_type(type.element, type.rows, type.cols); }

}  // namespace

// Everything the arms made has ids from first_inner_ on; sizes made of earlier values are visible after the branch.
Arms::Arms(Emitter& e, ValueId condition, BlockId then_block, BlockId else_block)
    : e_(e), first_inner_(e.graph.values.size()) {
  op_.kind = OpKind::branch;
  op_.operands = {condition};
  op_.blocks = {then_block, else_block};
  for (const BlockId block : op_.blocks)
    for (const OpId op : e_.graph.blocks[block].ops)
      for (const ValueId result : e_.graph.ops[op].results)
        first_inner_ = std::min<std::size_t>(first_inner_, result.index);
}

bool Arms::visible_behind(const Size& size) const {
  bool visible = true;
  for_each_value_in(e_.graph, size, [&](ValueId value) { visible = visible && value.index < first_inner_; });
  return visible;
}

std::optional<Arms::Place> Arms::settle(const ArmValue (&left)[2]) {
  Place place;
  for (int i = 0; i < 2; ++i) {
    place.values[i] = left[i].value;
    place.may_lack = place.may_lack || !left[i].value || left[i].defined;
  }
  const Type some = e_.type(left[0].value ? left[0].value : left[1].value);
  place.type = Type::matrix(some.element, some.rows, some.cols);
  place.type.storage = some.storage;
  place.type.offsets = some.offsets;
  if (left[0].value && left[1].value) {
    const Type other = e_.type(left[1].value);
    if (other.is_sparse() != some.is_sparse()) return std::nullopt;
    if (other.storage != some.storage || other.offsets != some.offsets) place.type = in_csr(place.type);
    place.type.element = join(some.element, other.element);
    place.rows_vary = some.rows != other.rows;
    place.cols_vary = some.cols != other.cols;
  }
  // Where an arm has no value, something stands for it: what may be large has no elements there.
  const bool large = (!left[0].value || !left[1].value) && !some.rows.is_constant() && !some.cols.is_constant();
  place.rows_vary = place.rows_vary || large || !visible_behind(some.rows);
  place.cols_vary = place.cols_vary || large || !visible_behind(some.cols);
  if (place.type.is_sparse() && (place.rows_vary || place.cols_vary || place.may_lack)) place.type = in_csr(place.type);
  for (int i = 0; i < 2; ++i) e_.inside(op_.blocks[i], [&] { fill_in(place, i, left[i]); });
  return place;
}

void Arms::fill_in(Place& place, int arm, const ArmValue& left) {
  Builder& b = e_.builder;
  const Element element = place.type.element;
  const Size rows = place.rows_vary ? Size(0) : place.type.rows, cols = place.cols_vary ? Size(0) : place.type.cols;
  if (place.type.storage == Storage::csr)
    place.values[arm] = left.value ? to_csr(e_, left.value)
                                   : b.library(LibraryFn::sparse_zeros, {}, {csr_type(element, rows, cols)})[0];
  else if (!left.value) place.values[arm] = b.fill(b.constant(0, element), rows, cols);
  if (!place.may_lack) return;
  place.defined[arm] = left.defined ? left.defined : b.constant(left.value ? 1 : 0, Element::logical);
}

ValueId Arms::add_result(const Type& type, ValueId then_value, ValueId else_value, const std::string& name) {
  yields_[0].push_back(then_value);
  yields_[1].push_back(else_value);
  op_.results.push_back(e_.builder.new_value(type, name));
  return op_.results.back();
}

// An extent that the run decides: a result of its own.
Size Arms::extent(const Place& place, bool rows) {
  const auto of = [&](ValueId value) { return rows ? e_.type(value).rows : e_.type(value).cols; };
  ValueId extents[2];
  for (int i = 0; i < 2; ++i) e_.inside(op_.blocks[i], [&] { extents[i] = e_.builder.size(of(place.values[i])); });
  const SymbolId symbol = symbol_of(e_.graph, add_result(Type::scalar(Element::integer), extents[0], extents[1]));
  std::int64_t lower = std::numeric_limits<std::int64_t>::max();
  for (const ValueId value : place.values) lower = std::min(lower, of(value).lower_bound(e_.graph.symbols).value_or(0));
  e_.graph.symbols[symbol].lower = std::max<std::int64_t>(lower, 0);
  return Size::symbol(symbol);
}

std::optional<double> Arms::same_constant(const Place& place) const {
  const auto first = e_.constant_of(place.values[0]), second = e_.constant_of(place.values[1]);
  if (!first || !second || *first != *second || std::signbit(*first) != std::signbit(*second)) return std::nullopt;
  const bool alike = e_.type(place.values[0]).element == e_.type(place.values[1]).element;
  return alike && !place.may_lack && place.type.is_scalar() ? first : std::nullopt;
}

ArmValue Arms::finish(Place& place, const std::string& name, bool is_text) {
  if (const auto number = is_text ? std::nullopt : same_constant(place))
    return {e_.builder.constant(*number, place.type.element)};
  if (place.rows_vary) place.type.rows = extent(place, true);
  if (place.cols_vary) place.type.cols = extent(place, false);
  const bool maybe_mask = place.type.element != Element::logical &&
                          std::ranges::any_of(place.values, [&](ValueId value) { return may_be_mask(e_, value); });
  for (int i = 0; i < 2; ++i)
    e_.inside(op_.blocks[i], [&] { place.values[i] = e_.builder.convert(place.values[i], place.type.element); });
  ArmValue behind{add_result(place.type, place.values[0], place.values[1], name)};
  if (maybe_mask) e_.facts.maybe_masks.insert_or_assign(behind.value, true);
  if (place.may_lack) behind.defined = add_result(Type::scalar(Element::logical), place.defined[0], place.defined[1]);
  return behind;
}

void Arms::append() {
  for (int i = 0; i < 2; ++i) e_.graph.blocks[op_.blocks[i]].yields = std::move(yields_[i]);
  e_.builder.append(std::move(op_));
}

ValueId branch_value(Emitter& e, ValueId condition, const std::function<ValueId()>& then_arm,
                     const std::function<ValueId()>& else_arm) {
  if (const auto known = e.constant_of(condition)) return *known != 0 ? then_arm() : else_arm();
  const Span span = e.place();
  const std::function<ValueId()>* bodies[2] = {&then_arm, &else_arm};
  BlockId blocks[2];
  ArmValue left[2];
  for (int i = 0; i < 2; ++i) {
    blocks[i] = e.builder.new_block();
    e.inside(blocks[i], [&] { e.reachable([&] { left[i].value = (*bodies[i])(); }); });
  }
  e.at(span);
  Arms arms(e, condition, blocks[0], blocks[1]);
  const bool alike = left[0].value == left[1].value;  // or both arms stop the program
  ValueId result = left[0].value;
  if (!alike) {
    std::optional<Arms::Place> place = arms.settle(left);
    if (!place)
      e.fail(span, "a value is sparse in one case and full in the other: make it full(x) or sparse(x) in both");
    result = arms.finish(*place, "").value;
  }
  arms.append();
  if (!result) throw Unreachable{};
  return result;
}

void loop_effects(Emitter& e, const Size& count, const std::function<void(const Size& trip)>& trip) {
  Op op;
  op.kind = OpKind::loop;
  op.attribute = LoopInfo{LoopKind::for_range, "display"};
  op.operands = {e.builder.size(count), e.builder.constant(1, Element::logical)};
  const BlockId body = e.builder.new_block();
  op.blocks = {body};
  const SymbolId number = symbol_of(e.graph, e.builder.add_argument(body, Type::scalar(Element::integer)));
  e.graph.symbols[number].lower = 0;
  e.facts.at_most(number, count - 1);
  op.results = {e.builder.new_value(Type::scalar(Element::integer))};
  ValueId goes_on;
  e.inside(body, [&] {
    const Emitter::Conditionally within(e);
    trip(Size::symbol(number));
    goes_on = e.builder.constant(1, Element::logical);
  });
  e.graph.blocks[body].yields = {goes_on};
  e.builder.append(std::move(op));
}

void branch_effects(Emitter& e, ValueId condition, const std::function<void()>& then_arm,
                    const std::function<void()>& else_arm, Span span) {
  if (const auto known = e.constant_of(condition)) return *known != 0 ? then_arm() : else_arm();
  const std::function<void()>* bodies[2] = {&then_arm, &else_arm};
  BlockId blocks[2];
  for (int i = 0; i < 2; ++i) {
    blocks[i] = e.builder.new_block();
    e.inside(blocks[i], [&] { e.reachable(*bodies[i]); });
  }
  e.at(span);
  Arms(e, condition, blocks[0], blocks[1]).append();
}

ValueId filling(Emitter& e, ValueId value, const Size& rows, const Size& cols, const Misfit& misfit,
                const std::function<ValueId()>& otherwise) {
  const Type t = e.type(value);
  if (t.is_scalar() || (t.rows == rows && t.cols == cols)) return value;
  if (e.facts.not_one(e.graph, t.rows) || e.facts.not_one(e.graph, t.cols)) return otherwise();
  const ValueId scalar = e.builder.map(ScalarOp::logical_and, e.equal_sizes(t.rows, 1), e.equal_sizes(t.cols, 1));
  const auto filled = [&] {
    const Subscripts first{{{SubscriptKind::range, 0, 1, 1}, {SubscriptKind::range, 0, 1, 1}}};
    return e.builder.fill(e.builder.index(value, first, {}, 1, 1), rows, cols);
  };
  const auto require = [&](ValueId holds) {
    std::vector<ValueId> sizes;
    for (const Size& size : misfit.shown) sizes.push_back(e.builder.size(size));
    e.require(holds, misfit.format, sizes, misfit.id);
  };
  if (misfit.certain) {
    require(scalar);
    return filled();
  }
  if (e.errors) {  // a try catches nothing in an arm
    ValueId fits = e.builder.constant(1, Element::logical);
    for (const auto& [a, b] : misfit.equal) fits = e.builder.map(ScalarOp::logical_and, fits, e.equal_sizes(a, b));
    require(e.builder.map(ScalarOp::logical_or, scalar, fits));
  }
  return branch_value(e, scalar, filled, otherwise);
}

}  // namespace lac::frontend
