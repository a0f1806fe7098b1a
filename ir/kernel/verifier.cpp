// What must hold of every kernel:
//
//  1. Argument numbers of loads, stores, reductions, bases and the contraction exist.
//  2. Every output is written: by stores, or by one reduction (its value, or its position).
//  3. Operands and gathered positions are instructions that precede their user; in the prologue, of the prologue.
//  4. Loads read dense inputs; a csr or diagonal input is only walked by the contraction. A 1x1 input is read at
//     (0, 0).
//  5. K, `index` along K and `matrix_element` occur in the prologue only; `matrix_element` in a sparse one only;
//     `contraction` occurs in the body only, and only where there is one.
//  6. A sparse contraction's storage is its matrix's; the matrix has the domain's rows.
//  7. Elements: a load, matrix element or contraction has its source's; size and index are integers; a function has
//     what result_element says in either precision; a contraction has its term's (logicals count as integers).
//  8. A stored value has its output's element. A reduction's output has reduced element and shape: 1 x cols (rows),
//     rows x 1 (cols) or 1 x 1 (all), of a reduction that is spread over strips also the transposed one; a position is
//     an integer of that shape, and only min and max have one.
//  9. Reductions along rows and along cols are not mixed in one kernel.
// 10. An output with a base is dense and of the base's type and shape; no point reads of the base what another point
//     stores (overlap.h).
// 11. A divisor in an access map is positive. (That an access is in range is not the kernel's to say: a `check` before
//     the launch may stop the program where it would not be.)
// 12. A decided schedule has a positive block, and a power of two of lanes. Flat: no contraction, reductions over all
//     axes only, every access the identity on an argument of the domain's shape or the scalar map on a 1x1 one. Point:
//     one block, one lane, and what is_one_point (kernel.h) says. Workgroups walk lines along an axis and nothing else
//     along one; they share out the sums of every contraction but those of diagonals, in slices of a power of two.
// 13. Several nests: each says which axis of its domain it shares, of one extent; one nest writes each output, and none
//     takes over an input; a `reload` reads what a nest before it wrote, at its own place on the axis (shared_axis.h).
// 14. Or beside it, in the second of two nests that reduce nothing but the whole domain: at most `most_reach` columns
// of
//     two along columns that do not contract; or at k, of two along rows, where the second walks the entries of a csr
//     matrix whose reach is known, and the first does not contract.
#include "ir/kernel/verifier.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "ir/kernel/overlap.h"
#include "ir/kernel/shared_axis.h"
#include "ir/kernel/text.h"

namespace lac {
namespace {

bool is_scalar_map(const AccessMap& map) { return map == AccessMap::scalar(); }

class KernelVerifier {
 public:
  KernelVerifier(const Kernel& kernel, const SymbolTable& symbols) : kernel_(kernel), symbols_(symbols) {}

  std::vector<std::string> run() {
    arguments_exist();
    if (!faults_.empty()) return std::move(faults_);
    for (const Nest* each : nests(kernel_)) nest(*each);
    outputs();
    schedule();
    return std::move(faults_);
  }

 private:
  void fault(const std::string& message) { faults_.push_back("kernel " + quoted(kernel_.name) + ": " + message); }
  void require(bool holds, const std::string& message) {
    if (!holds) fault(message);
  }

  void nest(const Nest& each) {
    nest_ = &each;
    if (each.contraction) contraction(*each.contraction);
    body(each.body, false);
    for (const Store& s : each.stores) store(s);
    for (const KernelReduction& r : each.reductions) reduction(r);
    shared_axis(each);
  }

  // 13
  void shared_axis(const Nest& each) {
    if (kernel_.ahead.empty()) return require(each.strips == Axis::all, "one nest shares an axis with no other");
    if (each.strips == Axis::all) return fault("one of several nests does not say which axis it shares");
    require(may_equal(symbols_, shared_extent(each), shared_extent(kernel_)), "the axis of the nests has two extents");
  }

  void reload(const Instr& it, std::uint32_t id, bool prologue) {
    if (kernel_.outputs[it.argument].type.is_scalar()) return fault(text(id) + " reloads a scalar");
    access(it.map, prologue, id, "reload " + text(id));
    for (const Nest* before : nests(kernel_)) {
      if (before == nest_) break;
      const std::optional<Axis> dimension = lac::shared_dimension(*before, it.argument);
      if (prologue && dimension == Axis::rows && reads_within_reach(*nest_, it.map)) return follows_entries(id);
      const auto distance = dimension ? distance_along(nest_->strips, it.map, *dimension) : std::nullopt;
      if (!distance) continue;
      if (*distance != 0) follows_at_distance(id, *distance);
      return;
    }
    fault(text(id) + " reloads what no nest before it stores at that place of the shared axis");
  }

  // 14
  void follows_at_distance(std::uint32_t id, std::int64_t distance) {
    const std::string what = text(id) + " reloads beside its place on the shared axis";
    require(std::abs(distance) <= most_reach, what + ", and too far");
    require(kernel_.ahead.size() == 1 && kernel_.strips == Axis::cols && kernel_.ahead[0].strips == Axis::cols,
            what + ": that is for two nests that share their columns");
    for (const Nest* each : nests(kernel_)) require(!each->contraction, what + ", and there is a contraction");
    reduces_to_scalars(what);
  }

  // 14
  void follows_entries(std::uint32_t id) {
    const std::string what = text(id) + " reloads at the entries of a row";
    require(kernel_.ahead.size() == 1 && nest_ == static_cast<const Nest*>(&kernel_) &&
                kernel_.ahead[0].strips == Axis::rows && !kernel_.ahead[0].contraction,
            what + ": that is for the second of two nests, of which the first does not contract");
    reduces_to_scalars(what);
  }

  void reduces_to_scalars(const std::string& what) {
    for (const Nest* each : nests(kernel_))
      for (const KernelReduction& r : each->reductions)
        require(r.reduction.axis == Axis::all && r.index_output < 0, what + ", and a reduction has several results");
  }

  static std::string text(std::uint32_t id) { return "$" + std::to_string(id); }

  // 1
  void arguments_exist() {
    const std::size_t inputs = kernel_.inputs.size(), outputs = kernel_.outputs.size();
    const auto loads = [&](const Body& body) {
      for (const Instr& instr : body) {
        require(instr.kind != InstrKind::load || instr.argument < inputs, "a load from an input that does not exist");
        require(instr.kind != InstrKind::reload || instr.argument < outputs,
                "a reload of an output that does not exist");
      }
    };
    for (const Nest* each : nests(kernel_)) {
      loads(each->body);
      if (each->contraction) {
        loads(each->contraction->prologue);
        require(each->contraction->storage == Storage::dense || each->contraction->matrix < inputs,
                "the contraction walks an input that does not exist");
      }
      for (const Store& s : each->stores) require(s.output < outputs, "a store to an output that does not exist");
      for (const KernelReduction& r : each->reductions)
        require(r.output < outputs && r.index_output < static_cast<std::int32_t>(outputs),
                "a reduction into an output that does not exist");
    }
    for (const KernelOutput& o : kernel_.outputs)
      require(o.base < static_cast<std::int32_t>(inputs), "an output starts from an input that does not exist");
  }

  void contraction(const Contraction& c) {
    if (c.storage != Storage::dense) {
      const Type& matrix = kernel_.inputs[c.matrix].type;
      require(matrix.storage == c.storage, "the contraction's storage is not its matrix's");
      require(may_equal(symbols_, matrix.rows, nest_->rows), "the matrix has other rows than the domain");
    }
    body(c.prologue, true);
    require(!c.values.empty() && c.values.size() <= Contraction::most_sums, "the contraction has no sum, or too many");
    for (const InstrId value : c.values) {
      if (!c.prologue.contains(value)) return fault("the contraction sums no instruction of its prologue");
      require(reduced_element(ReduceOp::sum, c.prologue[value].element) == c.element,
              "the contraction's element is not its term's");
    }
  }

  void body(const Body& body, bool prologue) {
    for (std::uint32_t i = 0; i < body.size(); ++i) instruction(body, i, prologue);
  }

  void instruction(const Body& body, std::uint32_t id, bool prologue) {
    const Instr& it = body[InstrId{id}];
    const auto precedes = [&](InstrId operand) { return operand.valid() && operand.index < id; };
    const int operands = it.kind == InstrKind::apply ? info(it.op).arity : it.kind == InstrKind::convert ? 1 : 0;
    for (int i = 0; i < operands; ++i)
      if (!precedes(it.operands[i])) return fault(text(id) + " uses an instruction that does not precede it");
    if (it.kind == InstrKind::load) load(it, id, prologue);
    if (it.kind == InstrKind::reload) reload(it, id, prologue);
    if (it.kind == InstrKind::index)
      require(prologue || it.axis != Axis::all, text(id) + " reads k outside a prologue");
    if (it.kind == InstrKind::matrix_element)
      require(prologue && nest_->contraction->storage != Storage::dense,
              text(id) + " reads a matrix element outside a sparse prologue");
    if (it.kind == InstrKind::contraction)
      require(!prologue && nest_->contraction && it.argument < nest_->contraction->values.size(),
              text(id) + " reads a contraction that is not there");
    element(body, it, id);
  }

  // 7
  void element(const Body& body, const Instr& it, std::uint32_t id) {
    if (it.kind == InstrKind::constant || it.kind == InstrKind::convert) return;
    Element expected = natural_element(kernel_, *nest_, body, it);
    if (it.kind == InstrKind::apply && it.element == Element::single && expected == Element::real) {
      Element elements[3] = {};
      for (int i = 0; i < info(it.op).arity; ++i) elements[i] = body[it.operands[i]].element;
      expected = result_element(it.op, elements, Element::single);
    }
    require(it.element == expected,
            text(id) + " is " + std::string(name(it.element)) + " but should be " + std::string(name(expected)));
  }

  void load(const Instr& it, std::uint32_t id, bool prologue) {
    const KernelInput& input = kernel_.inputs[it.argument];
    if (!input.type.is_dense()) return fault(text(id) + " loads from a matrix that is not dense");
    require(!input.type.is_scalar() || is_scalar_map(it.map), text(id) + " loads a scalar through a map");
    access(it.map, prologue, id, "load " + text(id));
    for (std::uint32_t o = 0; o < kernel_.outputs.size(); ++o)
      if (kernel_.outputs[o].base == static_cast<std::int32_t>(it.argument)) based_load(it, id, o);
  }

  // 10
  void based_load(const Instr& it, std::uint32_t id, std::uint32_t output) {
    const Points points = points_of(kernel_);
    const bool apart = std::all_of(kernel_.stores.begin(), kernel_.stores.end(), [&](const Store& s) {
      return s.output != output || reads_no_other_store(symbols_, points, it.map, s.map);
    });
    require(apart, text(id) + " reads an input that an output takes over where another point may store");
  }

  // 3, 5, 11
  void access(const AccessMap& map, bool prologue, std::uint32_t before, const std::string& what) {
    for (InstrId gather : {map.row_gather, map.col_gather})
      if (gather && gather.index >= before) fault(what + " gathers through an instruction that does not precede it");
    for (const AffineIndex* index : {&map.row, &map.col}) {
      require(prologue || index->k.is(0), what + " uses k outside a prologue");
      const bool positive = !index->amount.is_constant() || index->amount.constant() > 0;
      require(index->step == AffineIndex::Step::none || positive, what + " divides by something that is not positive");
    }
  }

  void store(const Store& s) {
    const KernelOutput& output = kernel_.outputs[s.output];
    const std::string what = "the store to " + quoted(output.name);
    if (!nest_->body.contains(s.value)) return fault(what + " has no value");
    require(output.type.is_dense(), what + " is to a matrix that is not dense");
    require(nest_->body[s.value].element == output.type.element, what + " has another element than its value");
    access(s.map, false, static_cast<std::uint32_t>(nest_->body.size()), what);
  }

  // 8
  void reduction(const KernelReduction& r) {
    const KernelOutput& output = kernel_.outputs[r.output];
    const std::string what = "the reduction into " + quoted(output.name);
    if (!nest_->body.contains(r.value)) return fault(what + " has no value");
    const Axis axis = r.reduction.axis;
    const Size rows = axis == Axis::cols ? nest_->rows : Size(1), cols = axis == Axis::rows ? nest_->cols : Size(1);
    const auto shaped = [&](const Type& type) {
      const bool as_is = may_equal(symbols_, type.rows, rows) && may_equal(symbols_, type.cols, cols);
      const bool turned =
          is_spread(*nest_, r) && may_equal(symbols_, type.rows, cols) && may_equal(symbols_, type.cols, rows);
      return type.is_dense() && (as_is || turned);
    };
    require(shaped(output.type), what + " has another shape");
    require(output.type.element == reduced_element(r.reduction.op, nest_->body[r.value].element),
            what + " has another element");
    if (r.index_output < 0) return;
    const Type& index = kernel_.outputs[static_cast<std::size_t>(r.index_output)].type;
    require(r.reduction.op == ReduceOp::min || r.reduction.op == ReduceOp::max, what + " has no position");
    require(shaped(index) && index.element == Element::integer, what + " has a position of another type");
  }

  // 2, 9, 10
  void outputs() {
    std::vector<int> stores(kernel_.outputs.size()), reductions(kernel_.outputs.size());
    for (const Nest* each : nests(kernel_)) {
      std::set<Axis> axes;
      std::set<std::uint32_t> stored;
      for (const Store& s : each->stores)
        if (kernel_.ahead.empty() || stored.insert(s.output).second) ++stores[s.output];
      for (const KernelReduction& r : each->reductions) {
        ++reductions[r.output];
        if (r.index_output >= 0) ++reductions[static_cast<std::size_t>(r.index_output)];
        axes.insert(r.reduction.axis);
      }
      require(!(axes.contains(Axis::rows) && axes.contains(Axis::cols)),
              "reductions along rows and along cols are mixed");
    }
    for (std::size_t o = 0; o < kernel_.outputs.size(); ++o) {
      const KernelOutput& output = kernel_.outputs[o];
      const bool once = reductions[o] == 0 ? stores[o] > 0 : reductions[o] == 1 && stores[o] == 0;
      require(once, "output " + quoted(output.name) + " is not written once");
      if (!kernel_.ahead.empty())
        require(stores[o] <= 1 && output.base < 0, "output " + quoted(output.name) + " is of more than one nest");
      if (output.base < 0) continue;
      const Type& base = kernel_.inputs[static_cast<std::size_t>(output.base)].type;
      require(base.is_dense() && base.element == output.type.element &&
                  may_equal(symbols_, base.rows, output.type.rows) && may_equal(symbols_, base.cols, output.type.cols),
              "output " + quoted(output.name) + " starts from an input of another type");
    }
  }

  // 12
  void schedule() {
    const Schedule& s = kernel_.schedule;
    if (!s.decided) return;
    require(s.block > 0, "the schedule's block is not positive");
    require(s.lanes > 0 && (s.lanes & (s.lanes - 1)) == 0, "the schedule's lanes are not a power of two");
    require((s.strip > 0) == !kernel_.ahead.empty(), "strips are for several nests, and they need them");
    require(s.sums >= 0 && s.sums <= most_sums, "a point has too many accumulators");
    require(s.sums == 0 || (kernel_.contraction && kernel_.contraction->storage == Storage::dense &&
                            kernel_.contraction->extent.is_constant() && kernel_.contraction->values.size() == 1 &&
                            kernel_.ahead.empty()),
            "accumulators of a point are for one sum of a constant number of dense terms");
    groups(s.groups);
    if (s.traversal == Traversal::point) return point();
    if (s.traversal != Traversal::flat) return;
    require(kernel_.ahead.empty(), "a flat kernel has several nests");
    require(!kernel_.contraction, "a flat kernel has a contraction");
    for (const KernelReduction& r : kernel_.reductions)
      require(r.reduction.axis == Axis::all, "a flat kernel reduces along one axis");
    for (const Instr& it : kernel_.body)
      if (it.kind == InstrKind::load) flat_access(it.map, kernel_.inputs[it.argument].type);
    for (const Store& store : kernel_.stores) flat_access(store.map, kernel_.outputs[store.output].type);
  }

  void groups(const GroupSchedule& g) {
    const GroupSums& s = g.sums;
    const bool lines = g.walk == GroupWalk::lines || g.walk == GroupWalk::group_lines || g.walk == GroupWalk::strips;
    require(lines == (g.reduced != Axis::all), "workgroups walk lines along an axis, and nothing else");
    const bool together = kernel_.contraction && kernel_.contraction->storage != Storage::diagonal;
    if (g.walk != GroupWalk::none)
      require(together == (s.form != GroupSums::Form::none), "workgroups share out the sums of a contraction");
    require(g.walk != GroupWalk::contraction || together, "workgroups walk a contraction that is none");
    constexpr auto most = static_cast<std::int32_t>(workgroup_size);
    const auto slices = [](std::int32_t n) { return n > 0 && n <= most && (n & (n - 1)) == 0; };
    require(slices(s.fewest) && slices(s.most) && slices(s.of_parts) && s.fewest <= s.most && s.rows > 0,
            "slices of a sum are no powers of two, or more than a workgroup has invocations");
  }

  void point() {
    const Schedule& s = kernel_.schedule;
    require(s.block == 1 && s.lanes == 1, "a point is one block of one lane");
    require(is_one_point(kernel_), "a kernel of more than one point, or that sums, has the schedule of a point");
  }

  void flat_access(const AccessMap& map, const Type& type) {
    const bool scalar = type.is_scalar() && is_scalar_map(map);
    const bool whole = map == AccessMap::identity() && may_equal(symbols_, type.rows, kernel_.rows) &&
                       may_equal(symbols_, type.cols, kernel_.cols);
    require(scalar || whole, "a flat kernel has an access that is neither the identity nor a scalar");
  }

  const Kernel& kernel_;
  const Nest* nest_ = &kernel_;  ///< at hand
  const SymbolTable& symbols_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> verify(const Kernel& kernel, const SymbolTable& symbols) {
  return KernelVerifier(kernel, symbols).run();
}

}  // namespace lac
