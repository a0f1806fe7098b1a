#include "passes/fusion/nests.h"

#include <algorithm>
#include <functional>

#include "ir/kernel/shared_axis.h"
#include "passes/cost/cost.h"
#include "passes/fusion/nest_parts.h"

namespace lac::passes {
namespace {

// -- legality ---------------------------------------------------------------------------------------------------------

/// Each result is written at the nest's own place on the axis, or is a reduction that waits for all strips.
bool results_follow(const Nest& nest) {
  if (shared_extent(nest).is(1)) return false;
  const auto stores = [&](const Store& store) { return shared_dimension(nest, store.output).has_value(); };
  const auto reductions = [&](const KernelReduction& reduction) {
    return !is_spread(nest, reduction) || reduction.index_output < 0;
  };
  return std::ranges::all_of(nest.stores, stores) && std::ranges::all_of(nest.reductions, reductions);
}

/// What it reloads is written by the nests before it at its own place on the axis, or within its reach.
bool reloads_follow(const std::vector<Nest>& all, std::size_t place) {
  bool follow = true;
  const Nest& nest = all[place];
  for_each_body(nest, [&](const Body& body) {
    for (const Instr& instr : body) {
      if (instr.kind != InstrKind::reload) continue;
      follow &= std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(place), [&](const Nest& before) {
        const std::optional<Axis> dimension = shared_dimension(before, instr.argument);
        return dimension && (reads_own_strip(nest, instr.map, *dimension) || reads_within_reach(nest, instr.map));
      });
    }
  });
  return follow;
}

/// Chooses the axis of every nest from `place` on, those that have chosen theirs apart.
bool choose_axes(std::vector<Nest>& all, std::size_t place) {
  if (place == all.size()) return true;
  const Axis given = all[place].strips;
  for (const Axis axis : {Axis::rows, Axis::cols}) {
    if (given != Axis::all && given != axis) continue;
    all[place].strips = axis;
    const bool fits =
        results_follow(all[place]) && shared_extent(all[place]) == shared_extent(all[0]) && reloads_follow(all, place);
    if (fits && choose_axes(all, place + 1)) return true;
  }
  all[place].strips = given;
  return false;
}

// -- putting together -------------------------------------------------------------------------------------------------

struct Renumbering {
  std::vector<InputOrigin> inputs;  ///< of the joined kernel
  std::uint32_t outputs = 0;        ///< before those of the second kernel
};

void renumber(Nest& nest, const Renumbering& numbers) {
  for_each_body(nest, [&](Body& body) {
    for (Instr& instr : body) {
      if (instr.kind == InstrKind::reload) instr.argument += numbers.outputs;
      if (instr.kind != InstrKind::load) continue;
      const InputOrigin& origin = numbers.inputs[instr.argument];
      if (origin.output >= 0) instr.kind = InstrKind::reload;
      instr.argument = static_cast<std::uint32_t>(origin.output >= 0 ? origin.output : origin.input);
    }
  });
  if (nest.contraction && nest.contraction->storage != Storage::dense)
    nest.contraction->matrix = static_cast<std::uint32_t>(numbers.inputs[nest.contraction->matrix].input);
  for (Store& store : nest.stores) store.output += numbers.outputs;
  for (KernelReduction& reduction : nest.reductions) {
    reduction.output += numbers.outputs;
    if (reduction.index_output >= 0) reduction.index_output += static_cast<std::int32_t>(numbers.outputs);
  }
}

void add_locations(Kernel& kernel, const std::vector<LocationId>& more) {
  for (const LocationId location : more)
    if (std::ranges::find(kernel.locations, location) == kernel.locations.end()) kernel.locations.push_back(location);
}

/// Sums of whole lines that another nest does not need: products, whose own kernels keep more of them in registers.
bool has_product(const Kernel& kernel) {
  return std::ranges::any_of(nests(kernel), [](const Nest* nest) {
    return nest->contraction || std::ranges::any_of(nest->reductions, [&](const KernelReduction& reduction) {
             return is_spread(*nest, reduction);
           });
  });
}

}  // namespace

std::optional<Kernel> join(const Kernel& first, const Kernel& second, const std::vector<InputOrigin>& origins) {
  if (takes_over(first) || takes_over(second)) return std::nullopt;
  Kernel kernel;
  kernel.name = second.name.empty() ? first.name : second.name;
  kernel.locations = first.locations;
  add_locations(kernel, second.locations);
  kernel.inputs = first.inputs;
  kernel.outputs = first.outputs;
  kernel.outputs.insert(kernel.outputs.end(), second.outputs.begin(), second.outputs.end());
  Renumbering numbers{origins, static_cast<std::uint32_t>(first.outputs.size())};
  for (std::size_t n = 0; n < second.inputs.size(); ++n) {
    InputOrigin& origin = numbers.inputs[n];
    if (origin.output >= 0 && (second.inputs[n].type.is_scalar() || second.inputs[n].type.is_sparse()))
      return std::nullopt;
    if (origin.output >= 0 || origin.input >= 0) continue;
    origin.input = static_cast<std::int32_t>(kernel.inputs.size());
    kernel.inputs.push_back(second.inputs[n]);
  }
  std::vector<Nest> all = copies(first), more = copies(second);
  for (Nest& nest : more) renumber(nest, numbers);
  all.insert(all.end(), more.begin(), more.end());
  if (!choose_axes(all, 0)) return std::nullopt;
  set_nests(kernel, std::move(all));
  return kernel;
}

SharedMatrices shared_matrices(const Kernel& kernel, std::size_t second) {
  const std::vector<const Nest*> all = nests(kernel);
  // How [begin, end) reads an input: not at all, or in these dimensions strip by strip.
  struct Reads {
    bool any = false, rows = true, cols = true;
  };
  const auto reads = [&](std::size_t begin, std::size_t end, std::uint32_t input) {
    Reads found;
    for (std::size_t n = begin; n < end; ++n)
      for_each_body(*all[n], [&](const Body& body) {
        for (const Instr& instr : body) {
          if (instr.kind != InstrKind::load || instr.argument != input) continue;
          found.any = true;
          found.rows &= reads_own_strip(*all[n], instr.map, Axis::rows);
          found.cols &= reads_own_strip(*all[n], instr.map, Axis::cols);
        }
      });
    return found;
  };
  SharedMatrices shared;
  for (std::uint32_t input = 0; input < kernel.inputs.size(); ++input) {
    if (!is_matrix(kernel.inputs[input].type)) continue;
    const Reads before = reads(0, second, input), behind = reads(second, all.size(), input);
    if (before.any && behind.any && ((before.rows && behind.rows) || (before.cols && behind.cols)))
      shared.inputs.push_back(input);
  }
  for (std::size_t n = second; n < all.size(); ++n)
    for_each_body(*all[n], [&](const Body& body) {
      shared.reloads_matrix |= std::ranges::any_of(body, [&](const Instr& instr) {
        return instr.kind == InstrKind::reload && is_matrix(kernel.outputs[instr.argument].type);
      });
    });
  return shared;
}

bool waits_for_sums(const Kernel& kernel) {
  std::vector<bool> summed(kernel.outputs.size());
  bool waits = false;
  for (const Nest* nest : nests(kernel)) {
    for_each_body(*nest, [&](const Body& body) {
      waits |= std::ranges::any_of(
          body, [&](const Instr& instr) { return instr.kind == InstrKind::reload && summed[instr.argument]; });
    });
    for (const KernelReduction& reduction : nest->reductions) summed[reduction.output] = true;
    if (nest->contraction)
      for (const Store& store : nest->stores) summed[store.output] = true;
  }
  return waits;
}

std::optional<Size> strip_width(const Kernel& kernel) {
  std::optional<Size> widest;
  for (const Nest* nest : nests(kernel)) {
    Size width = nest->strips == Axis::cols ? nest->rows : nest->cols;
    if (width.is(1) && nest->contraction && nest->contraction->storage == Storage::dense)
      width = nest->contraction->extent;
    if (width.is(1) || width == widest) continue;
    if (!widest) widest = width;
    else if (!width.is_constant() || !widest->is_constant()) return std::nullopt;
    else widest = std::max(width.constant(), widest->constant());
  }
  return widest;
}

std::int64_t strip_elements(const Kernel& kernel) {
  std::int64_t largest = 1;
  for (const KernelInput& input : kernel.inputs)
    if (is_matrix(input.type)) largest = std::max<std::int64_t>(largest, byte_size(input.type.element));
  for (const KernelOutput& output : kernel.outputs)
    if (is_matrix(output.type)) largest = std::max<std::int64_t>(largest, byte_size(output.type.element));
  return cost::strip_bytes / largest;
}

std::optional<std::vector<StripTest>> strip_tests(const Kernel& kernel) {
  const std::optional<Size> width = strip_width(kernel);
  if (!width) return std::nullopt;
  const std::int64_t elements = strip_elements(kernel);
  std::vector<StripTest> tests;
  if (!width->is_constant()) tests.push_back({*width, elements / shortest_strip(kernel.strips), false});
  else if (width->constant() > elements / shortest_strip(kernel.strips)) return std::nullopt;
  if (!has_product(kernel)) return tests;
  const Size count = *width * shared_extent(kernel);
  const std::int64_t least = cost::kept_bytes / cost::strip_bytes * elements;
  if (!count.is_constant()) tests.push_back({count, least, true});
  else if (count.constant() < least) return std::nullopt;
  return tests;
}

}  // namespace lac::passes
