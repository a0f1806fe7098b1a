// Structs that get a field in some trip of a loop: `if done, info.flag = 1; break, end`. Before the loop they lack it.
#include <algorithm>

#include "frontend/sema/program/loop_attempt.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {
namespace {

bool is_one_struct(const Binding& binding) {
  return binding.is_record() && !binding.aggregate->stacked && binding.aggregate->count() == 1;
}

/// Whether it has all fields of the other struct, in the same form.
bool has_fields_of(const Binding& binding, const Binding& other) {
  return std::ranges::all_of(other.aggregate->slots, [&](const Slot& field) {
    const Binding* own = item_of(binding, field.name);
    return own && same_form(*own, field.items.front()) && own->kind == field.items.front().kind;
  });
}

Type type_of_leaf(const Emitter& e, const Binding& leaf) {
  if (!leaf.is_known_text()) return e.type(leaf.value);
  return Type::matrix(Element::integer, 1, static_cast<std::int64_t>(leaf.text.size()));
}

}  // namespace

// Whether the variable, or a leaf of one, has a value of its own before the loop: a field that a struct lacks has none.
bool Lowerer::LoopAttempt::has_value_before(const std::string& name) const {
  const auto found = before_.find(name);
  if (found == before_.end() || !found->second.is_leaf()) return false;
  return !is_leaf(name) || !found->second.defined || emit_.constant_of(found->second.defined) != 0.0;
}

// Fields that every trip gives are there once the first one is peeled; a loop that is written out tells itself.
bool Lowerer::LoopAttempt::gains_fields(const std::string& name) {
  if (can_be_unrolled(most_unrolled) || next_is_known()) return false;
  const auto found = after_.find(name), old = before_.find(name);
  const bool is_new = old == before_.end();
  if (!is_one_struct(found->second) || (!is_new && !is_one_struct(old->second))) return false;
  if (!is_new && !has_fields_of(found->second, old->second)) return false;
  Attempted::NewFields gained{found->second, {}};
  bool is_certain = true, fits = true;
  for (const Slot& field : found->second.aggregate->slots) {
    const Binding& item = field.items.front();
    if (!is_new && item_of(old->second, field.name)) continue;
    for_each_leaf(item, name + "." + field.name, [&](const std::string& path, const Binding&) {
      const auto leaf = after_.find(path);
      const bool is_value =
          leaf != after_.end() && leaf->second.is_leaf() && leaf->second.kind != Binding::Kind::poisoned;
      fits = fits && is_value && (!item.is_compound() || item.is_complex());
      if (!fits) return;
      is_certain = is_certain && !leaf->second.defined;
      Carried::Late late{type_of_leaf(emit_, leaf->second), form_of(leaf->second)};
      fits = late.type.is_dense();
      for (int axis = 0; axis < 2; ++axis)
        if (!invariant(extent(late.type, axis))) extent(late.type, axis) = 0;
      late.type.properties = {};
      gained.leaves.emplace(path, std::move(late));
    });
  }
  if (!fits || gained.leaves.empty() || (is_certain && plan_.may_peel())) return false;
  attempted_.fields.emplace(name, std::move(gained));
  return true;
}

void Lowerer::put_fields_before(const LoopPlan& plan, const Attempted& attempted) {
  emit_.at(plan.span);
  for (const auto& [name, gained] : attempted.fields) {
    frame_->env.insert_or_assign(name, gained.form);
    for (const auto& [path, late] : gained.leaves) {
      const ValueId zero = emit_.builder.constant(0, late.type.element);
      const Type& t = late.type;
      Binding lacking = late.form.with_value(t.is_scalar() ? zero : emit_.builder.fill(zero, t.rows, t.cols));
      lacking.defined = emit_.builder.constant(0, Element::logical);
      frame_->env.insert_or_assign(path, lacking);
    }
  }
}

}  // namespace lac::frontend
