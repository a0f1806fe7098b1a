// Where generated GPU code and its runtime meet: what a kernel becomes on a device, as plain data.
//
// A kernel is a list of stages, run in order, each one dispatch; a stage sees what earlier stages wrote. Elements in
// device memory: single is a float, real and integer are doubles, logical is a uint of 0 or 1 (uploads widen it); csr
// has int row pointers and columns. Matrices are column-major, as on the host.
//
// Scalars that the host knows are parameters of the dispatch. Scalars that kernels compute live in the scalar arena:
// one storage buffer of 8-byte slots (`uvec2`; single: the bits in .x; real and integer: packDouble2x32; logical: 0 or
// 1 in .x), bound where a stage has a ResourceKind::scalars binding; parameters say which slots are meant. The .x of
// slot `arrivals_slot` counts the workgroups of a dispatch that are done, where the last of them has more to do: it is
// zero before every dispatch, and the shader leaves it so.
//
// Set 0 holds all bindings. Parameters are push constants, or, where they pass `push_constant_bytes`, a read-only
// storage buffer (ResourceKind::parameters) with the same bytes.
//
// A matrix may be larger than one binding can span. Then the launch takes variants of its stages whose arrays have no
// descriptors: the addresses of their buffers (8 bytes, a multiple of 8) follow the parameters. Who launches gives the
// parameters as ever and the runtime adds the addresses.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/plan/plan.h"
#include "ir/plan/turns.h"

namespace lac {

inline constexpr std::uint32_t push_constant_bytes = 128;  ///< what every Vulkan device has
inline constexpr std::uint32_t scalar_slot_bytes = 8;
inline constexpr std::int32_t arrivals_slot = 0;

enum class ResourceKind : std::uint8_t {
  values,        ///< elements of input `index` (dense, or the stored values of a sparse one)
  rest,          ///< of integers in textures: what `values`, which are singles, lack (ir/plan/fragment.h)
  row_pointers,  ///< of csr input `index`
  columns,       ///< of csr input `index`
  output,        ///< elements of matrix output `index`; holds its base's elements when the launch begins
  scalars,       ///< the scalar arena
  scratch,       ///< KernelShaders::scratch[index]
  parameters,    ///< the bytes of the parameters
  control,       ///< control::Buffer `index` of a control shader (control.h)
};

/// Which array of input `index` it is, where it is one.
std::optional<ArrayRole> array_of(ResourceKind kind);

struct Binding {
  std::uint32_t number = 0;
  ResourceKind kind = ResourceKind::values;
  std::uint32_t index = 0;
  bool written = false;
  bool read = true;
  Layout layout = Layout::buffer;
  std::string name;              ///< in the shader
  std::string type = {};         ///< there: of an element ("double"), or "sampler2D"; not of the parameters
  bool aliased = false;          ///< its memory may be another's too
  bool coherent = false;         ///< a workgroup reads there what others of the dispatch wrote
  std::int32_t address_at = -1;  ///< >= 0: no descriptor, but an address in this byte of the parameters' block
};

enum class ParameterKind : std::uint8_t {
  size,           ///< `size` as `type`: int32, or a floating type where it is a number
  scalar,         ///< the value of scalar input `index`, known to the host, as `type`
  scalar_input,   ///< int32: the arena slot of scalar input `index`
  scalar_output,  ///< int32: the arena slot of scalar output `index`
  groups,         ///< int32: the number of workgroups of stage `index` (x * y), or of those along `axis`
  seed,           ///< uint64: RunOptions::seed
  counter,        ///< uint64: the draws made so far
  part,           ///< int32: the number of the part that a render pass adds (fragment.h)
  control,        ///< of a control shader: what its structure in control.h says
};

/// uint64 is a `uvec2`, low word first.
enum class ParameterType : std::uint8_t { int32, float32, float64, uint64 };
inline constexpr std::uint32_t byte_size(ParameterType type) { return type < ParameterType::float64 ? 4 : 8; }

struct ShaderParameter {
  ParameterKind kind = ParameterKind::size;
  Size size = 0;
  std::uint32_t index = 0;
  std::int32_t axis = -1;  ///< groups; -1: of the stage as a whole
  ParameterType type = ParameterType::int32;
  std::uint32_t offset = 0;  ///< in bytes; 8-byte types are aligned to 8
  std::string name;
};

/// Workgroups of 256 invocations that the largest devices run at once.
inline constexpr std::int32_t groups_of_large_device = 1024;

/// Workgroups along one axis: ceil(elements / per_group), at least `least`, at most `most` (0: no limit of its own) as
/// long as no invocation makes too many turns that way (turns.h). Shaders stride over the rest, so any number from 1 on
/// would be right; this one is part of the kernel, as the tree of its reductions depends on it. Where the workgroups
/// along an axis share out sums, there are no more of them than make `filling` together with those along the axes
/// before.
struct GroupCount {
  Size elements = 1;
  std::int64_t per_group = 1;
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::int64_t filling = 0;  ///< 0: however many that makes
};

/// Memory of the launch alone: elements * (stage < 0 ? 1 : groups of that stage) * element_bytes, of those along one
/// axis alone where `axis` >= 0. Not initialised.
struct Scratch {
  Size elements = 0;
  std::int32_t stage = -1;
  std::uint32_t element_bytes = 8;
  std::int32_t axis = -1;
};

enum class StageKind : std::uint8_t { main, combine, control, copy };
std::string_view name(StageKind kind);

/// vertex and fragment: of the render-pass target (fragment.h), without workgroups.
enum class ShaderType : std::uint8_t { compute, vertex, fragment };

/// Something in front of main: a shared array, a function, a constant.
struct ShaderDefinition {
  std::string name;
  std::string text;
  std::int64_t shared_bytes = 0;  ///< > 0: a shared array
};

/// What its bindings say of each other's memory.
enum class ShaderMemory : std::uint8_t {
  unknown,
  distinct,  ///< all but aliased ones: loads may pass stores to others
  coherent,  ///< invocations read what others of the workgroup wrote
};

/// What the text of a stage is printed from, besides what ShaderStage says. Bindings, parameters and shared arrays are
/// referred to (codegen/glsl/text/stage_print.h) wherever they occur, so that they can be printed by other names.
struct ShaderSource {
  std::vector<std::string> comment;  ///< the lines at the top
  ShaderMemory memory = ShaderMemory::unknown;
  std::vector<ShaderDefinition> definitions;
  std::set<std::string> library;  ///< scalar functions that main calls
  std::string main;               ///< its statements, each line indented and ended
};

struct ShaderStage {
  std::string name;  ///< unique in the program: the shader's file name
  StageKind kind = StageKind::main;
  ShaderType type = ShaderType::compute;
  ShaderSource source;  ///< empty where `glsl` was written by hand
  std::string glsl;
  std::vector<std::uint32_t> spirv;  ///< filled in by codegen/glsl/spirv/spirv
  std::vector<Binding> bindings;
  std::vector<ShaderParameter> parameters;
  std::uint32_t parameter_bytes = 0;  ///< a multiple of 4, without addresses
  bool parameters_in_buffer = false;
  std::array<std::uint32_t, 3> workgroup = {256, 1, 1};
  std::array<GroupCount, 3> groups = {};
  std::vector<LoopTurns> loops;  ///< all of them; of a LoopShader, those of one trip that no kernel has
  bool float64 = false;          ///< needs shaderFloat64
};

/// Bytes of the parameters and the addresses behind them.
std::uint32_t block_bytes(const ShaderStage& stage);

struct KernelShaders {
  std::string name;
  std::vector<ShaderStage> stages;
  std::vector<Scratch> scratch;
  std::vector<KernelId> tail = {};  ///< of the kernels that it does behind its own (Plan::tails); they have no stages
  bool splits = false;  ///< there is a variant that splits long sums among workgroups: at most `split_stages` more
  /// Of a step: not where a size is above what stands here, as the host is sooner done then.
  std::vector<std::pair<Size, std::int64_t>> bounds = {};
};
inline constexpr std::int32_t split_stages = 2;

/// Shaders that belong to no kernel; see control.h for what each does and takes.
enum class ControlShader : std::uint8_t {
  copy_words,     ///< a buffer of its own for a value
  clear_words,    ///< the new elements of a matrix that grows in its buffer
  arm_chunk,      ///< the counts of a chunk's dispatches, from whether the loop is active
  close_trip,     ///< counts the trip and ends the loop where its condition is false
  set_predicate,  ///< the counts of a branch's arms
  check,          ///< ends the loop where a condition is false, with the check's number
  log_scalars,    ///< copies scalars to the chunk's record
  copy_scalars,   ///< sets arena slots, from numbers or from other slots
};
inline constexpr int control_shader_count = 8;

/// A whole loop as one dispatch of one workgroup; right where every stage of its kernels would have one workgroup. Each
/// dispatch makes a number of trips, at most loop_trips and few enough for the bound on turns (turns.h), and leaves
/// control::State; carried values stay in place, so that the next dispatch goes on. Stages in the order of the program,
/// values of the body each in memory of their own.
///
/// Bindings: `values`, `row_pointers` and `columns` of the matrix values[index], `scratch` scratch[index] (one
/// workgroup), `scalars`, and control::Buffer::state. Parameters: `size`; `scalar` the number of values[index] when the
/// loop is entered; `scalar_input` the arena slot of values[index], of scalars of the body slots of their own, and of
/// carried ones slots that hold them when the loop is entered; `control` with index 0 the loop's limit, 1 the entry
/// condition (as ArmParameters::entry), 2 the trips of the dispatch.
struct LoopShader {
  ShaderStage stage;
  std::vector<ValueId> values;
  std::vector<Scratch> scratch;
};
inline constexpr std::int32_t loop_trips = 4096;

struct ShaderProgram {
  IdVector<KernelId, KernelShaders> kernels;
  std::map<OpId, KernelShaders> steps;  ///< other ops that have shaders (scan, random, library steps): their inputs and
                                        ///< outputs are the op's operands and results; the rest are host steps
  std::map<OpId, LoopShader> loops;     ///< of the loops that have one
  std::vector<ShaderStage> control;     ///< by ControlShader
};

}  // namespace lac
