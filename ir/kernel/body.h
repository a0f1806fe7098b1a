// What the instructions of a kernel's body have to do with one another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac {

/// The instructions that one computes with; not those that say where it loads from.
std::span<const InstrId> operands_of(const Instr& instr);

/// By instruction: whether it is one of `roots`, or one of them needs it for a value or for a position.
std::vector<bool> needed_for(const Body& body, std::span<const InstrId> roots);

/// What stores and reductions read of the body: values, and the positions that stores scatter to.
std::vector<InstrId> results_of(const Nest& nest);

/// The whole number that an instruction always is, if it is one.
std::optional<Size> known_size(const Instr& instr);

/// By instruction: whether it has one value at all points: constants, sizes, scalar inputs and what is computed from
/// them.
std::vector<bool> uniform_values(const Kernel& kernel, const Body& body);

/// The truth value that most often chooses between values of points, as a scalar input; nothing where none does so
/// twice (or once, where one nest follows another at a distance). Not of kernels with a contraction, where the choice
/// is little of the work.
std::optional<std::uint32_t> common_condition(const Kernel& kernel);

}  // namespace lac
