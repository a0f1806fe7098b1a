#include "passes/cost/cost.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "ir/plan/walk.h"

namespace lac::passes::cost {
namespace {

constexpr Work works[] = {
#define LAC_SCALAR_OP(name, arity, result, work) Work::work,
#include "ir/scalar/scalar_ops.def"
#undef LAC_SCALAR_OP
};
static_assert(std::size(works) == scalar_op_count);

// By Work. Functions of SLEEF take from 20 (exp) over 40 (sin) to 120 (pow): more than a word, that is all that
// matters.
constexpr Time times[] = {1, 8, 16, 40};

}  // namespace

Time time_of(ScalarOp op) { return times[static_cast<std::size_t>(works[static_cast<std::size_t>(op)])]; }

Time time_of(const Op& op) {
  if (op.kind == OpKind::map) return time_of(attribute<ScalarOp>(op));
  return op.kind == OpKind::convert ? 1 : 0;
}

bool spreading_pays(const Spread& value) {
  const Time apart = time({value.sources + 1, value.operations}) + time({1, 0});
  return time({value.sources + (value.is_stored ? 1 : 0), value.operations * (value.neighbours + 1)}) <= apart;
}

bool repeating_pays(const Repetition& repetition) {
  const Pass& later = repetition.later;
  const std::int64_t words_saved = repetition.values * words_of_handing_on;
  const Pass repeated = {later.words + repetition.words_added, later.operations + repetition.operations};
  return repetition.words_added < words_saved && time(repeated) <= time(later) + words_saved * word;
}

bool recomputing_in_strips_pays(Time operations, std::int64_t matrix_words, std::int64_t readers) {
  return readers * (operations + matrix_words * cached_word) <= word + readers * cached_word;
}

bool is_long_enough_for_nests(const Size& rows, const Size& cols) {
  constexpr std::int64_t least = 4096;
  const Size count = rows * cols;
  return !count.is_constant() || count.constant() >= least;
}

std::int32_t accumulators(std::int64_t points, std::int64_t bytes, std::int64_t terms) {
  constexpr std::int64_t multiply_add = 4, addition = 3, zero = 1;  // cycles; a sum that starts at zero is that later
  constexpr std::int64_t together = 2;                              // operations that a cycle begins
  const std::int64_t vectors = (points * bytes + 31) / 32;
  const auto time = [&](std::int32_t count) {
    std::array<std::int64_t, most_sums> ready = {};
    for (std::int32_t n = 0; n < count; ++n) ready[n] = (terms - n + count - 1) / count * multiply_add;
    ready[count - 1] += zero;
    add_pairwise(count,
                 [&](std::int32_t to, std::int32_t from) { ready[to] = std::max(ready[to], ready[from]) + addition; });
    return std::max(ready[0], vectors * (terms + count - 1) / together);
  };
  std::int32_t best = 1;
  for (std::int32_t count = 2; count <= std::min<std::int64_t>(most_sums, terms); ++count)
    if (time(count) < time(best)) best = count;
  return best;
}

Time product_time(std::int64_t m, std::int64_t k, std::int64_t n) {
  const auto product = [](std::int64_t a, std::int64_t b) { return a != 0 && b > most_time / a ? most_time : a * b; };
  const std::int64_t words = product(m, k) + product(k, n) + product(m, n);
  return std::min(most_time, std::max(product(words, word), product(product(m, k), n)));
}

}  // namespace lac::passes::cost
