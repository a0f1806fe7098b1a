// The back edge of a loop's shader, and the shader as a whole.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "codegen/glsl/program/loop_writer.h"
#include "codegen/glsl/text/stage_print.h"
#include "codegen/glsl/text/stage_writer.h"
#include "ir/plan/control.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::size_t most_bindings = 16;  ///< storage buffers; more is for loops that are not small

std::string number(std::size_t n) { return std::to_string(n); }

}  // namespace

// -- the back edge ----------------------------------------------------------------------------------------------------

void LoopWriter::back_edge() {
  const ValueId condition = body_.yields[0];
  if (on_device(condition)) line("    goes = @scalars@[" + slot(condition) + "].x != 0u;");
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
    if (type(to).count().is_constant() && type(to).count().constant() > std::numeric_limits<std::int32_t>::max())
      throw NoLoopShader();
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
    turns_.push_back({TurnCount::over(count, workgroup_size)});
    line("    for (int i = int(gl_LocalInvocationID.x); i < " + limit + "; i += " + number(workgroup_size) + ") {");
    const auto here =
        std::stable_partition(copies.begin(), copies.end(), [&](const Copy& copy) { return !(copy.count == count); });
    std::string loads, stores;
    for (auto copy = here; copy != copies.end(); ++copy) {
      const std::string moved = "moved_" + number(static_cast<std::size_t>(copy - here));
      loads += "      const " + copy->type + " " + moved + " = " + copy->from + "[i];\n";
      stores += "      " + copy->to + "[i] = " + moved + ";\n";
    }
    main_ += loads + stores;
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
    const std::string bits = on_device(from) ? "@scalars@[" + slot(from) + "]" : to_slot(host(from));
    loads += "      const uvec2 " + name + " = " + bits + ";\n";
    stores += "      @scalars@[" + slot(to) + "] = " + name + ";\n";
  }
  if (!loads.empty()) line("    if (gl_LocalInvocationID.x == 0u) {\n" + loads + stores + "    }");
  if (!numbers.empty()) main_ += numbers + assignments;
}

// -- the whole --------------------------------------------------------------------------------------------------------

/// Counters and other numbers that the host would carry come from slots, and go back there.
std::string LoopWriter::prologue() {
  std::string text;
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId argument = body_.arguments[i];
    if (!type(argument).is_scalar() || on_device(argument)) continue;
    text += "  " + declare_host(argument) + " = " +
            from_slot("@scalars@[" + slot(argument) + "]", type(argument).element) + ";\n";
  }
  return text;
}

std::string LoopWriter::epilogue() {
  std::string text;
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId argument = body_.arguments[i];
    if (type(argument).is_scalar() && !on_device(argument))
      text += "    @scalars@[" + slot(argument) + "] = " + to_slot(host(argument)) + ";\n";
  }
  return text;
}

LoopShader LoopWriter::write() {
  find_memory();
  unit(ResourceKind::scalars, 0, "uvec2", true);
  units_.push_back(
      {"lac_state", {ResourceKind::control, static_cast<std::uint32_t>(control::Buffer::state), "uint", true}});
  ShaderParameter limit, entry, trips;
  limit.kind = entry.kind = trips.kind = ParameterKind::control;
  entry.index = 1;
  trips.index = 2;
  const std::string limit_name = parameter(limit, "limit"), entry_name = parameter(entry, "entry"),
                    trips_name = parameter(trips, "trips");
  std::string head = "  bool goes = " + entry_name + " >= 0 ? @scalars@[" + entry_name + "].x != 0u : " + entry_name +
                     " == -3 ? @lac_state@[0] != 0u : " + entry_name + " == -1;\n" + "  int trip = " + entry_name +
                     " == -3 ? int(@lac_state@[1]) : 0;\n";
  head += prologue() + "  const int last = trip + " + trips_name + ";\n  lac_together();\n";
  const std::string counter = declare_host(body_.arguments[0]);
  line("  while (goes && trip < " + limit_name + " && trip < last) {");
  line("    " + counter + " = double(trip);");
  for (OpId id : body_.ops) op(id);
  if (stages_ == 0) throw NoLoopShader();
  back_edge();
  line("  }");
  const std::string tail =
      "  if (gl_LocalInvocationID.x == 0u) {\n" + epilogue() +
      "    @lac_state@[0] = goes ? 1u : 0u;\n    @lac_state@[1] = uint(trip);\n    @lac_state@[2] = 0u;\n  }\n";
  if (units_.size() > most_bindings || shared_bytes_ > options_.shared_bytes) throw NoLoopShader();
  shader_.stage = assemble(source(head, tail));
  shader_.stage.loops = std::move(turns_);
  return std::move(shader_);
}

ShaderSource LoopWriter::source(const std::string& head, const std::string& tail) const {
  ShaderSource source;
  source.comment = {"a loop as one workgroup"};
  source.memory = ShaderMemory::coherent;
  source.definitions = globals_;
  source.definitions.push_back({"lac_together", "\nvoid lac_together() {\n  memoryBarrierBuffer();\n  barrier();\n}"});
  if (std::string library = library_text(functions_); !library.empty())  // in front of the stages, which call it
    source.definitions.push_back({"library", std::move(library)});
  source.definitions.insert(source.definitions.end(), definitions_.begin(), definitions_.end());
  source.main = head + main_ + tail;
  return source;
}

ShaderStage LoopWriter::assemble(ShaderSource source) {
  ShaderStage stage;
  stage.name = "lac_loop_" + number(loop_.results[0].index);
  stage.workgroup = {workgroup_size, 1, 1};
  stage.float64 = float64_;
  stage.groups = {GroupCount{1, 1}, GroupCount{1, 1}, GroupCount{1, 1}};
  for (const auto& [name, unit] : units_)
    stage.bindings.push_back({.number = static_cast<std::uint32_t>(stage.bindings.size()),
                              .kind = unit.kind,
                              .index = unit.index,
                              .written = unit.written,
                              .name = name,
                              .type = unit.type});
  stage.parameters = parameters_;
  lay_out_parameters(stage);
  stage.source = std::move(source);
  stage.glsl = print_stage(stage);
  return stage;
}

}  // namespace lac::codegen::glsl
