// The loop, appended with the types that its body keeps, and the variables behind it.
#include <utility>

#include "frontend/sema/program/exit_flags.h"
#include "frontend/sema/program/loop_attempt.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

void Lowerer::LoopAttempt::append() {
  const ValueId trips = append_loop();
  poison_changed_functions();
  if (is_for_) bind_variable_after(trips);
}

/// Returns how many trips it made.
ValueId Lowerer::LoopAttempt::append_loop() {
  Op op;
  op.kind = OpKind::loop;
  op.attribute = plan_.info;
  op.operands = {limit_, enters_};
  op.blocks = {body_};
  const ValueId trips = builder_.new_value(Type::scalar(Element::integer), "");
  op.results = {trips};
  const SymbolId symbol = symbol_of(emit_.graph, trips);
  emit_.graph.symbols[symbol].lower = 0;
  if (is_for_) emit_.facts.at_most(symbol, plan_.limit);
  l_.frame_->env = before_;
  for (const char* flag : exit_flags) l_.frame_->env.erase(flag);
  for (const std::string& name : own_names_)  // of other elements than before
    if (const auto found = l_.frame_->env.find(name); found != l_.frame_->env.end() && found->second.is_aggregate())
      l_.frame_->env[name] = without_given(found->second);
  std::vector<ValueId> yields = {going_on_};
  for (CarriedValue& value : values_) tie(value, op, yields);
  emit_.graph.blocks[body_].yields = std::move(yields);
  builder_.append(std::move(op));
  return trips;
}

void Lowerer::LoopAttempt::tie(CarriedValue& value, Op& op, std::vector<ValueId>& yields) {
  const auto found = after_.find(value.name);
  ValueId end;
  if (found != after_.end()) end = found->second.value;
  else if (value.name == error_text)
    emit_.inside(body_, [&] { end = builder_.fill(builder_.constant(0, Element::integer), 1, 0); });
  for (int axis = 0; axis < 2; ++axis) {
    if (!value.extent_arguments[axis]) continue;
    op.operands.push_back(builder_.size(extent(emit_.type(value.init), axis)));
    emit_.inside(body_, [&] { yields.push_back(builder_.size(extent(emit_.type(end), axis))); });
    op.results.push_back(builder_.new_value(Type::scalar(Element::integer), ""));
    const SymbolId symbol = symbol_of(emit_.graph, op.results.back());
    emit_.graph.symbols[symbol].lower = value.least[axis];
    extent(value.type, axis) = Size::symbol(symbol);
  }
  emit_.inside(body_, [&] {
    if (!end) end = builder_.constant(0, Element::logical);  // a flag that is never set on this path
    if (value.type.storage == Storage::csr) end = to_csr(emit_, end);
    yields.push_back(builder_.convert(end, value.type.element));
  });
  const bool maybe_mask = value.type.element != Element::logical && end && !value.name.starts_with("#") &&
                          (may_be_mask(emit_, end) || value.maybe_mask);
  op.operands.push_back(value.init);
  op.results.push_back(builder_.new_value(value.type, value.name.starts_with("#") ? "" : value_name(value.name)));
  const bool ends_empty = found != after_.end() && may_be_nothing(emit_, found->second);
  if (value.maybe_nothing || ends_empty) emit_.facts.maybe_nothing.insert_or_assign(op.results.back(), true);
  if (maybe_mask) emit_.facts.maybe_masks.insert_or_assign(op.results.back(), true);
  bound_counter(value, op.results.back());
  Binding binding = value.form.with_value(op.results.back());
  if (value.defined_init) {
    const ValueId defined = after_.at(value.name).defined;
    emit_.inside(body_, [&] { yields.push_back(defined ? defined : builder_.constant(1, Element::logical)); });
    op.operands.push_back(value.defined_init);
    op.results.push_back(builder_.new_value(Type::scalar(Element::logical), ""));
    const bool certainly = !defined && certainly_enters() && !emit_.errors;
    if (!certainly) binding.defined = op.results.back();
  }
  const auto before = before_.find(value.name);
  const bool kept = found != after_.end() && found->second.value == value.argument && !value.defined_init &&
                    before != before_.end() && before->second.value == value.init;
  l_.frame_->env[value.name] = kept ? before->second : binding;  // carried in vain, as functions might have changed it
}

// Names of the loop alone keep no meaning after it; functions must not have changed.
void Lowerer::LoopAttempt::poison_changed_functions() {
  for (const std::string& name : own_names_) {
    const auto end = after_.find(name);
    if (end == after_.end() || before_.count(name) == 0) continue;
    if (end->second.is_leaf() || end->second.same_as(before_.at(name))) continue;
    Binding bad;
    bad.poison = "'" + name + "' is a function that changes in the loop at line " +
                 std::to_string(emit_.sources.begin(plan_.span).line);
    l_.frame_->env[name] = bad;
  }
}

// The variable keeps its last value; without a trip it is empty.
void Lowerer::LoopAttempt::bind_variable_after(ValueId trips) {
  const std::string& name = plan_.variable_name();
  const Size count = Size::symbol(symbol_of(emit_.graph, trips));
  if (plan_.first_trip > 0) {
    if (!variable_is_carried_) l_.assign_name(name, plan_.element(count + (plan_.first_trip - 1)));
    return;
  }
  if (plan_.of_complex) {
    if (emit_.facts.nonnegative(emit_.graph, plan_.limit - 1)) l_.assign_name(name, plan_.element(count - 1));
    else if (l_.read_outside(name, *plan_.body))
      emit_.fail(plan_.span, "'" + name +
                                 "' is read after this loop over complex columns, which may make no trip: copy "
                                 "it to another variable in the loop");
    return;
  }
  if (variable_is_carried_ &&
      (l_.frame_->env.count(name) == 0 || !l_.frame_->env[name].has_class_of(l_.without_trips(plan_))))
    return;
  const Binding none = l_.without_trips(plan_);
  const auto last = [&] { return variable_is_carried_ ? l_.frame_->env[name].value : plan_.element(count - 1).value; };
  if (emit_.facts.nonnegative(emit_.graph, plan_.limit - 1)) {
    l_.assign_name(name, variable_is_carried_ ? none.with_value(last()) : plan_.element(count - 1));
  } else if (l_.read_outside(name, *plan_.body)) {
    const ValueId some = builder_.map(ScalarOp::gt, trips, builder_.constant(0, Element::integer));
    l_.assign_name(name, none.with_value(branch_value(emit_, some, last, [&] { return none.value; })));
  } else if (variable_is_carried_) {
    l_.assign_name(name, none.with_value(last()));
  } else {  // nothing reads it: only its type is of use, and there may be no last element
    const Size rows = plan_.columns ? emit_.type(plan_.columns).rows : Size(1);
    l_.assign_name(name, none.with_value(builder_.fill(builder_.constant(0, emit_.type(none.value).element), rows, 1)));
  }
}

}  // namespace lac::frontend
