// size, numel, isempty, isequal, ...: questions about arrays of more than two dimensions.
#include <algorithm>

#include "frontend/sema/arrays/functions.h"
#include "frontend/sema/builtins/effect.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/show.h"

namespace lac::frontend {
namespace {

ValueId truth(Call& call, bool value) { return call.emit.builder.constant(value ? 1 : 0, Element::logical); }

ValueId both(Call& call, ValueId a, ValueId b) {
  if (const auto known = call.emit.constant_of(a)) return *known != 0 ? b : a;
  if (const auto known = call.emit.constant_of(b)) return *known != 0 ? a : b;
  return call.emit.builder.map(ScalarOp::logical_and, a, b);
}

std::vector<Size> extents(Call& call) { return extents_of(call.emit, call.args[0]); }

/// How many dimensions there are once those of 1 at the end are dropped.
Size dimensions(Emitter& e, const std::vector<Size>& extents) {
  Size count = 2;
  for (std::size_t k = 2; k < extents.size(); ++k) {
    const bool never_one = e.facts.not_one(e.graph, extents[k]);
    const Size here = static_cast<std::int64_t>(k + 1);
    count = never_one ? here : e.chosen(e.equal_sizes(extents[k], 1), count, here);
  }
  return count;
}

ValueId extent_along(Call& call, const std::vector<Size>& all, ValueId dimension) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  if (const auto known = e.constant_of(dimension)) {
    if (*known < 1 || *known != static_cast<double>(static_cast<std::int64_t>(*known)))
      call.fail("requested dimension DIM (= " + e.graph.text(Size(static_cast<std::int64_t>(*known))) +
                ") out of range");
    return b.size(*known > static_cast<double>(all.size()) ? Size(1) : all[static_cast<std::size_t>(*known) - 1]);
  }
  const ValueId wanted = as_integer(e, dimension, "size: DIM must be a positive integer, not %g");
  e.require(b.map(ScalarOp::ge, wanted, b.constant(1, Element::integer)),
            "size: requested dimension DIM (= %d) out of range", {wanted});
  ValueId extent = b.size(1);
  for (std::size_t k = all.size(); k-- > 0;) {
    const ValueId here = b.map(ScalarOp::eq, wanted, b.constant(static_cast<double>(k + 1), Element::integer));
    extent = b.map(ScalarOp::select, here, b.size(all[k]), extent);
  }
  return extent;
}

/// A row of sizes.
ValueId row_of(Emitter& e, const std::vector<ValueId>& sizes) {
  return sizes.size() == 1 ? sizes[0] : literal(e, sizes, 1, static_cast<std::int64_t>(sizes.size()));
}

std::vector<Binding> size(Call& call) {
  Emitter& e = call.emit;
  const std::vector<Size> all = extents(call);
  std::vector<ValueId> sizes;
  if (call.count() > 1) {
    for (std::size_t i = 1; i < call.count(); ++i)
      for (const ValueId dimension : written_extents(call, i, i + 1))
        sizes.push_back(extent_along(call, all, dimension));
    if (call.nargout < 2) return one(row_of(e, sizes));
  } else if (call.nargout < 2) {
    for (const Size& extent : all) sizes.push_back(e.builder.size(extent));
    const ValueId row = row_of(e, sizes);
    const Size count = dimensions(e, all);
    if (count == Size(static_cast<std::int64_t>(all.size()))) return one(row);
    return one(e.builder.index(row, Subscripts{{{SubscriptKind::range, 0, 1, count}}}, {}, 1, count));
  } else {  // the last result is the product of the extents that are left
    for (const Size& extent : folded(all, static_cast<std::size_t>(call.nargout)))
      sizes.push_back(e.builder.size(extent));
  }
  if (call.nargout != static_cast<int>(sizes.size()))
    call.fail("nargout = " + std::to_string(call.nargout) +
              " does not match number of requested dimensions = " + std::to_string(sizes.size()));
  std::vector<Binding> results;
  for (const ValueId each : sizes) results.push_back(Binding::matrix(each));
  return results;
}

std::vector<Binding> ndims(Call& call) { return one(call.emit.builder.size(dimensions(call.emit, extents(call)))); }
std::vector<Binding> numel(Call& call) { return one(call.emit.builder.size(product(extents(call)))); }
std::vector<Binding> rows(Call& call) { return one(call.emit.builder.size(extents(call)[0])); }
std::vector<Binding> columns(Call& call) { return one(call.emit.builder.size(extents(call)[1])); }
std::vector<Binding> isempty(Call& call) { return one(call.emit.equal_sizes(product(extents(call)), 0)); }

std::vector<Binding> length(Call& call) {
  Emitter& e = call.emit;
  const std::vector<Size> all = extents(call);
  Size longest = all[0];
  for (const Size& extent : all) longest = e.larger(longest, extent);
  return one(e.builder.size(e.chosen(e.equal_sizes(product(all), 0), 0, longest)));
}

/// Whether all extents from `first` on are 1.
ValueId ones_from(Call& call, std::size_t first) {
  ValueId all = truth(call, true);
  const std::vector<Size> given = extents(call);
  for (std::size_t k = first; k < given.size(); ++k) all = both(call, all, call.emit.equal_sizes(given[k], 1));
  return all;
}

std::vector<Binding> isscalar(Call& call) { return one(ones_from(call, 0)); }
std::vector<Binding> iscolumn(Call& call) { return one(ones_from(call, 1)); }
std::vector<Binding> isrow(Call& call) {
  return one(both(call, call.emit.equal_sizes(extents(call)[0], 1), ones_from(call, 2)));
}
std::vector<Binding> isvector(Call& call) {
  Emitter& e = call.emit;
  const std::vector<Size> all = extents(call);
  const ValueId line = e.builder.map(ScalarOp::logical_or, e.equal_sizes(all[0], 1), e.equal_sizes(all[1], 1));
  return one(both(call, line, ones_from(call, 2)));
}
std::vector<Binding> issquare(Call& call) {
  const std::vector<Size> all = extents(call);
  return one(both(call, call.emit.equal_sizes(all[0], all[1]), ones_from(call, 2)));
}
std::vector<Binding> ismatrix(Call& call) { return one(ones_from(call, 2)); }

ValueId same_extents(Call& call, const Binding& a, const Binding& b) {
  Emitter& e = call.emit;
  std::vector<Size> x = extents_of(e, a), y = extents_of(e, b);
  x = padded(x, y.size());
  y = padded(y, x.size());
  ValueId same = truth(call, true);
  for (std::size_t k = 0; k < x.size(); ++k) same = both(call, same, e.equal_sizes(x[k], y[k]));
  return same;
}

std::vector<Binding> isequal(Call& call) {
  ValueId same = truth(call, true);
  for (std::size_t i = 1; i < call.count(); ++i) {
    const Binding &a = call.args[0], &b = call.args[i];
    for (const Binding* each : {&a, &b})
      if (!each->is_array() && !each->is_matrix() && !each->is_text()) return one(truth(call, false));
    same = both(call, same, same_extents(call, a, b));
    const std::vector<Binding> columns = {Binding::matrix(as_column(call.emit, a)),
                                          Binding::matrix(as_column(call.emit, b))};
    same = both(call, same, call.walk.call_by_name("isequal", columns, 1, call.span).front().value);
  }
  return one(same);
}

/// What looks at elements alone: class, nnz, printf.
std::vector<Binding> of_columns(Call& call) {
  std::vector<Binding> args = call.args;
  for (Binding& arg : args)
    if (arg.is_array()) arg = Binding::matrix(as_column(call.emit, arg));
  return of_matrices(call, std::move(args));
}

std::vector<Binding> find(Call& call) {
  Emitter& e = call.emit;
  std::vector<Binding> args = call.args;
  args[0] = Binding::matrix(call.nargout > 1 ? as_matrix(e, args[0]) : as_column(e, args[0]));
  return of_matrices(call, std::move(args));
}

std::vector<Binding> disp(Call& call) {
  print_array(call.emit, "", call.args[0]);
  return {};
}

std::vector<Binding> display(Call& call) {
  const auto* name = call.written ? std::get_if<ast::Identifier>(&(*call.written)[0]->node) : nullptr;
  print_array(call.emit, name ? name->name : "", call.args[0]);
  return {};
}

std::vector<Binding> no_matrix(Call& call) { call.fail("X must be two dimensional"); }
std::vector<Binding> no_norm(Call& call) { call.fail("only valid for 2-D objects"); }
std::vector<Binding> not_square(Call& call) { call.emit.fail(call.span, "inverse: argument must be a square matrix"); }

}  // namespace

std::span<const Builtin> array_shape_builtins() {
  static constexpr Builtin entries[] = {
      {"size", 1, -1, 8, size},
      {"ndims", 1, 1, 1, ndims},
      {"numel", 1, 1, 1, numel},
      {"rows", 1, 1, 1, rows},
      {"columns", 1, 1, 1, columns},
      {"length", 1, 1, 1, length},
      {"isempty", 1, 1, 1, isempty},
      {"isscalar", 1, 1, 1, isscalar},
      {"isvector", 1, 1, 1, isvector},
      {"isrow", 1, 1, 1, isrow},
      {"iscolumn", 1, 1, 1, iscolumn},
      {"issquare", 1, 1, 1, issquare},
      {"ismatrix", 1, 1, 1, ismatrix},
      {"isequal", 2, -1, 1, isequal},
      {"class", 1, 1, 1, of_columns},
      {"isa", 2, 2, 1, of_columns},
      {"isnumeric", 1, 1, 1, of_columns},
      {"islogical", 1, 1, 1, of_columns},
      {"isreal", 1, 1, 1, of_columns},
      {"ischar", 1, 1, 1, of_columns},
      {"iscell", 1, 1, 1, of_columns},
      {"isstruct", 1, 1, 1, of_columns},
      {"issparse", 1, 1, 1, of_columns},
      {"is_function_handle", 1, 1, 1, of_columns},
      {"nnz", 1, 1, 1, of_columns},
      {"nonzeros", 1, 1, 1, of_columns},
      {"unique", 1, 4, 3, of_columns},
      {"printf", 1, -1, 0, of_columns},
      {"fprintf", 1, -1, 0, of_columns},
      {"sprintf", 1, -1, 1, of_columns},
      {"find", 1, 3, 3, find},
      {"disp", 1, 1, 1, shown_or_kept<disp>},
      {"assert", 1, -1, 0, assertion},
      {"display", 1, 1, 0, display},
      {"mat2str", 1, 3, 1, no_matrix},
      {"norm", 1, 3, 1, no_norm},
      {"inv", 1, 1, 1, not_square},
  };
  return entries;
}

std::vector<Binding> size_equal(Call& call) {
  ValueId same = truth(call, true);
  for (Binding& arg : call.args) {
    if (arg.is_complex()) arg = Binding::matrix(parts_of(call.emit, arg).re);
    if (!arg.is_array() && !arg.is_matrix() && !arg.is_text() && !arg.is_integer())
      call.fail("matrices, strings and arrays are compared here: compare size(x) of others");
  }
  for (std::size_t i = 1; i < call.count(); ++i)
    same = both(call, same, same_extents(call, call.args[0], call.args[i]));
  return one(same);
}

}  // namespace lac::frontend
