// Functions that call themselves, perhaps through others. As deep as the text tells a call is written out like any
// other. Where the run decides how deep, the functions become a loop with stacks (sema/recursion), and what has no such
// form is written out to a few levels, behind which the run ends with a message.
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/recursion/cycle.h"
#include "frontend/sema/recursion/stack_machine.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {
namespace {

/// Levels that are written out: each call in the text doubles what they make.
std::ptrdiff_t most_written_out(const ast::Function& function) {
  const std::map<std::string, int> reads = read_counts(function.body);
  const auto calls = reads.find(function.name.text);
  return calls == reads.end() || calls->second > 2 ? 7 : calls->second == 2 ? 11 : 64;
}

/// Levels from which on a loop is better.
constexpr std::ptrdiff_t most_tried = 1;

/// Statements in one call, with all that it makes, from which on a loop is better although the text tells how deep it
/// is: a small part of what a program may have.
constexpr std::size_t most_statements_of_a_call = 20'000;

/// What is known of arguments: kinds, types and values.
std::string arguments_text(const Emitter& e, const std::vector<Binding>& args) {
  std::string text;
  for (const Binding& arg : args) {
    text += ";" + form_text(arg);
    for_each_leaf(arg, "", [&](const std::string& path, const Binding& leaf) {
      text += path + ":";
      if (leaf.is_known_text()) text += "'" + leaf.text + "'";
      if (!leaf.value) return;
      text += e.graph.text(e.type(leaf.value));
      if (const auto known = e.constant_of(leaf.value)) text += "=" + std::to_string(*known);
    });
  }
  return text;
}

}  // namespace

struct Lowerer::Recursive {
  bool is_cycle = false;
  /// By the parameters that are a containers.Map, and the numbers that wait.
  std::map<std::pair<std::set<std::string>, NumberClasses>, std::unique_ptr<const StackMachine>> machines;
  std::set<std::string> deep;  ///< the arguments, as told by arguments_text, with which the run decides how deep it is
  std::string why;             ///< while it is written out although the run decides: what stands in the way of a loop
  std::size_t begun = 0;       ///< how many statements were lowered before the outermost call
};

Lowerer::Recursive& Lowerer::recursion_of(const ast::Function& function) {
  std::shared_ptr<Recursive>& known = recursions_[&function];
  if (!known) {
    known = std::make_shared<Recursive>();
    known->is_cycle = call_graph_.reached_from(function).count(&function) != 0;
  }
  return *known;
}

std::vector<Binding> Lowerer::call_recursive(const ast::Function& function, std::vector<Binding> args, int nargout,
                                             Span span) {
  Recursive& recursion = recursion_of(function);
  const bool inner = std::ranges::any_of(stack_, [&](const Frame* each) { return each->body == &function.body; });
  if (!recursion.is_cycle || inner) return call_once(function, std::move(args), nargout, span);
  const Snapshot before = save();
  const std::string known = arguments_text(emit_, args);
  recursion.begun = statements_lowered_;
  try {
    if (recursion.deep.count(known) == 0) return call_once(function, args, nargout, span);
  } catch (const DeepAsTheRunDecides& found) {
    if (found.function != &function) throw;
    recursion.deep.insert(known);
    restore(before);
  }
  std::vector<Diagnostic> complaints;
  if (auto results = call_stack_machine(function, args, nargout, span, complaints)) return *std::move(results);
  restore(before);
  return call_written_out(function, args, nargout, span, complaints);
}

// Nothing where there is no such form, or it has errors. What waits is known once the loop is lowered; where all of it
// are single numbers it is lowered again, for these cost a store.
std::optional<std::vector<Binding>> Lowerer::call_stack_machine(const ast::Function& function,
                                                                const std::vector<Binding>& args, int nargout,
                                                                Span span, std::vector<Diagnostic>& complaints) {
  const StackMachine* machine = stack_machine(function, args, {});
  if (!machine) return std::nullopt;
  const Snapshot before = save();
  const std::size_t reported = emit_.diagnostics.items().size(), errors = emit_.diagnostics.error_count();
  try {
    NumberClasses numbers;
    std::vector<Binding> results = call_once(machine->function, args, nargout, span, machine, &numbers);
    if (!numbers.empty()) {
      restore(before);
      machine = stack_machine(function, args, numbers);
      results = call_once(machine->function, args, nargout, span, machine);
    }
    if (emit_.diagnostics.error_count() == errors) return results;
  } catch (const LowerError&) {
  } catch (const TooLarge&) {
  }
  const auto& items = emit_.diagnostics.items();
  std::copy_if(items.begin() + static_cast<std::ptrdiff_t>(reported), items.end(), std::back_inserter(complaints),
               [](const Diagnostic& each) { return each.severity == Severity::error; });
  return std::nullopt;
}

std::string Lowerer::written_name(const std::string& name) const {
  if (!frame_->machine) return name;
  const auto found = frame_->machine->written.find(name);
  return found == frame_->machine->written.end() ? name : found->second;
}

// None where some of them are more than a number.
NumberClasses Lowerer::numbers_that_wait(const StackMachine& machine) const {
  NumberClasses numbers;
  for (const auto& [name, stack] : machine.stacks) {
    const Binding cells = whole(frame_->env, stack);
    if (!cells.is_cell() || !cells.aggregate->stacked) return {};
    const SlotForm form = slot_form(emit_, cells.aggregate->slots.front());
    const bool single = !form.vacant && !form.ragged && form.rows == 1 && form.cols == 1;
    if (!single || (form.row.kind != Binding::Kind::matrix && form.row.kind != Binding::Kind::integer)) return {};
    const bool of_class = form.row.kind == Binding::Kind::integer;
    numbers[name] = of_class                               ? std::string(info(form.row.integer_class).name)
                    : form.row.element == Element::logical ? "logical"
                                                           : "double";
  }
  return numbers;
}

// Where that is no good either, what was said of the loop says more.
std::vector<Binding> Lowerer::call_written_out(const ast::Function& function, const std::vector<Binding>& args,
                                               int nargout, Span span, const std::vector<Diagnostic>& complaints) {
  Recursive& recursion = recursion_of(function);
  if (!complaints.empty()) recursion.why = complaints.front().message;
  if (recursion.why.empty()) recursion.why = "it cannot be written as a loop";
  struct Reset {
    std::string& why;
    ~Reset() { why.clear(); }
  } const reset{recursion.why};
  if (complaints.empty()) return call_once(function, args, nargout, span);
  const Snapshot before = save();
  const std::size_t errors = emit_.diagnostics.error_count();
  try {
    std::vector<Binding> results = call_once(function, args, nargout, span);
    if (emit_.diagnostics.error_count() == errors) return results;
  } catch (const LowerError&) {
  } catch (const TooLarge&) {
  }
  restore(before);
  for (const Diagnostic& each : complaints) emit_.diagnostics.add(each);
  throw LowerError{};
}

// Null where there is none; then `why` tells.
const StackMachine* Lowerer::stack_machine(const ast::Function& function, const std::vector<Binding>& args,
                                           const NumberClasses& numbers) {
  Recursive& recursion = recursion_of(function);
  std::set<std::string> maps;
  for (std::size_t i = 0; i < std::min(args.size(), function.params.size()); ++i)
    if (args[i].is_map()) maps.insert(function.params[i].name.text);
  std::unique_ptr<const StackMachine>& machine = recursion.machines[{maps, numbers}];
  if (machine) return machine.get();
  try {
    machine = std::make_unique<const StackMachine>(as_stack_machine(cycle_of(function, call_graph_, maps), numbers));
  } catch (const NoFlow& none) {
    recursion.why = none.why + " at line " + std::to_string(emit_.sources.begin(none.span).line);
  }
  return machine.get();
}

void Lowerer::limit_recursion(const ast::Function& function, Span span) {
  std::ptrdiff_t depth = 0, by_the_run = 0;
  int arms = -1;
  for (const Frame* active : stack_) {
    if (active->body != &function.body) continue;
    ++depth;
    if (arms >= 0 && active->arms > arms) ++by_the_run;
    arms = active->arms;
  }
  if (depth == 0) return;
  if (emit_.arms() > arms) ++by_the_run;
  const std::string& name = function.name.text;
  const Recursive& recursion = recursion_of(function);
  const bool may_become_loop = recursion.is_cycle && recursion.why.empty();
  const bool is_long = statements_lowered_ - recursion.begun > most_statements_of_a_call;
  if ((by_the_run > most_tried || is_long) && may_become_loop) throw DeepAsTheRunDecides{&function};
  if (by_the_run > most_written_out(function)) {
    emit_.at(span);
    emit_.refuse_unless(emit_.builder.constant(0, Element::logical),
                        "recursion of more than " + std::to_string(by_the_run - 1) +
                            " levels that the run decides is outside the language here: '" + name +
                            "': " + (recursion.is_cycle ? recursion.why : "calls through handles"));
    throw Unreachable{};
  }
  if (depth < most_recursion) return;
  if (may_become_loop) throw DeepAsTheRunDecides{&function};
  emit_.fail(span, "max_recursion_depth exceeded: " + name + " calls itself " + std::to_string(depth) +
                       " times in each other");
}

}  // namespace lac::frontend
