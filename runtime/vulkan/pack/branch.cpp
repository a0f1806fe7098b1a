#include "runtime/vulkan/pack/branch.h"

#include <cstring>
#include <span>

#include "runtime/vulkan/machine/pins.h"
#include "runtime/vulkan/memory/elements.h"

namespace lac::runtime::vulkan {

namespace {

bool is_same_number(double one, double other) { return std::memcmp(&one, &other, sizeof one) == 0; }

}  // namespace

BranchInPack::BranchInPack(Machine& machine, PackRecorder& pack, const Op& op)
    : machine_(machine), pack_(pack), op_(op), outside_(values_from_outside(machine, op)) {}

// What an arm finds is on the device before either begins: what the one would bring there the other would not have.
void BranchInPack::record() {
  const Pins pins(machine_, op_);
  Arena& scalars = machine_.scalars();
  scalars.reserve(machine_.plan().values.size());  // an arena that moved in an arm would have moved for the other too
  for (const auto& [id, value] : outside_)
    if (value.scalar) static_cast<void>(scalars.slot(*value.scalar));
  const ScalarRef condition = machine_.scalar(op_.operands[0]);
  PackBranch branch{pack_.range(scalars.range(*condition)), condition->element(), {}, {}};

  const std::shared_ptr<Buffer> arena = scalars.range().buffer;
  const RandomState before = machine_.random();
  Arm chosen = run(0);
  for (const auto& [id, value] : outside_) machine_.define(id, value);
  machine_.random() = before;
  Arm other = run(1);
  machine_.set_location(op_.location);
  restore();
  if (scalars.range().buffer != arena) machine_.refuse_in_pack("an `if` with so many scalars");
  agree_on_random(chosen, other);
  const bool ends = !chosen.left && !other.left;
  if (ends && !pack_.in_arm()) machine_.refuse_in_pack("a branch whose arms both end with an error");
  if (ends) {
    const std::string what = chosen.error;
    add(std::move(branch), std::move(chosen), std::move(other));
    throw ArmEnds{what};
  }
  if (!chosen.left) chosen.left = other.left;
  if (!other.left) other.left = chosen.left;
  std::vector<Value> homes;
  for (std::size_t r = 0; r < op_.results.size(); ++r) homes.push_back(home_of(r, (*chosen.left)[r], (*other.left)[r]));
  if (chosen.error.empty()) bring_home(chosen, homes);
  if (other.error.empty()) bring_home(other, homes);
  add(std::move(branch), std::move(chosen), std::move(other));
  for (std::size_t r = 0; r < homes.size(); ++r) machine_.define(op_.results[r], std::move(homes[r]));
}

BranchInPack::Arm BranchInPack::run(std::size_t which) {
  const Plan& plan = machine_.plan();
  const std::vector<std::int64_t> trips = machine_.trips();
  Arm arm;
  pack_.open_list();
  pack_.enter_arm();
  try {
    machine_.run_block(op_.blocks[which]);
    machine_.move_values(plan.blocks[op_.blocks[which]].yields, op_.results, 0, 0);
    std::vector<Value>& left = arm.left.emplace();
    for (ValueId result : op_.results) left.push_back(machine_.value(result));
  } catch (const ArmEnds& end) {
    machine_.trips() = trips;
    arm.error = end.what.empty() ? "error" : end.what;
    pack_.add({PackFail{arm.error}});
  }
  arm.random = machine_.random();
  pack_.leave_arm();
  arm.commands = pack_.take_list();
  return arm;
}

void BranchInPack::add(PackBranch branch, Arm chosen, Arm other) {
  branch.chosen = std::move(chosen.commands);
  branch.others = std::move(other.commands);
  pack_.add({std::move(branch)});
}

/// What is drawn behind the branch may not depend on the arm; one that ends with an error has nothing behind it.
void BranchInPack::agree_on_random(const Arm& chosen, const Arm& other) {
  const bool same = chosen.random.seed == other.random.seed && chosen.random.draws == other.random.draws;
  if (!same && chosen.left && other.left)
    machine_.refuse_in_pack("random numbers of which an `if` draws more in one arm than in the other");
  machine_.random() = chosen.left ? chosen.random : other.random;
}

/// What was before the branch, without what the arms have consumed.
void BranchInPack::restore() {
  for (auto& [id, value] : outside_)
    if (machine_.has(id)) machine_.define(id, std::move(value));
  for (ValueId id : values_inside(machine_.plan(), op_)) machine_.define(id, {});
  outside_.clear();
}

Value BranchInPack::home_of(std::size_t result, const Value& one, const Value& other) {
  const Type& type = machine_.plan().type(op_.results[result]);
  if (!one.matrix) {
    if (one.open || other.open) return {.open = true};
    const std::optional<double> number = machine_.known_or_refuse(one), same = machine_.known_or_refuse(other);
    if (number && same && is_same_number(*number, *same)) return {number};
    if (one.scalar && one.scalar == other.scalar) return one;
    return {{}, machine_.scalars().make(type.element)};
  }
  if (one.rows != other.rows || one.cols != other.cols)
    machine_.refuse_in_pack("a matrix whose size an `if` chooses by what kernels compute");
  if (one.matrix == other.matrix) return one;
  if (!type.is_dense()) machine_.refuse_in_pack("a sparse matrix that an `if` chooses by what kernels compute");
  const ResultType made{type.element, Storage::dense, one.rows, one.cols, {}};
  return {{}, {}, machine_.matrices().make(made), one.rows, one.cols};
}

void BranchInPack::bring_home(Arm& arm, const std::vector<Value>& homes) {
  pack_.open_list();
  for (std::size_t r = 0; r < homes.size(); ++r) copy((*arm.left)[r], homes[r]);
  std::vector<PackCommand> copies = pack_.take_list();
  arm.commands.insert(arm.commands.end(), std::make_move_iterator(copies.begin()),
                      std::make_move_iterator(copies.end()));
}

void BranchInPack::copy(const Value& from, const Value& to) {
  if (to.scalar && to.scalar != from.scalar) {
    Arena& scalars = machine_.scalars();
    if (const std::optional<double> number = machine_.known_or_refuse(from)) {
      const std::uint64_t word = to_slot(*number, to.scalar->element());
      machine_.stream().upload(std::as_bytes(std::span(&word, 1)), scalars.range(*to.scalar));
    } else {
      machine_.stream().copy(scalars.range(*from.scalar), scalars.range(*to.scalar));
    }
  }
  if (!to.matrix || to.matrix == from.matrix) return;
  Matrices& matrices = machine_.matrices();
  const std::vector<MatrixUse> uses = {{from.matrix, residency::Access::read}, {to.matrix, residency::Access::write}};
  matrices.prepare(uses);
  BufferRange source = matrices.resources(*from.matrix).values().buffer;
  const BufferRange target = matrices.resources(*to.matrix).values().buffer;
  source.size = target.size;  // without the room that it has to grow
  if (to.matrix->stored() > 0) machine_.stream().copy(source, target);
  matrices.finish(uses);
}

}  // namespace lac::runtime::vulkan
