// first:step:last where a part is of an integer class.
#include "frontend/sema/values/ranges.h"

#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

struct Part {
  std::string_view refusal;
  bool has_limits;  ///< an increment may be negative whatever the class
};

constexpr Part base = {"colon operator lower bound invalid (not an integer or out of range for given integer type)",
                       true};
constexpr Part increment = {"colon operator increment invalid (not an integer)", false};
constexpr Part limit = {"colon operator upper bound invalid (not an integer or out of range for given integer type)",
                        true};

void require_part(Emitter& e, ValueId holds, const Part& part, Span span) {
  const auto known = e.constant_of(holds);
  if (known == 1.0) return;
  if (known == 0.0) e.fail(span, std::string(part.refusal));
  e.require(holds, std::string(part.refusal), {});
}

ValueId brought(Emitter& e, ValueId number, const IntegerClassInfo& to, const Part& part, Span span) {
  Builder& b = e.builder;
  const Element element = e.type(number).element;
  if (element == Element::logical || (element == Element::single && e.graph.precision != Element::single))
    e.fail(span, "incompatible types found in range expression");
  if (is_floating(element)) require_part(e, b.map(ScalarOp::eq, number, b.map(ScalarOp::round, number)), part, span);
  const ValueId whole = b.convert(number, Element::integer);
  const Interval known = e.intervals.of(whole);
  const auto bound = [&](double value) { return b.constant(value, Element::integer); };
  if (part.has_limits && !to.is_wide() && !(known.low >= to.lowest() && known.high <= to.highest()))
    require_part(e,
                 b.map(ScalarOp::logical_and, b.map(ScalarOp::ge, whole, bound(to.lowest())),
                       b.map(ScalarOp::le, whole, bound(to.highest()))),
                 part, span);
  return whole;
}

}  // namespace

void bring_range(Emitter& e, RangeParts& parts, Span span) {
  const IntegerClassInfo& to = info(parts.integer_class);
  parts.first = brought(e, parts.first, to, base, span);
  parts.step = brought(e, parts.step, to, increment, span);
  parts.last = brought(e, parts.last, to, limit, span);
}

}  // namespace lac::frontend
