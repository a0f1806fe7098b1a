#include "passes/batch_updates.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/graph/builder.h"

namespace lac::passes {
namespace {

constexpr std::int64_t entry = 4;  ///< rows of the list: the step `sparse_assign` says which

constexpr std::size_t most_assignments = 32;  ///< of a nest: each is a kernel to compile

/// Assignments that a list holds: 1 MB, and 8 KB in a loop that is entered again and again, as each time makes one.
constexpr std::int64_t room_at(int depth) { return depth == 0 ? 32768 : 256; }

bool is_step(const Op& op, LibraryFn fn) { return op.kind == OpKind::library && attribute<LibraryFn>(op) == fn; }

/// The one index at which `value` stands, from `first` on; none where there is no such or several.
std::optional<std::size_t> only_place(const std::vector<ValueId>& values, ValueId value, std::size_t first = 0) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  if (std::count(begin, values.end(), value) != 1) return std::nullopt;
  return static_cast<std::size_t>(std::find(begin, values.end(), value) - values.begin());
}

/// An assignment, as an entry of the list has it.
struct Assignment {
  ValueId row, col, value;
  bool adds = false;      ///< to what is there
  bool negative = false;  ///< the value changes its sign first
};

/// What happens to one matrix in a loop, where nothing but assignments does.
struct Nest {
  bool grows = false;
  std::unordered_map<OpId, Assignment> assignments;  ///< by the step that makes them
  std::unordered_set<OpId> absorbed;                 ///< the reads and sums of `A(i, j) = A(i, j) + v`
  std::unordered_map<OpId, std::size_t> carriers;    ///< loops and branches, with the index of their result
};

/// Finds out whether a matrix takes part in a loop by assignments alone.
class Analysis {
 public:
  /// `uses`: of each value, how often.
  Analysis(const Graph& graph, const std::unordered_map<ValueId, int>& uses) : graph_(graph), uses_(uses) {}

  /// Of what the loop carries as its result `index`; none where the trips do something else with it, or nothing.
  std::optional<Nest> of(OpId loop, std::size_t index) {
    type_ = graph_.type(graph_.ops[loop].results[index]);
    if (!loop_carries(loop, index) || nest_.assignments.empty()) return std::nullopt;
    if (nest_.assignments.size() > most_assignments) return std::nullopt;
    const bool only =
        std::ranges::all_of(expected_, [&](const auto& use) { return uses_.at(use.first) == use.second; });
    return only ? std::optional(std::move(nest_)) : std::nullopt;
  }

 private:
  bool loop_carries(OpId id, std::size_t index) {
    const Op& op = graph_.ops[id];
    const Block& body = graph_.blocks[op.blocks[0]];
    ValueId value = body.arguments[index];
    if (!is_version(op.operands[index + 1]) || !is_version(value) || !is_version(op.results[index])) return false;
    if (!follow(op.blocks[0], value) || body.yields[index] != value) return false;
    ++expected_[value];
    nest_.carriers.emplace(id, index);
    return true;
  }

  /// Through the ops of the block: `value` becomes the matrix at its end.
  bool follow(BlockId block, ValueId& value) {
    expected_.emplace(value, 0);
    for (OpId id : graph_.blocks[block].ops) {
      const Op& op = graph_.ops[id];
      const bool goes_on = op.kind == OpKind::loop     ? inner_loop(id, value)
                           : op.kind == OpKind::branch ? branch(id, value)
                                                       : assignment(id, value);
      if (!goes_on) return false;
      expected_.emplace(value, 0);
    }
    return true;
  }

  bool inner_loop(OpId id, ValueId& value) {
    const Op& op = graph_.ops[id];
    const auto operand = only_place(op.operands, value, 2);
    if (!operand) return true;  // another use of it is found by their number
    ++expected_[value];
    value = op.results[*operand - 1];
    return loop_carries(id, *operand - 1);
  }

  bool branch(OpId id, ValueId& value) {
    const Op& op = graph_.ops[id];
    ValueId ends[2] = {value, value};
    for (std::size_t arm = 0; arm < 2; ++arm)
      if (!follow(op.blocks[arm], ends[arm])) return false;
    std::optional<std::size_t> places[2];
    for (std::size_t arm = 0; arm < 2; ++arm) places[arm] = only_place(graph_.blocks[op.blocks[arm]].yields, ends[arm]);
    if (ends[0] == value && ends[1] == value && !places[0] && !places[1]) return true;
    if (!places[0] || places[0] != places[1] || !is_version(op.results[*places[0]])) return false;
    for (ValueId end : ends) ++expected_[end];
    value = op.results[*places[0]];
    nest_.carriers.emplace(id, *places[0]);
    return true;
  }

  bool assignment(OpId id, ValueId& value) {
    const Op& op = graph_.ops[id];
    if (!is_step(op, LibraryFn::sparse_update) || op.operands[0] != value) return true;
    const bool scalars = op.operands.size() == 4 && std::all_of(op.operands.begin() + 1, op.operands.end(),
                                                                [&](ValueId v) { return graph_.type(v).is_scalar(); });
    if (!scalars || !is_version(op.results[0])) return false;
    ++expected_[value];
    nest_.assignments.emplace(id, assigned(op));
    value = op.results[0];
    return true;
  }

  /// Whether the matrix may go on as this value: its sizes may change, and then it grows.
  bool is_version(ValueId value) {
    const Type& type = graph_.type(value);
    nest_.grows |= type.rows != type_.rows || type.cols != type_.cols;
    return type.storage == Storage::csr && type.element == type_.element;
  }

  /// `A(i, j) + v` as the new value of A(i, j) is looked through, where nobody else needs it.
  Assignment assigned(const Op& op) {
    const Assignment plain{op.operands[1], op.operands[2], op.operands[3]};
    const Op* sum = graph_.definition(plain.value);
    if (!sum || sum->kind != OpKind::map || uses_.at(plain.value) != 1) return plain;
    const ScalarOp function = attribute<ScalarOp>(*sum);
    if (function != ScalarOp::add && function != ScalarOp::sub) return plain;
    for (std::size_t side = 0; side < (function == ScalarOp::add ? 2 : 1); ++side) {
      std::vector<OpId> absorbed = {graph_.values[plain.value].op};
      if (!reads_place(sum->operands[side], op, absorbed)) continue;
      ++expected_[op.operands[0]];
      nest_.absorbed.insert(absorbed.begin(), absorbed.end());
      return {plain.row, plain.col, sum->operands[1 - side], true, function == ScalarOp::sub};
    }
    return plain;
  }

  /// Whether `value` is what stands where the assignment stores; reads add 0 to it, as no -0 is stored.
  bool reads_place(ValueId value, const Op& assignment, std::vector<OpId>& absorbed) const {
    const Op* op = graph_.definition(value);
    if (!op || uses_.at(value) != 1) return false;
    absorbed.push_back(graph_.values[value].op);
    if (op->kind == OpKind::map && attribute<ScalarOp>(*op) == ScalarOp::add &&
        constant_value(graph_, op->operands[1]) == 0.0)
      return reads_place(op->operands[0], assignment, absorbed);
    return is_step(*op, LibraryFn::sparse_element) && op->operands[0] == assignment.operands[0] &&
           is_same(op->operands[1], assignment.operands[1]) && is_same(op->operands[2], assignment.operands[2]);
  }

  bool is_same(ValueId position, ValueId other) const {
    if (position == other) return true;
    const std::optional<Size> a = known_size(graph_, position), b = known_size(graph_, other);
    return a && b && by_values(*a) == by_values(*b);
  }

  /// The size with one symbol for each value: where equal values were merged there are several.
  Size by_values(const Size& size) const {
    Size sum = 0;
    for (const Size::Term& term : size.terms()) {
      Size product = term.coefficient;
      for (SymbolId factor : term.factors) {
        const SizeSymbol& symbol = graph_.symbols[factor];
        const bool runtime = symbol.origin == SymbolOrigin::value;
        product = product * Size::symbol(runtime ? graph_.values[symbol.value].symbol : factor);
      }
      sum = sum + product;
    }
    return sum;
  }

  const Graph& graph_;
  const std::unordered_map<ValueId, int>& uses_;
  Type type_;  ///< behind the loop
  Nest nest_;
  std::unordered_map<ValueId, int> expected_;  ///< uses of the matrix's values that the nest explains
};

/// Where a matrix stands: what is stored, with its extents where it grows, and what is still to be.
struct State {
  ValueId matrix, list, count;
  ValueId rows = {}, cols = {};
};

class Rewriter {
 public:
  Rewriter(Graph& graph, const Nest& nest, std::int64_t room)
      : graph_(graph), nest_(nest), room_(room), full_(room - static_cast<std::int64_t>(nest.assignments.size())) {
    const auto first =
        std::ranges::min_element(nest.assignments, {}, [](const auto& each) { return each.first.index; });
    location_ = graph.ops[first->first].location;
  }

  /// The loop stands next in the block, which is being built.
  void outermost(BlockId block, OpId loop) {
    Builder builder(graph_, block, graph_.ops[loop].location);
    const std::size_t index = nest_.carriers.at(loop);
    const ValueId initial = graph_.ops[loop].operands[index + 1], result = graph_.ops[loop].results[index];
    type_ = graph_.type(result);
    name_ = graph_.values[result].name;
    const ValueId none = builder.constant(0, Element::real);
    State state{initial, builder.fill(none, entry, room_), builder.constant(0, Element::integer)};
    if (nest_.grows) {
      state.rows = builder.size(graph_.type(initial).rows);
      state.cols = builder.size(graph_.type(initial).cols);
    }
    graph_.ops[loop].results[index] = result_of(loop, index, type_);
    state = through_loop(block, loop, state);
    builder.location = location_;
    builder.append(assign(state, result));
  }

 private:
  // -- what regions carry besides the matrix

  std::vector<ValueId> added(const State& state) const {
    if (!nest_.grows) return {state.list, state.count};
    return {state.list, state.count, state.rows, state.cols};
  }

  /// The same of the matrix and what the last of `all` are; the matrix has the type that they give it.
  State state_of(ValueId matrix, const std::vector<ValueId>& all) {
    State state{matrix, {}, {}};
    const std::size_t first = all.size() - (nest_.grows ? 4 : 2);
    state.list = all[first];
    state.count = all[first + 1];
    if (!nest_.grows) return state;
    state.rows = all[first + 2];
    state.cols = all[first + 3];
    graph_.values[matrix].type = type_with(state.rows, state.cols);
    return state;
  }

  Type type_with(ValueId rows, ValueId cols) {
    Type type = type_;
    type.rows = Size::symbol(symbol_of(graph_, rows));
    type.cols = Size::symbol(symbol_of(graph_, cols));
    return type;
  }

  ValueId new_value(const Type& type) { return Builder(graph_, graph_.body, {}).new_value(type); }

  // The type by value: it may be that of a value of the graph, which moves when one is added.
  ValueId result_of(OpId op, std::size_t index, Type type) {
    const ValueId result = new_value(type);
    graph_.values[result].op = op;
    graph_.values[result].index = static_cast<std::uint32_t>(index);
    if (type.storage == Storage::csr) graph_.values[result].name = name_;
    return result;
  }

  State add_results(OpId op, std::size_t index, const State& before) {
    for (ValueId value : added(before)) {
      const ValueId result = result_of(op, graph_.ops[op].results.size(), graph_.type(value));
      graph_.ops[op].results.push_back(result);
    }
    return state_of(graph_.ops[op].results[index], graph_.ops[op].results);
  }

  void yield(BlockId block, const State& state, std::size_t index) {
    std::vector<ValueId>& yields = graph_.blocks[block].yields;
    yields[index] = state.matrix;
    for (ValueId value : added(state)) yields.push_back(value);
  }

  // -- what happens in a block

  State through(BlockId block, State state) {
    for (OpId id : std::exchange(graph_.blocks[block].ops, {})) {
      if (nest_.absorbed.contains(id)) continue;
      if (const auto found = nest_.assignments.find(id); found != nest_.assignments.end())
        state = append(block, graph_.ops[id].location, found->second, state);
      else if (!nest_.carriers.contains(id)) graph_.blocks[block].ops.push_back(id);
      else if (graph_.ops[id].kind == OpKind::loop) state = through_loop(block, id, state);
      else state = through_branch(block, id, state);
    }
    return state;
  }

  State append(BlockId block, LocationId location, const Assignment& assignment, State state) {
    Builder builder(graph_, block, location);
    ValueId value = builder.convert(assignment.value, Element::real);
    if (assignment.negative) value = builder.map(ScalarOp::neg, value);
    const ValueId column =
        builder.concat({builder.convert(assignment.row, Element::real), builder.convert(assignment.col, Element::real),
                        value, builder.constant(assignment.adds ? 1 : 0, Element::real)},
                       Axis::rows);
    const Subscript all{SubscriptKind::all, 0, 1, entry};
    const Subscript next{SubscriptKind::range, as_size(graph_, state.count), 1, 1};
    state.list = builder.update(state.list, {{all, next}}, {}, column);
    state.count = builder.map(ScalarOp::add, state.count, builder.constant(1, Element::integer));
    return state;
  }

  State through_loop(BlockId block, OpId loop, const State& before) {
    const std::size_t index = nest_.carriers.at(loop);
    const BlockId body = graph_.ops[loop].blocks[0];
    const Type last = graph_.type(graph_.blocks[body].yields[index]);  // of all that a trip assigns to
    graph_.ops[loop].operands[index + 1] = before.matrix;
    for (ValueId value : added(before)) graph_.ops[loop].operands.push_back(value);
    Builder builder(graph_, body, graph_.ops[loop].location);
    for (ValueId value : added(before)) builder.add_argument(body, graph_.type(value));
    const std::vector<ValueId>& arguments = graph_.blocks[body].arguments;
    const State end = through(body, state_of(arguments[index], arguments));
    yield(body, with_room(body, last, end), index);
    const State after = add_results(loop, index, before);
    graph_.blocks[block].ops.push_back(loop);
    return after;
  }

  State through_branch(BlockId block, OpId branch, const State& before) {
    const std::size_t index = nest_.carriers.at(branch);
    for (BlockId arm : std::vector<BlockId>(graph_.ops[branch].blocks)) yield(arm, through(arm, before), index);
    const State after = add_results(branch, index, before);
    graph_.blocks[block].ops.push_back(branch);
    return after;
  }

  /// At the end of a trip: between two of them every assignment is made once at most, so that much room is enough.
  /// `type`: what the matrix has grown to.
  State with_room(BlockId block, const Type& type, const State& state) {
    Builder builder(graph_, block, location_);
    const ValueId limit = builder.constant(static_cast<double>(full_), Element::integer);
    Op branch;
    branch.kind = OpKind::branch;
    branch.operands = {builder.map(ScalarOp::ge, state.count, limit)};
    branch.blocks = {builder.new_block(), builder.new_block()};
    Builder then(graph_, branch.blocks[0], location_);
    State stored{new_value(type), state.list, then.constant(0, Element::integer)};
    if (nest_.grows) {
      stored.rows = then.size(type.rows);
      stored.cols = then.size(type.cols);
    }
    then.append(assign(state, stored.matrix));
    const auto yielded = [&](const State& of) {
      std::vector<ValueId> values = added(of);
      values[0] = of.matrix;  // the list goes on as it is
      return values;
    };
    graph_.blocks[branch.blocks[0]].yields = yielded(stored);
    graph_.blocks[branch.blocks[1]].yields = yielded(state);
    for (ValueId value : yielded(state)) branch.results.push_back(new_value(graph_.type(value)));
    std::vector<ValueId> results = branch.results;
    graph_.values[results[0]].name = name_;
    builder.append(std::move(branch));
    const ValueId matrix = std::exchange(results[0], state.list);
    return state_of(matrix, results);
  }

  static Op assign(const State& state, ValueId result) {
    Op op;
    op.kind = OpKind::library;
    op.attribute = LibraryFn::sparse_assign;
    op.operands = {state.matrix, state.list, state.count};
    op.results = {result};
    return op;
  }

  Graph& graph_;
  const Nest& nest_;
  std::int64_t room_;    ///< of the list
  std::int64_t full_;    ///< so many entries leave room for what a trip may assign
  Type type_;            ///< of the matrix, behind the loop
  std::string name_;     ///< of the matrix
  LocationId location_;  ///< of the first assignment: where what is stored comes from
};

class Batcher {
 public:
  Batcher(Graph& graph, PassContext& context) : graph_(graph), context_(context) {}

  bool run() {
    bool changed = false;
    while (round()) changed = true;
    return changed;
  }

 private:
  /// One matrix of each loop at most.
  bool round() {
    count_uses();
    changed_ = false;
    visit(graph_.body);
    return changed_;
  }

  void visit(BlockId block) {
    for (OpId id : std::exchange(graph_.blocks[block].ops, {})) {
      if (graph_.ops[id].kind == OpKind::loop && batch(block, id)) continue;
      const int deeper = graph_.ops[id].kind == OpKind::loop ? 1 : 0;
      depth_ += deeper;
      for (BlockId inner : std::vector<BlockId>(graph_.ops[id].blocks)) visit(inner);
      depth_ -= deeper;
      graph_.blocks[block].ops.push_back(id);
    }
  }

  bool batch(BlockId block, OpId loop) {
    for (std::size_t index = 1; index < graph_.ops[loop].results.size(); ++index) {
      const ValueId result = graph_.ops[loop].results[index];
      if (graph_.type(result).storage != Storage::csr) continue;
      const std::int64_t room = room_at(depth_);
      const std::optional<Nest> nest = Analysis(graph_, uses_).of(loop, index);
      if (!nest) continue;
      remark(result, loop, room);
      Rewriter(graph_, *nest, room).outermost(block, loop);
      return changed_ = true;
    }
    return false;
  }

  void count_uses() {
    uses_.clear();
    for_each_op(graph_, graph_.body, [&](OpId id) {
      for (ValueId result : graph_.ops[id].results) uses_.emplace(result, 0);
      for_each_used_value(graph_, graph_.ops[id], [&](ValueId value) { ++uses_[value]; });
    });
    for_each_block(graph_, graph_.body, [&](BlockId block) {
      for (ValueId argument : graph_.blocks[block].arguments) uses_.emplace(argument, 0);
      for (ValueId yielded : graph_.blocks[block].yields) ++uses_[yielded];
    });
  }

  void remark(ValueId matrix, OpId loop, std::int64_t room) {
    const std::string& name = graph_.values[matrix].name;
    Diagnostic diagnostic;
    diagnostic.severity = Severity::remark;
    diagnostic.message = "assignments to elements of " + (name.empty() ? "a sparse matrix" : "'" + name + "'") +
                         " are collected in this loop and stored " + std::to_string(room) + " at a time";
    if (graph_.locations.contains(graph_.ops[loop].location))
      diagnostic.span = graph_.locations[graph_.ops[loop].location].span;
    context_.remarks.push_back(std::move(diagnostic));
  }

  Graph& graph_;
  PassContext& context_;
  std::unordered_map<ValueId, int> uses_;  ///< at the beginning of the round
  int depth_ = 0;                          ///< loops around the block at hand
  bool changed_ = false;
};

}  // namespace

bool batch_updates(Graph& graph, PassContext& context) { return Batcher(graph, context).run(); }

}  // namespace lac::passes
