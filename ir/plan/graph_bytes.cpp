// The byte forms of a Graph in any phase and of a Plan (ir/plan/archive.h).
#include "ir/plan/graph_bytes.h"

#include "ir/plan/archive.h"

namespace lac {
namespace archive {

LAC_DESCRIBE(AffineIndex, value.base, value.i, value.j, value.k, value.step, value.amount)
LAC_DESCRIBE(AccessMap, value.linear, value.row, value.col, value.row_gather, value.col_gather, value.out_of_range,
             value.fill)
LAC_DESCRIBE(Contraction, value.storage, value.matrix, value.extent, value.reach, value.prologue, value.values,
             value.element)
LAC_DESCRIBE(KernelInput, value.type, value.name)
LAC_DESCRIBE(KernelOutput, value.type, value.name, value.base)
LAC_DESCRIBE(Store, value.output, value.map, value.value)
LAC_DESCRIBE(KernelReduction, value.reduction, value.value, value.output, value.index_output)
LAC_DESCRIBE(GroupSums, value.form, value.along_k, value.fewest, value.most, value.of_parts, value.rows)
LAC_DESCRIBE(GroupSchedule, value.walk, value.reduced, value.sums)
LAC_DESCRIBE(Schedule, value.traversal, value.block, value.lanes, value.sums, value.strip, value.width, value.decided,
             value.groups)
LAC_DESCRIBE(Nest, value.rows, value.cols, value.contraction, value.body, value.stores, value.reductions, value.strips)
LAC_DESCRIBE(Kernel, value.name, value.locations, value.inputs, value.outputs, value.rows, value.cols,
             value.contraction, value.body, value.stores, value.reductions, value.strips, value.ahead, value.schedule)
LAC_DESCRIBE(Value, value.type, value.op, value.block, value.index, value.name, value.symbol, value.layout)
LAC_DESCRIBE(Op, value.kind, value.operands, value.results, value.attribute, value.blocks, value.location, value.reuse)
LAC_DESCRIBE(Block, value.arguments, value.ops, value.yields, value.parent)

// What an instruction of its kind does not have is left out.
template <class Archive>
void describe(Archive& archive, Instr& value) {
  all(archive, value.kind, value.element, value.op, value.operands, value.axis, value.argument);
  if (value.kind == InstrKind::constant) describe(archive, value.number);
  if (value.kind == InstrKind::size) describe(archive, value.size);
  if (is_load(value)) describe(archive, value.map);
}

/// Passes leave dead entries behind, most of what there is: they keep their ids and nothing else.
template <class Archive, class Key, class T, class Items>
void describe_live(Archive& archive, IdVector<Key, T, Items>& items, std::vector<std::uint8_t>& live) {
  describe(archive, live);
  items.resize(live.size());
  for (std::uint32_t n = 0; n < live.size(); ++n)
    if (live[n] != 0) describe(archive, items[Key{n}]);
}

struct Live {
  explicit Live(const Graph& graph) : values(graph.values.size()), ops(graph.ops.size()), blocks(graph.blocks.size()) {
    if (!graph.body) return;
    for_each_block(graph, graph.body, [&](BlockId id) {
      blocks[id.index] = 1;
      for (const ValueId argument : graph.blocks[id].arguments) values[argument.index] = 1;
      for (const OpId op : graph.blocks[id].ops) {
        ops[op.index] = 1;
        for (const ValueId result : graph.ops[op].results) values[result.index] = 1;
      }
    });
  }
  std::vector<std::uint8_t> values, ops, blocks;
};

template <class Archive>
void describe(Archive& archive, Graph& value) {
  Live live(value);
  all(archive, value.name, value.precision, value.parameters, value.symbols);
  describe_live(archive, value.values, live.values);
  describe_live(archive, value.ops, live.ops);
  describe_live(archive, value.blocks, live.blocks);
  all(archive, value.locations, value.kernels, value.body);
}

LAC_DESCRIBE(Buffer, value.values, value.borrowed, value.either)
LAC_DESCRIBE(TripNeeds, value.sites, value.log_slots, value.branches)
LAC_DESCRIBE(CarriedBuffer, value.found, value.left)
LAC_DESCRIBE(LoopPlan, value.mode, value.reason, value.where, value.needs, value.carried, value.compared, value.native)

template <class Archive, class First, class Second>
void describe(Archive& archive, std::pair<First, Second>& pair) {
  all(archive, pair.first, pair.second);
}

template <class Archive>
void describe(Archive& archive, Plan& value) {
  describe(archive, static_cast<Graph&>(value));
  all(archive, value.buffer_of, value.buffers, value.places, value.loops, value.device_steps, value.tails);
}

}  // namespace archive

namespace {

constexpr std::string_view signature = "lac graph 3\n", plan_signature = "lac plan graph 3\n";

}  // namespace

std::string to_bytes(const Graph& graph) { return archive::written(signature, graph); }

std::string to_bytes(const Plan& plan) { return archive::written(plan_signature, plan); }

std::optional<Graph> graph_from_bytes(std::string_view bytes) { return archive::read<Graph>(signature, bytes); }

std::optional<Plan> plan_from_bytes(std::string_view bytes) { return archive::read<Plan>(plan_signature, bytes); }

}  // namespace lac
