// The Plan: what runs, in what order, in which memory. Made by one pass (passes/make_plan.h) from a Graph of Kernels
// and the Capabilities of a target; nothing is left to decide, code generators and executors follow it.
//
// Its stages are the ops of a Graph in phase plan: launches, steps of the host, copies, releases, loops and branches,
// in the order of their blocks, with what takes a buffer over (Op::reuse); so builder, text form and interpreter are
// those of Graphs. What a Plan knows besides is here: where every scalar lives, who drives every loop and what its
// trips need, which steps the device does; and what follows from the takeovers, for who looks at memory as a whole
// (reports, the interpreter): which buffer every matrix lies in, which buffers a loop hands round. The text form is
// that of the graph with a section `plan` behind it (plan_text.h), the invariants open plan_verifier.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph/graph.h"

namespace lac {

/// Where a scalar lives on a target whose kernels leave scalars on a device (Capabilities::device_scalars).
enum class Place : std::uint8_t { host, device };

struct BufferTag;
using BufferId = Id<BufferTag>;

/// The memory of one matrix: its elements, and what else its storage has. It is asked for where its first value is
/// defined, in that value's type and layout, and goes back to the pool with a `release` of what lies in it. A loop that
/// hands another buffer on to its next trip leaves the old one behind.
struct Buffer {
  std::vector<ValueId> values;        ///< that lie in it, one after the other or under several shapes; in program order
  bool borrowed = false;              ///< a parameter's: never written, never released
  std::vector<BufferId> either = {};  ///< behind a branch: which of these it is the run decides; else none
};

/// Who takes a loop from trip to trip.
enum class LoopMode : std::uint8_t {
  host,      ///< the program: it reads the condition of every trip
  counted,   ///< trips are recorded ahead on a device, and all that are recorded run
  chunked,   ///< the same, but the device decides which of a chunk run; the host looks once a chunk
  straight,  ///< code of the program: calls the runtime to fail, to grow, for steps on small matrices
};
std::string_view name(LoopMode mode);

/// What one trip of a loop on a device records at most, besides the dispatches of its kernels and steps.
struct TripNeeds {
  std::int32_t sites = 0;      ///< dispatches: of control, copies
  std::int32_t log_slots = 0;  ///< for what the host prints at a poll
  std::int32_t branches = 0;   ///< predicates
  friend bool operator==(const TripNeeds&, const TripNeeds&) = default;
};

/// A carried matrix: a trip finds it in one buffer and leaves it in another, or in the same.
struct CarriedBuffer {
  BufferId found, left;
  friend bool operator==(const CarriedBuffer&, const CarriedBuffer&) = default;
};

struct LoopPlan {
  LoopMode mode = LoopMode::host;
  std::string reason = {};  ///< where a device might have run it: what forces the host in, "print of a matrix"
  LocationId where = {};    ///< of what does
  TripNeeds needs = {};     ///< counted and chunked
  std::vector<CarriedBuffer> carried = {};  ///< matrices, in the order of the body's arguments
  /// The sides of the comparison of real scalars by which the loop decides whether another trip follows (`norm(r) >
  /// tol`; of several that are joined by && the first): for who watches the run. Not of straight code.
  std::optional<std::pair<ValueId, ValueId>> compared = {};

  /// Not of mode straight, but nothing else: a host beside the device may run it as compiled code instead, where its
  /// trips outweigh what moves (runtime/vulkan/native_loop.h).
  bool native = false;

  bool on_device() const { return mode == LoopMode::counted || mode == LoopMode::chunked; }
};

struct Plan : Graph {
  std::vector<BufferId> buffer_of;  ///< by value; none of scalars
  IdVector<BufferId, Buffer> buffers;
  IdVector<ValueId, Place> places;  ///< of scalars; host where the target has no device
  std::map<OpId, LoopPlan> loops;   ///< every loop
  std::set<OpId> device_steps;      ///< ops other than launches that have shaders
  /// By launch, those that it does behind its own work: kernels of one point on scalars, in the order of the program,
  /// which follow it in its block and take what is there before it, its results and one another's. One workgroup ends
  /// it: it reduces to a scalar, or is of one point itself.
  std::map<OpId, std::vector<OpId>> tails;

  Plan() = default;
  /// Where nothing is decided yet.
  explicit Plan(Graph graph) : Graph(std::move(graph)) {}

  BufferId buffer(ValueId value) const { return buffer_of[value.index]; }
  const LoopPlan& loop(OpId id) const { return loops.at(id); }
  /// Empty where it has none.
  std::span<const OpId> tail(OpId launch) const {
    const auto found = tails.find(launch);
    return found == tails.end() ? std::span<const OpId>() : found->second;
  }
};

/// All launches that another does.
std::set<OpId> ops_in_tails(const Plan& plan);
/// Operands of a launch and of those of its tail, one after the other; the same of results.
std::vector<ValueId> operands_with_tail(const Plan& plan, OpId launch);
std::vector<ValueId> results_with_tail(const Plan& plan, OpId launch);
/// Whether it may stand in a tail, wherever what it takes is computed: one point, scalars only.
bool stands_in_tail(const Plan& plan, const Op& launch);
/// Whether a kernel ends with one workgroup, so that its launch may have a tail.
bool ends_in_one_group(const Kernel& kernel);

/// The operand whose buffer the result takes over, or -1.
inline std::int32_t taken_over(const Op& op, std::size_t result) {
  return result < op.reuse.size() ? op.reuse[result] : -1;
}

/// A dense matrix of a constant shape and at most `small_matrix` elements: straight code keeps it in the frame of the
/// program, not in memory of the pool.
inline constexpr std::int64_t small_matrix = 64;
bool is_small_matrix(const Type& type);
/// One nest over a constant domain of as many points that makes small matrices and scalars, or stores into others.
bool is_small(const Kernel& kernel);
/// A step of the library that takes and makes small dense matrices and scalars: straight code calls it with memory of
/// the frame.
bool is_small_step(const Graph& plan, const Op& op);
/// A launch whose code may stand in straight code: of one point that stores into what it takes over, or of a small
/// kernel.
bool stands_in_straight_code(const Graph& plan, const Op& launch);

/// The source variable that first lies in it; may be empty.
std::string name(const Plan& plan, BufferId buffer);

/// The buffers that a value may lie in: its own, or those that a branch chose among.
std::vector<BufferId> possible_buffers(const Plan& plan, ValueId value);

}  // namespace lac
