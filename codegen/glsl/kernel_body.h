// A scalar body evaluated at a point.
#pragma once

#include <string>
#include <vector>

#include "codegen/glsl/kernel_access.h"

namespace lac::codegen::glsl {

/// What a body may refer to besides inputs.
struct BodySources {
  std::string matrix_element;  ///< a register of the matrix's element
  std::string contraction;     ///< a register of the contraction's element
};

class BodyEmitter {
 public:
  BodyEmitter(StageWriter& writer, const KernelContext& context, const Body& body);

  /// Emits the body here. What is the same at every point goes to the head of main instead. May be called again for
  /// other points: values of the last call count.
  void evaluate(const Point& point, const BodySources& sources);

  /// The value of an instruction: a name or a literal, in the register of its element.
  TypedText value(InstrId id) const;
  /// The same converted; integers that are known as `int` become single without double arithmetic.
  TypedText value_as(InstrId id, Element element) const;
  /// The value of an integer instruction as an int expression.
  std::string integer(InstrId id) const;
  GatheredPositions gathered(const AccessMap& map) const;

 private:
  /// A value in a register, and as an `int` of at most this magnitude where it is known as such.
  struct Local {
    TypedText value;
    std::string integer;
    double bound = 0;
    bool uniform = false;
    int input = -1;  ///< a scalar input as it is
  };
  Local emit(const Instr& instr, const Point& point, const BodySources& sources);
  Local apply(const Instr& instr);
  Local load(const Instr& instr, const Point& point);
  Local keep(TypedText value, bool uniform);

  StageWriter& writer_;
  const KernelContext& context_;
  const Body& body_;
  std::vector<Local> locals_;
};

}  // namespace lac::codegen::glsl
