// Fourier transforms: fft(x, n, dim) and its inverse, fft2(x, m, n) and its inverse.
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

using Bindings = std::vector<Binding>;

enum class Along { both = 0, columns = 1, rows = 2 };

Bindings transform(Call& call, Along along, bool inverse, const Size& rows, const Size& cols) {
  Emitter& e = call.emit;
  const Complex x = complex_argument(call, 0);
  const Element element = e.floating(call.type(x.re).element);
  const auto part = [&](ValueId of) { return e.builder.convert(dense(e, of), element); };
  std::vector<ValueId> operands{part(x.re), e.builder.constant(static_cast<int>(along), Element::integer),
                                e.builder.constant(inverse ? 1 : 0, Element::integer)};
  if (!x.is_real()) operands.push_back(part(x.im));
  const Type result = Type::matrix(element, rows, cols);
  const auto parts = e.builder.library(LibraryFn::fourier, operands, {result, result});
  return one(call, {parts[0], parts[1]});
}

// Along the first dimension that is longer than 1, unless the third argument says which.
Bindings line_transform(Call& call) {
  Emitter& e = call.emit;
  const Type t = call.type(complex_argument(call, 0).re);
  const bool has_length = call.count() > 1 && !call.is_empty_literal(1);
  const bool inverse = call.name == "ifft";
  const auto along = [&](Axis axis) {
    const Size& given = axis == Axis::rows ? t.rows : t.cols;
    const Size length = has_length ? call.size(1) : given;
    return axis == Axis::rows ? transform(call, Along::columns, inverse, length, t.cols)
                              : transform(call, Along::rows, inverse, t.rows, length);
  };
  if (call.count() > 2) return along(dimension_axis(call, 2));
  if (t.is_scalar()) return along(Axis::rows);
  if (t.rows.is(1)) return along(Axis::cols);
  if (e.facts.not_one(e.graph, t.rows)) return along(Axis::rows);
  if (has_length) call.fail("whether X is a row must be known while the program is compiled: name DIM");
  // A row and a column of one transform differ in what lies beside it alone.
  const ValueId is_row = e.equal_sizes(t.rows, 1);
  const Size rows = e.chosen(is_row, t.cols, t.rows), cols = e.chosen(is_row, 1, t.cols);
  const Complex x = complex_argument(call, 0);
  call.args[0] = complex_binding(e, each_part(x, [&](ValueId part) { return e.builder.reshape(part, rows, cols); }));
  const Complex y = parts_of(e, transform(call, Along::columns, inverse, rows, cols)[0]);
  return one(call, each_part(y, [&](ValueId part) { return e.builder.reshape(part, t.rows, t.cols); }));
}

Bindings plane_transform(Call& call) {
  const Type t = call.type(complex_argument(call, 0).re);
  if (call.count() == 2) call.fail("Invalid call to " + call.name + ": give both M and N");
  const Size rows = call.count() > 1 ? call.size(1) : t.rows, cols = call.count() > 2 ? call.size(2) : t.cols;
  return transform(call, Along::both, call.name == "ifft2", rows, cols);
}

}  // namespace

std::span<const Builtin> fourier_builtins() {
  static constexpr Builtin entries[] = {
      {"fft", 1, 3, 1, line_transform},
      {"ifft", 1, 3, 1, line_transform},
      {"fft2", 1, 3, 1, plane_transform},
      {"ifft2", 1, 3, 1, plane_transform},
  };
  return entries;
}

}  // namespace lac::frontend
