// Reductions: what an invocation accumulates, and how a workgroup adds that up.
//
// Order, fixed by the number of workgroups: an invocation combines its points in the order of its walk; a workgroup
// combines its invocations by a tree (lane n with lane n + w/2, then n + w/4, ...); where there are several workgroups,
// the combine stage hands their results out to its lanes in turns and adds by the same tree.
#pragma once

#include <string>

#include "codegen/glsl/kernel/context.h"

namespace lac::codegen::glsl {

/// The names of variables that hold a reduction so far. With a position (1-based int; 0: nothing but NaN so far) it is
/// the first extreme element's.
struct Accumulator {
  ReduceOp op = ReduceOp::sum;
  Element element = Element::real;  ///< of the result; its register's type is the variable's
  std::string value;
  std::string position;  ///< empty: no position is wanted
};

/// Declares its variables here, with the value of an empty reduction.
Accumulator declare_accumulator(StageWriter& writer, ReduceOp op, Element element, std::string_view wanted,
                                bool with_position);
/// One step. `value` is in the accumulator's element, `position` an int expression (not read without a position);
/// positions may come in any order.
void accumulate(StageWriter& writer, const Accumulator& accumulator, const std::string& value,
                const std::string& position);
/// Combines the accumulators of lanes whose numbers are equal modulo `results` (a power of two); the results are in
/// those of lanes 0 .. results - 1. All invocations of the workgroup must come by.
void emit_workgroup_tree(StageWriter& writer, const Accumulator& accumulator, std::uint32_t results = 1);

/// The bytes of a value in a buffer: 4 or 8.
std::uint32_t memory_bytes(Element element);

}  // namespace lac::codegen::glsl
