// What must hold of every graph, in every phase (which ops a phase may hold is passes/phases.cpp):
//
//  1. Every id names something: operands, results, blocks, kernels, parameters, the values behind runtime sizes.
//  2. Every op, block and value has one place: it occurs once, and its back links (Value::op, block and index,
//     Block::parent) say where.
//  3. An op has the operands and results that ops.def allows (a library step: library.def), its kind of attribute, and
//     blocks only if it is a region: a loop one, a branch two.
//  4. A value is defined before its use, in the same block or one around it. Operands, yields and the runtime sizes in
//     attributes, kernels and types are uses. The types of an op's results may name these results, those of a block's
//     arguments these arguments.
//  5. Stated types are the inferred ones (shape_rules.h): equal element and storage, and no extent provably different.
//     No extent is provably negative. A parameter has exactly its type.
//  6. Conditions of branch, check, warn and loop are logical scalars; a symbol stands for an integer scalar.
//  7. A loop has operands (limit, condition, n initial values), 1 + n arguments, 1 + n yields and 1 + n results. Limit,
//     trip and trips made are integer scalars. Carried values, their arguments, yields and results have one element,
//     one storage and one shape, where sizes may be carried integers.
//  8. Both blocks of a branch take no arguments and yield its results' types. The body takes and yields nothing.
//  9. A message consumes its operands: one for each argument that is not a literal.
// 10. A launch passes what its kernel takes and returns what it gives; kernels verify (kernel/verifier.cpp).
// 11. `reuse` is empty or says for each result an operand of the same element, or -1; an output's names its matrix.
#include "ir/graph/verifier.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/graph/attribute_text.h"
#include "ir/graph/shape_rules.h"
#include "ir/graph/text.h"
#include "ir/kernel/verifier.h"

namespace lac {
namespace {

struct LibraryInfo {
  int fewest, most, results;
};
constexpr LibraryInfo library_infos[] = {
#define LAC_LIBRARY(name, fewest, most, results, code, voice) {fewest, most, results},
#include "ir/graph/library.def"
#undef LAC_LIBRARY
};

bool is_scalar(const Type& type, Element element) { return type.is_scalar() && type.element == element; }

// -- 1, 2: ids and places, before anything may be looked up -----------------------------------------------------------

class Places {
 public:
  Places(const Graph& graph, std::vector<std::string>& faults)
      : graph_(graph),
        faults_(faults),
        blocks_(graph.blocks.size()),
        ops_(graph.ops.size()),
        values_(graph.values.size()) {}

  void check() {
    if (!graph_.blocks.contains(graph_.body)) return fault("the graph has no body");
    for (std::uint32_t i = 0; i < graph_.symbols.size(); ++i) {
      const SizeSymbol& symbol = graph_.symbols[SymbolId{i}];
      require(symbol.origin != SymbolOrigin::value || graph_.values.contains(symbol.value),
              "symbol " + std::to_string(i) + " stands for no value");
    }
    for (const Value& value : graph_.values) type(value.type);
    for (const Kernel& kernel : graph_.kernels) for_each_size(kernel, [this](const Size& s) { size(s); });
    block(graph_.body, {});
  }

 private:
  void fault(std::string message) { faults_.push_back(std::move(message)); }
  void require(bool holds, const std::string& message) {
    if (!holds) fault(message);
  }

  void size(const Size& size) {
    size.for_each_symbol([this](SymbolId id) { require(graph_.symbols.contains(id), "a size names no symbol"); });
  }
  void type(const Type& type) {
    size(type.rows);
    size(type.cols);
    for (const Size& offset : type.offsets) size(offset);
  }

  static bool first(std::vector<bool>& seen, std::uint32_t index) {
    const bool fresh = !seen[index];
    seen[index] = true;
    return fresh;
  }

  bool uses(const std::vector<ValueId>& values, const std::string& what) {
    const bool exist =
        std::all_of(values.begin(), values.end(), [this](ValueId id) { return graph_.values.contains(id); });
    require(exist, what + " uses a value that does not exist");
    return exist;
  }

  void define(ValueId id, OpId op, BlockId block, std::size_t index) {
    const Value& value = graph_.values[id];
    const std::string what = "value " + std::to_string(id.index);
    require(first(values_, id.index), what + " is defined twice");
    const bool linked = value.op == op && (op ? true : value.block == block) && value.index == index;
    require(linked, what + " does not know where it is defined");
  }

  void block(BlockId id, OpId parent) {
    if (!graph_.blocks.contains(id)) return fault("a block does not exist");
    if (!first(blocks_, id.index)) return fault("block " + std::to_string(id.index) + " has two owners");
    const Block& block = graph_.blocks[id];
    require(block.parent == parent, "block " + std::to_string(id.index) + " does not know its owner");
    if (uses(block.arguments, "a block"))
      for (std::size_t i = 0; i < block.arguments.size(); ++i) define(block.arguments[i], {}, id, i);
    uses(block.yields, "a yield");
    for (OpId inner : block.ops) op(inner);
  }

  void op(OpId id) {
    if (!graph_.ops.contains(id)) return fault("an op does not exist");
    if (!first(ops_, id.index)) return fault("op " + std::to_string(id.index) + " occurs twice");
    const Op& op = graph_.ops[id];
    const std::string what(info(op.kind).name);
    uses(op.operands, what);
    if (uses(op.results, what))
      for (std::size_t i = 0; i < op.results.size(); ++i) define(op.results[i], id, {}, i);
    if (const KernelId* kernel = std::get_if<KernelId>(&op.attribute))
      require(graph_.kernels.contains(*kernel), what + " names no kernel");
    for (BlockId inner : op.blocks) block(inner, id);
  }

  const Graph& graph_;
  std::vector<std::string>& faults_;
  std::vector<bool> blocks_, ops_, values_;
};

// -- 3 to 11: op by op ------------------------------------------------------------------------------------------------

class Meaning {
 public:
  Meaning(const Graph& graph, std::vector<std::string>& faults)
      : graph_(graph), faults_(faults), visible_(graph.values.size()) {}

  void check() {
    for (const Parameter& p : graph_.parameters) extents(p.type, "parameter " + p.name);
    const Block& body = graph_.blocks[graph_.body];
    if (!body.arguments.empty() || !body.yields.empty()) fault("the body takes or yields values");
    block(graph_.body);
  }

 private:
  void fault(const std::string& message) {
    faults_.push_back(current_ ? message + ", in: " + print_op(graph_, current_) : message);
  }
  void require(bool holds, const std::string& message) {
    if (!holds) fault(message);
  }
  const Type& type(ValueId value) const { return graph_.type(value); }

  // -- 4
  void use(ValueId value) {
    if (!visible_[value.index]) fault("value " + std::to_string(value.index) + " is used before its definition");
  }

  void define(ValueId value) {
    visible_[value.index] = true;
    extents(type(value), "a value");
    const Value& v = graph_.values[value];
    if (v.symbol) require(is_scalar(v.type, Element::integer), "a size symbol stands for what is no integer scalar");
  }

  void extents(const Type& type, const std::string& what) {
    for (const Size& extent : {type.rows, type.cols})
      require(!at_most(graph_.symbols, extent + 1, 0), what + " has a negative extent");
  }

  void block(BlockId id) {
    const Block& block = graph_.blocks[id];
    for (ValueId argument : block.arguments) define(argument);
    for (ValueId argument : block.arguments)
      for_each_value_in(graph_, type(argument), [this](ValueId value) { use(value); });
    for (OpId inner : block.ops) op(inner);
    for (ValueId yielded : block.yields) use(yielded);
    for (OpId inner : block.ops)
      for (ValueId result : graph_.ops[inner].results) visible_[result.index] = false;
    for (ValueId argument : block.arguments) visible_[argument.index] = false;
  }

  void op(OpId id) {
    const OpId outer = std::exchange(current_, id);
    const Op& op = graph_.ops[id];
    if (counts(op)) {
      for_each_used_value(graph_, op, [this](ValueId value) { use(value); });
      types(op);
      region(op);
      message(op);
      launch(op);
      reuse(op);
    }
    for (BlockId inner : op.blocks) block(inner);
    for (ValueId result : op.results) define(result);
    current_ = outer;
  }

  // -- 3
  bool counts(const Op& op) {
    const OpInfo& entry = info(op.kind);
    int fewest = entry.fewest_operands, most = entry.most_operands, results = entry.results;
    if (op.attribute.index() != attribute_alternative(op.kind)) {
      faults_.push_back(std::string(entry.name) + " carries another attribute than its kind has");
      return false;
    }
    if (op.kind == OpKind::library) {
      const LibraryInfo& step = library_infos[static_cast<int>(attribute<LibraryFn>(op))];
      fewest = step.fewest;
      most = step.most;
      results = step.results;
    }
    const int operands = static_cast<int>(op.operands.size());
    const bool counted = operands >= fewest && (most < 0 || operands <= most) &&
                         (results < 0 || static_cast<int>(op.results.size()) == results);
    require(counted, "the number of operands or results is wrong");
    const std::size_t blocks = op.kind == OpKind::loop ? 1 : op.kind == OpKind::branch ? 2 : 0;
    require(op.blocks.size() == blocks, "the number of blocks is wrong");
    return counted && op.blocks.size() == blocks;
  }

  // -- 5
  void types(const Op& op) {
    const Result<std::vector<Type>> inferred = infer(graph_, op);
    if (!inferred) return fault(inferred.failure().message);
    if (inferred.value().size() != op.results.size()) return fault("the number of results is wrong");
    for (std::size_t i = 0; i < op.results.size(); ++i)
      require(fits(type(op.results[i]), inferred.value()[i]), "the result is stated as " +
                                                                  graph_.text(type(op.results[i])) + " but is " +
                                                                  graph_.text(inferred.value()[i]));
    if (op.kind == OpKind::parameter)
      require(type(op.results[0]) == inferred.value()[0], "a parameter is not of its declared type");
  }

  bool fits(const Type& a, const Type& b) const {
    return a.element == b.element && a.storage == b.storage && may_equal_shape(graph_.symbols, a, b) &&
           a.offsets.size() == b.offsets.size();
  }

  // -- 6, 7, 8
  void region(const Op& op) {
    if (op.kind == OpKind::check || op.kind == OpKind::warn || op.kind == OpKind::branch)
      require(is_scalar(type(op.operands[0]), Element::logical), "the condition is not a logical scalar");
    if (op.kind == OpKind::loop) loop(op);
    if (op.kind == OpKind::branch)
      for (BlockId id : op.blocks) {
        const Block& block = graph_.blocks[id];
        require(block.arguments.empty(), "a branch's block takes arguments");
        carried(op.results, 0, block.yields, 0, "a branch's block yields");
      }
  }

  void loop(const Op& op) {
    const Block& body = graph_.blocks[op.blocks[0]];
    const std::size_t count = op.operands.size() - 1;  // the trip or the condition, and what is carried
    if (body.arguments.size() != count || body.yields.size() != count || op.results.size() != count)
      return fault("operands, arguments, yields and results of the loop do not match");
    for (ValueId integer : {op.operands[0], body.arguments[0], op.results[0]})
      require(is_scalar(type(integer), Element::integer), "a loop's limit or trip is not an integer scalar");
    for (ValueId condition : {op.operands[1], body.yields[0]})
      require(is_scalar(type(condition), Element::logical), "the condition is not a logical scalar");
    carried(body.arguments, 1, op.operands, 2, "the loop starts from");
    carried(body.arguments, 1, body.yields, 1, "the loop yields");
    carried(op.results, 1, body.arguments, 1, "the loop carries");
  }

  /// Each of `to` has the type of its partner in `from`, once the sizes that name values of `to` name their partners.
  void carried(const std::vector<ValueId>& to, std::size_t first_to, const std::vector<ValueId>& from,
               std::size_t first_from, const std::string& what) {
    if (to.size() - first_to != from.size() - first_from) return fault(what + " another number of values");
    std::unordered_map<SymbolId, std::optional<Size>> partners;
    for (std::size_t i = 0; first_to + i < to.size(); ++i)
      if (const SymbolId symbol = graph_.values[to[first_to + i]].symbol)
        partners.emplace(symbol, partner(from[first_from + i]));
    for (std::size_t i = 0; first_to + i < to.size(); ++i) {
      const Type &stated = type(to[first_to + i]), &given = type(from[first_from + i]);
      Type expected = stated;
      expected.rows = image(stated.rows, partners).value_or(given.rows);
      expected.cols = image(stated.cols, partners).value_or(given.cols);
      require(fits(given, expected), what + " " + graph_.text(given) + " for " + graph_.text(stated));
    }
  }

  std::optional<Size> partner(ValueId value) const {
    return is_scalar(type(value), Element::integer) ? known_size(graph_, value) : std::nullopt;
  }

  /// The size with partners in the place of symbols; none if a partner's size is not known.
  static std::optional<Size> image(const Size& size,
                                   const std::unordered_map<SymbolId, std::optional<Size>>& partners) {
    bool known = true;
    const Size result = size.substitute([&](SymbolId id) {
      const auto found = partners.find(id);
      if (found == partners.end()) return std::optional<Size>();
      known = known && found->second.has_value();
      return found->second;
    });
    return known ? std::optional<Size>(result) : std::nullopt;
  }

  // -- 9
  void message(const Op& op) {
    const Message* message = std::get_if<Message>(&op.attribute);
    if (!message) return;
    const auto wanted = std::count(message->arguments.begin(), message->arguments.end(), std::nullopt);
    const std::size_t given = op.operands.size() - (op.kind == OpKind::format ? 0 : 1);
    require(static_cast<std::size_t>(wanted) == given, "the message takes another number of operands");
  }

  // -- 10
  void launch(const Op& op) {
    if (op.kind != OpKind::launch) return;
    const KernelId id = attribute<KernelId>(op);
    const Kernel& kernel = graph_.kernels[id];
    if (verified_.insert(id).second)
      for (const std::string& message : verify(kernel, graph_.symbols)) fault(message);
    if (kernel.inputs.size() != op.operands.size()) return fault("the kernel takes another number of inputs");
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      require(fits(type(op.operands[i]), kernel.inputs[i].type),
              "input " + std::to_string(i) + " is " + graph_.text(type(op.operands[i])) + " but the kernel takes " +
                  graph_.text(kernel.inputs[i].type));
  }

  // -- 11
  void reuse(const Op& op) {
    if (op.reuse.empty()) return;
    if (op.kind == OpKind::output)
      return require(op.reuse == std::vector<std::int32_t>{0} && !type(op.operands[0]).is_scalar(),
                     "an output takes over something else than its matrix");
    if (op.reuse.size() != op.results.size()) return fault("reuse does not say something for each result");
    for (std::size_t i = 0; i < op.reuse.size(); ++i) {
      if (op.reuse[i] == -1) continue;
      const bool exists = op.reuse[i] >= 0 && static_cast<std::size_t>(op.reuse[i]) < op.operands.size();
      require(exists && type(op.operands[static_cast<std::size_t>(op.reuse[i])]).element == type(op.results[i]).element,
              "reuse names no operand of the result's element");
    }
  }

  const Graph& graph_;
  std::vector<std::string>& faults_;
  std::vector<bool> visible_;
  std::unordered_set<KernelId> verified_;
  OpId current_ = {};
};

}  // namespace

std::vector<std::string> verify(const Graph& graph) {
  std::vector<std::string> faults;
  Places(graph, faults).check();
  if (faults.empty()) Meaning(graph, faults).check();
  return faults;
}

}  // namespace lac
