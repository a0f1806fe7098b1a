// A scalar body evaluated at a point.
#pragma once

#include <string>
#include <vector>

#include "codegen/glsl/kernel/access.h"

namespace lac::codegen::glsl {

/// What a body may refer to besides inputs.
struct BodySources {
  std::string matrix_element;  ///< a register of the matrix's element
  std::string contraction;     ///< a register of the contraction's element
};

enum class Rounding : std::uint8_t {
  exact,  ///< every instruction rounds: variables are `precise`
  free,   ///< multiplications and additions may become one, as in products
};

class BodyEmitter {
 public:
  /// Evaluates what `roots` need of the body, and nothing else.
  BodyEmitter(StageWriter& writer, const KernelContext& context, const Body& body, const std::vector<InstrId>& roots,
              Rounding rounding = Rounding::exact);

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
  /// Whether some root needs the contraction's value.
  bool needs_contraction() const;

 private:
  /// What is known of an instruction's value. Text is only made from it when somebody asks.
  struct Local {
    TypedText value;      ///< empty text: `integer`, the size or the scalar input say it
    std::string integer;  ///< as an int expression; may be empty
    double bound = 0;     ///< |integer| is at most this
    bool emitted = false;
  };
  Local emit(InstrId id, const Point& point, const BodySources& sources);
  Local apply(InstrId id);
  Local apply_integers(const Instr& instr);
  Local load(const Instr& instr, const Point& point);
  Local keep(const TypedText& value, std::string_view wanted, bool uniform);

  StageWriter& writer_;
  const KernelContext& context_;
  const Body& body_;
  Rounding rounding_;
  std::vector<bool> needed_, uniform_;
  std::vector<Local> locals_;
};

}  // namespace lac::codegen::glsl
