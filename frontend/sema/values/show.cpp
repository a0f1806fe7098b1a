#include "frontend/sema/values/show.h"

#include <utility>

#include "frontend/ast/print.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/integer_class.h"
#include "frontend/sema/values/kept_complex.h"
#include "frontend/sema/values/nothing.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

namespace {

void print(Emitter& e, ValueId value, Display display, std::vector<ValueId> operands, ValueId number) {
  if (number) operands.push_back(number);
  e.builder.print(value, std::move(display), operands);
}

}  // namespace

void show(Emitter& e, ValueId value, const std::string& name, std::uint32_t indent, ValueId number) {
  if (e.facts.diagonals.count(value) != 0)
    return print(e, value, Display{name, DisplayForm::diagonal, indent}, {}, number);
  if (e.facts.permutations.count(value) != 0)
    return print(e, value, Display{name, DisplayForm::permutation, indent}, {}, number);
  if (!e.type(value).is_scalar())
    require_one_class(e, value, name.empty() ? "what is shown" : "'" + name + "', which is shown,");
  if (may_be_nothing(e, value)) value = e.builder.reshape(value, rows_or_none(e, value), e.type(value).cols);
  const auto range = e.facts.written_ranges.find(value);
  if (range == e.facts.written_ranges.end() || e.type(value).is_scalar())
    return print(e, value, Display{name, DisplayForm::full, indent}, {}, number);
  print(e, value, Display{name, DisplayForm::range, indent}, range->second, number);
}

namespace {

void show_complex(Emitter& e, const std::string& name, const Binding& value, std::uint32_t indent, ValueId number) {
  const ValueId re = value.aggregate->slots[0].items[0].value, im = value.aggregate->slots[1].items[0].value;
  const bool diagonal = e.facts.diagonals.count(re) != 0 && e.facts.diagonals.count(im) != 0;
  const DisplayForm form = is_kept_complex(e.facts, re, im) ? DisplayForm::kept_complex
                           : diagonal                       ? DisplayForm::complex_diagonal
                                                            : DisplayForm::complex;
  print(e, re, Display{name, form, indent}, {im}, number);
}

void show_integer(Emitter& e, const std::string& name, const Binding& value, std::uint32_t indent, ValueId number) {
  const ValueId lowest = e.builder.constant(info(value.integer_class).lowest(), Element::integer);
  print(e, value.value, Display{name, DisplayForm::integer, indent}, {lowest}, number);
}

/// What an element holds, or [].
void print_where_given(Emitter& e, const std::string& name, Binding binding, std::uint32_t indent, ValueId number) {
  const ValueId given = std::exchange(binding.given, {});
  branch_effects(
      e, given, [&] { print_binding(e, name, binding, indent, number); },
      [&] { show_nothing(e, name, indent, number); }, e.place());
}

}  // namespace

void show_nothing(Emitter& e, const std::string& name, std::uint32_t indent, ValueId number) {
  show(e, e.builder.fill(e.builder.constant(0, e.graph.precision), 0, 0), name, indent, number);
}

void print_binding(Emitter& e, const std::string& name, const Binding& binding, std::uint32_t indent, ValueId number) {
  if (binding.given) return print_where_given(e, name, binding, indent, number);
  if (binding.is_complex()) return show_complex(e, name, binding, indent, number);
  if (binding.is_aggregate()) return print_aggregate(e, name, binding, indent, number);
  if (binding.is_text() && !binding.is_known_text())
    return print(e, binding.value, Display{name, DisplayForm::text, indent}, {}, number);
  if (binding.is_text()) {
    Message message;
    message.format = std::string(indent, ' ') + "%s = %s\n";
    message.arguments = {name, binding.text};
    return e.builder.format(message, {});
  }
  if (binding.is_integer()) return show_integer(e, name, binding, indent, number);
  if (binding.is_map())
    e.fail(e.place(), "a containers.Map in a cell array or a struct is not shown: show the map, or what it holds");
  if (binding.is_function()) {
    const Closure& closure = *binding.function;
    const std::string text = closure.anonymous ? ast::display_of(*closure.anonymous, e.sources) : "@" + closure.name;
    Message message;
    message.format = closure.anonymous ? "%s =\n\n%s\n\n" : "%s = %s\n";
    if (name.empty()) message.format = "%s%s\n";
    message.format.insert(0, indent, ' ');
    message.arguments = {name, text};
    return e.builder.format(std::move(message), {});
  }
  if (!binding.is_matrix()) throw LowerError{};
  show(e, binding.value, name, indent, number);
}

}  // namespace lac::frontend
