#include "codegen/glsl/kernel/step.h"
#include "codegen/glsl/text/stage_writer.h"
#include "ir/plan/device_steps.h"

namespace lac::codegen::glsl {
namespace {

// Unsigned words in the order of the numbers, whatever a device does with NaN: above all numbers, and -0 is 0.
constexpr const char* key_of_single = R"(uint lac_key(float x) {
  const uint bits = floatBitsToUint(x);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0xFFFFFFFFu;
  if (bits == 0x80000000u) return 0x80000000u;
  return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
})";
constexpr const char* key_of_real = R"(uvec2 lac_key(double x) {
  const uvec2 bits = unpackDouble2x32(x);
  const uint size = bits.y & 0x7FFFFFFFu;
  if (size > 0x7FF00000u || (size == 0x7FF00000u && bits.x != 0u)) return uvec2(0xFFFFFFFFu);
  if (bits.x == 0u && bits.y == 0x80000000u) return uvec2(0u, 0x80000000u);
  return (bits.y & 0x80000000u) != 0u ? ~bits : uvec2(bits.x, bits.y | 0x80000000u);
})";
constexpr const char* below_single = R"(bool lac_below(uint a, uint b) { return a < b; })";
constexpr const char* below_real =
    R"(bool lac_below(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); })";

/// Every element looks at all of its line: as many comparisons as one of 4,096 takes.
constexpr std::int64_t most_comparisons = std::int64_t{4096} * 4096;

}  // namespace

KernelShaders emit_sort(const Graph& plan, OpId id, const GlslOptions& options) {
  const Op& op = plan.ops[id];
  const SortStep step = *sort_step_of(plan, op);
  const Type& type = plan.type(op.results[0]);
  const bool is_single = type.element == Element::single;
  KernelShaders shaders;
  shaders.name = "sort_" + std::to_string(id.index);
  StageWriter writer(plan, options, shaders.name, StageKind::main, {"sorts by counting what goes before each element"});
  for (const char* own : {"e", "first", "k", "key", "n", "other", "place"})
    writer.local(own);  // no array of the program's may have these names
  writer.declare("lac_key", is_single ? key_of_single : key_of_real);
  writer.declare("lac_below", is_single ? below_single : below_real);
  const auto named = [&](ValueId value, const char* other) {
    return plan.values[value].name.empty() ? std::string(other) : plan.values[value].name;
  };
  const std::string memory(memory_type(type.element));
  const std::string x = writer.buffer(ResourceKind::values, 0, memory, named(op.operands[0], "x"), true, false);
  const std::string sorted =
      writer.buffer(ResourceKind::output, 0, memory, named(op.results[0], "sorted"), false, true);
  const Type& places = plan.type(op.results[1]);
  const std::string length = writer.size(step.length), lines = writer.size(step.lines);
  const std::string at = step.along_rows ? "first + n * " + lines : "first + n";

  writer.open_loop("for (int e = int(gl_GlobalInvocationID.x); e < " + lines + " * " + length +
                       "; e += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x))",
                   TurnCount::strided(type.count(), workgroup_size));
  if (step.along_rows) writer.line("const int first = e % " + lines + ", k = e / " + lines + ";");
  else writer.line("const int first = e - e % " + length + ", k = e % " + length + ";");
  writer.line(std::string("const ") + (is_single ? "uint" : "uvec2") + " key = lac_key(" + x + "[e]);");
  writer.line("int place = 0;");
  writer.open_loop("for (int n = 0; n < " + length + "; ++n)", TurnCount::over(step.length));
  writer.line(std::string("const ") + (is_single ? "uint" : "uvec2") + " other = lac_key(" + x + "[" + at + "]);");
  const std::string goes_before = step.descends ? "lac_below(key, other)" : "lac_below(other, key)";
  writer.line("if (" + goes_before + " || (other == key && n < k)) ++place;");
  writer.close();
  const std::string to = step.along_rows ? "first + place * " + lines : "first + place";
  writer.line(sorted + "[" + to + "] = " + x + "[e];");
  if (!places.count().is(0)) {
    const std::string positions = writer.buffer(ResourceKind::output, 1, memory_type(places.element),
                                                named(op.results[1], "places"), false, true);
    const std::string number = std::string(register_type(places.element)) + "(k + 1)";
    writer.line(positions + "[" + to + "] = " + to_memory(number, places.element) + ";");
  }
  writer.close();
  const GroupCount groups = {.elements = type.count(), .per_group = workgroup_size, .most = 16384};
  shaders.bounds = {{step.lines * step.length * step.length, most_comparisons}};
  shaders.stages.push_back(writer.finish({groups, {}, {}}));
  return shaders;
}

}  // namespace lac::codegen::glsl
