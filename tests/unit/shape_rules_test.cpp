#include "ir/graph/shape_rules.h"

#include <catch2/catch.hpp>

#include "ir/graph/builder.h"
#include "ir/graph/dot.h"
#include "ir/graph/verifier.h"

using namespace lac;

namespace {

/// A graph with parameters A (n x n, csr), B (m x n), x (n x 1), s (a scalar) and flag (logical, n x 1).
struct Fixture {
  Graph graph;
  Builder b;
  Size n, m;
  ValueId a, big, x, s, flag;

  Fixture() : b(graph) {
    n = Size::symbol(graph.symbols.push({"n", SymbolOrigin::parameter_rows, 0, {}, 2}));
    m = Size::symbol(graph.symbols.push({"m", SymbolOrigin::parameter_rows, 1, {}, 2}));
    Type sparse = Type::matrix(Element::real, n, n);
    sparse.storage = Storage::csr;
    sparse.properties.add(Property::lower);
    a = parameter("A", sparse);
    big = parameter("B", Type::matrix(Element::real, m, n));
    x = parameter("x", Type::matrix(Element::real, n, 1));
    s = parameter("s", Type::scalar(Element::real));
    flag = parameter("flag", Type::matrix(Element::logical, n, 1));
  }

  ValueId parameter(const std::string& name, const Type& type) {
    graph.parameters.push_back({name, type, {}});
    return b.parameter(static_cast<std::uint32_t>(graph.parameters.size() - 1));
  }
  std::string type(ValueId value) const { return graph.text(graph.type(value)); }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "broadcasting") {
  CHECK(type(b.map(ScalarOp::add, x, s)) == "f64[n x 1]");
  CHECK(type(b.map(ScalarOp::add, s, x)) == "f64[n x 1]");
  CHECK(type(b.map(ScalarOp::add, x, b.transpose(x))) == "f64[n x n]");
  CHECK(type(b.map(ScalarOp::lt, x, s)) == "logical[n x 1]");
  CHECK(type(b.map(ScalarOp::add, flag, flag)) == "int[n x 1]");
  CHECK(type(b.map(ScalarOp::div, flag, flag)) == "f64[n x 1]");
  CHECK(type(b.map(ScalarOp::select, flag, x, s)) == "f64[n x 1]");
  CHECK(type(b.map(ScalarOp::mul, b.iota(Axis::rows, 0, 1), b.iota(Axis::cols, 1, 3))) == "int[0 x 3]");
  CHECK_THROWS_AS(b.map(ScalarOp::add, x, b.iota(Axis::rows, n + 1, 1)), InternalError);
  CHECK_THROWS_AS(b.map(ScalarOp::add, a, x), InternalError);
}

TEST_CASE_METHOD(Fixture, "reductions") {
  CHECK(type(b.reduce(big, {ReduceOp::sum, Axis::rows})) == "f64[1 x n]");
  CHECK(type(b.reduce(big, {ReduceOp::sum, Axis::cols})) == "f64[m x 1]");
  CHECK(type(b.reduce(big, {ReduceOp::max, Axis::all})) == "f64");
  CHECK(type(b.reduce(flag, {ReduceOp::sum, Axis::rows})) == "int");
  CHECK(type(b.reduce(flag, {ReduceOp::max, Axis::rows})) == "int");
  CHECK(type(b.reduce(x, {ReduceOp::any, Axis::rows})) == "logical");
  const Builder::ArgResult found = b.arg_reduce(big, {ReduceOp::min, Axis::rows});
  CHECK(type(found.value) == "f64[1 x n]");
  CHECK(type(found.index) == "int[1 x n]");
  CHECK_THROWS_AS(b.arg_reduce(big, {ReduceOp::sum, Axis::rows}), InternalError);
  CHECK(type(b.scan(flag, {ReduceOp::sum, Axis::rows})) == "int[n x 1]");
}

TEST_CASE_METHOD(Fixture, "products and rearrangements") {
  CHECK(type(b.matmul(a, x)) == "f64[n x 1]");
  CHECK(type(b.matmul(big, big, {true, false})) == "f64[n x n]");
  CHECK(type(b.matmul(big, big, {false, true})) == "f64[m x m]");
  CHECK(type(b.matmul(b.transpose(flag), flag)) == "int");
  CHECK_THROWS_AS(b.matmul(x, b.iota(Axis::rows, 3, 1)), InternalError);
  CHECK(type(b.transpose(a)) == "f64[n x n] csr upper");
  CHECK(type(b.concat({x, flag, s}, Axis::rows)) == "f64[2*n + 1 x 1]");
  CHECK(type(b.diagonal(b.matmul(big, big, {true, false}), -2)) == "f64[n - 2 x 1]");
  CHECK_THROWS_AS(b.diagonal(big, 0), InternalError);
  CHECK(type(b.diagonal(big, 0, n)) == "f64[n x 1]");
  const Subscripts tail = {{{SubscriptKind::range, 1, 1, n - 1}, {SubscriptKind::all, 0, 1, 1}}};
  const ValueId part = b.index(x, tail, {}, n - 1, 1);
  CHECK(type(b.update(x, tail, {}, part)) == "f64[n x 1]");
  CHECK_THROWS_AS(b.update(x, tail, {}, x), InternalError);
  CHECK_THROWS_AS(b.update(x, tail, {}, b.constant(1, Element::integer)), InternalError);
  CHECK(verify(graph).empty());
}

TEST_CASE_METHOD(Fixture, "extents grow or stay, the largest one too") {
  const Size largest(INT64_MAX);
  b.resize(b.fill(s, largest, 1), largest, 2);
  b.resize(x, n + 1, 2);
  CHECK(verify(graph).empty());
  b.resize(x, n - 1, 1);
  CHECK_FALSE(verify(graph).empty());
}

TEST_CASE_METHOD(Fixture, "sizes are compared as far as symbols allow") {
  CHECK(may_equal(graph.symbols, n, m));
  CHECK_FALSE(may_equal(graph.symbols, n, n + 1));
  CHECK_FALSE(may_equal(graph.symbols, n, 1));
  CHECK(may_equal(graph.symbols, n, 7));
  CHECK(at_most(graph.symbols, n, n * m));
  CHECK(minimum(graph.symbols, n, n + 3) == n);
  CHECK_FALSE(minimum(graph.symbols, n, m));
  CHECK(diagonal_length(graph.symbols, 3, 5, 2) == Size(3));
  CHECK(diagonal_length(graph.symbols, 3, 5, -4) == Size(0));
  CHECK(diagonal_length(graph.symbols, n, n, 1) == n - 1);
  CHECK_FALSE(diagonal_length(graph.symbols, n, n, 3));
}

TEST_CASE_METHOD(Fixture, "diagonal storage transposes its offsets") {
  Type banded = Type::matrix(Element::real, n, n);
  banded.storage = Storage::diagonal;
  banded.offsets = {0 - n, 0, 1};
  CHECK(graph.text(transposed(banded)) == "f64[n x n] diagonal(-1, 0, n)");
}

TEST_CASE_METHOD(Fixture, "the picture has a node for each op and a cluster for each block") {
  const BlockId then = b.new_block(), otherwise = b.new_block();
  graph.blocks[then].yields = {x};
  graph.blocks[otherwise].yields = {x};
  Op op;
  op.kind = OpKind::branch;
  op.operands = {b.reduce(flag, {ReduceOp::all, Axis::rows})};
  op.results = {b.new_value(graph.type(x))};
  op.blocks = {then, otherwise};
  const OpId id = b.append(op);
  b.output("y", graph.ops[id].results[0]);
  CHECK(verify(graph).empty());
  const std::string picture = dot(graph);
  CHECK(picture.find("label=\"reduce all rows\"") != std::string::npos);
  CHECK(picture.find("label=\"then\"") != std::string::npos);
  CHECK(picture.find("label=\"output \\\"y\\\"\", shape=box") != std::string::npos);
}
