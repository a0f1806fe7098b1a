#include "frontend/sema/arrays/operators.h"

#include <algorithm>
#include <optional>

#include "frontend/sema/arrays/picking.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/operators.h"

namespace lac::frontend {
namespace {

std::vector<Array> of_one_count(const Emitter& e, const std::vector<Binding>& operands) {
  std::vector<Array> arrays;
  std::size_t count = 2;
  for (const Binding& operand : operands) {
    arrays.push_back(array_of(e, operand));
    count = std::max(count, arrays.back().count());
  }
  for (Array& array : arrays) array.extents = padded(array.extents, count);
  return arrays;
}

/// The extent that all have along one dimension, those of 1 aside.
Size common_extent(Emitter& e, const std::vector<Array>& arrays, std::size_t k, const std::string& name, Span span) {
  const Array* first = nullptr;
  for (const Array& array : arrays) {
    if (array.extents[k].is(1)) continue;
    if (!first || (!first->extents[k].is_constant() && array.extents[k].is_constant())) first = &array;
  }
  if (!first) return 1;
  for (const Array& array : arrays) {
    if (array.extents[k].is(1) || &array == first) continue;
    const std::vector<Size> left = trimmed(arrays.front().extents), right = trimmed(arrays.back().extents);
    std::vector<Size> shown = left;
    shown.insert(shown.end(), right.begin(), right.end());
    require_equal(e, first->extents[k], array.extents[k], span,
                  name + ": nonconformant arguments (op1 is " + extents_text(e, left) + ", op2 is " +
                      extents_text(e, right) + ")",
                  shown,
                  name + ": nonconformant arguments (op1 is " + extents_format(left.size()) + ", op2 is " +
                      extents_format(right.size()) + ")");
  }
  return first->extents[k];
}

bool is_scalar(const Array& array) {
  return std::ranges::all_of(array.extents, [](const Size& extent) { return extent.is(1); });
}

bool broadcasts(const Array& array, const std::vector<Size>& extents, std::size_t k) {
  return array.extents[k].is(1) && !extents[k].is(1);
}

bool spans(const Array& array, const std::vector<Size>& extents, std::size_t first, std::size_t end) {
  for (std::size_t k = first; k < end; ++k)
    if (broadcasts(array, extents, k)) return false;
  return true;
}

bool repeats(const Array& array, std::size_t first, std::size_t end) {
  for (std::size_t k = first; k < end; ++k)
    if (!array.extents[k].is(1)) return false;
  return true;
}

/// Whether the array broadcasts as a matrix does whose columns begin with dimension `split`.
bool fits(const Array& array, const std::vector<Size>& extents, std::size_t split) {
  const std::size_t count = extents.size();
  const bool rows = spans(array, extents, 0, split) || repeats(array, 0, split);
  return rows && (spans(array, extents, split, count) || repeats(array, split, count));
}

/// Where the columns begin so that most arrays broadcast as matrices do.
std::size_t best_split(const std::vector<Array>& arrays, const std::vector<Size>& extents) {
  std::size_t best = extents.size() - 1, most = 0;
  for (std::size_t split = extents.size() - 1; split > 0; --split) {
    const auto fitting = static_cast<std::size_t>(
        std::ranges::count_if(arrays, [&](const Array& array) { return fits(array, extents, split); }));
    if (fitting > most) {
      most = fitting;
      best = split;
    }
  }
  return best;
}

/// The array with its elements repeated until it has these extents.
Array expanded(Emitter& e, const Array& array, const std::vector<Size>& extents) {
  std::vector<Pick> picks;
  for (std::size_t k = 0; k < extents.size(); ++k)
    picks.push_back(broadcasts(array, extents, k) ? run_of(0, 0, extents[k]) : all_of(array.extents[k]));
  return picked(e, array, picks);
}

}  // namespace

Binding of_elements(Emitter& e, const Binding& value, const std::function<ValueId(ValueId)>& made) {
  if (!value.is_array()) return Binding::matrix(made(value.value));
  const Array array = array_of(e, value);
  return laid_out(e, made(array.elements), array.extents);
}

Aligned aligned(Emitter& e, const std::vector<Binding>& operands, const std::string& name, Span span) {
  std::vector<Array> arrays = of_one_count(e, operands);
  Aligned result;
  for (std::size_t k = 0; k < arrays.front().count(); ++k)
    result.extents.push_back(common_extent(e, arrays, k, name, span));
  const std::vector<Size>& extents = result.extents;
  const std::size_t split = best_split(arrays, extents), count = extents.size();
  for (Array& array : arrays) {
    if (is_scalar(array)) {
      result.operands.push_back(array.elements);
      continue;
    }
    if (!fits(array, extents, split)) array = expanded(e, array, extents);
    // Extents that were found equal go by one name.
    const auto side = [&](std::size_t first, std::size_t end) {
      return repeats(array, first, end) ? Size(1) : product(extents, first, end);
    };
    result.operands.push_back(viewed(e, array.elements, side(0, split), side(split, count)));
  }
  return result;
}

Binding array_binary(Emitter& e, ast::BinaryOp op, const Binding& a, const Binding& b, Span span) {
  using Op = ast::BinaryOp;
  const auto scalar = [&](const Binding& x) { return !x.is_array() && e.type(x.value).is_scalar(); };
  const auto matrix = [&](const Binding& x) { return x.is_array() ? as_matrix(e, x) : x.value; };
  const bool by_elements = (op == Op::multiply && (scalar(a) || scalar(b))) || (op == Op::divide && scalar(b)) ||
                           (op == Op::left_divide && scalar(a));
  if (op == Op::power)
    e.fail(span,
           "for x^y, only square matrix arguments are permitted and one argument must be scalar.  Use .^ for "
           "elementwise power.");
  const bool of_matrices = op == Op::multiply || op == Op::divide || op == Op::left_divide;
  if (of_matrices && !by_elements) {  // Octave takes n1 x (n2*n3*...) for them
    const ValueId left = matrix(a), right = matrix(b);
    e.operands = {{}, {}, span, span, left, right};
    return Binding::matrix(binary(e, op, left, right, span));
  }
  const Aligned both = aligned(e, {a, b}, "operator " + std::string(ast::spelling(op)), span);
  e.operands = {{}, {}, span, span, both.operands[0], both.operands[1]};
  return laid_out(e, binary(e, op, both.operands[0], both.operands[1], span), both.extents);
}

}  // namespace lac::frontend
