// A function applied to every element. Where its body is scalar arithmetic alone, the same operations on whole matrices
// do the same and fuse; else a loop calls it element by element.
#include "frontend/sema/complex/complex.h"
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

/// A function of elements, of which complex ones are two scalars.
struct Lowerer::ElementFunction {
  const Closure& closure;
  std::vector<bool> takes_complex;            ///< for each argument
  std::vector<IntegerClass> integer_classes;  ///< likewise
  int nargout;
  Span span;
};

/// One trial call on scalars that stand for elements, in a block of its own.
struct Lowerer::ElementCall {
  BlockId block;
  std::vector<ValueId> elements, results;  ///< complex ones as two
  std::vector<bool> gives_complex;         ///< for each result
  std::vector<Binding> forms;              ///< likewise, of its class
  bool stops = true;                       ///< the function always ends in an error
};

std::vector<Binding> Lowerer::call_element(const ElementFunction& function, const std::vector<ValueId>& parts) {
  std::vector<Binding> arguments;
  std::size_t next = 0;
  for (std::size_t i = 0; i < function.takes_complex.size(); ++i) {
    const ValueId re = parts[next++];
    const IntegerClass integer_class = function.integer_classes[i];
    if (function.takes_complex[i]) arguments.push_back(complex_binding(emit_, {re, parts[next++]}));
    else if (integer_class == IntegerClass::none) arguments.push_back(Binding::matrix(re));
    else arguments.push_back(Binding::integer(integer_class, re));
  }
  return call_closure(function.closure, std::move(arguments), function.nargout, function.span);
}

Lowerer::ElementCall Lowerer::call_on_element(const ElementFunction& function, const std::vector<ValueId>& arguments) {
  ElementCall made{emit_.builder.new_block(), {}, {}, {}, {}, true};
  const Span span = function.span;
  emit_.builder.add_argument(made.block, Type::scalar(Element::integer));  // where the body of a loop has its trip
  for (ValueId argument : arguments)
    made.elements.push_back(emit_.builder.add_argument(made.block, Type::scalar(emit_.type(argument).element)));
  emit_.inside(made.block, [&] {
    const std::string uniform =
        "arrayfun: all values must be scalars when UniformOutput = true; use the 'UniformOutput', false option";
    emit_.reachable([&] {
      for (const Binding& given : call_element(function, made.elements)) {
        const Binding result = given.numbers();
        if (!result.is_matrix() && !result.is_complex()) emit_.fail(span, uniform);
        const Complex parts = parts_of(emit_, result);
        const Type t = emit_.type(parts.re);
        if (t.is_sparse() || emit_.facts.distinct(emit_.graph, t.rows, 1) ||
            emit_.facts.distinct(emit_.graph, t.cols, 1))
          emit_.fail(span, uniform);
        made.gives_complex.push_back(!parts.is_real());
        made.forms.push_back(given);
        for (const ValueId part : {parts.re, parts.im})
          if (part) made.results.push_back(as_scalar(emit_, part, span, "arrayfun: the value of the function"));
      }
      made.stops = false;
    });
  });
  return made;
}

std::vector<std::optional<SlotForm>> Lowerer::forms_of(const std::function<std::vector<Binding>()>& call) {
  const Snapshot before = save();
  std::vector<std::optional<SlotForm>> forms;
  emit_.inside(emit_.builder.new_block(), [&] {
    emit_.reachable([&] {
      for (const Binding& value : call()) forms.push_back(item_form(emit_, value));
    });
  });
  restore(before);
  return forms;
}

std::vector<Binding> Lowerer::map_function(const Closure& closure, const std::vector<Binding>& given, int nargout,
                                           Span span) {
  ElementFunction function{closure, {}, {}, nargout, span};
  std::vector<ValueId> arguments;
  for (const Binding& argument : given) {
    const Complex parts = parts_of(emit_, argument.numbers());
    function.integer_classes.push_back(argument.integer_class);
    function.takes_complex.push_back(!parts.is_real());
    arguments.push_back(parts.re);
    if (!parts.is_real()) arguments.push_back(parts.im);
  }
  const Type t = emit_.type(arguments[0]);
  const Snapshot before = save();
  ErrorSink* const caught =
      std::exchange(emit_.errors, nullptr);  // arithmetic has no errors, all else is lowered again
  struct CaughtAgain {
    ErrorSink*& errors;
    ErrorSink* sink;
    ~CaughtAgain() { errors = sink; }
  };
  const ElementCall trial = [&] {
    const CaughtAgain again{emit_.errors, caught};
    return call_on_element(function, arguments);
  }();
  const bool acts = changed_shared(before.env);
  if (acts && nargout > 2) require_shared_unchanged(before.env, span, "arrayfun with more than two results");
  bool arithmetic = !acts;
  for (OpId op : emit_.graph.blocks[trial.block].ops)
    arithmetic = arithmetic && is_arithmetic(emit_.graph, emit_.graph.ops[op]);
  std::vector<Element> elements;
  for (ValueId result : trial.results) elements.push_back(emit_.type(result).element);
  if (!arithmetic) restore(before);
  if (!arithmetic && trial.stops) return call_on_first(function, arguments);
  if (!arithmetic && (acts || caught) && nargout <= 2) return map_by_statements(function, trial, elements, given);
  const std::vector<ValueId> parts =
      arithmetic ? map_whole(trial, arguments, t) : map_by_loop(function, arguments, elements);
  std::vector<Binding> results;
  std::size_t next = 0;
  for (std::size_t i = 0; i < trial.gives_complex.size(); ++i) {
    const ValueId re = parts[next++];
    results.push_back(trial.gives_complex[i] ? complex_binding(emit_, {re, parts[next++]})
                                             : trial.forms[i].with_value(re));
  }
  return results;
}

/// What no element survives needs no loop.
std::vector<Binding> Lowerer::call_on_first(const ElementFunction& function, const std::vector<ValueId>& arguments) {
  std::vector<ValueId> firsts;
  for (ValueId argument : arguments)
    firsts.push_back(emit_.builder.index(argument, Subscripts{{{SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1));
  return call_element(function, firsts);
}

// Statement by statement in a loop of the language, where each call may change variables or be caught in an error.
std::vector<Binding> Lowerer::map_by_statements(const ElementFunction& function, const ElementCall& trial,
                                                const std::vector<Element>& elements,
                                                const std::vector<Binding>& given) {
  const Binding handle = Binding::handle(std::make_shared<Closure>(function.closure));
  const Type shape = emit_.type(parts_of(emit_, given.front().numbers()).re);
  const auto zeros = [&](Element element) {
    return emit_.builder.fill(emit_.builder.constant(0, element), shape.rows, shape.cols);
  };
  std::vector<Binding> inputs = {handle};
  std::size_t next = 0;
  for (std::size_t i = 0; i < trial.forms.size(); ++i) {
    const ValueId re = zeros(elements[next++]);
    inputs.push_back(trial.gives_complex[i] ? complex_binding(emit_, {re, zeros(elements[next++])})
                                            : trial.forms[i].with_value(re));
  }
  inputs.insert(inputs.end(), given.begin(), given.end());
  const std::string name = function.nargout > 1 ? "arrayfun_by_statements_two" : "arrayfun_by_statements";
  return call_by_name(name, std::move(inputs), function.nargout, function.span);
}

/// The ops of the trial again, with whole arguments in the place of elements.
std::vector<ValueId> Lowerer::map_whole(const ElementCall& trial, const std::vector<ValueId>& arguments,
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
  std::vector<ValueId> results;
  for (ValueId result : trial.results) {
    const ValueId value = whole(result);
    results.push_back(emit_.type(value).is_scalar() && !shape.is_scalar()
                          ? emit_.builder.fill(value, shape.rows, shape.cols)
                          : value);
  }
  return results;
}

std::vector<ValueId> Lowerer::map_by_loop(const ElementFunction& function, const std::vector<ValueId>& arguments,
                                          const std::vector<Element>& elements) {
  const Type t = emit_.type(arguments[0]);
  std::vector<ValueId> results;
  if (t.rows.is(0) || t.cols.is(0)) {
    for (Element element : elements)
      results.push_back(emit_.builder.fill(emit_.builder.constant(0, element), t.rows, t.cols));
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
    std::vector<ValueId> scalars;
    for (ValueId argument : arguments)
      scalars.push_back(t.is_scalar() ? argument : emit_.builder.index(argument, here, {}, 1, 1));
    yields.push_back(emit_.builder.constant(1, Element::logical));
    std::size_t next = 0;
    for (const Binding& result : call_element(function, scalars)) {
      const Complex parts = parts_of(emit_, result.numbers());
      for (const ValueId part : {parts.re, parts.im}) {
        if (!part || next == carried.size()) continue;
        const ValueId value = as_scalar(emit_, part, function.span, "arrayfun: the value of the function");
        yields.push_back(emit_.builder.update(carried[next], here, {}, emit_.builder.convert(value, elements[next])));
        ++next;
      }
    }
  });
  emit_.graph.blocks[body].yields = std::move(yields);
  const std::vector<ValueId> made(op.results.begin() + 1, op.results.end());
  emit_.builder.append(std::move(op));
  for (ValueId value : made) results.push_back(emit_.builder.reshape(value, t.rows, t.cols));
  return results;
}

}  // namespace lac::frontend
