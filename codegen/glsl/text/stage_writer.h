// One stage under construction: its bindings, its parameters and its source.
//
// The text of main has two parts: the head, which every invocation runs once (scalars and what is computed from them
// alone), and the rest. Coordinates, positions and sizes are `int`. What a shader names in its global scope: bindings
// as unsized arrays (`x[...]`), parameters (`n`), `scalars` (the arena), shared arrays. The functions that make them
// return references to them (stage_print.h). Names made by `local` differ from all of them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/glsl/options.h"
#include "codegen/glsl/scalar/scalar_math.h"
#include "codegen/glsl/text/names.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

class StageWriter {
 public:
  /// `name` is the stage's; `comment` stands at the top of the text, line by line.
  StageWriter(const Graph& plan, const GlslOptions& options, std::string name, StageKind kind,
              std::vector<std::string> comment);

  // Text of main, indented by the blocks that are open.
  void line(const std::string& text);
  void open(const std::string& head);  ///< "if (...)" -> "if (...) {"
  void close();
  /// Opens a loop: "for (...)" and its turns, once for every turn of the loops that are open. `line` and `open` refuse
  /// loops, so that none is forgotten (turns.h).
  void open_loop(const std::string& head, TurnCount turns);
  /// The same where this says better what all turns of the loop come to; they are still counted for loops inside.
  void open_loop(const std::string& head, TurnCount turns, std::vector<LoopTurns> in_all);
  /// Text with loops, as it stands, and the turns of all of them in one turn of the loops that are open.
  void text_with_loops(const std::string& text, const std::vector<LoopTurns>& turns);
  /// A line of the head: in scope everywhere in main.
  void head(const std::string& text);
  /// From now on lines of the head stand where they are asked for: they read what main wrote.
  void end_head() { head_ended_ = true; }
  /// The same, unless the head already has that line.
  void head_once(const std::string& text);
  /// A function or a constant in front of main, there once by its name.
  void declare(const std::string& name, const std::string& text);
  /// An array that the workgroup shares; the same name and type give the same array.
  std::string shared_array(const std::string& name, std::string_view type, std::int64_t count);
  /// A name that nothing else of the shader has: "sum", "sum_2", ...
  std::string local(std::string_view wanted) { return names_.take(wanted); }

  // Resources. Each is bound once, on first use; later uses add to what is read and written.
  /// A binding as an array of `memory_type`; wanted is its name in the program.
  std::string buffer(ResourceKind kind, std::uint32_t index, std::string_view memory_type, std::string_view wanted,
                     bool read, bool written);
  /// A texture as a sampler2D.
  std::string texture(ResourceKind kind, std::uint32_t index, std::string_view wanted);
  /// An image2D that texels are stored to.
  std::string image(ResourceKind kind, std::uint32_t index, std::string_view wanted);
  /// A render target, by its location.
  void target(std::uint32_t location, const std::string& name);
  /// The memory of this binding may be another's too: its block gets no qualifiers.
  void may_alias(ResourceKind kind, std::uint32_t index) { aliased_.insert({kind, index}); }
  /// Workgroups read in this binding what others of the dispatch wrote.
  void is_coherent(ResourceKind kind, std::uint32_t index) { coherent_.insert({kind, index}); }
  /// All other bindings are distinct memory: loads may pass stores to them.
  void is_otherwise_distinct() { stage_.source.memory = ShaderMemory::distinct; }
  /// An int expression, safe inside any other: a literal or a parameter.
  std::string size(const Size& size);
  /// A size as a value of this element; floating sizes are exact past 2^31 too.
  TypedText size_value(const Size& size, Element element);
  /// The number of workgroups (x * y) of a stage, or of those along an axis, as int.
  std::string groups_of(std::uint32_t stage, std::int32_t axis = -1);
  /// A parameter of any kind; the same kind, index, axis, size and type give the same parameter.
  std::string parameter(ShaderParameter wanted);

  // Scalars.
  /// A scalar input that the host knows, in the register of `as` (converted by the host).
  TypedText host_scalar(std::uint32_t input, Element as, std::string_view wanted);
  /// A scalar input in the arena, read once in the head.
  TypedText device_scalar(std::uint32_t input, Element element, std::string_view wanted);
  /// `value` (in the register of `element`) to the arena slot of a scalar output.
  void write_scalar(std::uint32_t output, Element element, const std::string& value, std::string_view wanted);
  /// The count of workgroups that are done (arrivals_slot), a uint in memory.
  std::string arrivals();

  /// Functions that apply_text and combine_text ask for.
  FunctionSet& functions() { return stage_.source.library; }
  const GlslOptions& options() const { return options_; }
  const Graph& plan() const { return plan_; }

  /// The finished stage. `workgroup` has workgroup_size invocations in x unless told.
  ShaderStage finish(const std::array<GroupCount, 3>& groups);
  ShaderStage finish(const std::array<GroupCount, 3>& groups, const std::array<std::uint32_t, 3>& workgroup);
  /// The finished fragment shader.
  ShaderStage finish_fragment();

 private:
  void define(ShaderDefinition definition);
  Binding& bind(ResourceKind kind, std::uint32_t index, std::string_view type, std::string_view wanted);
  std::string scalars(bool read, bool written);
  ShaderStage finish();
  void put(const std::string& text);
  void count(LoopTurns turns);

  const Graph& plan_;
  const GlslOptions& options_;
  ShaderStage stage_;
  Names names_;
  std::set<std::pair<ResourceKind, std::uint32_t>> aliased_, coherent_;
  std::map<std::string, std::string> device_scalars_;
  std::string head_, text_;
  bool head_ended_ = false;
  int depth_ = 1;
  std::vector<std::pair<int, TurnCount>> open_loops_;  ///< the depth each was opened at
};

/// What the type of a parameter is called in a shader.
std::string_view glsl_type(ParameterType type);

/// The scalar of this element in a slot of the arena (ir/plan/shader.h), as a register; `cell` names the slot.
std::string from_slot(const std::string& cell, Element element);
/// A register's value as a slot has it.
std::string to_slot(const TypedText& value);
/// Element `index` (an int expression) of a packed texture, as a register of `element`.
std::string packed_element(StageWriter& writer, const std::string& texture, const std::string& index, Element element);
/// Of two packed textures, as a double.
std::string packed_double(StageWriter& writer, const std::string& values, const std::string& rest,
                          const std::string& index);
/// The double of the nearest single and the rest; and the rest of a double.
std::string whole_text(const std::string& value, const std::string& rest);
std::string rest_text(StageWriter& writer, const std::string& number);
/// How memory of this element is read: `text` names an element of a buffer.
std::string from_memory(const std::string& text, Element element);
/// A register's value as memory has it.
std::string to_memory(const std::string& text, Element element);

}  // namespace lac::codegen::glsl
