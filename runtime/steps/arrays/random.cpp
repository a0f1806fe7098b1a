#include "runtime/steps/arrays/random.h"

#include <cmath>
#include <numbers>

#include "ir/types/extent.h"
#include "runtime/stop.h"

namespace lac::runtime {
namespace {

constexpr int rounds = 10;
constexpr std::uint32_t multipliers[] = {0xD2511F53u, 0xCD9E8D57u};
constexpr std::uint32_t weyl[] = {0x9E3779B9u, 0xBB67AE85u};

/// (k + 1/2) / 2^bits for the leading `bits` bits of the two words: never 0 and never 1.
double unit(std::uint32_t high, std::uint32_t low, int bits) {
  const std::uint64_t word = (static_cast<std::uint64_t>(high) << 32) | low;
  return std::ldexp(static_cast<double>(word >> (64 - bits)) + 0.5, -bits);
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint64_t counter) {
  std::array<std::uint32_t, 4> x = {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0,
                                    0};
  std::uint32_t key[] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = static_cast<std::uint64_t>(multipliers[0]) * x[0];
    const std::uint64_t b = static_cast<std::uint64_t>(multipliers[1]) * x[2];
    x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += weyl[0];
    key[1] += weyl[1];
  }
  return x;
}

double random_value(Distribution distribution, Element element, std::uint64_t seed, std::uint64_t counter) {
  constexpr int double_bits = 52, single_bits = 23;  // one less than the significand, for the half
  const auto x = philox(seed, counter);
  if (distribution == Distribution::uniform)
    return unit(x[0], x[1], element == Element::single ? single_bits : double_bits);
  const double radius = std::sqrt(-2.0 * std::log(unit(x[0], x[1], double_bits)));
  return round_to(element, radius * std::cos(2.0 * std::numbers::pi * unit(x[2], x[3], double_bits)));
}

std::uint64_t seed_of(const Tensor& number) { return static_cast<std::uint64_t>(size_of_number(number.as_scalar())); }

Tensor random_tensor(Distribution distribution, Element element, std::int64_t rows, std::int64_t cols,
                     std::uint64_t seed, std::uint64_t first_counter) {
  Tensor result = Tensor::for_writing(element, rows, cols);
  with_element(element, [&](auto tag) {
    auto* values = result.mutable_values<decltype(tag)>();
    StopPoll poll;
    for (std::int64_t e = 0; e < result.count(); ++e, poll())
      values[e] = static_cast<decltype(tag)>(
          random_value(distribution, element, seed, first_counter + static_cast<std::uint64_t>(e)));
  });
  return result;
}

}  // namespace lac::runtime
