// The code generator as a library of its own (liblac_codegen.so), opened when something is to be compiled: it brings
// LLVM along, which takes longer to start than most programs to run. This header needs none of it.
#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/machine/bundle.h"
#include "codegen/llvm/machine/object.h"
#include "codegen/llvm/machine/unit.h"
#include "codegen/llvm/options.h"

namespace lac::codegen {

/// The functions of these names, of the same build as who calls them. Thread-safe.
struct Generator {
  decltype(&codegen::compile_kernel) compile_kernel;
  decltype(&codegen::compile_program) compile_program;
  decltype(&codegen::compile_loop) compile_loop;
  decltype(&codegen::emit_object) emit_object;
  decltype(&codegen::emit_llvm_text) emit_llvm_text;
  decltype(&codegen::emit_asm) emit_asm;
  decltype(&codegen::emit_entry) emit_entry;
  decltype(&codegen::machine_features) machine_features;
  decltype(&codegen::emit_bundle) emit_bundle;
};

inline constexpr const char* generator_library = "liblac_codegen.so";
inline constexpr const char* generator_symbol = "lac_code_generator";  ///< const Generator* lac_code_generator()
inline constexpr const char* generator_stamp_symbol =
    "lac_code_generator_stamp";  ///< const char* (), ir::interface_stamp

}  // namespace lac::codegen
