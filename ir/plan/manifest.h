// What the runtime must know about a compiled program besides its code: plain data, made from the Plan, carried beside
// JIT-compiled code and embedded as bytes in objects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/plan/abi.h"
#include "ir/support/result.h"

namespace lac {

/// How the runtime reads an operand or result of a step (its sizes travel with the call).
struct StepOperand {
  Element element = Element::real;
  Storage storage = Storage::dense;
  bool scalar = false;
  std::uint32_t offsets = 0;  ///< number of diagonals
};

/// A host step: library, scan, random, check, warn, print, format or output.
struct Step {
  OpKind kind = OpKind::library;
  LocationId location = {};
  Attribute attribute;
  std::vector<StepOperand> operands;
  std::vector<StepOperand> results;
  std::uint32_t loop = 0;   ///< 1 + the innermost loop around it; 0: none
  bool takes_over = false;  ///< an output: the operand's buffer becomes the host's
};

struct LoopEntry {
  LocationId location = {};
  LoopInfo info;
};

/// An extent as a launch has it: a constant, or the number in a slot.
struct SlotSize {
  std::int64_t constant = 0;
  std::int32_t slot = -1;  ///< -1: constant

  std::int64_t in(const std::uint64_t* slots) const {
    return slot < 0 ? constant : static_cast<std::int64_t>(slots[slot]);
  }
};

/// Where a launch leaves a result.
struct KernelResult {
  std::string name;
  Element element = Element::real;
  SlotSize rows, cols;
  std::uint32_t slot = 0;  ///< holds the pointer to the elements
};

struct KernelEntry {
  std::string name;
  std::vector<LocationId> locations;
  std::uint32_t loop = 0;           ///< 1 + the innermost loop around its launch; 0: none
  std::uint32_t partials_slot = 0;  ///< see slot_layout
  std::int64_t partial_count = 0;   ///< see partial_count
  std::vector<KernelResult> results;
  std::vector<std::uint32_t> spread;  ///< results: see spread_outputs
  std::vector<std::uint32_t> slices;  ///< slots of slices (slot_layout)
  bool has_seams = false;             ///< parts of a launch behind its blocks (PartCount, plan/walk.h)
  abi::Work work_in_place;            ///< of each launch of one that may stand in straight code

  bool has_partials() const { return partial_count > 0 || !spread.empty(); }
  /// Partial results of a launch with these slots.
  std::int64_t partials(const std::uint64_t* slots, std::int64_t blocks) const;
};

struct SourceText {
  std::string name;
  std::string text;
};

struct Manifest {
  std::string name;
  Element precision = Element::real;
  std::vector<Parameter> parameters;  ///< types over `symbols`
  SymbolTable symbols;                ///< those of parameters; runtime sizes are there but mean nothing
  std::vector<std::string> outputs;   ///< names, in program order
  std::vector<Step> steps;
  std::vector<LoopEntry> loops;
  std::vector<KernelEntry> kernels;  ///< by KernelId
  IdVector<LocationId, Location> locations;
  std::vector<SourceText> sources;  ///< by FileId; filled in by who owns the sources
  std::string host_data;            ///< for the host program (the driver), opaque here
};

/// The steps of a Plan in program order: step i of the manifest is op plan_steps(graph)[i]. Likewise its loops.
std::vector<OpId> plan_steps(const Graph& plan);
std::vector<OpId> plan_loops(const Graph& plan);
/// The manifest of a graph in phase plan, without sources.
Manifest make_manifest(const Graph& plan);

std::string to_bytes(const Manifest& manifest);
/// Fails for bytes that no `to_bytes` of this version wrote.
Result<Manifest> manifest_from_bytes(std::string_view bytes);

}  // namespace lac
