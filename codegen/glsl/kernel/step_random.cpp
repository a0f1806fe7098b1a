#include "codegen/glsl/kernel/step.h"
#include "codegen/glsl/text/stage_writer.h"

namespace lac::codegen::glsl {
namespace {

// The constants of runtime/steps/arrays/random.cpp.
constexpr const char* philox = R"(// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC11).
uvec4 lac_philox(uvec2 key, uvec2 counter) {
  uvec4 x = uvec4(counter, 0u, 0u);
  for (int round = 0; round < 10; ++round) {
    uint a_high, a_low, b_high, b_low;
    umulExtended(0xD2511F53u, x.x, a_high, a_low);
    umulExtended(0xCD9E8D57u, x.z, b_high, b_low);
    x = uvec4(b_high ^ x.y ^ key.x, b_low, a_high ^ x.w ^ key.y, a_low);
    key += uvec2(0x9E3779B9u, 0xBB67AE85u);
  }
  return x;
})";

// (k + 1/2) / 2^bits for the leading bits of the two words; every step is exact.
constexpr const char* unit_single = R"(float lac_unit(uvec4 words) {
  return (float(words.x >> 9) + 0.5) * 1.1920928955078125e-07;  // 2^-23
})";
constexpr const char* unit_real = R"(double lac_unit(uvec4 words) {
  return (double(words.x) * 1048576.0lf + double(words.y >> 12) + 0.5lf) * 2.220446049250313e-16lf;  // 2^-52
})";

}  // namespace

KernelShaders emit_random(const Graph& plan, OpId op, const GlslOptions& options) {
  const ValueId result = plan.ops[op].results[0];
  const Type& type = plan.type(result);
  const std::string name = "random_" + std::to_string(op.index);
  StageWriter writer(plan, options, name, StageKind::main, {"uniform random numbers"});
  writer.declare("lac_philox", philox);
  writer.declare("lac_unit", type.element == Element::single ? unit_single : unit_real);
  for (const char* own : {"carry", "low"}) writer.local(own);  // the output may not have these names
  const std::string& source = plan.values[result].name;
  const std::string to =
      writer.buffer(ResourceKind::output, 0, memory_type(type.element), source.empty() ? "r" : source, false, true);
  const std::string seed =
      writer.parameter({.kind = ParameterKind::seed, .type = ParameterType::uint64, .name = "seed"});
  const std::string counter =
      writer.parameter({.kind = ParameterKind::counter, .type = ParameterType::uint64, .name = "counter"});
  const std::string count = writer.size(type.count());
  constexpr std::int64_t philox_turns = 16;
  writer.open_loop("for (int e = int(gl_GlobalInvocationID.x); e < " + count +
                       "; e += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x))",
                   TurnCount::strided(type.count() * Size(philox_turns), workgroup_size));
  writer.line("uint carry;");
  writer.line("const uint low = uaddCarry(" + counter + ".x, uint(e), carry);");
  writer.line(to + "[e] = lac_unit(lac_philox(" + seed + ", uvec2(low, " + counter + ".y + carry)));");
  writer.close();
  const GroupCount groups = {.elements = type.count(), .per_group = workgroup_size, .most = 16384};
  KernelShaders shaders;
  shaders.name = name;
  shaders.stages.push_back(writer.finish({groups, {}, {}}));
  return shaders;
}

}  // namespace lac::codegen::glsl
