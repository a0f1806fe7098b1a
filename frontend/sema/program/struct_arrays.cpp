// Arrays of structs of which the run finds how many there are or which one is meant: one matrix for each field, a
// column for each struct. Fields of one shape alone fit; texts, cells and matrices that change their shape need structs
// whose positions are known.
#include <algorithm>

#include "frontend/ast/print.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/deletion.h"
#include "frontend/sema/values/indexed_assignment.h"
#include "frontend/sema/values/indexing.h"

namespace lac::frontend {
namespace {

bool fits_column(const Emitter& e, const Binding& value) {
  if (!value.is_matrix() || value.defined) return false;
  const Type t = e.type(value.value);
  return t.is_dense() && t.rows.is_constant() && t.cols.is_constant() && t.rows.constant() * t.cols.constant() > 0;
}

bool fits_slot(const Emitter& e, const Slot& slot, const Binding& value) {
  if (!fits_column(e, value)) return false;
  const Type t = e.type(value.value);
  return t.rows.is(slot.item_rows) && t.cols.is(slot.item_cols);
}

ValueId as_column(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  return t.cols.is(1) ? value : e.builder.reshape(value, t.count(), 1);
}

/// The items of a field side by side; nothing where they differ in shape.
std::optional<Slot> stack_of(Emitter& e, const Slot& slot, Span span) {
  if (slot.items.empty() || !fits_column(e, slot.items.front())) return std::nullopt;
  const Type t = e.type(slot.items.front().value);
  Slot made{slot.name, {}, {}, t.rows.constant(), t.cols.constant()};
  std::vector<ValueId> columns;
  for (const Binding& item : slot.items) {
    if (!fits_slot(e, made, item)) return std::nullopt;
    columns.push_back(as_column(e, item.value));
  }
  made.stack = Binding::matrix(concatenate(e, columns, Axis::cols, span));
  return made;
}

ResolvedSubscripts column_at(Emitter& e, ValueId stack, const std::string& name, ValueId position, SubscriptUse use) {
  SubscriptResolver resolver(e, stack, name, 2, use);
  resolver.add_all();
  resolver.add_value(position);
  return resolver.take();
}

}  // namespace

std::optional<Binding> Lowerer::stacked(const Binding& base, Span span) {
  const Aggregate& a = *base.aggregate;
  if (a.stacked) return base;
  if (!base.is_record() || (a.rows != 1 && a.count() != 0)) return std::nullopt;
  Aggregate made;
  made.stacked = true;
  if (a.count() == 0) return Binding::of(Binding::Kind::record, std::move(made));
  for (const Slot& slot : a.slots) {
    std::optional<Slot> stack = stack_of(emit_, slot, span);
    if (!stack) return std::nullopt;
    made.slots.push_back(*std::move(stack));
  }
  return Binding::of(Binding::Kind::record, std::move(made));
}

// The array stacked as `form` is: fields that it lacks have no columns. Nothing where it cannot be.
std::optional<Binding> Lowerer::stacked_like(const Binding& base, const Binding& form, Span span) {
  if (!is_nothing(&base) && !base.is_record()) return std::nullopt;
  const std::optional<Binding> all =
      stacked(is_nothing(&base) ? Binding::of(Binding::Kind::record, {0, 0, {}}) : base, span);
  if (!all) return std::nullopt;
  Aggregate made = *form.aggregate;
  for (Slot& slot : made.slots) {
    const Slot* own = all->aggregate->find(slot.name);
    if (own && (own->item_rows != slot.item_rows || own->item_cols != slot.item_cols)) return std::nullopt;
    const ValueId none =
        own ? ValueId{}
            : emit_.builder.fill(emit_.builder.constant(0, Element::integer), slot.item_rows * slot.item_cols, 0);
    slot.stack = own ? own->stack : Binding::matrix(none);
  }
  for (const Slot& slot : all->aggregate->slots)
    if (!made.find(slot.name)) made.slots.push_back(slot);
  return Binding::of(Binding::Kind::record, std::move(made));
}

namespace {

/// Whether arrays of structs in the arms of a branch, or before and after a trip, go on as one that is stacked.
bool go_on_stacked(const Binding& a, const Binding& b) {
  if (!a.is_record() || !b.is_record() || same_form(a, b)) return false;
  return a.aggregate->stacked || b.aggregate->stacked || a.aggregate->count() != b.aggregate->count();
}

/// What a containers.Map holds where its keys are fields.
bool is_list_of_keys(const Binding& contents) {
  return contents.is_record() && !contents.aggregate->stacked && !contents.aggregate->slots.empty();
}

}  // namespace

// Arrays that one arm of a branch makes longer, or has stacked, are stacked behind both.
void Lowerer::stack_in_both(std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks) {
  std::set<std::string> names;
  Environment::for_each_difference(after[0], after[1], [&](const std::string& name) {
    if (!is_leaf(name) && after[0].count(name) != 0 && after[1].count(name) != 0) names.insert(name);
  });
  for (const std::string& name : names) {
    std::optional<Binding> forms[2];
    const Binding left[2] = {whole(after[0], name), whole(after[1], name)};
    if (!go_on_stacked(left[0], left[1])) continue;
    if (is_map_contents(name) && std::ranges::any_of(left, is_list_of_keys)) continue;
    for (const std::size_t i : {0, 1}) emit_.inside(blocks[i], [&] { forms[i] = stacked(left[i], emit_.place()); });
    if (!forms[0] || !forms[1]) continue;
    for (const std::size_t i : {0, 1})
      emit_.inside(blocks[i], [&] {
        auto made = stacked_like(*forms[i], *forms[1 - i], emit_.place());
        if (!made) return;
        made->defined = left[i].defined;
        put(after[i], name, *made);
      });
  }
}

// The stacked form that an array has after a trip which makes it longer; nothing where it has none.
std::optional<Binding> Lowerer::stacked_after(const Binding& before, const Binding& after, Span span) {
  const bool grows = is_nothing(&before)
                         ? after.is_record() && (after.aggregate->stacked || after.aggregate->count() > 0)
                         : go_on_stacked(before, after);
  return grows ? stacked(after, span) : std::nullopt;
}

Binding Lowerer::column_of(const Slot& slot, const std::string& name, ValueId position) {
  const std::string field = name + "." + slot.name;
  const ValueId stack = checked(slot.stack, field).value;
  const ValueId column = indexed(emit_, stack, column_at(emit_, stack, field, position, SubscriptUse::read));
  if (slot.item_cols == 1) return Binding::matrix(column);
  return Binding::matrix(emit_.builder.reshape(column, slot.item_rows, slot.item_cols));
}

// One struct of a stacked array.
Binding Lowerer::struct_at(const Binding& base, const std::string& name, ValueId position) {
  Binding made = empty_record();
  for (const Slot& slot : base.aggregate->slots)
    made = with_item(made, slot.name, 0, column_of(slot, name, position), {});
  return made;
}

// [b.f]: the items side by side are the stack.
Binding Lowerer::joined_stack(const Slot& slot, const std::string& name) {
  const Binding stack = checked(slot.stack, name + "." + slot.name);
  if (slot.item_cols == 1) return stack;
  const Size cols = emit_.type(stack.value).cols * Size(slot.item_cols);
  return Binding::matrix(emit_.builder.reshape(stack.value, slot.item_rows, cols));
}

// The array with the value in a field of one struct; nothing where that fits no column.
std::optional<Binding> Lowerer::with_column(const Binding& base, const std::string& name, const std::string& field,
                                            ValueId position, const Binding& value, Span span) {
  if (!fits_column(emit_, value)) return std::nullopt;
  Aggregate made = *base.aggregate;
  auto slot = std::ranges::find(made.slots, field, &Slot::name);
  if (slot == made.slots.end()) {
    const Type t = emit_.type(value.value);
    made.slots.push_back({field, {}, Binding::matrix(emit_.nothing()), t.rows.constant(), t.cols.constant()});
    slot = made.slots.end() - 1;
  }
  if (!fits_slot(emit_, *slot, value)) return std::nullopt;
  const std::string place = name + "." + field;
  const Size cols = emit_.type(slot->stack.value).cols;
  const ValueId next = emit_.builder.map(ScalarOp::le, position, emit_.builder.size(cols + 1));
  emit_.require(next,
                place +
                    ": the structs of an array get their values one after the other where the run finds which "
                    "is meant: %d comes before %d has one",
                {position, emit_.builder.size(cols + 1)});
  IndexedStore store(emit_, slot->stack.value, as_column(emit_, value.value));
  slot->stack =
      Binding::matrix(store.into(column_at(emit_, store.base(), place, position, SubscriptUse::assign), place, span));
  return Binding::of(Binding::Kind::record, std::move(made));
}

std::optional<Binding> Lowerer::store_in_stack(const Binding& base, const std::string& name, ValueId position,
                                               std::span<const ast::Accessor> rest, const Binding& value, Span span) {
  const std::optional<Binding> all = stacked(base, span);
  if (!all) return std::nullopt;
  if (rest.empty()) {
    if (!value.is_record() || value.aggregate->stacked || value.aggregate->count() != 1) return std::nullopt;
    std::optional<Binding> made = all;
    for (const Slot& slot : value.aggregate->slots)
      if (made) made = with_column(*made, name, slot.name, position, slot.items.front(), span);
    return made;
  }
  const std::string field = field_name(rest.front());
  if (rest.size() == 1) return with_column(*all, name, field, position, value, span);
  const Slot* slot = all->aggregate->find(field);
  if (!slot) return std::nullopt;
  const Binding old = column_of(*slot, name, position);
  return with_column(*all, name, field, position, store(&old, name + "." + field, rest.subspan(1), value), span);
}

// b(i) = []
Binding Lowerer::without_struct(const Binding& base, const std::string& name, ValueId position) {
  Aggregate made = *base.aggregate;
  for (Slot& slot : made.slots)
    slot.stack = Binding::matrix(
        without(emit_, slot.stack.value,
                column_at(emit_, slot.stack.value, name + "." + slot.name, position, SubscriptUse::remove)));
  return Binding::of(Binding::Kind::record, std::move(made));
}

// `b` in b(i).f, where b is an array of structs that is stacked or will be for this position; nothing elsewhere.
std::optional<Lowerer::StackedElement> Lowerer::stacked_element(const ast::Expr& expr) {
  const auto access = ast::access_of(expr);
  if (!access || access->accessor.kind != ast::Accessor::Kind::parens || access->accessor.args.size() != 1)
    return std::nullopt;
  const auto target = ast::target_of(**access->base);
  if (!target || frame_->env.count(target->name.text) == 0) return std::nullopt;
  if (!whole(frame_->env, target->name.text).is_aggregate()) return std::nullopt;
  const Binding base = lower_expr(**access->base);
  if (!base.is_record()) return std::nullopt;
  const std::string name = source_of(**access->base);
  const std::vector<ElementSubscript> at = element_subscripts(*base.aggregate, name, access->accessor.args, expr.span);
  if (!base.aggregate->stacked && !at.front().position) return std::nullopt;
  std::optional<Binding> all = stacked(base, expr.span);
  if (!all) return std::nullopt;
  return StackedElement{*std::move(all), name, position_of(at.front(), name, expr.span)};
}

ValueId Lowerer::position_of(const ElementSubscript& subscript, const std::string& name, Span span) {
  if (subscript.position) return subscript.position;
  if (subscript.at.size() != 1 || subscript.all)
    emit_.fail(span, "one struct at a time can be taken of '" + name + "', for the run finds how many there are; [" +
                         name + ".field] is all of a field");
  return emit_.builder.constant(static_cast<double>(subscript.at.front() + 1), Element::integer);
}

}  // namespace lac::frontend
