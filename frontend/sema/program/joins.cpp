// What a branch does to the variables: each that its arms leave different becomes a result.
#include <algorithm>
#include <array>

#include "frontend/sema/complex/complex.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/exit_flags.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

bool is_hidden(const std::string& name) { return name.starts_with("#") || is_shared(name); }
bool is_flag(const std::string& name) { return name.starts_with("#") && name != truth_name; }
bool is_poisoned(const Binding* binding) { return binding && binding->kind == Binding::Kind::poisoned; }

Binding poisoned(std::string why) {
  Binding bad;
  bad.poison = std::move(why);
  return bad;
}

std::string shown_name(const std::string& name) {
  return is_map_contents(name) ? "what a containers.Map holds" : "'" + name + "'";
}

/// What the program calls a variable: `z` for the part `z.re` of a complex one.
std::string written_variable(const Environment& env, const std::string& name) {
  const std::string owner = name.substr(0, name.rfind('.'));
  const auto found = env.find(owner);
  return found != env.end() && found->second.is_complex() ? owner : name;
}

/// One variable behind the arms; nothing where an arm does not have it.
using InArms = std::array<const Binding*, 2>;

bool is_known(const Binding& value) { return (value.is_record() || value.is_cell()) && !value.aggregate->stacked; }

bool holds_nothing(const Slot& field) {
  bool nothing = true;
  for_each_leaf(field.items.front(), "", [&](const std::string&, const Binding&) { nothing = false; });
  return nothing;
}

/// The form of both: a struct has the fields of either, and what cells hold is of one form. Nothing where they differ
/// in more than that.
std::optional<Binding> form_of_both(const Binding& a, const Binding& b) {
  if (same_form(a, b)) return a;
  if (a.kind != b.kind || !is_known(a) || !is_known(b)) return std::nullopt;
  const Aggregate &x = *a.aggregate, &y = *b.aggregate;
  if (x.rows != y.rows || x.cols != y.cols || (a.is_record() && x.count() != 1)) return std::nullopt;
  Aggregate both = x;
  const auto one_sided = [](Slot& slot) {
    if (slot.items.front().is_aggregate()) slot.presence = std::max(slot.presence, Presence::by_contents);
  };
  for (Slot& slot : both.slots)
    if (!y.find(slot.name)) one_sided(slot);
  for (const Slot& slot : y.slots) {
    const auto own = std::ranges::find(both.slots, slot.name, &Slot::name);
    if (own == both.slots.end()) {
      one_sided(both.slots.emplace_back(slot));
      continue;
    }
    const auto [certain, other] = std::ranges::minmax(*own, slot, {}, &Slot::presence);
    const bool hidden = certain.presence != other.presence && holds_nothing(certain);
    own->presence = hidden ? Presence::unknown : other.presence;
    for (std::size_t k = 0; k < slot.items.size(); ++k) {
      const auto item = form_of_both(own->items[k], slot.items[k]);
      if (!item) return std::nullopt;
      own->items[k] = *item;
    }
  }
  return Binding::of(a.kind, std::move(both));
}

/// "of class int8 or double (line 3): give it one class": numbers of two classes, or values of two kinds.
std::string kinds_text(const InArms& in, const std::string& at) {
  const auto word = [](const Binding& value) {
    return value.is_integer() ? std::string(info(value.integer_class).name) : "double";
  };
  const bool numbers =
      std::ranges::all_of(in, [](const Binding* each) { return each && (each->is_integer() || each->is_matrix()); });
  if (!numbers) return "of different kinds" + at + ": give it one value before the branch";
  return "of class " + word(*in[0]) + " or " + word(*in[1]) + at + ": convert it to one class in both";
}

/// "'s.f' is a 1x2 cell array in one branch and a 1x1 cell array": where both are called the same, of the part of them
/// that differs.
std::string forms_text(const std::string& name, const Binding& a, const Binding& b) {
  const auto text = [](const Binding& form) { return form.is_compound() ? form_text(form) : "matrix or a string"; };
  const std::string both = shown_name(name) + " is a " + text(a) + " in one branch and a " + text(b);
  if (text(a) != text(b) || a.kind != b.kind || !is_known(a) || !is_known(b)) return both;
  for (const Slot& slot : a.aggregate->slots) {
    const Slot* other = b.aggregate->find(slot.name);
    if (!other || other->items.size() != slot.items.size()) continue;
    for (std::size_t k = 0; k < slot.items.size(); ++k) {
      if (form_of_both(slot.items[k], other->items[k])) continue;
      const std::string part = a.is_record() ? "." + slot.name : "{" + std::to_string(k + 1) + "}";
      return forms_text(name + part, slot.items[k], other->items[k]);
    }
  }
  return both;
}

// What needs no result: the same in both arms, or nothing that one result could be.
std::optional<Binding> without_result(const std::string& name, const InArms& in, const std::string& line) {
  if (in[0] && in[1] && in[0]->same_as(*in[1])) {
    const bool is_one = !in[0]->is_compound() || in[0]->aggregate == in[1]->aggregate;
    return is_one ? *in[0] : without_given(*in[0]);
  }
  if (is_poisoned(in[0])) return *in[0];
  if (is_poisoned(in[1])) return *in[1];
  const Binding& either = in[0] ? *in[0] : *in[1];
  const bool alike = !in[0] || !in[1] || in[0]->has_class_of(*in[1]);
  if (alike && either.is_compound()) {  // of which the form alone is here
    if (!in[0] || !in[1]) return without_given(either);
    if (const auto both = form_of_both(*in[0], *in[1])) return without_given(*both);
    return poisoned(forms_text(name, *in[0], *in[1]) + " in the other (line " + line +
                    "): give it one form before the branch");
  }
  if (alike && either.is_leaf()) return std::nullopt;
  const std::string at = " in the branches at line " + line;
  if (alike && either.is_function())
    return poisoned(shown_name(name) + " is one function or another" + at +
                    ": which one must be known when compiling; decide inside of it, as in @(x) merge(c, g(x), h(x))");
  if (alike && either.is_map())
    return poisoned(shown_name(name) + " is one containers.Map or another" + at +
                    ": make it before the branch, and store in it there");
  Binding bad = poisoned(shown_name(name) + " is " + kinds_text(in, at));
  bad.of_two_kinds = true;
  return bad;
}

/// The variables behind a branch.
class Join {
 public:
  /// `tells`: whether doubles that become single are warned of.
  Join(Emitter& e, ValueId condition, const std::array<BlockId, 2>& blocks, std::string line, bool tells)
      : e_(e), blocks_(blocks), line_(std::move(line)), tells_(tells), arms_(e, condition, blocks[0], blocks[1]) {}

  /// `before` with what the arms changed.
  Environment run(const Environment& before, const std::array<Environment, 2>& after) {
    Environment result = before;
    std::set<std::string> names;
    Environment::for_each_difference(after[0], after[1], [&](const std::string& name) { names.insert(name); });
    for (const std::string& name : names) {
      InArms in = {};
      for (std::size_t i = 0; i < 2; ++i)
        if (const auto found = after[i].find(name); found != after[i].end()) in[i] = &found->second;
      if (const auto known = without_result(name, in, line_)) result[name] = visible(name, *known);
      else if (const auto conflict = settle(name, in, after[0])) result[name] = *conflict;
      settle_given(name, in);
    }
    for (Variable& variable : variables_) result[variable.name] = finish(variable);
    for (Given& given : given_)
      result[given.name].given = given.place ? arms_.finish(*given.place, "").value : ValueId{};
    arms_.append();
    return result;
  }

 private:
  struct Variable {
    std::string name;
    Binding form;  ///< a leaf of its class
    Arms::Place place;
    bool maybe_nothing;  ///< "" behind an arm
    std::string shown;   ///< what it is in messages; empty: nothing that a program wrote
  };

  struct Given {
    std::string name;
    std::optional<Arms::Place> place;
  };

  /// The extents in the form of an array must be those of values from before the branch.
  Binding visible(const std::string& name, const Binding& known) const {
    if (!known.is_array()) return known;
    for (const Size& extent : known.aggregate->lead)
      if (!arms_.visible_behind(extent))
        return poisoned("the extents of the array '" + name + "' are found in a branch (line " + line_ +
                        "): make the array before the branch");
    return known;
  }

  /// The poisoned variable where no type holds both values.
  std::optional<Binding> settle(const std::string& name, const InArms& in, const Environment& after) {
    const Binding& either = in[0] ? *in[0] : *in[1];
    ArmValue left[2];
    for (std::size_t i = 0; i < 2; ++i)
      e_.inside(blocks_[i], [&] {
        if (in[i]) left[i] = {either.is_text() ? codes(e_, *in[i]) : in[i]->value, in[i]->defined};
        else if (root_of(name) == chosen_element)  // of another kind: what stands for it has the class of this one
          left[i] = {e_.builder.constant(0, either.is_text() ? Element::integer : e_.type(either.value).element)};
        else if (is_flag(name)) left[i] = {e_.builder.constant(0, Element::logical)};  // never raised
      });
    std::optional<Arms::Place> place = arms_.settle(left);
    if (!place) {
      const bool sparse_first = e_.type(left[0].value).is_sparse();
      return poisoned(shown_name(written_variable(after, name)) + " is " + (sparse_first ? "sparse" : "full") +
                      " in one branch and " + (sparse_first ? "full" : "sparse") + " in the other (line " + line_ +
                      "): make it full(x) or sparse(x) in both");
    }
    const auto is_nothing = [&](const Binding* one) { return one && may_be_nothing(e_, *one); };
    variables_.push_back({name, either, *std::move(place), std::ranges::any_of(in, is_nothing),
                          name == chosen_element ? "the element that is chosen"
                          : is_hidden(name)      ? ""
                                                 : "'" + written_variable(after, name) + "'"});
    return std::nullopt;
  }

  /// An element that was given on one path may not have been on another.
  void settle_given(const std::string& name, const InArms& in) {
    const auto of = [&](std::size_t i) { return in[i] ? in[i]->given : ValueId{}; };
    if (of(0) == of(1)) return;
    ArmValue left[2];
    for (std::size_t i = 0; i < 2; ++i)
      e_.inside(blocks_[i], [&] { left[i].value = of(i) ? of(i) : e_.builder.constant(1, Element::logical); });
    given_.push_back({name, arms_.settle(left)});
  }

  void tell_rounding(const Variable& variable) {
    if (!tells_ || variable.place.type.element != Element::single || variable.shown.empty()) return;
    for (int arm = 0; arm < 2; ++arm)
      e_.inside(blocks_[arm], [&] { warn_of_rounding(e_, variable.place.values[arm], variable.shown); });
  }

  Binding finish(Variable& variable) {
    tell_rounding(variable);
    const std::string name = is_hidden(variable.name) ? "" : value_name(variable.name);
    const ArmValue behind = arms_.finish(variable.place, name, variable.form.is_text());
    if (variable.maybe_nothing) e_.facts.maybe_nothing.insert_or_assign(behind.value, true);
    Binding binding = variable.form.with_value(behind.value);
    binding.defined = behind.defined;
    return binding;
  }

  Emitter& e_;
  const std::array<BlockId, 2> blocks_;
  const std::string line_;
  const bool tells_;
  Arms arms_;
  std::vector<Variable> variables_;
  std::vector<Given> given_;
};

}  // namespace

void Lowerer::branch(ValueId condition, const std::function<void()>& then_arm, const std::function<void()>& else_arm,
                     Span span) {
  if (const auto known = emit_.constant_of(condition)) return *known != 0 ? then_arm() : else_arm();
  const Environment before = frame_->env;
  const std::function<void()>* bodies[2] = {&then_arm, &else_arm};
  std::array<BlockId, 2> blocks;
  std::array<Environment, 2> after;
  for (std::size_t i = 0; i < 2; ++i) {
    frame_->env = before;
    blocks[i] = emit_.builder.new_block();
    emit_.inside(blocks[i], [&] { emit_.reachable([&] { catching(*bodies[i], span); }); });
    after[i] = std::move(frame_->env);
  }
  emit_.at(span);
  stack_in_both(after, blocks);
  widen_in_both(after, blocks);
  vary_in_both(after, blocks);
  frame_->env = joined(condition, blocks, before, after, span);
  pass_on_error();
}

bool Lowerer::of_library(Span span) const {
  const std::string& file = emit_.sources.file(span.file).name;
  return file.starts_with("library/") || file.starts_with("solvers/");
}

Environment Lowerer::joined(ValueId condition, const std::array<BlockId, 2>& blocks, const Environment& before,
                            const std::array<Environment, 2>& after, Span span) {
  const bool tells = !in_loop() && !of_library(span);
  return Join(emit_, condition, blocks, std::to_string(emit_.sources.begin(span).line), tells).run(before, after);
}

// A variable that is complex behind one arm is so behind both.
void Lowerer::widen_in_both(std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks) {
  std::set<std::string> names;
  Environment::for_each_difference(after[0], after[1], [&](const std::string& name) { names.insert(root_of(name)); });
  for (const std::string& name : names) {
    if (after[0].count(name) == 0 || after[1].count(name) == 0) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      const Binding here = whole(after[i], name), other = whole(after[1 - i], name);
      if (!other.is_compound()) continue;
      emit_.inside(blocks[i], [&] {
        const Binding wide = widened_like(emit_, here, other);
        if (wide.aggregate != here.aggregate) put(after[i], name, wide);
      });
    }
  }
}

ValueId Lowerer::branch_truth(ValueId condition, const std::function<ValueId()>& then_arm,
                              const std::function<ValueId()>& else_arm) {
  branch(
      condition, [&] { frame_->env[truth_name] = Binding::matrix(then_arm()); },
      [&] { frame_->env[truth_name] = Binding::matrix(else_arm()); }, emit_.place());
  const auto found = frame_->env.find(truth_name);
  if (found == frame_->env.end()) throw Unreachable{};  // both arms stop the program
  const ValueId result = found->second.value;
  frame_->env.erase(truth_name);
  return result;
}

}  // namespace lac::frontend
