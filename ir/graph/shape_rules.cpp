#include "ir/graph/shape_rules.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lac {

bool may_equal_shape(const SymbolTable& symbols, const Type& a, const Type& b) {
  return may_equal(symbols, a.rows, b.rows) && may_equal(symbols, a.cols, b.cols);
}

std::optional<Size> minimum(const SymbolTable& symbols, const Size& a, const Size& b) {
  if (at_most(symbols, a, b)) return a;
  if (at_most(symbols, b, a)) return b;
  return std::nullopt;
}

std::optional<Size> diagonal_length(const SymbolTable& symbols, const Size& rows, const Size& cols, std::int64_t k) {
  const Size available_rows = k < 0 ? rows + Size(k) : rows, available_cols = k > 0 ? cols - Size(k) : cols;
  const std::optional<Size> length = minimum(symbols, available_rows, available_cols);
  if (!length) return std::nullopt;
  if (at_most(symbols, 0, *length)) return length;
  if (at_most(symbols, *length, 0)) return Size(0);
  return std::nullopt;
}

Type transposed(const Type& type) {
  Type result = type;
  std::swap(result.rows, result.cols);
  result.properties = {};
  for (const PropertyName& entry : property_names()) {
    if (!type.properties.has(entry.property)) continue;
    if (entry.property == Property::lower) result.properties.add(Property::upper);
    else if (entry.property == Property::upper) result.properties.add(Property::lower);
    else result.properties.add(entry.property);
  }
  std::reverse(result.offsets.begin(), result.offsets.end());
  for (Size& offset : result.offsets) offset = Size(0) - offset;
  return result;
}

namespace {

using Types = std::vector<Type>;

/// One op with the types of its operands at hand.
struct Case {
  const Graph& graph;
  const Op& op;
  Types operands;

  const SymbolTable& symbols() const { return graph.symbols; }
  const Type& operand(std::size_t i) const { return operands[i]; }
  bool stated() const { return !op.results.empty(); }
  const Type& result(std::size_t i = 0) const { return graph.type(op.results[i]); }
  Failure fail(const std::string& message) const { return {std::string(info(op.kind).name) + ": " + message}; }
};

using Inferred = Result<Types>;

Type dense(Element element, const Size& rows, const Size& cols) { return Type::matrix(element, rows, cols); }

Inferred needs_stated(const Case& c) { return c.fail("the result type must be stated"); }

Inferred stated_shape(const Case& c, Element element) {
  if (!c.stated()) return needs_stated(c);
  return Types{dense(element, c.result().rows, c.result().cols)};
}

Inferred as_stated(const Case& c) {
  Types types;
  for (ValueId result : c.op.results) types.push_back(c.graph.type(result));
  return types;
}

Inferred parameter(const Case& c) {
  const std::uint32_t index = attribute<ParameterIndex>(c.op).index;
  if (index >= c.graph.parameters.size()) return c.fail("there is no parameter " + std::to_string(index));
  return Types{c.graph.parameters[index].type};
}

Inferred constant(const Case& c) { return Types{Type::scalar(c.stated() ? c.result().element : c.graph.precision)}; }

Inferred size(const Case&) { return Types{Type::scalar(Element::integer)}; }

Inferred table(const Case& c) {
  const Type& type = c.result();
  const auto count = static_cast<std::int64_t>(attribute<Numbers>(c.op).values->size());
  if (!type.is_dense() || !type.rows.is_constant() || !type.cols.is_constant())
    return c.fail("the result " + c.graph.text(type) + " is not dense and of constant shape");
  if (!type.count().is(count)) return c.fail(std::to_string(count) + " numbers for " + c.graph.text(type));
  return Types{type};
}

Inferred text(const Case& c) {
  const auto count = static_cast<std::int64_t>(std::get<std::string>(c.op.attribute).size());
  return Types{dense(Element::integer, 1, count)};
}

Inferred fill(const Case& c) {
  if (!c.operand(0).is_scalar()) return c.fail("the operand is not a scalar");
  return stated_shape(c, c.operand(0).element);
}

Inferred iota(const Case& c) { return stated_shape(c, Element::integer); }

Inferred random(const Case& c) { return stated_shape(c, c.graph.precision); }

Inferred convert(const Case& c) {
  if (!c.stated()) return needs_stated(c);
  Type type = c.operand(0);
  type.element = c.result().element;
  return Types{type};
}

/// The extent of a broadcast along one axis: the first that is not 1.
Result<Size> broadcast(const Case& c, Size Type::*extent) {
  Size result = 1;
  for (const Type& type : c.operands) {
    if ((type.*extent).is(1)) continue;
    if (result.is(1)) result = type.*extent;
    else if (!may_equal(c.symbols(), result, type.*extent))
      return c.fail("nonconformant operands (" + c.graph.text(result) + " and " + c.graph.text(type.*extent) + ")");
  }
  return result;
}

Inferred map(const Case& c) {
  const ScalarOp function = attribute<ScalarOp>(c.op);
  if (static_cast<int>(c.operands.size()) != info(function).arity)
    return c.fail(std::string(name(function)) + " takes " + std::to_string(info(function).arity) + " operands");
  const Result<Size> rows = broadcast(c, &Type::rows), cols = broadcast(c, &Type::cols);
  if (!rows) return rows.failure();
  if (!cols) return cols.failure();
  Element elements[3] = {};
  for (std::size_t i = 0; i < c.operands.size(); ++i) elements[i] = c.operand(i).element;
  return Types{dense(result_element(function, elements, c.graph.precision), rows.value(), cols.value())};
}

Inferred transpose(const Case& c) { return Types{transposed(c.operand(0))}; }

Inferred reshape(const Case& c) {
  if (c.operand(0).storage == Storage::csr) return c.fail("the elements of compressed rows have no other shape");
  const Size count = stored_elements(c.operand(0));
  if (c.stated() && !may_equal(c.symbols(), count, c.result().count()))
    return c.fail("the number of elements changes from " + c.graph.text(count) + " to " +
                  c.graph.text(c.result().count()));
  return stated_shape(c, c.operand(0).element);
}

Inferred diagonal(const Case& c) {
  const Type& x = c.operand(0);
  const std::optional<Size> length = diagonal_length(c.symbols(), x.rows, x.cols, attribute<std::int64_t>(c.op));
  if (length) return Types{dense(x.element, *length, 1)};
  if (!c.stated()) return needs_stated(c);
  return Types{dense(x.element, c.result().rows, 1)};
}

/// The subscripts' own rules; empty when they hold. `vectors` are the operands that hold positions.
std::string subscript_fault(const Case& c, const Subscripts& subscripts, std::size_t vectors) {
  if (subscripts.axes.empty() || subscripts.axes.size() > 2) return "one or two subscripts are needed";
  std::size_t used = 0;
  for (const Subscript& axis : subscripts.axes) {
    if (axis.kind != SubscriptKind::vector) continue;
    if (used == vectors) return "a subscript has no index vector";
    const Type& vector = c.operand(1 + used++);
    if (!may_equal(c.symbols(), vector.count(), axis.count))
      return "an index vector has " + c.graph.text(vector.count()) + " elements for " + c.graph.text(axis.count) +
             " positions";
  }
  return used == vectors ? "" : "there are more index vectors than subscripts for them";
}

Inferred index(const Case& c) {
  const Subscripts& subscripts = attribute<Subscripts>(c.op);
  if (const std::string fault = subscript_fault(c, subscripts, c.operands.size() - 1); !fault.empty())
    return c.fail(fault);
  const Element element = c.operand(0).element;
  if (!subscripts.linear()) return Types{dense(element, subscripts.axes[0].count, subscripts.axes[1].count)};
  if (c.stated() && !may_equal(c.symbols(), c.result().count(), subscripts.axes[0].count))
    return c.fail("the result holds " + c.graph.text(c.result().count()) + " elements for " +
                  c.graph.text(subscripts.axes[0].count) + " positions");
  return stated_shape(c, element);
}

Inferred shift(const Case& c) {
  const std::vector<Subscript>& axes = attribute<Subscripts>(c.op).axes;
  const auto is_window = [](const Subscript& axis) { return axis.kind == SubscriptKind::range && axis.step.is(1); };
  if (axes.size() != 2 || !std::all_of(axes.begin(), axes.end(), is_window)) return c.fail("not two ranges of step 1");
  return Types{dense(c.operand(0).element, axes[0].count, axes[1].count)};
}

Inferred update(const Case& c) {
  const Subscripts& subscripts = attribute<Subscripts>(c.op);
  if (const std::string fault = subscript_fault(c, subscripts, c.operands.size() - 2); !fault.empty())
    return c.fail(fault);
  const Type &base = c.operand(0), &value = c.operands.back();
  if (value.element != base.element) return c.fail("the value's element is not the base's");
  Size positions = 1;
  for (const Subscript& axis : subscripts.axes) positions = positions * axis.count;
  if (!value.is_scalar() && !may_equal(c.symbols(), value.count(), positions))
    return c.fail(c.graph.text(value.count()) + " values for " + c.graph.text(positions) + " positions");
  return Types{dense(base.element, base.rows, base.cols)};
}

Inferred resize(const Case& c) {
  const auto is_less = [&](const Size& a, const Size& b) {
    return at_most(c.symbols(), a, b) && !may_equal(c.symbols(), a, b);
  };
  if (c.stated()) {
    const Type &before = c.operand(0), &after = c.result();
    const bool shrinks = is_less(after.rows, before.rows) || is_less(after.cols, before.cols);
    if (shrinks && c.op.reuse.empty()) return c.fail("an extent shrinks");
    if (shrinks && is_less(before.count(), after.count()))
      return c.fail("an extent shrinks, and there are more elements");
  }
  return stated_shape(c, c.operand(0).element);
}

Inferred concat(const Case& c) {
  const Axis axis = attribute<Axis>(c.op);
  if (axis == Axis::all) return c.fail("the axis must be rows or cols");
  Size Type::*const along = axis == Axis::rows ? &Type::rows : &Type::cols;
  Size Type::*const across = axis == Axis::rows ? &Type::cols : &Type::rows;
  Type result = dense(c.operand(0).element, 0, 0);
  result.*across = c.operand(0).*across;
  for (const Type& type : c.operands) {
    result.element = join(result.element, type.element);
    result.*along = result.*along + type.*along;
    if (!may_equal(c.symbols(), result.*across, type.*across))
      return c.fail("extents differ (" + c.graph.text(result.*across) + " and " + c.graph.text(type.*across) + ")");
  }
  return Types{result};
}

Type reduced(const Type& x, const Reduction& reduction) {
  return dense(reduced_element(reduction.op, x.element), reduction.axis == Axis::cols ? x.rows : Size(1),
               reduction.axis == Axis::rows ? x.cols : Size(1));
}

Inferred reduce(const Case& c) { return Types{reduced(c.operand(0), attribute<Reduction>(c.op))}; }

Inferred arg_reduce(const Case& c) {
  const Reduction& reduction = attribute<Reduction>(c.op);
  if (reduction.op != ReduceOp::min && reduction.op != ReduceOp::max) return c.fail("only min and max have a position");
  const Type value = reduced(c.operand(0), reduction);
  return Types{value, dense(Element::integer, value.rows, value.cols)};
}

Inferred scan(const Case& c) {
  const Reduction& reduction = attribute<Reduction>(c.op);
  if (reduction.op == ReduceOp::any || reduction.op == ReduceOp::all) return c.fail("any and all do not accumulate");
  if (reduction.axis == Axis::all) return c.fail("the axis must be rows or cols");
  const Type& x = c.operand(0);
  return Types{dense(reduced_element(reduction.op, x.element), x.rows, x.cols)};
}

Inferred matmul(const Case& c) {
  const Transposes& transposes = attribute<Transposes>(c.op);
  const Type &a = c.operand(0), &b = c.operand(1);
  if (!b.is_dense()) return c.fail("the right operand must be dense");
  const Size &rows = transposes.left ? a.cols : a.rows, &left = transposes.left ? a.rows : a.cols;
  const Size &right = transposes.right ? b.cols : b.rows, &cols = transposes.right ? b.rows : b.cols;
  if (!may_equal(c.symbols(), left, right))
    return c.fail("nonconformant operands (" + c.graph.text(left) + " and " + c.graph.text(right) + ")");
  return Types{dense(arithmetic_join(a.element, b.element), rows, cols)};
}

Inferred launch(const Case& c) {
  const KernelId kernel = attribute<KernelId>(c.op);
  if (!c.graph.kernels.contains(kernel)) return c.fail("there is no such kernel");
  Types types;
  for (const KernelOutput& output : c.graph.kernels[kernel].outputs) types.push_back(output.type);
  return types;
}

Inferred copy(const Case& c) { return Types{c.operand(0)}; }

Inferred nothing(const Case&) { return Types{}; }

struct Rule {
  OpKind kind;
  bool dense_operands;
  Inferred (*infer)(const Case&);
};

// In the order of ops.def, which `rule_of` checks.
constexpr Rule rules[] = {
    {OpKind::parameter, true, parameter}, {OpKind::constant, true, constant},
    {OpKind::size, true, size},           {OpKind::table, false, table},
    {OpKind::text, false, text},          {OpKind::fill, true, fill},
    {OpKind::iota, true, iota},           {OpKind::random, true, random},
    {OpKind::convert, false, convert},    {OpKind::map, true, map},
    {OpKind::transpose, true, transpose}, {OpKind::reshape, false, reshape},
    {OpKind::diagonal, true, diagonal},   {OpKind::index, true, index},
    {OpKind::shift, true, shift},         {OpKind::update, true, update},
    {OpKind::resize, true, resize},       {OpKind::concat, true, concat},
    {OpKind::reduce, true, reduce},       {OpKind::arg_reduce, true, arg_reduce},
    {OpKind::scan, true, scan},           {OpKind::matmul, false, matmul},
    {OpKind::library, false, as_stated},  {OpKind::check, false, nothing},
    {OpKind::warn, false, nothing},       {OpKind::print, false, nothing},
    {OpKind::format, false, nothing},     {OpKind::output, false, nothing},
    {OpKind::loop, false, as_stated},     {OpKind::branch, false, as_stated},
    {OpKind::launch, false, launch},      {OpKind::copy, false, copy},
    {OpKind::release, false, nothing},
};

constexpr bool rules_are_in_order() {
  for (std::size_t i = 0; i < std::size(rules); ++i)
    if (static_cast<std::size_t>(rules[i].kind) != i) return false;
  return true;
}
static_assert(rules_are_in_order());
inline constexpr std::size_t op_count = 0
#define LAC_OP(kind, fewest, most, results, traits) +1
#include "ir/graph/ops.def"
#undef LAC_OP
    ;
static_assert(std::size(rules) == op_count);

}  // namespace

Result<std::vector<Type>> infer(const Graph& graph, const Op& op) {
  Case c{graph, op, {}};
  for (ValueId operand : op.operands) c.operands.push_back(graph.type(operand));
  const Rule& rule = rules[static_cast<int>(op.kind)];
  if (rule.dense_operands)
    for (const Type& type : c.operands)
      if (!type.is_dense()) return c.fail("the operand " + graph.text(type) + " is not dense");
  return rule.infer(c);
}

}  // namespace lac
