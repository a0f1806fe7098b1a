#include "codegen/glsl/program/control.h"

#include <array>
#include <string_view>
#include <utility>

#include "codegen/glsl/text/stage_print.h"
#include "ir/plan/control.h"

namespace lac::codegen::glsl {
namespace {

struct Field {
  ParameterType type = ParameterType::int32;
  std::string name;
};

struct Bound {
  ResourceKind kind;
  std::uint32_t index;
  bool read, written;
};

constexpr Bound arena(bool written) { return {ResourceKind::scalars, 0, true, written}; }
constexpr Bound own(control::Buffer buffer, bool read, bool written) {
  return {ResourceKind::control, static_cast<std::uint32_t>(buffer), read, written};
}

struct ControlText {
  std::string_view name;
  std::string_view comment;
  std::vector<Bound> bindings;
  std::vector<Field> parameters;
  std::string body;  ///< refers to buffers, not to parameters
  StageKind kind = StageKind::control;
  GroupCount groups = {};
};

/// "slot" -> slot0 .. slot15.
void append_fields(std::vector<Field>& fields, const std::string& name, int count, ParameterType type) {
  for (int k = 0; k < count; ++k) fields.push_back({type, name + std::to_string(k)});
}

/// "const int slots[16] = int[16](slot0, ...);"
std::string as_array(std::string_view type, const std::string& array, const std::string& field, int count) {
  std::string head = std::string(type) + "[" + std::to_string(count) + "]";
  std::string text = "  " + head + " " + array + " = " + head + "(";
  for (int k = 0; k < count; ++k) text += (k ? ", " : "") + field + std::to_string(k);
  return text + ");\n";
}

// -- the shaders ------------------------------------------------------------------------------------------------------

constexpr std::string_view condition_text =
    "  const bool holds = condition >= 0 ? @scalars@[condition].x != 0u : condition == -1;\n";
constexpr std::string_view zero_text = "    for (int i = 3 * first + me; i < 3 * last; i += 256) @counts@[i] = 0u;\n";

ControlText copy_words() {
  return {
      "copy_words",
      "to = from, where the condition is as wanted",
      {arena(false), own(control::Buffer::from, true, false), own(control::Buffer::to, false, true)},
      {{ParameterType::int32, "words"},
       {ParameterType::int32, "from_at"},
       {ParameterType::int32, "to_at"},
       {ParameterType::int32, "condition"},
       {ParameterType::int32, "wanted"}},
      std::string(condition_text) +
          "  if (holds != (wanted != 0)) return;\n"
          "  const int step = 256 * int(gl_NumWorkGroups.x);\n"
          "  for (int i = int(gl_GlobalInvocationID.x); i < words; i += step) @to@[to_at + i] = @from@[from_at + i];\n",
      StageKind::copy,
      {.elements = 1, .per_group = control::words_per_group}};
}

ControlText clear_words() {
  return {"clear_words",
          "to = 0",
          {own(control::Buffer::to, false, true)},
          {{ParameterType::int32, "words"}, {ParameterType::int32, "to_at"}},
          "  const int step = 256 * int(gl_NumWorkGroups.x);\n"
          "  for (int i = int(gl_GlobalInvocationID.x); i < words; i += step) @to@[to_at + i] = 0u;\n",
          StageKind::copy,
          {.elements = 1, .per_group = control::words_per_group}};
}

ControlText arm_chunk() {
  return {"arm_chunk",
          "the dispatches of a chunk run where the loop is active",
          {arena(false), own(control::Buffer::state, true, true), own(control::Buffer::counts, false, true),
           own(control::Buffer::base, true, false), own(control::Buffer::log, false, true)},
          {{ParameterType::int32, "entry"}, {ParameterType::int32, "sites"}, {ParameterType::int32, "log_slots"}},
          "  const bool runs = entry >= 0 ? @scalars@[entry].x != 0u : entry == -3 ? @state@[0] != 0u : entry == -1;\n"
          "  for (int i = me; i < 3 * sites; i += 256) @counts@[i] = runs ? @base@[i] : 0u;\n"
          "  for (int i = me; i < log_slots; i += 256) @log_slot@[i] = uvec2(0u);\n"
          "  if (me == 0 && entry != -3) {\n"
          "    @state@[0] = runs ? 1u : 0u;\n"
          "    @state@[1] = 0u;\n"
          "    @state@[2] = 0u;\n"
          "  }\n"};
}

ControlText close_trip() {
  return {"close_trip",
          "the end of a trip: counts it, and ends the loop where its condition is false",
          {arena(false), own(control::Buffer::state, true, true), own(control::Buffer::counts, false, true)},
          {{ParameterType::int32, "condition"}, {ParameterType::int32, "first"}, {ParameterType::int32, "last"}},
          std::string(condition_text) +
              "  if (me == 0) @state@[1] += 1u;\n"
              "  if (!holds) {\n"
              "    if (me == 0) @state@[0] = 0u;\n" +
              std::string(zero_text) + "  }\n"};
}

ControlText set_predicate() {
  return {"set_predicate",
          "the arm of a branch that is not taken does not run",
          {arena(false), own(control::Buffer::counts, false, true), own(control::Buffer::base, true, false)},
          {{ParameterType::int32, "condition"}, {ParameterType::int32, "range_at"}},
          std::string(condition_text) +
              "  const int begin = 3 * int(@base@[range_at + (holds ? 1 : 0)]);\n"
              "  const int end = 3 * int(@base@[range_at + (holds ? 2 : 1)]);\n"
              "  for (int i = begin + me; i < end; i += 256) @counts@[i] = 0u;\n"};
}

ControlText check() {
  return {"check",
          "ends the loop where the condition is false, and says which check it was",
          {arena(false), own(control::Buffer::state, false, true), own(control::Buffer::counts, false, true)},
          {{ParameterType::int32, "condition"},
           {ParameterType::int32, "first"},
           {ParameterType::int32, "last"},
           {ParameterType::int32, "number"}},
          std::string(condition_text) +
              "  if (!holds) {\n"
              "    if (me == 0) {\n"
              "      @state@[0] = 0u;\n"
              "      @state@[2] = uint(number);\n"
              "    }\n" +
              std::string(zero_text) + "  }\n"};
}

ControlText log_scalars() {
  std::vector<Field> fields = {{ParameterType::int32, "at"}, {ParameterType::int32, "count"}};
  append_fields(fields, "slot", control::log_capacity, ParameterType::int32);
  return {"log_scalars",
          "an entry of the chunk's record: its mark and the scalars",
          {arena(false), own(control::Buffer::log, false, true)},
          std::move(fields),
          as_array("int", "slots", "slot", control::log_capacity) +
              "  if (me == 0) @log_slot@[at] = uvec2(1u, 0u);\n"
              "  if (me < count) @log_slot@[at + 1 + me] = @scalars@[slots[me]];\n"};
}

ControlText copy_scalars() {
  std::vector<Field> fields;
  append_fields(fields, "value", control::copy_capacity, ParameterType::uint64);
  append_fields(fields, "from", control::copy_capacity, ParameterType::int32);
  append_fields(fields, "to", control::copy_capacity, ParameterType::int32);
  fields.push_back({ParameterType::int32, "count"});
  return {"copy_scalars",
          "scalars from numbers or from other slots, all read before any is written",
          {arena(true)},
          std::move(fields),
          as_array("uvec2", "values", "value", control::copy_capacity) +
              as_array("int", "sources", "from", control::copy_capacity) +
              as_array("int", "targets", "to", control::copy_capacity) +
              "  uvec2 bits = uvec2(0u);\n"
              "  if (me < count) bits = sources[me] < 0 ? values[me] : @scalars@[sources[me]];\n"
              "  memoryBarrierBuffer();\n"
              "  barrier();\n"
              "  if (me < count) @scalars@[targets[me]] = bits;\n"};
}

// -- their text -------------------------------------------------------------------------------------------------------

struct BufferText {
  std::string_view name, type;
};
constexpr BufferText control_buffers[] = {{"state", "uint"},     {"counts", "uint"}, {"base", "uint"},
                                          {"log_slot", "uvec2"}, {"from", "uint"},   {"to", "uint"}};

/// Sites of a chunk, slots of its log and the words of a copy, each shared out among invocations.
constexpr std::int64_t most_control_turns = 4096;

ShaderStage stage_of(const ControlText& control) {
  ShaderStage stage;
  stage.name = control.name;
  stage.kind = control.kind;
  stage.groups = {control.groups, {1, 1}, {1, 1}};
  stage.loops = {{TurnCount::constant(most_control_turns)}};
  for (const Bound& bound : control.bindings) {
    const BufferText buffer =
        bound.kind == ResourceKind::scalars ? BufferText{"scalars", "uvec2"} : control_buffers[bound.index];
    stage.bindings.push_back({.number = static_cast<std::uint32_t>(stage.bindings.size()),
                              .kind = bound.kind,
                              .index = bound.index,
                              .written = bound.written,
                              .read = bound.read,
                              .name = std::string(buffer.name),
                              .type = std::string(buffer.type)});
  }
  for (const Field& field : control.parameters)
    stage.parameters.push_back({.kind = ParameterKind::control,
                                .index = static_cast<std::uint32_t>(stage.parameters.size()),
                                .type = field.type,
                                .name = field.name});
  lay_out_parameters(stage);
  stage.source.comment = {std::string(control.comment)};
  stage.source.main = "  const int me = int(gl_LocalInvocationID.x);\n" + control.body;
  stage.glsl = print_stage(stage);
  return stage;
}

}  // namespace

std::vector<ShaderStage> control_shaders() {
  // By ControlShader.
  const ControlText texts[] = {copy_words(),    clear_words(), arm_chunk(),   close_trip(),
                               set_predicate(), check(),       log_scalars(), copy_scalars()};
  static_assert(std::size(texts) == control_shader_count);
  std::vector<ShaderStage> stages;
  for (const ControlText& text : texts) stages.push_back(stage_of(text));
  return stages;
}

}  // namespace lac::codegen::glsl
