#include "runtime/vulkan/loop/region.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "ir/kernel/growth.h"
#include "ir/support/result.h"
#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/loop/region_homes.h"
#include "runtime/vulkan/loop/region_inner.h"
#include "runtime/vulkan/loop/region_memory.h"
#include "runtime/vulkan/loop/region_size.h"
#include "runtime/vulkan/loop/region_small.h"
#include "runtime/vulkan/loop/region_trip.h"
#include "runtime/vulkan/machine/pins.h"
#include "runtime/vulkan/memory/elements.h"
#include "runtime/vulkan/pack/pack.h"

namespace lac::runtime::vulkan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t most_trips = 1024;        ///< of a chunk
constexpr std::int64_t pack_trips = 8;           ///< of a chunk in a shader pack
constexpr std::size_t chunks_ahead = 2;          ///< submitted and not polled
constexpr std::size_t counted_chunks_ahead = 8;  ///< where nothing is to be looked at

/// What a trip leaves: enough to go on from there if it was the last.
struct TripEnd {
  std::vector<Value> carried;  ///< matrices by their owners
  std::uint64_t random_counter = 0;
  std::map<LocationId, std::int64_t> inner_trips;  ///< of all trips up to this one
  StatisticsBook::Mark counts;
};

struct Chunk {
  std::unique_ptr<ChunkBuffers> buffers;
  Ticket ticket = 0;
  std::int64_t first_trip = 0;
  std::vector<TripEnd> ends;  ///< of its trips, in order
  std::vector<Entry> entries;
  std::vector<MatrixRef> held;
};

TripNeeds with_ways_home(TripNeeds needs, const Block& body) {
  needs.sites += sites_of_ways_home(body);
  return needs;
}

/// In a shader pack: a scalar that kernels make. The device looks at it in every trip.
bool is_open_in_pack(const Machine& machine, ValueId condition) {
  return machine.pack() && !machine.value(condition).matrix && !machine.known(condition);
}

/// Whether a branch of the loop hangs on such a scalar from outside.
bool has_open_branch(const Machine& machine, const Op& loop, const std::unordered_set<ValueId>& inside) {
  bool found = false;
  for_each_op(machine.plan(), loop.blocks[0], [&](OpId id) {
    const Op& op = machine.plan().ops[id];
    found |= op.kind == OpKind::branch && !inside.contains(op.operands[0]) && is_open_in_pack(machine, op.operands[0]);
  });
  return found;
}

class Region {
 public:
  Region(Machine& machine, OpId loop, TripNeeds needs, InnerLoops inner, std::unordered_set<ValueId> inside,
         LoopMemory& memory)
      : machine_(machine),
        op_(machine.plan().ops[loop]),
        body_(machine.plan().blocks[op_.blocks[0]]),
        inside_(std::move(inside)),
        needs_(machine.pack() ? with_ways_home(needs, body_) : needs),
        inner_(std::move(inner)),
        device_decides_(machine.plan().loop(loop).mode == LoopMode::chunked),
        trips_per_chunk_(std::clamp<std::int64_t>(most_sites / std::max(1, needs_.sites), 1,
                                                  machine.pack() ? pack_trips : most_trips)),
        memory_(memory),
        cells_(machine.matrices()),
        recorder_(machine, device_decides_, memory.state),
        trip_recorder_(machine, recorder_, cells_),
        lengths_(trips_per_chunk_, {device_decides_ ? memory.trips : 0, memory.seconds_per_trip, !device_decides_}) {}
  ~Region() { machine_.set_recorder(nullptr); }

  /// As run_on_device.
  std::optional<HandedOver> run();

 private:
  ChunkCapacity capacity() const;
  ChunkCapacity room_for(std::int64_t& trips);
  void enter();
  void read_outer_conditions();
  void record_chunk();
  bool record_trip(Chunk& chunk);
  TripEnd trip_end() const;
  void poll();
  void replay(const Chunk& chunk, const control::State& state);
  void replay_text(const Chunk& chunk, const Entry& entry);
  void enter_trips(const Entry& entry);
  void fail(const Entry& entry);
  void leave(const TripEnd& end);
  void finish();
  std::unique_ptr<ChunkBuffers> buffers();

  void run_into(PackRecorder& pack);
  std::vector<PackCommand> chunk_of(PackRecorder& pack);

  Machine& machine_;
  const Op& op_;
  const Block& body_;
  std::unordered_set<ValueId> inside_;
  TripNeeds needs_;
  InnerLoops inner_;
  bool device_decides_;
  std::int64_t trips_per_chunk_;
  LoopMemory& memory_;
  Cells cells_;
  ChunkRecorder recorder_;
  TripRecorder trip_recorder_;
  ChunkLengths lengths_;

  double limit_ = 0;
  std::int32_t entry_ = control::always;
  std::deque<Chunk> pending_;
  TripEnd end_;                 ///< of the last trip that is known to have run
  std::optional<Homes> homes_;  ///< of a pack
  std::int64_t recorded_ = 0;   ///< trips
  std::int64_t trips_ = 0;      ///< known to have run
  bool over_ = false;           ///< no trip will be recorded any more
  bool ended_ = false;          ///< the device ended the loop
  bool outgrown_ = false;       ///< the next trip has no room in a chunk: the host goes on
  Clock::time_point last_poll_ = Clock::now();
};

ChunkCapacity Region::capacity() const {
  if (!inner_.all.empty()) return {most_sites, most_sites, most_sites};
  const auto trips = static_cast<std::int32_t>(trips_per_chunk_);
  return {needs_.sites * trips, needs_.log_slots * trips, needs_.branches * trips};
}

/// Of the next chunk, of at most so many trips: fewer where they have no room in one, none where the next alone has
/// not.
ChunkCapacity Region::room_for(std::int64_t& trips) {
  ChunkCapacity room;
  if (inner_.all.empty()) {
    const auto times = static_cast<std::int32_t>(trips);
    return {needs_.sites * times, needs_.log_slots * times, needs_.branches * times};
  }
  trips = static_cast<std::int64_t>(std::min(static_cast<double>(trips), limit_ - static_cast<double>(recorded_)));
  const ChunkCapacity most = capacity();
  Foresight foresight(machine_, body_, inner_);
  for (std::int64_t n = 0; n < trips; ++n) {
    if (n > 0 && inner_.are_foreseen) foresight.go_on();
    foresight.look_at(recorded_ + n);
    const std::optional<ChunkCapacity> trip = room_for_trip(machine_, needs_, inner_);
    if (!trip || (n > 0 && !inner_.are_foreseen) || !room.add(*trip, most)) {
      trips = n;
      break;
    }
  }
  return room;
}

// -- recording --------------------------------------------------------------------------------------------------------

std::optional<HandedOver> Region::run() {
  if (machine_.pack() && device_decides_) {
    run_into(*machine_.pack());
    return std::nullopt;
  }
  enter();
  const std::size_t ahead = device_decides_ || needs_.log_slots > 0 ? chunks_ahead : counted_chunks_ahead;
  while (!ended_ && !(over_ && pending_.empty())) {
    if (!over_ && pending_.size() < ahead && (pending_.empty() || lengths_.goes_ahead())) record_chunk();
    else poll();
  }
  leave(end_);
  if (outgrown_ && !ended_) return HandedOver{trips_};
  finish();
  return std::nullopt;
}

/// The loop's results are what the body's arguments hold.
void Region::finish() {
  machine_.define(op_.results[0], {static_cast<double>(trips_)});
  machine_.move_values(body_.arguments, op_.results, 1, 1);
}

/// What the loop consumes changes hands; scalars that its kernels look for in the arena are put there before any trip
/// could see them otherwise.
void Region::enter() {
  limit_ = machine_.number(op_.operands[0]);
  read_outer_conditions();
  const std::optional<double> condition = machine_.known(op_.operands[1]);  // asked last: a readback brings all scalars
  if (!condition) entry_ = machine_.scalars().slot(*machine_.scalar(op_.operands[1]));
  over_ = condition && *condition == 0;
  machine_.move_values(op_.operands, body_.arguments, 2, 1);
  machine_.set_recorder(&recorder_);
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    const ValueId argument = body_.arguments[i];
    Value value = machine_.value(argument);
    if (value.matrix && value.matrix->type().storage == Storage::dense) {
      value.matrix = cells_.adopt(std::move(value.matrix));
      machine_.define(argument, std::move(value));
    } else if (!value.matrix && machine_.plan().places[argument] == Place::device) {
      static_cast<void>(machine_.scalar(argument));
    }
  }
  end_ = trip_end();
  machine_.trips().push_back(0);
}

/// What was decided before the loop is known while recording (passes/plan/decisions.h), wherever it was computed.
void Region::read_outer_conditions() {
  const Graph& graph = machine_.plan();
  for_each_op(graph, op_.blocks[0], [&](OpId id) {
    const Op& op = graph.ops[id];
    if (op.kind != OpKind::branch || inside_.contains(op.operands[0])) return;
    if (!is_open_in_pack(machine_, op.operands[0])) return static_cast<void>(machine_.is_true(op.operands[0]));
    for (ValueId result : op.results)
      if (!graph.type(result).is_dense())
        machine_.refuse_in_pack("a sparse matrix that an `if` chooses by what kernels compute");
    static_cast<void>(machine_.scalar(op.operands[0]));
  });
}

void Region::record_chunk() {
  machine_.trips().back() = trips_ + 1;
  machine_.begin_trip(op_.location);
  std::int64_t length = machine_.pack() ? trips_per_chunk_ : lengths_.next();
  const ChunkCapacity room = room_for(length);
  if (!inner_.all.empty() && !machine_.pack()) lengths_.shorten(length);
  if (length == 0) {
    if (machine_.pack()) machine_.refuse_in_pack("a loop inside of a loop that makes more and more trips");
    over_ = outgrown_ = true;
    return;
  }
  Chunk& chunk = pending_.emplace_back();
  chunk.buffers = buffers();
  chunk.first_trip = recorded_;
  recorder_.begin(*chunk.buffers, recorded_ == 0 ? entry_ : control::unchanged, room);
  for (std::int64_t left = length; left > 0 && !over_; --left) over_ = !record_trip(chunk);
  chunk.held = cells_.take_held();
  chunk.ticket = recorder_.end();
}

/// False when no trip can follow.
bool Region::record_trip(Chunk& chunk) {
  machine_.define(body_.arguments[0], {static_cast<double>(recorded_)});
  if (!trip_recorder_.record(op_.blocks[0], recorded_, chunk.entries)) return false;
  const ValueId condition = body_.yields[0];
  const std::optional<double> known = machine_.known(condition);
  const bool goes_on = !known || *known != 0;
  if (homes_) homes_->bring();
  recorder_.close_trip(!goes_on ? control::never
                       : known  ? control::always
                                : machine_.scalars().slot(*machine_.scalar(condition)));
  machine_.move_values(body_.yields, body_.arguments, 1, 1);
  if (homes_) homes_->forget(inside_, cells_);
  chunk.ends.push_back(trip_end());
  ++recorded_;
  return goes_on && static_cast<double>(recorded_) < limit_;
}

TripEnd Region::trip_end() const {
  TripEnd end{{}, machine_.random_counter(), trip_recorder_.inner_trips(), machine_.statistics().mark()};
  for (std::size_t i = 1; i < body_.arguments.size(); ++i) {
    Value value = machine_.value(body_.arguments[i]);
    if (value.matrix) value.matrix = cells_.owner(value.matrix);
    end.carried.push_back(std::move(value));
  }
  return end;
}

std::unique_ptr<ChunkBuffers> Region::buffers() {
  if (memory_.free.empty()) return std::make_unique<ChunkBuffers>(machine_.device(), capacity());
  std::unique_ptr<ChunkBuffers> buffers = std::move(memory_.free.back());
  memory_.free.pop_back();
  return buffers;
}

// -- looking at what ran ----------------------------------------------------------------------------------------------

void Region::poll() {
  Chunk chunk = std::move(pending_.front());
  pending_.pop_front();
  machine_.stream().completed();  // what is done already costs no wait
  machine_.stream().wait(chunk.ticket);
  ++machine_.statistics().transfers().polls;

  const auto recorded = static_cast<std::int64_t>(chunk.ends.size());
  control::State state{1, static_cast<std::uint32_t>(chunk.first_trip + recorded), 0, 0};
  if (device_decides_) state = ChunkRecorder::state_of(*chunk.buffers);
  const std::int64_t ran = state.trips - chunk.first_trip;
  const Clock::time_point now = Clock::now();
  lengths_.ran(ran, std::chrono::duration<double>(now - last_poll_).count());
  last_poll_ = now;

  replay(chunk, state);
  if (ran > 0) end_ = std::move(chunk.ends[static_cast<std::size_t>(ran - 1)]);
  trips_ = state.trips;
  ended_ = state.active == 0;
  memory_.free.push_back(std::move(chunk.buffers));
}

/// In the order of the program, as far as it ran.
void Region::replay(const Chunk& chunk, const control::State& state) {
  for (const Entry& entry : chunk.entries) {
    if (entry.number == 0) replay_text(chunk, entry);
    else if (static_cast<std::uint32_t>(entry.number) == state.failed || !device_decides_) fail(entry);
  }
}

void Region::replay_text(const Chunk& chunk, const Entry& entry) {
  const std::uint64_t mark = ChunkRecorder::log_of(*chunk.buffers, entry.mark);
  if (mark == 0 && device_decides_) return;
  const Op& op = machine_.plan().ops[entry.op];
  std::vector<std::pair<ValueId, Value>> later;  // recording is ahead of what is shown
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const ValueId id = op.operands[i];
    const Entry::Operand& operand = entry.operands[i];
    if (machine_.has(id)) later.emplace_back(id, machine_.value(id));
    const std::uint64_t bits = operand.slot < 0 ? 0 : ChunkRecorder::log_of(*chunk.buffers, operand.slot);
    machine_.define(id, operand.slot < 0 ? operand.value : Value{{from_slot(bits, operand.element)}});
  }
  enter_trips(entry);
  machine_.run_op(entry.op);
  machine_.trips().resize(machine_.trips().size() - entry.inner.size());
  while (!later.empty()) {  // backwards, as an operand may occur twice
    machine_.define(later.back().first, std::move(later.back().second));
    later.pop_back();
  }
}

void Region::enter_trips(const Entry& entry) {
  machine_.trips().back() = entry.trip + 1;
  machine_.trips().insert(machine_.trips().end(), entry.inner.begin(), entry.inner.end());
}

/// Stops the run with the check's message.
void Region::fail(const Entry& entry) {
  const Op& op = machine_.plan().ops[entry.op];
  machine_.set_recorder(nullptr);
  for (std::size_t i = 0; i < op.operands.size(); ++i) machine_.define(op.operands[i], entry.operands[i].value);
  machine_.define(op.operands[0], {0.0});
  enter_trips(entry);
  machine_.run_op(entry.op);
  throw InternalError("a check that failed on the device holds on the host");
}

// -- in a shader pack -------------------------------------------------------------------------------------------------
//
// One list of commands has to do for every chunk but the first (region_homes.h).

void Region::run_into(PackRecorder& pack) {
  enter();
  homes_.emplace(machine_, op_, trip_recorder_, recorder_);
  machine_.set_location(op_.location);
  const std::uint64_t draws = machine_.random_counter();
  const auto add = [&](std::vector<PackCommand> commands) {
    for (PackCommand& command : commands) pack.add(std::move(command));
  };
  add(chunk_of(pack));
  if (machine_.random_counter() != draws) machine_.refuse_in_pack("random numbers in a loop that the device ends");
  if (!std::isfinite(limit_) && !over_) {
    std::vector<PackCommand> body = chunk_of(pack);
    if (over_ || body != chunk_of(pack))
      machine_.refuse_in_pack(
          "what a trip of this loop does depends on its number, and how many there are on the data");
    pack.add(std::move(body.front()));  // the counts of its dispatches, which stay as they are
    body.erase(body.begin());
    pack.add({PackLoop{pack.range({memory_.state}), std::move(body)}});
  }
  while (!over_ && std::isfinite(limit_)) add(chunk_of(pack));
  leave(end_);
  finish();
  homes_->count({memory_.state});
}

/// The commands of the next chunk, behind what sets the counts of its dispatches.
std::vector<PackCommand> Region::chunk_of(PackRecorder& pack) {
  pack.open_list();
  record_chunk();
  std::vector<PackCommand> commands = pack.take_list();
  commands.pop_back();  // the copy of the state for the host's poll
  Chunk chunk = std::move(pending_.front());
  pending_.pop_front();
  machine_.stream().wait(chunk.ticket);
  const Buffer& base = *chunk.buffers->base;
  commands.insert(commands.begin(),
                  {PackUpload{pack.range({chunk.buffers->base}), {base.mapped(), base.mapped() + base.size()}}});
  for (TripEnd& end : chunk.ends) {
    homes_->note(end.carried);
    end_ = std::move(end);
  }
  memory_.free.push_back(std::move(chunk.buffers));
  return commands;
}

// -- leaving ----------------------------------------------------------------------------------------------------------

void Region::leave(const TripEnd& end) {
  machine_.set_recorder(nullptr);
  for (ValueId id : inside_) machine_.define(id, {});
  pending_.clear();  // with their buffers, which the device may still read
  memory_.trips = trips_;
  memory_.seconds_per_trip = lengths_.seconds_per_trip();
  machine_.random_counter() = end.random_counter;
  machine_.statistics().rewind(end.counts);
  machine_.trips().pop_back();
  machine_.statistics().add_trips(op_.location, trips_);
  for (const auto& [location, trips] : end.inner_trips) machine_.statistics().add_trips(location, trips);
  for (std::size_t i = 0; i < end.carried.size(); ++i) machine_.define(body_.arguments[i + 1], end.carried[i]);
  end_ = {};
  cells_.close();
}

/// Whether the loop's matrices fit beside those from outside, each value counted for itself where nothing says that it
/// takes over a buffer. What grows moves from buffer to buffer, to sizes that only the trips know: where memory is
/// limited the host drives it, who gives up each before the next.
bool fits(Machine& machine, const Op& loop, std::int64_t pinned) {
  if (machine.device_memory() == 0) return true;
  const Graph& graph = machine.plan();
  std::int64_t bytes = pinned;
  bool grows = false;
  for_each_op(graph, loop.blocks[0], [&](OpId id) {
    const Op& op = graph.ops[id];
    grows |= is_growth(graph, op);
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const Type& type = graph.type(op.results[r]);
      if (type.is_scalar() || !type.is_dense() || taken_over(op, r) >= 0) continue;
      bool known = true;
      for_each_value_in(graph, type, [&](ValueId size) { known = known && machine.has(size); });
      if (known) bytes += machine.size_of(type.count()) * device_bytes(type.element);
    }
  });
  return !grows && bytes <= machine.device_memory();
}

}  // namespace

std::optional<HandedOver> run_on_device(Machine& machine, OpId id) {
  constexpr HandedOver whole;
  const Op& op = machine.plan().ops[id];
  const std::optional<double> condition = machine.known(op.operands[1]);
  if ((condition && *condition == 0) || machine.number(op.operands[0]) < 1) return whole;
  std::unordered_set<ValueId> inside = values_inside(machine.plan(), op);
  std::optional<Pins> pins;
  try {
    pins.emplace(machine, op);
  } catch (const DeviceError& error) {
    // The policy's refusal has changed nothing. Without a budget it is the device that refused.
    if (error.kind == DeviceErrorKind::out_of_memory && machine.device_memory() > 0) return whole;
    throw;
  }
  if (!fits(machine, op, pins->bytes())) return whole;
  bool on_device = true;  // all steps, at the sizes at hand
  for_each_op(machine.plan(), op.blocks[0], [&](OpId step) { on_device = on_device && machine.fits_device(step); });
  if (!on_device) return whole;
  const auto small = machine.shaders().loops.find(id);
  if (machine.pack() == nullptr && small != machine.shaders().loops.end() && is_small(machine, op, small->second)) {
    run_small_loop(machine, op, small->second);
    return std::nullopt;
  }
  // Where no trip waits for the device, the arms are those of branches outside of loops.
  if (machine.plan().loop(id).mode != LoopMode::chunked && has_open_branch(machine, op, inside)) return whole;
  std::optional<InnerLoops> inner = inner_loops(machine.plan(), id, machine.shaders());
  const TripNeeds needs = trip_needs(machine.plan(), id, machine.shaders());
  if (!inner || !are_short(machine, op, needs, *inner)) return whole;
  std::shared_ptr<LoopMemory>& memory = machine.loop_memory(id);
  if (!memory) memory = std::make_shared<LoopMemory>();
  if (!memory->state) memory->state = machine.device().make_buffer(sizeof(control::State));
  return Region(machine, id, needs, std::move(*inner), std::move(inside), *memory).run();
}

}  // namespace lac::runtime::vulkan
