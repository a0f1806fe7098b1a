#include "codegen/glsl/program/loop.h"

#include <algorithm>
#include <string>
#include <utility>

#include "codegen/glsl/program/loop_writer.h"
#include "codegen/glsl/text/literal.h"
#include "codegen/glsl/text/stage_print.h"
#include "codegen/glsl/text/stage_writer.h"
#include "ir/kernel/growth.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

std::string number(std::size_t n) { return std::to_string(n); }

}  // namespace

// -- memory -----------------------------------------------------------------------------------------------------------

/// Results that take over a buffer, and views, are in the memory of what they took it from; what grows has no room
/// there.
void LoopWriter::find_memory() {
  inside_.insert(body_.arguments.begin(), body_.arguments.end());
  for (OpId id : body_.ops) {
    const Op& op = plan_.ops[id];
    inside_.insert(op.results.begin(), op.results.end());
    if (is_growth(plan_, op)) continue;
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const std::int32_t reused = op.kind == OpKind::reshape ? 0 : taken_over(op, r);
      if (reused >= 0) memory_[op.results[r]] = memory(op.operands[static_cast<std::size_t>(reused)]);
    }
  }
}

ValueId LoopWriter::memory(ValueId value) const {
  const auto found = memory_.find(value);
  return found == memory_.end() ? value : found->second;
}

std::uint32_t LoopWriter::index_of(ValueId value) {
  auto& values = shader_.values;
  const auto found = std::find(values.begin(), values.end(), value);
  if (found != values.end()) return static_cast<std::uint32_t>(found - values.begin());
  values.push_back(value);
  return static_cast<std::uint32_t>(values.size() - 1);
}

std::string LoopWriter::unit(ResourceKind kind, std::uint32_t index, const std::string& type, bool written) {
  for (auto& [name, unit] : units_) {
    if (unit.kind != kind || unit.index != index) continue;
    if (unit.type != type) throw NoLoopShader();
    unit.written |= written;
    return reference(name);
  }
  const std::string name = kind == ResourceKind::scalars ? "scalars" : "lac_memory_" + number(units_.size());
  units_.push_back({name, {kind, index, type, written}});
  return reference(name);
}

std::string LoopWriter::values_unit(ValueId value, const std::string& type, bool written) {
  if (plan_.values[value].layout != Layout::buffer) throw NoLoopShader();
  if (inside(value))
    for_each_value_in(plan_, this->type(value), [&](ValueId size) {
      if (inside(size)) throw NoLoopShader();
    });
  return unit(ResourceKind::values, index_of(memory(value)), type, written);
}

std::string LoopWriter::parameter(ShaderParameter wanted, const std::string& name) {
  for (const ShaderParameter& known : parameters_)
    if (known.kind == wanted.kind && known.index == wanted.index && known.size == wanted.size &&
        known.type == wanted.type)
      return known.name;
  wanted.name = "lac_" + name + "_" + number(parameters_.size());
  parameters_.push_back(wanted);
  return wanted.name;
}

std::string LoopWriter::slot(ValueId value) {
  ShaderParameter wanted;
  wanted.kind = ParameterKind::scalar_input;
  wanted.index = index_of(value);
  return parameter(wanted, "slot");
}

void LoopWriter::no_inner_size(const Size& size) {
  if (has_inner_value(size)) throw NoLoopShader();
}

// -- ops --------------------------------------------------------------------------------------------------------------

void LoopWriter::op(OpId id) {
  const Op& op = plan_.ops[id];
  switch (op.kind) {
    case OpKind::release: return;
    case OpKind::reshape:
      if (type(op.results[0]).is_scalar() != type(op.operands[0]).is_scalar()) throw NoLoopShader();
      return;
    case OpKind::constant:
    case OpKind::size:
    case OpKind::convert:
    case OpKind::map: return host_scalar(op);
    case OpKind::launch: return launch(id);
    default: throw NoLoopShader();
  }
}

std::string LoopWriter::declare_host(ValueId value) {
  const Element element = type(value).element;
  float64_ |= register_type(element) == "double";
  std::string name = "lac_host_" + number(value.index);
  globals_.push_back({name, std::string(register_type(element)) + " " + name + ";"});
  host_[value] = {name, element};
  return name;
}

void LoopWriter::host_scalar(const Op& op) {
  const ValueId result = op.results[0];
  const Element element = type(result).element;
  std::string value;
  if (op.kind == OpKind::constant) {
    host_[result] = {literal_text(attribute<double>(op), element), element};
    return;
  }
  std::vector<TypedText> operands;
  for (ValueId operand : op.operands) operands.push_back(host(operand));
  if (op.kind == OpKind::size) value = convert_text({size_text(attribute<Size>(op)), Element::integer}, element);
  else if (op.kind == OpKind::convert) value = convert_text(operands[0], element);
  else value = apply_text(attribute<ScalarOp>(op), element, operands, options_, functions_);
  const std::string name = declare_host(result);
  line("    " + name + " = " + value + ";");
}

/// In double, as sums and products of what the trip knows.
std::string LoopWriter::size_text(const Size& size) {
  float64_ = true;
  std::string text = "0.0lf";
  for (const Size::Term& term : size.terms()) {
    text += " + " + literal_text(static_cast<double>(term.coefficient), Element::real);
    for (SymbolId symbol : term.factors) {
      const SizeSymbol& known = plan_.symbols[symbol];
      if (known.origin == SymbolOrigin::value && inside(known.value)) {
        text += " * double(" + host(known.value).text + ")";
        continue;
      }
      ShaderParameter wanted;
      wanted.size = Size::symbol(symbol);
      text += " * double(" + parameter(wanted, "size") + ")";
    }
  }
  return "(" + text + ")";
}

TypedText LoopWriter::host(ValueId value) {
  if (const auto known = host_.find(value); known != host_.end()) return known->second;
  if (inside(value) || on_device(value) || !type(value).is_scalar()) throw NoLoopShader();
  ShaderParameter wanted;
  wanted.kind = ParameterKind::scalar;
  wanted.index = index_of(value);
  const Element element = type(value).element;
  wanted.type = element == Element::logical  ? ParameterType::int32
                : element == Element::single ? ParameterType::float32
                                             : ParameterType::float64;
  const std::string name = parameter(wanted, "number");
  float64_ |= wanted.type == ParameterType::float64;
  return {element == Element::logical ? "(" + name + " != 0)" : name, element};
}

void LoopWriter::launch(OpId launch) {
  const Op& op = plan_.ops[launch];
  const Launched launched{op, operands_with_tail(plan_, launch), results_with_tail(plan_, launch)};
  const KernelId id = attribute<KernelId>(op);
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const bool takes_over = taken_over(op, r) >= 0;
    if (plan_.kernels[id].outputs[r].base >= 0 && !takes_over) throw NoLoopShader();
  }
  const auto first_scratch = static_cast<std::uint32_t>(shader_.scratch.size());
  for (const Scratch& scratch : kernels_[id].scratch) {
    no_inner_size(scratch.elements);
    shader_.scratch.push_back(scratch);
  }
  for (const ShaderStage& stage : kernels_[id].stages) {
    for (const GroupCount& groups : stage.groups) no_inner_size(groups.elements);
    for (const LoopTurns& turns : stage.loops) count_turns(op, turns);
    const std::string call = this->stage(launched, stage, first_scratch);
    line(call + "    lac_together();");
  }
}

/// Turns as the whole loop's shader has them: one workgroup, matrices by their index there. What a trip computes as a
/// size is at most the elements of what it takes a part of, all of it together.
void LoopWriter::count_turns(const Op& op, LoopTurns turns) {
  for (TurnCount& count : turns) {
    if (count.kind == TurnCount::Kind::row) count.index = index_of(op.operands[count.index]);
    if (count.kind == TurnCount::Kind::groups || count.kind == TurnCount::Kind::own) count = TurnCount::constant(1);
    if (!has_inner_value(count.size)) continue;
    Size bound = 0;
    for (ValueId operand : op.operands)
      if (!type(operand).is_scalar() && !has_inner_value(type(operand).count())) bound = bound + type(operand).count();
    if (bound.is(0)) throw NoLoopShader();
    count.size = bound;
  }
  turns_.push_back(std::move(turns));
}

bool LoopWriter::has_inner_value(const Size& size) const {
  bool found = false;
  for_each_value_in(plan_, size, [&](ValueId value) { found |= inside(value); });
  return found;
}

/// Adds the stage as a function; the text that calls it.
std::string LoopWriter::stage(const Launched& launched, const ShaderStage& stage, std::uint32_t first_scratch) {
  if (stage.workgroup != std::array<std::uint32_t, 3>{workgroup_size, 1, 1}) throw NoLoopShader();
  const std::string prefix = "lac_stage_" + number(stages_++);
  std::map<std::string, std::string> names;
  std::string before;
  for (const Binding& binding : stage.bindings)
    if (binding.kind != ResourceKind::parameters)
      names[binding.name] = binding_memory(launched.op, binding, first_scratch);
  for (const ShaderParameter& parameter : stage.parameters)
    names[parameter.name] = stage_parameter(launched, parameter, prefix + "_" + parameter.name, before);
  for (const ShaderDefinition& definition : stage.source.definitions)
    names[definition.name] = define(definition, prefix);
  functions_.insert(stage.source.library.begin(), stage.source.library.end());
  float64_ |= stage.float64;
  const std::string text = resolve(stage.source.main, [&](const std::string& name) { return names.at(name); });
  definitions_.push_back({prefix, "\n// " + stage.name + "\nvoid " + prefix + "() {\n" + text + "}"});
  return before + "    " + prefix + "();\n";
}

/// Stages share what they define alike: functions know nothing of their stage, and arrays are used between barriers.
/// What stands for the definition's name here.
std::string LoopWriter::define(const ShaderDefinition& definition, const std::string& prefix) {
  const bool is_array = definition.shared_bytes > 0;
  std::string name = definition.name;
  if (const auto known = defined_.find(name); known != defined_.end() && known->second != definition.text) {
    if (!is_array) throw NoLoopShader();
    name = prefix + "_" + name;
  }
  std::string here = is_array ? reference(name) : name;
  if (!defined_.emplace(name, definition.text).second) return here;
  const std::string text = resolve(definition.text, [&](const std::string& known) {
    if (known != definition.name) throw NoLoopShader();
    return here;
  });
  definitions_.push_back({std::move(name), text, definition.shared_bytes});
  shared_bytes_ += definition.shared_bytes;
  return here;
}

std::string LoopWriter::binding_memory(const Op& op, const Binding& binding, std::uint32_t first_scratch) {
  if (binding.layout != Layout::buffer) throw NoLoopShader();
  switch (binding.kind) {
    case ResourceKind::values: return values_unit(op.operands[binding.index], binding.type, false);
    case ResourceKind::output: return values_unit(op.results[binding.index], binding.type, true);
    case ResourceKind::row_pointers:
    case ResourceKind::columns: {
      const ValueId matrix = op.operands[binding.index];
      if (inside(matrix)) throw NoLoopShader();
      return unit(binding.kind, index_of(matrix), binding.type, false);
    }
    case ResourceKind::scalars: return unit(ResourceKind::scalars, 0, binding.type, true);
    case ResourceKind::scratch: return unit(ResourceKind::scratch, first_scratch + binding.index, binding.type, true);
    default: throw NoLoopShader();
  }
}

/// Numbers that change from trip to trip become globals that are set before the call.
std::string LoopWriter::changing(ParameterType type, const std::string& name, const std::string& value,
                                 std::string& before) {
  const std::string type_name(glsl_type(type));
  globals_.push_back({name, type_name + " " + name + ";"});
  before += "    " + name + " = " + type_name + "(" + value + ");\n";
  return name;
}

std::string LoopWriter::stage_parameter(const Launched& launched, const ShaderParameter& parameter,
                                        const std::string& name, std::string& before) {
  switch (parameter.kind) {
    case ParameterKind::size: {
      bool changes = false;
      for_each_value_in(plan_, parameter.size, [&](ValueId value) { changes |= inside(value); });
      if (!changes) return this->parameter(parameter, "size");
      return changing(parameter.type, name, size_text(parameter.size), before);
    }
    case ParameterKind::scalar_input: {
      const ValueId operand = launched.operands[parameter.index];
      if (inside(operand) && !on_device(operand)) throw NoLoopShader();
      return slot(operand);
    }
    case ParameterKind::scalar_output: return slot(launched.results[parameter.index]);
    case ParameterKind::groups: globals_.push_back({name, "const int " + name + " = 1;"}); return name;
    case ParameterKind::scalar:
      return changing(parameter.type, name, host(launched.operands[parameter.index]).text, before);
    default: throw NoLoopShader();
  }
}

std::optional<LoopShader> emit_loop(const Plan& plan, OpId loop, const IdVector<KernelId, KernelShaders>& kernels,
                                    const GlslOptions& options) {
  try {
    return LoopWriter(plan, plan.ops[loop], kernels, options).write();
  } catch (const NoLoopShader&) {
    return std::nullopt;
  }
}

}  // namespace lac::codegen::glsl
