#include "ir/graph/attributes.h"

#include <cmath>
#include <limits>

namespace lac {

std::string_view name(Axis axis) {
  static constexpr std::string_view names[] = {"rows", "cols", "all"};
  return names[static_cast<int>(axis)];
}

std::string_view name(ReduceOp op) {
  static constexpr std::string_view names[] = {"sum", "prod", "min", "max", "any", "all"};
  return names[static_cast<int>(op)];
}

Element reduced_element(ReduceOp op, Element element) {
  if (op == ReduceOp::any || op == ReduceOp::all) return Element::logical;
  return element == Element::logical ? Element::integer : element;
}

double identity(ReduceOp op) {
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr double identities[] = {0, 1, nan, nan, 0, 1};
  return identities[static_cast<int>(op)];
}

double combine(ReduceOp op, double accumulator, double value) {
  switch (op) {
    case ReduceOp::sum: return accumulator + value;
    case ReduceOp::prod: return accumulator * value;
    case ReduceOp::min: return evaluate(ScalarOp::min, accumulator, value);
    case ReduceOp::max: return evaluate(ScalarOp::max, accumulator, value);
    case ReduceOp::any: return accumulator != 0 || value != 0;
    case ReduceOp::all: return accumulator != 0 && value != 0;
  }
  return value;
}

std::string_view name(LibraryFn fn) {
  static constexpr std::string_view names[] = {
#define LAC_LIBRARY(name, fewest, most, results, code, voice) #name,
#include "ir/graph/library.def"
#undef LAC_LIBRARY
  };
  return names[static_cast<int>(fn)];
}

}  // namespace lac
