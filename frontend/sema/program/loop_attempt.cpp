#include "frontend/sema/program/loop_attempt.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "frontend/sema/builtins/session.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/program/exit_flags.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/subscripts.h"
#include "frontend/sema/values/variant.h"

namespace lac::frontend {

/// Statements of trips that were written out to no avail: loops inside each other would try that for each other's
/// trips, and be lowered twice for it.
constexpr std::size_t most_in_vain = 10'000;

Lowerer::LoopAttempt::LoopAttempt(Lowerer& lowerer, const LoopPlan& plan, const CarriedTypes& types,
                                  const std::map<std::string, Type>& after_first)
    : l_(lowerer),
      emit_(lowerer.emit_),
      builder_(lowerer.emit_.builder),
      plan_(plan),
      types_(types),
      after_first_(after_first),
      is_for_(plan.is_for()),
      second_trip_(!after_first.empty()) {}

void Lowerer::LoopAttempt::run() {
  attempted_.stands = makes_no_trip();
  if (attempted_.stands) return;
  open_block();
  lower_body();
  const bool finds_text = emit_.errors && l_.errors_have_text_ && !carries_text_;  // for the next attempt
  if (finds_text || finds_changed_maps() || changes_form()) return;
  const bool cut_short = find_late_names();
  const bool late = !attempted_.needed.empty();
  if (is_broken()) {
    attempted_.stands = !late && !second_trip_;
    attempted_.has_errors =
        attempted_.stands && reported_ && can_be_unrolled(most_unrolled) && l_.statements_in_vain_ <= most_in_vain;
    if (attempted_.stands) forget_what_it_assigned();
    return;
  }
  // Behind a late name that is read nothing was lowered: the others are as the middle of a trip left them. Where the
  // first trip is peeled the next attempt starts with what it leaves behind.
  if (late && (cut_short || second_trip_ || attempted_.peels)) return;
  compare_with_start();
  compare_texts();
  attempted_.stands = !second_trip_ && !must_peel_ && attempted_.rebound.empty() && attempted_.variants.empty() &&
                      attempted_.after_first.empty() && covers(types_, attempted_.needed);
  if (!attempted_.stands) return;
  refuse_late_kinds();
  if (left_out_in_body_ && !emit_.diagnostics.has_errors()) l_.leave_out();
  append();
}

const Carried& Lowerer::LoopAttempt::carried(const std::string& name) const {
  static const Carried bottom;
  const auto found = types_.find(name);
  return found == types_.end() ? bottom : found->second;
}

bool Lowerer::LoopAttempt::makes_no_trip() {
  emit_.at(plan_.span);
  enters_ = builder_.constant(1, Element::logical);
  if (plan_.info.kind == LoopKind::while_true) enters_ = l_.branch_condition(*plan_.condition);
  if (emit_.constant_of(enters_) != 0.0 && !(is_for_ && plan_.limit.is(0))) return false;
  if (is_for_ && plan_.first_trip == 0) l_.assign_name(plan_.variable_name(), l_.without_trips(plan_));
  return true;
}

void Lowerer::LoopAttempt::open_block() {
  limit_ = is_for_ ? builder_.size(plan_.limit)
                   : builder_.constant(std::numeric_limits<double>::infinity(), Element::integer);
  roots_ = assigned_names(*plan_.body);
  if (plan_.condition) assigned_names(*plan_.condition, roots_);
  for (const std::vector<std::string>& words : words_of_clears(*plan_.body))
    l_.frame_->env.for_each([&](const std::string& name, const Binding&) {
      if (!name.starts_with("#") && !is_leaf(name) && is_cleared(name, words)) roots_.insert(name);
    });
  roots_.merge(l_.shared_that_change());
  own_names_ = carried_names();
  variable_is_carried_ = is_for_ && own_names_.count(plan_.variable_name()) != 0;
  names_ = own_names_;
  if (exits_of(*plan_.body).returns) names_.insert("#return");
  if (emit_.errors) names_.insert(std::begin(error_marks), std::end(error_marks));
  carries_text_ = emit_.errors && l_.errors_have_text_;
  if (carries_text_) names_.insert(error_text);
  before_ = l_.frame_->env;
  first_inner_ = emit_.graph.values.size();

  body_ = builder_.new_block();
  trip_ = symbol_of(emit_.graph, builder_.add_argument(body_, Type::scalar(Element::integer), ""));
  emit_.graph.symbols[trip_].lower = 0;
  if (is_for_)
    emit_.facts.at_most(trip_, emit_.facts.where_positive(plan_.limit) - 1);  // within the loop there is a trip

  Environment inner = before_;
  for (const char* flag : exit_flags) inner.erase(flag);
  for (const std::string& name : names_) {
    std::optional<CarriedValue> value = initial_value(name);
    if (!value) continue;
    const bool is_flag = name.starts_with("#");
    value->argument = builder_.add_argument(body_, value->type, is_flag ? "" : value_name(name));
    if (!is_flag) value->course = course_of_counter(*value, name);
    bound_counter(*value, value->argument);
    if (value->maybe_nothing) emit_.facts.maybe_nothing.insert_or_assign(value->argument, true);
    if (value->maybe_mask) emit_.facts.maybe_masks.insert_or_assign(value->argument, true);
    Binding binding = value->form.with_value(value->argument);
    if (value->defined_init) binding.defined = builder_.add_argument(body_, Type::scalar(Element::logical), "");
    if (!is_flag) inner[name] = binding;
    values_.push_back(*std::move(value));
  }
  l_.frame_->env = inner;
}

// Of a struct or a cell array the leaves that the body may assign, as far as the text tells.
std::set<std::string> Lowerer::LoopAttempt::carried_names() const {
  std::set<std::string> names;
  std::set<std::string> parts = assigned_parts(*plan_.body);
  if (plan_.condition) assigned_names(*plan_.condition, parts);
  parts.merge(l_.shared_that_change());
  for (const std::string& root : roots_) {
    const auto found = l_.frame_->env.find(root);
    if (found == l_.frame_->env.end() || !found->second.is_compound()) names.insert(root);
  }
  for (const std::string& part : parts) {
    const auto found = l_.frame_->env.find(root_of(part));
    if (found == l_.frame_->env.end() || !found->second.is_compound()) continue;
    for_each_leaf(found->second, root_of(part), [&](const std::string& path, const Binding&) {
      if (lies_below(path, part) || lies_below(part, path)) names.insert(path);
    });
  }
  return names;
}

// Maps that the body changes are carried by the next attempt.
bool Lowerer::LoopAttempt::finds_changed_maps() {
  bool found = false;
  Environment::for_each_difference(before_, after_, [&](const std::string& path) {
    const std::string name = root_of(path);
    if (!is_map_contents(name) || before_.count(name) == 0 || roots_.count(name) != 0) return;
    l_.changed_maps_.insert(name);  // an attempt at a loop inside of this one may have found it already
    found = true;
  });
  return found;
}

namespace {

/// Whether a trip assigns the variable before it may read it.
bool is_assigned_first(const std::string& name, const ast::Block& body) {
  for (const ast::Statement& statement : body) {
    const bool reads = read_counts({statement}).count(name) != 0;
    const auto* assign = std::get_if<ast::Assign>(&statement.node);
    const bool plain = assign && !assign->op && assign->targets.size() == 1 && !assign->targets.front().is_part() &&
                       assign->targets.front().name.text == name;
    if (reads || plain) return plain && !reads;
    if (assigned_names({statement}).count(name) != 0) return false;
  }
  return false;
}

std::string changes_kind(const Binding& after) {
  return after.is_map() ? "another containers.Map" : "another function";
}

// What to write instead of what a loop makes larger.
std::string remedy_of_growth(const std::string& name, const Binding& grown) {
  const bool is_table = grown.is_cell() && grown.aggregate->rows > 1 && grown.aggregate->cols > 1;
  if (!is_table) return "make them before the loop, as with cell(1, n)";
  return "make them before the loop, as with cell(m, n), or let a struct array grow in the place of '" + name +
         "': s(end + 1) = struct(...)";
}

}  // namespace

// A variable that has other fields or other cells after a trip: where that is so of the first trip alone, it is peeled.
bool Lowerer::LoopAttempt::changes_form(const std::string& name) {
  const auto found = after_.find(name);
  const auto old = before_.find(name);
  const auto has_form = [&](const Binding& binding) {
    return binding.is_compound() || binding.is_map() ||
           (binding.is_function() && !is_assigned_first(name, *plan_.body));
  };
  const bool is_aggregate = found != after_.end() && has_form(found->second);
  const bool was_aggregate = old != before_.end() && has_form(old->second);
  if (!is_aggregate && !was_aggregate) return false;
  if (found == after_.end()) return false;
  if (found->second.kind == Binding::Kind::poisoned) {  // of one form in one branch and of another in the other
    if (found->second.poison.empty()) return false;
    if (!can_be_unrolled(most_unrolled_for_kinds) && !old_value_is_in_the_way(name))
      l_.fail_as_poisoned(name, found->second, plan_.span);
    return true;
  }
  if (old == before_.end()) return missing_in_body_.count(name) != 0 || l_.read_outside(name, *plan_.body);
  if (!found->second.same_as(old->second)) return true;
  return found->second.is_aggregate() && !l_.stacked_parts(whole(before_, name), whole(after_, name)).empty();
}

// Of another kind before the loop than after a trip, and read by none, neither in the loop nor behind it.
bool Lowerer::LoopAttempt::old_value_is_in_the_way(const std::string& name) const {
  const auto old = before_.find(name);
  return old != before_.end() && old->second.kind != after_.at(name).kind && !old->second.is_map() &&
         is_rebound(name) && !l_.read_outside(name, *plan_.body);
}

// Of another kind after a trip: a variant before it too. One that has no value before the loop is undefined there.
bool Lowerer::LoopAttempt::becomes_variant(const std::string& name) {
  if (!l_.varies(name) || after_.count(name) == 0) return false;
  if (before_.count(name) == 0) {
    const Binding end = whole(after_, name);
    if (end.is_variant()) attempted_.variants.emplace(name, *variant_form(end, end));
    return end.is_variant();
  }
  const std::optional<Binding> form = variant_form(whole(before_, name), whole(after_, name));
  if (!form) return false;
  attempted_.variants.emplace(name, *form);
  return true;
}

// A variant before the loop stays one; of the kinds that it is not of after a trip the loop carries what there was.
void Lowerer::LoopAttempt::keep_kinds(const std::string& name, const Binding& old) {
  emit_.inside(body_, [&] { put(after_, name, as_variant(emit_, whole(after_, name), old)); });
  for (const CarriedValue& value : values_) {
    if (root_of(value.name) != name || after_.count(value.name) != 0) continue;
    Binding gone = value.form.with_value(value.argument);
    emit_.inside(body_, [&] { gone.defined = builder_.constant(0, Element::logical); });
    after_.insert_or_assign(value.name, gone);
  }
}

// Real before the loop and complex after a trip: complex before it too. Complex from nothing: as a late name.
bool Lowerer::LoopAttempt::becomes_complex(const std::string& name) {
  const auto found = after_.find(name);
  if (found == after_.end() || !found->second.is_compound()) return false;
  if (before_.count(name) == 0) {
    if (found->second.is_complex()) attempted_.complexes.emplace(name, complex_form());
    return found->second.is_complex();
  }
  const Binding old = whole(before_, name), form = whole(after_, name);
  bool widens = false;
  emit_.inside(body_, [&] {
    const Binding wide = widened_like(emit_, old, form);
    widens = wide.aggregate != old.aggregate && same_form(wide, form);
  });
  if (widens) attempted_.complexes.emplace(name, form);
  return widens;
}

// What is complex before the loop and real after a trip stays complex, and what is stacked and then [] stays stacked.
void Lowerer::LoopAttempt::widen_results() {
  for (const std::string& name : roots_) {
    if (after_.count(name) == 0 || before_.count(name) == 0) continue;
    const Binding end = whole(after_, name), old = whole(before_, name);
    if (!old.is_compound()) continue;
    if (old.is_variant()) {
      keep_kinds(name, old);
      continue;
    }
    emit_.inside(body_, [&] {
      const Binding wide = widened_like(emit_, l_.kept_stacked(end, old), old);
      if (wide.aggregate != end.aggregate) put(after_, name, wide);
    });
  }
}

// The form in which what a trip makes longer is stacked before the loop. Cells, and structs that are not columns of
// matrices, are better off in a loop that is written out, and what a trip makes anew in one whose first trip is.
StackedParts Lowerer::LoopAttempt::stacks_of(const std::string& name) const {
  if (before_.count(name) == 0 || after_.at(name).kind == Binding::Kind::poisoned) return {};
  const Binding& old = before_.at(name);
  if (is_map_contents(name) && !old.aggregate->stacked && !old.aggregate->slots.empty()) return {};  // a list of keys
  const StackedParts parts = l_.stacked_parts(whole(before_, name), whole(after_, name));
  if (std::ranges::all_of(parts, [](const StackedPart& part) { return is_columns(part.form); })) return parts;
  if (can_be_unrolled(most_unrolled) || next_is_known() || is_assigned_first(name, *plan_.body)) return {};
  return parts;
}

bool Lowerer::LoopAttempt::changes_form() {
  for (const std::string& name : roots_) {
    if (!changes_form(name)) continue;
    if (old_value_is_in_the_way(name)) {
      attempted_.rebound.insert(name);
      return true;
    }
    if (becomes_complex(name) || becomes_variant(name)) return true;
    if (StackedParts parts = stacks_of(name); !parts.empty()) {
      attempted_.stacks.emplace(name, std::move(parts));
      return true;
    }
    if (gains_fields(name)) return true;
    if (after_.at(name).kind == Binding::Kind::poisoned || next_is_known()) attempted_.unrolls = true;
    else if (plan_.may_peel()) attempted_.peels = true;
    else if (can_be_unrolled(most_unrolled_for_kinds)) attempted_.unrolls = true;
    else if (after_.at(name).is_map() || after_.at(name).is_function())
      emit_.fail(plan_.span, "'" + name + "' is " + changes_kind(after_.at(name)) +
                                 " after a trip of this loop, and which one it is must be known while the program is "
                                 "compiled: make it before the loop");
    else
      emit_.fail(plan_.span, "'" + name + "' is a " + form_text(after_.at(name)) +
                                 " after a trip of this loop and another before it: how many cells, structs or fields "
                                 "there are must be known while the program is compiled; " +
                                 remedy_of_growth(name, after_.at(name)));
    return true;
  }
  return false;
}

// Nothing where the name is a function, or has no value before the loop and needs none.
std::optional<Lowerer::LoopAttempt::CarriedValue> Lowerer::LoopAttempt::initial_value(const std::string& name) {
  CarriedValue value;
  if (name == error_text) {
    value.init = builder_.fill(builder_.constant(0, Element::integer), 1, 0);
    value.type = emit_.type(value.init);
    Carried grows;
    grows.varies[1] = true;
    add_extent_arguments(value, grows);
  } else if (name.starts_with("#")) {  // never raised so far
    const bool flag = name == "#return" || name == "#error";
    const Element element = flag ? Element::logical : name == "#error_code" ? Element::integer : emit_.graph.precision;
    value.init = builder_.constant(0, element);
    value.type = Type::scalar(element);
  } else {
    const auto found = before_.find(name);
    if (found != before_.end() && is_leaf(name) && found->second.is_known_text() && !found->second.defined &&
        !carried(name).other_text) {  // an option among fields that change
      known_texts_.insert(name);
      return std::nullopt;
    }
    if (has_value_before(name)) value = from_before(found->second, name);
    else if (carried(name).late) value = from_nothing(carried(name));
    else return std::nullopt;
    add_extent_arguments(value, carried(name));
  }
  value.name = name;
  return value;
}

Lowerer::LoopAttempt::CarriedValue Lowerer::LoopAttempt::from_before(const Binding& binding, const std::string& name) {
  const Carried& known = carried(name);
  CarriedValue value;
  value.form = form_of(binding);
  ValueId initial = binding.is_text() ? codes(emit_, binding) : binding.value;
  if (const auto later = after_first_.find(name); later != after_first_.end())
    initial = builder_.fill(builder_.constant(0, later->second.element), later->second.rows, later->second.cols);
  if (emit_.type(initial).is_sparse() && (known.csr || known.varies[0] || known.varies[1]))
    initial = to_csr(emit_, initial);
  value.init = builder_.convert(initial, known.element.value_or(emit_.type(initial).element));
  value.type = emit_.type(value.init);
  value.maybe_nothing = may_be_nothing(emit_, binding);
  value.maybe_mask = value.type.element != Element::logical && binding.is_matrix() && may_be_mask(emit_, initial);
  value.type.properties = {};
  if (binding.defined) value.defined_init = binding.defined;
  else if (known.may_lack) value.defined_init = builder_.constant(1, Element::logical);
  return value;
}

Lowerer::LoopAttempt::CarriedValue Lowerer::LoopAttempt::from_nothing(const Carried& known) {
  CarriedValue value;
  value.type = known.late->type;
  value.form = known.late->form;
  const Element element = known.element.value_or(value.type.element);
  value.type.element = element;
  const Size rows = known.varies[0] ? Size(0) : value.type.rows, cols = known.varies[1] ? Size(0) : value.type.cols;
  if (value.type.is_sparse())
    value.init = builder_.library(LibraryFn::sparse_zeros, {}, {csr_type(element, rows, cols)})[0];
  else if (value.type.is_scalar()) value.init = builder_.constant(0, element);
  else value.init = builder_.fill(builder_.constant(0, element), rows, cols);
  value.defined_init = builder_.constant(0, Element::logical);
  return value;
}

// In all trips, and behind the loop.
std::optional<Course> Lowerer::LoopAttempt::course_of_counter(const CarriedValue& value,
                                                              const std::string& name) const {
  const bool is_counter = value.form.is_matrix() && value.type.is_scalar() && !value.defined_init && !is_leaf(name) &&
                          value.type.element == Element::integer && known_size(emit_.graph, value.init);
  std::set<std::string> stepped;
  if (plan_.condition) assigned_names(*plan_.condition, stepped);
  if (!is_counter || after_first_.count(name) != 0 || stepped.count(name) != 0 || l_.frame_->shared.count(name) != 0)
    return std::nullopt;
  return course_of(name, *plan_.body);
}

void Lowerer::LoopAttempt::bound_counter(const CarriedValue& value, ValueId later) {
  if (!value.course) return;
  const Size initial = *known_size(emit_.graph, value.init);
  const SymbolId symbol = symbol_of(emit_.graph, later);
  if (*value.course == Course::falls) return emit_.facts.at_most(symbol, initial);
  emit_.facts.at_least(symbol, initial);
  std::int64_t& lower = emit_.graph.symbols[symbol].lower;
  lower = std::max(lower, initial.lower_bound(emit_.graph.symbols).value_or(SizeSymbol::unbounded));
}

void Lowerer::LoopAttempt::add_extent_arguments(CarriedValue& value, const Carried& known) {
  for (int axis = 0; axis < 2; ++axis) {
    if (!known.varies[axis]) continue;
    value.extent_arguments[axis] = builder_.add_argument(body_, Type::scalar(Element::integer), "");
    const SymbolId symbol = symbol_of(emit_.graph, value.extent_arguments[axis]);
    const Size& initial = extent(emit_.type(value.init), axis);
    if (!known.late && !known.shrinks[axis])
      value.least[axis] = std::max<std::int64_t>(initial.lower_bound(emit_.graph.symbols).value_or(0), 0);
    emit_.graph.symbols[symbol].lower = value.least[axis];
    extent(value.type, axis) = Size::symbol(symbol);
  }
}

void Lowerer::LoopAttempt::lower_body() {
  struct Apart {  // what the body reads and begins counts around it as well, however it ends
    std::set<std::string>& names;
    std::set<std::string> around = std::exchange(names, {});
    ~Apart() { names.merge(around); }
  };
  const Apart missing{l_.missing_}, begun{l_.begun_};
  struct Outer {
    bool& left_out;
    bool around = std::exchange(left_out, false);
    ~Outer() { left_out = around; }
  } const outer{l_.left_out_};
  struct Trying {
    std::vector<const LoopAttempt*>& attempts;
    Trying(std::vector<const LoopAttempt*>& all, const LoopAttempt* attempt) : attempts(all) { all.push_back(attempt); }
    ~Trying() { attempts.pop_back(); }
  } const trying{l_.attempts_, this};
  const std::size_t errors_before = emit_.diagnostics.error_count();
  emit_.inside(body_, [&] {
    const TripPlace trip(*l_.frame_, -plan_.first_trip);
    const auto trip_of_body = [&] {
      if (is_for_) {
        const Size trip = Size::symbol(trip_) + plan_.first_trip;
        l_.note_last(plan_, trip);
        l_.assign_name(plan_.variable_name(), plan_.element(trip));
        l_.mention(plan_.variable_name(), plan_.variable->name.span);
      }
      if (plan_.info.kind == LoopKind::while_true) l_.note_condition(*plan_.condition, true);
      emit_.reachable([&] { l_.lower_list(*plan_.body); });
    };
    l_.catching(trip_of_body, plan_.span);
    l_.frame_->env.erase("#continue");
    lower_next(errors_before);
  });
  after_ = l_.frame_->env;
  make_texts_computed();
  widen_results();
  reported_ = emit_.diagnostics.error_count() != errors_before;
  missing_in_body_ = l_.missing_;
  begun_in_body_ = l_.begun_;
  left_out_in_body_ = l_.left_out_;
}

// Whether another trip follows.
void Lowerer::LoopAttempt::lower_next(std::size_t errors_before) {
  emit_.at(plan_.span);
  const ValueId go = l_.alive();
  if (is_for_) {
    going_on_ = go;
    return;
  }
  if (emit_.diagnostics.error_count() != errors_before) return;
  const auto next = [&] {
    const bool is_while = plan_.info.kind == LoopKind::while_true;
    l_.note_place(*plan_.condition);
    const ValueId holds = is_while ? l_.branch_condition(*plan_.condition) : l_.condition(*plan_.condition);
    return plan_.info.kind == LoopKind::while_true ? holds : builder_.map(ScalarOp::logical_not, holds);
  };
  const auto none = [&] { return builder_.constant(0, Element::logical); };
  if (!emit_.errors) {
    going_on_ = l_.branch_truth(go, next, none);
    return;
  }
  static const std::string name = "#going_on";  // not set where the condition throws
  Environment& env = l_.frame_->env;
  l_.catching([&] { env[name] = Binding::matrix(l_.branch_truth(go, next, none)); }, plan_.span);
  going_on_ = env.count(name) != 0 ? env[name].value : none();
  env.erase(name);
}

void Lowerer::LoopAttempt::make_texts_computed() {
  for (const std::string& name : names_) {
    const auto found = after_.find(name);
    if (found == after_.end() || !found->second.is_known_text() || known_texts_.count(name) != 0) continue;
    emit_.inside(body_, [&] {
      Binding text = form_of(found->second).with_value(codes(emit_, found->second));
      if (found->second.text.empty()) emit_.facts.maybe_nothing.insert_or_assign(text.value, true);
      text.defined = found->second.defined;
      after_.insert_or_assign(name, text);
    });
  }
}

bool Lowerer::LoopAttempt::is_broken() const {
  return reported_ || std::ranges::any_of(values_, [&](const CarriedValue& value) {
           const auto found = after_.find(value.name);
           return found != after_.end() && found->second.kind == Binding::Kind::poisoned &&
                  found->second.poison.empty();
         });
}

// The error is reported; what the loop assigned is unknown now.
void Lowerer::LoopAttempt::forget_what_it_assigned() {
  l_.frame_->env = before_;
  for (const std::string& name : own_names_) l_.frame_->env[name] = Binding{};
  if (is_for_) l_.frame_->env[plan_.variable_name()] = Binding{};
}

}  // namespace lac::frontend
