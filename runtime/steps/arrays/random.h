// Counter-based random numbers: a draw depends on the seed and its counter alone, so every target, any number of
// threads and any order of evaluation see the same bits.
#pragma once

#include <array>
#include <cstdint>

#include "ir/graph/attributes.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC11) with key `seed` and counter `counter`.
std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint64_t counter);

/// uniform: in the open interval (0, 1), 52 random bits (single: the leading 23 of them), exactly representable.
/// normal: mean 0, variance 1, by Box-Muller in double; single is that value rounded.
double random_value(Distribution distribution, Element element, std::uint64_t seed, std::uint64_t counter);

/// The seed that an integer scalar stands for.
std::uint64_t seed_of(const Tensor& number);

/// A dense matrix; element e (column-major) is the draw with counter `first_counter + e`.
Tensor random_tensor(Distribution distribution, Element element, std::int64_t rows, std::int64_t cols,
                     std::uint64_t seed, std::uint64_t first_counter);

}  // namespace lac::runtime
