// Structs and cells of which the run finds how many there are or which one is meant: rows of elements, see
// sema/stacks/stacks.h. Elements that are matrices of one constant shape are the columns of a matrix; others lie one
// behind the other, each with extents of its own.
#include <algorithm>

#include "frontend/ast/print.h"
#include "frontend/sema/program/loop_attempt.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/deletion.h"
#include "frontend/sema/values/indexed_assignment.h"

namespace lac::frontend {
namespace {

using Kind = Binding::Kind;

/// A matrix with a column for each element: what the run reads and stores as it does columns.
bool is_columns(const SlotForm& form) { return !form.ragged && form.row.kind == Kind::matrix; }
bool is_columns(const Slot& slot) { return !slot.ragged && slot.stack.is_matrix(); }

ValueId as_column(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  return t.cols.is(1) ? value : e.builder.reshape(value, t.count(), 1);
}

ResolvedSubscripts column_at(Emitter& e, ValueId stack, const std::string& name, ValueId position, SubscriptUse use) {
  SubscriptResolver resolver(e, stack, name, 2, use);
  resolver.add_all();
  resolver.add_value(position);
  return resolver.take();
}

Binding with_slot(const Binding& all, Slot slot) {
  Aggregate made = *all.aggregate;
  const auto own = std::ranges::find(made.slots, slot.name, &Slot::name);
  if (own == made.slots.end()) made.slots.push_back(std::move(slot));
  else *own = std::move(slot);
  return Binding::of(all.kind, std::move(made));
}

/// The form of what a variable holds: nothing where it cannot be stacked.
std::optional<RowForm> form_of(const Emitter& e, const Binding& all) {
  return all.aggregate->stacked ? row_form(e, all) : elements_form(e, all);
}

/// What a containers.Map holds where its keys are fields.
bool is_list_of_keys(const Binding& contents) {
  return contents.is_record() && !contents.aggregate->stacked && !contents.aggregate->slots.empty();
}

}  // namespace

std::optional<Binding> Lowerer::stacked(const Binding& base, Stacking how) {
  if (!base.is_record() && !base.is_cell()) return std::nullopt;
  if (base.aggregate->stacked) return base;
  if (how == Stacking::columns && !base.is_record()) return std::nullopt;
  const std::optional<RowForm> form = elements_form(emit_, base);
  if (!form || (how == Stacking::columns && !is_columns(*form))) return std::nullopt;
  return row_of(emit_, base, *form);
}

// The variable, which has no elements or is an aggregate, in a form that holds it.
Binding Lowerer::stacked_as(const Binding& base, const RowForm& form) {
  if (is_nothing(&base)) return empty_row(emit_, form);
  return base.aggregate->stacked ? row_like(emit_, base, form) : row_of(emit_, base, form);
}

// The form of both; nothing where there is none, or `base` is not to be stacked.
std::optional<RowForm> Lowerer::stacked_form(const Binding& base, const Binding& other) const {
  const bool begins = is_nothing(&base);
  if (!begins && base.kind != other.kind) return std::nullopt;
  const std::optional<RowForm> after = form_of(emit_, other);
  if (!after || begins) return after;
  const std::optional<RowForm> before = form_of(emit_, base);
  return before ? joined_form(*before, *after) : std::nullopt;
}

// Whether structs or cells in the arms of a branch, or before and after a trip, go on as a row that is stacked.
bool Lowerer::go_on_stacked(const Binding& a, const Binding& b) const {
  if (a.kind != b.kind || (!a.is_record() && !a.is_cell())) return false;
  const Aggregate &x = *a.aggregate, &y = *b.aggregate;
  if (x.stacked != y.stacked) return true;
  if (x.stacked) {
    const RowForm form = row_form(emit_, a), other = row_form(emit_, b);
    return !(form == other) || takes_class(form, other);
  }
  return x.rows != y.rows || x.cols != y.cols;
}

namespace {

/// The struct with its fields in the order that `model` has, and so what is in it.
Binding ordered_like(const Binding& binding, const Binding& model) {
  if (!binding.is_aggregate() || binding.is_array() || model.kind != binding.kind) return binding;
  const std::vector<Slot>& order = model.aggregate->slots;
  Aggregate made = *binding.aggregate;
  const auto place = [&](const Slot& slot) { return std::ranges::find(order, slot.name, &Slot::name) - order.begin(); };
  std::ranges::stable_sort(made.slots, {}, place);
  for (Slot& slot : made.slots) {
    const Slot* of_model = model.aggregate->find(slot.name);
    if (!of_model) continue;
    slot.stack = ordered_like(slot.stack, of_model->stack);
    for (std::size_t k = 0; k < std::min(slot.items.size(), of_model->items.size()); ++k)
      slot.items[k] = ordered_like(slot.items[k], of_model->items[k]);
  }
  Binding ordered = Binding::of(binding.kind, std::move(made));
  ordered.defined = binding.defined;
  return ordered;
}

}  // namespace

// What a containers.Map holds where one arm has stored a key of the run: rows in the other as well.
bool Lowerer::map_in_rows_in_both(Binding (&left)[2], std::array<Environment, 2>& after,
                                  const std::array<BlockId, 2>& blocks, const std::string& name) {
  const std::size_t listed = is_list_of_keys(left[0]) ? 0 : 1;
  const Binding& other = left[1 - listed];
  if (map_kinds_.at(name).is_numeric() || !other.is_record() || !other.aggregate->stacked) return false;
  std::optional<Binding> rows;
  emit_.inside(blocks[listed], [&] { rows = map_as_rows(left[listed], emit_.place()); });
  if (!rows) return false;
  emit_.inside(blocks[listed], [&] { put(after[listed], name, *rows); });
  left[listed] = *std::move(rows);
  return true;
}

// Arrays that one arm of a branch makes longer, or has stacked, are stacked behind both.
void Lowerer::stack_in_both(std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks) {
  std::set<std::string> names;
  Environment::for_each_difference(after[0], after[1], [&](const std::string& path) {
    const std::string name = root_of(path);
    if (after[0].count(name) != 0 && after[1].count(name) != 0) names.insert(name);
  });
  for (const std::string& name : names) {
    Binding left[2] = {whole(after[0], name), whole(after[1], name)};
    if (is_map_contents(name) && std::ranges::any_of(left, is_list_of_keys)) {
      if (!map_in_rows_in_both(left, after, blocks, name)) continue;
    }
    for (const std::size_t i : {0, 1}) {
      const StackedParts parts = stacked_parts(left[i], left[1 - i], true);
      if (parts.empty()) continue;
      emit_.inside(blocks[i], [&] {
        const Binding made = with_stacked(left[i], parts);
        put(after[i], name, i == 0 ? made : ordered_like(made, whole(after[0], name)));
      });
    }
  }
}

namespace {

/// Structs with the same fields, or cells, of the same known number: what they hold may go on apart.
bool are_alike(const Binding& a, const Binding& b) {
  if (a.kind != b.kind || (!a.is_record() && !a.is_cell())) return false;
  const Aggregate &x = *a.aggregate, &y = *b.aggregate;
  return !x.stacked && !y.stacked && x.rows == y.rows && x.cols == y.cols;
}

Binding with_change(const Binding& base, std::span<const std::pair<std::size_t, std::size_t>> path,
                    const std::function<Binding(const Binding&)>& change) {
  if (path.empty()) return change(base);
  Aggregate made = *base.aggregate;
  Binding& item = made.slots[path.front().first].items[path.front().second];
  item = with_change(item, path.subspan(1), change);
  Binding changed = Binding::of(base.kind, std::move(made));
  changed.defined = base.defined;
  return changed;
}

}  // namespace

// The parts of a variable that a trip makes longer, or that two arms leave different: what of `before` is to be
// stacked. Of an arm also what the other one leaves as [].
void Lowerer::add_stacked_parts(const Binding& before, const Binding& after, bool arm, StackedPart& place,
                                StackedParts& parts) const {
  if (are_alike(before, after)) {
    for (std::size_t i = 0; i < before.aggregate->slots.size(); ++i) {
      const Slot& slot = before.aggregate->slots[i];
      const Slot* other = after.aggregate->find(slot.name);
      if (!other) continue;
      for (std::size_t k = 0; k < slot.items.size(); ++k) {
        place.path.emplace_back(i, k);
        add_stacked_parts(slot.items[k], other->items[k], arm, place, parts);
        place.path.pop_back();
      }
    }
    return;
  }
  const bool begins = before.kind != Kind::poisoned && is_nothing(&before);
  const bool grows =
      begins ? (after.is_record() || after.is_cell()) && (after.aggregate->stacked || after.aggregate->count() > 0)
             : go_on_stacked(before, after);
  const bool ends = arm && !begins && after.kind != Kind::poisoned && is_nothing(&after) &&
                    (before.is_record() || before.is_cell()) && !before.aggregate->stacked;
  if (ends) {
    if (auto form = form_of(emit_, before)) parts.push_back({place.path, *std::move(form)});
    return;
  }
  if (!grows) return;
  if (auto form = stacked_form(before, after)) parts.push_back({place.path, *std::move(form)});
}

StackedParts Lowerer::stacked_parts(const Binding& before, const Binding& after, bool arm) const {
  StackedParts parts;
  StackedPart place;
  add_stacked_parts(before, after, arm, place, parts);
  return parts;
}

// What a trip leaves, with the parts stacked that were so before it: c = {} in a loop that fills c again.
Binding Lowerer::kept_stacked(const Binding& end, const Binding& old) {
  if (end.kind == Kind::poisoned || !old.is_aggregate()) return end;
  if (old.aggregate->stacked) {
    const bool nothing = is_nothing(&end);
    if (!nothing && (end.kind != old.kind || end.aggregate->stacked)) return end;
    const auto form = nothing ? std::optional(row_form(emit_, old)) : stacked_form(old, end);
    if (!form) return end;
    Binding made = stacked_as(end, *form);
    made.defined = end.defined;
    return made;
  }
  if (!are_alike(end, old)) return end;
  Aggregate made = *end.aggregate;
  bool changed = false;
  for (Slot& slot : made.slots)
    if (const Slot* before = old.aggregate->find(slot.name))
      for (std::size_t k = 0; k < slot.items.size(); ++k) {
        const Binding kept = kept_stacked(slot.items[k], before->items[k]);
        changed = changed || kept.aggregate != slot.items[k].aggregate;
        slot.items[k] = kept;
      }
  if (!changed) return end;
  Binding all = Binding::of(end.kind, std::move(made));
  all.defined = end.defined;
  return all;
}

Binding Lowerer::with_stacked(const Binding& base, const StackedParts& parts) {
  Binding made = base;
  for (const StackedPart& part : parts)
    made = with_change(made, part.path, [&](const Binding& item) {
      Binding row = stacked_as(item, part.form);
      row.defined = item.defined;
      return row;
    });
  return made;
}

// Where an element of what is stacked is: a position from 0 on, which is checked against those that have the slot.
Size Lowerer::stacked_place(const Binding& all, const Slot& slot, const std::string& name, ValueId position) {
  const Size count = count_of(emit_, slot);
  const bool column = all.aggregate->column;
  SubscriptResolver resolver(emit_, {count}, {column ? count : Size(1), column ? Size(1) : count}, name,
                             SubscriptUse::read);
  resolver.add_value(position);
  return resolver.take().subscripts.axes[0].first;
}

// What an element holds in one slot.
Binding Lowerer::item_at(const Binding& all, const Slot& slot, const std::string& name, ValueId position) {
  Slot held = slot;
  if (!slot.stack.is_aggregate()) held.stack = checked(slot.stack, slot.name.empty() ? name : name + "." + slot.name);
  return slot_item(emit_, held, stacked_place(all, held, name, position));
}

// One element: a struct, or a cell with what is in it.
Binding Lowerer::element_at(const Binding& all, const std::string& name, ValueId position) {
  if (all.is_cell()) return cell_array(1, 1, {item_at(all, all.aggregate->slots.front(), name, position)});
  Binding made = empty_record();
  for (const Slot& slot : all.aggregate->slots)
    made = with_item(made, slot.name, 0, item_at(all, slot, name, position), {});
  return made;
}

// A struct as an element of an array: a field that it may lack must be there.
Binding Lowerer::with_all_fields(const Binding& value, const std::string& complaint) {
  if (!value.is_record() || value.aggregate->stacked || value.aggregate->count() != 1) return value;
  Binding made = value;
  for (const Slot& slot : value.aggregate->slots) {
    if (!may_lack(slot)) continue;
    emit_.require(presence_of(emit_, slot), complaint, {});
    made = with_item(made, slot.name, 0, as_present(slot), {});
  }
  return made;
}

// [c, d] and [c; d] where the run finds how many elements some of them have.
Binding Lowerer::join_rows(const std::vector<Binding>& given, Axis axis, Span span) {
  std::vector<Binding> parts = given;
  for (Binding& part : parts) part = with_all_fields(part, "cat: field names mismatch in concatenating structs");
  std::optional<RowForm> form;
  for (const Binding& part : parts) {
    const std::optional<RowForm> own = form_of(emit_, part);
    const auto names = [](const RowForm& of) {
      std::set<std::string> all;
      for (const SlotForm& slot : of.slots) all.insert(slot.name);
      return all;
    };
    if (own && form && !own->open && !form->open && names(*own) != names(*form))
      emit_.fail(span, "cat: field names mismatch in concatenating structs");
    const bool fits = own && (!form || keeps_classes(*form, *own));
    form = !fits ? std::nullopt : form ? joined_form(*form, *own) : own;
    if (!form)
      emit_.fail(span,
                 "the run finds how many elements are joined here, so all must be of one kind: matrices, strings, "
                 "or structs with fields that are so");
  }
  const bool column = axis == Axis::rows;
  form->column = false;
  std::optional<Binding> made;
  for (const Binding& part : parts) {
    const Aggregate& a = *part.aggregate;
    const bool lies_across = a.stacked ? a.column != column : (column ? a.cols : a.rows) > 1;
    if (lies_across && parts.size() > 1)
      emit_.refuse_unless(
          emit_.builder.map(ScalarOp::le, emit_.builder.size(count_of(emit_, a)),
                            emit_.builder.constant(1, Element::integer)),
          std::string("a ") + (column ? "row" : "column") + " of cells or structs is joined in the other direction");
    const Binding row = a.stacked ? row_like(emit_, part, *form) : row_of(emit_, part, *form);
    made = made ? row_joined(emit_, *made, row) : row;
  }
  Aggregate all = *made->aggregate;
  all.column = parts.size() == 1 ? parts.front().aggregate->column : column;
  return Binding::of(made->kind, std::move(all));
}

// Whether a value of that form keeps its class there, as the others do. What waits for a call in recursion is of one
// variable, whose class calls join as branches do.
bool Lowerer::takes(const std::string& name, const Slot& slot, const SlotForm& form) const {
  const auto waits = [&](const auto& stack) { return stack.second == name; };
  if (frame_->machine && std::ranges::any_of(frame_->machine->stacks, waits)) return true;
  return keeps_classes(slot_form(emit_, slot).row, form.row);
}

// Whether the first value of a field that no struct has yet is followed by those of the other structs one after the
// other: for k = 1:numel(a), a(k).f = v, end. Elsewhere the others hold [] until they are given one.
bool Lowerer::is_given_in_order(const Binding& base, ValueId position) {
  const Size count = count_of(emit_, *base.aggregate), at = emit_.bounded_size(position) - 1;
  if (count.is(0) || (count.is(1) && at.is(0))) return true;
  if (frame_->loops.empty()) return false;
  return at.is(0) || (!attempts_.empty() && attempts_.back()->is_trip(at));
}

// The array with the value in a field of one struct, which is a matrix of one constant shape in all of them; nothing
// where the value is none.
std::optional<Binding> Lowerer::with_column(const Binding& base, const std::string& name, const std::string& field,
                                            ValueId position, const Binding& value, Span span) {
  const std::optional<SlotForm> form = item_form(emit_, value);
  if (!form || !is_columns(*form)) return std::nullopt;
  const auto begun = [&] {  // of the class of the value
    const ValueId zero = emit_.builder.constant(0, emit_.type(value.value).element);
    const ValueId none = emit_.builder.fill(zero, form->rows * form->cols, 0);
    return Slot{field, {}, Binding::matrix(none), form->rows, form->cols};
  };
  const Slot* own = base.aggregate->find(field);
  Slot slot = own && !own->vacant ? *own : begun();
  if (!is_columns(slot) || slot.item_rows != form->rows || slot.item_cols != form->cols || !takes(name, slot, *form))
    return std::nullopt;
  const std::string place = field.empty() ? name : name + "." + field;
  const Size cols = emit_.type(slot.stack.value).cols;
  const ValueId next = emit_.builder.map(ScalarOp::le, position, emit_.builder.size(cols + 1));
  const std::string remedy = base.is_cell() ? "; cells that cell(1, n) makes take theirs in any order" : "";
  emit_.require(next,
                place +
                    ": the elements of an array get their values one after the other where the run finds which "
                    "is meant: %d comes before %d has one" +
                    remedy,
                {position, emit_.builder.size(cols + 1)});
  IndexedStore store(emit_, slot.stack.value, as_column(emit_, value.value));
  slot.stack =
      Binding::matrix(store.into(column_at(emit_, store.base(), place, position, SubscriptUse::assign), place, span));
  return with_slot(base, std::move(slot));
}

// The array with the value in one element, under one name; nothing where no form holds it and the others.
std::optional<Binding> Lowerer::with_item_at(const Binding& base, const std::string& name, const std::string& field,
                                             ValueId position, const Binding& value, Span span) {
  const Slot* own = base.aggregate->find(field);
  const Size at = emit_.bounded_size(position) - 1, count = own ? count_of(emit_, *own) : Size(0);
  const bool skips = base.is_cell() && emit_.facts.nonnegative_here(emit_.graph, at - count - 1);
  if (!skips)
    if (auto made = with_column(base, name, field, position, value, span)) return made;
  std::optional<SlotForm> form = item_form(emit_, value);
  if (!form) return std::nullopt;
  form->name = field;
  if (own && !takes(name, *own, *form)) return std::nullopt;
  if (own) form = joined_form(slot_form(emit_, *own), *form);
  if (!form) return std::nullopt;
  const bool grows_in_order = at == count || emit_.facts.nonnegative_here(emit_.graph, count - at);
  form->ragged = form->ragged || !own || skips;
  form->gaps = form->gaps || (form->ragged && !grows_in_order && !is_of_doubles(form->row));
  const Slot slot = own ? slot_like(emit_, *own, *form) : slot_of_items(emit_, *form, {});
  const Slot one = slot_of_items(emit_, *form, {value});
  emit_.require(emit_.builder.map(ScalarOp::ge, position, emit_.builder.constant(1, Element::integer)),
                name + "(%d): subscripts must be either integers 1 to (2^63)-1 or logicals", {position},
                "Octave:index-out-of-bounds");
  const auto replaced = [&] { return with_slot(base, slot_replaced(emit_, slot, at, one)); };
  const auto behind = [&] {
    if (slot.ragged) return with_slot(base, slot_joined(emit_, slot_padded(emit_, slot, at), one));
    if (at != count)
      emit_.refuse_unless(emit_.equal_sizes(at, count),
                          name + ": elements get their values one after the other where the run finds which is meant");
    return with_slot(base, slot_joined(emit_, slot, one));
  };
  Binding made;
  if (emit_.facts.nonnegative_here(emit_.graph, count - at - 1)) made = replaced();
  else if (emit_.facts.nonnegative_here(emit_.graph, at - count)) made = behind();
  else
    made = chosen(emit_.builder.map(ScalarOp::lt, emit_.builder.size(at), emit_.builder.size(count)), replaced, behind);
  return made;
}

// What b(k).f is once a part of it is stored, where b(k) may be new.
Binding Lowerer::part_stored(const Binding& base, const std::string& name, const std::string& field, ValueId position,
                             std::span<const ast::Accessor> rest, const Binding& value) {
  const std::string place = base.is_cell() ? name + "{}" : name + "." + field;
  const Slot* slot = base.aggregate->find(field);
  const auto anew = [&] { return store(nullptr, place, rest, value); };
  const auto changed = [&] {
    const Binding old = item_at(base, *slot, name, position);
    return store(&old, place, rest, value);
  };
  const auto inside = [&] {  // a struct that was never given is []
    if (!slot->ragged || !slot->stack.is_record()) return changed();
    const auto extents = item_extents(emit_, *slot, emit_.bounded_size(position) - 1);
    return chosen(emit_.equal_sizes(extents.rows * extents.cols, 1), changed, anew);
  };
  if (!slot) return anew();
  const Size count = count_of(emit_, *slot), at = emit_.bounded_size(position) - 1;
  if (emit_.facts.nonnegative_here(emit_.graph, count - at - 1)) return inside();
  if (emit_.facts.nonnegative_here(emit_.graph, at - count)) return anew();
  return chosen(emit_.builder.map(ScalarOp::le, position, emit_.builder.size(count)), inside, anew);
}

std::optional<Binding> Lowerer::store_in_stack(const Binding& base, const std::string& name, ValueId position,
                                               std::span<const ast::Accessor> rest, const Binding& value, Span span) {
  if (base.is_cell()) {
    if (rest.empty()) return with_item_at(base, name, "", position, value, span);
    const Slot& slot = base.aggregate->slots.front();
    const bool of_kinds = slot.stack.is_record() && slot.stack.aggregate->tuple != 0;
    if (!of_kinds)
      return with_item_at(base, name, "", position, part_stored(base, name, "", position, rest, value), span);
    const Binding old = item_at(base, slot, name, position);  // cells of several kinds, all of which a new one needs
    return with_item_at(base, name, "", position, store(&old, name + "{}", rest, value), span);
  }
  if (rest.empty()) {
    if (!value.is_record() || value.aggregate->count() != 1) return std::nullopt;
    std::optional<Binding> made = base;
    const Binding whole = with_all_fields(value, "incompatible fields in struct assignment");
    for (const Slot& slot : whole.aggregate->slots)
      if (made) made = with_item_at(*made, name, slot.name, position, slot.items.front(), span);
    return made ? std::optional(padded(*made)) : made;
  }
  const std::string field = field_name(rest.front());
  const Size count = count_of(emit_, *base.aggregate);
  const Binding part = rest.size() > 1 ? part_stored(base, name, field, position, rest.subspan(1), value) : value;
  const auto made = with_item_at(with_field_for(base, field, position, part), name, field, position, part, span);
  return made ? std::optional(padded(with_what_is_not_given(*made, name, field, position, count))) : made;
}

// The structs with a field that none of them has yet, [] in all, where it is not given to one after the other.
Binding Lowerer::with_field_for(const Binding& base, const std::string& field, ValueId position, const Binding& value) {
  if (base.aggregate->find(field) || is_given_in_order(base, position)) return base;
  std::optional<SlotForm> form = item_form(emit_, value);
  if (!form) return base;
  form->name = field;
  form->ragged = true;
  form->rows = form->cols = 1;
  return with_slot(base, slot_padded(emit_, slot_of_items(emit_, *form, {}), count_of(emit_, *base.aggregate)));
}

// a(end + 1).f = v: fields of one shape that no statement gives the new struct hold [] there, so that extents differ.
Binding Lowerer::with_what_is_not_given(const Binding& all, const std::string& name, const std::string& given,
                                        ValueId position, const Size& count_before) {
  const Size at = emit_.bounded_size(position) - 1;
  const auto lacks = [&](const Slot& slot) {
    return at == count_before || emit_.facts.nonnegative_here(emit_.graph, at - count_of(emit_, slot));
  };
  Aggregate made = *all.aggregate;
  const Size count = count_of(emit_, made);
  for (Slot& slot : made.slots)
    if (slot.name != given && !slot.ragged && !slot.vacant && lacks(slot) &&
        !gives_field(frame_->remaining, root_of(name), slot.name))
      slot = slot_padded(emit_, slot, count);
  return Binding::of(all.kind, std::move(made));
}

// Fields that were not given to the last elements hold [] there, where their extents differ.
Binding Lowerer::padded(const Binding& all) {
  Aggregate made = *all.aggregate;
  if (std::ranges::none_of(made.slots, &Slot::ragged) || made.slots.size() == 1) return all;
  const Size count = count_of(emit_, made);
  for (Slot& slot : made.slots)
    if (slot.ragged && count_of(emit_, slot) != count) slot = slot_padded(emit_, slot, count);
  return Binding::of(all.kind, std::move(made));
}

// b(i) = [], c(i) = []
Binding Lowerer::without_element(const Binding& base, const std::string& name, ValueId position) {
  const Size count = count_of(emit_, *base.aggregate);
  emit_.require(emit_.builder.map(ScalarOp::le, position, emit_.builder.size(count)),
                "A(I) = []: index out of bounds: value %d out of bound %d", {position, emit_.builder.size(count)},
                "Octave:index-out-of-bounds");
  // Where the position is certainly beyond the end, extents behind the check would be negative.
  if (count.is_constant() && count.constant() > 0)
    position = emit_.builder.map(ScalarOp::min, position, emit_.builder.size(count));
  Aggregate made = *base.aggregate;
  for (Slot& slot : made.slots) slot = slot_without(emit_, slot, stacked_place(base, slot, name, position));
  return Binding::of(base.kind, std::move(made));
}

// The positions of several subscripts, a row of integers from 1 on.
ValueId Lowerer::stacked_positions(const Binding& all, const std::string& name, const ElementSubscript& subscript) {
  if (!subscript.several && subscript.at.empty())
    return emit_.builder.fill(emit_.builder.constant(0, Element::integer), 1, 0);
  const auto known = [&] {
    std::vector<double> numbers;
    for (const std::int64_t at : subscript.at) numbers.push_back(static_cast<double>(at + 1));
    const auto count = static_cast<std::int64_t>(numbers.size());
    return emit_.builder.table(std::move(numbers), Element::integer, 1, count);
  };
  const auto [rows, cols] = extents_of(emit_, *all.aggregate);
  SubscriptResolver resolver(emit_, {rows * cols}, {rows, cols}, name, SubscriptUse::read);
  resolver.add_value(subscript.several ? subscript.several : known());
  const Positions found = positions_of(emit_, resolver.take()).front();
  return emit_.builder.reshape(found.value, 1, found.count);
}

// What is left without the elements of several subscripts.
Binding Lowerer::without_several(const Binding& all, const std::string& name, const ElementSubscript& subscript,
                                 Span span) {
  Builder& b = emit_.builder;
  const Size count = count_of(emit_, *all.aggregate);
  const ValueId positions = stacked_positions(all, name, subscript);
  const Size several = emit_.type(positions).cols;
  const ValueId stays = b.fill(b.constant(1, Element::logical), 1, count);
  const ValueId goes = b.fill(b.constant(0, Element::logical), several, 1);
  const ValueId kept = b.update(stays, {{{SubscriptKind::vector, 0, 1, several}}}, {positions}, goes);
  const ValueId left = find_positions(emit_, kept);
  return elements_gathered(all, b.reshape(left, 1, emit_.type(left).count()), span);
}

// The elements at positions that the run finds, a row of integers from 1 on.
Binding Lowerer::elements_gathered(const Binding& all, ValueId positions, Span span) {
  const Gatherer gatherer = [&](ValueId places, ValueId at) {
    const ValueId found =
        call_by_name("index_by_places", {Binding::matrix(places), Binding::matrix(at)}, 1, span).front().value;
    return emit_.builder.convert(found, Element::integer);
  };
  return row_gathered(emit_, all, positions, gatherer);
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
  if (at.front().several) return std::nullopt;
  if (!base.aggregate->stacked && !at.front().position) return std::nullopt;
  std::optional<Binding> all = stacked(base, Stacking::columns);
  if (!all) return std::nullopt;
  return StackedElement{*std::move(all), name, position_of(at.front(), name, expr.span)};
}

ValueId Lowerer::position_of(const ElementSubscript& subscript, const std::string& name, Span span) {
  if (subscript.position) return subscript.position;
  if (subscript.at.size() != 1 || subscript.all)
    emit_.fail(span, "one element at a time can be taken of '" + name + "', for the run finds how many there are");
  return emit_.builder.constant(static_cast<double>(subscript.at.front() + 1), Element::integer);
}

}  // namespace lac::frontend
