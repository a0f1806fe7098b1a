// size, numel, isempty, exist, ...: questions that types answer, and element conversions.
#include "frontend/sema/builtins.h"

namespace lac::frontend {
namespace {

ValueId truth(Call& call, bool value) { return call.lower.builder.constant(value ? 1 : 0, Element::logical); }

std::vector<Binding> size(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const Type t = call.type(call.array(0));
  if (call.count() == 2) {
    const std::int64_t dimension = call.constant_integer(1, "DIM");
    if (dimension < 1) call.fail("requested dimension DIM (= " + std::to_string(dimension) + ") out of range");
    return one(b.size(dimension == 1 ? t.rows : dimension == 2 ? t.cols : Size(1)));
  }
  if (call.nargout <= 1) {
    const std::vector<ValueId> extents = {b.size(t.rows), b.size(t.cols)};
    const ValueId value = b.library(LibraryFn::literal, extents, {Type::matrix(Element::integer, 1, 2)})[0];
    l.facts.literals[value] = extents;
    return one(value);
  }
  std::vector<Binding> results = {Binding::matrix(b.size(t.rows)), Binding::matrix(b.size(t.cols))};
  for (int i = 2; i < call.nargout; ++i) results.push_back(Binding::matrix(b.size(1)));
  return results;
}

std::vector<Binding> rows(Call& call) { return one(call.lower.builder.size(call.type(call.array(0)).rows)); }
std::vector<Binding> columns(Call& call) { return one(call.lower.builder.size(call.type(call.array(0)).cols)); }
std::vector<Binding> numel(Call& call) { return one(call.lower.builder.size(call.type(call.array(0)).count())); }
std::vector<Binding> ndims(Call& call) {
  (void)call.array(0);
  return one(call.lower.builder.size(2));
}

std::vector<Binding> length(Call& call) {
  const Type t = call.type(call.array(0));
  if (t.rows.is(0) || t.cols.is(0)) return one(call.lower.builder.size(0));
  const Size longest = call.lower.larger(t.rows, t.cols);
  Lowerer& l = call.lower;
  if (l.facts.nonnegative(l.graph, t.rows - 1) && l.facts.nonnegative(l.graph, t.cols - 1))
    return one(l.builder.size(longest));
  const ValueId some = l.builder.map(ScalarOp::gt, l.builder.size(t.count()), l.builder.constant(0, Element::integer));
  return one(l.builder.map(ScalarOp::select, some, l.builder.size(longest), l.builder.constant(0, Element::integer)));
}

std::vector<Binding> isempty(Call& call) { return one(call.lower.equal_sizes(call.type(call.array(0)).count(), 0)); }

ValueId both(Call& call, ValueId a, ValueId b) { return call.lower.builder.map(ScalarOp::logical_and, a, b); }
ValueId either(Call& call, ValueId a, ValueId b) { return call.lower.builder.map(ScalarOp::logical_or, a, b); }

std::vector<Binding> isscalar(Call& call) {
  const Type t = call.type(call.array(0));
  return one(both(call, call.lower.equal_sizes(t.rows, 1), call.lower.equal_sizes(t.cols, 1)));
}
std::vector<Binding> isvector(Call& call) {  // Octave 7: one of the two extents is 1, and there is an element
  const Type t = call.type(call.array(0));
  const ValueId line = either(call, call.lower.equal_sizes(t.rows, 1), call.lower.equal_sizes(t.cols, 1));
  return one(both(call, line, call.lower.builder.map(ScalarOp::logical_not, call.lower.equal_sizes(t.count(), 0))));
}
std::vector<Binding> isrow(Call& call) { return one(call.lower.equal_sizes(call.type(call.array(0)).rows, 1)); }
std::vector<Binding> iscolumn(Call& call) { return one(call.lower.equal_sizes(call.type(call.array(0)).cols, 1)); }
std::vector<Binding> issquare(Call& call) {
  const Type t = call.type(call.array(0));
  return one(call.lower.equal_sizes(t.rows, t.cols));
}
std::vector<Binding> ismatrix(Call& call) {
  (void)call.array(0);
  return one(truth(call, true));
}
std::vector<Binding> islogical(Call& call) {
  return one(truth(call, call.args[0].is_matrix() && call.type(call.args[0].value).element == Element::logical));
}
std::vector<Binding> isnumeric(Call& call) {
  return one(truth(call, call.args[0].is_matrix() && call.type(call.args[0].value).element != Element::logical));
}
std::vector<Binding> issparse(Call& call) {
  return one(truth(call, call.args[0].is_matrix() && call.type(call.args[0].value).is_sparse()));
}
std::vector<Binding> isreal(Call& call) { return one(truth(call, call.args[0].is_matrix() || call.args[0].is_text())); }
std::vector<Binding> ischar(Call& call) { return one(truth(call, call.args[0].is_text())); }
std::vector<Binding> is_function_handle(Call& call) { return one(truth(call, call.args[0].is_function())); }

std::vector<Binding> nnz(Call& call) {
  Builder& b = call.lower.builder;
  const ValueId value = call.matrix(0);
  const Type t = call.type(value);
  if (t.is_sparse()) return one(b.library(LibraryFn::sparse_nnz, {value}, {Type::scalar(Element::integer)})[0]);
  const ValueId nonzero = b.map(ScalarOp::ne, value, b.constant(0, t.element));
  return one(t.is_scalar() ? b.convert(nonzero, Element::integer) : b.reduce(nonzero, {ReduceOp::sum, Axis::all}));
}

std::vector<Binding> isequal(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  ValueId result = truth(call, true);
  for (std::size_t i = 1; i < call.count(); ++i) {
    if (call.is_text(0) && call.is_text(i)) {
      result = both(call, result, l.same_strings(call.args[0], call.args[i]));
      continue;
    }
    const ValueId x = l.dense(call.array(0)), y = l.dense(call.array(i));
    const Type tx = call.type(x), ty = call.type(y);
    const ValueId same_shape = both(call, l.equal_sizes(tx.rows, ty.rows), l.equal_sizes(tx.cols, ty.cols));
    const auto same_elements = [&] {
      const ValueId equal = l.elementwise(ScalarOp::eq, {x, y}, call.span, "==");
      return call.type(equal).is_scalar() ? equal : b.reduce(equal, {ReduceOp::all, Axis::all});
    };
    result = both(call, result, l.branch_value(same_shape, same_elements, [&] { return truth(call, false); }));
  }
  return one(result);
}

std::vector<Binding> to_double(Call& call) {
  const ValueId value = call.array(0);
  const Element element = call.type(value).element;
  if (element == Element::integer) return one(value);
  if (call.type(value).is_sparse()) return one(value);
  return one(call.lower.builder.convert(value, element == Element::logical ? Element::integer : Element::real));
}
std::vector<Binding> to_single(Call& call) { return one(call.lower.builder.convert(call.dense(0), Element::single)); }
std::vector<Binding> to_logical(Call& call) {
  Builder& b = call.lower.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (t.element == Element::logical) return one(value);
  if (is_floating(t.element)) {
    const ValueId nan = b.map(ScalarOp::is_nan, value);
    const ValueId some = t.is_scalar() ? nan : b.reduce(nan, {ReduceOp::any, Axis::all});
    call.lower.require(b.map(ScalarOp::logical_not, some), "logical: NaN can't be converted to logical value", {});
  }
  return one(b.map(ScalarOp::ne, value, b.constant(0, t.element)));
}

std::vector<Binding> exist(Call& call) {
  const std::string& name = call.text(0);
  const bool variable = call.lower.frame->env.count(name) != 0;
  const bool function = !variable && (call.count() < 2 || call.text(1) != "var") && find_builtin(name) != nullptr;
  return one(call.lower.builder.constant(variable ? 1 : function ? 5 : 0, Element::integer));
}
std::vector<Binding> nargin(Call& call) {
  return one(call.lower.builder.constant(call.lower.frame->nargin, Element::integer));
}
std::vector<Binding> nargout(Call& call) {
  return one(call.lower.builder.constant(call.lower.frame->nargout, Element::integer));
}

constexpr Builtin entries[] = {
    {"size", 1, 2, 8, size},
    {"rows", 1, 1, 1, rows},
    {"columns", 1, 1, 1, columns},
    {"numel", 1, 1, 1, numel},
    {"length", 1, 1, 1, length},
    {"ndims", 1, 1, 1, ndims},
    {"isempty", 1, 1, 1, isempty},
    {"isscalar", 1, 1, 1, isscalar},
    {"isvector", 1, 1, 1, isvector},
    {"isrow", 1, 1, 1, isrow},
    {"iscolumn", 1, 1, 1, iscolumn},
    {"issquare", 1, 1, 1, issquare},
    {"ismatrix", 1, 1, 1, ismatrix},
    {"islogical", 1, 1, 1, islogical},
    {"isbool", 1, 1, 1, islogical},
    {"isnumeric", 1, 1, 1, isnumeric},
    {"issparse", 1, 1, 1, issparse},
    {"isreal", 1, 1, 1, isreal},
    {"ischar", 1, 1, 1, ischar},
    {"is_function_handle", 1, 1, 1, is_function_handle},
    {"nnz", 1, 1, 1, nnz},
    {"isequal", 2, -1, 1, isequal},
    {"double", 1, 1, 1, to_double},
    {"single", 1, 1, 1, to_single},
    {"logical", 1, 1, 1, to_logical},
    {"exist", 1, 2, 1, exist},
    {"nargin", 0, 0, 1, nargin},
    {"nargout", 0, 0, 1, nargout},
};

}  // namespace

std::span<const Builtin> shape_builtins() { return entries; }

}  // namespace lac::frontend
