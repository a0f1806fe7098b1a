// size, numel, isempty, exist, ...: questions that types answer, and element conversions.
#include <algorithm>
#include <cmath>

#include "frontend/sema/builtins/files.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/integer_class.h"
#include "frontend/sema/values/nothing.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/structured.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

ValueId truth(Call& call, bool value) { return call.emit.builder.constant(value ? 1 : 0, Element::logical); }

// The dimensions that argument `i` of size names: a scalar, or a vector whose elements are written out.
std::vector<ValueId> dimensions_of(Call& call, std::size_t i) {
  Emitter& e = call.emit;
  const ValueId wanted = call.dense(i);
  if (call.type(wanted).is_scalar()) return {wanted};
  if (auto written = written_elements(e, wanted)) return *written;
  const auto range = e.facts.ranges.find(wanted);
  if (range == e.facts.ranges.end() || !range->second.count.is_constant())
    call.fail("the dimensions must be written out");
  const RangeFact fact = range->second;
  std::vector<ValueId> elements;
  for (std::int64_t k = 0; k < fact.count.constant(); ++k)
    elements.push_back(e.builder.size(fact.first + fact.step * k));
  return elements;
}

ValueId extent_of(Call& call, const Type& t, ValueId dimension) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  if (const auto number = e.constant_of(dimension)) {
    if (*number != std::trunc(*number)) call.fail("DIM must be a positive integer");
    if (*number < 1)
      call.fail("requested dimension DIM (= " + e.graph.text(Size(size_of_number(*number))) + ") out of range");
    return b.size(*number == 1 ? t.rows : *number == 2 ? t.cols : Size(1));
  }
  const ValueId wanted = as_integer(e, dimension, "size: DIM must be a positive integer, not %g");
  const auto is = [&](double number) { return b.map(ScalarOp::eq, wanted, b.constant(number, Element::integer)); };
  e.require(b.map(ScalarOp::ge, wanted, b.constant(1, Element::integer)),
            "size: requested dimension DIM (= %d) out of range", {wanted});
  return b.map(ScalarOp::select, is(1), b.size(t.rows), b.map(ScalarOp::select, is(2), b.size(t.cols), b.size(1)));
}

// size(A), size(A, d), size(A, [d1 d2 ...]), size(A, d1, d2, ...); with several results one extent each, the last one
// being the product of those that are left.
std::vector<Binding> size(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(call.array(0));
  std::vector<ValueId> extents;
  if (call.count() == 1) extents = {b.size(rows_or_none(e, call.array(0))), b.size(t.cols)};
  for (std::size_t i = 1; i < call.count(); ++i)
    for (ValueId dimension : dimensions_of(call, i)) extents.push_back(extent_of(call, t, dimension));
  if (call.count() > 1 && call.nargout > 1 && call.nargout != static_cast<int>(extents.size()))
    call.fail("nargout = " + std::to_string(call.nargout) +
              " does not match number of requested dimensions = " + std::to_string(extents.size()));
  if (call.nargout > 1) {
    std::vector<Binding> results;
    for (std::size_t i = 0; i < static_cast<std::size_t>(call.nargout); ++i)
      results.push_back(Binding::matrix(i < extents.size() ? extents[i] : b.size(1)));
    return results;
  }
  if (extents.size() == 1) return one(extents[0]);
  return one(literal(e, extents, 1, static_cast<std::int64_t>(extents.size())));
}

std::vector<Binding> rows(Call& call) { return one(call.emit.builder.size(rows_or_none(call.emit, call.array(0)))); }
std::vector<Binding> columns(Call& call) { return one(call.emit.builder.size(call.type(call.array(0)).cols)); }
std::vector<Binding> numel(Call& call) {
  Builder& b = call.emit.builder;
  const Type t = call.type(call.array(0));
  const Size count = t.count();
  if (!count.is_constant() || is_extent(count.constant())) return one(b.size(count));
  return one(b.map(ScalarOp::mul, b.size(t.rows), b.size(t.cols)));  // sizes stop at the largest int64
}
std::vector<Binding> ndims(Call& call) {
  (void)call.array(0);
  return one(call.emit.builder.size(2));
}

std::vector<Binding> length(Call& call) {
  const Type t = call.type(call.array(0));
  if (t.rows.is(0) || t.cols.is(0)) return one(call.emit.builder.size(0));
  const Size longest = call.emit.larger(t.rows, t.cols);
  Emitter& e = call.emit;
  if (e.facts.nonnegative(e.graph, t.rows - 1) && e.facts.nonnegative(e.graph, t.cols - 1))
    return one(e.builder.size(longest));
  const ValueId some = e.builder.map(ScalarOp::gt, e.builder.size(t.count()), e.builder.constant(0, Element::integer));
  return one(e.builder.map(ScalarOp::select, some, e.builder.size(longest), e.builder.constant(0, Element::integer)));
}

std::vector<Binding> isempty(Call& call) {
  if (call.args[0].is_function()) return one(call.emit.builder.constant(0, Element::logical));
  return one(call.emit.equal_sizes(call.type(call.array(0)).count(), 0));
}

ValueId both(Call& call, ValueId a, ValueId b) { return call.emit.builder.map(ScalarOp::logical_and, a, b); }
ValueId either(Call& call, ValueId a, ValueId b) { return call.emit.builder.map(ScalarOp::logical_or, a, b); }

std::vector<Binding> isscalar(Call& call) {
  const Type t = call.type(call.array(0));
  return one(both(call, call.emit.equal_sizes(t.rows, 1), call.emit.equal_sizes(t.cols, 1)));
}
std::vector<Binding> isvector(Call& call) {  // Octave 7: one of the two extents is 1
  const Type t = call.type(call.array(0));
  return one(either(call, call.emit.equal_sizes(t.rows, 1), call.emit.equal_sizes(t.cols, 1)));
}
std::vector<Binding> isrow(Call& call) { return one(call.emit.equal_sizes(call.type(call.array(0)).rows, 1)); }
std::vector<Binding> iscolumn(Call& call) { return one(call.emit.equal_sizes(call.type(call.array(0)).cols, 1)); }
std::vector<Binding> issquare(Call& call) {
  const Type t = call.type(call.array(0));
  return one(call.emit.equal_sizes(t.rows, t.cols));
}
std::vector<Binding> ismatrix(Call& call) {
  (void)call.array(0);
  return one(truth(call, true));
}
std::vector<Binding> islogical(Call& call) {
  return one(truth(call, call.args[0].is_matrix() && call.type(call.args[0].value).element == Element::logical));
}
std::vector<Binding> isnumeric(Call& call) {
  const Binding& x = call.args[0];
  if (x.is_text()) return one(is_end_of_file(call.emit, x));
  return one(truth(call, x.is_integer() || (x.is_matrix() && call.type(x.value).element != Element::logical)));
}
std::vector<Binding> issparse(Call& call) {
  return one(truth(call, call.args[0].is_matrix() && call.type(call.args[0].value).is_sparse()));
}
std::vector<Binding> isreal(Call& call) { return one(truth(call, !call.args[0].is_function())); }
// Whether the compiler can tell the value: what library functions ask where Octave would look at the run's shapes.
std::vector<Binding> is_known(Call& call) {
  return one(truth(call, call.args[0].is_matrix() && call.emit.constant_of(call.args[0].value).has_value()));
}
/// The class of a value, as `class` says it.
std::string class_of_argument(Call& call) {
  const Binding& x = call.args[0];
  if (x.is_text()) return "char";
  if (x.is_aggregate() && !x.is_array()) return x.is_cell() ? "cell" : "struct";
  if (x.is_function()) return "function_handle";
  if (x.is_integer()) return std::string(info(x.integer_class).name);
  return std::string(class_name(call.type(call.matrix(0)).element));
}
std::vector<Binding> class_of(Call& call) { return {Binding::string(class_of_argument(call), false)}; }
// isa(x, class), isa(x, {class, ...}): one answer for each.
std::vector<Binding> isa(Call& call) {
  const std::string name = class_of_argument(call);
  const bool floating = name == "double" || name == "single";
  const auto is = [&](const std::string& asked) {
    return truth(call, name == asked || (floating && (asked == "float" || asked == "numeric")) ||
                           (call.args[0].is_integer() && (asked == "integer" || asked == "numeric")));
  };
  if (!call.args[1].is_cell()) return one(is(call.text(1)));
  const Aggregate& classes = *call.args[1].aggregate;
  std::vector<ValueId> answers;
  for (const Binding& asked : items_of(call.args[1])) {
    if (!asked.is_known_text()) call.fail("CLASSNAME must be a string or cell array of strings");
    answers.push_back(is(asked.text));
  }
  return one(literal(call.emit, answers, classes.rows, classes.cols));
}
std::vector<Binding> ischar(Call& call) {
  if (!call.args[0].is_text()) return one(truth(call, false));
  return one(call.emit.builder.map(ScalarOp::logical_not, is_end_of_file(call.emit, call.args[0])));
}
// Octave's strings are arrays of characters: there are no objects of this name.
std::vector<Binding> isstring(Call& call) { return one(truth(call, false)); }
std::vector<Binding> is_function_handle(Call& call) { return one(truth(call, call.args[0].is_function())); }

std::vector<Binding> nnz(Call& call) {
  Builder& b = call.emit.builder;
  const ValueId value = call.matrix(0);
  const Type t = call.type(value);
  if (t.is_sparse()) return one(b.library(LibraryFn::sparse_nnz, {value}, {Type::scalar(Element::integer)})[0]);
  const ValueId nonzero = b.map(ScalarOp::ne, value, b.constant(0, t.element));
  return one(t.is_scalar() ? b.convert(nonzero, Element::integer) : b.reduce(nonzero, {ReduceOp::sum, Axis::all}));
}

// Handles of one function, or copies of one anonymous function.
bool same_handles(const Binding& a, const Binding& b) {
  if (!a.is_function() || !b.is_function()) return false;
  const Closure &f = *a.function, &g = *b.function;
  return &f == &g || (!f.anonymous && !g.anonymous && f.name == g.name);
}

std::vector<Binding> isequal(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  ValueId result = truth(call, true);
  for (std::size_t i = 1; i < call.count(); ++i) {
    if (call.args[0].is_function() || call.args[i].is_function()) {
      result = both(call, result, truth(call, same_handles(call.args[0], call.args[i])));
      continue;
    }
    if (call.is_text(0) && call.is_text(i)) {
      result = both(call, result, same_strings(e, call.args[0], call.args[i]));
      continue;
    }
    const ValueId x = dense(e, call.array(0)), y = dense(e, call.array(i));
    const Type tx = call.type(x), ty = call.type(y);
    const ValueId same_rows = e.equal_sizes(tx.rows, ty.rows), same_cols = e.equal_sizes(tx.cols, ty.cols);
    if (e.constant_of(same_rows) == 0.0 || e.constant_of(same_cols) == 0.0) {
      result = truth(call, false);
      continue;
    }
    const ValueId same_shape = both(call, same_rows, same_cols);
    const auto same_elements = [&] {
      const ValueId equal = elementwise(e, ScalarOp::eq, {x, y}, call.span, "==");
      return call.type(equal).is_scalar() ? equal : b.reduce(equal, {ReduceOp::all, Axis::all});
    };
    result = both(call, result, branch_value(e, same_shape, same_elements, [&] { return truth(call, false); }));
  }
  return one(result);
}

std::vector<Binding> to_double(Call& call) {
  const ValueId value = call.array(0);
  const Element element = call.type(value).element;
  if (element == Element::integer) return one(value);
  if (call.type(value).is_sparse()) return one(value);
  return one(call.emit.builder.convert(value, element == Element::logical ? Element::integer : Element::real));
}
std::vector<Binding> to_single(Call& call) {
  Emitter& e = call.emit;
  const ValueId value = call.matrix(0);
  const Type t = e.type(value);
  if (t.is_sparse()) e.fail(call.span, "invalid conversion from sparse matrix to single: write single(full(...))");
  if (const auto diagonal = diagonal_of(e, value))
    return one(diagonal_matrix(e, e.builder.convert(*diagonal, Element::single), t.rows, t.cols));
  return one(e.builder.convert(value, Element::single));
}
std::vector<Binding> to_logical(Call& call) {
  Builder& b = call.emit.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (t.element == Element::logical) return one(value);
  if (is_floating(t.element)) {
    const ValueId nan = b.map(ScalarOp::is_nan, value);
    const ValueId some = t.is_scalar() ? nan : b.reduce(nan, {ReduceOp::any, Axis::all});
    call.emit.require(b.map(ScalarOp::logical_not, some), "logical: NaN can't be converted to logical value", {});
  }
  return one(b.map(ScalarOp::ne, value, b.constant(0, t.element)));
}

/// Functions that are built in here and files of functions in Octave, and those that Octave does not have.
constexpr std::string_view files_of_octave[] = {
    "accumarray", "assert",      "circshift",   "cond",        "cot",      "cross",    "csc",    "deal",
    "flip",       "fliplr",      "flipud",      "imwrite",     "int2str",  "isbanded", "isdiag", "isequal",
    "is_known",   "ishermitian", "issymmetric", "istril",      "istriu",   "mat2str",  "mean",   "meshgrid",
    "nonzeros",   "num2str",     "polyval",     "print_usage", "range",    "rank",     "read",   "reallog",
    "realsqrt",   "repmat",      "rot90",       "sec",         "sortrows", "spdiags",  "speye",  "spones",
    "strcat",     "trace",       "trapz",       "try_solve",   "unique",   "write",    "xor",
};

bool is_built_in(const std::string& name) {
  if (name == "OCTAVE_VERSION" || name == "randperm") return true;
  return find_builtin(name) != nullptr && std::ranges::find(files_of_octave, name) == std::end(files_of_octave);
}

bool is_file(Call& call, const std::string& name) {
  if (is_built_in(name)) return false;
  const auto& find = call.emit.options.find_function;
  return find_builtin(name) != nullptr || (find && find(name));
}

// exist(name[, type]) by Octave's numbers: 1 a variable, 2 a function of a file, 5 a built-in one, 103 of the program.
int kind_of_function(Call& call, const std::string& name, const std::string& type) {
  const bool any = type.empty();
  const bool of_program = call.walk.defines(name);
  if (of_program) return any ? 103 : 0;
  if ((any || type == "builtin") && is_built_in(name)) return 5;
  return (any || type == "file") && is_file(call, name) ? 2 : 0;
}
std::vector<Binding> exist(Call& call) {
  const Type* given = call.args[0].is_matrix() ? &call.type(call.args[0].value) : nullptr;
  if (given && (given->rows.is(0) || given->cols.is(0))) return one(call.emit.builder.constant(0, Element::integer));
  const Binding& name = call.args[0];
  if (name.is_cell() && !name.aggregate->stacked && name.aggregate->count() == 0)
    return one(call.emit.builder.constant(0, Element::integer));
  if (!call.is_text(0)) call.fail("NAME must be a string");
  if (call.count() > 1 && !call.is_text(1)) call.fail("TYPE must be a string");
  const std::string type = call.count() > 1 ? call.text(1) : "";
  constexpr std::string_view types[] = {"var", "builtin", "file", "dir"};
  if (call.count() > 1 && std::ranges::find(types, type) == std::end(types))
    call.fail("unrecognized type argument \"" + type + "\"");
  Builder& b = call.emit.builder;
  const bool is_path =
      type.empty() && call.args[0].is_known_text() && call.text(0).find_first_of("./") != std::string::npos;
  const bool of_file = type == "file" || is_path, of_folder = type == "dir";
  const int kind =
      of_folder || (of_file && !call.args[0].is_known_text()) ? 0 : kind_of_function(call, call.text(0), type);
  const ValueId function = b.constant(kind, Element::integer);
  if (of_file && kind == 0) return one(kind_of_path(call, 0));
  if (of_folder) {
    const ValueId kind_of_folder = b.constant(static_cast<double>(PathKind::folder), Element::integer);
    return one(b.map(ScalarOp::select, {is_path_of(call, 0, PathKind::folder), kind_of_folder, function}));
  }
  if (!type.empty() && type != "var") return one(function);
  const ValueId variable = call.walk.has_value(call.text(0));
  if (const auto known = call.emit.constant_of(variable))
    return one(*known != 0 ? b.constant(1, Element::integer) : function);
  return one(b.map(ScalarOp::select, variable, b.constant(1, Element::integer), function));
}

}  // namespace

std::span<const Builtin> shape_builtins() {
  static constexpr Builtin entries[] = {
      {"size", 1, -1, 8, size},
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
      {"class", 1, 1, 1, class_of},
      {"isa", 2, 2, 1, isa},
      {"ischar", 1, 1, 1, ischar},
      {"isstring", 1, 1, 1, isstring},
      {"is_known", 1, 1, 1, is_known},
      {"is_function_handle", 1, 1, 1, is_function_handle},
      {"nnz", 1, 1, 1, nnz},
      {"isequal", 2, -1, 1, isequal},
      {"double", 1, 1, 1, to_double},
      {"single", 1, 1, 1, to_single},
      {"logical", 1, 1, 1, to_logical},
      {"exist", 1, 2, 1, exist},
  };
  return entries;
}

}  // namespace lac::frontend
