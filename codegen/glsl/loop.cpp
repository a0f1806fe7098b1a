#include "codegen/glsl/loop.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "codegen/glsl/literal.h"
#include "codegen/glsl/scalar_math.h"
#include "codegen/glsl/stage_text.h"
#include "ir/plan/control.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::size_t most_bindings = 16;  ///< storage buffers; more is for devices that are not small

constexpr std::string_view type_names[] = {"int", "float", "double", "uvec2"};  ///< by ParameterType

/// What stands against one shader for the whole loop.
struct NoLoopShader {};

std::string number(std::size_t n) { return std::to_string(n); }

/// Collects the parts of the shader while it walks the body.
class LoopWriter {
 public:
  LoopWriter(const Graph& plan, const Op& loop, const IdVector<ValueId, Place>& places,
             const IdVector<KernelId, KernelShaders>& kernels, const GlslOptions& options)
      : plan_(plan),
        loop_(loop),
        body_(plan.blocks[loop.blocks[0]]),
        places_(places),
        kernels_(kernels),
        options_(options) {}

  LoopShader write();

 private:
  struct Unit {
    ResourceKind kind;
    std::uint32_t index;
    std::string type;  ///< of an element in memory
    bool written = false;
  };
  struct Copy {
    std::string from, to, type;
    Size count;
  };

  bool inside(ValueId value) const { return inside_.contains(value); }
  bool on_device(ValueId value) const { return places_[value] == Place::device; }
  const Type& type(ValueId value) const { return plan_.type(value); }

  void find_memory();
  ValueId memory(ValueId value) const;
  std::uint32_t index_of(ValueId value);
  std::string unit(ResourceKind kind, std::uint32_t index, const std::string& type, bool written);
  std::string values_unit(ValueId value, const std::string& type, bool written);
  std::string parameter(ShaderParameter wanted, const std::string& name);
  std::string slot(ValueId value);
  void no_inner_size(const Size& size);
  void line(const std::string& text) { main_ += text + "\n"; }

  void op(const Op& op);
  void host_scalar(const Op& op);
  std::string declare_host(ValueId value);
  std::string size_text(const Size& size);
  TypedText host(ValueId value);
  void launch(const Op& op);
  std::string stage(const Op& op, const ShaderStage& stage, std::uint32_t first_scratch);
  std::string binding_name(const Op& op, const Binding& binding, const std::string& type, std::uint32_t first_scratch);
  std::string stage_parameter(const Op& op, const ShaderParameter& parameter, const std::string& name,
                              std::string& before);
  std::string changing(ParameterType type, const std::string& name, const std::string& value, std::string& before);
  void define(const Definition& definition, const std::function<std::string(const std::string&)>& replace);
  void back_edge();
  void copy_matrices();
  void copy_scalars();
  std::string to_slot(const TypedText& value) const;
  std::string from_slot(ValueId value);
  std::string prologue();
  std::string epilogue();
  ShaderStage assemble(const std::string& head, const std::string& tail);

  const Graph& plan_;
  const Op& loop_;
  const Block& body_;
  const IdVector<ValueId, Place>& places_;
  const IdVector<KernelId, KernelShaders>& kernels_;
  const GlslOptions& options_;

  LoopShader shader_;
  std::unordered_set<ValueId> inside_;
  std::unordered_map<ValueId, ValueId> memory_;
  std::vector<std::pair<std::string, Unit>> units_;
  std::vector<ShaderParameter> parameters_;
  std::unordered_map<ValueId, TypedText> host_;
  std::set<std::string> definition_texts_;
  std::map<std::string, std::string> definition_names_;  ///< name -> the text that has it
  FunctionSet functions_;
  std::string globals_, definitions_, main_;
  std::int64_t shared_bytes_ = 0;
  std::size_t stages_ = 0;
  bool float64_ = false;
};

// -- memory -----------------------------------------------------------------------------------------------------------

/// Results that take over a buffer, and views, are in the memory of what they took it from.
void LoopWriter::find_memory() {
  inside_.insert(body_.arguments.begin(), body_.arguments.end());
  for (OpId id : body_.ops) {
    const Op& op = plan_.ops[id];
    inside_.insert(op.results.begin(), op.results.end());
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const std::int32_t reused = op.kind == OpKind::reshape ? 0 : r < op.reuse.size() ? op.reuse[r] : -1;
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
    return name;
  }
  const std::string name = kind == ResourceKind::scalars ? "scalars" : "lac_memory_" + number(units_.size());
  units_.push_back({name, {kind, index, type, written}});
  return name;
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
  for_each_value_in(plan_, size, [&](ValueId value) {
    if (inside(value)) throw NoLoopShader();
  });
}

// -- ops --------------------------------------------------------------------------------------------------------------

void LoopWriter::op(const Op& op) {
  switch (op.kind) {
    case OpKind::release: return;
    case OpKind::reshape:
      if (type(op.results[0]).is_scalar() != type(op.operands[0]).is_scalar()) throw NoLoopShader();
      return;
    case OpKind::constant:
    case OpKind::size:
    case OpKind::convert:
    case OpKind::map: return host_scalar(op);
    case OpKind::launch: return launch(op);
    default: throw NoLoopShader();
  }
}

std::string LoopWriter::declare_host(ValueId value) {
  const Element element = type(value).element;
  float64_ |= register_type(element) == "double";
  std::string name = "lac_host_" + number(value.index);
  globals_ += std::string(register_type(element)) + " " + name + ";\n";
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

void LoopWriter::launch(const Op& op) {
  const KernelId id = attribute<KernelId>(op);
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const bool takes_over = r < op.reuse.size() && op.reuse[r] >= 0;
    if (plan_.kernels[id].outputs[r].base >= 0 && !takes_over) throw NoLoopShader();
  }
  const auto first_scratch = static_cast<std::uint32_t>(shader_.scratch.size());
  for (const Scratch& scratch : kernels_[id].scratch) {
    no_inner_size(scratch.elements);
    shader_.scratch.push_back(scratch);
  }
  for (const ShaderStage& stage : kernels_[id].stages) {
    for (const GroupCount& groups : stage.groups) no_inner_size(groups.elements);
    const std::string call = this->stage(op, stage, first_scratch);
    line(call + "    lac_together();");
  }
}

/// Adds the stage as a function; the text that calls it.
std::string LoopWriter::stage(const Op& op, const ShaderStage& stage, std::uint32_t first_scratch) {
  if (stage.workgroup != std::array<std::uint32_t, 3>{options_.workgroup, 1, 1}) throw NoLoopShader();
  const StageText parts = take_apart(stage);
  const std::string prefix = "lac_stage_" + number(stages_++);
  std::map<std::string, std::string> names;
  std::string before;
  for (const Binding& binding : stage.bindings) {
    if (binding.kind == ResourceKind::parameters) continue;
    const auto type = parts.memory_types.find(binding.name);
    if (type == parts.memory_types.end()) throw NoLoopShader();
    names[binding.name] = binding_name(op, binding, type->second, first_scratch);
  }
  for (const ShaderParameter& parameter : stage.parameters)
    names[parameter.name] = stage_parameter(op, parameter, prefix + "_" + parameter.name, before);
  names["main"] = prefix;
  for (const Definition& definition : parts.definitions) {
    const auto taken = definition_names_.find(definition.name);
    if (taken == definition_names_.end() || taken->second == definition.text) continue;
    if (!definition.is_array) throw NoLoopShader();
    names[definition.name] = prefix + "_" + definition.name;
  }
  const auto replace = [&](const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
  };
  for (const Definition& definition : parts.definitions) define(definition, replace);
  float64_ |= stage.float64;
  definitions_ += "\n// " + stage.name + "\n" + rename_identifiers(parts.main, replace);
  return before + "    " + prefix + "();\n";
}

/// Stages share what they define alike: functions know nothing of their stage, and arrays are used between barriers.
void LoopWriter::define(const Definition& definition, const std::function<std::string(const std::string&)>& replace) {
  const std::string text = definition.is_array ? rename_identifiers(definition.text, replace) : definition.text;
  definition_names_.emplace(definition.name, definition.text);
  if (!definition_texts_.insert(text).second) return;
  definitions_ += text;
  shared_bytes_ += definition.shared_bytes;
}

std::string LoopWriter::binding_name(const Op& op, const Binding& binding, const std::string& type,
                                     std::uint32_t first_scratch) {
  switch (binding.kind) {
    case ResourceKind::values: return values_unit(op.operands[binding.index], type, false);
    case ResourceKind::output: return values_unit(op.results[binding.index], type, true);
    case ResourceKind::row_pointers:
    case ResourceKind::columns: {
      const ValueId matrix = op.operands[binding.index];
      if (inside(matrix)) throw NoLoopShader();
      return unit(binding.kind, index_of(matrix), type, false);
    }
    case ResourceKind::scalars: return unit(ResourceKind::scalars, 0, type, true);
    case ResourceKind::scratch: return unit(ResourceKind::scratch, first_scratch + binding.index, type, true);
    default: throw NoLoopShader();
  }
}

/// Numbers that change from trip to trip become globals that are set before the call.
std::string LoopWriter::changing(ParameterType type, const std::string& name, const std::string& value,
                                 std::string& before) {
  const std::string type_name(type_names[static_cast<int>(type)]);
  globals_ += type_name + " " + name + ";\n";
  before += "    " + name + " = " + type_name + "(" + value + ");\n";
  return name;
}

std::string LoopWriter::stage_parameter(const Op& op, const ShaderParameter& parameter, const std::string& name,
                                        std::string& before) {
  switch (parameter.kind) {
    case ParameterKind::size: {
      bool changes = false;
      for_each_value_in(plan_, parameter.size, [&](ValueId value) { changes |= inside(value); });
      if (!changes) return this->parameter(parameter, "size");
      return changing(parameter.type, name, size_text(parameter.size), before);
    }
    case ParameterKind::scalar_input: {
      const ValueId operand = op.operands[parameter.index];
      if (inside(operand) && !on_device(operand)) throw NoLoopShader();
      return slot(operand);
    }
    case ParameterKind::scalar_output: return slot(op.results[parameter.index]);
    case ParameterKind::groups: globals_ += "const int " + name + " = 1;\n"; return name;
    case ParameterKind::scalar: return changing(parameter.type, name, host(op.operands[parameter.index]).text, before);
    default: throw NoLoopShader();
  }
}

// -- the back edge ----------------------------------------------------------------------------------------------------

void LoopWriter::back_edge() {
  const ValueId condition = body_.yields[0];
  if (on_device(condition)) line("    goes = scalars[" + slot(condition) + "].x != 0u;");
  else line("    goes = " + host(condition).text + ";");
  line("    lac_together();");
  copy_matrices();
  copy_scalars();
  line("    ++trip;");
  line("    lac_together();");
}

/// Carried matrices return to where the trip found them. Copies of equally many elements go element by element
/// together, so that any permutation of them is right.
void LoopWriter::copy_matrices() {
  std::vector<Copy> copies;
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId to = body_.arguments[i], from = body_.yields[i];
    if (type(to).is_scalar()) continue;
    if (!type(to).is_dense() || type(from).is_scalar()) throw NoLoopShader();
    if (memory(from) == to) continue;
    const std::string element(memory_type(type(to).element));
    no_inner_size(type(to).count());
    copies.push_back({values_unit(from, element, false), values_unit(to, element, true), element, type(to).count()});
  }
  for (const Copy& copy : copies)
    for (const Copy& other : copies)
      if (copy.from == other.to && !(copy.count == other.count)) throw NoLoopShader();
  while (!copies.empty()) {
    const Size count = copies[0].count;
    ShaderParameter wanted;
    wanted.size = count;
    const std::string limit = count.is_constant() ? std::to_string(count.constant()) : parameter(wanted, "size");
    line("    for (int i = int(gl_LocalInvocationID.x); i < " + limit + "; i += " + number(options_.workgroup) + ") {");
    const auto here =
        std::stable_partition(copies.begin(), copies.end(), [&](const Copy& copy) { return !(copy.count == count); });
    for (auto copy = here; copy != copies.end(); ++copy)
      line("      const " + copy->type + " from_" + copy->from + "_" + copy->to + " = " + copy->from + "[i];");
    for (auto copy = here; copy != copies.end(); ++copy)
      line("      " + copy->to + "[i] = from_" + copy->from + "_" + copy->to + ";");
    line("    }");
    copies.erase(here, copies.end());
  }
}

void LoopWriter::copy_scalars() {
  std::string loads, stores, numbers, assignments;
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId to = body_.arguments[i], from = body_.yields[i];
    if (!type(to).is_scalar() || to == from) continue;
    const std::string name = "carried_" + number(i);
    if (!on_device(to)) {
      const Element element = type(to).element;
      numbers += "    const " + std::string(register_type(element)) + " " + name + " = " + host(from).text + ";\n";
      assignments += "    " + host(to).text + " = " + name + ";\n";
      continue;
    }
    if (!type(from).is_scalar()) throw NoLoopShader();
    const std::string bits = on_device(from) ? "scalars[" + slot(from) + "]" : to_slot(host(from));
    loads += "      const uvec2 " + name + " = " + bits + ";\n";
    stores += "      scalars[" + slot(to) + "] = " + name + ";\n";
  }
  if (!loads.empty()) line("    if (gl_LocalInvocationID.x == 0u) {\n" + loads + stores + "    }");
  if (!numbers.empty()) main_ += numbers + assignments;
}

std::string LoopWriter::to_slot(const TypedText& value) const {
  if (value.element == Element::logical) return "uvec2(uint(" + value.text + "), 0u)";
  if (value.element == Element::single) return "uvec2(floatBitsToUint(" + value.text + "), 0u)";
  return "unpackDouble2x32(" + value.text + ")";
}

std::string LoopWriter::from_slot(ValueId value) {
  const std::string cell = "scalars[" + slot(value) + "]";
  const Element element = type(value).element;
  if (element == Element::logical) return cell + ".x != 0u";
  return element == Element::single ? "uintBitsToFloat(" + cell + ".x)" : "packDouble2x32(" + cell + ")";
}

// -- the whole --------------------------------------------------------------------------------------------------------

/// Counters and other numbers that the host would carry come from slots, and go back there.
std::string LoopWriter::prologue() {
  std::string text;
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId argument = body_.arguments[i];
    if (!type(argument).is_scalar() || on_device(argument)) continue;
    text += "  " + declare_host(argument) + " = " + from_slot(argument) + ";\n";
  }
  return text;
}

std::string LoopWriter::epilogue() {
  std::string text;
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId argument = body_.arguments[i];
    if (type(argument).is_scalar() && !on_device(argument))
      text += "    scalars[" + slot(argument) + "] = " + to_slot(host(argument)) + ";\n";
  }
  return text;
}

LoopShader LoopWriter::write() {
  find_memory();
  unit(ResourceKind::scalars, 0, "uvec2", true);
  units_.push_back(
      {"lac_state", {ResourceKind::control, static_cast<std::uint32_t>(control::Buffer::state), "uint", true}});
  ShaderParameter limit, entry;
  limit.kind = entry.kind = ParameterKind::control;
  entry.index = 1;
  const std::string limit_name = parameter(limit, "limit"), entry_name = parameter(entry, "entry");
  std::string head = "  bool goes = " + entry_name + " >= 0 ? scalars[" + entry_name + "].x != 0u : " + entry_name +
                     " == -3 ? lac_state[0] != 0u : " + entry_name + " == -1;\n" + "  int trip = " + entry_name +
                     " == -3 ? int(lac_state[1]) : 0;\n";
  head += prologue() + "  const int last = trip + " + std::to_string(loop_trips) + ";\n  lac_together();\n";
  const std::string counter = declare_host(body_.arguments[0]);
  line("  while (goes && trip < " + limit_name + " && trip < last) {");
  line("    " + counter + " = double(trip);");
  for (OpId id : body_.ops) op(plan_.ops[id]);
  if (stages_ == 0) throw NoLoopShader();
  back_edge();
  line("  }");
  const std::string tail =
      "  if (gl_LocalInvocationID.x == 0u) {\n" + epilogue() +
      "    lac_state[0] = goes ? 1u : 0u;\n    lac_state[1] = uint(trip);\n    lac_state[2] = 0u;\n  }\n";
  if (units_.size() > most_bindings || shared_bytes_ > options_.shared_bytes) throw NoLoopShader();
  shader_.stage = assemble(head, tail);
  return std::move(shader_);
}

ShaderStage LoopWriter::assemble(const std::string& head, const std::string& tail) {
  ShaderStage stage;
  stage.name = "lac_loop_" + number(loop_.results[0].index);
  stage.workgroup = {options_.workgroup, 1, 1};
  stage.float64 = float64_;
  stage.groups = {GroupCount{1, 1}, GroupCount{1, 1}, GroupCount{1, 1}};
  std::string text = "#version 450\n// a loop as one workgroup\nlayout(local_size_x = " + number(options_.workgroup) +
                     ", local_size_y = 1, local_size_z = 1) in;\n\n";
  for (const auto& [name, unit] : units_) {
    Binding binding;
    binding.number = static_cast<std::uint32_t>(stage.bindings.size());
    binding.kind = unit.kind;
    binding.index = unit.index;
    binding.written = unit.written;
    binding.name = name;
    stage.bindings.push_back(binding);
    text += "layout(set = 0, binding = " + number(binding.number) + ", std430) " +
            (unit.written ? "coherent " : "readonly ") + "buffer " + name + "_buffer { " + unit.type + " " + name +
            "[]; };\n";
  }
  std::stable_sort(parameters_.begin(), parameters_.end(), [](const ShaderParameter& a, const ShaderParameter& b) {
    return byte_size(a.type) > byte_size(b.type);
  });
  for (ShaderParameter& parameter : parameters_) {
    parameter.offset = stage.parameter_bytes;
    stage.parameter_bytes += byte_size(parameter.type);
  }
  stage.parameters_in_buffer = stage.parameter_bytes > push_constant_bytes;
  if (stage.parameters_in_buffer) {
    Binding binding;
    binding.number = static_cast<std::uint32_t>(stage.bindings.size());
    binding.kind = ResourceKind::parameters;
    binding.name = "Parameters";
    stage.bindings.push_back(binding);
    text += "layout(set = 0, binding = " + number(binding.number) + ", std430) readonly buffer Parameters {\n";
  } else {
    text += "layout(push_constant, std430) uniform Parameters {\n";
  }
  for (const ShaderParameter& parameter : parameters_)
    text += "  " + std::string(type_names[static_cast<int>(parameter.type)]) + " " + parameter.name + ";\n";
  stage.parameters = parameters_;
  text += "};\n" + globals_ + "\nvoid lac_together() {\n  memoryBarrierBuffer();\n  barrier();\n}\n" +
          library_text(functions_) + definitions_ + "\nvoid main() {\n" + head + main_ + tail + "}\n";
  stage.glsl = std::move(text);
  return stage;
}

}  // namespace

std::optional<LoopShader> emit_loop(const Graph& plan, OpId loop, const IdVector<ValueId, Place>& places,
                                    const IdVector<KernelId, KernelShaders>& kernels, const GlslOptions& options) {
  try {
    return LoopWriter(plan, plan.ops[loop], places, kernels, options).write();
  } catch (const NoLoopShader&) {
    return std::nullopt;
  }
}

}  // namespace lac::codegen::glsl
