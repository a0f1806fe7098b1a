// sum, max, cumsum, sort, ...: functions that work along one dimension of an array.
#include <algorithm>

#include "frontend/sema/arrays/along.h"
#include "frontend/sema/arrays/functions.h"
#include "frontend/sema/arrays/operators.h"

namespace lac::frontend {
namespace {

/// What stands between the array and the dimension where the call leaves it out.
enum class Between { nothing, empty, zero, one };

struct AlongFunction {
  std::string_view name;
  std::size_t dimension;  ///< the argument that says along which dimension
  Between between = Between::nothing;
};

constexpr AlongFunction functions[] = {
    {"sum", 1},
    {"prod", 1},
    {"sumsq", 1},
    {"any", 1},
    {"all", 1},
    {"mean", 1},
    {"median", 1},
    {"range", 1},
    {"max", 2, Between::empty},
    {"min", 2, Between::empty},
    {"var", 2, Between::zero},
    {"std", 2, Between::zero},
    {"cumsum", 1},
    {"cumprod", 1},
    {"cummax", 1},
    {"cummin", 1},
    {"diff", 2, Between::one},
    {"sort", 1},
};

Binding filler(Emitter& e, Between between) {
  if (between == Between::empty) return Binding::matrix(e.nothing());
  return Binding::matrix(e.builder.constant(between == Between::one ? 1 : 0, Element::integer));
}

/// max(A, B): of two arrays element by element.
std::vector<Binding> of_two(Call& call) {
  const Aligned both = aligned(call.emit, call.args, call.name, call.span);
  const std::vector<Binding> result =
      of_matrices(call, {Binding::matrix(both.operands[0]), Binding::matrix(both.operands[1])});
  return {laid_out(call.emit, result.front().value, both.extents)};
}

std::vector<Binding> along_dimension(Call& call) {
  Emitter& e = call.emit;
  const AlongFunction& function = *std::ranges::find(functions, call.name, &AlongFunction::name);
  const bool of_pair = function.between == Between::empty && call.count() == 2;
  if (of_pair) return of_two(call);
  if (!call.args[0].is_array()) call.fail("argument 1 must be the array");
  const Array array = array_of(e, call.args[0]);
  std::size_t given = call.count();
  while (given > 1 && call.is_text(given - 1)) --given;
  if (given > function.dimension + 1) call.fail("too many arguments for an array");
  const std::size_t dimension = given > function.dimension ? dimension_argument(call, function.dimension)
                                                           : first_dimension(e, array.extents, call.name);
  const std::vector<Array> results = along(e, array, dimension, [&](ValueId matrix, int axis) {
    std::vector<Binding> args = {Binding::matrix(matrix)};
    for (std::size_t i = 1; i < function.dimension; ++i)
      args.push_back(i < given ? call.args[i] : filler(e, function.between));
    args.push_back(Binding::matrix(e.builder.constant(axis, Element::integer)));
    args.insert(args.end(), call.args.begin() + static_cast<std::ptrdiff_t>(given), call.args.end());
    return of_matrices(call, std::move(args));
  });
  std::vector<Binding> bindings;
  for (const Array& result : results) bindings.push_back(as_binding(e, result));
  return bindings;
}

/// dot(A, B[, dim])
std::vector<Binding> dot(Call& call) {
  const Binding products = array_binary(call.emit, ast::BinaryOp::times, call.args[0], call.args[1], call.span);
  std::vector<Binding> args = {products};
  if (call.count() > 2) args.push_back(call.args[2]);
  return call.walk.call_by_name("sum", std::move(args), 1, call.span);
}

}  // namespace

std::span<const Builtin> array_reduce_builtins() {
  static constexpr Builtin entries[] = {
      {"sum", 1, 3, 1, along_dimension},
      {"prod", 1, 3, 1, along_dimension},
      {"sumsq", 1, 2, 1, along_dimension},
      {"any", 1, 2, 1, along_dimension},
      {"all", 1, 2, 1, along_dimension},
      {"mean", 1, 3, 1, along_dimension},
      {"median", 1, 2, 1, along_dimension},
      {"range", 1, 2, 1, along_dimension},
      {"max", 1, 3, 2, along_dimension},
      {"min", 1, 3, 2, along_dimension},
      {"var", 1, 3, 1, along_dimension},
      {"std", 1, 3, 1, along_dimension},
      {"cumsum", 1, 3, 1, along_dimension},
      {"cumprod", 1, 2, 1, along_dimension},
      {"cummax", 1, 2, 2, along_dimension},
      {"cummin", 1, 2, 2, along_dimension},
      {"diff", 1, 3, 1, along_dimension},
      {"sort", 1, 3, 2, along_dimension},
      {"dot", 2, 3, 1, dot},
  };
  return entries;
}

}  // namespace lac::frontend
