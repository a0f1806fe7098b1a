#include "runtime/vulkan/loop/region_homes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lac::runtime::vulkan {

std::int32_t sites_of_ways_home(const Block& body) { return static_cast<std::int32_t>(3 * body.arguments.size()); }

// Scalars that the host knows when the loop is entered are nobody's to know from then on: they go to places of their
// own.
Homes::Homes(Machine& machine, const Op& loop, TripRecorder& trip_recorder, ChunkRecorder& recorder)
    : machine_(machine),
      loop_(loop),
      body_(machine.plan().blocks[loop.blocks[0]]),
      trip_recorder_(trip_recorder),
      recorder_(recorder) {
  Arena& scalars = machine_.scalars();
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId argument = body_.arguments[i];
    Value value = machine_.value(argument);
    if (value.scalar) {
      const ScalarRef home = scalars.make(value.scalar->element());
      const BufferRange from = scalars.range(*value.scalar);
      machine_.stream().copy(from, scalars.range(*home));
      value = {{}, home};
      machine_.define(argument, value);
    }
    homes_.push_back(std::move(value));
  }
  note(homes_);
}

void Homes::bring() {
  machine_.set_location(loop_.location);
  std::vector<Value> left;
  for (std::size_t i = 1; i < body_.yields.size(); ++i) left.push_back(machine_.value(body_.yields[i]));
  std::vector<ScalarCopy> copies;
  for (std::size_t i = 0; i < homes_.size(); ++i) {
    const Value &home = homes_[i], &value = left[i];
    if (home.matrix && (!value.matrix || value.rows != home.rows || value.cols != home.cols))
      machine_.refuse_in_pack("a matrix changes its size in a loop that the device ends");
    if (!home.scalar || value.scalar == home.scalar) continue;
    const std::optional<double> known = machine_.known_or_refuse(value);
    if (!known) static_cast<void>(machine_.scalars().slot(*value.scalar));
    copies.push_back({known ? nullptr : value.scalar, known.value_or(0), home.scalar});
  }
  trip_recorder_.merge_matrices(homes_, left);
  // Those that read a place which another one writes are the first, and together.
  const auto reads_home = [&](const ScalarCopy& copy) {
    return copy.from && std::ranges::find(homes_, copy.from, &Value::scalar) != homes_.end();
  };
  const auto others = std::ranges::stable_partition(copies, reads_home);
  if (others.begin() - copies.begin() > control::copy_capacity)
    machine_.refuse_in_pack("more than six scalars change places in every trip of a loop");
  recorder_.copy_scalars(copies);
  for (std::size_t i = 0; i < homes_.size(); ++i)
    if (homes_[i].matrix || homes_[i].scalar) machine_.define(body_.yields[i + 1], homes_[i]);
}

void Homes::forget(const std::unordered_set<ValueId>& inside, Cells& cells) {
  const std::unordered_set<ValueId> arguments(body_.arguments.begin(), body_.arguments.end());
  for (ValueId id : inside)
    if (!arguments.contains(id)) machine_.define(id, {});
  cells.sort_free();
}

void Homes::note(const std::vector<Value>& carried) {
  Numbers& numbers = numbers_.emplace_back();
  for (const Value& value : carried) numbers.push_back(value.number);
}

void Homes::count(const BufferRange& state) const {
  machine_.count_in_pack(loop_.results[0], {state, 0, 1});
  for (std::size_t i = 0; i < homes_.size(); ++i) {
    const std::optional<double> first = numbers_.front()[i];
    if (!first || homes_[i].matrix || homes_[i].scalar) continue;
    const double step = numbers_.size() > 1 ? numbers_[1][i].value_or(NAN) - *first : 0;
    bool linear = true;
    for (std::size_t trip = 0; trip < numbers_.size(); ++trip)
      linear = linear && numbers_[trip][i] == *first + static_cast<double>(trip) * step;
    if (!linear || step != 0) machine_.count_in_pack(loop_.results[i + 1], {state, *first, linear ? step : NAN});
  }
}

}  // namespace lac::runtime::vulkan
