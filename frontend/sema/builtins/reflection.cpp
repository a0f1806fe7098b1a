// nargin, nargout, isargout, inputname: what a function knows of the call that it is, and of other functions.
#include <algorithm>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/concatenation.h"

namespace lac::frontend {
namespace {

// narginchk(least, most): an error where the call of this function has another number of arguments.
std::vector<Binding> check_nargin(Call& call) {
  Emitter& e = call.emit;
  const ValueId given = e.builder.constant(call.walk.caller().nargin, Element::integer);
  const auto require = [&](ValueId holds, const std::string& message) {
    e.require(holds, message, {});
    if (e.constant_of(holds) == 0.0) throw Unreachable{};
  };
  require(e.builder.map(ScalarOp::ge, given, call.scalar(0)), "narginchk: not enough input arguments");
  require(e.builder.map(ScalarOp::le, given, call.scalar(1)), "narginchk: too many input arguments");
  return {};
}

Walk::Signature signature_of(Call& call) {
  const Binding& given = call.args[0];
  if (!given.is_function() && !given.is_text()) call.fail("FCN must be a string or function handle");
  const auto closure = given.is_function() ? given.function : function_named(call.text(0), call.span).function;
  const auto signature = call.walk.signature_of(*closure, call.span);
  if (!signature) call.fail("of a built-in function is outside the language");
  return *signature;
}

std::vector<Binding> whole_number(Call& call, int number) {
  return one(call.emit.builder.constant(number, Element::integer));
}

// nargin, nargin(f)
std::vector<Binding> nargin(Call& call) {
  return whole_number(call, call.count() > 0 ? signature_of(call).nargin : call.walk.caller().nargin);
}

// nargout, nargout(f)
std::vector<Binding> nargout(Call& call) {
  return whole_number(call, call.count() > 0 ? signature_of(call).nargout : call.walk.caller().nargout);
}

// isargout(k): whether the caller of this function takes result k; the first one always unless it stands as ~.
std::vector<Binding> isargout(Call& call) {
  const Walk::Caller caller = call.walk.caller();
  if (caller.name.empty()) call.fail("invalid use at top level");
  const ValueId asked = call.dense(0);
  const auto numbers = numbers_of(call.emit, asked);
  const auto single = call.emit.constant_of(asked);
  if (!numbers && !single) call.fail("K must be known while the program is compiled");
  std::vector<ValueId> taken;
  for (const double k : numbers ? *numbers : std::vector{*single}) {
    if (!(k >= 1)) call.fail("K must be a positive integer");
    const bool listed = k <= std::max(caller.nargout, 1);
    const std::size_t at = listed ? static_cast<std::size_t>(k) - 1 : 0;
    const bool ignored = at < caller.ignored.size() && caller.ignored[at];
    taken.push_back(call.emit.builder.constant(listed && !ignored ? 1 : 0, Element::logical));
  }
  const Type t = call.type(asked);
  if (t.is_scalar()) return one(taken.front());
  return one(literal(call.emit, taken, t.rows.constant(), t.cols.constant()));
}

// inputname(n): the name of the variable that argument n is; "" where it is none.
std::vector<Binding> inputname(Call& call) {
  const Walk::Caller caller = call.walk.caller();
  const std::int64_t n = call.constant_integer(0, "N");
  if (n < 1) call.fail("N must be a positive integer");
  if (n > caller.nargin) call.fail("N out of range");
  const auto at = static_cast<std::size_t>(n) - 1;
  return {Binding::string(at < caller.arguments.size() ? caller.arguments[at] : "", false)};
}

}  // namespace

std::span<const Builtin> reflection_builtins() {
  static constexpr Builtin entries[] = {
      {"nargin", 0, 1, 1, nargin},          {"nargout", 0, 1, 1, nargout},     {"isargout", 1, 1, 1, isargout},
      {"narginchk", 2, 2, 0, check_nargin}, {"inputname", 1, 1, 1, inputname},
  };
  return entries;
}

}  // namespace lac::frontend
