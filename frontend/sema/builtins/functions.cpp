// arrayfun, bsxfun, feval, try_solve, deal: functions of functions.
#include <algorithm>

#include "frontend/ast/operators.h"
#include "frontend/ast/print.h"
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/operators.h"

namespace lac::frontend {
namespace {

// [a, b] = deal(x, y), or one value for all.
std::vector<Binding> deal(Call& call) {
  const std::size_t wanted = static_cast<std::size_t>(std::max(call.nargout, 1));
  if (call.count() == 1) return std::vector<Binding>(wanted, call.args[0]);
  if (call.count() != wanted) call.fail("nargin > 1 and nargin != nargout");
  return call.args;
}

/// A handle, or the name of a function.
std::shared_ptr<const Closure> function_of(Call& call) {
  if (call.args[0].is_function()) return call.args[0].function;
  if (!call.args[0].is_text()) call.fail("the first argument must be a function handle or a name");
  return function_named(call.args[0].text, call.span).function;
}

std::vector<Binding> feval(Call& call) {
  std::vector<Binding> rest(call.args.begin() + 1, call.args.end());
  return call.walk.call_closure(*function_of(call), std::move(rest), call.nargout, call.span);
}

// [y, singular] = try_solve(f, x): f(x), and whether a system that it solves is singular, in place of a warning. What
// Octave's solvers learn by turning that warning into an error.
std::vector<Binding> try_solve(Call& call) {
  Emitter& e = call.emit;
  e.tried_solves.push_back({e.builder.block, {}});
  struct WhileTried {
    std::vector<Emitter::TriedSolves>& solves;
    ~WhileTried() { solves.pop_back(); }
  } const while_tried{e.tried_solves};
  std::vector<Binding> results = call.walk.call_closure(*function_of(call), {call.args[1]}, 1, call.span);
  ValueId singular = e.builder.constant(0, Element::logical);
  for (const ValueId found : e.tried_solves.back().singular)
    singular = e.builder.map(ScalarOp::logical_or, singular, found);
  results.push_back(Binding::matrix(singular));
  return results;
}

// arrayfun over a string: over a cell for each of its characters.
std::vector<Binding> over_characters(Call& call) {
  std::vector<Binding> arguments = call.args;
  arguments[1] = call.walk.call_by_name("num2cell", {arguments[1]}, 1, call.span)[0];
  return call.walk.call_by_name("cellfun", std::move(arguments), call.nargout, call.span);
}

/// Whether it is @(x) {...}: what it gives are cells, which stand beside each other as they are.
bool gives_cells(const Binding& function) {
  if (!function.is_function() || !function.function->anonymous) return false;
  return std::holds_alternative<ast::Cell>(ast::strip_parens(*function.function->anonymous->body).node);
}

// arrayfun(f, x, ...[, "UniformOutput", true])
std::vector<Binding> arrayfun(Call& call) {
  if (call.is_text(1)) return over_characters(call);
  std::size_t given = call.count();
  if (given > 2 && call.is_text(given - 2)) {
    given -= 2;
    const std::string& option = call.text(given);
    if (option != "UniformOutput") call.fail("option \"" + option + "\" is outside the language");
    if (call.emit.constant_of(call.matrix(given + 1)).value_or(0) == 0) return map_elements(call);
  }
  if (given < 2) call.fail("Invalid call to arrayfun");
  if (gives_cells(call.args[0])) return map_elements(call);
  std::vector<Binding> arguments;
  for (std::size_t i = 1; i < given; ++i)
    arguments.push_back(call.args[i].is_complex() || call.args[i].is_integer() ? call.args[i]
                                                                               : Binding::matrix(call.dense(i)));
  const auto type_of = [&](const Binding& argument) { return call.type(parts_of(call.emit, argument.numbers()).re); };
  const auto is_one = [&](const Binding& argument) { return type_of(argument).is_scalar(); };
  const auto shaping = std::ranges::find_if_not(arguments, is_one);  // one element stands for as many as it has
  if (shaping == arguments.end()) return call.walk.map_function(*function_of(call), arguments, call.nargout, call.span);
  const Type t = type_of(*shaping);
  if (call.nargout == 0 && t.count().is(0)) return {};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_one(arguments[i])) {
      arguments[i] = repeated(call, arguments[i], t.rows, t.cols);
      continue;
    }
    const Type other = type_of(arguments[i]);
    const std::string mismatch = "arrayfun: all the input arguments must have the same size and shape (arg " +
                                 std::to_string(shaping - arguments.begin() + 1) + " and arg " + std::to_string(i + 1) +
                                 ")";
    require_equal(call.emit, t.rows, other.rows, call.span, mismatch, {}, mismatch);
    require_equal(call.emit, t.cols, other.cols, call.span, mismatch, {}, mismatch);
  }
  return call.walk.map_function(*function_of(call), arguments, call.nargout, call.span);
}

// bsxfun(f, A, B): operators broadcast by themselves
std::vector<Binding> bsxfun(Call& call) {
  std::vector<Binding> operands;
  for (const std::size_t i : {1, 2})
    operands.push_back(call.args[i].is_integer() || call.args[i].is_complex() ? call.args[i]
                                                                              : Binding::matrix(call.dense(i)));
  return call.walk.call_closure(*function_of(call), std::move(operands), 1, call.span);
}

std::vector<Binding> named_operator(Call& call) {
  const ast::BinaryOp op = ast::operator_named(call.name);
  return one(binary(call.emit, op, call.matrix(0), call.matrix(1), call.span));
}

std::vector<Binding> uplus(Call& call) { return one(call.matrix(0)); }

std::vector<Binding> func2str(Call& call) {
  if (!call.args[0].is_function()) call.fail("FCN_HANDLE argument must be a valid function handle");
  const Closure& closure = *call.args[0].function;
  return {Binding::string(closure.anonymous ? ast::display_of(*closure.anonymous, call.emit.sources) : closure.name,
                          false)};
}

std::vector<Binding> str2func(Call& call) {
  const std::string& name = call.text(0);
  if (name.starts_with("@")) {
    const Binding function = call.walk.value_of_text(name, true, call.span);
    if (!function.is_function()) call.fail("FCN_NAME must be the text of a function");
    return {function};
  }
  return {function_named(std::string(ast::function_of_operator(name)), call.span)};
}

}  // namespace

std::span<const Builtin> function_builtins() {
  static constexpr Builtin entries[] = {
      {"func2str", 1, 1, 1, func2str},
      {"str2func", 1, 1, 1, str2func},
      {"deal", 1, -1, 16, deal},
      {"feval", 1, -1, 16, feval},
      {"try_solve", 2, 2, 2, try_solve},
      {"arrayfun", 2, -1, 16, arrayfun},
      {"bsxfun", 3, 3, 1, bsxfun},
      {"mrdivide", 2, 2, 1, named_operator},
      {"ldivide", 2, 2, 1, named_operator},
      {"mpower", 2, 2, 1, named_operator},
      {"uplus", 1, 1, 1, uplus},
  };
  return entries;
}

}  // namespace lac::frontend
