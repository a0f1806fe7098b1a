// The walk over a loop's body that puts its shader together. Internal to codegen/glsl.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codegen/glsl/program/loop.h"
#include "codegen/glsl/scalar/scalar_math.h"

namespace lac::codegen::glsl {

/// Thrown: what stands against one shader for the whole loop.
struct NoLoopShader {};

/// Collects the parts of the shader while it walks the body.
class LoopWriter {
 public:
  LoopWriter(const Plan& plan, const Op& loop, const IdVector<KernelId, KernelShaders>& kernels,
             const GlslOptions& options)
      : plan_(plan), loop_(loop), body_(plan.blocks[loop.blocks[0]]), kernels_(kernels), options_(options) {}

  LoopShader write();

 private:
  struct Unit {
    ResourceKind kind;
    std::uint32_t index;
    std::string type;  ///< of an element in memory
    bool written = false;
  };
  /// A launch; operands and results with those of its tail.
  struct Launched {
    const Op& op;
    std::vector<ValueId> operands, results;
  };
  struct Copy {
    std::string from, to, type;
    Size count;
  };

  bool inside(ValueId value) const { return inside_.contains(value); }
  bool on_device(ValueId value) const { return plan_.places[value] == Place::device; }
  const Type& type(ValueId value) const { return plan_.type(value); }

  void find_memory();
  ValueId memory(ValueId value) const;
  std::uint32_t index_of(ValueId value);
  /// A reference to memory of the shader.
  std::string unit(ResourceKind kind, std::uint32_t index, const std::string& type, bool written);
  std::string values_unit(ValueId value, const std::string& type, bool written);
  std::string parameter(ShaderParameter wanted, const std::string& name);
  std::string slot(ValueId value);
  void no_inner_size(const Size& size);
  void line(const std::string& text) { main_ += text + "\n"; }

  void op(OpId id);
  void host_scalar(const Op& op);
  std::string declare_host(ValueId value);
  std::string size_text(const Size& size);
  TypedText host(ValueId value);
  void launch(OpId launch);
  void count_turns(const Op& op, LoopTurns turns);
  bool has_inner_value(const Size& size) const;
  std::string stage(const Launched& launched, const ShaderStage& stage, std::uint32_t first_scratch);
  std::string binding_memory(const Op& op, const Binding& binding, std::uint32_t first_scratch);
  std::string stage_parameter(const Launched& launched, const ShaderParameter& parameter, const std::string& name,
                              std::string& before);
  std::string changing(ParameterType type, const std::string& name, const std::string& value, std::string& before);
  std::string define(const ShaderDefinition& definition, const std::string& prefix);
  void back_edge();
  void copy_matrices();
  void copy_scalars();
  std::string prologue();
  std::string epilogue();
  ShaderSource source(const std::string& head, const std::string& tail) const;
  ShaderStage assemble(ShaderSource source);

  const Plan& plan_;
  const Op& loop_;
  const Block& body_;
  const IdVector<KernelId, KernelShaders>& kernels_;
  const GlslOptions& options_;

  LoopShader shader_;
  std::unordered_set<ValueId> inside_;
  std::unordered_map<ValueId, ValueId> memory_;
  std::vector<std::pair<std::string, Unit>> units_;
  std::vector<ShaderParameter> parameters_;
  std::unordered_map<ValueId, TypedText> host_;
  std::map<std::string, std::string> defined_;  ///< the names of definitions, and their texts in their stages
  std::vector<ShaderDefinition> globals_, definitions_;
  FunctionSet functions_;
  std::string main_;
  std::vector<LoopTurns> turns_;  ///< of the back edge
  std::int64_t shared_bytes_ = 0;
  std::size_t stages_ = 0;
  bool float64_ = false;
};

}  // namespace lac::codegen::glsl
