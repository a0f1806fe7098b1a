// What `(...)`, `{...}` and `.name` read of a value, and the elements of structs and cell arrays that they name.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "frontend/ast/print.h"
#include "frontend/sema/arrays/array.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/subscripts.h"
#include "ir/types/text.h"

namespace lac::frontend {
namespace {

using Kind = ast::Accessor::Kind;

/// Of more elements than these none is chosen while the program runs.
constexpr std::int64_t most_chosen = 64;
/// A range of constants with more elements than these counts as found by the run.
constexpr std::int64_t most_known = 10'000;

std::string kind_word(const Emitter& e, const Binding& value) {
  if (value.is_text()) return "string";
  if (value.is_function()) return "function handle";
  if (value.is_map()) return "containers.Map";
  if (value.is_cell()) return "cell array";
  if (value.is_record()) return "struct";
  if (value.is_complex()) return "complex matrix";
  return (value.is_matrix() || value.is_integer()) && e.type(value.value).is_scalar() ? "scalar" : "matrix";
}

std::string dimensions(const Aggregate& a) {
  return " (dimensions are " + std::to_string(a.rows) + "x" + std::to_string(a.cols) + ")";
}

/// Whether a branch can have either as its result.
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

/// The numbers of a value where they are known while the program is compiled.
std::optional<std::vector<double>> known_numbers(const Emitter& e, ValueId value) {
  if (const auto range = e.facts.ranges.find(value); range != e.facts.ranges.end()) {
    const Size &first = range->second.first, &step = range->second.step, &count = range->second.count;
    if (!first.is_constant() || !step.is_constant() || !count.is_constant() || count.constant() > most_known)
      return std::nullopt;
    std::vector<double> numbers;
    for (std::int64_t k = 0; k < count.constant(); ++k)
      numbers.push_back(static_cast<double>(first.constant() + k * step.constant()));
    return numbers;
  }
  return numbers_of(e, value);
}

std::string place(const std::string& name, std::size_t position, std::size_t count, const std::string& number) {
  const std::string shown = name.empty() ? "index " : name;
  if (count == 1) return shown + "(" + number + ")";
  return shown + (position == 0 ? "(" + number + ",_)" : "(_," + number + ")");
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

// One subscript of an aggregate.
Lowerer::ElementSubscript Lowerer::element_subscript(const std::string& name, const WrittenSubscript& subscript,
                                                     const EndContext& end) {
  ElementSubscript made;
  const ast::Expr& arg = *subscript.expr;
  if (subscript.is_all()) {
    made.all = true;
    if (!end.extent().is_constant()) return made;
    made.at.resize(static_cast<std::size_t>(end.extent().constant()));
    std::iota(made.at.begin(), made.at.end(), 0);
    return made;
  }
  ends_.push_back(end);
  struct Pop {
    std::vector<EndContext>& ends;
    ~Pop() { ends.pop_back(); }
  } pop{ends_};
  ValueId value = subscript_value(subscript);
  emit_.at(arg.span);
  if (emit_.type(value).is_sparse()) value = dense(emit_, value);
  require_one_kind(emit_, value);
  const Type t = emit_.type(value);
  const auto numbers = known_numbers(emit_, value);
  if (!numbers) {
    if (!t.is_scalar() || t.element == Element::logical) {  // positions, or a mask
      made.several = value;
      return made;
    }
    made.position = as_integer(
        emit_, value,
        place(name, end.position, end.count, "%g") + ": subscripts must be either integers 1 to (2^63)-1 or logicals");
    return made;
  }
  for (std::size_t k = 0; k < numbers->size(); ++k) {
    const double number = (*numbers)[k];
    if (t.element == Element::logical) {
      if (number != 0) made.at.push_back(static_cast<std::int64_t>(k));
      continue;
    }
    if (number != std::trunc(number) || !(number >= 1) || number > 1e9)
      stop(arg.span, place(name, end.position, end.count, number_text(number)) +
                         ": subscripts must be either integers 1 to (2^63)-1 or logicals");
    made.at.push_back(static_cast<std::int64_t>(number) - 1);
  }
  return made;
}

std::vector<Lowerer::ElementSubscript> Lowerer::element_subscripts(const Aggregate& aggregate, const std::string& name,
                                                                   const std::vector<ast::ExprPtr>& args, Span span) {
  const std::vector<WrittenSubscript> written = written_subscripts(args);
  if (aggregate.stacked) require_stacks(aggregate, name);
  if (written.size() > 2)
    emit_.fail(span, "more than two subscripts: cell arrays and arrays of structs have two dimensions");
  std::vector<ElementSubscript> made;
  const auto [rows, cols] = extents_of(emit_, aggregate);
  for (std::size_t i = 0; i < written.size(); ++i)
    made.push_back(element_subscript(name, written[i], {rows, cols, i, written.size()}));
  emit_.at(span);
  if (!aggregate.stacked || made.size() != 2) return made;
  // c(1, k) of a row, c(k, 1) of a column: k alone tells.
  const ElementSubscript& across = made[aggregate.column ? 1 : 0];
  const bool whole = across.all || (across.at.size() == 1 && across.at.front() == 0);
  if (!whole)
    emit_.fail(span, "'" + name + "' is a " + (aggregate.column ? "column" : "row") +
                         " whose number of elements the run finds: index it with one subscript");
  return {made[aggregate.column ? 0 : 1]};
}

void Lowerer::stop(Span span, const std::string& message) {
  if (!emit_.conditional()) emit_.fail(span, message);
  emit_.at(span);
  emit_.require(emit_.builder.constant(0, Element::logical), as_format(message), {});
  throw Unreachable{};
}

// The position from 1 on, in column-major order, where a subscript is found by the run.
ValueId Lowerer::element_position(const Aggregate& aggregate, const std::string& name,
                                  const std::vector<ElementSubscript>& subscripts, Span span) {
  Builder& b = emit_.builder;
  if (aggregate.count() > most_chosen)
    emit_.fail(span, "one of more than " + std::to_string(most_chosen) +
                         " elements is chosen while the program runs: use a matrix with a column for each");
  ValueId position;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const ElementSubscript& each = subscripts[i];
    const std::int64_t extent = subscripts.size() == 1 ? aggregate.count() : i == 0 ? aggregate.rows : aggregate.cols;
    if (!each.position && each.at.size() != 1)
      emit_.fail(span, "which elements of '" + name + "' these are must be known while the program is compiled");
    const ValueId at =
        each.position ? each.position : b.constant(static_cast<double>(each.at.front() + 1), Element::integer);
    const ValueId low = b.map(ScalarOp::ge, at, b.constant(1, Element::integer));
    emit_.require(
        low, place(name, i, subscripts.size(), "%d") + ": subscripts must be either integers 1 to (2^63)-1 or logicals",
        {at}, "Octave:index-out-of-bounds");
    const ValueId high = b.map(ScalarOp::le, at, b.constant(static_cast<double>(extent), Element::integer));
    emit_.require(
        high,
        place(name, i, subscripts.size(), "%d") + ": out of bound " + std::to_string(extent) + dimensions(aggregate),
        {at}, "Octave:index-out-of-bounds");
    if (i == 0) position = at;
    else
      position = b.map(ScalarOp::add, position,
                       b.map(ScalarOp::mul, b.map(ScalarOp::sub, at, b.constant(1, Element::integer)),
                             b.constant(static_cast<double>(aggregate.rows), Element::integer)));
  }
  return position;
}

bool Lowerer::found_by_run(const Aggregate& aggregate, const std::vector<ElementSubscript>& subscripts,
                           bool assigning) {
  bool found = false;
  for (const ElementSubscript& each : subscripts) {
    if (!each.position) continue;
    const bool inside =
        !assigning || emit_.facts.less_equal(emit_.graph, emit_.bounded_size(each.position), aggregate.count());
    unroll_where_it_tells(each.position, inside && can_be_chosen(aggregate) ? most_unrolled : most_unrolled_for_kinds);
    found = true;
  }
  return found;
}

// The elements at known subscripts, which must be there.
Binding Lowerer::elements_at(const Binding& base, const std::string& name,
                             const std::vector<ElementSubscript>& subscripts, Span span) {
  const Aggregate& a = *base.aggregate;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const std::int64_t extent = subscripts.size() == 1 ? a.count() : i == 0 ? a.rows : a.cols;
    for (const std::int64_t at : subscripts[i].at)
      if (at >= extent)
        stop(span, place(name, i, subscripts.size(), std::to_string(at + 1)) + ": out of bound " +
                       std::to_string(extent) + dimensions(a));
  }
  if (subscripts.empty()) return base;
  std::vector<std::int64_t> elements;
  if (subscripts.size() == 1) {
    elements = subscripts[0].at;
    const auto count = static_cast<std::int64_t>(elements.size());
    const bool column = subscripts[0].all || (a.cols == 1 && a.rows != 1);
    return selected(base, elements, column ? count : 1, column ? 1 : count);
  }
  for (const std::int64_t j : subscripts[1].at)
    for (const std::int64_t i : subscripts[0].at) elements.push_back(j * a.rows + i);
  return selected(base, elements, static_cast<std::int64_t>(subscripts[0].at.size()),
                  static_cast<std::int64_t>(subscripts[1].at.size()));
}

// Of two values of any kind the one that the run chooses.
Binding Lowerer::chosen(ValueId condition, const std::function<Binding()>& yes, const std::function<Binding()>& no) {
  static const std::string name = "#chosen";
  branch(
      condition, [&] { put(frame_->env, name, yes()); }, [&] { put(frame_->env, name, no()); }, emit_.place());
  const Binding made = whole(frame_->env, name);
  for_each_leaf(made, name, [&](const std::string&, const Binding& leaf) {
    if (leaf.kind == Binding::Kind::poisoned && !leaf.poison.empty())
      emit_.fail(emit_.place(),
                 "the run chooses one of several elements here, so all must be of one kind: matrices, strings, one "
                 "function, or structs and cells whose fields are so");
  });
  put(frame_->env, name, {});
  frame_->env.erase(name);
  return made;
}

// The elements, from 0 on and in their order, that subscripts may mean of which the run finds some.
std::vector<std::int64_t> Lowerer::candidates(const Aggregate& aggregate,
                                              const std::vector<ElementSubscript>& subscripts) const {
  std::vector<std::int64_t> elements;
  const auto may_be = [&](std::size_t i, std::int64_t at) {
    return subscripts[i].position || std::ranges::find(subscripts[i].at, at) != subscripts[i].at.end();
  };
  for (std::int64_t k = 0; k < aggregate.count(); ++k)
    if (subscripts.size() == 1 ? may_be(0, k) : may_be(0, k % aggregate.rows) && may_be(1, k / aggregate.rows))
      elements.push_back(k);
  return elements;
}

Binding Lowerer::element_chosen(const std::vector<std::int64_t>& elements, ValueId position,
                                const std::function<Binding(std::int64_t)>& item) {
  if (elements.empty()) throw Unreachable{};  // no position is inside, as was checked
  std::function<Binding(std::size_t, std::size_t)> between = [&](std::size_t first, std::size_t last) {
    if (first == last) return item(elements[first]);
    const std::size_t middle = first + (last - first) / 2;
    const auto highest = static_cast<double>(elements[middle] + 1);
    const ValueId lower = emit_.builder.map(ScalarOp::le, position, emit_.builder.constant(highest, Element::integer));
    return chosen(
        lower, [&] { return between(first, middle); }, [&] { return between(middle + 1, last); });
  };
  return between(0, elements.size() - 1);
}

// A vector of positions, or a mask, where one element is meant: it must turn out to be one.
void Lowerer::take_single(ElementSubscript& subscript, const std::string& name, Span span) {
  if (!subscript.several) return;
  const bool mask = emit_.type(subscript.several).element == Element::logical;
  const ValueId positions = mask ? find_positions(emit_, subscript.several) : subscript.several;
  const ValueId one = as_scalar(emit_, positions, span, "which element of '" + name + "' is meant");
  subscript.position = as_integer(
      emit_, one, place(name, 0, 1, "%g") + ": subscripts must be either integers 1 to (2^63)-1 or logicals");
  subscript.several = {};
}

// c{[i j], 1}, c{1:3}: the elements one by one, in column-major order, where it is the run that finds the positions, or
// the cells, and their number is known.
std::vector<std::vector<Lowerer::ElementSubscript>> Lowerer::one_by_one(
    const Aggregate& cells, const std::vector<ElementSubscript>& subscripts) {
  const auto count_of_positions = [&](const ElementSubscript& each) -> std::optional<std::int64_t> {
    if (!each.several || emit_.type(each.several).element == Element::logical) return std::nullopt;
    const Size count = emit_.type(each.several).count();
    return count.is_constant() && count.constant() <= most_chosen ? std::optional(count.constant()) : std::nullopt;
  };
  const auto spreads = [&](const ElementSubscript& each) {
    const bool known = cells.stacked && !each.all && !each.position && !each.several && each.at.size() != 1;
    return known || count_of_positions(each).has_value();
  };
  if (std::ranges::none_of(subscripts, spreads)) return {subscripts};
  std::vector<std::vector<ElementSubscript>> all = {{}};
  for (auto each = subscripts.rbegin(); each != subscripts.rend(); ++each) {
    std::vector<ElementSubscript> choices;
    if (const auto count = count_of_positions(*each))
      for (std::int64_t k = 0; k < *count; ++k) {
        const Subscripts one{{{SubscriptKind::range, k, 1, 1}}};
        choices.push_back({.several = emit_.builder.index(each->several, one, {}, 1, 1)});
      }
    else if (each->position || each->several) choices = {*each};
    else
      for (const std::int64_t at : each->at) choices.push_back({.at = {at}});
    std::vector<std::vector<ElementSubscript>> longer;
    for (const auto& behind : all)
      for (const ElementSubscript& choice : choices) {
        longer.push_back({choice});
        longer.back().insert(longer.back().end(), behind.begin(), behind.end());
      }
    all = std::move(longer);
  }
  return all;
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

// The field of one struct that the run names.
std::optional<Lowerer::NamedField> Lowerer::field_of_run(const Binding& base, const ast::Accessor& step) {
  if (!step.dynamic || !base.is_record() || base.aggregate->stacked || base.aggregate->count() != 1)
    return std::nullopt;
  const Binding name = lower_expr(*step.dynamic);
  if (!name.is_text() || name.is_known_text()) return std::nullopt;
  NamedField field;
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
  if (count == 0 || !can_be_chosen(*field.contents.aggregate)) return std::nullopt;
  return field;
}

std::vector<Binding> Lowerer::field_of(const Binding& base, const std::string& name, const ast::Accessor& step) {
  if (!base.is_record()) refuse_access(base, step);
  if (const auto named = field_of_run(base, step)) {
    emit_.require(emit_.builder.map(ScalarOp::gt, named->position, emit_.builder.constant(0, Element::integer)),
                  "invalid use of undefined value", {}, "Octave:undefined-function");
    const auto item = [&](std::int64_t k) {
      const Slot& slot = base.aggregate->slots[static_cast<std::size_t>(k)];
      return checked(slot.items.front(), name + "." + slot.name);
    };
    std::vector<std::int64_t> all(base.aggregate->slots.size());
    std::iota(all.begin(), all.end(), 0);
    return {element_chosen(all, named->position, item)};
  }
  const std::string field = field_name(step);
  const Slot* slot = base.aggregate->find(field);
  if (!slot && field == "stack" && item_of(base, "message") && item_of(base, "identifier"))
    emit_.fail(step.span,
               "the stack of an error is outside the language: its message and its identifier say what it is");
  if (!slot) stop(step.span, "invalid use of undefined value");
  if (base.aggregate->stacked) {
    emit_.refuse_unless(emit_.equal_sizes(count_of(emit_, *base.aggregate), 1),
                        "the run finds how many structs '" + name + "' has, and it is not one: [" + name + "." + field +
                            "] is the field of all of them");
    return {item_at(base, *slot, name, emit_.builder.constant(1, Element::integer))};
  }
  std::vector<Binding> items;
  for (const Binding& item : slot->items) items.push_back(checked(item, name + "." + field));
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
      if (!slot) stop(step.span, "invalid use of undefined value");
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

// A(c{:}): each value of the list is a subscript.
std::vector<Lowerer::WrittenSubscript> Lowerer::written_subscripts(const std::vector<ast::ExprPtr>& args) {
  std::vector<WrittenSubscript> written;
  for (const ast::ExprPtr& arg : args) {
    const ast::Expr& bare = strip_parens(*arg);
    if (!is_list(bare)) written.push_back({&bare, {}});
    else
      for (Binding& value : lower_multi(bare, 1)) written.push_back({&bare, std::move(value)});
  }
  return written;
}

bool Lowerer::WrittenSubscript::is_all() const {
  if (value) return value->is_known_text() && value->text == ":";
  const auto* text = std::get_if<ast::String>(&expr->node);
  return std::holds_alternative<ast::Colon>(expr->node) || (text && text->text == ":");
}

ValueId Lowerer::subscript_value(const WrittenSubscript& subscript) {
  const Binding value = subscript.value ? *subscript.value : lower_expr(*subscript.expr);
  return value.is_array() ? as_column(emit_, value) : as_value(value.numbers(), *subscript.expr);
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
    if (checked(leaf, path).kind == Binding::Kind::poisoned) throw LowerError{};
  });
}

Binding Lowerer::lower_cell(const ast::Cell& node, Span span) {
  std::vector<Binding> lines;
  for (const auto& row : node.rows) {
    std::vector<Binding> parts;
    for (const ast::ExprPtr& item : row) {
      if (const auto list = stacked_list(*item)) {
        parts.push_back(cells_of(*list));
        continue;
      }
      for (Binding& value : lower_values(*item)) {
        if (value.kind == Binding::Kind::poisoned) throw LowerError{};
        parts.push_back(cell_array(1, 1, {std::move(value)}));
      }
    }
    lines.push_back(join_cells(parts, Axis::cols, span));
  }
  return join_cells(lines, Axis::rows, span);
}

// [a, b] and [a; b] of cell arrays and structs; those without elements are left out.
Binding Lowerer::join_cells(const std::vector<Binding>& parts, Axis axis, Span span) {
  if (std::ranges::any_of(parts, [](const Binding& part) { return part.aggregate->stacked; }))
    return join_rows(parts, axis, span);
  std::vector<const Aggregate*> kept;
  const Binding* first = nullptr;
  for (const Binding& part : parts) {
    if (part.aggregate->count() == 0) continue;
    if (!first) first = &part;
    kept.push_back(part.aggregate.get());
  }
  if (!first) return parts.empty() ? cell_array(0, 0, {}) : parts.front();
  Aggregate made{axis == Axis::cols ? kept.front()->rows : 0, axis == Axis::cols ? 0 : kept.front()->cols, {}};
  for (const Slot& slot : kept.front()->slots) made.slots.push_back({slot.name, {}});
  for (const Aggregate* part : kept) {
    const bool fits = axis == Axis::cols ? part->rows == made.rows : part->cols == made.cols;
    if (!fits)
      stop(span, std::string(axis == Axis::cols ? "horizontal" : "vertical") + " dimensions mismatch (" +
                     std::to_string(kept.front()->rows) + "x" + std::to_string(kept.front()->cols) + " vs " +
                     std::to_string(part->rows) + "x" + std::to_string(part->cols) + ")");
    (axis == Axis::cols ? made.cols : made.rows) += axis == Axis::cols ? part->cols : part->rows;
  }
  for (Slot& slot : made.slots) {
    if (axis == Axis::cols) {
      for (const Aggregate* part : kept) {
        const Slot* from = part->find(slot.name);
        if (!from) emit_.fail(span, "field names mismatch concatenating structs");
        slot.items.insert(slot.items.end(), from->items.begin(), from->items.end());
      }
      continue;
    }
    for (std::int64_t j = 0; j < made.cols; ++j)
      for (const Aggregate* part : kept) {
        const Slot* from = part->find(slot.name);
        if (!from) emit_.fail(span, "field names mismatch concatenating structs");
        const auto begin = from->items.begin() + j * part->rows;
        slot.items.insert(slot.items.end(), begin, begin + part->rows);
      }
  }
  return Binding::of(first->kind, std::move(made));
}

}  // namespace lac::frontend
