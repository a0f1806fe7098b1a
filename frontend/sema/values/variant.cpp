#include "frontend/sema/values/variant.h"

#include <algorithm>

#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/integer_class.h"

namespace lac::frontend {
namespace {

using Kind = Binding::Kind;

struct KindName {
  Kind kind;
  const char* name;
};
constexpr KindName kind_names[] = {{Kind::matrix, "matrix"},
                                   {Kind::complex, "complex"},
                                   {Kind::text, "string"},
                                   {Kind::record, "struct"},
                                   {Kind::cell, "cell"}};

std::string name_of_kind(const Binding& value) {
  if (value.is_integer()) return std::string(info(value.integer_class).name);
  return std::ranges::find(kind_names, value.kind, &KindName::kind)->name;
}

/// The number that stands for the kind while the program runs.
int code_of(const std::string& name) {
  constexpr int named = static_cast<int>(std::size(kind_names));
  int code = 0;
  while (code < named && name != kind_names[code].name) ++code;
  while (code >= named && name != info(static_cast<IntegerClass>(code - named)).name) ++code;
  return code;
}

/// The kinds and what the value holds of each.
std::vector<Slot> alternatives_of(const Binding& value) {
  if (value.is_variant()) return {value.aggregate->slots.begin() + 1, value.aggregate->slots.end()};
  return {Slot{name_of_kind(value), {as_complete(value)}}};
}

Binding variant(Binding tag, std::vector<Slot> alternatives) {
  Aggregate made;
  made.slots.push_back({"kind", {std::move(tag)}});
  std::ranges::sort(alternatives, {}, [](const Slot& slot) { return code_of(slot.name); });
  std::ranges::move(alternatives, std::back_inserter(made.slots));
  return Binding::of(Kind::variant, std::move(made));
}

/// Those of `from` that `slots` lacks, in which nothing is.
bool add_missing(std::vector<Slot>& slots, const std::vector<Slot>& from) {
  for (const Slot& slot : from) {
    const auto own = std::ranges::find(slots, slot.name, &Slot::name);
    if (own == slots.end()) slots.push_back({slot.name, {form_of(slot.items.front())}});
    else if (!same_form(own->items.front(), slot.items.front())) return false;
  }
  return true;
}

}  // namespace

bool can_vary(const Binding& value) {
  if (value.is_leaf() || value.is_complex() || value.is_variant()) return true;
  return (value.is_record() || value.is_cell()) && !value.aggregate->stacked;
}

std::optional<Binding> variant_form(const Binding& a, const Binding& b) {
  if (!can_vary(a) || !can_vary(b)) return std::nullopt;
  std::vector<Slot> slots = alternatives_of(a);
  if (!add_missing(slots, alternatives_of(b))) return std::nullopt;
  return form_of(variant({}, std::move(slots)));
}

Binding as_variant(Emitter& e, const Binding& value, const Binding& form) {
  if (!can_vary(value)) return value;
  Binding tag;
  if (value.is_variant()) tag = tag_of(value);
  else tag = Binding::matrix(e.builder.constant(code_of(name_of_kind(value)), Element::integer));
  if (value.is_leaf()) tag.defined = value.defined;
  std::vector<Slot> slots = alternatives_of(value);
  return add_missing(slots, alternatives_of(form)) ? variant(std::move(tag), std::move(slots)) : value;
}

std::size_t kind_count(const Binding& variant) { return variant.aggregate->slots.size() - 1; }

const Binding& tag_of(const Binding& variant) { return variant.aggregate->slots.front().items.front(); }

ValueId is_of_kind(Emitter& e, const Binding& variant, std::size_t kind) {
  const ValueId code = e.builder.constant(code_of(variant.aggregate->slots[kind + 1].name), Element::integer);
  const auto known = e.constant_of(tag_of(variant).value);
  if (known) return e.builder.constant(*known == e.constant_of(code) ? 1 : 0, Element::logical);
  return e.builder.map(ScalarOp::eq, tag_of(variant).value, code);
}

const Binding& alternative(const Binding& variant, std::size_t kind) {
  return variant.aggregate->slots[kind + 1].items.front();
}

std::string kinds_text(const Binding& variant) {
  std::string text;
  for (std::size_t k = 0; k < kind_count(variant); ++k)
    text += (k == 0 ? "" : " or ") + variant.aggregate->slots[k + 1].name;
  return text;
}

}  // namespace lac::frontend
