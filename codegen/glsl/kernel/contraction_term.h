// What a contraction sums: how its term depends on the coordinates, and its text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/glsl/kernel/body.h"
#include "ir/kernel/factors.h"

namespace lac::codegen::glsl {

/// Evaluates terms and adds them, the products by fma.
class TermEmitter {
 public:
  TermEmitter(StageWriter& writer, const KernelContext& context);

  /// Emits sum = sum + term at this point; only where `contributes` (a bool expression) holds, unless it is empty.
  void add(const std::string& sum, const Point& point, const std::string& matrix_element,
           const std::string& contributes);

 private:
  StageWriter& writer_;
  const Contraction& contraction_;
  std::optional<Factors> factors_;
  BodyEmitter body_;
};

/// A share of the terms of one sum (of KernelContext::part, where there is one), as int texts: those number `offset`
/// (empty: 0), offset + step, ... `lanes` is a lower bound of step. `in_all` says what all turns of the loop come to
/// where that is less than turns * the loops around it (StageWriter::open_loop).
struct Slice {
  std::string offset;
  std::string step = "1";
  std::int64_t lanes = 1;
  std::optional<std::vector<LoopTurns>> in_all = {};
};

/// Adds the terms of c at this point, or a slice of them, to the variable `sum`: a loop over k, over the entries of a
/// csr row, or over diagonals (all of them).
void emit_terms(StageWriter& writer, const KernelContext& context, const std::string& sum, const Point& point,
                const Slice& slice);

/// Where the entries of a row (an int expression) of a csr contraction's matrix begin, as an int expression.
std::string row_pointer(StageWriter& writer, const KernelContext& context, const std::string& row);

}  // namespace lac::codegen::glsl
