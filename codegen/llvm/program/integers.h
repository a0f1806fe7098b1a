// Integers of straight code: beside its double each may have an i64, its extent (ProgramBuilder::define_extent), by
// which subscripts, comparisons and mod need no conversion. LLVM drops the form that nobody asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/llvm/program/builder.h"
#include "ir/graph/intervals.h"
#include "ir/graph/signed_zeros.h"

namespace lac::codegen {

class StraightIntegers {
 public:
  explicit StraightIntegers(ProgramBuilder& p);

  /// An integer scalar that is never NaN: loops and branches carry its extent.
  bool is_counted(ValueId value);
  /// Whether it is counted and no larger than what doubles hold exactly.
  bool is_bounded(ValueId value);
  /// And never -0: its double is nothing but its i64.
  bool is_i64(ValueId value);
  /// The map by the extents of its operands, where that is the same: comparisons with what surely is an extent, mod.
  bool emit_map(OpId map);
  /// The extent of a map that is defined, where it follows from those of the operands.
  void note_map(OpId map);
  void note_convert(OpId convert);
  /// The number of the trip of a loop.
  void note_trips(ValueId trip) { p_.note_most_trips(trip, intervals_.of(trip).high); }

  /// Integers that a loop carries, without a bound that is known, and what most of its trips find them within: then all
  /// that a trip computes of them is exact, and done by i64s.
  struct Assumption {
    std::vector<ValueId> arguments;
    std::int64_t most = 0;  ///< of their magnitudes
  };
  /// Nothing where it would save nothing, or the trip does more than compute.
  std::optional<Assumption> assumption_for(OpId loop);
  /// `emit` for trips that have asked.
  void under(const Assumption& assumption, llvm::function_ref<void()> emit);

 private:
  Interval bounds(ValueId value);
  enum class Gain : std::uint8_t { none, some, all };
  Gain gain_by(OpId loop, const Assumption& assumption);
  bool is_truth(ValueId value) const;
  bool emit_decided(const Op& map);
  llvm::Value* compared(const Op& map);
  bool is_modulo(const Op& map) const;
  void emit_modulo(OpId map);
  bool note_exact(OpId map);
  bool emit_bits(const Op& map);
  llvm::Value* remainder(llvm::Value* number, llvm::Value* modulus, bool is_positive);
  std::optional<std::int64_t> small_step(ValueId value) const;
  const Op* as_map(ValueId value, ScalarOp function) const;
  struct Quotient {
    ValueId number;  ///< an integer
    std::int64_t divisor;
  };
  std::optional<Quotient> whole_quotient(ValueId value) const;
  llvm::Value* emit_quotient(const Quotient& quotient);

  ProgramBuilder& p_;
  Intervals intervals_;
  SignedZeros zeros_;
  std::optional<Intervals> assumed_;  ///< in trips that have asked
};

/// A scalar map as the interpreter has it.
llvm::Value* emit_map_in_double(ProgramBuilder& p, OpId map);

}  // namespace lac::codegen
