// Loops. The types of carried variables are found by trying: a body is lowered with the types at hand, what it leaves
// behind is compared, and where types grew (an element, an extent) the attempt is taken back and made again. A shape
// that changes on the first trip only (s = 0; s = s + v) is met by peeling that trip.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frontend/sema/lowerer.h"

namespace lac::frontend {

constexpr int most_peels = 2;  // one for what is first assigned in the loop, one for a shape that then changes

struct Lowerer::CarriedInfo {
  std::optional<Element> element;  ///< wider than the initial value's
  bool rows_vary = false, cols_vary = false;
  bool rows_shrink = false, cols_shrink = false;  ///< below what the extent is before the loop
  bool grows = false;                             ///< tried: the second trip changes the shape again
  bool tracks_definition = false;
  bool csr = false;   ///< sparse, of a pattern that the loop changes
  bool late = false;  ///< first assigned inside the loop
  bool is_text = false;
  Type late_type;
};

struct Lowerer::LoopPlan {
  LoopInfo info;
  Span span;
  const ast::Block* body = nullptr;
  const ast::Expr* condition = nullptr;
  // for loops
  const ast::LValue* variable = nullptr;
  Size limit;
  std::optional<RangeFact> range;
  std::function<Binding(const Size& trip)> element;
  ValueId columns;              ///< what the loop goes over where that is not a range
  std::int64_t first_trip = 0;  ///< trips that were peeled
  bool wants_peel = false;
  bool may_peel() const { return first_trip < most_peels; }
  /// While a second trip is tried: what the first one left behind, of the variables whose shapes it changed.
  std::map<std::string, Type> second_trip;
};

namespace {

constexpr int most_attempts = 24;
constexpr std::int64_t most_trips = (std::int64_t{1} << 53) - 1;

struct CarriedValue {
  std::string name;
  ValueId init, argument, defined_init, defined_argument;
  ValueId extent_arguments[2];
  std::int64_t least[2] = {0, 0};  ///< extents that vary: what they never fall below
  Type type;
  bool is_text = false;
};

Binding as_carried(ValueId value, bool is_text) {
  return is_text ? Binding::computed_text(value, true) : Binding::matrix(value);
}

// The variable of a for that makes no trip: 1x0, or rows x 0 of the matrix that it would go over.
Binding without_trips(Lowerer& l, ValueId columns) {
  const Size rows = columns ? l.type(columns).rows : Size(1), cols = columns ? l.type(columns).cols : Size(0);
  return Binding::matrix(l.builder.fill(l.builder.constant(0, l.graph.precision), rows, cols));
}

}  // namespace

// An attempt of which only the answer matters: taken back unless it is accepted.
bool Lowerer::try_loop(LoopPlan& plan, std::map<std::string, CarriedInfo>& carried) {
  const Snapshot snapshot = save();
  const int depth = loop_depth_;
  try {
    if (attempt_loop(plan, carried)) return true;
  } catch (const LowerError&) {
    loop_depth_ = depth;
    if (plan.second_trip.empty()) throw;
  }
  restore(snapshot);
  return false;
}

// A loop's body is a part of the frame's: what it reads more often than its loops do is read outside as well.
bool Lowerer::read_outside(const std::string& name, const ast::Block& loop_body) {
  if (frame->read_at_end.count(name) != 0) return true;
  const auto reads_in = [&](const ast::Block& block) {
    const auto [known, added] = reads_.try_emplace(&block);
    if (added) known->second = read_counts(block);
    const auto found = known->second.find(name);
    return found == known->second.end() ? 0 : found->second;
  };
  return reads_in(*frame->body) != reads_in(loop_body);
}

void Lowerer::lower_conditional(LoopKind kind, const ast::Block& body, const ast::Expr& condition, Span span) {
  LoopPlan plan;
  plan.info = {kind, ""};
  plan.span = span;
  plan.body = &body;
  plan.condition = &condition;
  lower_loop(plan);
}

// for k = 1:Inf, for k = 0:-2:-Inf: the loop ends by break or return.
bool Lowerer::endless(LoopPlan& plan, const ast::Expr& range) {
  const auto* node = std::get_if<ast::Range>(&range.node);
  if (!node) return false;
  const ast::Expr& last = strip_parens(*node->last);
  const auto* minus = std::get_if<ast::Unary>(&last.node);
  if (minus && minus->op != ast::UnaryOp::minus) return false;
  const auto* name = std::get_if<ast::Identifier>(minus ? &strip_parens(*minus->operand).node : &last.node);
  if (!name || (name->name != "Inf" && name->name != "inf")) return false;
  if (frame->env.count(name->name) != 0 || frame->assigned.count(name->name) != 0) return false;
  const ValueId unit = builder.constant(1, Element::integer);
  const ValueId step = node->step ? range_part(*node->step, "the increment of a range") : unit;
  const auto increment = constant_of(step);
  if (!increment || !(minus ? *increment < 0 : *increment > 0) || !std::isfinite(*increment)) return false;
  const ValueId first = range_part(*node->first, "the base of a range");
  Message message;
  message.stream = Stream::err;
  message.id = "Octave:infinite-loop";
  message.format = "FOR loop limit is infinite, will stop after 9223372036854775807 steps";
  builder.location = locate(range.span);
  builder.warn(builder.constant(0, Element::logical), std::move(message), {});
  plan.limit = most_trips;
  plan.element = [this, first, step, span = range.span](const Size& trip) {
    return Binding::matrix(elementwise(
        ScalarOp::add, {first, elementwise(ScalarOp::mul, {builder.size(trip), step}, span, "*")}, span, "+"));
  };
  return true;
}

void Lowerer::lower_for(const ast::For& node, Span span) {
  LoopPlan plan;
  plan.info = {LoopKind::for_range, node.variable.name.text};
  plan.span = span;
  plan.body = &node.body;
  plan.variable = &node.variable;
  if (node.variable.args) fail(node.variable.span, "an indexed loop variable is outside the language");
  const ast::Expr& range = strip_parens(*node.range);
  if (const auto* literal = std::get_if<ast::Range>(&range.node)) plan.range = range_of(*literal);
  if (!plan.range && endless(plan, range)) return lower_loop(plan);
  if (!plan.range) {
    const ValueId value = lower_value(range);
    const auto known = facts.ranges.find(value);
    if (known != facts.ranges.end()) {
      plan.range = known->second;
    } else {
      const ValueId columns = value;
      const Type t = type(columns);
      plan.columns = columns;
      plan.limit = t.rows.is(0) ? Size(0) : t.cols;
      if (!facts.nonnegative(graph, t.rows - 1) && !plan.limit.is(0)) {
        const ValueId none = builder.map(ScalarOp::eq, builder.size(t.rows), builder.constant(0, Element::integer));
        plan.limit = max0(as_size(
            graph, builder.map(ScalarOp::select, none, builder.constant(0, Element::integer), builder.size(t.cols))));
      }
      plan.element = [this, columns, t](const Size& trip) {
        if (t.is_scalar()) return Binding::matrix(columns);
        if (t.is_sparse()) return Binding::matrix(sparse_transpose_row(columns, builder.size(trip + 1)));
        Subscripts subscripts{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, trip, 1, 1}}};
        return Binding::matrix(builder.index(columns, subscripts, {}, t.rows, 1));
      };
    }
  }
  if (plan.range) {
    const RangeFact fact = *plan.range;
    plan.limit = fact.count;
    plan.element = [this, fact](const Size& trip) {
      return Binding::matrix(builder.size(fact.first + fact.step * trip));
    };
  }
  lower_loop(plan);
}

void Lowerer::lower_loop(LoopPlan& plan) {
  std::map<std::string, CarriedInfo> carried;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (try_loop(plan, carried)) return;
    if (!plan.second_trip.empty() && !plan.wants_peel) {
      // A shape that the second trip keeps is peeled; one that it changes again grows.
      const std::map<std::string, CarriedInfo> before_trial = carried;
      try_loop(plan, carried);
      carried = before_trial;
      if (!plan.wants_peel)
        for (const auto& [name, first] : plan.second_trip) carried[name].grows = true;
    }
    plan.second_trip.clear();
    if (plan.wants_peel) {
      plan.wants_peel = false;
      return lower_peeled(plan);
    }
  }
  fail(plan.span, "the types of the variables that this loop carries do not settle");
}

void Lowerer::lower_peeled(LoopPlan& plan) {
  const auto rest = [&] {
    LoopPlan next = plan;
    ++next.first_trip;
    if (plan.info.kind == LoopKind::for_range) next.limit = max0(plan.limit - 1);
    if (plan.info.kind != LoopKind::do_until) return lower_loop(next);
    const ValueId going_on = builder.map(ScalarOp::logical_not, condition(*plan.condition));
    branch(
        going_on, [&] { lower_loop(next); }, [] {}, plan.span);
  };
  const auto first_trip = [&] {
    ++loop_depth_;
    if (plan.variable) {
      assign_name(plan.variable->name.text, plan.element(plan.first_trip));
      mention(plan.variable->name.text, plan.variable->name.span);
    }
    const Exits exits = exits_of(*plan.body);
    const auto outside_loop = [&] {  // the rest is a loop of its own
      --loop_depth_;
      rest();
      ++loop_depth_;
    };
    if (!exits.continues) {
      lower_list(*plan.body, 0, outside_loop);
    } else {
      lower_list(*plan.body);
      frame->env.erase("#continue");
      branch(
          alive(),
          [&] {
            frame->env.erase("#break");
            frame->env.erase("#return");
            outside_loop();
          },
          [] {}, plan.span);
    }
    frame->env.erase("#break");
    --loop_depth_;
  };
  builder.location = locate(plan.span);
  ValueId enters = builder.constant(1, Element::logical);
  if (plan.info.kind == LoopKind::while_true) enters = condition(*plan.condition);
  if (plan.info.kind == LoopKind::for_range && !facts.nonnegative(graph, plan.limit - 1))
    enters = builder.map(ScalarOp::ge, builder.size(plan.limit), builder.constant(1, Element::integer));
  const auto no_trip = [&] {
    if (plan.variable && plan.first_trip == 0)
      assign_name(plan.variable->name.text, without_trips(*this, plan.columns));
  };
  branch(enters, first_trip, no_trip, plan.span);
}

bool Lowerer::attempt_loop(LoopPlan& plan, std::map<std::string, CarriedInfo>& carried) {
  const bool is_for = plan.info.kind == LoopKind::for_range;
  const bool trying = !plan.second_trip.empty();
  builder.location = locate(plan.span);
  ValueId enters = builder.constant(1, Element::logical);
  if (plan.info.kind == LoopKind::while_true) enters = condition(*plan.condition);
  if (constant_of(enters) == 0.0 || (is_for && plan.limit.is(0))) {
    if (is_for && plan.first_trip == 0) assign_name(plan.variable->name.text, without_trips(*this, plan.columns));
    return true;
  }
  const ValueId limit =
      is_for ? builder.size(plan.limit) : builder.constant(std::numeric_limits<double>::infinity(), Element::integer);
  std::set<std::string> names = assigned_names(*plan.body);
  if (plan.condition) assigned_names(*plan.condition, names);
  const bool variable_is_carried = is_for && names.count(plan.variable->name.text) != 0;
  const std::set<std::string> own_names = names;
  if (exits_of(*plan.body).returns) names.insert("#return");
  const Environment before = frame->env;
  const std::size_t first_inner = graph.values.size();
  const auto invariant = [&](const Size& size) {
    bool outer = true;
    for_each_value_in(graph, size, [&](ValueId value) { outer = outer && value.index < first_inner; });
    return outer;
  };

  // Initial values and block arguments.
  const BlockId body = builder.new_block();
  const ValueId trip = builder.add_argument(body, Type::scalar(Element::integer), "");
  const SymbolId trip_symbol = symbol_of(graph, trip);
  graph.symbols[trip_symbol].lower = 0;
  if (is_for) facts.upper[trip_symbol] = plan.limit - 1;
  std::vector<CarriedValue> values;
  Environment inner = before;
  for (const char* flag : {"#break", "#continue", "#return"}) inner.erase(flag);
  if (is_for && variable_is_carried && !before.count(plan.variable->name.text) &&
      carried.count(plan.variable->name.text))
    names.insert(plan.variable->name.text);
  for (const std::string& name : names) {
    const auto found = before.find(name);
    const bool flag = name == "#return";
    const auto known = carried.find(name);
    const CarriedInfo info = known == carried.end() ? CarriedInfo{} : known->second;
    CarriedValue value;
    value.name = name;
    if (flag) {
      value.init = builder.constant(0, Element::logical);
      value.type = Type::scalar(Element::logical);
    } else if (found != before.end() && (found->second.is_matrix() || found->second.is_text())) {
      if (is_for && name == plan.variable->name.text && found != before.end() && !info.late && !variable_is_carried)
        continue;
      value.is_text = found->second.is_text();
      ValueId initial = value.is_text ? codes(found->second) : found->second.value;
      if (const auto later = plan.second_trip.find(name); later != plan.second_trip.end())
        initial = builder.fill(builder.constant(0, later->second.element), later->second.rows, later->second.cols);
      if (type(initial).is_sparse() && (info.csr || info.rows_vary || info.cols_vary)) initial = to_csr(initial);
      value.init = builder.convert(initial, info.element.value_or(type(initial).element));
      value.type = type(value.init);
      value.type.properties = {};
      if (found->second.defined || info.tracks_definition)
        value.defined_init = found->second.defined ? found->second.defined : builder.constant(1, Element::logical);
    } else if (info.late) {
      value.type = info.late_type;
      value.is_text = info.is_text;
      if (value.type.is_sparse())
        value.init = builder.library(LibraryFn::sparse_zeros, {},
                                     {csr_type(value.type.element, info.rows_vary ? Size(0) : value.type.rows,
                                               info.cols_vary ? Size(0) : value.type.cols)})[0];
      else
        value.init = value.type.is_scalar() ? builder.constant(0, value.type.element)
                                            : builder.fill(builder.constant(0, value.type.element),
                                                           info.rows_vary ? Size(0) : value.type.rows,
                                                           info.cols_vary ? Size(0) : value.type.cols);
      value.defined_init = builder.constant(0, Element::logical);
    } else {
      continue;
    }
    const bool vary[2] = {info.rows_vary, info.cols_vary};
    for (int axis = 0; axis < 2; ++axis)
      if (vary[axis]) {
        value.extent_arguments[axis] = builder.add_argument(body, Type::scalar(Element::integer), "");
        const SymbolId symbol = symbol_of(graph, value.extent_arguments[axis]);
        const Size& initial = axis == 0 ? type(value.init).rows : type(value.init).cols;
        if (!info.late && !(axis == 0 ? info.rows_shrink : info.cols_shrink))
          value.least[axis] = std::max<std::int64_t>(initial.lower_bound(graph.symbols).value_or(0), 0);
        graph.symbols[symbol].lower = value.least[axis];
        (axis == 0 ? value.type.rows : value.type.cols) = Size::symbol(symbol);
      }
    value.argument = builder.add_argument(body, value.type, flag ? "" : name);
    Binding binding = as_carried(value.argument, value.is_text);
    if (value.defined_init) {
      value.defined_argument = builder.add_argument(body, Type::scalar(Element::logical), "");
      binding.defined = value.defined_argument;
    }
    if (!flag) inner[name] = binding;
    values.push_back(value);
  }

  // The body and the condition of the next trip.
  frame->env = inner;
  const std::set<std::string> missing_outside = std::exchange(missing_, {}), begun_outside = std::exchange(begun_, {});
  ValueId going_on;
  const std::size_t errors_before = diagnostics.error_count();
  inside(body, [&] {
    ++loop_depth_;
    if (is_for) {
      assign_name(plan.variable->name.text, plan.element(Size::symbol(trip_symbol) + plan.first_trip));
      mention(plan.variable->name.text, plan.variable->name.span);
    }
    reachable([&] { lower_list(*plan.body); });
    frame->env.erase("#continue");
    builder.location = locate(plan.span);
    const ValueId go = alive();
    const auto next = [&] {
      if (is_for) return builder.constant(1, Element::logical);
      const ValueId holds = condition(*plan.condition);
      return plan.info.kind == LoopKind::while_true ? holds : builder.map(ScalarOp::logical_not, holds);
    };
    if (is_for) going_on = go;
    else if (diagnostics.error_count() == errors_before)
      going_on = branch_value(go, next, [&] { return builder.constant(0, Element::logical); });
    --loop_depth_;
  });
  Environment after = frame->env;
  for (const std::string& name : names)
    if (const auto found = after.find(name); found != after.end() && found->second.is_known_text())
      inside(body, [&] {
        Binding carried_text = as_carried(codes(found->second), true);
        carried_text.defined = found->second.defined;
        after.insert_or_assign(name, carried_text);
      });

  // A name that the body reads before it assigns it, or that is read after the loop, is carried from an undefined
  // start.
  bool again = false;
  for (const std::string& name : names) {
    if (name == "#return") continue;
    const auto found = after.find(name);
    if (before.count(name) || carried[name].late || found == after.end()) continue;
    if (!found->second.is_matrix() && !found->second.is_text()) continue;
    if (is_for && name == plan.variable->name.text && !variable_is_carried) continue;
    if (!missing_.count(name) && !read_outside(name, *plan.body)) continue;
    CarriedInfo& info = carried[name];
    const Type& t = type(found->second.value);
    if (missing_.count(name) && plan.may_peel()) plan.wants_peel = true;
    info.late = true;
    info.is_text = found->second.is_text();
    info.late_type = t.is_sparse() ? csr_type(t.element, t.rows, t.cols) : t;
    info.late_type.properties = {};
    info.rows_vary = !invariant(t.rows);
    info.cols_vary = !invariant(t.cols);
    again = true;
  }
  if (is_for && variable_is_carried && !carried[plan.variable->name.text].late &&
      !before.count(plan.variable->name.text) && read_outside(plan.variable->name.text, *plan.body)) {
    const auto found = after.find(plan.variable->name.text);
    if (found != after.end() && found->second.is_matrix()) {
      CarriedInfo& info = carried[plan.variable->name.text];
      info.late = true;
      info.late_type = type(found->second.value);
      info.late_type.properties = {};
      info.rows_vary = !invariant(info.late_type.rows);
      info.cols_vary = !invariant(info.late_type.cols);
      again = true;
    }
  }
  if (plan.may_peel())
    for (const std::string& name : begun_)
      if (carried[name].late) plan.wants_peel = true;
  missing_.insert(missing_outside.begin(), missing_outside.end());
  begun_.insert(begun_outside.begin(), begun_outside.end());
  if (again) return false;
  bool broken = diagnostics.error_count() != errors_before;
  for (const CarriedValue& value : values) {
    const auto found = after.find(value.name);
    if (found != after.end() && found->second.kind == Binding::Kind::poisoned && found->second.poison.empty())
      broken = true;
  }
  if (broken) {  // reported; what the loop assigned is unknown now
    if (trying) return false;
    frame->env = before;
    for (const std::string& name : own_names) frame->env[name] = Binding{};
    if (is_for) frame->env[plan.variable->name.text] = Binding{};
    return true;
  }

  for (const CarriedValue& value : values) {
    if (value.name == "#return") continue;
    const Binding& end = after.at(value.name);
    if (end.kind == Binding::Kind::poisoned && !end.poison.empty()) fail(plan.span, end.poison);
    if (value.is_text ? !end.is_text() : !end.is_matrix())
      fail(plan.span, "'" + value.name + "' changes between a matrix, a string and a function in this loop");
    const Type& t = type(end.value);
    CarriedInfo& info = carried[value.name];
    const bool other_pattern = t.storage != value.type.storage || t.offsets != value.type.offsets;
    if (other_pattern && t.is_sparse() && value.type.is_sparse()) {
      if (value.type.storage != Storage::csr) {
        info.csr = true;
        again = true;
        continue;
      }
    } else if (other_pattern)
      fail(plan.span, "the storage of '" + value.name + "' changes in this loop: it is " + graph.text(value.type) +
                          " before and " + graph.text(t) + " after a trip");
    const Element element = join(value.type.element, t.element);
    if (element != value.type.element) {
      info.element = element;
      if (info.late) info.late_type.element = element;
      again = true;
    }
    if (trying) {
      const auto first = plan.second_trip.find(value.name);
      if (first != plan.second_trip.end() && first->second.same_shape(t)) plan.wants_peel = true;
      again = true;
      continue;
    }
    const Size* now[2] = {&t.rows, &t.cols};
    const Size* then[2] = {&value.type.rows, &value.type.cols};
    for (int axis = 0; axis < 2; ++axis) {
      bool& varies = axis == 0 ? info.rows_vary : info.cols_vary;
      if (value.least[axis] > 0 && !facts.nonnegative(graph, *now[axis] - value.least[axis])) {
        (axis == 0 ? info.rows_shrink : info.cols_shrink) = true;
        again = true;
      }
      if (varies || *now[axis] == *then[axis]) continue;
      // From [] to something: the first trip only. From another shape: as the second trip tells.
      const bool from_nothing = then[0]->is(0) && then[1]->is(0);
      again = true;
      if (!plan.may_peel() || info.late) varies = true;
      else if (from_nothing) plan.wants_peel = true;
      else if (!info.grows && t.is_dense() && invariant(t.rows) && invariant(t.cols)) plan.second_trip[value.name] = t;
      else varies = true;
    }
    if (end.defined && !value.defined_init) {
      info.tracks_definition = true;
      again = true;
    }
  }
  if (again) return false;

  // Accepted: tie the loop together.
  Op op;
  op.kind = OpKind::loop;
  op.attribute = plan.info;
  op.operands = {limit, enters};
  op.blocks = {body};
  std::vector<ValueId> yields = {going_on};
  const ValueId trips = builder.new_value(Type::scalar(Element::integer), "");
  op.results = {trips};
  const SymbolId trips_symbol = symbol_of(graph, trips);
  graph.symbols[trips_symbol].lower = 0;
  if (is_for) facts.upper[trips_symbol] = plan.limit;
  frame->env = before;
  for (const char* flag : {"#break", "#continue", "#return"}) frame->env.erase(flag);
  for (CarriedValue& value : values) {
    const auto found = after.find(value.name);
    ValueId end;
    if (found != after.end()) end = found->second.value;
    for (int axis = 0; axis < 2; ++axis) {
      if (!value.extent_arguments[axis]) continue;
      op.operands.push_back(builder.size(axis == 0 ? type(value.init).rows : type(value.init).cols));
      inside(body, [&] { yields.push_back(builder.size(axis == 0 ? type(end).rows : type(end).cols)); });
      const ValueId extent = builder.new_value(Type::scalar(Element::integer), "");
      op.results.push_back(extent);
      const SymbolId symbol = symbol_of(graph, extent);
      graph.symbols[symbol].lower = value.least[axis];
      (axis == 0 ? value.type.rows : value.type.cols) = Size::symbol(symbol);
    }
    inside(body, [&] {
      if (!end) end = builder.constant(0, Element::logical);  // #return never set on this path
      if (value.type.storage == Storage::csr) end = to_csr(end);
      yields.push_back(builder.convert(end, value.type.element));
    });
    op.operands.push_back(value.init);
    const ValueId result = builder.new_value(value.type, value.name == "#return" ? "" : value.name);
    op.results.push_back(result);
    Binding binding = as_carried(result, value.is_text);
    if (value.defined_init) {
      const ValueId end_defined = after.at(value.name).defined;
      inside(body, [&] { yields.push_back(end_defined ? end_defined : builder.constant(1, Element::logical)); });
      op.operands.push_back(value.defined_init);
      binding.defined = builder.new_value(Type::scalar(Element::logical), "");
      op.results.push_back(binding.defined);
    }
    frame->env[value.name] = binding;
  }
  graph.blocks[body].yields = std::move(yields);
  builder.append(std::move(op));
  // Names of the loop alone keep no meaning after it; functions must not have changed.
  for (const std::string& name : own_names)
    if (const auto end = after.find(name); end != after.end() && before.count(name) && !end->second.is_matrix() &&
                                           !end->second.is_text() && !end->second.same_as(before.at(name))) {
      Binding bad;
      bad.poison = "'" + name + "' is a function that changes in the loop at line " +
                   std::to_string(sources.begin(plan.span).line);
      frame->env[name] = bad;
    }
  if (is_for && plan.first_trip > 0) {
    if (!variable_is_carried)
      assign_name(plan.variable->name.text, plan.element(Size::symbol(trips_symbol) + (plan.first_trip - 1)));
  } else if (is_for) {
    const std::string& name = plan.variable->name.text;
    const bool certain = facts.nonnegative(graph, plan.limit - 1);
    const auto last = [&] {
      return variable_is_carried ? frame->env[name].value : plan.element(Size::symbol(trips_symbol) - 1).value;
    };
    const bool has_value = !variable_is_carried || (frame->env.count(name) != 0 && frame->env[name].is_matrix());
    if (certain && has_value) {
      assign_name(name, Binding::matrix(last()));
    } else if (has_value && read_outside(name, *plan.body)) {
      const ValueId none = without_trips(*this, plan.columns).value;
      const ValueId some = builder.map(ScalarOp::gt, trips, builder.constant(0, Element::integer));
      assign_name(name, Binding::matrix(branch_value(some, last, [&] { return none; })));
    } else if (has_value) {  // nothing reads it: only its type is of use, and there may be no last element
      const Size rows = plan.columns ? type(plan.columns).rows : Size(1);
      const ValueId unread = builder.fill(builder.constant(0, graph.precision), rows, 1);
      assign_name(name, variable_is_carried ? Binding::matrix(last()) : Binding::matrix(unread));
    }
  }
  return true;
}

}  // namespace lac::frontend
