#include <catch2/catch.hpp>

#include "ir/graph/builder.h"
#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"
#include "ir/graph/verifier.h"

using namespace lac;

namespace {

/// The text that reading and printing `text` gives; the failure where it does not read.
std::string reprinted(const std::string& text) {
  const Result<Graph> graph = parse_graph(text);
  return graph ? print(graph.value()) : graph.failure().message;
}

const std::string every_op = R"ir(graph "every op" f64
symbol n rows 0 lower 2
symbol "rows(B)" rows 1 lower 2
symbol %13 lower 0
parameter A: f64[n x n] csr spd
parameter B: f64["rows(B)" x n]

%0 A: f64[n x n] csr spd = parameter A
%1 B: f64["rows(B)" x n] = parameter B
%2: f64 = constant 0.1
%3: f64 = constant -inf
%4: int = size -2*n + n^2 + 1
%5: f64[n x 1] = fill %2
%6: int[n x 3] = iota cols
%7: f64[2 x 2] = random normal
%8: f32 = convert %2
%9: f64[n x 1] = map add %5, %2
%10: f64[n x "rows(B)"] = transpose %1
%11: f64[1 x n] = reshape %9
%12: int[n x 1], %13 count: int = library find %9
%14: f64[n - 1 x 1] = index [range 1 count n - 1, at 0] %9
%15: f64[%13 x 1] = index [vector %13] %9, %12
%16: f64[n x 1] = update [range n - 1 step -2 count 2, all 1] %9, %2
%17: f64[n + 3 x 1] = resize %9
%18: f64[2*n + %13 x 1] = concat rows %9, %15, %5
%19: f64 = reduce sum rows %9
%20: f64, %21: int = arg_reduce max all %9
%22: f64[n x 1] = scan prod rows %9
%23: f64[n x 1] = matmul tn %0, %9
%24: f64[2 x 1] = diagonal 0 %7
%25 y: f64 = diagonal -1 %7
%26: logical = map lt %19, %2
check %26
)ir";

}  // namespace

TEST_CASE("every op's text reads back as itself") {
  std::string text = every_op;
  text.replace(text.find("check %26\n"), 10, R"ir(check err id "a:b" "x = %g\n" (_, "lit\"eral") %26, %19
warn out "w" %26
print "y" range %25
%27: int[1 x 3] = text "a\"b"
print "s" text %27
format out "\x01\t\\"
output "y" %25
%28 trips: int, %29 x: f64[n x 1], %30: f64 = loop for_range "k" %4, %26, %9, %2 {
  arguments %31 k: int, %32 x: f64[n x 1], %33: f64
  %34: f64 = branch %26 {
    yield %33
  } {
    %35: f64 = map neg %33
    yield %35
  }
  yield %26, %32, %34
}
%36: f64[n x 1] = launch k0 %29, %30 reuse (0)
%37: f64[n x 1] = copy %36
release %37, %5

kernel k0 "double" domain [n x 1] {
  in x: f64[n x 1], v1: f64
  out v0: f64[n x 1]
  $0 = load x[i]
  $1 = load v1
  $2 = mul $0, $1
  store v0[i] = $2
}
)ir");
  CHECK(reprinted(text) == text);
  CHECK(verify(parse_graph(text).value()) == std::vector<std::string>());
}

TEST_CASE("tables read back, number by number") {
  const std::string text =
      "graph \"t\" f64\n\n%0: f64[2 x 3] = table [1, -0, nan, 0.1, inf, -2.5e-300]\n"
      "%1: logical[1 x 2] = table [1, 0]\noutput \"x\" %0\noutput \"y\" %1\n";
  CHECK(reprinted(text) == text);
  CHECK(verify(parse_graph(text).value()) == std::vector<std::string>());
  const auto faults = [](const std::string& line) { return verify(parse_graph("graph \"t\" f64\n" + line).value()); };
  CHECK(faults("%0: f64[2 x 2] = table [1, 2, 3]\n").front().find("3 numbers for f64[2 x 2]") != std::string::npos);
  CHECK(faults("%0: f64[2 x 1] csr = table [1, 2]\n").front().find("not dense") != std::string::npos);
}

TEST_CASE("values are numbered in program order, whatever their ids") {
  const std::string text = "graph \"\" f64\n%7: f64 = constant 1 ; one\n\n  %3: f64 = map neg %7\noutput \"x\" %3";
  CHECK(reprinted(text) == "graph \"\" f64\n\n%0: f64 = constant 1\n%1: f64 = map neg %0\noutput \"x\" %1\n");
}

TEST_CASE("the anonymous text leaves out the numbers of values, and they can be had") {
  const auto graph_with = [](int dead) {
    Graph graph;
    Builder builder(graph);
    for (int i = 0; i < dead; ++i) builder.constant(i, Element::integer);
    graph.blocks[graph.body].ops.clear();
    builder.map(ScalarOp::neg, builder.constant(3, Element::integer));
    return graph;
  };
  CHECK(print_anonymous(graph_with(0)) == print_anonymous(graph_with(2)));
  CHECK(print_value_ids(graph_with(0)) != print_value_ids(graph_with(2)));
}

TEST_CASE("what does not read says where") {
  CHECK(reprinted("graph \"g\" f64\n%0: f64 = map frob %1\n") == "2:19: there is no scalar function 'frob'");
  CHECK(reprinted("graph \"g\" f64\nfrob %1\n") == "2:5: there is no op 'frob'");
  CHECK(reprinted("graph \"g\" f64\noutput \"x\" %1\n") == "3:1: %1 is never defined");
  CHECK(reprinted("graph \"g\" f64\n%0: f64 = constant 1\n%0: f64 = constant 1\n") == "3:3: %0 is defined twice");
  CHECK(reprinted("graph \"g\" f64\n%0: f64[m x 1] = iota rows\n") == "2:10: there is no symbol 'm'");
  CHECK(reprinted("graph \"g\" f64\noutput \"x %1\n") == "2:13: the string does not end");
  CHECK(reprinted("nothing") == "1:1: expected 'graph'");
}

TEST_CASE("two symbols of one value print as one") {
  Graph graph;
  Builder b(graph);
  const ValueId first = b.iota(Axis::rows, 4, 1);
  const ValueId m = b.reduce(first, {ReduceOp::max, Axis::all}), k = b.reduce(first, {ReduceOp::min, Axis::all});
  const Size sum = as_size(graph, m) + as_size(graph, k);
  b.output("x", b.fill(m, sum, 1));
  replace_all_uses(graph, k, m);
  const std::string text = print(graph);
  CHECK(text.find("[2*%1 x 1]") != std::string::npos);
  CHECK(reprinted(text) == text);
}

TEST_CASE("the normal form of a value stays small however often it is summed") {
  Graph graph;
  Builder b(graph);
  const ValueId m = b.reduce(b.iota(Axis::rows, 4, 1), {ReduceOp::max, Axis::all});
  CHECK_FALSE(known_size(graph, m));
  CHECK(as_size(graph, b.map(ScalarOp::add, m, m)) == 2 * as_size(graph, m));
  CHECK(known_size(graph, m) == as_size(graph, m));
  ValueId sum = m, power = m;
  for (int k = 0; k < 60; ++k) {  // 2^60 paths, degree 2^60
    sum = b.map(ScalarOp::add, sum, sum);
    power = b.map(ScalarOp::mul, power, power);
  }
  CHECK(as_size(graph, sum).terms().size() <= 64);
  CHECK(as_size(graph, power).terms().size() == 1);
}

TEST_CASE("the builder folds what needs no op") {
  Graph graph;
  Builder b(graph);
  const ValueId two = b.constant(2, Element::integer);
  CHECK(constant_value(graph, b.map(ScalarOp::pow, two, two)) == 4);
  CHECK(graph.type(b.map(ScalarOp::div, two, two)).element == Element::real);
  CHECK(b.transpose(two) == two);
  CHECK(b.convert(two, Element::integer) == two);
  CHECK(b.fill(two, 1, 1) == two);
  CHECK(constant_value(graph, b.convert(b.constant(0.1, Element::real), Element::single)) == static_cast<double>(0.1f));
}
