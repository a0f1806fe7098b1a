// sub2ind, ind2sub and accumarray of more than two dimensions.
#include "frontend/sema/arrays/functions.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {
namespace {

std::vector<Size> extents_argument(Call& call, std::size_t i) {
  std::vector<Size> extents;
  for (const ValueId value : written_extents(call, i, i + 1))
    extents.push_back(to_size(call.emit, value, call.span, true));
  return extents;
}

/// The linear positions of subscripts that are alike in shape; each is checked as a subscript is.
ValueId linear_positions(Call& call, const std::vector<Size>& dimensions, const std::vector<ValueId>& subscripts) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const std::vector<Size> extents = folded(dimensions, subscripts.size());
  SubscriptResolver checks(e, extents, dimensions, "", SubscriptUse::read);
  ValueId all = b.constant(1, Element::integer);
  for (std::size_t k = 0; k < subscripts.size(); ++k) {
    checks.add_value(subscripts[k]);
    const ValueId before =
        b.map(ScalarOp::sub, b.convert(subscripts[k], Element::integer), b.constant(1, Element::integer));
    all = b.map(ScalarOp::add, all, b.map(ScalarOp::mul, before, b.size(product(extents, 0, k))));
  }
  return all;
}

std::vector<Binding> sub2ind(Call& call) {
  Emitter& e = call.emit;
  const std::vector<Size> dimensions = extents_argument(call, 0);
  const std::string mismatch = "sub2ind: all subscripts must be of the same size";
  std::vector<ValueId> subscripts;
  for (std::size_t i = 1; i < call.count(); ++i) {
    subscripts.push_back(call.dense(i));
    const Type first = call.type(subscripts.front()), here = call.type(subscripts.back());
    require_equal(e, first.rows, here.rows, call.span, mismatch, {}, mismatch);
    require_equal(e, first.cols, here.cols, call.span, mismatch, {}, mismatch);
  }
  return one(linear_positions(call, dimensions, subscripts));
}

std::vector<Binding> ind2sub(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const std::vector<Size> dimensions = extents_argument(call, 0);
  const ValueId given = call.dense(1), unit = b.constant(1, Element::integer);
  check_whole_positions(e, given, "ind2sub: invalid index ", 0, 1);
  e.require(all_true(call, elementwise(e, ScalarOp::le, {given, b.size(product(dimensions))}, call.span, "<=")),
            "ind2sub: index out of range", {}, "Octave:index-out-of-bounds");
  const std::size_t count = static_cast<std::size_t>(std::max(call.nargout, 1));
  const std::vector<Size> extents = folded(dimensions, count);
  ValueId left = b.map(ScalarOp::sub, b.convert(given, Element::integer), unit);
  std::vector<Binding> results;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const ValueId extent = b.size(extents[k]);
    results.push_back(Binding::matrix(b.map(ScalarOp::add, b.map(ScalarOp::mod, left, extent), unit)));
    const ValueId quotient = b.map(ScalarOp::div, b.convert(left, Element::real), b.convert(extent, Element::real));
    left = b.convert(b.map(ScalarOp::floor, quotient), Element::integer);
  }
  results.push_back(Binding::matrix(b.map(ScalarOp::add, left, unit)));
  return results;
}

/// Column k of the subscripts.
ValueId column(Call& call, ValueId subscripts, std::int64_t k) {
  const Size rows = call.type(subscripts).rows;
  const Subscripts here{{{SubscriptKind::all, 0, 1, rows}, {SubscriptKind::range, k, 1, 1}}};
  return call.emit.builder.index(subscripts, here, {}, rows, 1);
}

/// accumarray(subs, vals, ...) with a column of subs for each dimension: sums by linear positions.
std::vector<Binding> accumarray(Call& call) {
  Emitter& e = call.emit;
  const ValueId subscripts = call.dense(0);
  std::vector<ValueId> columns;
  for (std::int64_t k = 0; k < call.type(subscripts).cols.constant(); ++k)
    columns.push_back(column(call, subscripts, k));
  std::vector<Size> extents;
  if (call.count() > 2 && !call.is_empty_literal(2)) extents = extents_argument(call, 2);
  else
    for (const ValueId each : columns) {
      const ValueId largest = call.walk.call_by_name("max", {Binding::matrix(each)}, 1, call.span).front().value;
      extents.push_back(to_size(e, largest, call.span, true));
    }
  if (extents.size() != columns.size()) call.fail("dimensions mismatch");
  std::vector<Binding> args = call.args;
  args.resize(std::max<std::size_t>(args.size(), 3));
  args[0] = Binding::matrix(linear_positions(call, extents, columns));
  args[2] =
      Binding::matrix(literal(e, {e.builder.size(product(extents)), e.builder.constant(1, Element::integer)}, 1, 2));
  return {laid_out(e, of_matrices(call, std::move(args)).front().value, extents)};
}

}  // namespace

std::span<const Builtin> array_position_builtins() {
  static constexpr Builtin entries[] = {
      {"sub2ind", 2, 8, 1, sub2ind},
      {"ind2sub", 2, 2, 8, ind2sub},
      {"accumarray", 2, 6, 1, accumarray},
  };
  return entries;
}

}  // namespace lac::frontend
