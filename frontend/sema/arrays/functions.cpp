#include "frontend/sema/arrays/functions.h"

#include <algorithm>
#include <array>
#include <map>

#include "frontend/sema/arrays/operators.h"
#include "frontend/sema/values/concatenation.h"

namespace lac::frontend {
namespace {

/// Elements of a vector as far as the text tells; one of a scalar.
std::size_t length_of(const Emitter& e, const Binding& arg) {
  if (!arg.is_matrix()) return 0;
  const Size count = e.type(arg.value).count();
  return count.is_constant() ? static_cast<std::size_t>(count.constant()) : 0;
}

std::int64_t columns_in(const Emitter& e, const Binding& arg) {
  return arg.is_matrix() && e.type(arg.value).cols.is_constant() ? e.type(arg.value).cols.constant() : 0;
}

/// How many extents a shape has: zeros(2, 3, 4), zeros([2 3 4]).
std::size_t extents_in(const Emitter& e, const std::vector<Binding>& args, std::size_t first) {
  std::size_t count = 0;
  for (std::size_t i = first; i < args.size() && args[i].is_matrix(); ++i) ++count;
  while (count > 2 && e.constant_of(args[first + count - 1].value) == 1.0) --count;
  return count == 1 ? length_of(e, args[first]) : count;
}

/// repmat(A, m, n, p) or repmat(A, [m n p]): of one matrix alone the first two elements count, and [] does not.
bool repeats_by_numbers(const Emitter& e, const std::vector<Binding>& args) {
  if (args.size() == 2) return e.type(args[1].value).is_vector();
  return std::all_of(args.begin() + 1, args.end(),
                     [&](const Binding& arg) { return arg.is_matrix() && e.type(arg.value).is_scalar(); });
}

bool shapes(const std::string& name) {
  static constexpr std::array<std::string_view, 11> names = {"zeros", "ones", "Inf",   "inf",  "NaN",  "nan",
                                                             "NA",    "true", "false", "rand", "randn"};
  return std::ranges::find(names, name) != names.end();
}

/// What is done to each element of one argument, or of several that broadcast.
std::vector<Binding> mapped(Call& call) {
  Emitter& e = call.emit;
  for (const Binding& arg : call.args)
    if (!arg.is_array()) (void)call.matrix(static_cast<std::size_t>(&arg - call.args.data()));
  const Aligned all = aligned(e, call.args, call.name, call.span);
  std::vector<Binding> operands;
  for (const ValueId operand : all.operands) operands.push_back(Binding::matrix(operand));
  std::vector<Binding> results;
  for (const Binding& result : of_matrices(call, std::move(operands)))
    results.push_back(laid_out(e, result.value, all.extents));
  return results;
}

std::vector<Binding> mtimes(Call& call) {
  Binding result = call.args[0];
  for (std::size_t i = 1; i < call.count(); ++i)
    result = array_binary(call.emit, ast::BinaryOp::multiply, result, call.args[i], call.span);
  return {result};
}

std::vector<Binding> transposed(Call& call) { call.emit.fail(call.span, "transpose not defined for N-D objects"); }

std::map<std::string_view, Builtin> collected() {
  std::map<std::string_view, Builtin> all;
  for (const Builtin& builtin : elementwise_builtins()) {
    Builtin of_arrays = builtin;
    of_arrays.handler = mapped;
    all.emplace(builtin.name, of_arrays);
  }
  for (const std::string_view name : {"double", "single", "logical"}) all.emplace(name, Builtin{name, 1, 1, 1, mapped});
  all.at("mtimes").handler = mtimes;
  all.at("transpose").handler = all.at("ctranspose").handler = transposed;
  for (const auto& chapter : {array_shape_builtins(), array_construct_builtins(), array_rearrange_builtins(),
                              array_reduce_builtins(), array_position_builtins(), picture_builtins()})
    for (const Builtin& builtin : chapter) all.insert_or_assign(builtin.name, builtin);
  for (const Builtin& builtin : array_builtins()) all.insert_or_assign(builtin.name, builtin);
  return all;
}

}  // namespace

const Builtin* find_array_overload(std::string_view name) {
  static const std::map<std::string_view, Builtin> all = collected();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

bool may_make_array(const Emitter& e, const std::string& name, const std::vector<Binding>& args, int nargout) {
  if (std::ranges::any_of(args, &Binding::is_aggregate)) return false;
  if (shapes(name)) return extents_in(e, args, 0) > 2;
  if (name == "reshape") return args.size() > 3 || (args.size() == 2 && length_of(e, args[1]) > 2);
  if (name == "repmat") return extents_in(e, args, 1) > 2 && repeats_by_numbers(e, args);
  if (name == "permute") return args.size() == 2 && length_of(e, args[1]) > 2;
  if (name == "meshgrid") return args.size() == 3 || nargout == 3;
  if (name == "cat") return !args.empty() && args[0].is_matrix() && e.constant_of(args[0].value).value_or(0) > 2;
  if (name == "sub2ind" || name == "ind2sub") return !args.empty() && length_of(e, args[0]) > 2;
  if (name == "accumarray") return !args.empty() && columns_in(e, args[0]) > 2;
  if (name == "ndgrid") return args.size() > 2 || nargout > 2;
  const auto own = array_builtins();
  return std::ranges::find(own, name, &Builtin::name) != own.end();
}

std::vector<Binding> of_matrices(Call& call, std::vector<Binding> args) {
  return call.walk.call_by_name(call.name, std::move(args), call.nargout, call.span);
}

std::size_t dimension_argument(Call& call, std::size_t i) {
  const std::int64_t dimension = call.constant_integer(i, "DIM");
  if (dimension < 1) call.fail("DIM must be a valid dimension");
  return static_cast<std::size_t>(dimension - 1);
}

std::vector<std::int64_t> known_integers(Call& call, std::size_t i, const std::string& what) {
  Emitter& e = call.emit;
  const ValueId value = call.dense(i);
  std::vector<std::int64_t> integers;
  if (const auto numbers = numbers_of(e, value)) {
    for (const double number : *numbers) integers.push_back(static_cast<std::int64_t>(number));
    return integers;
  }
  const auto range = e.facts.ranges.find(value);
  if (range == e.facts.ranges.end() || !range->second.count.is_constant())
    call.fail(what + " must be known while the program is compiled");
  for (std::int64_t k = 0; k < range->second.count.constant(); ++k) {
    const Size each = range->second.first + range->second.step * k;
    if (!each.is_constant()) call.fail(what + " must be known while the program is compiled");
    integers.push_back(each.constant());
  }
  return integers;
}

std::vector<ValueId> written_extents(Call& call, std::size_t first, std::size_t end) {
  Emitter& e = call.emit;
  std::vector<ValueId> extents;
  if (end - first > 1) {
    for (std::size_t i = first; i < end; ++i) extents.push_back(call.scalar(i));
    return extents;
  }
  const ValueId vector = call.dense(first);
  if (e.type(vector).is_scalar()) return {vector};
  if (auto written = written_elements(e, vector)) return *written;
  const Size count = e.type(vector).count();
  if (!count.is_constant()) call.fail("how many dimensions there are must be known while the program is compiled");
  for (std::int64_t k = 0; k < count.constant(); ++k)
    extents.push_back(e.builder.index(vector, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1));
  return extents;
}

}  // namespace lac::frontend
