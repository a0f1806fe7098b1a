#include "codegen/llvm/generator.h"

#include "ir/support/interface_stamp.h"

extern "C" __attribute__((visibility("default"))) const char* lac_code_generator_stamp() {
  return lac::ir::interface_stamp();
}

extern "C" __attribute__((visibility("default"))) const lac::codegen::Generator* lac_code_generator() {
  namespace codegen = lac::codegen;
  static constexpr codegen::Generator generator = {
      codegen::compile_kernel, codegen::compile_program,  codegen::compile_loop,
      codegen::emit_object,    codegen::emit_llvm_text,   codegen::emit_asm,
      codegen::emit_entry,     codegen::machine_features, codegen::emit_bundle};
  return &generator;
}
