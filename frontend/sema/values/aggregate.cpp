#include "frontend/sema/values/aggregate.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lac::frontend {
namespace {

std::string element_path(const Binding& aggregate, const std::string& path, std::int64_t element) {
  const std::string number = std::to_string(element + 1);
  if (aggregate.is_cell()) return path + "{" + number + "}";
  return aggregate.aggregate->count() == 1 ? path : path + "(" + number + ")";
}

std::string leaf_path(const Binding& aggregate, const std::string& path, const Slot& slot, std::int64_t element) {
  const std::string base = element_path(aggregate, path, element);
  return slot.name.empty() ? base : base + "." + slot.name;
}

/// The paths of a stack and of its places.
std::string stack_path(const Binding& aggregate, const std::string& path, const Slot& slot) {
  return path + (aggregate.is_cell() ? "{}" : "." + slot.name);
}
std::string places_path(const std::string& stack) { return stack + "(places)"; }

/// The tree with `leaf(path, item)` in the place of every leaf.
Binding with_leaves(const Binding& binding, const std::string& path,
                    const std::function<Binding(const std::string&, const Binding&)>& leaf) {
  if (!binding.is_compound()) return leaf(path, binding);
  Aggregate made = *binding.aggregate;
  for (Slot& slot : made.slots) {
    if (made.stacked) {
      const std::string stack = stack_path(binding, path, slot);
      slot.stack = with_leaves(slot.stack, stack, leaf);
      if (slot.ragged) slot.places = leaf(places_path(stack), slot.places);
    }
    for (std::size_t i = 0; i < slot.items.size(); ++i)
      slot.items[i] = with_leaves(slot.items[i], leaf_path(binding, path, slot, static_cast<std::int64_t>(i)), leaf);
  }
  Binding tree = Binding::of(binding.kind, std::move(made));
  tree.given = binding.given;
  return tree;
}

}  // namespace

Binding Binding::of(Kind kind, Aggregate aggregate) {
  Binding binding;
  binding.kind = kind;
  binding.aggregate = std::make_shared<const Aggregate>(std::move(aggregate));
  return binding;
}

bool Binding::same_as(const Binding& other) const {
  if (is_compound() || other.is_compound()) {
    if (aggregate == other.aggregate) return true;
    if (!same_form(*this, other)) return false;
    bool same = true;
    for (std::size_t i = 0; i < aggregate->slots.size(); ++i)
      same = same && aggregate->slots[i].stack.same_as(other.aggregate->slots[i].stack) &&
             aggregate->slots[i].places.same_as(other.aggregate->slots[i].places) &&
             std::ranges::equal(aggregate->slots[i].items, other.aggregate->slots[i].items,
                                [](const Binding& a, const Binding& b) { return a.same_as(b); });
    return same;
  }
  return kind == other.kind && value == other.value && text == other.text && function == other.function &&
         integer_class == other.integer_class && defined == other.defined && given == other.given;
}

const Slot* Aggregate::find(std::string_view name) const {
  const auto found = std::ranges::find(slots, name, &Slot::name);
  return found == slots.end() ? nullptr : &*found;
}

Binding form_of(const Binding& binding) {
  return with_leaves(binding, "", [](const std::string&, const Binding&) { return Binding{}; });
}

Binding without_given(Binding binding) {
  binding.given = {};
  if (!binding.is_compound()) return binding;
  Aggregate made = *binding.aggregate;
  for (Slot& slot : made.slots)
    for (Binding& item : slot.items) item = without_given(std::move(item));
  binding.aggregate = std::make_shared<const Aggregate>(std::move(made));
  return binding;
}

Binding empty_record() { return Binding::of(Binding::Kind::record, {}); }

Binding cell_array(std::int64_t rows, std::int64_t cols, std::vector<Binding> items) {
  return Binding::of(Binding::Kind::cell, {rows, cols, {Slot{{}, std::move(items)}}});
}

const Binding* item_of(const Binding& aggregate, std::string_view name, std::int64_t element) {
  const Slot* slot = aggregate.aggregate->find(name);
  return slot ? &slot->items[static_cast<std::size_t>(element)] : nullptr;
}

Binding with_item(const Binding& aggregate, std::string_view name, std::int64_t element, Binding item,
                  const Binding& nothing) {
  Aggregate made = *aggregate.aggregate;
  auto slot = std::ranges::find(made.slots, name, &Slot::name);
  if (slot == made.slots.end()) {
    made.slots.push_back({std::string(name), std::vector<Binding>(static_cast<std::size_t>(made.count()), nothing)});
    slot = made.slots.end() - 1;
  }
  slot->items[static_cast<std::size_t>(element)] = std::move(item);
  slot->presence = Presence::certain;
  return Binding::of(aggregate.kind, std::move(made));
}

Binding resized(const Binding& aggregate, std::int64_t rows, std::int64_t cols, const Binding& nothing) {
  const Aggregate& old = *aggregate.aggregate;
  if (old.rows == rows && old.cols == cols) return aggregate;
  Aggregate made{rows, cols, {}};
  for (const Slot& slot : old.slots) {
    std::vector<Binding> items(static_cast<std::size_t>(rows * cols), nothing);
    for (std::int64_t j = 0; j < old.cols; ++j)
      for (std::int64_t i = 0; i < old.rows; ++i)
        items[static_cast<std::size_t>(j * rows + i)] = slot.items[static_cast<std::size_t>(j * old.rows + i)];
    made.slots.push_back({slot.name, std::move(items)});
  }
  return Binding::of(aggregate.kind, std::move(made));
}

Binding selected(const Binding& aggregate, const std::vector<std::int64_t>& elements, std::int64_t rows,
                 std::int64_t cols) {
  Aggregate made{rows, cols, {}};
  for (const Slot& slot : aggregate.aggregate->slots) {
    std::vector<Binding> items;
    for (const std::int64_t element : elements) items.push_back(slot.items[static_cast<std::size_t>(element)]);
    made.slots.push_back({slot.name, std::move(items)});
  }
  return Binding::of(aggregate.kind, std::move(made));
}

Size count_of(Emitter& e, const Slot& slot) {
  const Binding& row = slot.ragged ? slot.places : slot.stack;
  if (row.kind == Binding::Kind::poisoned) throw LowerError{};
  if (row.is_aggregate()) return count_of(e, *row.aggregate);
  return e.type(row.is_complex() ? row.aggregate->slots.front().items.front().value : row.value).cols;
}

AggregateExtents extents_of(Emitter& e, const Aggregate& aggregate) {
  if (!aggregate.stacked) return {aggregate.rows, aggregate.cols};
  const Size count = count_of(e, aggregate);
  return aggregate.column ? AggregateExtents{count, 1} : AggregateExtents{1, count};
}

Size count_of(Emitter& e, const Aggregate& aggregate) {
  if (!aggregate.stacked) return aggregate.count();
  Size count = 0;
  for (const Slot& slot : aggregate.slots) {
    const Size cols = count_of(e, slot);
    count = count.is(0) ? cols : e.larger(count, cols);
  }
  return count;
}

bool same_form(const Binding& a, const Binding& b) {
  if (!a.is_compound() || !b.is_compound()) return a.is_compound() == b.is_compound();
  const Aggregate &left = *a.aggregate, &right = *b.aggregate;
  if (a.kind != b.kind || left.stacked != right.stacked || left.lead != right.lead) return false;
  if (left.stacked && (left.column != right.column || left.tuple != right.tuple)) return false;
  if (!left.stacked && (left.rows != right.rows || left.cols != right.cols)) return false;
  return std::ranges::equal(left.slots, right.slots, [](const Slot& x, const Slot& y) {
    return x.name == y.name && x.item_rows == y.item_rows && x.item_cols == y.item_cols && x.ragged == y.ragged &&
           x.vacant == y.vacant && x.gaps == y.gaps && x.optional == y.optional && x.presence == y.presence &&
           same_form(x.stack, y.stack) && std::ranges::equal(x.items, y.items, same_form);
  });
}

bool of_one_kind(const Binding& a, const Binding& b) {
  if (!a.is_compound() || !b.is_compound()) return a.has_class_of(b) && (a.is_leaf() || a.same_as(b));
  if (!same_form(a, b)) return false;
  for (std::size_t i = 0; i < a.aggregate->slots.size(); ++i)
    if (!std::ranges::equal(a.aggregate->slots[i].items, b.aggregate->slots[i].items, of_one_kind)) return false;
  return true;
}

bool can_be_chosen(const Aggregate& a) {
  if (a.count() > most_chosen) return false;
  return std::ranges::all_of(a.slots, [](const Slot& slot) {
    return std::ranges::all_of(slot.items, [&](const Binding& item) { return of_one_kind(slot.items.front(), item); });
  });
}

std::string form_text(const Binding& aggregate) {
  if (!aggregate.is_compound()) return aggregate.is_text() ? "string" : "matrix";
  if (aggregate.is_complex()) return "complex matrix";
  if (aggregate.is_variant()) return "value of several kinds";
  const Aggregate& a = *aggregate.aggregate;
  if (aggregate.is_array()) {
    std::string extents;
    for (const Size& extent : a.lead) extents += (extent.is_constant() ? std::to_string(extent.constant()) : "?") + "x";
    return extents + "? array";
  }
  const std::string extents = std::to_string(a.rows) + "x" + std::to_string(a.cols);
  if (aggregate.is_cell()) return a.stacked ? "cell array" : extents + " cell array";
  std::string fields;
  for (const Slot& slot : a.slots) fields += (fields.empty() ? "" : ", ") + slot.name;
  const std::string what = a.stacked ? "struct array" : a.count() == 1 ? "struct" : extents + " struct array";
  return fields.empty() ? what + " without fields" : what + " with " + fields;
}

Binding record_of_tuple(const Binding& cells) {
  Aggregate made;
  for (const Binding& item : items_of(cells)) made.slots.push_back({std::to_string(made.slots.size() + 1), {item}});
  return Binding::of(Binding::Kind::record, std::move(made));
}

Binding tuple_of_record(const Binding& record) {
  std::vector<Binding> items;
  for (const Slot& slot : record.aggregate->slots) items.push_back(slot.items.front());
  const auto count = static_cast<std::int64_t>(items.size());
  return cell_array(1, count, std::move(items));
}

void for_each_leaf(const Binding& binding, const std::string& path,
                   const std::function<void(const std::string&, const Binding&)>& visit) {
  if (!binding.is_compound()) return visit(path, binding);
  for (const Slot& slot : binding.aggregate->slots) {
    if (binding.aggregate->stacked) {
      const std::string stack = stack_path(binding, path, slot);
      for_each_leaf(slot.stack, stack, visit);
      if (slot.ragged) visit(places_path(stack), slot.places);
    }
    for (std::size_t i = 0; i < slot.items.size(); ++i)
      for_each_leaf(slot.items[i], leaf_path(binding, path, slot, static_cast<std::int64_t>(i)), visit);
  }
}

namespace {

/// Whether every value that it holds may lack.
bool hangs_on_run(const Binding& item) {
  bool any = false, certain = false;
  for_each_leaf(item, "", [&](const std::string&, const Binding& leaf) {
    any = any || leaf.defined;
    certain = certain || !leaf.defined;
  });
  return any && !certain;
}

}  // namespace

bool may_lack(const Slot& field) {
  if (field.items.empty()) return false;
  const Binding& item = field.items.front();
  return item.is_aggregate() ? field.presence != Presence::certain : hangs_on_run(item);
}

ValueId presence_of(Emitter& e, const Slot& field) {
  if (!may_lack(field)) return e.builder.constant(1, Element::logical);
  if (field.presence == Presence::unknown || !hangs_on_run(field.items.front()))
    e.fail(e.place(), "whether a struct has the field '" + field.name +
                          "' hangs on a branch, and what it holds there has no values: give it before the branch");
  return presence_of(e, field.items.front());
}

ValueId presence_of(Emitter& e, const Binding& item) {
  if (!hangs_on_run(item)) return e.builder.constant(1, Element::logical);
  ValueId there;
  for_each_leaf(item, "", [&](const std::string&, const Binding& leaf) {
    if (there != leaf.defined) there = there ? e.builder.map(ScalarOp::logical_or, there, leaf.defined) : leaf.defined;
  });
  return there;
}

Binding as_complete(const Binding& item) {
  return with_leaves(item, "", [](const std::string&, Binding leaf) {
    leaf.defined = {};
    return leaf;
  });
}

Binding as_present(const Slot& field, std::size_t element) {
  const Binding& item = field.items[element];
  if (!item.is_aggregate()) return as_complete(item);
  std::set<std::uint32_t> conditions;
  for_each_leaf(item, "", [&](const std::string&, const Binding& leaf) { conditions.insert(leaf.defined.index); });
  return may_lack(field) && conditions.size() == 1 ? as_complete(item) : item;
}

Binding with_presence(Emitter& e, const Binding& item, ValueId there) {
  if (e.constant_of(there) == 1.0) return item;
  return with_leaves(item, "", [&](const std::string&, Binding leaf) {
    leaf.defined = leaf.defined ? e.builder.map(ScalarOp::logical_and, leaf.defined, there) : there;
    return leaf;
  });
}

bool is_leaf(std::string_view name) { return name.find_first_of(".{(") != std::string_view::npos; }

std::string root_of(std::string_view name) { return std::string(name.substr(0, name.find_first_of(".{("))); }

bool lies_below(std::string_view path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  return path.size() == prefix.size() || is_leaf(path.substr(prefix.size(), 1));
}

std::string value_name(const std::string& path) {
  std::string name;
  for (const char c : path) name += c == '.' || c == '{' || c == '(' || c == '@' ? '_' : c;
  std::erase_if(name, [](char c) { return c == '}' || c == ')'; });
  return name;
}

namespace {

/// Whether the run finds of some part whether it was given.
bool tells_given(const Binding& binding) {
  if (binding.given || !binding.is_compound()) return bool(binding.given);
  return std::ranges::any_of(binding.aggregate->slots,
                             [](const Slot& slot) { return std::ranges::any_of(slot.items, tells_given); });
}

}  // namespace

void put(Environment& env, const std::string& name, const Binding& binding) {
  const auto old = env.find(name);
  const bool was_flat = old != env.end() && old->second.is_compound();
  const bool keeps_form = was_flat && same_form(old->second, binding) && old->second.defined == binding.defined &&
                          !tells_given(old->second) && !tells_given(binding);
  if (was_flat && !keeps_form) {
    std::vector<std::string> stale;
    for_each_leaf(old->second, name, [&](const std::string& path, const Binding&) { stale.push_back(path); });
    for (const std::string& path : stale) env.erase(path);
  }
  if (!binding.is_compound()) {
    env.insert_or_assign(name, binding);
    return;
  }
  if (!keeps_form) {
    Binding form = form_of(binding);
    form.defined = binding.defined;
    env.insert_or_assign(name, std::move(form));
  }
  for_each_leaf(binding, name, [&](const std::string& path, const Binding& leaf) {
    const auto found = env.find(path);
    if (binding.is_variant() && leaf.kind == Binding::Kind::poisoned) env.erase(path);  // of a kind that it is not of
    else if (found == env.end() || !found->second.same_as(leaf)) env.insert_or_assign(path, leaf);
  });
}

Binding whole(const Environment& env, const std::string& name) {
  const auto found = env.find(name);
  if (found == env.end()) return {};
  Binding made = with_leaves(found->second, name, [&](const std::string& path, const Binding& leaf) {
    const auto at = env.find(path);
    if (at != env.end()) return at->second;
    Binding missing = leaf;
    missing.poison = "'" + path + "' undefined";
    return missing;
  });
  made.defined = found->second.defined;
  return made;
}

}  // namespace lac::frontend
