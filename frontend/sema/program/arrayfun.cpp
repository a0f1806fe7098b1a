// A function applied to every element. Where its body is scalar arithmetic alone, the same operations on whole matrices
// do the same and fuse; else a loop calls it element by element.
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/checks.h"

namespace lac::frontend {
namespace {

/// Ops that mean the same on every element of a matrix as on a scalar.
bool is_arithmetic(const Graph& graph, const Op& op) {
  for (ValueId result : op.results)
    if (!graph.type(result).is_scalar()) return false;
  return op.kind == OpKind::map || op.kind == OpKind::convert || op.kind == OpKind::constant;
}

}  // namespace

/// One trial call on scalars that stand for elements, in a block of its own.
struct Lowerer::ElementCall {
  BlockId block;
  std::vector<ValueId> elements, results;
  bool stops = true;  ///< the function always ends in an error
};

Lowerer::ElementCall Lowerer::call_on_element(const Closure& closure, const std::vector<ValueId>& arguments,
                                              int nargout, Span span) {
  ElementCall made{emit_.builder.new_block(), {}, {}, true};
  std::vector<Binding> bindings;
  for (ValueId argument : arguments) {
    made.elements.push_back(emit_.builder.add_argument(made.block, Type::scalar(emit_.type(argument).element)));
    bindings.push_back(Binding::matrix(made.elements.back()));
  }
  emit_.inside(made.block, [&] {
    const std::string uniform =
        "arrayfun: all values must be scalars when UniformOutput = true; use the 'UniformOutput', false option";
    emit_.reachable([&] {
      for (const Binding& result : call_closure(closure, bindings, nargout, span)) {
        if (!result.is_matrix()) emit_.fail(span, uniform);
        const Type t = emit_.type(result.value);
        if (t.is_sparse() || emit_.facts.distinct(emit_.graph, t.rows, 1) ||
            emit_.facts.distinct(emit_.graph, t.cols, 1))
          emit_.fail(span, uniform);
        made.results.push_back(as_scalar(emit_, result.value, span, "arrayfun: the value of the function"));
      }
      made.stops = false;
    });
  });
  return made;
}

std::vector<Binding> Lowerer::map_function(const Closure& closure, const std::vector<ValueId>& arguments, int nargout,
                                           Span span) {
  const Type t = emit_.type(arguments[0]);
  const Snapshot before = save();
  const ElementCall trial = call_on_element(closure, arguments, nargout, span);
  bool arithmetic = true;
  for (OpId op : emit_.graph.blocks[trial.block].ops)
    arithmetic = arithmetic && is_arithmetic(emit_.graph, emit_.graph.ops[op]);
  std::vector<Element> elements;
  for (ValueId result : trial.results) elements.push_back(emit_.type(result).element);
  if (arithmetic) return map_whole(trial, arguments, t);
  restore(before);
  if (trial.stops) return call_on_first(closure, arguments, nargout, span);
  return map_by_loop(closure, arguments, elements, nargout, span);
}

/// What no element survives needs no loop.
std::vector<Binding> Lowerer::call_on_first(const Closure& closure, const std::vector<ValueId>& arguments, int nargout,
                                            Span span) {
  std::vector<Binding> bindings;
  for (ValueId argument : arguments)
    bindings.push_back(
        Binding::matrix(emit_.builder.index(argument, Subscripts{{{SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1)));
  return call_closure(closure, bindings, nargout, span);
}

/// The ops of the trial again, with whole arguments in the place of elements.
std::vector<Binding> Lowerer::map_whole(const ElementCall& trial, const std::vector<ValueId>& arguments,
                                        const Type& shape) {
  std::map<ValueId, ValueId> image;
  for (std::size_t i = 0; i < arguments.size(); ++i) image[trial.elements[i]] = arguments[i];
  const auto whole = [&](ValueId value) {
    const auto found = image.find(value);
    return found == image.end() ? value : found->second;
  };
  for (OpId id : std::vector<OpId>(emit_.graph.blocks[trial.block].ops)) {
    const Op op = emit_.graph.ops[id];
    ValueId made;
    if (op.kind == OpKind::constant) {
      made = emit_.builder.constant(attribute<double>(op), emit_.type(op.results[0]).element);
    } else if (op.kind == OpKind::convert) {
      made = emit_.builder.convert(whole(op.operands[0]), emit_.type(op.results[0]).element);
    } else {
      std::vector<ValueId> operands;
      for (ValueId operand : op.operands) operands.push_back(whole(operand));
      made = emit_.builder.map(attribute<ScalarOp>(op), operands);
    }
    image[op.results[0]] = made;
  }
  emit_.graph.blocks[trial.block].ops.clear();
  std::vector<Binding> results;
  for (ValueId result : trial.results) {
    const ValueId value = whole(result);
    results.push_back(Binding::matrix(emit_.type(value).is_scalar() && !shape.is_scalar()
                                          ? emit_.builder.fill(value, shape.rows, shape.cols)
                                          : value));
  }
  return results;
}

std::vector<Binding> Lowerer::map_by_loop(const Closure& closure, const std::vector<ValueId>& arguments,
                                          const std::vector<Element>& elements, int nargout, Span span) {
  const Type t = emit_.type(arguments[0]);
  std::vector<Binding> results;
  if (t.rows.is(0) || t.cols.is(0)) {
    for (Element element : elements)
      results.push_back(Binding::matrix(emit_.builder.fill(emit_.builder.constant(0, element), t.rows, t.cols)));
    return results;
  }
  Op op;
  op.kind = OpKind::loop;
  op.attribute = LoopInfo{LoopKind::for_range, "arrayfun"};
  op.operands = {emit_.builder.size(t.count()), emit_.builder.constant(1, Element::logical)};
  const BlockId body = emit_.builder.new_block();
  op.blocks = {body};
  const ValueId trip = emit_.builder.add_argument(body, Type::scalar(Element::integer));
  const SymbolId symbol = symbol_of(emit_.graph, trip);
  emit_.graph.symbols[symbol].lower = 0;
  emit_.facts.at_most(symbol, t.count() - 1);
  op.results = {emit_.builder.new_value(Type::scalar(Element::integer))};
  std::vector<ValueId> carried;
  for (Element element : elements) {
    const Type column = Type::matrix(element, t.count(), 1);
    op.operands.push_back(emit_.builder.fill(emit_.builder.constant(0, element), t.count(), 1));
    carried.push_back(emit_.builder.add_argument(body, column));
    op.results.push_back(emit_.builder.new_value(column));
  }
  const Subscripts here{{{SubscriptKind::range, Size::symbol(symbol), 1, 1}}};
  std::vector<ValueId> yields;
  emit_.inside(body, [&] {
    const Emitter::Conditionally trip(emit_);
    std::vector<Binding> bindings;
    for (ValueId argument : arguments)
      bindings.push_back(Binding::matrix(t.is_scalar() ? argument : emit_.builder.index(argument, here, {}, 1, 1)));
    const std::vector<Binding> values = call_closure(closure, bindings, nargout, span);
    yields.push_back(emit_.builder.constant(1, Element::logical));
    for (std::size_t i = 0; i < carried.size(); ++i) {
      const ValueId value = as_scalar(emit_, values[i].value, span, "arrayfun: the value of the function");
      yields.push_back(emit_.builder.update(carried[i], here, {}, emit_.builder.convert(value, elements[i])));
    }
  });
  emit_.graph.blocks[body].yields = std::move(yields);
  const std::vector<ValueId> made(op.results.begin() + 1, op.results.end());
  emit_.builder.append(std::move(op));
  for (ValueId value : made) results.push_back(Binding::matrix(emit_.builder.reshape(value, t.rows, t.cols)));
  return results;
}

}  // namespace lac::frontend
