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
  const void* const place = closure.anonymous != nullptr ? static_cast<const void*>(closure.anonymous) : nullptr;
  std::string text = "@" + closure.name + std::to_string(reinterpret_cast<std::uintptr_t>(place));
  bool captures = false;
  closure.captured.for_each([&](const std::string&, const Binding&) { captures = true; });
  if (captures) text += "/" + std::to_string(reinterpret_cast<std::uintptr_t>(&closure));
  return text;
}

/// All digits of it.
std::string exact_text(double number) { return std::to_string(std::bit_cast<std::uint64_t>(number)); }

}  // namespace

// What the types of a loop hang on: where it stands and, of the variables in it, kinds, types and values that are
// known. Extents are told by which are the same, not by their symbols: these are other ones in each attempt. Two
// entries may read alike and differ in more; the outcome is tried like any other then.
std::string Lowerer::entry_of(const LoopPlan& plan) {
  std::map<SymbolId, std::size_t> symbols;
  const auto name_of = [&](SymbolId id) {
    return std::to_string(symbols.try_emplace(id, symbols.size()).first->second);
  };
  const auto type_text = [&](ValueId value) { return to_string(emit_.type(value), name_of); };
  std::string text = std::to_string(plan.span.file.index) + ":" + std::to_string(plan.span.begin) + ":" +
                     std::to_string(plan.first_trip) + (plan.stays_a_loop ? "L" : "") + (plan.range ? "R" : "") + "(" +
                     std::to_string(frame_->nargin) + "," + std::to_string(frame_->nargout) + ")";
  if (plan.is_for()) text += plan.limit.is_constant() ? to_string(plan.limit, name_of) : "?";
  if (plan.columns) text += type_text(plan.columns);
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
