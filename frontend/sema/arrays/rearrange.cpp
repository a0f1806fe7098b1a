// permute, cat, circshift, flip, ...: elements of arrays at other places.
#include <algorithm>
#include <numeric>

#include "frontend/sema/arrays/along.h"
#include "frontend/sema/arrays/functions.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

Array array_argument(Call& call, std::size_t i) {
  if (!call.args[i].is_array()) return array_of(call.emit, Binding::matrix(call.dense(i)));
  return array_of(call.emit, call.args[i]);
}

std::vector<std::size_t> order_argument(Call& call, std::size_t dimensions) {
  std::vector<std::size_t> order;
  for (const std::int64_t each : known_integers(call, 1, "the order of the dimensions"))
    order.push_back(static_cast<std::size_t>(each - 1));
  std::vector<std::size_t> sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k)
    if (sorted[k] != k)
      call.fail(std::ranges::adjacent_find(sorted) != sorted.end()
                    ? "permutation vector cannot contain identical elements"
                    : "permutation vector contains an invalid element");
  if (order.size() < dimensions) call.fail("invalid permutation vector");
  return order;
}

std::vector<Binding> permute(Call& call) {
  const Array array = array_argument(call, 0);
  return {as_binding(call.emit, reordered(call.emit, array, order_argument(call, array.count())))};
}

std::vector<Binding> ipermute(Call& call) {
  const Array array = array_argument(call, 0);
  const std::vector<std::size_t> order = order_argument(call, array.count());
  std::vector<std::size_t> inverse(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) inverse[order[k]] = k;
  return {as_binding(call.emit, reordered(call.emit, array, inverse))};
}

/// Extents that are 1 go where there are more than two; of one that is left it is a column.
std::vector<Binding> squeeze(Call& call) {
  if (!call.args[0].is_array()) return {call.args[0]};
  const Array array = array_argument(call, 0);
  std::vector<Size> kept;
  std::ranges::copy_if(array.extents, std::back_inserter(kept), [](const Size& extent) { return !extent.is(1); });
  return {laid_out(call.emit, array.elements, padded(kept, 2))};
}

void require_joined(Call& call, const std::vector<Array>& parts, std::size_t dimension) {
  Emitter& e = call.emit;
  const std::vector<Size>& first = parts.front().extents;
  for (const Array& part : parts)
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (k == dimension) continue;
      const std::vector<Size> left = trimmed(first), right = trimmed(part.extents);
      const std::string sizes = " (" + extents_text(e, left) + " vs " + extents_text(e, right) + ")";
      const std::string what = call.name == "horzcat"   ? "horizontal dimensions mismatch" + sizes
                               : call.name == "vertcat" ? "vertical dimensions mismatch" + sizes
                                                        : "cat: dimension mismatch";
      require_equal(e, first[k], part.extents[k], call.span, what, {},
                    call.name == "cat" ? "cat: dimension mismatch" : call.name + ": dimension mismatch");
    }
}

std::vector<Binding> joined(Call& call, std::size_t dimension, std::size_t first) {
  Emitter& e = call.emit;
  std::vector<Array> parts;
  std::size_t count = dimension + 1;
  for (std::size_t i = first; i < call.count(); ++i) {
    if (call.is_empty_literal(i)) continue;
    parts.push_back(array_argument(call, i));
    count = std::max(count, parts.back().count());
  }
  if (parts.empty() && (dimension < 2 || call.count() - first < 2)) return {Binding::matrix(e.nothing())};
  if (parts.empty()) {  // nothing beside nothing: 0x0, one behind the other
    std::vector<Size> extents(dimension + 1, 1);
    extents[0] = extents[1] = 0;
    extents[dimension] = static_cast<std::int64_t>(call.count() - first);
    return {laid_out(e, e.nothing(), extents)};
  }
  for (Array& part : parts) part.extents = padded(part.extents, count);
  require_joined(call, parts, dimension);
  std::vector<Size> extents = parts.front().extents;
  extents[dimension] = 0;
  const bool last = dimension + 1 == count;
  const std::size_t split = last ? dimension : dimension + 1;
  std::vector<ValueId> matrices;
  for (const Array& part : parts) {
    extents[dimension] = extents[dimension] + part.extents[dimension];
    std::vector<Size> same = parts.front().extents;  // extents that were found equal go by one name
    same[dimension] = part.extents[dimension];
    matrices.push_back(viewed(e, part.elements, product(same, 0, split), product(same, split, count)));
  }
  return {laid_out(e, concatenate(e, matrices, last ? Axis::cols : Axis::rows, call.span), extents)};
}

std::vector<Binding> horzcat(Call& call) { return joined(call, 1, 0); }
std::vector<Binding> vertcat(Call& call) { return joined(call, 0, 0); }
std::vector<Binding> cat(Call& call) { return joined(call, dimension_argument(call, 0), 1); }

/// A function of matrices that works along one dimension and leaves all extents.
Array moved(Call& call, const std::string& function, const Array& array, std::size_t dimension,
            const std::vector<Binding>& middle) {
  Emitter& e = call.emit;
  return along(e, array, dimension,
               [&](ValueId matrix, int axis) {
                 std::vector<Binding> args = {Binding::matrix(matrix)};
                 args.insert(args.end(), middle.begin(), middle.end());
                 args.push_back(Binding::matrix(e.builder.constant(axis, Element::integer)));
                 return call.walk.call_by_name(function, std::move(args), 1, call.span);
               })
      .front();
}

std::vector<Binding> circshift(Call& call) {
  Emitter& e = call.emit;
  Array array = array_argument(call, 0);
  if (call.type(call.dense(1)).is_scalar()) {
    const std::size_t dimension =
        call.count() > 2 ? dimension_argument(call, 2) : first_dimension(e, array.extents, call.name);
    return {as_binding(e, moved(call, "circshift", array, dimension, {call.args[1]}))};
  }
  if (call.count() > 2) call.fail("N must be a scalar when DIM is also specified");
  const std::vector<ValueId> shifts = written_extents(call, 1, 2);
  if (shifts.size() > array.count()) call.fail("N must be a vector, no longer than the number of dimensions in X");
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    if (array.extents[k].is(1) || e.constant_of(shifts[k]) == 0.0) continue;
    array = moved(call, "circshift", array, k, {Binding::matrix(shifts[k])});
  }
  return {as_binding(e, array)};
}

std::vector<Binding> flipped(Call& call, std::size_t dimension) {
  return {as_binding(call.emit, moved(call, "flip", array_argument(call, 0), dimension, {}))};
}

std::vector<Binding> flip(Call& call) {
  if (call.count() > 1) return flipped(call, dimension_argument(call, 1));
  return flipped(call, first_dimension(call.emit, extents_of(call.emit, call.args[0]), call.name));
}
std::vector<Binding> flipud(Call& call) { return flipped(call, 0); }
std::vector<Binding> fliplr(Call& call) { return flipped(call, 1); }

// Quarter turns of every page.
std::vector<Binding> rot90(Call& call) {
  Emitter& e = call.emit;
  const std::int64_t turns = call.count() > 1 ? call.constant_integer(1, "K") : 1;
  Array array = array_argument(call, 0);
  const auto flipped_along = [&](std::size_t dimension) { array = moved(call, "flip", array, dimension, {}); };
  const auto turned_over = [&] {
    std::vector<std::size_t> order(array.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::swap(order[0], order[1]);
    array = reordered(e, array, order);
  };
  switch (((turns % 4) + 4) % 4) {
    case 1: turned_over(), flipped_along(0); break;
    case 2: flipped_along(0), flipped_along(1); break;
    case 3: flipped_along(0), turned_over(); break;
    default: break;
  }
  return {as_binding(e, array)};
}

/// bsxfun(f, A, B): operators broadcast by themselves.
std::vector<Binding> bsxfun(Call& call) {
  if (call.args[0].is_function())
    return call.walk.call_closure(*call.args[0].function, {call.args[1], call.args[2]}, 1, call.span);
  return call.walk.call_by_name(call.text(0), {call.args[1], call.args[2]}, 1, call.span);
}

/// arrayfun(f, A, ...): each element by itself, wherever it lies.
std::vector<Binding> arrayfun(Call& call) {
  Emitter& e = call.emit;
  std::vector<Binding> args = call.args;
  std::vector<Size> extents;
  for (std::size_t i = 1; i < args.size(); ++i) {
    if (args[i].is_text()) break;
    if (!args[i].is_array()) call.fail("all the input arguments must have the same size and shape");
    const std::vector<Size> here = extents_of(e, args[i]);
    if (extents.empty()) extents = here;
    if (here.size() != extents.size()) call.fail("all the input arguments must have the same size and shape");
    for (std::size_t k = 0; k < here.size(); ++k)
      require_equal(e, extents[k], here[k], call.span,
                    "arrayfun: all the input arguments must have the same size and shape", {},
                    "arrayfun: all the input arguments must have the same size and shape");
    args[i] = Binding::matrix(viewed(e, as_column(e, args[i]), product(extents), 1));
  }
  std::vector<Binding> results = of_matrices(call, std::move(args));
  for (Binding& result : results)
    if (result.is_matrix()) result = laid_out(e, result.value, extents);
  return results;
}

}  // namespace

std::span<const Builtin> array_builtins() {
  static constexpr Builtin entries[] = {
      {"squeeze", 1, 1, 1, squeeze},
      {"ipermute", 2, 2, 1, ipermute},
      {"size_equal", 1, -1, 1, size_equal},
  };
  return entries;
}

std::span<const Builtin> array_rearrange_builtins() {
  static constexpr Builtin entries[] = {
      {"permute", 2, 2, 1, permute}, {"horzcat", 0, -1, 1, horzcat},    {"vertcat", 0, -1, 1, vertcat},
      {"cat", 1, -1, 1, cat},        {"circshift", 2, 3, 1, circshift}, {"flip", 1, 2, 1, flip},
      {"flipud", 1, 1, 1, flipud},   {"fliplr", 1, 1, 1, fliplr},       {"rot90", 1, 2, 1, rot90},
      {"bsxfun", 3, 3, 1, bsxfun},   {"arrayfun", 2, -1, 16, arrayfun},
  };
  return entries;
}

}  // namespace lac::frontend
