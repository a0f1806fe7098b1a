// flips, concatenation, find, sort, index arithmetic.
#include <algorithm>

#include "frontend/sema/builtins.h"

namespace lac::frontend {
namespace {

std::vector<Binding> flip(Call& call, Axis axis) {
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  Subscript rows{SubscriptKind::all, 0, 1, t.rows}, cols{SubscriptKind::all, 0, 1, t.cols};
  if (axis == Axis::rows) rows = {SubscriptKind::range, t.rows - 1, -1, t.rows};
  else cols = {SubscriptKind::range, t.cols - 1, -1, t.cols};
  return one(call.lower.builder.index(value, Subscripts{{rows, cols}}, {}, t.rows, t.cols));
}

std::vector<Binding> fliplr(Call& call) { return flip(call, Axis::cols); }
std::vector<Binding> flipud(Call& call) { return flip(call, Axis::rows); }

std::vector<Binding> concatenation(Call& call) {
  std::vector<ValueId> parts;
  for (std::size_t i = 0; i < call.count(); ++i) parts.push_back(call.matrix(i));
  return one(call.lower.concatenate(parts, call.name == "horzcat" ? Axis::cols : Axis::rows, call.span));
}

std::vector<Binding> find(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (call.nargout > 1) call.fail("[i, j] = find(...) is not supported yet: use find(x) and mod");
  if (t.rows.is(0) || t.cols.is(0)) {  // Octave keeps 0x0 and 1x0, and gives a column otherwise
    const bool none = t.rows.is(0) && t.cols.is(0);
    return one(b.fill(b.constant(0, Element::integer), t.rows.is(1) ? 1 : 0, none || t.rows.is(1) ? 0 : 1));
  }
  const ValueId mask = t.element == Element::logical ? value : b.map(ScalarOp::ne, value, b.constant(0, t.element));
  const ValueId positions = l.find_positions(mask);
  if (call.count() == 1) return one(positions);
  const Type found = call.type(positions);
  const Size wanted = call.size(1);
  const Size count = wanted - l.max0(wanted - found.count());  // min(wanted, found)
  const bool row = found.rows.is(1);
  const Subscripts first{{{SubscriptKind::range, 0, 1, l.max0(count)}}};
  const Size length = first.axes[0].count;
  return one(b.index(positions, first, {}, row ? Size(1) : length, row ? length : Size(1)));
}

std::vector<Binding> sort(Call& call) {
  Lowerer& l = call.lower;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (call.count() > 1) call.fail("only sort(x), ascending along the first axis longer than 1, is supported yet");
  if (t.is_scalar()) return {Binding::matrix(value), Binding::matrix(l.builder.constant(1, Element::integer))};
  const auto results =
      l.builder.library(LibraryFn::sort, {value},
                        {Type::matrix(t.element, t.rows, t.cols), Type::matrix(Element::integer, t.rows, t.cols)});
  return {Binding::matrix(results[0]), Binding::matrix(results[1])};
}

std::vector<Binding> sub2ind(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const auto dims = l.facts.literals.find(call.matrix(0));
  if (dims == l.facts.literals.end() || dims->second.size() != 2)
    call.fail("DIMS must be written out or come from size");
  const Size rows = as_size(l.graph, dims->second[0]), cols = as_size(l.graph, dims->second[1]);
  const ValueId i = call.dense(1), j = call.dense(2);
  const Type t = Type::matrix(Element::integer, rows, cols);
  l.check_positions(i, rows, "sub2ind: index ", 0, 2, t);
  l.check_positions(j, cols, "sub2ind: index ", 1, 2, t);
  const ValueId before = l.elementwise(
      ScalarOp::mul,
      {l.elementwise(ScalarOp::sub, {b.convert(j, Element::integer), b.constant(1, Element::integer)}, call.span, "-"),
       b.size(rows)},
      call.span, "*");
  return one(l.elementwise(ScalarOp::add, {before, b.convert(i, Element::integer)}, call.span, "sub2ind"));
}

// [a, b] = deal(x, y), or one value for all.
std::vector<Binding> deal(Call& call) {
  const std::size_t wanted = static_cast<std::size_t>(std::max(call.nargout, 1));
  if (call.count() == 1) return std::vector<Binding>(wanted, call.args[0]);
  if (call.count() != wanted) call.fail("nargin > 1 and nargin != nargout");
  return call.args;
}

std::vector<Binding> feval(Call& call) {
  std::vector<Binding> rest(call.args.begin() + 1, call.args.end());
  if (call.args[0].is_text())
    return call.lower.call_bound(call.args[0].text, std::move(rest), call.nargout, call.span, call.span);
  if (!call.args[0].is_function()) call.fail("the first argument must be a function handle or a name");
  return call.lower.call_closure(*call.args[0].function, std::move(rest), call.nargout, call.span);
}

constexpr Builtin entries[] = {
    {"fliplr", 1, 1, 1, fliplr},          {"flipud", 1, 1, 1, flipud}, {"horzcat", 1, -1, 1, concatenation},
    {"vertcat", 1, -1, 1, concatenation}, {"find", 1, 2, 2, find},     {"sort", 1, 2, 2, sort},
    {"sub2ind", 3, 3, 1, sub2ind},        {"deal", 1, -1, 16, deal},   {"feval", 1, -1, 16, feval},
};

}  // namespace

std::span<const Builtin> rearrange_builtins() { return entries; }

}  // namespace lac::frontend
