#include "codegen/llvm/program/program.h"

#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>

#include "codegen/llvm/program/frame.h"
#include "codegen/llvm/program/host_scalar.h"
#include "codegen/llvm/program/integers.h"
#include "codegen/llvm/program/ops.h"
#include "ir/graph/outer_uses.h"
#include "ir/plan/cursors.h"
#include "ir/support/result.h"
#include "ir/types/extent.h"

namespace lac::codegen {
namespace {

class PlanWalk {
 public:
  explicit PlanWalk(ProgramBuilder& p) : p_(p) {}

  void block(BlockId id) {
    const LocationId around = p_.location;
    for (OpId op : p_.plan.blocks[id].ops) emit(op);
    p_.move_to(around);
  }

  /// A loop whose variables are in the words of the caller; the trip at hand is to be made.
  void rest_of_loop(OpId id) {
    const Op& loop = op(id);
    Incoming initial{{}, {}, nullptr};
    for (ValueId argument : carried_by(id)) {
      initial.values.push_back(p_.word(argument));
      if (is_straight(id) && integers_.is_counted(argument)) initial.extents.push_back(p_.extent(argument));
    }
    initial.values.push_back(p_.integer_of(p_.word(p_.plan.blocks[loop.blocks[0]].arguments[0])));
    initial.values.push_back(builder().getTrue());
    initial.from = builder().GetInsertBlock();
    trips(id, to_double(builder(), operand(id)), initial);
    for (ValueId result : loop.results) p_.store_word(result);
  }

 private:
  void emit(OpId id) {
    p_.move_to(op(id).location);
    switch (op(id).kind) {
      case OpKind::parameter: return parameter(id);
      case OpKind::constant: return constant(id);
      case OpKind::size: return size(id);
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

  void constant(OpId id) { define(id, p_.constant(op(id))); }

  void size(OpId id) {
    const Size& size = attribute<Size>(op(id));
    define(id, from_double(builder(), p_.number(size), result_type(id).element));
    if (p_.quiet.inside() && ProgramBuilder::is_often_integer(size)) p_.define_extent(op(id).results[0], p_.size(size));
  }

  void map(OpId id) {
    if (!result_type(id).is_scalar()) refuse(id);
    if (p_.quiet.inside() && integers_.emit_map(id)) return;
    define(id, emit_map_in_double(p_, id));
    if (p_.quiet.inside()) integers_.note_map(id);
  }

  void convert(OpId id) {
    if (!result_type(id).is_scalar()) refuse(id);
    define(id, from_double(builder(), to_double(builder(), operand(id)), result_type(id).element));
    if (p_.quiet.inside()) integers_.note_convert(id);
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
    std::vector<llvm::Value*> extents;  ///< of the counted among them, in straight code
    llvm::BasicBlock* from;
    std::vector<bool> computed = {};  ///< of `extents`: as i64s; else they are converted
  };

  struct Phis {
    std::vector<llvm::PHINode*> values, extents;
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
  Incoming incoming(std::span<const ValueId> values, std::span<const ValueId> targets, LocationId location,
                    bool straight) {
    Incoming in{{}, {}, nullptr};
    for (std::size_t i = 0; i < values.size(); ++i) {
      in.values.push_back(in_form_of(p_.plan.type(targets[i]), p_.value(values[i]), p_.plan.type(values[i]), location));
      if (!straight || !integers_.is_counted(targets[i])) continue;
      in.extents.push_back(p_.extent(values[i]));
      in.computed.push_back(p_.is_sure(values[i]) || (p_.has_extent(values[i]) && !converted_.contains(values[i])));
    }
    in.from = builder().GetInsertBlock();
    return in;
  }

  Phis phis(const Incoming& shape) {
    const auto make = [&](const std::vector<llvm::Value*>& values) {
      std::vector<llvm::PHINode*> nodes;
      for (llvm::Value* value : values) nodes.push_back(builder().CreatePHI(value->getType(), 2));
      return nodes;
    };
    return {make(shape.values), make(shape.extents)};
  }

  static void join(const Phis& nodes, const Incoming& in) {
    for (std::size_t i = 0; i < nodes.values.size(); ++i) nodes.values[i]->addIncoming(in.values[i], in.from);
    for (std::size_t i = 0; i < nodes.extents.size(); ++i) nodes.extents[i]->addIncoming(in.extents[i], in.from);
  }

  void define_extents(std::span<const ValueId> values, const Phis& nodes) {
    auto extent = nodes.extents.begin();
    if (nodes.extents.empty()) return;
    for (const ValueId value : values)
      if (integers_.is_counted(value)) p_.define_extent(value, *extent++);
  }

  void loop(OpId id) {
    const Op& loop = op(id);
    llvm::Value* limit = to_double(builder(), operand(id));
    Incoming initial = incoming(std::span(loop.operands).subspan(2), carried_by(id), loop.location, is_straight(id));
    initial.values.push_back(p_.int64(0));
    initial.values.push_back(operand(id, 1));
    if (!p_.quiet.inside()) builder().CreateCall(p_.runtime.lac_loop_begin, {p_.run, p_.int32(p_.loop_number(id))});
    trips(id, limit, initial);
  }

  bool is_straight(OpId loop) const { return p_.plan.loop(loop).mode == LoopMode::straight; }

  std::span<const ValueId> carried_by(OpId loop) const {
    return std::span(p_.plan.blocks[op(loop).blocks[0]].arguments).subspan(1);
  }

  // Runs while trip < limit and condition. The header's phis are: carried values, trip, condition.
  void trips(OpId id, llvm::Value* limit, Incoming initial) {
    const Op& loop = op(id);
    const std::span<const ValueId> arguments = carried_by(id);
    const bool quiet = is_straight(id);
    if (quiet) integers_.note_trips(p_.plan.blocks[loop.blocks[0]].arguments[0]);
    llvm::Value* end = p_.integer_of(builder().CreateUnaryIntrinsic(llvm::Intrinsic::ceil, limit));
    llvm::BasicBlock* header = p_.new_block("loop");
    llvm::BasicBlock* inside = p_.new_block("trip");
    llvm::BasicBlock* after = p_.new_block("after_loop");

    FrameOfLoop frame(p_, id);
    if (quiet) frame.enter(outer_, initial.values);
    builder().CreateBr(header);

    builder().SetInsertPoint(header);
    const Phis nodes = phis(initial);
    join(nodes, initial);
    llvm::Value* trip = nodes.values[arguments.size()];
    llvm::Value* condition = nodes.values[arguments.size() + 1];
    builder().CreateCondBr(builder().CreateAnd(builder().CreateICmpSLT(trip, end), condition), inside, after);

    builder().SetInsertPoint(inside);
    const Incoming again =
        quiet && runs_to_its_limit(p_.plan, loop) ? strip(id, frame, nodes, end) : trip_of(id, frame, nodes);
    join(nodes, again);
    builder().CreateBr(header);

    builder().SetInsertPoint(after);
    end_loop(id, quiet, trip);
    p_.define(loop.results[0], builder().CreateSIToFP(trip, builder().getDoubleTy()));
    std::vector<llvm::Value*> left(nodes.values.begin(), nodes.values.end());
    frame.leave(left);
    define_extents(arguments, nodes);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const ValueId result = loop.results[i + 1];
      p_.define(result, in_form_of(p_.plan.type(result), left[i], p_.plan.type(arguments[i]), loop.location));
      if (quiet && integers_.is_counted(result)) p_.define_extent(result, p_.extent(arguments[i]));
    }
    carry_integers_once(arguments, nodes, again, std::span(loop.results).subspan(1));
  }

  // Integers that doubles hold exactly, and that trips compute as i64s, are carried as such: the double is made of it.
  // `results` are what the arguments are behind the loop.
  void carry_integers_once(std::span<const ValueId> arguments, const Phis& nodes, const Incoming& again,
                           std::span<const ValueId> results) {
    std::size_t counted = 0;
    for (std::size_t i = 0; i < arguments.size() && !nodes.extents.empty(); ++i) {
      if (!integers_.is_counted(arguments[i])) continue;
      const std::size_t at = counted++;
      if (again.computed[at])
        carry_once(arguments[i], nodes.values[i], nodes.extents[at], results.empty() ? results : results.subspan(i, 1));
      else if (!results.empty()) converted_.insert(results[i]);
    }
  }

  void carry_once(ValueId argument, llvm::PHINode* number, llvm::PHINode* extent, std::span<const ValueId> results) {
    if (!integers_.is_i64(argument) || !number->getType()->isDoubleTy()) return;
    llvm::IRBuilder<> header(number->getParent(), number->getParent()->getFirstInsertionPt());
    llvm::Value* made = header.CreateSIToFP(extent, header.getDoubleTy());
    p_.define(argument, made);
    for (const ValueId result : results)
      if (p_.value(result) == number) p_.define(result, made);
    number->replaceAllUsesWith(made);  // LLVM drops it
  }

  Incoming trip_of(OpId id, FrameOfLoop& frame, const Phis& nodes) {
    begin_trip(id, nodes.values[carried_by(id).size()]);
    const auto assumption = is_straight(id) ? integers_.assumption_for(id) : std::nullopt;
    if (assumption) trip_of_integers(id, frame, nodes, *assumption);
    begin_body(id, frame, nodes);
    block(op(id).blocks[0]);
    return end_body(id, frame, nodes);
  }

  // A trip of its own for where what is assumed holds. What it hands on are i64s, and doubles that are made of them.
  void trip_of_integers(OpId id, FrameOfLoop& frame, const Phis& nodes,
                        const StraightIntegers::Assumption& assumption) {
    llvm::IRBuilder<>& b = builder();
    const std::span<const ValueId> arguments = carried_by(id);
    define_extents(arguments, nodes);
    llvm::Value* holds = b.getTrue();
    for (const ValueId argument : assumption.arguments) {
      llvm::Value* shifted = b.CreateAdd(p_.extent(argument), p_.int64(assumption.most));
      holds = b.CreateAnd(holds, b.CreateICmpULE(shifted, p_.int64(2 * assumption.most)));
    }
    llvm::BasicBlock* header = nodes.values[0]->getParent();
    llvm::BasicBlock* otherwise = nullptr;
    p_.unless(holds, [&](llvm::BasicBlock*) { otherwise = b.GetInsertBlock(); });
    begin_body(id, frame, nodes);
    for (const ValueId argument : assumption.arguments)
      p_.define(argument, b.CreateSIToFP(p_.extent(argument), b.getDoubleTy()));
    const BlockId body = op(id).blocks[0];
    integers_.under(assumption, [&] { block(body); });
    Incoming again = end_body(id, frame, nodes);
    std::size_t counted = 0;
    for (std::size_t n = 0; n < arguments.size(); ++n) {
      if (!integers_.is_counted(arguments[n])) continue;
      llvm::Value* extent = again.extents[counted++];
      if (std::ranges::find(assumption.arguments, arguments[n]) != assumption.arguments.end())
        again.values[n] = b.CreateSIToFP(extent, b.getDoubleTy());
    }
    join(nodes, again);
    b.CreateBr(header);
    b.SetInsertPoint(otherwise);
    for_each_op(p_.plan, body, [&](OpId inner) {
      for (const ValueId result : op(inner).results) p_.define_extent(result, nullptr);
    });
  }

  void begin_body(OpId id, FrameOfLoop& frame, const Phis& nodes) {
    const std::span<const ValueId> arguments = carried_by(id);
    p_.define_trip(p_.plan.blocks[op(id).blocks[0]].arguments[0], nodes.values[arguments.size()]);
    for (std::size_t i = 0; i < arguments.size(); ++i) p_.define(arguments[i], nodes.values[i]);
    define_extents(arguments, nodes);
    frame.begin_trip();
  }

  // What the next trip has, in the order of the header's phis.
  Incoming end_body(OpId id, FrameOfLoop& frame, const Phis& nodes) {
    const Op& loop = op(id);
    const Block& body = p_.plan.blocks[loop.blocks[0]];
    const std::span<const ValueId> arguments = carried_by(id);
    Incoming again = incoming(std::span(body.yields).subspan(1), arguments, loop.location, is_straight(id));
    frame.hand_on(again.values);
    again.values.push_back(builder().CreateNSWAdd(nodes.values[arguments.size()], p_.int64(1)));
    again.values.push_back(p_.value(body.yields[0]));
    tell_comparison(id);
    again.from = builder().GetInsertBlock();
    return again;
  }

  // Trips that nobody looks between, so that LLVM sees a loop of nothing but their work: from the trip at hand to the
  // end, or as many as may pass until somebody looks.
  Incoming strip(OpId id, FrameOfLoop& frame, const Phis& outer, llvm::Value* end) {
    const std::size_t at_trip = carried_by(id).size();
    llvm::BasicBlock* inner = p_.new_block("strip");
    llvm::BasicBlock* done = p_.new_block("after_strip");
    llvm::Value* last = p_.quiet.enter_strip(id, outer.values[at_trip], end);
    const Incoming initial{{outer.values.begin(), outer.values.end()},
                           {outer.extents.begin(), outer.extents.end()},
                           builder().GetInsertBlock()};
    builder().CreateBr(inner);
    builder().SetInsertPoint(inner);
    const Phis nodes = phis(initial);
    join(nodes, initial);
    p_.quiet.in_strip(nodes.values[at_trip]);
    begin_body(id, frame, nodes);
    block(op(id).blocks[0]);
    Incoming again = end_body(id, frame, nodes);
    join(nodes, again);
    carry_integers_once(carried_by(id), nodes, again, {});
    builder().CreateCondBr(builder().CreateICmpSLT(again.values[at_trip], last), inner, done);
    builder().SetInsertPoint(done);
    p_.quiet.leave_strip();
    again.from = builder().GetInsertBlock();
    return again;
  }

  void begin_trip(OpId loop, llvm::Value* trip) {
    if (is_straight(loop)) return p_.quiet.enter(loop, trip);
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

  /// Whether the value is a comparison with the other one, or asks for it among others.
  bool compares_with(ValueId value, ValueId other, int depth = 3) const {
    const Op* made = p_.plan.definition(value);
    if (!made || made->kind != OpKind::map || depth == 0) return false;
    switch (attribute<ScalarOp>(*made)) {
      case ScalarOp::lt:
      case ScalarOp::le:
      case ScalarOp::gt:
      case ScalarOp::ge: return made->operands[0] == other || made->operands[1] == other;
      case ScalarOp::logical_and:
        return compares_with(made->operands[0], other, depth - 1) || compares_with(made->operands[1], other, depth - 1);
      default: return false;
    }
  }

  /// `if x < best, best = x; end`: of arms that do nothing LLVM makes selects, and every trip would wait for the one
  /// before. A branch is predicted.
  bool is_better_of_two(const Op& branch) const {
    const std::vector<ValueId>&taken = p_.plan.blocks[branch.blocks[0]].yields,
          &kept = p_.plan.blocks[branch.blocks[1]].yields;
    for (std::size_t n = 0; n < kept.size(); ++n)
      if (taken[n] != kept[n] && !p_.plan.definition(kept[n]) && compares_with(branch.operands[0], kept[n]))
        return true;
    return false;
  }

  /// An instruction that LLVM leaves where it is.
  void stay_here() {
    llvm::FunctionType* nothing = llvm::FunctionType::get(builder().getVoidTy(), false);
    builder().CreateCall(llvm::InlineAsm::get(nothing, "", "", /*hasSideEffects=*/true));
  }

  void branch(OpId id) {
    const Op& branch = op(id);
    llvm::BasicBlock* arms[] = {p_.new_block("then"), p_.new_block("else")};
    llvm::BasicBlock* after = p_.new_block("after_branch");
    builder().CreateCondBr(operand(id), arms[0], arms[1]);
    std::array<Incoming, 2> yields;
    for (std::size_t arm = 0; arm < 2; ++arm) {
      builder().SetInsertPoint(arms[arm]);
      p_.quiet.in_arm([&] { block(branch.blocks[arm]); });
      if (arm == 0 && p_.quiet.inside() && is_better_of_two(branch)) stay_here();
      yields[arm] =
          incoming(p_.plan.blocks[branch.blocks[arm]].yields, branch.results, branch.location, p_.quiet.inside());
      builder().CreateBr(after);
    }
    builder().SetInsertPoint(after);
    const Phis nodes = phis(yields[0]);
    for (const Incoming& in : yields) join(nodes, in);
    for (std::size_t i = 0; i < branch.results.size(); ++i) p_.define(branch.results[i], nodes.values[i]);
    define_extents(branch.results, nodes);
    std::size_t counted = 0;
    for (const ValueId result : branch.results) {
      if (nodes.extents.empty() || !integers_.is_counted(result)) continue;
      if (!yields[0].computed[counted] || !yields[1].computed[counted]) converted_.insert(result);
      ++counted;
    }
  }

  ProgramBuilder& p_;
  StraightIntegers integers_{p_};
  std::set<ValueId> converted_;  ///< whose extents some path converts from doubles
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
