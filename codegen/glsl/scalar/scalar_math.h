// The scalar functions as GLSL: one table indexed by ScalarOp, beside evaluate (ir/scalar) and LLVM (codegen/llvm).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "codegen/glsl/options.h"
#include "codegen/glsl/text/literal.h"
#include "ir/graph/attributes.h"

namespace lac::codegen::glsl {

/// How a value of this element is held in a GLSL variable: bool, double (real and integer), float.
std::string_view register_type(Element element);
/// How it is stored in a buffer: uint, double, float.
std::string_view memory_type(Element element);

struct TypedText {
  std::string text;  ///< an expression without side effects, safe to use inside any other (parenthesised or a name)
  Element element = Element::real;
};

/// `value` as `to`: round_to of evaluate.h.
std::string convert_text(const TypedText& value, Element to);
/// Functions that a shader's text needs in front of it: filled by apply_text, turned into text by library_text. All
/// their names begin with "lac_", so other names in a shader must not.
using FunctionSet = std::set<std::string>;

/// op over operands, rounded to `element`, as evaluate_as means it (single operands are computed in float, not double).
/// Operands are names or literals: they may be used more than once.
std::string apply_text(ScalarOp op, Element element, const std::vector<TypedText>& operands, const GlslOptions& options,
                       FunctionSet& functions);
/// One step of a reduction on values of `element`.
std::string combine_text(ReduceOp op, Element element, const std::string& accumulator, const std::string& value,
                         FunctionSet& functions);
/// The definitions of these functions and of what they call, in order, each once.
std::string library_text(const FunctionSet& functions);
/// At most so many turns do the loops of our functions make that `text` calls.
std::int64_t library_turns(std::string_view text);

}  // namespace lac::codegen::glsl
