// Kernels that become the nests of one: what two launches read of a matrix then comes from memory once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac::passes {

/// Where the inputs of a second kernel come from, by input: an output of the first, an input of the first, or (both -1)
/// somewhere else.
struct InputOrigin {
  std::int32_t output = -1;
  std::int32_t input = -1;
};

/// The nests of `first`, then those of `second`: inputs of the first, then what only the second reads, in its order;
/// outputs of the first, then of the second. Nothing where they have no axis along which the second needs of the first
/// what is at the same place (or within its reach), or where their results do not follow it.
std::optional<Kernel> join(const Kernel& first, const Kernel& second, const std::vector<InputOrigin>& origins);

/// The inputs that the nests before number `second` and those from it on read, strip by strip both; and whether one of
/// the latter reloads a whole matrix.
struct SharedMatrices {
  std::vector<std::uint32_t> inputs;
  bool reloads_matrix = false;
  bool any() const { return reloads_matrix || !inputs.empty(); }
};
SharedMatrices shared_matrices(const Kernel& kernel, std::size_t second);

/// Whether a nest reads what one before it has summed: fusion into one nest cannot do that.
bool waits_for_sums(const Kernel& kernel);

/// The most elements of a nest at one index of the axis that they share; nothing where sizes cannot be compared.
std::optional<Size> strip_width(const Kernel& kernel);

/// value >= limit or value <= limit.
struct StripTest {
  Size value;
  std::int64_t limit;
  bool at_least;
};
/// What a run has to find for the nests to be worth it: the shortest strip stays in a cache, and the matrix of products
/// does not stay there without that. Empty where it is known; nothing where they are not worth it.
std::optional<std::vector<StripTest>> strip_tests(const Kernel& kernel);
/// How many elements of a strip a cache keeps.
std::int64_t strip_elements(const Kernel& kernel);

}  // namespace lac::passes
