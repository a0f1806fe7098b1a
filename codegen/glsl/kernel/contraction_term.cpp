#include "codegen/glsl/kernel/contraction_term.h"

#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

/// What is evaluated of the prologue.
std::vector<InstrId> roots(const Contraction& contraction, const std::optional<Factors>& factors) {
  if (factors) return {factors->left, factors->right};
  if (contraction.values.size() != 1) throw InternalError("a shader with several sums of a contraction");
  return {contraction.values[0]};
}

}  // namespace

TermEmitter::TermEmitter(StageWriter& writer, const KernelContext& context)
    : writer_(writer),
      contraction_(*context.kernel.contraction),
      factors_(factors_of(contraction_)),
      body_(writer, context, contraction_.prologue, roots(contraction_, factors_)) {}

void TermEmitter::add(const std::string& sum, const Point& point, const std::string& matrix_element,
                      const std::string& contributes) {
  body_.evaluate(point, {.matrix_element = matrix_element, .contraction = {}});
  const auto text = [&](InstrId id) { return body_.value_as(id, contraction_.element).text; };
  const std::string added = factors_ ? "fma(" + text(factors_->left) + ", " + text(factors_->right) + ", " + sum + ")"
                                     : sum + " + " + text(contraction_.values[0]);
  writer_.line(sum + " = " + (contributes.empty() ? added : contributes + " ? " + added + " : " + sum) + ";");
}

}  // namespace lac::codegen::glsl
