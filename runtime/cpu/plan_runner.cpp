#include "runtime/cpu/plan_runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "ir/plan/manifest.h"
#include "ir/scalar/scalar_op.h"
#include "ir/support/result.h"
#include "ir/types/extent.h"
#include "runtime/cpu/abi_functions.h"
#include "runtime/cpu/context.h"
#include "runtime/cpu/tiers.h"
#include "runtime/cpu/words.h"

namespace lac::runtime {
namespace {

std::unordered_map<OpId, std::uint32_t> numbered(const std::vector<OpId>& ops) {
  std::unordered_map<OpId, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < ops.size(); ++i) numbers[ops[i]] = i;
  return numbers;
}

using StepFunction = decltype(&lac_library);
StepFunction step_function(OpKind kind) {
  switch (kind) {
    case OpKind::table:
    case OpKind::text:
    case OpKind::library: return lac_library;
    case OpKind::scan: return lac_scan;
    case OpKind::random: return lac_random;
    case OpKind::check: return lac_fail;
    case OpKind::warn: return lac_warn;
    case OpKind::print: return lac_print;
    case OpKind::format: return lac_format;
    case OpKind::output: return lac_output;
    default: throw InternalError("'" + std::string(info(kind).name) + "' is no host step");
  }
}

bool is_beyond(std::int64_t size) { return size > largest_extent || size < -largest_extent; }

}  // namespace

RunnablePlan::RunnablePlan(const Plan& plan)
    : plan_(plan), steps_(numbered(plan_steps(plan))), loops_(numbered(plan_loops(plan))) {
  for (const Kernel& kernel : plan.kernels)
    launches_.push({slot_layout(kernel), slot_sizes(kernel), unproven_sizes(kernel), work_terms(kernel),
                    kernel.rows * kernel.cols});
}

class PlanRunner {
 public:
  PlanRunner(abi::Context& run, const RunnablePlan& plan, const CompiledLoop& compiled)
      : run_(run), plan_(plan), graph_(plan.plan_), compiled_(compiled), values_(graph_.values.size()) {}

  std::int32_t block(BlockId id) {
    for (const OpId op : graph_.blocks[id].ops)
      if (const std::int32_t status = execute(op); status != abi::ok) return status;
    return abi::ok;
  }

  std::int32_t loop_alone(OpId id, std::vector<std::uint64_t>& values) {
    values_.swap(values);
    const std::int32_t status = loop(id);
    values_.swap(values);
    return status;
  }

 private:
  static constexpr std::int32_t ok = abi::ok;

  const Op& op(OpId id) const { return graph_.ops[id]; }
  const Type& type(ValueId value) const { return graph_.type(value); }
  std::uint64_t word(ValueId value) const { return values_[value.index]; }
  double number(ValueId value) const { return number_of(type(value).element, &values_[value.index]); }
  abi::Buffer* buffer(ValueId value) const { return reinterpret_cast<abi::Buffer*>(values_[value.index]); }
  void set(ValueId value, double number) { values_[value.index] = word_of(type(value).element, number); }
  void set(ValueId value, abi::Buffer* buffer) { values_[value.index] = reinterpret_cast<std::uint64_t>(buffer); }

  std::int32_t execute(OpId id) {
    const Op& it = op(id);
    switch (it.kind) {
      case OpKind::parameter: return parameter(it);
      case OpKind::constant: return give(it, attribute<double>(it));
      case OpKind::size: return give(it, size_number(attribute<Size>(it)));
      case OpKind::map: return map(it);
      case OpKind::convert: return give(it, number(it.operands[0]));
      case OpKind::index: return index(it);
      case OpKind::reshape: return move(it.results[0], it.operands[0], it.location);
      case OpKind::launch: return launch(it);
      case OpKind::loop: return loop(id);
      case OpKind::branch: return branch(it);
      case OpKind::resize: return grow(it);
      case OpKind::copy: return copy(it);
      case OpKind::release: return release(it);
      case OpKind::check:
      case OpKind::warn: return condition(id);
      default: return step(id);
    }
  }

  std::int32_t give(const Op& it, double number) {
    set(it.results[0], number);
    return ok;
  }
  std::int32_t give(const Op& it, abi::Buffer* buffer) {
    if (buffer == nullptr) return abi::out_of_memory;
    set(it.results[0], buffer);
    return ok;
  }

  // -- sizes ----------------------------------------------------------------------------------------------------------

  std::int64_t symbol(SymbolId id) const {
    const SizeSymbol& symbol = graph_.symbols[id];
    if (symbol.origin == SymbolOrigin::value) return size_of_number(number(symbol.value));
    const abi::Argument& argument = run_.arguments[symbol.parameter];
    if (symbol.origin == SymbolOrigin::parameter_rows) return argument.rows;
    if (symbol.origin == SymbolOrigin::parameter_cols) return argument.cols;
    return size_of_number(argument.scalar);
  }
  std::int64_t size(const Size& size) const {
    if (size.is_constant()) return size.constant();
    if (const auto only = size.as_symbol()) return symbol(*only);
    return size.evaluate([this](SymbolId id) { return symbol(id); });
  }
  double size_number(const Size& size) const {
    if (size.is_constant()) return static_cast<double>(size.constant());
    return evaluate_sum(size, [this](SymbolId id) { return symbol(id); }).number();
  }

  // Memory that nobody has is asked for, so the run ends as it does wherever memory does not suffice.
  std::int32_t stop_beyond_extents(LocationId location) {
    static_cast<void>(lac_acquire(&run_, at(location), beyond_extents, beyond_extents, 1));
    return abi::out_of_memory;
  }
  static std::int32_t at(LocationId location) { return static_cast<std::int32_t>(location.index); }

  // -- scalars and views ----------------------------------------------------------------------------------------------

  std::int32_t parameter(const Op& it) {
    const abi::Argument& argument = run_.arguments[attribute<ParameterIndex>(it).index];
    return type(it.results[0]).is_scalar() ? give(it, argument.scalar) : give(it, argument.buffer);
  }

  std::int32_t map(const Op& it) {
    double operands[3] = {};
    for (std::size_t n = 0; n < it.operands.size(); ++n) operands[n] = number(it.operands[n]);
    return give(
        it, evaluate_as(type(it.results[0]).element, attribute<ScalarOp>(it), operands[0], operands[1], operands[2]));
  }

  std::int32_t index(const Op& it) {
    const Type& from = type(it.operands[0]);
    if (from.is_scalar()) return give(it, number(it.operands[0]));
    const Subscripts& subscripts = attribute<Subscripts>(it);
    std::size_t next = 1;
    std::int64_t positions[2] = {};
    for (std::size_t axis = 0; axis < subscripts.axes.size(); ++axis) {
      const Subscript& subscript = subscripts.axes[axis];
      if (subscript.kind == SubscriptKind::range) {
        positions[axis] = size(subscript.first);
        if (is_beyond(positions[axis])) return stop_beyond_extents(it.location);
      } else if (subscript.kind == SubscriptKind::vector) {
        const ValueId vector = it.operands[next++];
        const double one_based =
            type(vector).is_scalar() ? number(vector) : number_of(type(vector).element, buffer(vector)->values);
        positions[axis] = size_of_number(one_based) - 1;
      }
    }
    const std::int64_t position = positions[0] + (subscripts.linear() ? 0 : positions[1] * size(from.rows));
    return give(it, element(buffer(it.operands[0]), from.element, position));
  }

  static double element(const abi::Buffer* buffer, Element element, std::int64_t position) {
    return number_of(element, static_cast<const std::byte*>(buffer->values) + position * byte_size(element));
  }

  // A variable of a size that changes is a scalar where its size is 1x1, and a matrix elsewhere.
  std::int32_t in_form_of(const Type& target, ValueId value, LocationId location, std::uint64_t& word) {
    const Type& from = type(value);
    word = this->word(value);
    if (from.is_scalar() == target.is_scalar()) return ok;
    if (target.is_scalar()) {
      word = word_of(target.element, element(buffer(value), from.element, 0));
      return ok;
    }
    abi::Buffer* made = acquire(target, location);
    if (made == nullptr) return abi::out_of_memory;
    std::memcpy(made->values, &values_[value.index], static_cast<std::size_t>(byte_size(from.element)));
    word = reinterpret_cast<std::uint64_t>(made);
    return ok;
  }
  std::int32_t move(ValueId target, ValueId value, LocationId location) {
    return in_form_of(type(target), value, location, values_[target.index]);
  }

  // -- memory ---------------------------------------------------------------------------------------------------------

  abi::Buffer* acquire(const Type& type, LocationId location) {
    return lac_acquire(&run_, at(location), size(type.rows), size(type.cols), byte_size(type.element));
  }
  std::int32_t copy(const Op& it) {
    if (type(it.results[0]).is_scalar()) return give(it, number(it.operands[0]));
    const Type& made = type(it.results[0]);
    return give(it, lac_copy(&run_, at(it.location), buffer(it.operands[0]), size(made.rows), size(made.cols),
                             byte_size(made.element)));
  }

  std::int32_t grow(const Op& it) {
    const Type &from = type(it.operands[0]), &to = type(it.results[0]);
    return give(it, lac_grow(&run_, at(it.location), buffer(it.operands[0]), size(from.rows), size(from.cols),
                             size(to.rows), size(to.cols), byte_size(to.element)));
  }

  std::int32_t release(const Op& it) {
    for (const ValueId value : it.operands)
      if (!type(value).is_scalar()) lac_release(&run_, buffer(value));
    return ok;
  }

  // -- kernels --------------------------------------------------------------------------------------------------------

  std::int32_t launch(const Op& it) {
    const KernelId id = attribute<KernelId>(it);
    const Kernel& kernel = graph_.kernels[id];
    const RunnablePlan::Launch& known = plan_.launches_[id];
    for (const Size& each : known.unproven_sizes)
      if (is_beyond(size(each)) && size(known.points) != 0) return stop_beyond_extents(it.location);
    slots_.assign(known.layout.count, 0);
    scalars_.assign(kernel.outputs.size(), 0);
    outputs_.clear();
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      abi::Buffer* output = nullptr;
      if (const KernelOutput& each = kernel.outputs[i]; each.type.is_scalar()) {
        if (each.base >= 0) scalars_[i] = word(it.operands[static_cast<std::size_t>(each.base)]);
      } else if (output = output_buffer(it, i); output == nullptr) {
        return abi::out_of_memory;
      }
      outputs_.push_back(output);
      slots_[known.layout.outputs[i]] =
          reinterpret_cast<std::uint64_t>(output != nullptr ? output->values : static_cast<void*>(&scalars_[i]));
    }
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
      fill_input(kernel.inputs[i].type, it.operands[i], known.layout.inputs[i]);
    std::uint32_t slot = known.layout.first_size;
    for (const Size& each : known.sizes) slots_[slot++] = static_cast<std::uint64_t>(size(each));
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
      if (known.layout.slices[i] != 0 && run_.tiers != nullptr && run_.tiers->has_gathers())
        slots_[known.layout.slices[i]] = word(it.operands[i]);
    const abi::Work work = work_of(kernel, known.work, it.operands);
    if (const std::int32_t status = lac_launch(&run_, static_cast<std::int32_t>(id.index), slots_.data(), &work);
        status != ok)
      return status;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      if (outputs_[i] != nullptr) set(it.results[i], outputs_[i]);
      else set(it.results[i], number_of(kernel.outputs[i].type.element, &scalars_[i]));
    }
    return ok;
  }

  // One that it takes over, or a fresh one.
  abi::Buffer* output_buffer(const Op& it, std::size_t index) {
    const std::int32_t from = taken_over(it, index);
    if (from >= 0) return buffer(it.operands[static_cast<std::size_t>(from)]);
    return acquire(type(it.results[index]), it.location);
  }

  void fill_input(const Type& input, ValueId value, std::uint32_t slot) {
    const auto address = [](const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
    if (input.is_scalar()) {
      slots_[slot] = word(value);
      return;
    }
    const abi::Buffer* from = buffer(value);
    const std::array<const void*, array_roles> arrays = {from->values, from->row_pointers, from->columns};
    for (const StorageArray& array : format(input.storage).arrays)
      slots_[slot++] = address(arrays[static_cast<std::size_t>(array.role)]);
  }

  abi::Work work_of(const Kernel& kernel, const std::vector<WorkTerm>& terms, const std::vector<ValueId>& operands) {
    abi::Work work;
    for (const WorkTerm& term : terms) {
      std::int64_t amount = size(term.amount);
      if (term.limit) amount = std::min(amount, size(*term.limit));
      if (term.stored_of) {
        const std::int64_t rows = size(kernel.inputs[*term.stored_of].type.rows);
        amount *= buffer(operands[*term.stored_of])->row_pointers[rows];
      }
      work.*term.field += amount;
    }
    return work;
  }

  // -- host steps -----------------------------------------------------------------------------------------------------

  std::int32_t call_step(OpId id) {
    const Op& it = op(id);
    std::vector<abi::StepValue> step_values(it.operands.size() + it.results.size() + 1);
    std::vector<std::int64_t> step_sizes;
    const auto add_sizes = [&](const Type& of) {
      step_sizes.push_back(size(of.rows));
      step_sizes.push_back(size(of.cols));
      for (const Size& offset : of.offsets) step_sizes.push_back(size(offset));
    };
    for (std::size_t n = 0; n < it.operands.size(); ++n) {
      const ValueId value = it.operands[n];
      if (type(value).is_scalar()) step_values[n].scalar = number(value);
      else step_values[n].buffer = buffer(value);
      add_sizes(type(value));
    }
    for (const ValueId value : it.results) add_sizes(type(value));
    step_sizes.push_back(0);
    const auto number = static_cast<std::int32_t>(plan_.steps_.at(id));
    const std::int32_t status = step_function(it.kind)(&run_, number, step_values.data(), step_sizes.data());
    if (status != ok) return status;
    for (std::size_t n = 0; n < it.results.size(); ++n) {
      const abi::StepValue& made = step_values[it.operands.size() + n];
      if (type(it.results[n]).is_scalar()) set(it.results[n], made.scalar);
      else set(it.results[n], made.buffer);
    }
    return ok;
  }

  std::int32_t step(OpId id) {
    if (const std::int32_t status = call_step(id); status != ok) return status;
    const Op& it = op(id);
    // A step always makes new buffers, so an operand that the plan lets a result take over goes back to the pool.
    for (std::size_t result = 0; result < it.results.size(); ++result)
      if (const std::int32_t reused = taken_over(it, result); reused >= 0)
        if (const ValueId operand = it.operands[static_cast<std::size_t>(reused)]; !type(operand).is_scalar())
          lac_release(&run_, buffer(operand));
    return ok;
  }

  std::int32_t condition(OpId id) { return number(op(id).operands[0]) != 0 ? ok : call_step(id); }

  // -- control --------------------------------------------------------------------------------------------------------

  // What a block yields becomes what `targets` are, all at once.
  std::int32_t hand_over(std::span<const ValueId> yields, std::span<const ValueId> targets, LocationId location) {
    words_.resize(yields.size());
    for (std::size_t n = 0; n < yields.size(); ++n)
      if (const std::int32_t status = in_form_of(type(targets[n]), yields[n], location, words_[n]); status != ok)
        return status;
    for (std::size_t n = 0; n < yields.size(); ++n) values_[targets[n].index] = words_[n];
    return ok;
  }

  std::int32_t branch(const Op& it) {
    const BlockId arm = it.blocks[number(it.operands[0]) != 0 ? 0 : 1];
    if (const std::int32_t status = block(arm); status != ok) return status;
    return hand_over(graph_.blocks[arm].yields, it.results, it.location);
  }

  std::int32_t loop(OpId id) {
    const Op& it = op(id);
    const Block& body = graph_.blocks[it.blocks[0]];
    const std::span<const ValueId> carried = std::span(body.arguments).subspan(1);
    const std::uint32_t which = plan_.loops_.at(id);
    const double limit = number(it.operands[0]);
    bool goes_on = number(it.operands[1]) != 0;
    const auto compared = run_.options.place != nullptr ? graph_.loop(id).compared : std::nullopt;
    if (const std::int32_t status = hand_over(std::span(it.operands).subspan(2), carried, it.location); status != ok)
      return status;
    lac_loop_begin(&run_, static_cast<std::int32_t>(which));
    double trip = 0;
    for (; trip < limit && goes_on; trip += 1) {
      set(body.arguments[0], trip);
      if (const LoopFunction rest = compiled_(which)) return rest(&run_, values_.data());
      if (const std::int32_t status = lac_trip(&run_, static_cast<std::int64_t>(trip)); status != ok) return status;
      if (const std::int32_t status = block(it.blocks[0]); status != ok) return status;
      goes_on = number(body.yields[0]) != 0;
      if (compared) lac_compared(&run_, number(compared->first), number(compared->second));
      const auto again = std::span(body.yields).subspan(1);
      if (const std::int32_t status = hand_over(again, carried, it.location); status != ok) return status;
    }
    lac_loop_end(&run_, static_cast<std::int32_t>(which), static_cast<std::int64_t>(trip));
    set(it.results[0], trip);
    return hand_over(carried, std::span(it.results).subspan(1), it.location);
  }

  abi::Context& run_;
  const RunnablePlan& plan_;
  const Plan& graph_;
  const CompiledLoop& compiled_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> slots_, scalars_;  ///< of the launch at hand
  std::vector<abi::Buffer*> outputs_;
  std::vector<std::uint64_t> words_;  ///< that are handed over
};

std::int32_t run_loop(abi::Context& run, const RunnablePlan& plan, OpId loop, std::vector<std::uint64_t>& values,
                      const CompiledLoop& compiled) {
  return PlanRunner(run, plan, compiled).loop_alone(loop, values);
}

std::int32_t run_plan(abi::Context& run, const RunnablePlan& plan, const CompiledLoop& compiled) {
  return PlanRunner(run, plan, compiled).block(plan.plan().body);
}

}  // namespace lac::runtime
