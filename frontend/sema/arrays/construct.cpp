// zeros, ones, rand, reshape, repmat, ndgrid, ... of more than two extents.
#include <algorithm>

#include "frontend/sema/arrays/functions.h"
#include "frontend/sema/arrays/picking.h"
#include "frontend/sema/values/checks.h"

namespace lac::frontend {
namespace {

std::vector<Size> sizes_of(Call& call, const std::vector<ValueId>& values) {
  std::vector<Size> sizes;
  for (const ValueId value : values) sizes.push_back(to_size(call.emit, value, call.span, true));
  return sizes;
}

/// Made as a matrix by the same function.
std::vector<Binding> filled(Call& call) {
  Emitter& e = call.emit;
  std::size_t end = 0;
  while (end < call.count() && !call.is_text(end)) ++end;
  const std::vector<Size> extents = sizes_of(call, written_extents(call, 0, end));
  std::vector<Binding> args = {Binding::matrix(e.builder.size(product(extents, 0, extents.size() - 1))),
                               Binding::matrix(e.builder.size(extents.back()))};
  for (std::size_t i = end; i < call.count(); ++i) {
    if (call.args[i].is_matrix() && call.type(call.args[i].value).is_sparse())
      call.fail("sparse ND arrays are not supported");
    const bool model = call.args[i].is_array();
    args.push_back(model ? Binding::matrix(as_column(e, call.args[i])) : call.args[i]);
  }
  return {laid_out(e, of_matrices(call, std::move(args)).front().value, extents)};
}

/// The extent that is left open, of what the others leave.
Size open_extent(Call& call, const Size& count, const std::vector<Size>& known) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Size rest = product(known);
  if (rest.is(1)) return count;
  if (const auto exact = quotient(count, rest)) return *exact;
  const ValueId ratio =
      b.map(ScalarOp::div, b.convert(b.size(count), Element::real), b.convert(b.size(rest), Element::real));
  const std::string uneven = "SIZE is not divisible by the product of known dimensions (= ";
  const ValueId whole = b.map(ScalarOp::eq, ratio, b.map(ScalarOp::fix, ratio));
  if (e.constant_of(whole) == 0.0) call.fail(uneven + e.graph.text(rest) + ")");
  e.require(whole, "reshape: " + uneven + "%d)", {b.size(rest)});
  return to_size(e, ratio, call.span, true);
}

std::vector<Size> extents_to_reshape(Call& call, const Size& count) {
  std::vector<ValueId> written;
  std::ptrdiff_t open = -1;
  if (call.count() == 2) {
    written = written_extents(call, 1, 2);
  } else {
    for (std::size_t i = 1; i < call.count(); ++i) {
      if (!call.is_empty_literal(i)) written.push_back(call.scalar(i));
      else if (open >= 0) call.fail("only a single dimension can be unknown");
      else open = static_cast<std::ptrdiff_t>(i) - 1;
    }
  }
  if (written.size() < 2 && open < 0) call.fail("SIZE must have 2 or more dimensions");
  for (const ValueId each : written) require_no_negative_size(call, each);
  std::vector<Size> extents = sizes_of(call, written);
  if (open >= 0) {
    const Size rest = open_extent(call, count, extents);
    extents.insert(extents.begin() + open, rest);
  }
  return extents;
}

std::vector<Binding> reshape(Call& call) {
  Emitter& e = call.emit;
  if (!call.args[0].is_array()) (void)call.dense(0);
  const Array array = array_of(e, call.args[0]);
  const std::vector<Size> extents = extents_to_reshape(call, product(array.extents));
  std::vector<Size> shown = array.extents;
  shown.insert(shown.end(), extents.begin(), extents.end());
  require_equal(
      e, product(array.extents), product(extents), call.span,
      "reshape: can't reshape " + extents_text(e, array.extents) + " array to " + extents_text(e, extents) + " array",
      shown,
      "reshape: can't reshape " + extents_format(array.count()) + " array to " + extents_format(extents.size()) +
          " array");
  return {laid_out(e, array.elements, extents)};
}

std::vector<Binding> repmat(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  std::vector<Size> times = sizes_of(call, written_extents(call, 1, call.count()));
  if (times.size() == 1) times.push_back(times[0]);
  if (!call.args[0].is_array()) (void)call.dense(0);
  Array array = array_of(e, call.args[0]);
  const std::size_t count = std::max(times.size(), array.count());
  array.extents = padded(array.extents, count);
  times = padded(times, count);
  std::vector<Pick> picks;
  for (std::size_t k = 0; k < count; ++k) {
    const Size& extent = array.extents[k];
    if (times[k].is(1)) {
      picks.push_back(all_of(extent));
    } else if (extent.is(1)) {
      picks.push_back(run_of(0, 0, times[k]));
    } else {
      const ValueId place = b.map(ScalarOp::mod, b.iota(Axis::rows, extent * times[k], 1), b.size(extent));
      picks.push_back(vector_of(e, b.map(ScalarOp::add, place, b.constant(1, Element::integer))));
    }
  }
  return {as_binding(e, picked(e, array, picks))};
}

/// A vector that lies along one dimension of a grid.
Binding spread(Emitter& e, ValueId vector, const std::vector<Size>& extents, std::size_t dimension) {
  Array line{std::vector<Size>(extents.size(), 1), vector};
  line.extents[dimension] = extents[dimension];
  std::vector<Pick> picks;
  for (std::size_t k = 0; k < extents.size(); ++k)
    picks.push_back(k == dimension ? all_of(extents[k]) : run_of(0, 0, extents[k]));
  return as_binding(e, picked(e, line, picks));
}

/// Argument `of[k]` lies along dimension k.
std::vector<Binding> grid(Call& call, const std::vector<std::size_t>& of) {
  Emitter& e = call.emit;
  std::vector<Size> extents;
  for (const std::size_t i : of) {
    const Type t = call.type(call.dense(i));
    if (e.facts.not_one(e.graph, t.rows) && e.facts.not_one(e.graph, t.cols))
      call.fail(call.name == "meshgrid" ? "X, Y, and Z must be vectors" : "wrong input argument types");
    extents.push_back(t.count());
  }
  std::vector<Binding> results(of.size());
  for (std::size_t k = 0; k < of.size(); ++k) results[of[k]] = spread(e, call.dense(of[k]), extents, k);
  return results;
}

/// [X, Y, Z] = meshgrid(x, y, z): x runs along the second dimension.
std::vector<Binding> meshgrid(Call& call) {
  while (call.count() < 3) call.args.push_back(call.args.back());
  return grid(call, {1, 0, 2});
}

std::vector<Binding> ndgrid(Call& call) {
  if (call.count() == 1) call.args.resize(static_cast<std::size_t>(std::max(call.nargout, 2)), call.args[0]);
  if (call.nargout > static_cast<int>(call.count())) call.fail("wrong number of input arguments");
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < call.count(); ++i) of.push_back(i);
  return grid(call, of);
}

}  // namespace

std::span<const Builtin> array_construct_builtins() {
  static constexpr Builtin entries[] = {
      {"zeros", 0, -1, 1, filled},  {"ones", 0, -1, 1, filled},      {"Inf", 0, -1, 1, filled},
      {"inf", 0, -1, 1, filled},    {"NaN", 0, -1, 1, filled},       {"nan", 0, -1, 1, filled},
      {"NA", 0, -1, 1, filled},     {"true", 0, -1, 1, filled},      {"false", 0, -1, 1, filled},
      {"rand", 0, -1, 1, filled},   {"randn", 0, -1, 1, filled},     {"reshape", 2, -1, 1, reshape},
      {"repmat", 2, -1, 1, repmat}, {"meshgrid", 1, 3, 3, meshgrid}, {"ndgrid", 1, -1, 8, ndgrid},
  };
  return entries;
}

}  // namespace lac::frontend
