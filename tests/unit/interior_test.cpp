#include "ir/plan/interior.h"

#include <catch2/catch.hpp>

using namespace lac;

namespace {

/// A kernel over 6 x 5 points that reads an input of that shape at (i + down, j + right), 0 outside.
struct Fixture {
  Fixture() {
    kernel.rows = 6;
    kernel.cols = 5;
    kernel.inputs.push_back({Type::matrix(Element::real, 6, 5), "p"});
  }

  InstrId load(std::int64_t down, std::int64_t right) {
    Instr instr;
    instr.kind = InstrKind::load;
    instr.map = AccessMap::identity();
    instr.map.row.base = down;
    instr.map.col.base = right;
    instr.map.out_of_range = OutOfRange::fill;
    return kernel.body.push(instr);
  }
  InstrId compare(ScalarOp op, Axis axis, double bound) {
    Instr index, number, apply;
    index.kind = InstrKind::index;
    index.axis = axis;
    number.number = bound;
    apply.kind = InstrKind::apply;
    apply.op = op;
    apply.operands = {kernel.body.push(index), kernel.body.push(number), {}};
    return kernel.body.push(apply);
  }
  static std::int64_t number(const SizeDifference& bound) { return (bound.first - bound.second).constant(); }

  Kernel kernel;
};

}  // namespace

TEST_CASE_METHOD(Fixture, "the interior of a stencil is where its loads are in range and its tests hold") {
  const InstrId up = load(-1, 0), right = load(0, 1), is_below = compare(ScalarOp::ge, Axis::rows, 1);
  const std::optional<Interior> interior = interior_of(kernel, kernel);
  REQUIRE(interior);
  CHECK(interior->in_range == std::unordered_set<InstrId>{up, right});
  CHECK(interior->answers == std::unordered_map<InstrId, bool>{{is_below, true}});
  REQUIRE(interior->i.low.size() == 3);
  CHECK(number(interior->i.low[0]) == 1);
  CHECK(number(interior->i.high[0]) == 7);
  CHECK(number(interior->i.low[2]) == 1);
  CHECK(number(interior->j.high[1]) == 4);
}

TEST_CASE_METHOD(Fixture, "tests have the answer of most points: that of a border is no") {
  load(0, 1);
  const InstrId first = compare(ScalarOp::lt, Axis::cols, 1), behind = compare(ScalarOp::ge, Axis::cols, 1),
                last = compare(ScalarOp::ge, Axis::rows, 5), most = compare(ScalarOp::lt, Axis::rows, 3);
  const std::optional<Interior> interior = interior_of(kernel, kernel);
  REQUIRE(interior);
  CHECK(interior->answers ==
        std::unordered_map<InstrId, bool>{{first, false}, {behind, true}, {last, false}, {most, true}});
  CHECK(number(interior->j.low.back()) == 1);
  CHECK(number(interior->i.high.back()) == 3);
}

TEST_CASE_METHOD(Fixture, "the first columns to come of what several columns read are leading") {
  kernel.inputs.push_back({Type::matrix(Element::real, 6, 5), "r"});
  load(0, -1);
  const InstrId right = load(1, 1);
  load(-1, 0);
  Instr beside = kernel.body[right];
  beside.argument = 1;
  const InstrId other = kernel.body.push(beside);
  CHECK(interior_of(kernel, kernel)->leading == std::unordered_set<InstrId>{right, other});
}

TEST_CASE_METHOD(Fixture, "kernels without an interior") {
  SECTION("no load leaves its input") {
    compare(ScalarOp::lt, Axis::cols, 3);
    CHECK_FALSE(interior_of(kernel, kernel));
  }
  SECTION("loads of which one is outside wherever the other is not") {
    load(0, 3);
    load(0, -3);
    CHECK_FALSE(interior_of(kernel, kernel));
  }
  SECTION("a position that no coordinate bounds") {
    kernel.body[load(0, 1)].map.linear = true;
    CHECK_FALSE(interior_of(kernel, kernel));
  }
}
