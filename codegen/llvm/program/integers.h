// Integers of straight code: beside its double each may have an i64, its extent (ProgramBuilder::define_extent), by
// which subscripts, comparisons and mod need no conversion. LLVM drops the form that nobody asks for.
#pragma once

#include <cstdint>
#include <optional>

#include "codegen/llvm/program/builder.h"
#include "ir/graph/intervals.h"

namespace lac::codegen {

class StraightIntegers {
 public:
  explicit StraightIntegers(ProgramBuilder& p);

  /// An integer scalar that is never NaN: loops and branches carry its extent.
  bool is_counted(ValueId value);
  /// Whether it is counted and no larger than what doubles hold exactly.
  bool is_bounded(ValueId value);
  /// The map by the extents of its operands, where that is the same: comparisons with what surely is an extent, mod.
  bool emit_map(OpId map);
  /// The extent of a map that is defined, where it follows from those of the operands.
  void note_map(OpId map);
  void note_convert(OpId convert);

 private:
  bool emit_decided(const Op& map);
  llvm::Value* compared(const Op& map);
  bool is_modulo(const Op& map) const;
  void emit_modulo(OpId map);
  bool note_exact(OpId map);
  bool emit_bits(const Op& map);
  llvm::Value* remainder(llvm::Value* number, llvm::Value* modulus, bool is_positive);
  std::optional<std::int64_t> small_step(ValueId value) const;

  ProgramBuilder& p_;
  Intervals intervals_;
};

/// A scalar map as the interpreter has it.
llvm::Value* emit_map_in_double(ProgramBuilder& p, OpId map);

}  // namespace lac::codegen
