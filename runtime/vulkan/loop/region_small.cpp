#include "runtime/vulkan/loop/region_small.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/plan/control.h"
#include "ir/plan/work.h"
#include "ir/support/result.h"
#include "runtime/vulkan/memory/elements.h"

namespace lac::runtime::vulkan {
namespace {

/// Trips are counted in an int, which must hold those of one more dispatch.
constexpr std::int64_t most_trips = std::numeric_limits<std::int32_t>::max() - loop_trips;

/// The turns of one trip, of all its kernels and the back edge, and the look at the loop's own condition.
double turns_of_trip(Machine& machine, const LoopShader& shader) {
  const auto longest_row = [&](std::uint32_t index) { return machine.longest_row(shader.values[index]); };
  return 1 + turns_of(shader.stage.loops, {1, 1, 1}, {machine.sizes(), longest_row, {}});
}

/// Memory and slots of one run of a loop, and its dispatches.
class SmallLoop {
 public:
  SmallLoop(Machine& machine, const Op& loop, const LoopShader& shader)
      : machine_(machine), op_(loop), shader_(shader), body_(machine.plan().blocks[loop.blocks[0]]) {}
  /// What fails while the loop is left with an error is not said twice.
  ~SmallLoop() {
    try {
      if (!uses_.empty()) machine_.matrices().finish(uses_);
    } catch (const DeviceError&) {
    }
  }
  SmallLoop(const SmallLoop&) = delete;
  SmallLoop& operator=(const SmallLoop&) = delete;

  void run();

 private:
  void enter();
  void make_carried_slots();
  void make_values();
  void dispatch(std::int32_t entry);
  std::vector<BoundResource> resources();
  BufferRange range(const Binding& binding);
  std::uint64_t bits(const ShaderParameter& parameter, std::int32_t entry);
  std::int32_t slot(ValueId value);
  const std::shared_ptr<Buffer>& scratch(std::uint32_t index);
  void count_launches(std::int64_t trips);
  abi::Work work_of(OpId launch);
  void leave(std::int64_t trips);

  Machine& machine_;
  const Op& op_;
  const LoopShader& shader_;
  const Block& body_;
  double limit_ = 0;
  std::int64_t trips_ = 1;  ///< of a dispatch
  std::int32_t entry_ = control::always;
  std::unordered_map<ValueId, ScalarRef> slots_;  ///< of the body's scalars
  std::vector<MatrixUse> uses_;
  std::vector<std::shared_ptr<Buffer>> scratch_;
  std::shared_ptr<Buffer> state_;
};

bool is_inside(const Graph& graph, const Op& loop, ValueId value) {
  const lac::Value& found = graph.values[value];
  const BlockId body = loop.blocks[0];
  if (found.block) return found.block == body;
  const auto& ops = graph.blocks[body].ops;
  return std::find(ops.begin(), ops.end(), found.op) != ops.end();
}

void SmallLoop::run() {
  enter();
  control::State state;
  for (std::int32_t entry = entry_;; entry = control::unchanged) {
    machine_.begin_trip(op_.location);
    dispatch(entry);
    std::uint32_t words[4] = {};
    machine_.stream().read({state_}, std::as_writable_bytes(std::span(words)));
    state = std::bit_cast<control::State>(words);
    ++machine_.statistics().transfers().polls;
    machine_.trips().back() = state.trips;
    if (state.active == 0 || state.trips >= limit_) break;
    if (state.trips >= most_trips)
      machine_.stop(RunCode::error, "error: a loop of one dispatch counts " + std::to_string(most_trips) +
                                        " trips and no more: run with --loops=host");
  }
  leave(state.trips);
}

void SmallLoop::enter() {
  limit_ = machine_.number(op_.operands[0]);
  const auto turns = static_cast<double>(machine_.device().limits().turns);
  trips_ = std::clamp(static_cast<std::int64_t>(turns / turns_of_trip(machine_, shader_)), std::int64_t{1},
                      std::int64_t{loop_trips});
  const std::optional<double> condition = machine_.known(op_.operands[1]);
  if (!condition) entry_ = machine_.scalars().slot(*machine_.scalar(op_.operands[1]));
  else if (*condition == 0) entry_ = control::never;
  machine_.move_values(op_.operands, body_.arguments, 2, 1);
  machine_.trips().push_back(1);
  state_ = machine_.device().make_buffer(sizeof(control::State));
  make_carried_slots();
  make_values();
}

/// Slots of the loop's own: others may know the initial values by their names.
void SmallLoop::make_carried_slots() {
  Arena& arena = machine_.scalars();
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId argument = body_.arguments[i];
    const Type& type = machine_.plan().type(argument);
    if (!type.is_scalar()) continue;
    const ScalarRef initial = machine_.scalar(argument);
    ScalarRef carried = arena.make(type.element);
    const BufferRange from = arena.range(*initial), to = arena.range(*carried);
    machine_.stream().copy(from, to);
    slots_[argument] = std::move(carried);
  }
}

/// The matrices that the body makes, and everything on the device at once.
void SmallLoop::make_values() {
  const Graph& graph = machine_.plan();
  for (ValueId id : shader_.values) {
    const Type& type = graph.type(id);
    if (!is_inside(graph, op_, id)) {
      if (!type.is_scalar()) uses_.push_back({machine_.value(id).matrix, residency::Access::read, Form::buffer});
    } else if (type.is_scalar()) {
      if (!slots_.contains(id)) slots_[id] = machine_.scalars().make(type.element);
    } else {
      if (!machine_.has(id)) {
        const ResultType made = machine_.type_of(id);
        machine_.define(id, {{}, {}, machine_.matrices().make(made), made.rows, made.cols});
      }
      uses_.push_back({machine_.value(id).matrix, residency::Access::update, Form::buffer});
    }
  }
  machine_.matrices().prepare(uses_);
}

// -- one dispatch -----------------------------------------------------------------------------------------------------

void SmallLoop::dispatch(std::int32_t entry) {
  const ShaderStage& stage = shader_.stage;
  std::vector<std::byte> bytes(stage.parameter_bytes);
  for (const ShaderParameter& parameter : stage.parameters) {
    const std::uint64_t word = bits(parameter, entry);
    std::memcpy(bytes.data() + parameter.offset, &word, byte_size(parameter.type));
  }
  const std::vector<BoundResource> bound = resources();
  machine_.stream().dispatch({machine_.launcher().pipeline(stage, {}), bound, bytes}, {1, 1, 1});
}

std::vector<BoundResource> SmallLoop::resources() {
  std::vector<BoundResource> bound;
  for (const Binding& binding : shader_.stage.bindings)
    if (binding.kind != ResourceKind::parameters) bound.push_back({range(binding), nullptr});
  return bound;
}

BufferRange SmallLoop::range(const Binding& binding) {
  const auto matrix = [&] {
    return machine_.matrices().resources(*machine_.value(shader_.values[binding.index]).matrix);
  };
  switch (binding.kind) {
    case ResourceKind::values:
    case ResourceKind::row_pointers:
    case ResourceKind::columns: return matrix()[*array_of(binding.kind)].buffer;
    case ResourceKind::scalars: return machine_.scalars().range();
    case ResourceKind::control: return {state_};
    case ResourceKind::scratch: return {scratch(binding.index)};
    default: throw InternalError("a loop with a binding that loops do not have: " + binding.name);
  }
}

const std::shared_ptr<Buffer>& SmallLoop::scratch(std::uint32_t index) {
  scratch_.resize(shader_.scratch.size());
  const Scratch& wanted = shader_.scratch[index];
  const std::int64_t bytes = std::max<std::int64_t>(1, machine_.size_of(wanted.elements)) * wanted.element_bytes;
  if (!scratch_[index]) scratch_[index] = machine_.device().make_buffer(static_cast<std::uint64_t>(bytes + 3) / 4 * 4);
  return scratch_[index];
}

std::int32_t SmallLoop::slot(ValueId value) {
  const auto own = slots_.find(value);
  return machine_.scalars().slot(own != slots_.end() ? *own->second : *machine_.scalar(value));
}

std::uint64_t SmallLoop::bits(const ShaderParameter& parameter, std::int32_t entry) {
  const auto word = [](std::int64_t number) { return std::uint64_t{static_cast<std::uint32_t>(number)}; };
  double number = 0;
  switch (parameter.kind) {
    case ParameterKind::scalar_input: return word(slot(shader_.values[parameter.index]));
    case ParameterKind::control:
      if (parameter.index == 1) return word(entry);
      if (parameter.index == 2) return word(trips_);
      return word(static_cast<std::int64_t>(std::min<double>(limit_, most_trips)));
    case ParameterKind::size: number = static_cast<double>(machine_.size_of(parameter.size)); break;
    case ParameterKind::scalar: number = machine_.number(shader_.values[parameter.index]); break;
    default: throw InternalError("a loop with a parameter that loops do not have: " + parameter.name);
  }
  switch (parameter.type) {
    case ParameterType::int32: return word(static_cast<std::int64_t>(number));
    case ParameterType::float32: return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    default: return std::bit_cast<std::uint64_t>(number);
  }
}

// -- leaving ----------------------------------------------------------------------------------------------------------

void SmallLoop::count_launches(std::int64_t trips) {
  const Plan& plan = machine_.plan();
  StatisticsBook& statistics = machine_.statistics();
  for (OpId id : body_.ops) {
    if (plan.ops[id].kind != OpKind::launch || machine_.is_in_tail(id)) continue;
    const KernelId kernel = attribute<KernelId>(plan.ops[id]);
    std::vector<abi::Work> work = {work_of(id)};
    for (OpId one : plan.tail(id)) work.push_back(work_of(one));
    for (std::int64_t trip = 0; trip < trips; ++trip) {
      const KernelLabels labels =
          statistics.launched(machine_.shaders().kernels[kernel], kernel, machine_.locations(id));
      for (const abi::Work& each : work) statistics.add_work(labels, each);
    }
  }
}

/// None where the kernel names a number that the trip computes.
abi::Work SmallLoop::work_of(OpId launch) {
  const Plan& plan = machine_.plan();
  const Op& op = plan.ops[launch];
  const Kernel& kernel = plan.kernels[attribute<KernelId>(op)];
  const auto stored = [&](std::uint32_t input) { return machine_.value(op.operands[input]).matrix->stored(); };
  bool known = true;
  for_each_size(kernel, [&](const Size& size) {
    for_each_value_in(plan, size, [&](ValueId value) { known = known && machine_.has(value); });
  });
  return known ? launch_work(kernel, machine_.sizes(), stored) : abi::Work{};
}

void SmallLoop::leave(std::int64_t trips) {
  machine_.define(body_.arguments[0], {static_cast<double>(std::max<std::int64_t>(trips - 1, 0))});
  count_launches(trips);
  machine_.matrices().finish(uses_);
  uses_.clear();
  machine_.trips().pop_back();
  machine_.statistics().add_trips(op_.location, trips);
  for (std::size_t i = 1; i < body_.arguments.size(); ++i)
    if (const auto carried = slots_.find(body_.arguments[i]); carried != slots_.end())
      machine_.define(body_.arguments[i], {{}, carried->second});
  for (OpId id : body_.ops)
    for (ValueId value : machine_.plan().ops[id].results) machine_.define(value, {});
  machine_.define(op_.results[0], {static_cast<double>(trips)});
  machine_.move_values(body_.arguments, op_.results, 1, 1);
}

/// A loop's shader has no variant that reaches its buffers by address.
bool fits_bindings(Machine& machine, const Op& loop, const LoopShader& shader) {
  const std::uint64_t most = machine.device().limits().storage_buffer_range;
  const Graph& graph = machine.plan();
  const auto bytes = [&](ValueId id) -> std::uint64_t {
    const Type& type = graph.type(id);
    if (type.is_scalar()) return 0;
    if (!is_inside(graph, loop, id)) return machine.value(id).matrix->parts().total;
    return static_cast<std::uint64_t>(machine.size_of(type.count()) * device_bytes(type.element));
  };
  return machine.scalars().range().bytes() <= most &&
         std::ranges::all_of(shader.values, [&](ValueId id) { return bytes(id) <= most; });
}

}  // namespace

bool is_small(Machine& machine, const Op& loop, const LoopShader& shader) {
  const DeviceInfo& info = machine.device().info();
  if (shader.stage.float64 && !info.float64) return false;
  if (shader.stage.bindings.size() > info.limits.storage_buffers || !fits_bindings(machine, loop, shader)) return false;
  const Graph& graph = machine.plan();
  for (OpId id : graph.blocks[loop.blocks[0]].ops) {
    const Op& op = graph.ops[id];
    if (op.kind != OpKind::launch) continue;
    for (const ShaderStage& stage : machine.shaders().kernels[attribute<KernelId>(op)].stages)
      for (std::int64_t groups : group_counts(stage, machine.sizes()))
        if (groups != 1) return false;
  }
  return turns_of_trip(machine, shader) <= static_cast<double>(info.limits.turns);
}

void run_small_loop(Machine& machine, const Op& loop, const LoopShader& shader) {
  SmallLoop(machine, loop, shader).run();
}

}  // namespace lac::runtime::vulkan
