#include "codegen/llvm/program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "codegen/llvm/host_scalar.h"
#include "codegen/llvm/program_ops.h"
#include "ir/graph/outer_uses.h"
#include "ir/plan/cursors.h"
#include "ir/support/result.h"

namespace lac::codegen {
namespace {

class PlanWalk {
 public:
  explicit PlanWalk(ProgramBuilder& p) : p_(p) {}

  void block(BlockId id) {
    for (OpId op : p_.plan.blocks[id].ops) emit(op);
  }

  /// A loop whose variables are in the words of the caller; the trip at hand is to be made.
  void rest_of_loop(OpId id) {
    const Op& loop = op(id);
    Incoming initial{{}, nullptr};
    for (ValueId argument : carried_by(id)) initial.values.push_back(p_.word(argument));
    initial.values.push_back(p_.integer_of(p_.word(p_.plan.blocks[loop.blocks[0]].arguments[0])));
    initial.values.push_back(builder().getTrue());
    initial.from = builder().GetInsertBlock();
    trips(id, to_double(builder(), operand(id)), initial);
    for (ValueId result : loop.results) p_.store_word(result);
  }

 private:
  void emit(OpId id) {
    p_.location = op(id).location;
    switch (op(id).kind) {
      case OpKind::parameter: return parameter(id);
      case OpKind::constant: return constant(id);
      case OpKind::size: return define(id, from_size(attribute<Size>(op(id)), result_type(id).element));
      case OpKind::map: return map(id);
      case OpKind::convert: return convert(id);
      case OpKind::index: return index(id);
      case OpKind::reshape: return reshape(id);
      case OpKind::launch: return emit_launch(p_, id);
      case OpKind::loop: return loop(id);
      case OpKind::branch: return branch(id);
      case OpKind::resize: return grow(id);
      case OpKind::copy: return copy(id);
      case OpKind::release: return release(id);
      case OpKind::check:
      case OpKind::warn: return emit_condition(p_, id);
      case OpKind::library: return is_cursor(p_.plan, op(id)) ? emit_cursor(p_, id) : emit_step(p_, id);
      case OpKind::table:
      case OpKind::text:
      case OpKind::scan:
      case OpKind::random:
      case OpKind::print:
      case OpKind::format:
      case OpKind::output: return emit_step(p_, id);
      default: refuse(id);
    }
  }

  [[noreturn]] void refuse(OpId id) const {
    throw InternalError("codegen: op '" + std::string(info(op(id).kind).name) + "' of type " +
                        (op(id).results.empty() ? "()" : p_.plan.text(result_type(id))) + " has no place in a plan");
  }

  const Op& op(OpId id) const { return p_.plan.ops[id]; }
  const Type& result_type(OpId id) const { return p_.plan.type(op(id).results[0]); }
  const Type& operand_type(OpId id, std::size_t i = 0) const { return p_.plan.type(op(id).operands[i]); }
  llvm::Value* operand(OpId id, std::size_t i = 0) const { return p_.value(op(id).operands[i]); }
  void define(OpId id, llvm::Value* value) { p_.define(op(id).results[0], value); }
  llvm::IRBuilder<>& builder() { return p_.builder; }

  // -- scalars and views ----------------------------------------------------------------------------------------------

  void parameter(OpId id) {
    const std::uint32_t index = attribute<ParameterIndex>(op(id)).index;
    if (!result_type(id).is_scalar())
      return define(id, p_.argument_field(index, offsetof(abi::Argument, buffer), builder().getPtrTy()));
    llvm::Value* number = p_.argument_field(index, offsetof(abi::Argument, scalar), builder().getDoubleTy());
    define(id, from_double(p_.setup, number, result_type(id).element));
  }

  void constant(OpId id) {
    llvm::Value* number = llvm::ConstantFP::get(builder().getDoubleTy(), attribute<double>(op(id)));
    define(id, from_double(builder(), number, result_type(id).element));
  }

  llvm::Value* from_size(const Size& size, Element element) { return from_double(builder(), p_.number(size), element); }

  void map(OpId id) {
    if (!result_type(id).is_scalar()) refuse(id);
    std::vector<llvm::Value*> operands;
    for (ValueId value : op(id).operands) operands.push_back(p_.value(value));
    define(id, emit_host_scalar(builder(), p_.target, attribute<ScalarOp>(op(id)), result_type(id).element, operands,
                                p_.runtime.lac_evaluate));
  }

  void convert(OpId id) {
    if (!result_type(id).is_scalar()) refuse(id);
    define(id, from_double(builder(), to_double(builder(), operand(id)), result_type(id).element));
  }

  // One element of a dense matrix. Subscripts are 0-based sizes or 1-based scalars.
  void index(OpId id) {
    if (!result_type(id).is_scalar() || !operand_type(id).is_dense()) refuse(id);
    const Subscripts& subscripts = attribute<Subscripts>(op(id));
    if (operand_type(id).is_scalar()) return define(id, operand(id));
    std::size_t next_vector = 1;
    std::vector<llvm::Value*> positions;
    for (const Subscript& axis : subscripts.axes) {
      if (axis.kind == SubscriptKind::all) positions.push_back(p_.int64(0));
      else if (axis.kind == SubscriptKind::range) positions.push_back(range_position(id, axis.first));
      else positions.push_back(vector_position(id, next_vector++));
    }
    llvm::Value* position = positions[0];
    if (!subscripts.linear())
      position = builder().CreateAdd(position, builder().CreateMul(positions[1], p_.size(operand_type(id).rows)));
    define(id, p_.load_element(operand(id), operand_type(id).element, position));
  }

  llvm::Value* range_position(OpId id, const Size& first) {
    p_.stop_beyond_extents({first}, op(id).location);
    return p_.size(first);
  }

  llvm::Value* vector_position(OpId id, std::size_t i) {
    llvm::Value* one_based = operand(id, i);
    if (!operand_type(id, i).is_scalar())
      one_based = p_.load_element(one_based, operand_type(id, i).element, p_.int64(0));
    return builder().CreateSub(p_.integer_of(one_based), p_.int64(1));
  }

  // Order is kept, so a reshaped matrix is the same buffer; between a scalar and a matrix of one element the value
  // moves.
  void reshape(OpId id) { define(id, in_form_of(result_type(id), operand(id), operand_type(id), op(id).location)); }

  // -- memory ---------------------------------------------------------------------------------------------------------

  void copy(OpId id) {
    if (result_type(id).is_scalar()) return define(id, operand(id));
    if (!in_frame(result_type(id))) return define(id, p_.copy(operand(id), result_type(id), op(id).location));
    llvm::Value* made = p_.frame_buffer(result_type(id));
    p_.copy_elements(operand(id), made, result_type(id));
    define(id, made);
  }

  /// The operand's buffer or a larger one, with zeros around its elements.
  void grow(OpId id) { define(id, p_.grow(operand(id), operand_type(id), result_type(id), op(id).location)); }

  void release(OpId id) {
    for (ValueId value : op(id).operands) {
      const Type& type = p_.plan.type(value);
      if (!type.is_scalar() && !in_frame(type)) builder().CreateCall(p_.runtime.lac_release, {p_.run, p_.value(value)});
    }
  }

  /// What straight code makes of this type lies in the frame.
  bool in_frame(const Type& type) const { return p_.quiet.inside() && is_small_matrix(type); }

  // -- control --------------------------------------------------------------------------------------------------------

  struct Incoming {
    std::vector<llvm::Value*> values;
    llvm::BasicBlock* from;
  };

  // A carried variable of a size that changes starts as a scalar where its first size is 1x1: it gets a buffer then.
  llvm::Value* in_form_of(const Type& target, llvm::Value* value, const Type& type, LocationId location) {
    if (type.is_scalar() == target.is_scalar()) return value;
    if (target.is_scalar()) return p_.load_element(value, type.element, p_.int64(0));
    llvm::Value* buffer = p_.acquire(type, location);
    p_.store_element(buffer, type.element, p_.int64(0), value);
    return buffer;
  }

  // `values` for block arguments or results that have the types of `targets`.
  Incoming incoming(std::span<const ValueId> values, std::span<const ValueId> targets, LocationId location) {
    Incoming in{{}, nullptr};
    for (std::size_t i = 0; i < values.size(); ++i)
      in.values.push_back(in_form_of(p_.plan.type(targets[i]), p_.value(values[i]), p_.plan.type(values[i]), location));
    in.from = builder().GetInsertBlock();
    return in;
  }

  std::vector<llvm::PHINode*> phis(const Incoming& shape) {
    std::vector<llvm::PHINode*> nodes;
    for (llvm::Value* value : shape.values) nodes.push_back(builder().CreatePHI(value->getType(), 2));
    return nodes;
  }

  static void join(const std::vector<llvm::PHINode*>& nodes, const Incoming& in) {
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i]->addIncoming(in.values[i], in.from);
  }

  void loop(OpId id) {
    const Op& loop = op(id);
    llvm::Value* limit = to_double(builder(), operand(id));
    Incoming initial = incoming(std::span(loop.operands).subspan(2), carried_by(id), loop.location);
    initial.values.push_back(p_.int64(0));
    initial.values.push_back(operand(id, 1));
    if (!p_.quiet.inside()) builder().CreateCall(p_.runtime.lac_loop_begin, {p_.run, p_.int32(p_.loop_number(id))});
    trips(id, limit, initial);
  }

  std::span<const ValueId> carried_by(OpId loop) const {
    return std::span(p_.plan.blocks[op(loop).blocks[0]].arguments).subspan(1);
  }

  // -- small matrices that straight code carries: each has memory in the frame while the loop runs

  struct Kept {
    std::size_t position;  ///< among what is carried
    const Type& type;
    llvm::Value *home, *here;  ///< where it was found and is left; where it is in between
  };

  std::vector<Kept> keep(BlockId body, std::span<const ValueId> arguments, Incoming& initial) {
    std::vector<Kept> kept;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Type& type = p_.plan.type(arguments[i]);
      const bool stays = p_.plan.blocks[body].yields[i + 1] == arguments[i];  // and may be somebody else's
      if (!is_small_matrix(type) || stays) continue;
      kept.push_back({i, type, initial.values[i], p_.frame_buffer(type)});
      p_.copy_elements(kept.back().home, kept.back().here, type);
      initial.values[i] = kept.back().here;
    }
    return kept;
  }

  struct Seen {
    ValueId value;
    llvm::Value* outside;
  };

  /// Small matrices that a nest of straight loops only reads get a copy in the frame: LLVM may read that ahead of the
  /// loop, and need not read it again.
  std::vector<Seen> bring_in(OpId loop) {
    std::vector<Seen> seen;
    for (const ValueId value : outer_.of(loop).values) {
      const Type& type = p_.plan.type(value);
      if (!is_small_matrix(type) || std::ranges::find(op(loop).operands, value) != op(loop).operands.end()) continue;
      seen.push_back({value, p_.value(value)});
      llvm::Value* here = p_.frame_buffer(type);
      p_.copy_elements(seen.back().outside, here, type);
      p_.define(value, here);
    }
    return seen;
  }

  /// Made by the body itself, so that it lies where nothing carried does.
  bool is_made_by(BlockId body, ValueId value) const {
    return std::ranges::any_of(p_.plan.blocks[body].ops, [&](OpId id) {
      const Op& made = op(id);
      const auto found = std::ranges::find(made.results, value);
      if (found == made.results.end()) return false;
      return made.kind == OpKind::copy ||
             (made.kind == OpKind::launch &&
              taken_over(made, static_cast<std::size_t>(found - made.results.begin())) < 0);
    });
  }

  /// All at once: what one is to hold may be what another still holds.
  void hand_on(const std::vector<Kept>& kept, BlockId body, Incoming& again) {
    std::vector<llvm::Value*> from;
    for (const Kept& one : kept) {
      llvm::Value* yielded = again.values[one.position];
      again.values[one.position] = one.here;
      from.push_back(yielded == one.here ? nullptr : yielded);
      if (!from.back() || is_made_by(body, p_.plan.blocks[body].yields[one.position + 1])) continue;
      from.back() = p_.frame_buffer(one.type);
      p_.copy_elements(yielded, from.back(), one.type);
    }
    for (std::size_t n = 0; n < kept.size(); ++n)
      if (from[n]) p_.copy_elements(from[n], kept[n].here, kept[n].type);
  }

  // Runs while trip < limit and condition. The header's phis are: carried values, trip, condition.
  void trips(OpId id, llvm::Value* limit, Incoming initial) {
    const Op& loop = op(id);
    const Block& body = p_.plan.blocks[loop.blocks[0]];
    const std::span<const ValueId> arguments = carried_by(id);
    const bool quiet = p_.plan.loop(id).mode == LoopMode::straight;
    llvm::Value* end = p_.integer_of(builder().CreateUnaryIntrinsic(llvm::Intrinsic::ceil, limit));
    llvm::BasicBlock* header = p_.new_block("loop");
    llvm::BasicBlock* inside = p_.new_block("trip");
    llvm::BasicBlock* after = p_.new_block("after_loop");

    const std::vector<Seen> seen = quiet && !p_.quiet.inside() ? bring_in(id) : std::vector<Seen>{};
    const std::vector<Kept> kept = quiet ? keep(loop.blocks[0], arguments, initial) : std::vector<Kept>{};
    builder().CreateBr(header);

    builder().SetInsertPoint(header);
    const std::vector<llvm::PHINode*> nodes = phis(initial);
    join(nodes, initial);
    llvm::Value* trip = nodes[arguments.size()];
    llvm::Value* condition = nodes[arguments.size() + 1];
    builder().CreateCondBr(builder().CreateAnd(builder().CreateICmpSLT(trip, end), condition), inside, after);

    builder().SetInsertPoint(inside);
    begin_trip(id, quiet, trip);
    p_.define_trip(body.arguments[0], trip);
    for (std::size_t i = 0; i < arguments.size(); ++i) p_.define(arguments[i], nodes[i]);
    for (const Kept& one : kept) p_.define(arguments[one.position], one.here);
    block(loop.blocks[0]);
    Incoming again = incoming(std::span(body.yields).subspan(1), arguments, loop.location);
    hand_on(kept, loop.blocks[0], again);
    again.values.push_back(builder().CreateNSWAdd(trip, p_.int64(1)));
    again.values.push_back(p_.value(body.yields[0]));
    tell_comparison(id);
    join(nodes, again);
    builder().CreateBr(header);

    builder().SetInsertPoint(after);
    end_loop(id, quiet, trip);
    p_.define(loop.results[0], builder().CreateSIToFP(trip, builder().getDoubleTy()));
    for (const Seen& one : seen) p_.define(one.value, one.outside);
    std::vector<llvm::Value*> left(nodes.begin(), nodes.end());
    for (const Kept& one : kept) {
      p_.copy_elements(one.here, one.home, one.type);
      left[one.position] = one.home;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const ValueId result = loop.results[i + 1];
      p_.define(result, in_form_of(p_.plan.type(result), left[i], p_.plan.type(arguments[i]), loop.location));
    }
  }

  void begin_trip(OpId loop, bool quiet, llvm::Value* trip) {
    if (quiet) return p_.quiet.enter(loop, trip);
    p_.stop_unless_ok(builder().CreateCall(p_.runtime.lac_trip, {p_.run, trip}));
  }

  void end_loop(OpId loop, bool quiet, llvm::Value* trips) {
    if (quiet) p_.quiet.leave(trips);
    if (!p_.quiet.inside())
      builder().CreateCall(p_.runtime.lac_loop_end, {p_.run, p_.int32(p_.loop_number(loop)), trips});
  }

  /// For who watches the run.
  void tell_comparison(OpId loop) {
    const auto& compared = p_.plan.loop(loop).compared;
    if (!compared) return;
    llvm::Value* left = to_double(builder(), p_.value(compared->first));
    builder().CreateCall(p_.runtime.lac_compared, {p_.run, left, to_double(builder(), p_.value(compared->second))});
  }

  void branch(OpId id) {
    const Op& branch = op(id);
    llvm::BasicBlock* arms[] = {p_.new_block("then"), p_.new_block("else")};
    llvm::BasicBlock* after = p_.new_block("after_branch");
    builder().CreateCondBr(operand(id), arms[0], arms[1]);
    std::array<Incoming, 2> yields;
    for (std::size_t arm = 0; arm < 2; ++arm) {
      builder().SetInsertPoint(arms[arm]);
      block(branch.blocks[arm]);
      yields[arm] = incoming(p_.plan.blocks[branch.blocks[arm]].yields, branch.results, branch.location);
      builder().CreateBr(after);
    }
    builder().SetInsertPoint(after);
    const std::vector<llvm::PHINode*> nodes = phis(yields[0]);
    for (const Incoming& in : yields) join(nodes, in);
    for (std::size_t i = 0; i < branch.results.size(); ++i) p_.define(branch.results[i], nodes[i]);
  }

  ProgramBuilder& p_;
  OuterUses outer_{p_.plan};
};

}  // namespace

void emit_program(llvm::Module& module, const Plan& plan, const TargetOptions& target) {
  ProgramBuilder program(module, plan, BuiltFunction::program, target);
  PlanWalk(program).block(plan.body);
  program.finish();
}

void emit_loop(llvm::Module& module, const Plan& plan, OpId loop, const TargetOptions& target) {
  ProgramBuilder function(module, plan, BuiltFunction::loop, target);
  PlanWalk(function).rest_of_loop(loop);
  function.finish();
}

}  // namespace lac::codegen
