#include "ir/graph/builder.h"

#include <algorithm>
#include <utility>

#include "ir/graph/shape_rules.h"
#include "ir/support/result.h"

namespace lac {
namespace {

Op make_op(OpKind kind, std::vector<ValueId> operands, Attribute attribute) {
  Op op;
  op.kind = kind;
  op.operands = std::move(operands);
  op.attribute = std::move(attribute);
  return op;
}

}  // namespace

Builder::Builder(Graph& graph, LocationId location) : graph(graph), location(location) {
  if (!graph.body) graph.body = graph.blocks.push({});
  block = graph.body;
}

Builder::Builder(Graph& graph, BlockId block, LocationId location) : graph(graph), block(block), location(location) {}

// -- raw --------------------------------------------------------------------------------------------------------------

ValueId Builder::new_value(Type type, std::string name) {
  Value value;
  value.type = std::move(type);
  value.name = std::move(name);
  return graph.values.push(std::move(value));
}

BlockId Builder::new_block() { return graph.blocks.push({}); }

ValueId Builder::add_argument(BlockId owner, Type type, std::string name) {
  const ValueId argument = new_value(std::move(type), std::move(name));
  graph.values[argument].block = owner;
  graph.values[argument].index = static_cast<std::uint32_t>(graph.blocks[owner].arguments.size());
  graph.blocks[owner].arguments.push_back(argument);
  return argument;
}

OpId Builder::append(Op op) {
  if (!op.location) op.location = location;
  const OpId id = graph.ops.push(std::move(op));
  const Op& added = graph.ops[id];
  for (std::uint32_t i = 0; i < added.results.size(); ++i) {
    graph.values[added.results[i]].op = id;
    graph.values[added.results[i]].index = i;
  }
  for (BlockId inner : added.blocks) {
    graph.blocks[inner].parent = id;
    for (std::uint32_t i = 0; i < graph.blocks[inner].arguments.size(); ++i) {
      graph.values[graph.blocks[inner].arguments[i]].block = inner;
      graph.values[graph.blocks[inner].arguments[i]].index = i;
    }
  }
  graph.blocks[block].ops.push_back(id);
  return id;
}

ValueId Builder::emit(OpKind kind, std::vector<ValueId> operands, Attribute attribute, std::optional<Type> stated) {
  if (!stated) return emit_inferred(kind, std::move(operands), std::move(attribute)).front();
  const ValueId result = new_value(std::move(*stated));
  Op op = make_op(kind, std::move(operands), std::move(attribute));
  op.results = {result};
  append(std::move(op));
  return result;
}

std::vector<ValueId> Builder::emit_inferred(OpKind kind, std::vector<ValueId> operands, Attribute attribute) {
  Op op = make_op(kind, std::move(operands), std::move(attribute));
  const Result<std::vector<Type>> types = infer(graph, op);
  if (!types) throw InternalError(types.failure().message);
  for (const Type& type : types.value()) op.results.push_back(new_value(type));
  const std::vector<ValueId> results = op.results;
  append(std::move(op));
  return results;
}

void Builder::effect(OpKind kind, std::vector<ValueId> operands, Attribute attribute) {
  append(make_op(kind, std::move(operands), std::move(attribute)));
}

// -- values -----------------------------------------------------------------------------------------------------------

ValueId Builder::parameter(std::uint32_t index) {
  const ValueId result = emit(OpKind::parameter, {}, ParameterIndex{index});
  graph.values[result].name = graph.parameters[index].name;
  return result;
}

ValueId Builder::constant(double number, Element element) {
  return emit(OpKind::constant, {}, round_to(element, number), Type::scalar(element));
}

ValueId Builder::size(const Size& size) {
  if (size.is_constant()) return constant(static_cast<double>(size.constant()), Element::integer);
  return emit(OpKind::size, {}, size, Type::scalar(Element::integer));
}

ValueId Builder::table(std::vector<double> numbers, Element element, std::int64_t rows, std::int64_t cols) {
  if (rows == 1 && cols == 1) return constant(numbers.front(), element);
  for (double& number : numbers) number = round_to(element, number);
  return emit(OpKind::table, {}, Numbers{std::make_shared<std::vector<double>>(std::move(numbers))},
              Type::matrix(element, rows, cols));
}

ValueId Builder::text(const std::string& bytes) { return emit(OpKind::text, {}, bytes); }

ValueId Builder::fill(ValueId scalar, const Size& rows, const Size& cols) {
  if (rows.is(1) && cols.is(1)) return scalar;
  return emit(OpKind::fill, {scalar}, {}, Type::matrix(graph.type(scalar).element, rows, cols));
}

ValueId Builder::iota(Axis axis, const Size& rows, const Size& cols) {
  return emit(OpKind::iota, {}, axis, Type::matrix(Element::integer, rows, cols));
}

void Builder::seed(ValueId number) {
  emit(OpKind::random, {number}, Distribution::seed, Type::scalar(graph.precision));
}

ValueId Builder::random(Distribution distribution, const Size& rows, const Size& cols) {
  return emit(OpKind::random, {}, distribution, Type::matrix(graph.precision, rows, cols));
}

// -- elementwise ------------------------------------------------------------------------------------------------------

ValueId Builder::convert(ValueId v, Element element) {
  if (graph.type(v).element == element) return v;
  if (const std::optional<double> number = constant_value(graph, v)) return constant(*number, element);
  Type type = graph.type(v);
  type.element = element;
  return emit(OpKind::convert, {v}, {}, std::move(type));
}

ValueId Builder::map(ScalarOp op, const std::vector<ValueId>& operands) {
  double numbers[3] = {};
  Element elements[3] = {};
  bool constant_operands = operands.size() <= 3;
  for (std::size_t i = 0; i < operands.size() && constant_operands; ++i) {
    const std::optional<double> number = constant_value(graph, operands[i]);
    constant_operands = number.has_value();
    numbers[i] = number.value_or(0);
    elements[i] = graph.type(operands[i]).element;
  }
  if (!constant_operands) return emit(OpKind::map, operands, op);
  const Element element = result_element(op, elements, graph.precision);
  return constant(evaluate_as(element, op, numbers[0], numbers[1], numbers[2]), element);
}

// -- rearrangement ----------------------------------------------------------------------------------------------------

ValueId Builder::transpose(ValueId v) {
  const Type type = graph.type(v);
  if (type.is_scalar()) return v;
  if (type.is_sparse()) return library(LibraryFn::sparse_transpose, {v}, {transposed(type)}).front();
  return emit(OpKind::transpose, {v}, {});
}

ValueId Builder::reshape(ValueId v, const Size& rows, const Size& cols) {
  const Type& type = graph.type(v);
  if (type.is_dense() && type.rows == rows && type.cols == cols) return v;
  return emit(OpKind::reshape, {v}, {}, Type::matrix(type.element, rows, cols));
}

ValueId Builder::diagonal(ValueId v, std::int64_t k, std::optional<Size> length) {
  const Type& type = graph.type(v);
  if (!length) length = diagonal_length(graph.symbols, type.rows, type.cols, k);
  if (!length) throw InternalError("diagonal: the length is not decidable and was not given");
  return emit(OpKind::diagonal, {v}, k, Type::matrix(type.element, *length, 1));
}

ValueId Builder::index(ValueId v, Subscripts subscripts, const std::vector<ValueId>& vectors, const Size& rows,
                       const Size& cols) {
  std::vector<ValueId> operands = {v};
  operands.insert(operands.end(), vectors.begin(), vectors.end());
  return emit(OpKind::index, std::move(operands), std::move(subscripts),
              Type::matrix(graph.type(v).element, rows, cols));
}

ValueId Builder::shift(ValueId v, const Window& rows, const Window& cols) {
  const Type type = graph.type(v);
  if (rows.first.is(0) && cols.first.is(0) && type.rows == rows.count && type.cols == cols.count) return v;
  const Subscripts where{
      {{SubscriptKind::range, rows.first, 1, rows.count}, {SubscriptKind::range, cols.first, 1, cols.count}}};
  return emit(OpKind::shift, {v}, where, Type::matrix(type.element, rows.count, cols.count));
}

ValueId Builder::update(ValueId base, Subscripts subscripts, const std::vector<ValueId>& vectors, ValueId value) {
  std::vector<ValueId> operands = {base};
  operands.insert(operands.end(), vectors.begin(), vectors.end());
  operands.push_back(value);
  return emit(OpKind::update, std::move(operands), std::move(subscripts));
}

ValueId Builder::resize(ValueId v, const Size& rows, const Size& cols) {
  const Type& type = graph.type(v);
  if (type.rows == rows && type.cols == cols) return v;
  return emit(OpKind::resize, {v}, {}, Type::matrix(type.element, rows, cols));
}

ValueId Builder::concat(const std::vector<ValueId>& values, Axis axis) {
  if (values.size() == 1) return values.front();
  Element element = graph.type(values.front()).element;
  for (ValueId value : values) element = join(element, graph.type(value).element);
  std::vector<ValueId> operands;
  for (ValueId value : values) operands.push_back(convert(value, element));
  return emit(OpKind::concat, std::move(operands), axis);
}

// -- reductions and products ------------------------------------------------------------------------------------------

ValueId Builder::reduce(ValueId v, Reduction reduction) { return emit(OpKind::reduce, {v}, reduction); }

Builder::ArgResult Builder::arg_reduce(ValueId v, Reduction reduction) {
  const std::vector<ValueId> results = emit_inferred(OpKind::arg_reduce, {v}, reduction);
  return {results[0], results[1]};
}

ValueId Builder::scan(ValueId v, Reduction reduction) { return emit(OpKind::scan, {v}, reduction); }

ValueId Builder::matmul(ValueId a, ValueId b, Transposes transposes) {
  return emit(OpKind::matmul, {a, b}, transposes);
}

std::vector<ValueId> Builder::library(LibraryFn fn, const std::vector<ValueId>& operands,
                                      const std::vector<Type>& results) {
  Op op = make_op(OpKind::library, operands, fn);
  for (const Type& type : results) op.results.push_back(new_value(type));
  const std::vector<ValueId> values = op.results;
  append(std::move(op));
  return values;
}

// -- effects ----------------------------------------------------------------------------------------------------------

void Builder::check(ValueId condition, Message message, const std::vector<ValueId>& arguments) {
  std::vector<ValueId> operands = {condition};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  effect(OpKind::check, std::move(operands), std::move(message));
}

void Builder::warn(ValueId condition, Message message, const std::vector<ValueId>& arguments) {
  std::vector<ValueId> operands = {condition};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  effect(OpKind::warn, std::move(operands), std::move(message));
}

void Builder::print(ValueId v, Display display, const std::vector<ValueId>& range) {
  std::vector<ValueId> operands = {v};
  operands.insert(operands.end(), range.begin(), range.end());
  effect(OpKind::print, std::move(operands), std::move(display));
}

void Builder::format(Message message, const std::vector<ValueId>& arguments) {
  effect(OpKind::format, arguments, std::move(message));
}

void Builder::output(const std::string& name, ValueId v) { effect(OpKind::output, {v}, name); }

}  // namespace lac
