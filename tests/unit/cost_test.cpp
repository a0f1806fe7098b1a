// The cost model: what it says of the cases that the passes meet, and in which direction it changes its mind.
#include "passes/cost/cost.h"

#include <catch2/catch.hpp>
#include <string>

#include "ir/graph/builder.h"

using namespace lac;
namespace cost = lac::passes::cost;

TEST_CASE("every scalar function has its time, in the order that was measured") {
  CHECK(cost::time_of(ScalarOp::add) == 1);
  CHECK(cost::time_of(ScalarOp::select) == 1);
  CHECK(cost::time_of(ScalarOp::le) == 1);
  CHECK(cost::time_of(ScalarOp::add) < cost::time_of(ScalarOp::div));
  CHECK(cost::time_of(ScalarOp::div) < cost::time_of(ScalarOp::sqrt));
  for (const ScalarOp op : {ScalarOp::exp, ScalarOp::pow, ScalarOp::mod, ScalarOp::hypot, ScalarOp::gamma}) {
    INFO(std::string(name(op)));
    CHECK(cost::time_of(op) > cost::time_of(ScalarOp::sqrt));
    CHECK_FALSE(cost::is_as_fast_as_reading(cost::time_of(op)));
  }
}

TEST_CASE("ops that move elements compute nothing") {
  Graph graph;
  graph.body = graph.blocks.push({});
  Builder build(graph, graph.body, {});
  const ValueId s = build.constant(2, Element::real), v = build.fill(s, 10, 1);
  const ValueId sum = build.map(ScalarOp::add, v, v), row = build.reshape(sum, 1, 10);
  CHECK(cost::time_of(*graph.definition(v)) == 0);
  CHECK(cost::time_of(*graph.definition(row)) == 0);
  CHECK(cost::time_of(*graph.definition(sum)) == 1);
}

TEST_CASE("a pass takes as long as the slower of memory and operations") {
  CHECK(cost::time({3, 0}) == 3 * cost::word);
  CHECK(cost::time({3, 3 * cost::word}) == cost::time({3, 0}));
  CHECK(cost::time({3, 3 * cost::word + 1}) == 3 * cost::word + 1);
}

TEST_CASE("words are saved where no more are added") {
  CHECK(cost::saves_words(1, 0));
  CHECK(cost::saves_words(2, 2));
  CHECK_FALSE(cost::saves_words(2, 3));
  CHECK_FALSE(cost::saves_words(0, 0));
}

namespace {

constexpr cost::Time axpy = 3;  // pending ? r + beta*p : p

}  // namespace

TEST_CASE("what a stencil reads is computed at its neighbours while memory is the slower") {
  const auto pays = [](cost::Time operations, std::int64_t sources, std::int64_t neighbours) {
    return cost::spreading_pays({operations, sources, neighbours, true});
  };
  CHECK(pays(axpy, 2, 4));         // conjugate gradients on a five-point matrix
  CHECK(pays(axpy, 2, 8));         // on a nine-point one
  CHECK_FALSE(pays(axpy, 2, 26));  // in space
  CHECK(pays(axpy, 4, 4));         // a .* x + b .* y: more matrices are no harm, whoever computes it reads them
  const cost::Time division = cost::time_of(ScalarOp::div);
  CHECK(pays(axpy + division, 2, 4));        // with Jacobi's preconditioner
  CHECK_FALSE(pays(axpy + division, 2, 8));  // eight more divisions take longer than a word
  CHECK_FALSE(pays(cost::time_of(ScalarOp::exp), 1, 2));
}

TEST_CASE("a value that nobody else wants saves its store as well") {
  CHECK_FALSE(cost::spreading_pays({11, 2, 6, true}));
  CHECK(cost::spreading_pays({9, 2, 6, true}));
  CHECK(cost::spreading_pays({9, 2, 6, false}));
  CHECK(cost::spreading_pays({0, 1, 100, false}));  // a copy
}

TEST_CASE("a product behind a reduction is computed again for less than a store and a load") {
  const cost::Pass update = {2, 3};                      // r = r - alpha*q, r'*r
  CHECK(cost::repeating_pays({1, 9, 1, update}));        // five points from p
  CHECK(cost::repeating_pays({1, 17, 1, update}));       // nine
  CHECK(cost::repeating_pays({1, 53, 1, update}));       // 27: as long as p takes
  CHECK_FALSE(cost::repeating_pays({1, 9, 2, update}));  // from two vectors nothing is saved
  CHECK(cost::repeating_pays({1, 9, 0, update}));        // the pass reads p anyway
  CHECK_FALSE(cost::repeating_pays({1, 200, 1, update}));
  CHECK(cost::repeating_pays({2, 30, 2, update}));  // two values from the same two vectors
  CHECK_FALSE(cost::repeating_pays({2, 30, 4, update}));
}

TEST_CASE("nests compute again what the cache gives them quickly") {
  CHECK(cost::recomputing_in_strips_pays(1, 1, 1));                                   // A - mean(A, 2)
  CHECK(cost::recomputing_in_strips_pays(cost::time_of(ScalarOp::div), 1, 1));        // A ./ s
  CHECK_FALSE(cost::recomputing_in_strips_pays(cost::time_of(ScalarOp::exp), 1, 1));  // softmax
  CHECK_FALSE(cost::recomputing_in_strips_pays(1, 4, 1));                             // four matrices for one
  CHECK_FALSE(cost::recomputing_in_strips_pays(9, 1, 3));                             // three times
}

TEST_CASE("the time of a product of any extents is a number") {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  CHECK(cost::product_time(2'200'000, 2'200'000, 2'200'000) == cost::most_time);
  CHECK(cost::product_time(most, most, most) == cost::most_time);
  CHECK(cost::product_time(most, 0, most) <= cost::most_time);
  CHECK(cost::product_time(8, 8, 8) == std::max(512, 3 * 64 * 16));
}

TEST_CASE("short sums at few points have several accumulators") {
  const std::int64_t single = 4, real = 8;
  CHECK(cost::accumulators(16, single, 4) ==
        3);  // 4x4: the longest has two terms, the one that starts at zero a single one
  CHECK(cost::accumulators(16, real, 4) == 2);
  CHECK(cost::accumulators(4, real, 2) == 2);
  CHECK(cost::accumulators(1, real, 16) == 4);
  CHECK(cost::accumulators(1, real, 1) == 1);
  CHECK(cost::accumulators(64, real, 8) == 1);  // so many sums that none waits for itself
}
