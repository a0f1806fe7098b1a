// Which elements of structs and cell arrays subscripts mean: those that are known, and those that the run finds.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/program/exit_flags.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/subscripts.h"
#include "ir/types/text.h"

namespace lac::frontend {
namespace {

/// A range of constants with more elements than these counts as found by the run.
constexpr std::int64_t most_known = 10'000;

std::string dimensions(const Aggregate& a) {
  return " (dimensions are " + std::to_string(a.rows) + "x" + std::to_string(a.cols) + ")";
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
  const bool none = t.rows.is_constant() && t.cols.is_constant() && t.count().is(0);
  const auto numbers = none ? std::optional(std::vector<double>()) : known_numbers(emit_, value);
  if (!numbers) {
    if (!t.is_scalar() || t.element == Element::logical) {  // positions, or a mask
      made.several = value;
      return made;
    }
    made.position = as_integer(
        emit_, value,
        place(name, end.position, end.count, "%~g") + ": subscripts must be either integers 1 to (2^63)-1 or logicals");
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
  const auto count = static_cast<std::int64_t>(made.at.size());
  const bool mask = t.element == Element::logical, row = t.rows.is(1);
  made.rows = !mask ? t.rows.constant() : row ? 1 : count;
  made.cols = !mask ? t.cols.constant() : row ? count : 1;
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
                                  const std::vector<ElementSubscript>& subscripts, Span span, bool assigning) {
  Builder& b = emit_.builder;
  const char* remedy = assigning ? "; where the run finds the place nothing grows: make the elements before" : "";
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
    emit_.require(high,
                  place(name, i, subscripts.size(), "%d") + ": out of bound " + std::to_string(extent) +
                      dimensions(aggregate) + remedy,
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

// As of matrices: those of a vector by a vector lie as the vector does, all others as what names them.
std::pair<std::int64_t, std::int64_t> Lowerer::linear_extents(const Aggregate& a, const ElementSubscript& subscript) {
  const auto count = static_cast<std::int64_t>(subscript.at.size());
  if (subscript.all) return {count, 1};
  const auto is_vector = [](std::int64_t rows, std::int64_t cols) { return (rows == 1) != (cols == 1); };
  if (!is_vector(a.rows, a.cols) || !is_vector(subscript.rows, subscript.cols)) return {subscript.rows, subscript.cols};
  return a.cols == 1 ? std::pair(count, std::int64_t{1}) : std::pair(std::int64_t{1}, count);
}

// c(1, k) of a row and c(k, 1) of a column, where k alone tells.
std::vector<Lowerer::ElementSubscript> Lowerer::along_vector(const Aggregate& a,
                                                             const std::vector<ElementSubscript>& subscripts) {
  if (a.stacked || subscripts.size() != 2 || (a.rows == 1) == (a.cols == 1)) return subscripts;
  const std::size_t along = a.rows == 1 ? 1 : 0;
  const ElementSubscript& across = subscripts[1 - along];
  const bool is_first = !across.position && !across.several && across.at.size() == 1 && across.at.front() == 0;
  return is_first ? std::vector{subscripts[along]} : subscripts;
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
    const auto [rows, cols] = linear_extents(a, subscripts[0]);
    return selected(base, subscripts[0].at, rows, cols);
  }
  for (const std::int64_t j : subscripts[1].at)
    for (const std::int64_t i : subscripts[0].at) elements.push_back(j * a.rows + i);
  return selected(base, elements, static_cast<std::int64_t>(subscripts[0].at.size()),
                  static_cast<std::int64_t>(subscripts[1].at.size()));
}

// Of two values of any kind the one that the run chooses: of several kinds it is a variant, which the program is
// lowered anew for.
Binding Lowerer::chosen(ValueId condition, const std::function<Binding()>& yes, const std::function<Binding()>& no) {
  const std::string name = chosen_element;
  branch(
      condition, [&] { put(frame_->env, name, yes()); }, [&] { put(frame_->env, name, no()); }, emit_.place());
  Binding made = whole(frame_->env, name);
  if (made.of_two_kinds) want_variant(name);
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
      emit_, one, place(name, 0, 1, "%~g") + ": subscripts must be either integers 1 to (2^63)-1 or logicals");
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

}  // namespace lac::frontend
