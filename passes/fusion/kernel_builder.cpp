#include "passes/fusion/kernel_builder.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ir/kernel/overlap.h"
#include "passes/fusion/overwrites.h"
#include "passes/fusion/updates.h"

namespace lac::passes {
namespace {

class KernelBuilder {
 public:
  KernelBuilder(const Graph& graph, const Node& cluster, const Reader& reader,
                const std::unordered_set<ValueId>& stored)
      : graph_(graph), cluster_(cluster), reader_(reader), stored_(stored) {}

  BuiltKernel run() {
    kernel().rows = cluster_.domain.rows;
    kernel().cols = cluster_.domain.cols;
    for (OpId id : cluster_.ops) note_base(graph_.ops[id]);
    for (OpId id : cluster_.ops) {
      add(graph_.ops[id]);
      kernel().locations.push_back(graph_.ops[id].location);
    }
    kernel().name = joined_names();
    return std::move(built_);
  }

 private:
  Kernel& kernel() { return built_.kernel; }
  Body& body() { return in_prologue_ ? kernel().contraction->prologue : kernel().body; }

  // -- ops

  void add(const Op& op) {
    switch (op.kind) {
      case OpKind::reduce:
      case OpKind::arg_reduce: return add_reduction(op);
      case OpKind::update: return is_spread_update(graph_, op) ? define(op, spread_update(op)) : add_update(op);
      case OpKind::matmul: return define(op, product(op));
      case OpKind::concat: return define(op, concatenation(op));
      case OpKind::resize: return define(op, resized(op));
      case OpKind::map:
      case OpKind::convert: return define(op, elementwise(op, Access::identity()));
      default: return define(op, whole_value(op));
    }
  }

  void define(const Op& op, InstrId instr) {
    const ValueId value = op.results[0];
    members_[value] = instr;
    if (!stored_.contains(value)) return;
    Store store;
    store.output = output(value);
    store.map = AccessMap::identity();
    store.value = instr;
    kernel().stores.push_back(store);
  }

  InstrId elementwise(const Op& op, const Access& access) {
    const Type& type = graph_.type(op.results[0]);
    std::vector<InstrId> operands;
    for (ValueId operand : op.operands)
      operands.push_back(read(operand, *through_broadcast(access, graph_.type(operand), type)));
    return apply(op, operands);
  }

  /// An op without a place of its own: its line is computed here.
  InstrId computed_here(const Op& op, const Access& access) {
    std::vector<LocationId>& lines = kernel().locations;
    if (std::ranges::find(lines, op.location) == lines.end()) lines.push_back(op.location);
    return elementwise(op, access);
  }

  /// The identity composed with operand shapes reads broadcast operands right; scalars have no access.
  InstrId apply(const Op& op, const std::vector<InstrId>& operands) {
    const Element element = graph_.type(op.results[0]).element;
    if (op.kind == OpKind::convert) return converted(operands[0], element);
    return apply(attribute<ScalarOp>(op), element, operands);
  }

  InstrId product(const Op& op) {
    const Type& left = graph_.type(op.operands[0]);
    const Element element = graph_.type(op.results[0]).element;
    const std::vector<OperandRead> reads = operand_reads(graph_, op);
    if (!kernel().contraction) {
      Contraction& contraction = kernel().contraction.emplace();
      contraction.element = element;
      contraction.storage = left.storage;
      contraction.extent = attribute<Transposes>(op).left ? left.rows : left.cols;
      if (left.is_sparse()) contraction.matrix = input(op.operands[0]);
    }
    in_prologue_ = true;
    const InstrId a =
        left.is_sparse() ? push(leaf(InstrKind::matrix_element, left.element)) : read(reads[0].value, reads[0].access);
    const InstrId b = read(reads.back().value, reads.back().access);
    const InstrId term = apply(ScalarOp::mul, element, {a, b});
    in_prologue_ = false;
    std::vector<InstrId>& sums = kernel().contraction->values;
    Instr sum = leaf(InstrKind::contraction, element);
    sum.argument = static_cast<std::uint32_t>(sums.size());
    sums.push_back(term);
    return push(sum);
  }

  InstrId concatenation(const Op& op) {
    const Element element = graph_.type(op.results[0]).element;
    const bool down = attribute<Axis>(op) == Axis::rows;
    const std::vector<OperandRead> reads = operand_reads(graph_, op);
    Size end = down ? kernel().rows : kernel().cols;
    InstrId result = converted(read(reads.back().value, reads.back().access), element);
    for (std::size_t n = reads.size() - 1; n-- > 0;) {
      const Type& after = graph_.type(reads[n + 1].value);
      end = end - (down ? after.rows : after.cols);
      const InstrId inside = apply(ScalarOp::lt, Element::logical, {index(down ? Axis::rows : Axis::cols), size(end)});
      const InstrId part = converted(read(reads[n].value, reads[n].access), element);
      result = apply(ScalarOp::select, element, {inside, part, result});
    }
    return result;
  }

  InstrId resized(const Op& op) {
    const Type& from = graph_.type(op.operands[0]);
    const OperandRead read_at = operand_reads(graph_, op)[0];
    const InstrId value = read(read_at.value, read_at.access);
    if (!from.is_scalar()) return value;
    const InstrId first_row = apply(ScalarOp::lt, Element::logical, {index(Axis::rows), size(1)});
    const InstrId first_col = apply(ScalarOp::lt, Element::logical, {index(Axis::cols), size(1)});
    const InstrId inside = apply(ScalarOp::logical_and, Element::logical, {first_row, first_col});
    return apply(ScalarOp::select, from.element, {inside, value, constant(0, from.element)});
  }

  /// A view, fill or iota that is put in memory.
  InstrId whole_value(const Op& op) {
    if (op.kind == OpKind::iota) return iota(op, Access::identity());
    const OperandRead from = operand_reads(graph_, op)[0];
    return read(from.value, from.access);
  }

  void add_reduction(const Op& op) {
    const Type& result = graph_.type(op.results[0]);
    KernelReduction reduction;
    reduction.reduction = attribute<Reduction>(op);
    const InstrId value = read(op.operands[0], Access::identity());
    const bool truth = reduction.reduction.op == ReduceOp::any || reduction.reduction.op == ReduceOp::all;
    reduction.value = truth ? value : converted(value, result.element);
    reduction.output = output(op.results[0]);
    if (op.kind == OpKind::arg_reduce) reduction.index_output = static_cast<std::int32_t>(output(op.results[1]));
    kernel().reductions.push_back(reduction);
  }

  void add_update(const Op& op) {
    const ValueId result = op.results[0];
    Store store;
    store.map = to_map(update_access(graph_, op));
    store.value = converted(read(op.operands.back(), update_value_access(graph_, op)), graph_.type(result).element);
    store.output = output(result);
    kernel().outputs[store.output].base = static_cast<std::int32_t>(bases_.at(op.operands[0]).input);
    kernel().stores.push_back(store);
  }

  /// value inside the region, base outside
  InstrId spread_update(const Op& op) {
    const Element element = graph_.type(op.results[0]).element;
    const InstrId base = read(op.operands[0], Access::identity());
    const InstrId value = converted(read(op.operands.back(), spread_value_access(graph_, op)), element);
    std::optional<InstrId> inside;
    const auto require = [&](InstrId condition) {
      inside = inside ? apply(ScalarOp::logical_and, Element::logical, {*inside, condition}) : condition;
    };
    for (const Interval& interval : spread_region(graph_, op)) {
      if (interval.whole) continue;
      const InstrId at = index(interval.axis);
      const Size& extent = interval.axis == Axis::rows ? kernel().rows : kernel().cols;
      if (!interval.first.is(0)) require(apply(ScalarOp::ge, Element::logical, {at, size(interval.first)}));
      if (interval.end != extent) require(apply(ScalarOp::lt, Element::logical, {at, size(interval.end)}));
    }
    return inside ? apply(ScalarOp::select, element, {*inside, value, base}) : value;
  }

  // -- reading

  InstrId read(ValueId value, const Access& access) {
    const Type& type = graph_.type(value);
    if (type.is_scalar()) return read_scalar(value);
    const Op* op = graph_.definition(value);
    if (const auto member = members_.find(value);
        member != members_.end() && !in_prologue_ && is_identity(normalised(access, type, domain()), type, domain()))
      return member->second;
    if (op && op->kind == OpKind::iota && !access.zero_outside && coordinates(access, type)) return iota(*op, access);
    if (op && op->kind == OpKind::fill && !access.zero_outside) return read_scalar(op->operands[0]);
    if (const std::optional<Access> inner = reader_.expand_view(value, access, domain()))
      return read(op->operands[0], *inner);
    if (reader_.inlined.contains(value) || reader_.is_generated(value, access, domain()))
      return computed_here(*op, normalised(access, type, domain()));
    return load(value, normalised(access, type, domain()));
  }

  InstrId read_scalar(ValueId value) {
    if (const auto member = members_.find(value); member != members_.end() && !in_prologue_) return member->second;
    const Element element = graph_.type(value).element;
    const Op* op = graph_.definition(value);
    if (op && op->kind == OpKind::constant) return constant(attribute<double>(*op), element);
    if (op && op->kind == OpKind::size) return size(attribute<Size>(*op));
    if (reader_.inlines_scalar(value)) {
      std::vector<InstrId> operands;
      for (ValueId operand : op->operands) operands.push_back(read_scalar(operand));
      return apply(*op, operands);
    }
    if (const std::optional<Access> inner = reader_.expand_element(value)) return read(op->operands[0], *inner);
    Instr instr = leaf(InstrKind::load, element);
    instr.argument = input(value);
    instr.map = AccessMap::scalar();
    return push(instr);
  }

  InstrId load(ValueId root, const Access& access) {
    Instr instr = leaf(InstrKind::load, graph_.type(root).element);
    instr.argument = source(root, access);
    instr.map = to_map(access);
    return push(instr);
  }

  AccessMap to_map(const Access& access) {
    AccessMap map;
    map.linear = access.linear;
    map.row = access.row;
    map.col = access.col;
    if (access.row_gather) map.row_gather = gathered(*access.row_gather);
    if (access.col_gather) map.col_gather = gathered(*access.col_gather);
    if (access.zero_outside || access.guarded) map.out_of_range = OutOfRange::fill;
    return map;
  }

  InstrId gathered(const Gather& gather) { return read(gather.vector, Access::at_position(gather.position)); }

  // -- instructions

  static Instr leaf(InstrKind kind, Element element) {
    Instr instr;
    instr.kind = kind;
    instr.element = element;
    return instr;
  }

  /// Equal instructions are one.
  InstrId push(const Instr& instr) {
    Body& target = body();
    // 0 == -0, and yet 1/0 is not 1/-0
    const auto found = std::find_if(target.begin(), target.end(), [&](const Instr& other) {
      return other == instr && std::signbit(other.number) == std::signbit(instr.number);
    });
    if (found != target.end()) return InstrId{static_cast<std::uint32_t>(found - target.begin())};
    return target.push(instr);
  }

  InstrId constant(double number, Element element) {
    Instr instr = leaf(InstrKind::constant, element);
    instr.number = number;
    return push(instr);
  }

  InstrId size(const Size& size) {
    if (size.is_constant()) return constant(static_cast<double>(size.constant()), Element::integer);
    Instr instr = leaf(InstrKind::size, Element::integer);
    instr.size = size;
    return push(instr);
  }

  InstrId index(Axis axis) {
    Instr instr = leaf(InstrKind::index, Element::integer);
    instr.axis = axis;
    return push(instr);
  }

  InstrId converted(InstrId value, Element element) {
    const Instr& instr = body()[value];
    if (instr.element == element) return value;
    if (instr.kind == InstrKind::constant) return constant(round_to(element, instr.number), element);
    Instr convert = leaf(InstrKind::convert, element);
    convert.operands[0] = value;
    return push(convert);
  }

  /// Operands come in the element that the function computes in: the result's; for comparisons their join.
  InstrId apply(ScalarOp op, Element element, std::vector<InstrId> operands) {
    const ScalarResult rule = info(op).result;
    Element computed = element;
    if (rule == ScalarResult::truth) {
      computed = body()[operands[0]].element;
      for (InstrId operand : operands) computed = join(computed, body()[operand].element);
    }
    for (std::size_t n = rule == ScalarResult::choice ? 1 : 0; n < operands.size(); ++n)
      operands[n] = converted(operands[n], computed);
    Instr instr = leaf(InstrKind::apply, element);
    instr.op = op;
    std::copy(operands.begin(), operands.end(), instr.operands.begin());
    return push(instr);
  }

  InstrId iota(const Op& op, const Access& access) {
    const Coordinates at = *coordinates(access, graph_.type(op.results[0]));
    const InstrId value = affine(attribute<Axis>(op) == Axis::rows ? at.row : at.col);
    return converted(value, graph_.type(op.results[0]).element);
  }

  InstrId affine(const AffineIndex& at) {
    std::optional<InstrId> sum;
    const auto add = [&](InstrId term) { sum = sum ? apply(ScalarOp::add, Element::integer, {*sum, term}) : term; };
    const auto add_term = [&](const Size& coefficient, Axis axis) {
      if (coefficient.is(0)) return;
      const InstrId coordinate = index(axis);
      add(coefficient.is(1) ? coordinate : apply(ScalarOp::mul, Element::integer, {size(coefficient), coordinate}));
    };
    add_term(at.i, Axis::rows);
    add_term(at.j, Axis::cols);
    add_term(at.k, Axis::all);
    if (!at.base.is(0) || !sum) add(size(at.base));
    if (at.step == AffineIndex::Step::modulo) return apply(ScalarOp::mod, Element::integer, {*sum, size(at.amount)});
    if (at.step == AffineIndex::Step::none) return *sum;
    // Exact: both are integers below 2^53, and a quotient that is not an integer is further from one than it rounds.
    const InstrId quotient = apply(ScalarOp::div, Element::real, {*sum, size(at.amount)});
    return converted(apply(ScalarOp::floor, Element::real, {quotient}), Element::integer);
  }

  // -- arguments

  Domain domain() const { return cluster_.domain; }

  std::uint32_t input(ValueId value) {
    const auto found = inputs_.find(value);
    return found != inputs_.end() ? found->second : inputs_[value] = add_input(value);
  }

  std::uint32_t add_input(ValueId value) {
    built_.inputs.push_back(value);
    kernel().inputs.push_back({graph_.type(value), graph_.values[value].name});
    return static_cast<std::uint32_t>(built_.inputs.size() - 1);
  }

  std::uint32_t output(ValueId value) {
    built_.outputs.push_back(value);
    kernel().outputs.push_back({graph_.type(value), graph_.values[value].name, -1});
    return static_cast<std::uint32_t>(built_.outputs.size() - 1);
  }

  /// A base has an input of its own, so that the output can take it over.
  void note_base(const Op& op) {
    if (is_update_in_place(graph_, op)) bases_[op.operands[0]] = {add_input(op.operands[0]), &op};
  }

  /// Loads that no store of the update reaches use its base too.
  std::uint32_t source(ValueId root, const Access& access) {
    const auto base = bases_.find(root);
    if (base == bases_.end()) return input(root);
    const Points points = points_of(kernel());
    return reads_beside_stores(graph_, *base->second.update, access, points.extent) ? base->second.input : input(root);
  }

  std::string joined_names() {
    std::string names;
    for (const KernelOutput& output : kernel().outputs)
      if (!output.name.empty()) names += (names.empty() ? "" : ", ") + output.name;
    return names;
  }

  struct Base {
    std::uint32_t input = 0;
    const Op* update = nullptr;
  };

  const Graph& graph_;
  const Node& cluster_;
  const Reader& reader_;
  const std::unordered_set<ValueId>& stored_;
  BuiltKernel built_;
  bool in_prologue_ = false;
  std::map<ValueId, InstrId> members_;
  std::map<ValueId, std::uint32_t> inputs_;
  std::map<ValueId, Base> bases_;
};

}  // namespace

BuiltKernel build_kernel(const Graph& graph, const Node& cluster, const Reader& reader,
                         const std::unordered_set<ValueId>& stored) {
  return KernelBuilder(graph, cluster, reader, stored).run();
}

}  // namespace lac::passes
