// Branches: if, short-circuit operators, and joining what two arms did to the variables.
#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/sema/program/lowerer.h"
#include "ir/graph/warning_ids.h"

namespace lac::frontend {

struct Lowerer::MergeArm {
  BlockId block;
  Environment env;
};

namespace {

/// The type with storage that holds any pattern.
Type in_csr(const Type& type) { return csr_type(type.element, type.rows, type.cols); }

constexpr const char* branch_result = "#value";  // what branch_value's arms leave behind

bool is_hidden(const std::string& name) { return name.starts_with("#"); }
bool is_flag(const std::string& name) { return is_hidden(name) && name != branch_result; }

bool outside(const Graph& graph, const Size& size, std::size_t first_inner_value) {
  bool visible = true;
  for_each_value_in(graph, size, [&](ValueId value) { visible = visible && value.index < first_inner_value; });
  return visible;
}

}  // namespace

ValueId Lowerer::truth(ValueId value, Span) {
  if (type(value).is_sparse()) {
    const bool is_one = type(value).rows.is(1) && type(value).cols.is(1);
    if (!is_one) return sparse_truth(value);
    value = dense(value);
  }
  const Type t = type(value);
  if (t.is_scalar()) {
    if (t.element == Element::logical) return value;
    require_no_nan(value);
    return builder.map(ScalarOp::ne, value, builder.constant(0, t.element));
  }
  if (t.rows.is(0) || t.cols.is(0)) return builder.constant(0, Element::logical);
  if (arrays_warn_) {
    Message message;
    message.stream = Stream::err;
    message.id = array_as_logical;
    message.format = "Using an object of size %dx%d as a boolean value implies all().";
    message.arguments.resize(2);
    builder.warn(builder.constant(0, Element::logical), std::move(message),
                 {builder.size(t.rows), builder.size(t.cols)});
  }
  require_no_nan(value);
  const ValueId all =
      builder.reduce(builder.map(ScalarOp::ne, value, builder.constant(0, t.element)), {ReduceOp::all, Axis::all});
  if (facts.nonnegative(graph, t.rows - 1) && facts.nonnegative(graph, t.cols - 1)) return all;
  const ValueId some = builder.map(ScalarOp::gt, builder.size(t.rows * t.cols), builder.constant(0, Element::integer));
  return builder.map(ScalarOp::logical_and, all, some);
}

// A string is true where it has characters: none of them is the zero character.
ValueId Lowerer::condition(const ast::Expr& expr) {
  const Binding value = lower_expr(expr);
  builder.location = locate(expr.span);
  if (value.is_known_text()) {
    const bool some = !value.text.empty() && value.text.find('\0') == std::string::npos;
    return builder.constant(some ? 1 : 0, Element::logical);
  }
  if (value.is_text()) return truth(codes(value), expr.span);
  if (value.is_function()) fail(expr.span, "a function handle cannot be a condition");
  if (!value.is_matrix()) throw LowerError{};
  return truth(value.value, expr.span);
}

ValueId Lowerer::branch_condition(const ast::Expr& expr) {
  if (const auto value = short_circuit_of_elements(expr)) return truth(*value, expr.span);
  return condition(expr);
}

std::optional<ValueId> Lowerer::short_circuit_of_elements(const ast::Expr& expr) {
  const auto* node = std::get_if<ast::Binary>(&strip_parens(expr).node);
  if (!node || (node->op != ast::BinaryOp::logical_and && node->op != ast::BinaryOp::logical_or)) return std::nullopt;
  const auto elements = [&](const ast::Expr& operand) {
    const auto inner = short_circuit_of_elements(operand);
    return inner ? *inner : lower_value(operand);
  };
  const ValueId left = elements(*node->left);
  std::set<std::string> stepped;
  assigned_names(*node->right, stepped);
  if (type(left).is_scalar() && type(left).is_dense() && stepped.empty())
    return short_circuit(*node, truth(left, node->left->span), &Lowerer::branch_condition);
  const ValueId right = elements(*node->right);
  builder.location = locate(expr.span);
  operands_ = {node->left->span, node->right->span, node->op_span, expr.span, left, right};
  return binary(node->op, left, right, expr.span);
}

ValueId Lowerer::short_circuit(const ast::Binary& node, ValueId left, ValueId (Lowerer::*truth_of)(const ast::Expr&)) {
  const bool is_and = node.op == ast::BinaryOp::short_and || node.op == ast::BinaryOp::logical_and;
  const auto operand = [&](const ast::ExprPtr& expr) { return (this->*truth_of)(*expr); };
  if (const auto known = constant_of(left)) {
    if ((*known != 0) != is_and) return builder.constant(is_and ? 0 : 1, Element::logical);
    return operand(node.right);
  }
  std::set<std::string> stepped;
  assigned_names(*node.right, stepped);
  if (!stepped.empty())
    fail(node.right->span, "++ and -- behind && and || are not supported: write them as a statement of their own");
  const BlockId block = builder.new_block();
  ValueId right;
  inside(block, [&] {
    right = builder.constant(0, Element::logical);
    reachable([&] { right = operand(node.right); });
  });
  bool simple = true;
  for (OpId op : graph.blocks[block].ops) simple = simple && has_trait(graph.ops[op].kind, trait::pure);
  if (simple) {  // nothing to be guarded: evaluate both
    auto& home = graph.blocks[builder.block].ops;
    const auto& inner = graph.blocks[block].ops;
    home.insert(home.end(), inner.begin(), inner.end());
    graph.blocks[block].ops.clear();
    return builder.map(is_and ? ScalarOp::logical_and : ScalarOp::logical_or, left, right);
  }
  graph.blocks[block].yields = {right};
  const BlockId other = builder.new_block();
  inside(other, [&] { graph.blocks[other].yields = {builder.constant(is_and ? 0 : 1, Element::logical)}; });
  Op op;
  op.kind = OpKind::branch;
  op.operands = {left};
  op.blocks = is_and ? std::vector<BlockId>{block, other} : std::vector<BlockId>{other, block};
  op.results = {builder.new_value(Type::scalar(Element::logical))};
  const ValueId result = op.results[0];
  builder.append(std::move(op));
  return result;
}

ValueId Lowerer::filling(ValueId value, const Size& rows, const Size& cols, const Misfit& misfit,
                         const std::function<ValueId()>& otherwise) {
  const Type t = type(value);
  if (t.is_scalar() || (t.rows == rows && t.cols == cols)) return value;
  if (facts.not_one(graph, t.rows) || facts.not_one(graph, t.cols)) return otherwise();
  const ValueId scalar = builder.map(ScalarOp::logical_and, equal_sizes(t.rows, 1), equal_sizes(t.cols, 1));
  const auto filled = [&] {
    const Subscripts first{{{SubscriptKind::range, 0, 1, 1}, {SubscriptKind::range, 0, 1, 1}}};
    return builder.fill(builder.index(value, first, {}, 1, 1), rows, cols);
  };
  if (!misfit.certain) return branch_value(scalar, filled, otherwise);
  std::vector<ValueId> sizes;
  for (const Size& size : misfit.shown) sizes.push_back(builder.size(size));
  require(scalar, misfit.format, sizes, misfit.id);
  return filled();
}

ValueId Lowerer::branch_value(ValueId condition, const std::function<ValueId()>& then_arm,
                              const std::function<ValueId()>& else_arm) {
  if (const auto known = constant_of(condition)) return *known != 0 ? then_arm() : else_arm();
  const Span span = builder.location ? graph.locations[builder.location].span : Span{};
  branch(
      condition, [&] { frame->env[branch_result] = Binding::matrix(then_arm()); },
      [&] { frame->env[branch_result] = Binding::matrix(else_arm()); }, span);
  const auto found = frame->env.find(branch_result);
  if (found == frame->env.end()) throw Unreachable{};  // both arms stop the program
  const Binding result = found->second;
  frame->env.erase(branch_result);
  if (result.kind == Binding::Kind::poisoned) fail(span, result.poison);
  return result.value;
}

void Lowerer::reachable(const std::function<void()>& body) {
  struct Guard {
    int& depth;
    explicit Guard(int& counter) : depth(counter) { ++depth; }
    ~Guard() { --depth; }
  } guard(conditional_);
  const std::size_t active = stack_.size(), depth = open_blocks.size();
  const BlockId block = builder.block;
  const std::size_t loops = frame->loops.size();
  try {
    body();
  } catch (const Unreachable&) {
    stack_.resize(active);
    frame = stack_.back();
    open_blocks.resize(depth);
    builder.block = block;
    frame->loops.resize(loops);
    ends.clear();
  }
}

void Lowerer::lower_if(const ast::If& node, std::size_t index, const Tail& rest) {
  if (index == node.arms.size()) {
    if (rest) rest();
    return;
  }
  const ast::IfArm& arm = node.arms[index];
  if (!arm.condition) return lower_list(arm.body, 0, rest);
  builder.location = locate(arm.condition->span);
  const ValueId holds = branch_condition(*arm.condition);
  if (const auto known = constant_of(holds))
    return *known != 0 ? lower_list(arm.body, 0, rest) : lower_if(node, index + 1, rest);
  branch(
      holds, [&] { lower_list(arm.body, 0, rest); }, [&] { lower_if(node, index + 1, rest); }, arm.span);
}

void Lowerer::branch(ValueId condition, const std::function<void()>& then_arm, const std::function<void()>& else_arm,
                     Span span) {
  if (const auto known = constant_of(condition)) return *known != 0 ? then_arm() : else_arm();
  const Environment before = frame->env;
  MergeArm arms[2];
  const std::function<void()>* bodies[2] = {&then_arm, &else_arm};
  for (int i = 0; i < 2; ++i) {
    frame->env = before;
    arms[i].block = builder.new_block();
    inside(arms[i].block, [&] { reachable(*bodies[i]); });
    arms[i].env = std::move(frame->env);
  }
  builder.location = locate(span);
  frame->env = before;
  merge(before, arms[0], arms[1], condition, span);
}

void Lowerer::merge(const Environment& before, MergeArm& then_arm, MergeArm& else_arm, ValueId condition, Span span) {
  // Everything the arms made has ids from here on; sizes made of earlier values are visible after the branch.
  std::size_t first_inner = graph.values.size();
  for (const MergeArm* arm : {&then_arm, &else_arm})
    for (OpId op : graph.blocks[arm->block].ops)
      for (ValueId result : graph.ops[op].results) first_inner = std::min<std::size_t>(first_inner, result.index);

  struct Joined {
    std::string name;
    ValueId values[2];
    ValueId defined[2];
    bool tracks_definition = false, rows_vary = false, cols_vary = false;
    bool is_text = false, double_quoted = false;
    Type type;
  };
  std::vector<Joined> joined;
  Environment result = before;
  std::set<std::string> names;
  Environment::for_each_difference(then_arm.env, else_arm.env, [&](const std::string& name) { names.insert(name); });
  const MergeArm* arms[2] = {&then_arm, &else_arm};

  for (const std::string& name : names) {
    const Binding* bindings[2];
    for (int i = 0; i < 2; ++i) {
      const auto found = arms[i]->env.find(name);
      bindings[i] = found == arms[i]->env.end() ? nullptr : &found->second;
    }
    if (bindings[0] && bindings[1] && bindings[0]->same_as(*bindings[1])) {
      result[name] = *bindings[0];
      continue;
    }
    const auto poison = [&](std::string why) {
      Binding bad;
      bad.poison = std::move(why);
      result[name] = bad;
    };
    bool broken = false;
    for (const Binding* binding : bindings) broken = broken || (binding && binding->kind == Binding::Kind::poisoned);
    if (broken) {
      result[name] = bindings[0] && bindings[0]->kind == Binding::Kind::poisoned ? *bindings[0] : *bindings[1];
      continue;
    }
    const Binding& either = bindings[0] ? *bindings[0] : *bindings[1];
    const bool alike = !bindings[0] || !bindings[1] || bindings[0]->kind == bindings[1]->kind;
    if (!alike || !(either.is_matrix() || either.is_text())) {
      const std::string at = " in the branches at line " + std::to_string(sources.begin(span).line);
      if (alike && either.is_function())
        poison("'" + name + "' is one function or another" + at +
               ": which one must be known when compiling; decide inside of it, as in @(x) merge(c, g(x), h(x))");
      else
        poison("'" + name + "' is " + (alike ? "a uint8 matrix that differs" : "of different kinds") + at +
               ": give it one value before the branch");
      continue;
    }
    Joined item;
    item.name = name;
    item.is_text = either.is_text();
    item.double_quoted = either.double_quoted;
    if (is_flag(name)) {
      for (int i = 0; i < 2; ++i)
        inside(arms[i]->block,
               [&] { item.values[i] = bindings[i] ? bindings[i]->value : builder.constant(0, Element::logical); });
      item.type = Type::scalar(Element::logical);
      joined.push_back(item);
      continue;
    }
    for (int i = 0; i < 2; ++i) {
      if (bindings[i])
        inside(arms[i]->block, [&] { item.values[i] = item.is_text ? codes(*bindings[i]) : bindings[i]->value; });
      item.tracks_definition = item.tracks_definition || !bindings[i] || bindings[i]->defined;
    }
    const Type some = type(bindings[0] ? item.values[0] : item.values[1]);
    item.type = Type::matrix(some.element, some.rows, some.cols);
    item.type.storage = some.storage;
    item.type.offsets = some.offsets;
    if (bindings[0] && bindings[1]) {
      const Type other = type(item.values[1]);
      if (other.is_sparse() && some.is_sparse()) {
        if (other.storage != some.storage || other.offsets != some.offsets) item.type = in_csr(item.type);
      } else if (other.storage != some.storage) {
        poison("'" + name + "' is " + graph.text(some) + " in one branch and " + graph.text(other) +
               " in the other (line " + std::to_string(sources.begin(span).line) +
               "): make it full(x) or sparse(x) in both");
        continue;
      }
      item.type.element = join(some.element, other.element);
      item.rows_vary = some.rows != other.rows;
      item.cols_vary = some.cols != other.cols;
    }
    item.rows_vary = item.rows_vary || !outside(graph, some.rows, first_inner);
    item.cols_vary = item.cols_vary || !outside(graph, some.cols, first_inner);
    if (item.type.is_sparse() && (item.rows_vary || item.cols_vary || item.tracks_definition))
      item.type = in_csr(item.type);
    for (int i = 0; i < 2; ++i)
      inside(arms[i]->block, [&] {
        if (item.type.storage == Storage::csr) {
          const Type zeros = csr_type(item.type.element, item.rows_vary ? Size(0) : item.type.rows,
                                      item.cols_vary ? Size(0) : item.type.cols);
          item.values[i] =
              bindings[i] ? to_csr(item.values[i]) : builder.library(LibraryFn::sparse_zeros, {}, {zeros})[0];
        } else if (!bindings[i]) {
          item.values[i] =
              builder.fill(builder.constant(0, item.type.element), item.rows_vary ? Size(0) : item.type.rows,
                           item.cols_vary ? Size(0) : item.type.cols);
          if (item.type.is_scalar()) item.values[i] = builder.constant(0, item.type.element);
        }
        if (item.tracks_definition)
          item.defined[i] = !bindings[i]           ? builder.constant(0, Element::logical)
                            : bindings[i]->defined ? bindings[i]->defined
                                                   : builder.constant(1, Element::logical);
      });
    joined.push_back(item);
  }

  Op op;
  op.kind = OpKind::branch;
  op.operands = {condition};
  op.blocks = {then_arm.block, else_arm.block};
  std::vector<ValueId> yields[2];
  const auto add_result = [&](const Type& t, ValueId then_value, ValueId else_value, const std::string& name) {
    yields[0].push_back(then_value);
    yields[1].push_back(else_value);
    op.results.push_back(builder.new_value(t, name));
    return op.results.back();
  };
  const auto extent = [&](const Joined& item, bool rows) {
    ValueId extents[2];
    for (int i = 0; i < 2; ++i)
      inside(arms[i]->block,
             [&] { extents[i] = builder.size(rows ? type(item.values[i]).rows : type(item.values[i]).cols); });
    const ValueId size = add_result(Type::scalar(Element::integer), extents[0], extents[1], "");
    const SymbolId symbol = symbol_of(graph, size);
    std::int64_t lower = std::numeric_limits<std::int64_t>::max();
    for (ValueId value : item.values)
      lower = std::min(lower, (rows ? type(value).rows : type(value).cols).lower_bound(graph.symbols).value_or(0));
    graph.symbols[symbol].lower = std::max<std::int64_t>(lower, 0);
    return Size::symbol(symbol);
  };
  for (Joined& item : joined) {
    std::optional<double> known[2];
    for (int i = 0; i < 2; ++i) known[i] = constant_of(item.values[i]);
    if (known[0] && known[1] && !item.is_text && *known[0] == *known[1] &&
        std::signbit(*known[0]) == std::signbit(*known[1]) && !item.tracks_definition &&
        type(item.values[0]).element == type(item.values[1]).element && item.type.is_scalar()) {
      result[item.name] = Binding::matrix(builder.constant(*known[0], item.type.element));
      continue;
    }
    if (item.rows_vary) item.type.rows = extent(item, true);
    if (item.cols_vary) item.type.cols = extent(item, false);
    for (int i = 0; i < 2; ++i)
      inside(arms[i]->block, [&] { item.values[i] = builder.convert(item.values[i], item.type.element); });
    const ValueId value = add_result(item.type, item.values[0], item.values[1], is_hidden(item.name) ? "" : item.name);
    Binding binding = item.is_text ? Binding::computed_text(value, item.double_quoted) : Binding::matrix(value);
    if (item.tracks_definition)
      binding.defined = add_result(Type::scalar(Element::logical), item.defined[0], item.defined[1], "");
    result[item.name] = binding;
  }
  graph.blocks[then_arm.block].yields = yields[0];
  graph.blocks[else_arm.block].yields = yields[1];
  builder.append(std::move(op));
  frame->env = std::move(result);
}

}  // namespace lac::frontend
