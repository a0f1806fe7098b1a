// What `(...)`, `{...}` and `.name` read of a value, and the elements of structs and cell arrays that they name.
#include <algorithm>
#include <numeric>

#include "frontend/ast/print.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

using Kind = ast::Accessor::Kind;

std::string kind_word(const Emitter& e, const Binding& value) {
  if (value.is_text()) return "string";
  if (value.is_function()) return "function handle";
  if (value.is_map()) return "containers.Map";
  if (value.is_cell()) return "cell array";
  if (value.is_record()) return "struct";
  if (value.is_complex()) return "complex matrix";
  return (value.is_matrix() || value.is_integer()) && e.type(value.value).is_scalar() ? "scalar" : "matrix";
}

}  // namespace

void Lowerer::refuse_access(const Binding& value, const ast::Accessor& step) {
  if (value.kind == Binding::Kind::poisoned) throw LowerError{};
  if (value.is_map()) stop(step.span, "containers.Map: only '()' indexing is supported");
  const std::string sign = step.kind == Kind::field ? "." : step.kind == Kind::braces ? "{" : "(";
  emit_.fail(step.span, kind_word(emit_, value) + " cannot be indexed with " + sign);
}

void Lowerer::refuse_several(const std::string& name, Span span) {
  emit_.fail(span, "which elements of '" + name + "' these are must be known while the program is compiled");
}

std::string Lowerer::field_name(const ast::Accessor& step) {
  if (!step.dynamic) return step.field.text;
  const Binding name = lower_expr(*step.dynamic);
  if (name.is_known_text()) return name.text;
  if (name.is_text()) {
    unroll_where_it_tells(name.value, most_unrolled_for_kinds);
    emit_.fail(step.dynamic->span,
               "which field this is must be known while the program is compiled: fields have types of their own");
  }
  emit_.fail(step.dynamic->span, "dynamic structure field names must be strings");
}

Binding Lowerer::checked(Binding leaf, const std::string& name) {
  if (leaf.is_complex())
    for_each_leaf(leaf, name, [&](const std::string&, const Binding& part) {
      if (checked(part, name).kind == Binding::Kind::poisoned) throw LowerError{};
    });
  if (leaf.kind == Binding::Kind::poisoned && !leaf.poison.empty()) emit_.fail(emit_.place(), leaf.poison);
  if (leaf.defined) emit_.require(leaf.defined, "'" + name + "' undefined", {}, "Octave:undefined-function");
  leaf.defined = {};
  return leaf;
}

// What a struct holds in a field, which it may lack.
Binding Lowerer::checked_member(const Slot& field, std::size_t element, const std::string& name) {
  if (may_lack(field)) emit_.require(presence_of(emit_, field), no_member(field.name), {}, "Octave:invalid-indexing");
  const Binding there = as_present(field, element);
  return there.is_aggregate() ? there : checked(there, name + "." + field.name);
}

// The field of one struct that the run names.
std::optional<Lowerer::NamedField> Lowerer::field_of_run(const Binding& base, const ast::Accessor& step) {
  if (!step.dynamic || !base.is_record() || base.aggregate->stacked || base.aggregate->count() != 1)
    return std::nullopt;
  const Binding name = lower_expr(*step.dynamic);
  if (!name.is_text() || name.is_known_text()) return std::nullopt;
  NamedField field;
  field.name = name;
  std::vector<Binding> items;
  field.position = emit_.builder.constant(0, Element::integer);
  for (const Slot& slot : base.aggregate->slots) {
    items.push_back(slot.items.front());
    const ValueId here = emit_.builder.constant(static_cast<double>(items.size()), Element::integer);
    const ValueId same = same_strings(emit_, name, Binding::string(slot.name, false));
    field.position = emit_.builder.map(ScalarOp::select, {same, here, field.position});
  }
  const auto count = static_cast<std::int64_t>(items.size());
  field.contents = cell_array(1, count, std::move(items));
  if (count == 0 || count > most_chosen) return std::nullopt;
  return field;
}

std::vector<Binding> Lowerer::field_of(const Binding& base, const std::string& name, const ast::Accessor& step) {
  if (!base.is_record()) refuse_access(base, step);
  if (const auto named = field_of_run(base, step)) {
    if (!can_be_chosen(*named->contents.aggregate)) unroll_where_it_tells(named->position, most_unrolled_for_kinds);
    const ValueId none = emit_.builder.map(ScalarOp::eq, named->position, emit_.builder.constant(0, Element::integer));
    const auto stop_with_name = [&] {
      call_by_name(
          "error",
          {Binding::string("Octave:invalid-indexing", true), Binding::string(no_member("%s"), true), named->name}, 0,
          step.span);
    };
    branch(
        none, stop_with_name, [] {}, step.span);
    const auto item = [&](std::int64_t k) {
      const Slot& slot = base.aggregate->slots[static_cast<std::size_t>(k)];
      return checked_member(slot, 0, name);
    };
    std::vector<std::int64_t> all(base.aggregate->slots.size());
    std::iota(all.begin(), all.end(), 0);
    return {element_chosen(all, named->position, item)};
  }
  const std::string field = field_name(step);
  const Slot* slot = base.aggregate->find(field);
  if (!slot && field == "stack" && item_of(base, "message") && item_of(base, "identifier"))
    emit_.fail(
        step.span,
        "where an error comes from that is thrown again, of several that it may be, is outside the language: read "
        "its stack where it is caught first");
  if (!slot) stop(step.span, no_member(field));
  if (base.aggregate->stacked) {
    emit_.refuse_unless(emit_.equal_sizes(count_of(emit_, *base.aggregate), 1),
                        "the run finds how many structs '" + name + "' has, and it is not one: [" + name + "." + field +
                            "] is the field of all of them");
    return {item_at(base, *slot, name, emit_.builder.constant(1, Element::integer))};
  }
  std::vector<Binding> items;
  for (std::size_t k = 0; k < slot->items.size(); ++k) items.push_back(checked_member(*slot, k, name));
  return items;
}

std::vector<Binding> Lowerer::contents_of(const Binding& base, const std::string& name, const ast::Accessor& step) {
  if (!base.is_cell()) refuse_access(base, step);
  std::vector<ElementSubscript> subscripts = element_subscripts(*base.aggregate, name, step.args, step.span);
  if (subscripts.empty()) emit_.fail(step.span, "an index is missing: write " + name + "{:} for all cells");
  std::vector<Binding> contents;
  for (std::vector<ElementSubscript>& each : one_by_one(*base.aggregate, subscripts))
    std::ranges::move(contents_at(base, name, std::move(each), step.span), std::back_inserter(contents));
  return contents;
}

std::vector<Binding> Lowerer::contents_at(const Binding& base, const std::string& name,
                                          std::vector<ElementSubscript> subscripts, Span span) {
  const auto& items = base.aggregate->slots.front().items;
  for (ElementSubscript& each : subscripts) take_single(each, name, span);
  if (base.aggregate->stacked) return {stacked_contents(base, name, subscripts, span)};
  subscripts = along_vector(*base.aggregate, subscripts);
  if (found_by_run(*base.aggregate, subscripts)) {
    if (subscripts.size() == 1 && !can_be_chosen(*base.aggregate))
      if (const auto all = stacked(base, Stacking::rows))
        return {item_at(*all, all->aggregate->slots.front(), name, subscripts[0].position)};
    const ValueId position = element_position(*base.aggregate, name, subscripts, span);
    return {element_chosen(candidates(*base.aggregate, subscripts), position, [&](std::int64_t k) {
      return checked(items[static_cast<std::size_t>(k)], name + "{" + std::to_string(k + 1) + "}");
    })};
  }
  const Binding picked = elements_at(base, name, subscripts, span);
  std::vector<Binding> contents;
  for (const Binding& item : picked.aggregate->slots.front().items) contents.push_back(checked(item, name + "{}"));
  return contents;
}

// c{k} where the run finds how many cells there are.
Binding Lowerer::stacked_contents(const Binding& base, const std::string& name,
                                  const std::vector<ElementSubscript>& subscripts, Span span) {
  const bool single = subscripts.size() == 1 && !subscripts[0].several && !subscripts[0].all;
  if (!single || !base.aggregate->stacked)
    emit_.fail(span, "the run finds which cells of '" + name +
                         "' these are: a list of them can stand alone between "
                         "brackets, as [" +
                         name + "{:}], or be gone through by a loop");
  return item_at(base, base.aggregate->slots.front(), name, position_of(subscripts[0], name, span));
}

Binding Lowerer::elements_of(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                             Span span) {
  const std::vector<ElementSubscript> subscripts = element_subscripts(*base.aggregate, name, args, span);
  if (base.aggregate->stacked || (subscripts.size() == 1 && subscripts[0].several)) {
    const std::optional<Binding> all = stacked(base, Stacking::rows);
    if (!all) refuse_several(name, span);
    if (subscripts.empty()) return *all;
    if (subscripts[0].all) {
      Aggregate made = *all->aggregate;
      made.column = true;
      return Binding::of(base.kind, std::move(made));
    }
    const bool one = !subscripts[0].several && (subscripts[0].position || subscripts[0].at.size() == 1);
    if (one) return element_at(*all, name, position_of(subscripts[0], name, span));
    return elements_gathered(*all, stacked_positions(*all, name, subscripts[0]), span);
  }
  if (auto rows = rows_of_table(base, name, subscripts, span)) return *std::move(rows);
  for (const ElementSubscript& each : subscripts)
    if (each.several) refuse_several(name, span);
  if (subscripts.size() == 1 && subscripts[0].position)
    if (const auto all = stacked(base, Stacking::columns)) return element_at(*all, name, subscripts[0].position);
  if (!found_by_run(*base.aggregate, subscripts)) return elements_at(base, name, subscripts, span);
  if (subscripts.size() == 1 && !can_be_chosen(*base.aggregate))
    if (const auto all = stacked(base, Stacking::rows)) return element_at(*all, name, subscripts[0].position);
  const ValueId position = element_position(*base.aggregate, name, subscripts, span);
  return element_chosen(candidates(*base.aggregate, subscripts), position,
                        [&](std::int64_t k) { return selected(base, {k}, 1, 1); });
}

std::vector<Binding> Lowerer::lower_access(const ast::Expr& expr, const ast::Access& access, int nargout, Span span) {
  const std::string name = source_of(**access.base);
  const ast::Accessor& step = access.accessor;
  if (step.kind == Kind::parens) return call(**access.base, step.args, nargout, span);
  if (auto values = map_access(expr, nullptr, span)) return *std::move(values);
  if (step.kind == Kind::field)
    if (const auto element = stacked_element(**access.base)) {
      const Slot* slot = element->all.aggregate->find(field_name(step));
      if (!slot) stop(step.span, no_member(field_name(step)));
      emit_.at(span);
      return {item_at(element->all, *slot, element->name, element->position)};
    }
  const Binding base = lower_expr(**access.base);
  emit_.at(span);
  return step.kind == Kind::field ? field_of(base, name, step) : contents_of(base, name, step);
}

std::vector<Binding> Lowerer::lower_values(const ast::Expr& expr) {
  if (is_list(expr)) return lower_multi(expr, 1);
  return {lower_expr(expr)};
}

void Lowerer::require_stacks(const Aggregate& stacked, const std::string& name) {
  for (const Slot& slot : stacked.slots) {
    const auto require = [&](const std::string& path, const Binding& leaf) {
      if (checked(leaf, path).kind == Binding::Kind::poisoned) throw LowerError{};
    };
    for_each_leaf(slot.stack, name, require);
    if (slot.ragged) require(name, slot.places);
  }
}

// Every leaf must have a value here: one may be of different kinds in two branches, or be given in one alone.
void Lowerer::require_values(const Binding& value, const std::string& name) {
  if (!value.is_aggregate()) return;
  for_each_leaf(value, name, [&](const std::string& path, const Binding& leaf) {
    const bool of_struct = leaf.defined && path != name && !value.aggregate->stacked;
    if (of_struct)
      emit_.refuse_unless(leaf.defined,
                          "the run finds whether '" + path +
                              "' is there, which isfield and fieldnames tell, and it is not: all of what '" + name +
                              "' holds is needed here");
    if (checked(of_struct ? as_complete(leaf) : leaf, path).kind == Binding::Kind::poisoned) throw LowerError{};
  });
}

void Lowerer::require_shown(const Binding& value, const std::string& name) {
  if (value.is_variant()) return;
  require_values(value.is_aggregate() && !value.is_array() && !value.aggregate->stacked ? as_complete(value) : value,
                 name);
}

}  // namespace lac::frontend
