// Memory, launches, loops and scalar functions.
#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "ir/plan/walk.h"
#include "ir/scalar/scalar_op.h"
#include "ir/types/extent.h"
#include "runtime/cpu/abi_functions.h"
#include "runtime/cpu/bounds.h"
#include "runtime/cpu/context.h"
#include "runtime/cpu/finite.h"
#include "runtime/cpu/guard.h"
#include "runtime/cpu/tiers.h"
#include "runtime/steps/step_work.h"
#include "runtime/stop.h"
#include "runtime/trace.h"

using lac::LocationId;
using lac::abi::Argument;
using lac::abi::Buffer;
using lac::abi::Context;
using lac::abi::KernelCode;
using lac::abi::Work;
using lac::runtime::Counters;
using lac::runtime::guarded;
using lac::runtime::PoolBuffer;
using lac::runtime::RunCode;
using lac::runtime::stop_requested;
using lac::runtime::StripKernel;
using lac::runtime::TraceKind;
using lac::runtime::TraceName;

std::int32_t Context::fail(RunCode code, std::string message, LocationId location, std::string id) {
  result.status = {code, std::move(message), std::move(id), location, trips};
  return static_cast<std::int32_t>(code);
}

std::int32_t Context::poll(LocationId location) {
  if (options.place != nullptr) options.place->location.store(location.index, std::memory_order_relaxed);
  const RunCode code = stop_requested(options);
  return code == RunCode::ok ? lac::abi::ok : stop(code, location);
}

std::int32_t Context::stop(RunCode code, LocationId location) {
  return fail(code, lac::runtime::stop_text(code), location);
}

namespace {

using Main = std::function<void(std::int64_t first, std::int64_t last)>;

Work share(const Work& work, std::int64_t part, std::int64_t of) {
  const auto cut = [&](std::int64_t count) { return count / of * part; };
  return {cut(work.matrix_read), cut(work.vector_read), cut(work.matrix_written), cut(work.vector_written),
          cut(work.flops)};
}

/// Blocks with the seams inside of each call, then those where calls meet (ir/plan/walk.h).
RunCode run_parts(lac::runtime::Launcher& launcher, const Main& main, std::int64_t parts, bool has_seams,
                  const Work& work) {
  if (!has_seams) return launcher.run(main, {0, parts}, work);
  const lac::PartCount halves = lac::PartCount::of(parts);
  const std::int64_t blocks = halves.blocks;
  const bool is_far = halves.is_far;
  std::mutex mutex;
  std::vector<std::int64_t> seams;
  const auto noting = [&](std::int64_t first, std::int64_t last) {
    main(first, last);
    if (first == 0 || is_far) return;
    const std::lock_guard lock(mutex);
    seams.push_back(blocks + first - 1);
  };
  const RunCode heard = launcher.run(std::ref(noting), {0, blocks}, work);
  if (heard != RunCode::ok) return heard;
  if (is_far) return launcher.run(main, {blocks, parts}, work);
  if (seams.empty()) return RunCode::ok;
  const auto count = static_cast<std::int64_t>(seams.size());
  const auto of_seams = [&](std::int64_t first, std::int64_t last) {
    for (; first < last; ++first)
      main(seams[static_cast<std::size_t>(first)], seams[static_cast<std::size_t>(first)] + 1);
  };
  return launcher.run(std::ref(of_seams), {0, count}, share(work, count, 2 * blocks));  // at most half a block each
}

/// Reading the clock twice takes as long as a launch of few elements: of those that follow the first ones, one in
/// sixteen stands for all.
std::int64_t launches_timed_as_one(const Work& work, std::int64_t launch) {
  constexpr std::int64_t small_work = 1 << 15, first_ones = 64;
  return launch > first_ones && lac::runtime::moved_bytes(work) + work.flops < small_work ? 16 : 1;
}

LocationId location_id(std::int32_t location) { return {static_cast<std::uint32_t>(location)}; }

// Null with the status set where the extents or the memory do not suffice.
PoolBuffer* acquire(Context* run, std::int32_t location, std::int64_t rows, std::int64_t cols, std::int64_t bytes) {
  PoolBuffer* buffer = nullptr;
  guarded(run, location_id(location), [&] {
    buffer = run->pool.acquire(static_cast<std::size_t>(lac::runtime::element_count(rows, cols) * bytes));
    if (buffer == nullptr) throw std::bad_alloc();
    if (run->checks_bounds) lac::runtime::fill_unwritten(*buffer);
    return 0;
  });
  return buffer;
}

// For a matrix that has outgrown its memory and may grow on: twice that, where there is so much.
PoolBuffer* acquire_to_grow(Context* run, std::int32_t location, const PoolBuffer& outgrown, std::int64_t rows,
                            std::int64_t cols, std::int64_t bytes) {
  const std::optional<std::int64_t> wanted = lac::checked_count(rows, cols);
  const auto room = static_cast<std::int64_t>(2 * outgrown.capacity);
  if (!wanted || *wanted >= room / bytes || run->checks_bounds) return acquire(run, location, rows, cols, bytes);
  PoolBuffer* buffer = run->pool.acquire(static_cast<std::size_t>(room));
  return buffer != nullptr ? buffer : acquire(run, location, rows, cols, bytes);
}

void add(Work& sum, const Work& work) {
  sum.matrix_read += work.matrix_read;
  sum.vector_read += work.vector_read;
  sum.matrix_written += work.matrix_written;
  sum.vector_written += work.vector_written;
  sum.flops += work.flops;
}

LocationId first_location(const lac::KernelEntry& kernel) {
  return kernel.locations.empty() ? LocationId{} : kernel.locations.front();
}

auto copy_at(std::int32_t location) {
  return [location] { return TraceName{{}, "copy", location_id(location)}; };
}

/// Puts the slices of matrices in their slots, of those that have any, where compiled code takes them.
std::int32_t offer_slices(Context* run, const lac::KernelEntry& entry, std::uint64_t* slots, bool is_compiled) {
  for (const std::uint32_t slot : entry.slices) {
    auto* matrix = static_cast<PoolBuffer*>(reinterpret_cast<Buffer*>(slots[slot]));
    const lac::abi::Slices* slices = nullptr;
    if (matrix != nullptr && is_compiled) {
      const bool had = matrix->slices.has_value();
      const lac::runtime::HostSpan span(run->options.trace);
      const RunCode heard = run->pool.slices_of(matrix, run->launcher, slices);
      if (heard != RunCode::ok) return run->stop(heard, first_location(entry));
      if (slices != nullptr && !had)
        span.end(TraceKind::copy, copy_at(static_cast<std::int32_t>(first_location(entry).index)),
                 static_cast<std::int64_t>(matrix->slices->bytes()));
    }
    slots[slot] = reinterpret_cast<std::uint64_t>(slices);
  }
  return lac::abi::ok;
}

void count_copy(Context* run, std::int32_t location, std::int64_t rows, std::int64_t cols, std::int64_t bytes) {
  const std::uint32_t loop = run->loops.empty() ? 0 : 1 + run->loops.back();
  Counters& counters = run->copies[{static_cast<std::uint32_t>(location), loop}];
  ++counters.launches;
  const bool vector = rows == 1 || cols == 1;
  (vector ? counters.work.vector_read : counters.work.matrix_read) += rows * cols * bytes;
  (vector ? counters.work.vector_written : counters.work.matrix_written) += rows * cols * bytes;
}

}  // namespace

const Argument* lac_arguments(Context* run) { return run->arguments.data(); }

Buffer* lac_acquire(Context* run, std::int32_t location, std::int64_t rows, std::int64_t cols, std::int64_t bytes) {
  return acquire(run, location, rows, cols, bytes);
}

Buffer* lac_copy(Context* run, std::int32_t location, const Buffer* source, std::int64_t rows, std::int64_t cols,
                 std::int64_t bytes) {
  const PoolBuffer* original = static_cast<const PoolBuffer*>(source);
  if (original->tensor && !original->tensor->is_dense()) return run->pool.borrow(*original->tensor);
  if (run->checks_bounds && !lac::runtime::holds(run, location, *original, rows, cols, bytes)) return nullptr;
  PoolBuffer* copy = acquire(run, location, rows, cols, bytes);
  if (copy == nullptr || rows <= 0 || cols <= 0) return copy;
  const lac::runtime::HostSpan span(run->options.trace);
  std::memcpy(copy->values, original->values, static_cast<std::size_t>(rows * cols * bytes));
  span.end(TraceKind::copy, copy_at(location), 2 * rows * cols * bytes);
  count_copy(run, location, rows, cols, bytes);
  return copy;
}

Buffer* lac_grow(Context* run, std::int32_t location, Buffer* source, std::int64_t held_rows, std::int64_t held_cols,
                 std::int64_t rows, std::int64_t cols, std::int64_t bytes) {
  PoolBuffer* buffer = static_cast<PoolBuffer*>(source);
  if (run->checks_bounds && !lac::runtime::holds(run, location, *buffer, held_rows, held_cols, bytes)) return nullptr;
  if (rows < held_rows || cols < held_cols) {  // what comes first in the memory
    buffer->bytes = static_cast<std::size_t>(rows * cols * bytes);
    return buffer;
  }
  const std::int64_t held = held_rows * held_cols;  // a matrix that exists
  const lac::runtime::HostSpan span(run->options.trace);
  const std::optional<std::int64_t> wanted = lac::checked_count(rows, cols);
  if (!wanted || *wanted * bytes > static_cast<std::int64_t>(buffer->capacity)) {
    buffer = acquire_to_grow(run, location, *buffer, rows, cols, bytes);
    if (buffer == nullptr) return nullptr;
    if (held > 0) std::memcpy(buffer->values, source->values, static_cast<std::size_t>(held * bytes));
    if (held > 0) count_copy(run, location, held_rows, held_cols, bytes);
    if (held > 0) span.end(TraceKind::copy, copy_at(location), 2 * held * bytes);
    run->pool.release(static_cast<PoolBuffer*>(source));
  }
  buffer->bytes = static_cast<std::size_t>(rows * cols * bytes);
  auto* values = static_cast<std::byte*>(buffer->values);
  const auto clear = [&](std::int64_t first, std::int64_t last) {
    if (last > first) std::memset(values + first * bytes, 0, static_cast<std::size_t>((last - first) * bytes));
  };
  // Columns that get longer move apart, the last one first: none lands on one that has yet to move.
  const bool moves = rows != held_rows && held_cols > 1 && held > 0;
  const lac::runtime::HostSpan spread(run->options.trace);
  if (moves) count_copy(run, location, held_rows, held_cols - 1, bytes);
  for (std::int64_t j = held_cols; rows != held_rows && j-- > 0;) {
    if (j > 0 && held_rows > 0)
      std::memmove(values + j * rows * bytes, values + j * held_rows * bytes,
                   static_cast<std::size_t>(held_rows * bytes));
    clear(j * rows + held_rows, (j + 1) * rows);
  }
  if (moves) spread.end(TraceKind::copy, copy_at(location), 2 * held_rows * (held_cols - 1) * bytes);
  clear(held_cols * rows, rows * cols);
  return buffer;
}

void lac_release(Context* run, Buffer* buffer) { run->pool.release(static_cast<PoolBuffer*>(buffer)); }

std::int32_t lac_launch(Context* run, std::int32_t kernel, std::uint64_t* slots, const Work* work) {
  const lac::KernelEntry& entry = run->manifest.kernels[static_cast<std::size_t>(kernel)];
  const auto number = static_cast<std::uint32_t>(kernel);
  Counters& counters = run->kernels[static_cast<std::size_t>(kernel)];
  ++counters.launches;
  add(counters.work, *work);
  const LocationId location = first_location(entry);
  if (const std::int32_t stopped = run->poll(location); stopped != lac::abi::ok) return stopped;
  return guarded(run, location, [&]() -> std::int32_t {
    using Clock = std::chrono::steady_clock;
    const KernelCode* code = run->tiers != nullptr ? run->tiers->compiled(number) : &run->code[number];
    const StripKernel* strips = code == nullptr ? &run->tiers->strips(number) : nullptr;
    const std::int64_t of_launches = strips != nullptr ? 1 : launches_timed_as_one(*work, counters.launches);
    if (const std::int32_t stopped = offer_slices(run, entry, slots, code != nullptr); stopped != lac::abi::ok)
      return stopped;
    const bool timed = strips != nullptr || (run->options.statistics && counters.launches % of_launches == 0);
    const Clock::time_point start = timed ? Clock::now() : Clock::time_point();
    const lac::runtime::HostSpan span(run->options.trace);
    const std::int64_t blocks = strips != nullptr ? strips->blocks(slots) : code->blocks(slots);
    if (entry.has_partials())
      slots[entry.partials_slot] = reinterpret_cast<std::uint64_t>(
          run->launcher.partials(static_cast<std::size_t>(entry.partials(slots, blocks))));
    if (run->checks_bounds) lac::runtime::prepare_checks(run, kernel, slots, blocks);
    const auto main = [&](std::int64_t first, std::int64_t last) {
      strips != nullptr ? strips->run(slots, first, last) : code->main(slots, first, last);
    };
    // By reference: a function of three words would take memory for each launch.
    const RunCode heard = run_parts(run->launcher, std::ref(main), blocks, entry.has_seams, *work);
    if (heard != RunCode::ok) return run->stop(heard, location);
    if (const std::int32_t stopped = run->poll(location); stopped != lac::abi::ok) return stopped;
    if (strips != nullptr && entry.has_partials()) strips->finish(slots, blocks);
    if (code != nullptr && code->finish != nullptr) code->finish(slots, blocks);
    if (run->checks_bounds && !run->result.status.ok()) return static_cast<std::int32_t>(run->result.status.code);
    if (timed) {
      const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
      counters.ms += 1e-6 * static_cast<double>(elapsed * of_launches);
      if (strips != nullptr) run->tiers->spent(number, elapsed);
    }
    span.end(
        TraceKind::kernel,
        [&] {
          return TraceName{lac::runtime::kernel_id(number), entry.name, location};
        },
        lac::runtime::moved_bytes(*work));
    if (run->options.check_nan)
      if (std::string problem = lac::runtime::not_finite(entry, slots); !problem.empty())
        return run->fail(RunCode::error, std::move(problem), location);
    return lac::abi::ok;
  });
}

std::int64_t* lac_straight_launches(Context* run) { return run->straight_launches.data(); }
std::int64_t* lac_straight_trips(Context* run) { return run->loop_trips.data(); }

void lac_loop_begin(Context* run, std::int32_t loop) {
  run->loops.push_back(static_cast<std::uint32_t>(loop));
  run->trips.push_back(0);
  if (run->options.trace != nullptr)
    run->traced_loops.emplace_back(*run->options.trace, run->manifest.loops[run->loops.back()].location,
                                   run->loops.size() == 1);
}

std::int32_t lac_trip(Context* run, std::int64_t trip) {
  run->trips.back() = trip + 1;
  const LocationId location = run->manifest.loops[run->loops.back()].location;
  if (!run->traced_loops.empty()) run->traced_loops.back().trip(trip + 1);
  if (run->options.place != nullptr && run->trips.size() == 1) run->options.place->enter(location, trip + 1);
  return run->poll(location);
}

std::int32_t lac_tell(Context* run, std::int32_t loop, std::int64_t trip) {
  if (loop >= 0) {
    run->loops.push_back(static_cast<std::uint32_t>(loop));
    run->trips.push_back(0);
  } else if (!run->traced_loops.empty()) {
    run->traced_loops.back().ran(trip + 1);
  }
  run->trips.back() = trip + 1;
  const LocationId location = run->manifest.loops[run->loops.back()].location;
  if (run->options.place != nullptr && run->trips.size() == 1) run->options.place->enter(location, trip + 1);
  return run->poll(location);
}

void lac_forget(Context* run, std::int32_t loops) {
  run->loops.resize(run->loops.size() - static_cast<std::size_t>(loops));
  run->trips.resize(run->trips.size() - static_cast<std::size_t>(loops));
}

void lac_loop_end(Context* run, std::int32_t loop, std::int64_t trips) {
  run->loop_trips[static_cast<std::size_t>(loop)] += trips;
  if (!run->traced_loops.empty()) {
    run->traced_loops.back().ran(trips);
    run->traced_loops.pop_back();
  }
  run->loops.pop_back();
  run->trips.pop_back();
  if (run->options.place != nullptr && run->trips.empty()) run->options.place->leave();
}

void lac_compared(Context* run, double left, double right) {
  if (run->options.place == nullptr || run->trips.size() != 1) return;
  run->options.place->left.store(left, std::memory_order_relaxed);
  run->options.place->right.store(right, std::memory_order_relaxed);
}

double lac_evaluate(std::int32_t element, std::int32_t op, double a, double b, double c) {
  return lac::evaluate_as(static_cast<lac::Element>(element), static_cast<lac::ScalarOp>(op), a, b, c);
}
