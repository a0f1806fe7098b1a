// Points of a kernel's domain, and the loads and stores at them.
#pragma once

#include "codegen/llvm/kernel/function.h"

namespace lac::codegen {

/// A value for each sum of a contraction.
using Sums = llvm::SmallVector<Value*, 2>;

/// `lanes` neighbouring points: lane l is at (i + l*step_i, j + l*step_j, k + l*step_k), all i64, steps 0 or 1.
struct Points {
  Value* i = nullptr;
  Value* j = nullptr;
  Value* k = nullptr;  ///< null outside a contraction
  bool step_i = false, step_j = false, step_k = false;
  Value* ks = nullptr;  ///< where k differs from lane to lane, it (<lanes x i32>): k is 0 then (is_product_of_entries)
  /// Vectors of several columns of so many rows: lane l is at (i + l mod column, j + l / column).
  unsigned column = 0;
  bool flat = false;  ///< i is the position in a domain walked as one vector, j is 0
  unsigned lanes = kernel_lanes;
  Value* mask =
      nullptr;  ///< <lanes x i1>: the points that exist; null when all do. Lane 0 of the domain's points does.
  bool interior = false;  ///< all of them in the kernel's Interior
  Value* matrix_element = nullptr;
  Sums sums = {};            ///< of a contraction
  bool leads = false;        ///< contiguous loads fetch what is a page ahead of them
  unsigned before = 0;       ///< points of the vector that these are a part of
  Value* later_k = nullptr;  ///< where it is given, what contiguous loads will want there is fetched
};

/// The 1-based positions of gather instructions, as loaded; null for an affine axis.
struct GatheredPositions {
  TypedValue row, col;
};

/// The element of `input` at every point, in registers. Lanes outside the mask hold anything.
Value* emit_load(KernelFunction& f, const Points& points, std::uint32_t input, const AccessMap& map,
                 const GatheredPositions& gathered);

/// The same of an output that a nest before this one stored.
Value* emit_reload(KernelFunction& f, const Points& points, std::uint32_t output, const AccessMap& map,
                   const GatheredPositions& gathered);

/// Stores registers of element `element` (converted to the output's) at every point of the mask, lane 0 first.
void emit_store(KernelFunction& f, const Points& points, std::uint32_t output, const AccessMap& map,
                const GatheredPositions& gathered, TypedValue value);

/// Asks for the cache lines of so many bytes.
void fetch(KernelFunction& f, Value* first, std::int64_t bytes);

/// `lanes` elements from `pointer` on, masked lanes are zero.
Value* load_contiguous(KernelFunction& f, Element element, Value* pointer, unsigned lanes, Value* mask,
                       double passthrough = 0);
void store_contiguous(KernelFunction& f, Element element, Value* pointer, Value* value, Value* mask);

/// A number as it lies in memory, of a memory type or in all lanes of a vector of it.
llvm::Constant* memory_number(llvm::Type* type, double value);
inline llvm::Align element_align(Element element) {
  return llvm::Align(static_cast<std::uint64_t>(byte_size(element)));
}

/// The lanes below `count` (i64) of a vector.
Value* first_lanes(KernelFunction& f, Value* count, unsigned lanes);

/// Integer coordinates first + lane (where it steps), as double.
Value* coordinates(KernelFunction& f, Value* first, bool steps, unsigned lanes);
/// floor(a / b) of registers of i64, |a| < 2^53, b > 0.
Value* floor_divide(KernelFunction& f, Value* a, Value* b);

}  // namespace lac::codegen
