// The Graph: typed SSA dataflow with structured control flow, the one container of a program from lowering to Plan.
//
// Values, ops and blocks live in dense arrays and are named by ids. A block is an ordered list of ops: order is the
// order of effects, so no token values are needed; passes may move ops that are not effects wherever dominance allows.
// Values of an enclosing block are visible in the blocks of its ops after their definition.
//
// Phases (passes/phases.cpp says which ops may exist in which): graph (as lowered), kernels (after fuse: elementwise
// work, reductions, views and matrix-vector products are `launch` ops), plan (after plan_memory: buffers are decided).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph/attributes.h"
#include "ir/kernel/kernel.h"
#include "ir/support/source.h"

namespace lac {

enum class OpKind : std::uint8_t {
#define LAC_OP(kind, fewest, most, results, traits) kind,
#include "ir/graph/ops.def"
#undef LAC_OP
};

namespace trait {
inline constexpr unsigned pure = 1, effect = 2, region = 4, view = 8, plan = 16;
}

struct OpInfo {
  std::string_view name;
  int fewest_operands;
  int most_operands;  ///< -1: any number
  int results;        ///< -1: any number
  unsigned traits;
};

const OpInfo& info(OpKind kind);
inline bool has_trait(OpKind kind, unsigned traits) { return (info(kind).traits & traits) != 0; }

/// A source place and the calls that led to it (functions are inlined).
struct Location {
  Span span;
  std::string function;    ///< empty at file level
  LocationId caller = {};  ///< where the inlined function was called
  /// The loops of the function around the place, outermost first: t > 0 where this is trip t, lowered as statements
  /// before the loop; -p where it is the loop behind p such trips.
  std::vector<std::int64_t> loops = {};
  friend bool operator==(const Location&, const Location&) = default;
};

/// How a dense matrix lies in the memory of a device, where the target has a choice (pass assign_layouts). buffer:
/// elements one after the other. texel: an RGBA32F image, four elements of a column in a texel (ir/plan/texel.h).
enum class Layout : std::uint8_t { buffer, texel };

struct Value {
  Type type;
  OpId op = {};             ///< the defining op; invalid for block arguments
  BlockId block = {};       ///< for block arguments
  std::uint32_t index = 0;  ///< among the op's results or the block's arguments
  std::string name;         ///< the source variable, for names in generated code and messages; may be empty
  SymbolId symbol = {};     ///< the size symbol that stands for this integer scalar, if one was made
  Layout layout = Layout::buffer;
};

struct Op {
  OpKind kind = OpKind::constant;
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  Attribute attribute;
  std::vector<BlockId> blocks;
  LocationId location = {};
  /// Plan phase: for each result the operand whose buffer it takes over (an update in place, a donation), or -1. An
  /// output has none for itself; {0} says that the host gets its operand's buffer.
  std::vector<std::int32_t> reuse;
};

struct Block {
  std::vector<ValueId> arguments;
  std::vector<OpId> ops;
  std::vector<ValueId> yields;
  OpId parent = {};  ///< invalid for the body
};

struct Parameter {
  std::string name;
  Type type;
  Span span;
};

struct Graph {
  std::string name;
  Element precision = Element::real;  ///< what reals are computed in
  std::vector<Parameter> parameters;
  SymbolTable symbols;
  GrowingIdVector<ValueId, Value> values;
  GrowingIdVector<OpId, Op> ops;
  GrowingIdVector<BlockId, Block> blocks;
  IdVector<LocationId, Location> locations;
  IdVector<KernelId, Kernel> kernels;
  BlockId body = {};

  const Type& type(ValueId value) const { return values[value].type; }
  const Op* definition(ValueId value) const { return values[value].op ? &ops[values[value].op] : nullptr; }
  std::string symbol_name(SymbolId id) const;  ///< "n", or "%12" for a runtime size
  std::string text(const Size& size) const;
  std::string text(const Type& type) const;
};

/// The attribute of the kind that the op is known to carry.
template <class T>
const T& attribute(const Op& op) {
  return std::get<T>(op.attribute);
}

/// Every value that `op` itself reads: operands, and the values behind runtime sizes in its attribute, in its result
/// types and (for launch) in its kernel. Not what its blocks read.
void for_each_used_value(const Graph& graph, const Op& op, const std::function<void(ValueId)>& visit);
/// Of these all but the operands: the values behind the sizes that the op mentions.
void for_each_size_value(const Graph& graph, const Op& op, const std::function<void(ValueId)>& visit);
/// The same as for_each_used_value, and everything that its blocks read is included too (inner values as well); where
/// this is asked of regions inside regions, outer_uses.h has it in time proportional to what is there.
void for_each_used_value_deep(const Graph& graph, const Op& op, const std::function<void(ValueId)>& visit);
void for_each_value_in(const Graph& graph, const Size& size, const std::function<void(ValueId)>& visit);
void for_each_value_in(const Graph& graph, const Type& type, const std::function<void(ValueId)>& visit);

/// Calls visit(block) for the block and, in order, every block nested in it.
void for_each_block(const Graph& graph, BlockId block, const std::function<void(BlockId)>& visit);
/// Calls visit(op id) in program order, an op before the ops of its blocks.
void for_each_op(const Graph& graph, BlockId block, const std::function<void(OpId)>& visit);

/// Whether an op, what a block yields or a size mentions the value. It looks at the whole graph.
bool is_read(const Graph& graph, ValueId value);
/// Rewrites every use of `from` (operands, yields, runtime sizes) to `to`.
void replace_all_uses(Graph& graph, ValueId from, ValueId to);
/// Many at once, in one walk; chains are followed.
void replace_all_uses(Graph& graph, const std::vector<std::pair<ValueId, ValueId>>& replacements);

/// The symbol that stands for an integer scalar value, made on first use.
SymbolId symbol_of(Graph& graph, ValueId value);
/// The normal form of an integer scalar: constants, `size`, sums, differences and products are looked through, as far
/// as that stays small; anything else is its own symbol.
Size as_size(Graph& graph, ValueId value);
/// The same without making symbols: none where a value that has no symbol would need one.
std::optional<Size> known_size(const Graph& graph, ValueId value);

/// The number a scalar constant holds.
std::optional<double> constant_value(const Graph& graph, ValueId value);
/// The numbers of a table or of a scalar constant, in column-major order.
std::optional<std::span<const double>> constant_elements(const Graph& graph, ValueId value);

}  // namespace lac
