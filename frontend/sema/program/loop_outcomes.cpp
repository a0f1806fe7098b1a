// What was found of loops. A loop in a loop is lowered in every attempt to lower that one, a loop in a function in
// every call: without this the attempts of nested loops would multiply.
#include <bit>
#include <cstdint>

#include "frontend/sema/program/loop.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {

namespace {

/// Which function it is; one that has captured values is like no other.
std::string function_text(const Closure& closure) {
  const auto address = [](const void* place) { return std::to_string(reinterpret_cast<std::uintptr_t>(place)); };
  std::string text = "@" + closure.name + address(closure.anonymous);
  bool captures = false;
  closure.captured.for_each([&](const std::string&, const Binding&) { captures = true; });
  if (captures) text += "/" + address(&closure);
  return text;
}

/// All digits of it.
std::string exact_text(double number) { return std::to_string(std::bit_cast<std::uint64_t>(number)); }

/// Where a loop stands, and the calls that led there: another call may pass what no type tells.
std::string calls_text(const Graph& graph, LocationId place) {
  std::string text;
  for (; place; place = graph.locations[place].caller) {
    const Span& span = graph.locations[place].span;
    text += std::to_string(span.file.index) + ":" + std::to_string(span.begin) + ":";
  }
  return text;
}

}  // namespace

// What the types of a loop hang on: where it stands, what it goes over and, of the variables in it, kinds, types and
// values that are known. Extents are told by which are the same, not by their symbols: these are other ones in each
// attempt. An attempt only sees that types are wide enough, so entries that read alike must mean the same.
std::string Lowerer::entry_of(const LoopPlan& plan) {
  std::map<SymbolId, std::size_t> symbols;
  const auto name_of = [&](SymbolId id) {
    return std::to_string(symbols.try_emplace(id, symbols.size()).first->second);
  };
  const auto type_text = [&](ValueId value) { return to_string(emit_.type(value), name_of); };
  std::string text = calls_text(emit_.graph, emit_.locate(plan.span)) + std::to_string(plan.first_trip) +
                     (plan.stays_a_loop ? "L" : "") + "(" + std::to_string(frame_->nargin) + "," +
                     std::to_string(frame_->nargout) + ")";
  const auto size_text = [&](const Size& size) {
    return size.is_constant() ? to_string(size, name_of) + "," : std::string("?");
  };
  if (plan.is_for()) text += size_text(plan.limit);
  if (plan.range) text += "R" + size_text(plan.range->first) + size_text(plan.range->step);
  if (plan.columns) text += type_text(plan.columns) + (plan.of_complex ? "i" : "");
  text += std::to_string(static_cast<int>(plan.integer_class));
  std::set<std::string> names = assigned_names(*plan.body);
  for (const auto& [name, count] : reads_in(*plan.body)) names.insert(name);
  if (plan.condition) assigned_names(*plan.condition, names);
  if (plan.condition) read_names(*plan.condition, names);
  frame_->env.for_each([&](const std::string& name, const Binding& value) {
    const bool hidden = name.starts_with("#") || is_shared(name);
    if (!hidden && names.count(root_of(name)) == 0) return;
    text += ";" + name + "=" + std::to_string(static_cast<int>(value.kind));
    if (value.is_compound()) text += form_text(value);
    if (value.is_known_text()) text += "'" + value.text + "'";
    if (value.function) text += function_text(*value.function);
    if (value.is_integer()) text += std::to_string(static_cast<int>(value.integer_class));
    if (value.defined) text += "?";
    if (!value.value) return;
    text += type_text(value.value);
    if (const auto known = emit_.constant_of(value.value)) text += "=" + exact_text(*known);
  });
  return text;
}

std::shared_ptr<const Lowerer::LoopOutcome> Lowerer::known_outcome(const std::string& entry) const {
  const auto found = loop_outcomes_.find(entry);
  return found == loop_outcomes_.end() ? nullptr : found->second;
}

// Types of variables that the loop is the first to assign may name extents of this attempt: these are not kept.
void Lowerer::keep_outcome(const std::string& entry, LoopOutcome outcome) {
  for (const auto& [name, carried] : outcome.types)
    if (carried.late && (!carried.late->type.rows.is_constant() || !carried.late->type.cols.is_constant())) return;
  loop_outcomes_.insert_or_assign(entry, std::make_shared<const LoopOutcome>(std::move(outcome)));
}

}  // namespace lac::frontend
