// What make_plan decides, a file each. All of them expect a graph in phase plan and what stands before them here.
#pragma once

#include <optional>
#include <utility>

#include "ir/plan/plan.h"
#include "passes/capabilities.h"

namespace lac::passes {

/// Buffers of all matrices (Plan::buffers, buffer_of): a result that takes an operand over lies in its buffer, a view
/// in that of what it shows, a carried matrix where the loop finds it first.
void assign_buffers(Plan& plan);

/// For every scalar: `device` when a launch computes it, when a loop or branch hands such a one on (a carried scalar is
/// on the device as soon as its initial value or what the body yields is), or when a branch chooses it on a condition
/// that is on the device; `host` for everything else, and where launches leave scalars with the host. A host value that
/// is handed on to a device one is written to its slot. A kernel's scalar input is a parameter of the dispatch or an
/// arena slot accordingly.
void assign_places(Plan& plan, const Capabilities& capabilities);

/// The ops other than launches that the device does: ir/plan/device_steps.h.
void choose_device_steps(Plan& plan, const Capabilities& capabilities);

/// Plan::tails, where kernels are run by workgroups and leave scalars on the device.
void choose_tails(Plan& plan, const Capabilities& capabilities);

/// Plan::loops.
void choose_loop_modes(Plan& plan, const Capabilities& capabilities);

// -- of loops

/// A loop of straight code: of launches that may stand in it (ir/plan/plan.h), scalar arithmetic, cursors
/// (ir/plan/cursors.h), steps on small matrices, checks, growth in place, and loops and branches of nothing else. The
/// loops inside are decided.
bool is_straight_loop(const Plan& plan, const Op& loop);
/// Small matrices that the block would have in the frame of the program, at most, if it were straight.
std::size_t matrices_in_frame(const Plan& plan, BlockId block);

/// LoopPlan::compared. A guess where a branch makes the condition that is no a && b: then what the branch looks at.
std::optional<std::pair<ValueId, ValueId>> compared_by(const Graph& plan, const Op& loop);

/// Whether a device could run the loop without the host in its way (mode counted or chunked, needs), else the reason.
///
/// A trip is recorded before it is known whether it runs: it runs if all trips recorded before it did, so trip counters
/// and whatever follows from them and from host scalars are known while recording. What kernels compute is not: it may
/// be a condition (of the loop, of a branch, of a check), an input of kernels and something to print, but not a size.
LoopPlan device_loop_plan(const Plan& plan, const Op& loop, DeviceLoops allowed);

}  // namespace lac::passes
