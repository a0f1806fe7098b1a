// A Plan compiled into this process.
#pragma once

#include <memory>
#include <span>

#include "codegen/llvm/options.h"
#include "ir/graph/graph.h"
#include "ir/plan/abi.h"
#include "ir/support/result.h"

namespace lac::codegen {

/// A C function that generated code may call: the runtime's, handed over by who links both (see runtime/cpu/symbols.h).
struct HostSymbol {
  const char* name;
  void* address;
};

/// Owns the code; `entry` is valid as long as it lives. May be called from several threads, each with its own Context.
class JitProgram {
 public:
  JitProgram(JitProgram&&) noexcept;
  JitProgram& operator=(JitProgram&&) noexcept;
  ~JitProgram();

  abi::ProgramFunction entry() const;

 private:
  struct State;
  explicit JitProgram(std::unique_ptr<State> state);
  friend Result<JitProgram> jit(const Graph&, const CodegenOptions&, std::span<const HostSymbol>);

  std::unique_ptr<State> state_;
};

/// Compiles a graph in phase plan. Functions of libm come from the process, SLEEF's from libsleef where code needs it.
Result<JitProgram> jit(const Graph& plan, const CodegenOptions& options, std::span<const HostSymbol> runtime);

}  // namespace lac::codegen
