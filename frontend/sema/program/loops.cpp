// Loops. The types of carried variables are a least fixpoint, found by trying: a body is lowered with the types at
// hand, and where it leaves others behind (an element, an extent) the attempt is taken back and made again with types
// that cover both. A shape that changes on the first trip only (s = 0; s = s + v) is met by peeling that trip.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/names/liveness.h"
#include "frontend/sema/program/loop_attempt.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/ranges.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/variant.h"

namespace lac::frontend {

constexpr int most_raised = 24;
constexpr std::int64_t most_trips = (std::int64_t{1} << 53) - 1;

// The variable of a for that makes no trip: 1x0, or rows x 0 of the matrix that it would go over.
Binding Lowerer::without_trips(const LoopPlan& plan) {
  const Size rows = plan.columns ? emit_.type(plan.columns).rows : Size(1);
  const Size cols = plan.columns ? emit_.type(plan.columns).cols : Size(0);
  const bool integer = plan.integer_class != IntegerClass::none;
  const ValueId zero = emit_.builder.constant(0, integer ? Element::integer : emit_.graph.precision);
  const ValueId none = emit_.builder.fill(zero, rows, cols);
  return integer ? Binding::integer(plan.integer_class, none) : Binding::matrix(none);
}

// Taken back unless it stands. An error of a second trip that is only tried counts for nothing.
Lowerer::Attempted Lowerer::try_loop(const LoopPlan& plan, const CarriedTypes& types,
                                     const std::map<std::string, Type>& after_first) {
  const Snapshot snapshot = save();
  LoopAttempt attempt(*this, plan, types, after_first);
  try {
    attempt.run();
  } catch (const LowerError&) {
    if (after_first.empty()) throw;
  } catch (const Unroll& found) {
    if (found.loop != &attempt) throw;
    attempt.unroll();
  }
  if (!attempt.attempted().stands) restore(snapshot);
  return attempt.attempted();
}

// A loop's body is a part of the frame's: what that reads more often than the loop does is read outside as well.
bool Lowerer::read_outside(const std::string& name, const ast::Block& loop_body) {
  for (const char* reader : {"save", "str2func"})  // whose texts may read any
    if (reads_in(*frame_->body).count(reader) != 0) return true;
  const bool at_end = frame_->read_at_end.count(name) != 0;
  const auto count_in = [&](const ast::Block& block) {
    const std::map<std::string, int>& reads = reads_in(block);
    const auto found = reads.find(name);
    return found == reads.end() ? 0 : found->second;
  };
  if (at_end || count_in(*frame_->body) == count_in(loop_body)) return at_end;
  const auto [known, added] = read_behind_.try_emplace({&loop_body, name});
  if (added) known->second = is_read_behind(name, loop_body, *frame_->body);
  return known->second;
}

const std::map<std::string, int>& Lowerer::reads_in(const ast::Block& block) {
  const auto [known, added] = reads_.try_emplace(&block);
  if (added) known->second = read_counts(block);
  return known->second;
}

void Lowerer::lower_conditional(LoopKind kind, const ast::Block& body, const ast::Expr& condition, Span span) {
  LoopPlan plan;
  plan.info = {kind, ""};
  plan.span = span;
  plan.body = &body;
  plan.condition = &condition;
  lower_loop(plan);
}

// for k = 1:Inf, for k = 0:-2:-Inf: the loop ends by break or return.
bool Lowerer::endless(LoopPlan& plan, const RangeParts& parts, Span span) {
  const auto step = emit_.constant_of(parts.step), last = emit_.constant_of(parts.last);
  if (!step || !last || emit_.constant_of(parts.some) != 1.0) return false;
  if (!std::isinf(*last) || !std::isfinite(*step) || *step == 0 || (*step > 0) != (*last > 0)) return false;
  Message message;
  message.stream = Stream::err;
  message.id = "Octave:infinite-loop";
  message.format = "FOR loop limit is infinite, will stop after 9223372036854775807 steps";
  emit_.at(span);
  emit_.builder.warn(emit_.builder.constant(0, Element::logical), std::move(message), {});
  plan.limit = most_trips;
  plan.element = [this, first = parts.first, step = parts.step, span](const Size& trip) {
    return Binding::matrix(elementwise(
        emit_, ScalarOp::add, {first, elementwise(emit_, ScalarOp::mul, {emit_.builder.size(trip), step}, span, "*")},
        span, "+"));
  };
  return true;
}

void Lowerer::lower_for(const ast::For& node, Span span) {
  LoopPlan plan;
  plan.info = {LoopKind::for_range, node.variable.name.text};
  plan.span = span;
  plan.body = &node.body;
  plan.variable = &node.variable;
  if (node.variable.is_part()) emit_.fail(node.variable.span, "an indexed loop variable is outside the language");
  if (node.key) return go_over_fields(plan, node);
  const ast::Expr& range = strip_parens(*node.range);
  std::optional<RangeParts> parts;
  if (const auto* literal = std::get_if<ast::Range>(&range.node)) {
    parts = range_parts(*literal);
    plan.integer_class = parts->integer_class;
    if (endless(plan, *parts, range.span)) return lower_loop(plan);
    plan.range = exact_range(emit_, *parts);
    if (!plan.range) {
      emit_.at(range.span);
      plan.range = integer_range(emit_, *parts);
    } else {
      plan.last = plan.range->last;
    }
  }
  if (parts && !plan.range) {
    const RealRange real = real_range(emit_, *parts, range.span);
    plan.limit = real.count;
    plan.element = [this, real](const Size& trip) { return Binding::matrix(real.elements(emit_.builder.size(trip))); };
  } else if (!plan.range) {
    const Binding written = lower_expr(range), given = numbers_of(written);
    plan.integer_class = element_class(written);
    if (given.is_aggregate() && !given.is_array()) return go_over_elements(plan, given);
    if (given.is_complex()) {
      go_over_complex(plan, given);
      return lower_loop(plan);
    }
    const bool is_text = given.is_text();  // each character a string
    const ValueId value = is_text            ? codes(emit_, given)
                          : given.is_array() ? as_matrix(emit_, given)
                                             : as_value(given, range);
    if (const auto known = emit_.facts.ranges.find(value); known != emit_.facts.ranges.end())
      plan.range = known->second;
    else go_over_columns(plan, value, is_text);
    if (given.is_known_text() && is_text)
      plan.element = [of_run = plan.element, text = given.text](const Size& trip) {
        const bool known = trip.is_constant() && trip.constant() < static_cast<std::int64_t>(text.size());
        return known ? Binding::string(text.substr(static_cast<std::size_t>(trip.constant()), 1), true) : of_run(trip);
      };
  }
  if (plan.range) {
    const RangeFact fact = *plan.range;
    plan.limit = fact.count;
    plan.element = [this, fact](const Size& trip) {
      return Binding::matrix(emit_.builder.size(fact.first + fact.step * trip));
    };
  }
  if (plan.integer_class != IntegerClass::none) go_over_integers(plan, plan.integer_class);
  lower_loop(plan);
}

// In a trip of `for k = first:step:last` no k is beyond the last one. By steps of 1 and -1 the number of trips says so.
void Lowerer::note_last(const LoopPlan& plan, const Size& trip) {
  if (!plan.last || plan.range->step.is(1) || plan.range->step.is(-1)) return;
  const Size element = plan.range->first + plan.range->step * trip, &step = plan.range->step;
  if (emit_.facts.nonnegative_here(emit_.graph, step - 1)) emit_.facts.note_nonnegative(*plan.last - element);
  else if (emit_.facts.nonnegative_here(emit_.graph, Size(-1) - step))
    emit_.facts.note_nonnegative(element - *plan.last);
}

// What the loop goes over is of an integer class.
void Lowerer::go_over_integers(LoopPlan& plan, IntegerClass integer_class) {
  plan.element = [this, numbers = plan.element, integer_class](const Size& trip) {
    return Binding::integer(integer_class, emit_.builder.convert(numbers(trip).value, Element::integer));
  };
}

// Each column of a cell array, or of an array of structs, written out: each has types of its own.
void Lowerer::go_over_elements(LoopPlan& plan, const Binding& all) {
  const Aggregate& a = *all.aggregate;
  if (a.stacked) {
    plan.limit = count_of(emit_, a);
    plan.element = [this, all](const Size& trip) { return element_at(all, "", emit_.builder.size(trip + 1)); };
    return lower_loop(plan);
  }
  if (all.is_cell() && a.count() == 0) return assign(*plan.variable, all, false);
  plan.limit = a.rows == 0 ? 0 : a.cols;
  plan.unrolled = true;
  plan.element = [all](const Size& trip) {
    const std::int64_t height = all.aggregate->rows;
    std::vector<std::int64_t> column(static_cast<std::size_t>(height));
    std::iota(column.begin(), column.end(), trip.constant() * height);
    return selected(all, column, height, 1);
  };
  lower_loop(plan);
}

// for [value, key] = s: each field, written out.
void Lowerer::go_over_fields(LoopPlan& plan, const ast::For& node) {
  if (node.key->is_part()) emit_.fail(node.key->span, "an indexed loop variable is outside the language");
  const Binding all = lower_expr(*node.range);
  if (!all.is_record()) emit_.fail(node.range->span, "in statement 'for [X, Y] = VAL', VAL must be a structure");
  if (all.aggregate->stacked || all.aggregate->count() != 1)
    emit_.fail(node.range->span, "'for [value, key] = s' goes over the fields of one struct: take one of the array");
  if (std::ranges::any_of(all.aggregate->slots, [](const Slot& slot) { return may_lack(slot); }))
    emit_.fail(
        node.range->span,
        "the run finds which fields this struct has: 'for [value, key] = s' goes over fields that are known; ask "
        "for each with isfield");
  plan.key = &*node.key;
  plan.limit = static_cast<std::int64_t>(all.aggregate->slots.size());
  plan.unrolled = true;
  const auto slot = [all](const Size& trip) -> const Slot& {
    return all.aggregate->slots[static_cast<std::size_t>(trip.constant())];
  };
  plan.element = [slot](const Size& trip) { return slot(trip).items.front(); };
  plan.key_of = [slot](const Size& trip) { return Binding::string(slot(trip).name, true); };
  lower_loop(plan);
}

void Lowerer::go_over_complex(LoopPlan& plan, const Binding& columns) {
  const Complex parts = parts_of(emit_, columns);
  go_over_columns(plan, parts.re, false);
  plan.of_complex = true;
  const auto re = plan.element;
  go_over_columns(plan, parts.im, false);
  plan.element = [this, re, im = plan.element](const Size& trip) {
    const ValueId real = re(trip).value;
    return complex_binding(emit_, {real, im(trip).value});
  };
}

void Lowerer::go_over_columns(LoopPlan& plan, ValueId columns, bool is_text) {
  const Type t = emit_.type(columns);
  plan.columns = columns;
  plan.limit = t.rows.is(0) ? Size(0) : t.cols;
  if (!emit_.facts.nonnegative(emit_.graph, t.rows - 1))
    plan.limit = emit_.chosen(emit_.equal_sizes(t.rows, 0), 0, plan.limit);
  const auto numbers = t.rows.is(1) && t.is_dense() && !is_text ? numbers_of(emit_, columns) : std::nullopt;
  plan.element = [this, columns, t, is_text, numbers](const Size& trip) {
    if (numbers && trip.is_constant() && trip.constant() < static_cast<std::int64_t>(numbers->size()))
      return Binding::matrix(emit_.builder.constant((*numbers)[static_cast<std::size_t>(trip.constant())], t.element));
    const auto binding = [&](ValueId column) {
      return is_text ? Binding::computed_text(column, true) : Binding::matrix(column);
    };
    if (t.is_scalar()) return binding(columns);
    if (t.is_sparse()) return Binding::matrix(sparse_column(emit_, columns, emit_.builder.size(trip + 1)));
    const Subscripts subscripts{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, trip, 1, 1}}};
    return binding(emit_.builder.index(columns, subscripts, {}, t.rows, 1));
  };
}

// From the bottom of the lattice up to the least types that the body does not lead out of. This ends: an attempt that
// does not stand is the last one if it peels; else it needs what its types do not cover, for a second trip is tried
// only where `grows` is not set, and sets it if it changes the shape again. So every attempt but the last raises a
// variable, and of n variables each rises Carried::height times at most.
// Trip by trip, unless that is too much: then the run chooses the elements that it goes over.
void Lowerer::lower_unrolled(const LoopPlan& plan) {
  const Snapshot before = save();
  const std::size_t statements = statements_lowered_;
  LoopPlan other = plan;
  other.unrolled = true;
  try {
    return lower_peeled(other);
  } catch (const TooLarge&) {
    if (plan.stays_a_loop) throw;
  }
  restore(before);
  statements_lowered_ = statements;
  other.unrolled = false;
  other.stays_a_loop = true;
  lower_loop(other);
}

// What a loop cannot say because it does not know which trip this is, its trips may: sum(x, k). Nothing is left where
// they cannot either.
bool Lowerer::lower_unrolled_without_errors(const LoopPlan& plan) {
  const Snapshot before = save();
  const std::size_t statements = statements_lowered_, errors = emit_.diagnostics.error_count();
  LoopPlan other = plan;
  other.unrolled = true;
  other.most_errors = errors;
  try {
    lower_peeled(other);
    if (emit_.diagnostics.error_count() == errors) return true;
  } catch (const LowerError&) {
  } catch (const TooLarge&) {
  }
  restore(before);
  statements_in_vain_ += statements_lowered_ - statements;
  statements_lowered_ = statements;
  return false;
}

void Lowerer::lower_loop(const LoopPlan& plan) {
  if (plan.unrolled && !plan.limit.is(0)) return lower_peeled(plan);
  const Snapshot start = save();
  const std::string entry = entry_of(plan);
  CarriedTypes types;
  if (const auto known = known_outcome(entry)) {
    if (known->way == LoopOutcome::Way::peeled) return lower_peeled(plan);
    if (known->way == LoopOutcome::Way::unrolled) return lower_unrolled(plan);
    types = known->types;
  }
  int raised = 0;  // forms of stacks, each of which rises a few times
  while (true) {
    const Attempted attempted = try_loop(plan, types, {});
    if (attempted.has_errors) {
      restore(start);
      if (lower_unrolled_without_errors(plan)) return;
      LoopPlan other = plan;
      other.stays_a_loop = true;
      return lower_loop(other);
    }
    if (attempted.stands) {
      keep_outcome(entry, {LoopOutcome::Way::loop, types});
      return pass_on_error();
    }
    if (!attempted.stacks.empty()) {
      if (++raised > most_raised)
        emit_.fail(plan.span, "the elements of '" + attempted.stacks.begin()->first +
                                  "' take another form in each trip of this loop");
      stack_before(plan, attempted);
      std::erase_if(types, [&](const auto& entry) { return attempted.stacks.count(root_of(entry.first)) != 0; });
      continue;
    }
    if (!attempted.rebound.empty()) {
      forget(attempted.rebound);
      std::erase_if(types, [&](const auto& entry) { return attempted.rebound.count(root_of(entry.first)) != 0; });
      continue;
    }
    if (!attempted.variants.empty()) {
      vary_before(attempted);
      std::erase_if(types, [&](const auto& entry) { return attempted.variants.count(root_of(entry.first)) != 0; });
      continue;
    }
    if (!attempted.complexes.empty()) {
      widen_before(plan, attempted);
      continue;
    }
    if (!attempted.fields.empty()) {
      put_fields_before(plan, attempted);
      continue;
    }
    if (attempted.unrolls) {
      keep_outcome(entry, {LoopOutcome::Way::unrolled});
      return lower_unrolled(plan);
    }
    join(types, attempted.needed);
    bool peels = attempted.peels;
    if (!peels && !attempted.after_first.empty()) {
      peels = try_loop(plan, types, attempted.after_first).peels;
      join(types, attempted.needed_if_changed);
    }
    if (peels) {
      keep_outcome(entry, {LoopOutcome::Way::peeled});
      return lower_peeled(plan);
    }
  }
}

// A variable that has no value before the loop gets the form alone.
void Lowerer::widen_before(const LoopPlan& plan, const Attempted& attempted) {
  emit_.at(plan.span);
  for (const auto& [name, form] : attempted.complexes) {
    if (frame_->env.count(name) == 0) frame_->env.insert_or_assign(name, form);
    else put(frame_->env, name, widened_like(emit_, whole(frame_->env, name), form));
  }
}

// One that has no value before the loop gets the form alone.
void Lowerer::vary_before(const Attempted& attempted) {
  for (const auto& [name, form] : attempted.variants) {
    if (frame_->env.count(name) == 0) frame_->env.insert_or_assign(name, form);
    else put(frame_->env, name, as_variant(emit_, whole(frame_->env, name), form));
  }
}

void Lowerer::stack_before(const LoopPlan& plan, const Attempted& attempted) {
  emit_.at(plan.span);
  for (const auto& [name, parts] : attempted.stacks)
    put(frame_->env, name, with_stacked(whole(frame_->env, name), parts));
}

void Lowerer::lower_peeled(const LoopPlan& plan) {
  limit_size(plan.span, {});
  const auto rest = [&] {
    if (plan.most_errors && emit_.diagnostics.error_count() > *plan.most_errors) return;
    LoopPlan next = plan;
    ++next.first_trip;
    if (plan.info.kind == LoopKind::for_range) next.limit = emit_.max0(plan.limit - 1);
    if (plan.info.kind != LoopKind::do_until) return lower_loop(next);
    note_place(*plan.condition);
    const ValueId going_on = emit_.builder.map(ScalarOp::logical_not, condition(*plan.condition));
    branch(
        going_on, [&] { lower_loop(next); }, [] {}, plan.span);
  };
  const auto first_trip = [&] {
    const TripPlace trip(*frame_, plan.first_trip + 1);
    if (plan.info.kind == LoopKind::while_true) note_condition(*plan.condition, true);
    if (plan.variable) {
      note_last(plan, plan.first_trip);
      assign_name(plan.variable->name.text, plan.element(plan.first_trip));
      mention(plan.variable->name.text, plan.variable->name.span);
    }
    if (plan.key) assign_name(plan.key->name.text, plan.key_of(plan.first_trip));
    const Exits exits = exits_of(*plan.body);
    const auto outside_loop = [&] {  // the rest is a loop of its own
      const OutsideTrip outside(*frame_);
      rest();
    };
    if (!exits.continues) {
      lower_list(*plan.body, 0, outside_loop);
    } else {
      lower_list(*plan.body);
      frame_->env.erase("#continue");
      branch(
          alive(),
          [&] {
            frame_->env.erase("#break");
            frame_->env.erase("#return");
            outside_loop();
          },
          [] {}, plan.span);
    }
    frame_->env.erase("#break");
  };
  emit_.at(plan.span);
  ValueId enters = emit_.builder.constant(1, Element::logical);
  if (plan.info.kind == LoopKind::while_true) enters = branch_condition(*plan.condition);
  if (plan.info.kind == LoopKind::for_range && !emit_.facts.nonnegative(emit_.graph, plan.limit - 1))
    enters =
        emit_.builder.map(ScalarOp::ge, emit_.builder.size(plan.limit), emit_.builder.constant(1, Element::integer));
  const auto no_trip = [&] {
    if (plan.variable && plan.first_trip == 0) assign_name(plan.variable->name.text, without_trips(plan));
  };
  branch(enters, first_trip, no_trip, plan.span);
}

}  // namespace lac::frontend
