#include "runtime/vulkan/machine/machine.h"

#include <chrono>
#include <exception>
#include <iterator>
#include <new>
#include <optional>

#include "ir/support/result.h"
#include "runtime/interp/parameters.h"
#include "runtime/stop.h"
#include "runtime/thrown.h"
#include "runtime/trace.h"
#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/loop/region.h"
#include "runtime/vulkan/pack/branch.h"
#include "runtime/vulkan/pack/pack.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::int32_t submit_after = 32;  ///< launches: the device begins while the host records on

residency::Options residency_options(const VulkanRunOptions& vulkan, const Device& device) {
  return {vulkan.device_memory, device.options().mode == DeviceMode::evict_all};
}

RunCode code_of(DeviceErrorKind kind) {
  return kind == DeviceErrorKind::out_of_memory ? RunCode::out_of_memory : RunCode::error;
}

}  // namespace

const Machine::Handler Machine::handlers[] = {
    &Machine::parameter, &Machine::constant, &Machine::size,    &Machine::step,   &Machine::step,   &Machine::refuse,
    &Machine::refuse,    &Machine::step,     &Machine::convert, &Machine::map,    &Machine::refuse, &Machine::reshape,
    &Machine::refuse,    &Machine::index,    &Machine::refuse,  &Machine::refuse, &Machine::refuse, &Machine::refuse,
    &Machine::refuse,    &Machine::refuse,   &Machine::step,    &Machine::refuse, &Machine::step,   &Machine::condition,
    &Machine::condition, &Machine::step,     &Machine::step,    &Machine::step,   &Machine::loop,   &Machine::branch,
    &Machine::launch,    &Machine::copy,     &Machine::release,
};

constexpr int op_kind_count = 0
#define LAC_OP(kind, fewest, most, results, traits) +1
#include "ir/graph/ops.def"
#undef LAC_OP
    ;

Machine::Machine(const VulkanProgram& program, const std::vector<Tensor>& parameters, const RunOptions& options,
                 const VulkanRunOptions& vulkan, Device& device)
    : plan_(*program.plan),
      shaders_(*program.shaders),
      split_(program.split),
      native_(program.native),
      outer_(plan_),
      parameters_(parameters),
      options_(options),
      vulkan_(vulkan),
      device_(device),
      device_loops_(vulkan.device_loops && !options.check_nan),
      size_of_([this](const Size& size) { return size.evaluate([this](SymbolId id) { return symbol_value(id); }); }),
      stream_(device, options.statistics || options.trace != nullptr, options.trace),
      launcher_(device, program.by_address),
      matrices_(device, stream_, residency_options(vulkan, device)),
      scalars_(device, stream_),
      values_(plan_.values.size()),
      steps_{options_, result_},
      statistics_(plan_) {
  static_assert(std::size(handlers) == op_kind_count);
  if (vulkan.pack == nullptr) return;
  vulkan.pack->attach(launcher_, [this](const std::string& what) { refuse_in_pack(what); });
  stream_.set_taker(vulkan.pack);
}

RunResult Machine::run() {
  const auto start = std::chrono::steady_clock::now();
  const StopScope scope(options_);
  try {
    run_body();
    stream_.finish();  // what a run did not read fails in that run too
  } catch (Stop& stopped) {
    result_.status = std::move(stopped.status);
  } catch (const DeviceError& error) {
    result_.status = {code_of(error.kind), std::string("error: ") + error.what(), {}, location_, trips_};
  } catch (const std::exception& error) {
    result_.status = status_of(error);
    result_.status.location = location_;
    result_.status.trips = trips_;
  }
  const auto end = std::chrono::steady_clock::now();
  finish_statistics();
  result_.statistics.run_ms = std::chrono::duration<double, std::milli>(end - start).count();
  return std::move(result_);
}

void Machine::run_body() {
  if (const auto mismatch = interp::find_mismatch(plan_, parameters_)) stop(RunCode::error, "error: " + *mismatch);
  run_block(plan_.body);
}

void Machine::run_block(BlockId block) {
  for (OpId id : plan_.blocks[block].ops) run_op(id);
}

void Machine::run_op(OpId id) {
  const Op& op = plan_.ops[id];
  if (recorder_ == nullptr && op.kind == OpKind::launch) poll_interrupt(op.location);
  location_ = op.location;
  if (vulkan_.pack && is_left_to_pack(op)) return;
  (this->*handlers[static_cast<int>(op.kind)])(id, op);
  location_ = op.location;  // a region op has moved it
  if (options_.check_nan) check_nan(op);
}

void Machine::refuse(OpId, const Op& op) {
  throw InternalError("op '" + std::string(info(op.kind).name) + "' has no place in a plan");
}

void Machine::stop(RunCode code, std::string message, std::string id) {
  throw Stop{{code, std::move(message), std::move(id), location_, trips_}};
}

void Machine::poll_interrupt(LocationId loop) {
  location_ = loop;
  if (options_.place != nullptr) {
    options_.place->location.store(loop.index, std::memory_order_relaxed);
    if (trips_.empty()) options_.place->leave();
  }
  if (const RunCode code = stop_requested(options_); code != RunCode::ok) stop(code, stop_text(code));
}

void Machine::begin_trip(LocationId loop) {
  if (options_.place != nullptr && trips_.size() == 1) options_.place->enter(loop, trips_.back());
  poll_interrupt(loop);
}

// -- control ----------------------------------------------------------------------------------------------------------

void Machine::loop(OpId id, const Op& op) {
  std::optional<LoopSpan> traced;
  if (options_.trace != nullptr) traced.emplace(*options_.trace, op.location, trips_.empty());
  if (runs_natively(id, op)) return native_loop(id, op);
  HandedOver begun;
  if (device_loops_ && plan_.loop(id).on_device()) {
    const std::optional<HandedOver> rest = run_on_device(*this, id);
    if (!rest) return;
    begun = *rest;
  }
  const Block& body = plan_.blocks[op.blocks[0]];
  for (const ValueId goes_on : {op.operands[0], op.operands[1]}) refuse_host_loop_in_pack(id, goes_on);
  const double limit = number(op.operands[0]);
  bool condition = begun.trips > 0 || is_true(op.operands[1]);
  if (begun.trips == 0) move_values(op.operands, body.arguments, 2, 1);
  std::int64_t trip = begun.trips;
  trips_.push_back(0);
  for (; static_cast<double>(trip) < limit && condition; ++trip) {
    trips_.back() = trip + 1;
    if (traced) traced->trip(trip + 1);
    begin_trip(op.location);
    define(body.arguments[0], {static_cast<double>(trip)});
    run_block(op.blocks[0]);
    refuse_host_loop_in_pack(id, body.yields[0]);
    condition = is_true(body.yields[0]);
    move_values(body.yields, body.arguments, 1, 1);
  }
  trips_.pop_back();
  statistics_.add_trips(op.location, trip - begun.trips);
  define(op.results[0], {static_cast<double>(trip)});
  move_values(body.arguments, op.results, 1, 1);
}

void Machine::branch(OpId, const Op& op) {
  if (vulkan_.pack && !value(op.operands[0]).matrix && !known(op.operands[0]))
    return BranchInPack(*this, *vulkan_.pack, op).record();
  const BlockId taken = op.blocks[is_true(op.operands[0]) ? 0 : 1];
  run_block(taken);
  move_values(plan_.blocks[taken].yields, op.results, 0, 0);
}

// -- commands ---------------------------------------------------------------------------------------------------------

void Machine::record(const std::vector<BoundStage>& stages, const KernelLabels& labels) {
  if (recorder_) return recorder_->launch(stages, labels);
  for (const BoundStage& stage : stages)
    if (!stage.empty()) stream_.dispatch(stage.dispatch(labels.of(stage.stage->kind)), stage.groups);
  if (++unsubmitted_ < submit_after) return;
  unsubmitted_ = 0;
  stream_.submit();
}

void Machine::copy_bytes(const BufferRange& from, const BufferRange& to) {
  if (recorder_) recorder_->copy(from, to);
  else stream_.copy(from, to);
}

void Machine::finish_statistics() {
  TransferStatistics& transfers = statistics_.transfers();
  const residency::Counters& moved = matrices_.counters();
  const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
  transfers.uploads += number(moved.uploads);
  transfers.upload_bytes += number(moved.upload_bytes);
  transfers.downloads += number(moved.downloads);
  transfers.download_bytes += number(moved.download_bytes);
  transfers.scalar_readbacks += scalars_.readbacks() + matrices_.element_reads();
  transfers.waits += stream_.counters().waits;
  transfers.submits += stream_.counters().submits;
  transfers.dispatches += stream_.counters().dispatches;
  statistics_.memory() = {number(moved.resources_created), number(moved.pool_hits), moved.peak_bytes,
                          number(moved.evictions)};
  statistics_.add_times(stream_.take_times());
  if (options_.trace != nullptr) statistics_.name_spans(*options_.trace);
  result_.statistics = statistics_.take();
}

}  // namespace lac::runtime::vulkan
