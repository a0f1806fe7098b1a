// Scalar functions: what a kernel body is made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/types/type.h"

namespace lac {

enum class ScalarOp : std::uint8_t {
#define LAC_SCALAR_OP(name, arity, result, work) name,
#include "ir/scalar/scalar_ops.def"
#undef LAC_SCALAR_OP
};

inline constexpr int scalar_op_count = 0
#define LAC_SCALAR_OP(name, arity, result, work) +1
#include "ir/scalar/scalar_ops.def"
#undef LAC_SCALAR_OP
    ;

enum class ScalarResult : std::uint8_t { arithmetic, floating, truth, choice };

struct ScalarOpInfo {
  std::string_view name;
  int arity;
  ScalarResult result;
};

const ScalarOpInfo& info(ScalarOp op);
inline std::string_view name(ScalarOp op) { return info(op).name; }
std::optional<ScalarOp> scalar_op_named(std::string_view name);

/// The element of the result; `precision` is what integers become under a floating rule.
Element result_element(ScalarOp op, const Element* operands, Element precision);

/// The value in double, with Octave's rules for NaN, signed zero and domain errors (NaN). Operands past the arity are
/// ignored. This is the definition that every target is tested against.
double evaluate(ScalarOp op, double a, double b = 0, double c = 0);

/// `value` as a variable of this element holds it: rounded to binary32 for single, 0 or 1 for logical.
double round_to(Element element, double value);

/// evaluate, rounded to `element`. For single the function is evaluated in double and rounded once.
double evaluate_as(Element element, ScalarOp op, double a, double b = 0, double c = 0);

}  // namespace lac
