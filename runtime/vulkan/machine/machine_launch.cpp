// Launches: operands and results come to the device, the stages are recorded, nothing waits.
#include <algorithm>
#include <array>
#include <utility>

#include "ir/kernel/growth.h"
#include "ir/plan/work.h"
#include "ir/support/result.h"
#include "runtime/vulkan/machine/machine.h"
#include "runtime/vulkan/memory/elements.h"

namespace lac::runtime::vulkan {
namespace {

/// Whether the shaders look for scalar input `index` in the arena.
bool reads_slot(const KernelShaders& shaders, std::size_t index) {
  for (const ShaderStage& stage : shaders.stages)
    for (const ShaderParameter& parameter : stage.parameters)
      if (parameter.kind == ParameterKind::scalar_input && parameter.index == index) return true;
  return false;
}

/// Shorter sums are done before another stage has begun.
constexpr double turns_worth_sharing = 128;

/// Partial sums of more bytes cost more than they bring.
constexpr std::uint64_t most_shared_scratch = std::uint64_t{1} << 26;

/// Whether some sum is in two parts or more.
bool are_shared_out(const KernelShaders& shaders, const LaunchShape& shape) {
  for (std::size_t s = 0; s < shaders.stages.size(); ++s) {
    const std::array<std::uint32_t, 3> counts = {shape.groups[s].x, shape.groups[s].y, shape.groups[s].z};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (shaders.stages[s].groups[axis].filling > 0 && counts[axis] >= 2) return true;
  }
  return false;
}

/// Of the stage that has most.
std::int64_t most_groups(const LaunchShape& shape) {
  std::int64_t most = 0;
  for (const GroupCounts& groups : shape.groups)
    most = std::max(most, std::int64_t{groups.x} * groups.y * std::max(1u, groups.z));
  return most;
}

/// Of the matrix for one that grows in a loop: a quarter more, so that it moves a number of times that goes with the
/// logarithm of its size.
ResultType with_room(const ResultType& type) {
  const std::int64_t count = type.rows * type.cols;
  return {type.element, Storage::dense, 1, count + count / 4 + 16, {}};
}

}  // namespace

std::int64_t Machine::longest_row(ValueId id) const {
  const MatrixRef& matrix = value(id).matrix;
  return matrix ? matrix->longest_row() : 0;
}

/// These, or their variant that splits long sums: where an invocation would pass the device's limit of turns or, if
/// `shares`, too few of them would be at work. Nothing where both pass the limit.
const KernelShaders* Machine::fitting_shaders(OpId id, const KernelShaders& shaders, bool shares) {
  for (const auto& [size, most] : shaders.bounds)
    if (size_of_(size) > most) return nullptr;
  const Op& op = plan_.ops[id];
  const auto row = [&](std::uint32_t operand) { return longest_row(op.operands[operand]); };
  const auto shape_of = [&](const KernelShaders& some) { return launch_shape(some, size_of_, row, device_.limits()); };
  const auto fits = [&](const LaunchShape& shape) {
    return shape.turns <= static_cast<double>(device_.limits().turns);
  };
  const LaunchShape shape = shape_of(shaders);
  const KernelShaders* fitting = fits(shape) ? &shaders : nullptr;
  const bool idle =
      shares && shape.turns >= turns_worth_sharing && most_groups(shape) < device_.limits().filling_groups;
  if (fitting && !idle) return fitting;
  if (!shaders.splits || !split_) return fitting;
  const KernelShaders& split = split_(id);
  const LaunchShape shared = shape_of(split);
  if (!fits(shared)) return fitting;
  if (!fitting) return &split;
  return are_shared_out(split, shared) && scratch_bytes(split, shared, size_of_) <= most_shared_scratch ? &split
                                                                                                        : fitting;
}

/// What a launch that extends a matrix would do, without it: where nothing is added the matrix stays as it is, and
/// where its buffer has room behind the last element (a vector, whole columns) only the new ones are written. False:
/// neither.
bool Machine::grow(const Op& op) {
  const Value held = value(op.operands[0]);
  if (!held.matrix || held.matrix->form() != Form::buffer) return false;
  const ResultType type = type_of(op.results[0]);
  const std::int64_t before = held.rows * held.cols, count = type.rows * type.cols;
  const bool in_order = type.rows == held.rows || held.cols <= 1 || before == 0;
  if (!in_order || count > held.matrix->stored()) return false;
  if (count > before) {
    const std::vector<MatrixUse> uses = {{held.matrix, residency::Access::update}};
    matrices_.prepare(uses);
    BufferRange added = matrices_.resources(*held.matrix).values().buffer;
    const auto bytes = static_cast<std::uint64_t>(device_bytes(type.element));
    added.offset += static_cast<std::uint64_t>(before) * bytes;
    added.size = static_cast<std::uint64_t>(count - before) * bytes;
    if (recorder_) recorder_->clear(added);
    else stream_.fill(added, 0);
    matrices_.finish(uses);
  }
  Value grown = take(op.operands[0]);
  grown.rows = type.rows;
  grown.cols = type.cols;
  define(op.results[0], std::move(grown));
  return true;
}

void Machine::launch(OpId op_id, const Op& op) {
  if (in_tails_.contains(op_id)) return;  // done
  if (is_growth(plan_, op) && grow(op)) return;
  const KernelId id = attribute<KernelId>(op);
  const Kernel& kernel = plan_.kernels[id];
  // Rows of sparse matrices are shorter than their columns say, by which they would be cut.
  const bool shares = !kernel.contraction || kernel.contraction->storage != Storage::csr;
  const KernelShaders* fitting = fitting_shaders(op_id, shaders_.kernels[id], shares);
  const KernelShaders& shaders = fitting ? *fitting : shaders_.kernels[id];  // which is refused, by name
  const KernelLabels labels = statistics_.launched(shaders, id, locations(op_id));
  const auto stored = [&](std::uint32_t input) { return value(op.operands[input]).matrix->stored(); };
  statistics_.add_work(labels, launch_work(kernel, size_of_, stored));
  for (OpId one : plan_.tail(op_id))
    statistics_.add_work(labels, launch_work(plan_.kernels[attribute<KernelId>(plan_.ops[one])], size_of_, stored));
  launch_shaders(op_id, shaders, &kernel, labels);
}

const std::vector<LocationId>& Machine::locations(OpId launch) {
  const std::vector<LocationId>& own = plan_.kernels[attribute<KernelId>(plan_.ops[launch])].locations;
  if (plan_.tail(launch).empty()) return own;
  std::vector<LocationId>& all = locations_[launch];
  if (!all.empty()) return all;
  all = own;
  for (OpId id : plan_.tail(launch)) {
    const std::vector<LocationId>& more = plan_.kernels[attribute<KernelId>(plan_.ops[id])].locations;
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

/// Sizes and numbers come first: those that a kernel computes are waited for before anything is recorded, and before
/// the results have slots that such a look at the arena would take for their values.
void Machine::launch_shaders(OpId id, const KernelShaders& shaders, const Kernel* kernel, const KernelLabels& labels) {
  const Op& op = plan_.ops[id];
  const std::vector<ValueId> operands = operands_with_tail(plan_, id), defined = results_with_tail(plan_, id);
  std::vector<MatrixUse> uses;
  for (ValueId operand : op.operands)
    if (const Value& held = value(operand); held.matrix)
      uses.push_back({held.matrix, residency::Access::read, form_of(plan_.values[operand])});
  std::vector<bool> in_arena;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const bool here = n >= op.operands.size() && std::ranges::find(defined, operands[n]) != defined.end();
    in_arena.push_back(here || reads_slot(shaders, n));
    if (!in_arena[n] && !value(operands[n]).matrix) static_cast<void>(number(operands[n]));
  }
  std::vector<Value> results = prepared_results(op, kernel, uses);
  for (std::size_t r = results.size(); r < defined.size(); ++r)
    results.push_back({{}, scalars_.make(plan_.type(defined[r]).element)});

  std::vector<LaunchInput> inputs;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const auto made = n < op.operands.size() ? defined.end() : std::ranges::find(defined, operands[n]);
    inputs.push_back(
        made == defined.end()
            ? launch_input(operands[n], in_arena[n])
            : LaunchInput{.slot = scalars_.slot(*results[static_cast<std::size_t>(made - defined.begin())].scalar)});
  }
  std::vector<LaunchOutput> outputs;
  for (const Value& result : results) {
    if (result.matrix) outputs.push_back({matrices_.resources(*result.matrix).values()});
    else outputs.push_back({{}, scalars_.slot(*result.scalar)});
  }
  const LaunchNumbers numbers{size_of_, scalars_.range(), result_.random.seed, result_.random.draws};
  record(launcher_.bind(shaders, inputs, outputs, numbers), labels);
  if (op.kind == OpKind::random) result_.random.draws += static_cast<std::uint64_t>(results[0].rows * results[0].cols);
  matrices_.finish(uses);

  uses.clear();
  drop_taken_over(op);
  for (std::size_t r = 0; r < results.size(); ++r) define(defined[r], results[r]);
}

/// A vector that grows in a loop moves to a buffer with room for more, if there is the memory for that.
std::vector<Value> Machine::prepared_results(const Op& op, const Kernel* kernel, std::vector<MatrixUse>& uses) {
  const std::vector<MatrixUse> operands = uses;
  const auto prepared = [&](bool room) {
    uses = operands;
    std::vector<Value> results = launch_results(op, kernel, uses, room);
    matrices_.prepare(uses);
    return results;
  };
  if (!grows_on(op)) return prepared(false);
  try {
    return prepared(true);
  } catch (const DeviceError& error) {
    if (error.kind != DeviceErrorKind::out_of_memory) throw;
    return prepared(false);
  }
}

/// Whether the op extends a matrix in a loop to what only the run knows, so that it may again.
bool Machine::grows_on(const Op& op) const {
  if (trips_.empty() || !is_growth(plan_, op)) return false;
  bool varies = false;
  for_each_value_in(plan_, plan_.type(op.results[0]), [&](ValueId) { varies = true; });
  if (!varies) return false;
  const ResultType roomy = with_room(type_of(op.results[0]));
  return static_cast<std::uint64_t>(roomy.cols * device_bytes(roomy.element)) <= device_.limits().storage_buffer_range;
}

/// What the results will live in; what a result starts from is there already.
std::vector<Value> Machine::launch_results(const Op& op, const Kernel* kernel, std::vector<MatrixUse>& uses,
                                           bool room) {
  std::vector<Value> results;
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const std::int32_t base = kernel ? kernel->outputs[r].base : -1;
    if (plan_.type(op.results[r]).is_scalar()) {
      results.push_back(scalar_result(op, r, base));
      continue;
    }
    const ResultType type = type_of(op.results[r]);
    const bool grows = kernel && is_growth(plan_, op);  // to where there is no room
    const std::int32_t operand = grows ? -1 : taken_over(op, r);
    MatrixRef matrix = operand < 0 ? nullptr : value(op.operands[static_cast<std::size_t>(operand)]).matrix;
    const bool starts_from = matrix != nullptr;
    if (!matrix) matrix = matrices_.make(room ? with_room(type) : type, form_of(plan_.values[op.results[r]]));
    uses.push_back({matrix, starts_from ? residency::Access::update : residency::Access::write});
    results.push_back({{}, {}, std::move(matrix), type.rows, type.cols});
  }
  return results;
}

Value Machine::scalar_result(const Op& op, std::size_t result, std::int32_t base) {
  const Element element = plan_.type(op.results[result]).element;
  Value made{{}, scalars_.make(element)};
  if (base < 0) return made;
  const ValueId from = op.operands[static_cast<std::size_t>(base)];
  if (value(from).matrix) return made;
  const ScalarRef initial = scalar(from);  // a slot that it is given now may move the arena
  copy_bytes(scalars_.range(*initial), scalars_.range(*made.scalar));
  return made;
}

LaunchInput Machine::launch_input(ValueId id, bool in_arena) {
  const Value& operand = value(id);
  LaunchInput input;
  if (operand.matrix) {
    input.resources = matrices_.resources(*operand.matrix);
    input.longest_row = operand.matrix->longest_row();
  } else if (in_arena) {
    input.slot = scalars_.slot(*scalar(id));
  } else {
    input.scalar = number(id);
  }
  return input;
}

}  // namespace lac::runtime::vulkan
