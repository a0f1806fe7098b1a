// Whole plans through code generation and the CPU runtime, against the interpreter and against known values.
#include <atomic>
#include <catch2/catch.hpp>
#include <set>

#include "codegen/llvm/machine/object.h"
#include "driver/native/native_code.h"
#include "ir/graph/parse_text.h"
#include "ir/plan/manifest.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/pool.h"
#include "runtime/interp/interpreter.h"
#include "tests/unit/plans.h"

using namespace lac;
using runtime::RunCode;
using runtime::RunOptions;
using runtime::RunResult;
using runtime::Tensor;

namespace {

struct Program {
  Plan graph;
  Manifest manifest;
  driver::NativeCode code;

  RunResult run(const std::vector<Tensor>& parameters = {}, const RunOptions& options = {}) const {
    return runtime::run_cpu(code.program(manifest), parameters, options);
  }
};

Program compile(const std::string& text) {
  Result<Graph> parsed = parse_graph(text);
  if (!parsed) FAIL(parsed.failure().message);
  Plan graph = test::cpu_plan(parsed.take());
  codegen::CodegenOptions options;
  options.verify = true;
  Result<driver::NativeCode> code = driver::NativeCode::make(graph, options, nullptr);
  if (!code) FAIL(code.failure().message);
  Manifest manifest = make_manifest(graph);
  return {std::move(graph), std::move(manifest), code.take()};
}

std::vector<double> values(const Tensor& tensor) {
  std::vector<double> values;
  for (std::int64_t j = 0; j < tensor.cols(); ++j)
    for (std::int64_t i = 0; i < tensor.rows(); ++i) values.push_back(tensor.at(i, j));
  return values;
}

/// Runs on the CPU and on the interpreter, checks that outputs agree and gives the CPU's result.
RunResult run_both(const std::string& text, const std::vector<Tensor>& parameters = {}) {
  const Program program = compile(text);
  RunResult result = program.run(parameters);
  INFO(result.status.message);
  const RunResult expected = runtime::interpret(program.graph, parameters, {});
  INFO(expected.status.message);
  REQUIRE(result.status.code == expected.status.code);
  CHECK(result.status.trips == expected.status.trips);
  REQUIRE(result.outputs.size() == expected.outputs.size());
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    INFO(result.outputs[i].first);
    const Tensor& got = result.outputs[i].second;
    const Tensor& want = expected.outputs[i].second;
    CHECK(result.outputs[i].first == expected.outputs[i].first);
    CHECK(got.element() == want.element());
    CHECK(got.storage() == want.storage());
    CHECK((got.rows() == want.rows() && got.cols() == want.cols()));
    const std::vector<double> a = values(got), b = values(want);
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) CHECK(((std::isnan(a[k]) && std::isnan(b[k])) || a[k] == Approx(b[k])));
  }
  return result;
}

double scalar_output(const RunResult& result, std::size_t i = 0) { return result.outputs.at(i).second.as_scalar(); }

}  // namespace

TEST_CASE("scalar functions are those of the interpreter, for every function and element") {
  std::string text =
      "graph \"scalars\" f64\nparameter a: f64\nparameter b: f64\nparameter c: f32\n"
      "%0: f64 = parameter a\n%1: f64 = parameter b\n%2: f32 = parameter c\n";
  int next = 3;
  for (int i = 0; i < scalar_op_count; ++i) {
    const ScalarOp op = static_cast<ScalarOp>(i);
    for (const auto& [element, first, second] :
         {std::tuple(Element::real, "%0", "%1"), {Element::single, "%2", "%2"}}) {
      if (op == ScalarOp::select) continue;
      const Element operands[] = {element, element, element};
      const int number = next++;
      text += "%" + std::to_string(number) + ": " + std::string(name(result_element(op, operands, element))) +
              " = map " + std::string(name(op)) + " " + first + (info(op).arity > 1 ? std::string(", ") + second : "") +
              "\n";
      text += "output \"" + std::string(name(op)) + "\" %" + std::to_string(number) + "\n";
    }
  }
  const double nan = std::nan("");
  for (const auto& [a, b] :
       {std::pair(0.5, 2.0), {-1.5, 3.0}, {nan, 1.0}, {1.0, nan}, {0.0, -0.0}, {INFINITY, 2.0}, {7.0, -3.0}})
    run_both(text, {Tensor::scalar(a), Tensor::scalar(b), Tensor::scalar(a, Element::single)});
}

TEST_CASE("a loop counts, carries scalars and stops at its limit or its condition") {
  const std::string text = R"ir(graph "sum" f64
parameter limit: int
%0: int = parameter limit
%1: logical = constant 1
%2: int = constant 0
%3 trips: int, %4 s: int = loop for_range "k" %0, %1, %2 {
  arguments %5: int, %6: int
  %7: int = map add %6, %5
  %8: int = constant 100
  %9: logical = map lt %7, %8
  yield %9, %7
}
output "trips" %3
output "s" %4
)ir";
  RunResult result = run_both(text, {Tensor::scalar(5, Element::integer)});
  CHECK(scalar_output(result, 0) == 5);
  CHECK(scalar_output(result, 1) == 10);
  CHECK(scalar_output(run_both(text, {Tensor::scalar(0, Element::integer)}), 0) == 0);
  CHECK(scalar_output(run_both(text, {Tensor::scalar(-2, Element::integer)}), 0) == 0);
  result = run_both(text, {Tensor::scalar(1000, Element::integer)});
  CHECK(scalar_output(result, 0) == 15);
  REQUIRE(result.statistics.loops.size() == 1);
  CHECK(result.statistics.loops[0].trips == 15);
}

TEST_CASE("branches choose values, in loops as well") {
  const std::string text = R"ir(graph "collatz" f64
parameter n: int
%0: int = parameter n
%1: logical = constant 1
%2: int = constant 1000
%3: int, %4: int = loop while_true "" %2, %1, %0 {
  arguments %5: int, %6: int
  %7: int = constant 2
  %8: int = map mod %6, %7
  %9: int = constant 0
  %10: logical = map eq %8, %9
  %11: int = branch %10 {
    %12: f64 = map div %6, %7
    %13: int = convert %12
    yield %13
  } {
    %14: int = constant 3
    %15: int = map mul %6, %14
    %16: int = constant 1
    %17: int = map add %15, %16
    yield %17
  }
  %18: int = constant 1
  %19: logical = map ne %11, %18
  yield %19, %11
}
output "steps" %3
)ir";
  CHECK(scalar_output(run_both(text, {Tensor::scalar(27, Element::integer)})) == 111);
}

TEST_CASE("a failing check gives its message, place and trips") {
  const std::string text = R"ir(graph "check" f64
%0: int = constant 3
%1: logical = constant 1
%2: int = loop for_range "i" %0, %1 {
  arguments %3: int
  %4: int = loop for_range "j" %0, %1 {
    arguments %5: int
    %6: int = map mul %3, %5
    %7: int = constant 2
    %8: logical = map lt %6, %7
    check err id "Octave:index" "index (%d,_): out of bound %d" (_, _) %8, %6, %7
    yield %1
  }
  yield %1
}
)ir";
  const RunResult result = run_both(text);
  CHECK(result.status.code == RunCode::error);
  CHECK(result.status.message == "error: index (2,_): out of bound 2");
  CHECK(result.status.id == "Octave:index");
  CHECK(result.status.trips == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("warnings go on, formats and prints reach the sinks in order") {
  const Program program = compile(R"ir(graph "text" f64
%0: f64 = constant 2.5
%1: logical = constant 0
warn err id "my:id" "half of %g" (_) %1, %0
format out "x = %g, %s\n" (_, "yes") %0
print "x" %0
format err "done\n"
)ir");
  std::string out, err;
  RunOptions options;
  options.out = [&](std::string_view text) { out += text; };
  options.err = [&](std::string_view text) { err += text; };
  const RunResult result = program.run({}, options);
  REQUIRE(result.status.ok());
  CHECK(out == "x = 2.5, yes\nx = 2.5000\n");
  CHECK(err == "done\n");
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].message == "warning: half of 2.5");
  CHECK(result.warnings[0].id == "my:id");
}

TEST_CASE("library steps work on matrices, with several results and in place of operands") {
  const std::string text = R"ir(graph "lu" f64
symbol n rows 0 lower 2
parameter A: f64[n x n]
%0: f64[n x n] = parameter A
%1: f64[n x n], %2: f64[n x n], %3: int[1 x n] = library lu %0
%4: f64[n x n] = copy %0
%5: f64 = constant 0
%6: f64[n x n], %7: f64 = library inverse %4, %5 reuse (0)
%8: f64, %9: f64 = library det %0
output "L" %1
output "U" %2
output "p" %3
output "B" %6
output "d" %8
release %1, %2, %3, %6
)ir";
  const RunResult result = run_both(text, {Tensor::dense(Element::real, 2, 2, {1, 3, 2, 4})});
  CHECK(scalar_output(result, 4) == Approx(-2));
  CHECK(values(result.outputs[2].second) == std::vector<double>{2, 1});
}

TEST_CASE("a failing or warning library step reports it") {
  const std::string text = R"ir(graph "singular" f64
symbol n rows 0 lower 2
parameter A: f64[n x n]
%0: f64[n x n] = parameter A
%1: f64 = constant 0
%2: f64[n x n], %3: f64 = library inverse %0, %1
output "B" %2
)ir";
  const RunResult result = run_both(text, {Tensor::dense(Element::real, 2, 2, {1, 1, 1, 1})});
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].message == "warning: matrix singular to machine precision");
}

TEST_CASE("sparse matrices pass through steps, copies and outputs") {
  const std::string text = R"ir(graph "sparse" f64
symbol n rows 0 lower 2
parameter A: f64[n x n] csr
%0: f64[n x n] csr = parameter A
%1: f64[n x n] csr = library sparse_add %0, %0
%2: f64[n x n] csr = copy %1
release %1
%3: f64[n x n] = library sparse_convert %2
%4: int = library sparse_nnz %2
output "S" %2
output "F" %3
output "k" %4
release %2, %3
)ir";
  Tensor a = Tensor::csr(Element::real, 2, 2, 3);
  for (int i = 0; i < 3; ++i) {
    a.mutable_row_pointers()[i] = i == 0 ? 0 : i == 1 ? 2 : 3;
    a.mutable_column_indices()[i] = i == 1 ? 1 : i == 2 ? 1 : 0;
    a.set_stored_value(i, i + 1);
  }
  const RunResult result = run_both(text, {a});
  CHECK(values(result.outputs[1].second) == std::vector<double>{2, 0, 4, 6});
  CHECK(scalar_output(result, 2) == 3);
}

TEST_CASE("one element of a matrix is read by every kind of subscript") {
  const std::string text = R"ir(graph "index" f64
symbol n rows 0 lower 2
symbol m cols 0 lower 2
parameter A: f64[n x m]
parameter k: int
%0: f64[n x m] = parameter A
%1: int = parameter k
%2: f64 = index [at n - 1, at 1] %0
%3: f64 = index [at 3] %0
%4: f64 = index [vector 1, at 0] %0, %1
output "a" %2
output "b" %3
output "c" %4
)ir";
  const RunResult result =
      run_both(text, {Tensor::dense(Element::real, 3, 2, {1, 2, 3, 4, 5, 6}), Tensor::scalar(2, Element::integer)});
  CHECK(scalar_output(result, 0) == 6);
  CHECK(scalar_output(result, 1) == 4);
  CHECK(scalar_output(result, 2) == 2);
}

TEST_CASE("buffers released in a loop are used again: resources do not grow with trips") {
  const std::string text = R"ir(graph "pool" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]
parameter trips: int
%0: f64[n x 1] = parameter x
%1: int = parameter trips
%2: logical = constant 1
%3: f64[n x 1] = copy %0
%4: int, %5: f64[n x 1] = loop for_range "k" %1, %2, %3 {
  arguments %6: int, %7: f64[n x 1]
  %8: f64[n x 1] = copy %7
  release %7
  yield %2, %8
}
output "y" %5
release %5
)ir";
  const Tensor x = Tensor::dense(Element::real, 4, 1, {1, 2, 3, 4});
  const RunResult few = run_both(text, {x, Tensor::scalar(2, Element::integer)});
  const RunResult many = run_both(text, {x, Tensor::scalar(200, Element::integer)});
  CHECK(few.statistics.memory.resources_created == many.statistics.memory.resources_created);
  CHECK(many.statistics.memory.resources_created == 2);
  CHECK(values(many.outputs[0].second) == values(x));
}

TEST_CASE("the host gets the buffer of an output that nobody else needs, else a copy") {
  const std::string text = R"ir(graph "given" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]
%0: f64[n x 1] = parameter x
%1: f64[n x 1] = copy %0
output "before" %1
output "last" %1 reuse (0)
%2: f64[n x 1] = copy %0
output "x" %0
output "y" %2 reuse (0)
)ir";
  const Tensor x = Tensor::dense(Element::real, 8, 1, {1, 2, 3, 4, 5, 6, 7, 8});
  const Program program = compile(text);
  const RunResult first = program.run({x}), second = program.run({x});
  REQUIRE(first.status.ok());
  // The pool does not have the first one's memory any more.
  CHECK(first.statistics.memory.resources_created == 2);
  std::set<const void*> places = {x.data()};
  for (const RunResult* run : {&first, &second})
    for (const auto& [name, tensor] : run->outputs) {
      INFO(name);
      CHECK(values(tensor) == values(x));
      places.insert(tensor.data());
    }
  CHECK(places.size() == 9);
  run_both(text, {x});
}

TEST_CASE("a pool hands out its memory, or a copy of little in much") {
  runtime::Pool pool;
  runtime::PoolBuffer* buffer = pool.acquire(1000 * sizeof(double));
  void* const memory = buffer->values;
  std::fill_n(static_cast<double*>(memory), 1000, 3.0);
  const Tensor little = pool.hand_out(buffer, Element::real, 10, 1);
  CHECK(little.data() != memory);
  CHECK(values(little) == std::vector<double>(10, 3.0));

  buffer = pool.acquire(999 * sizeof(double));
  CHECK(buffer->values == memory);
  const Tensor all = pool.hand_out(buffer, Element::real, 9, 111);
  CHECK(all.data() == memory);
  CHECK(values(all) == std::vector<double>(999, 3.0));
  CHECK(static_cast<const double*>(all.data())[999] == 0.0);  // to the end of a vector

  CHECK(pool.acquire(999 * sizeof(double))->values != memory);

  Tensor made = Tensor::dense(Element::real, 2, 2, {1, 2, 3, 4});
  const void* const its = made.data();
  const Tensor given = pool.hand_out(pool.adopt(std::move(made)), Element::real, 4, 1);
  CHECK(given.data() == its);
  CHECK(given.rows() == 4);
}

TEST_CASE("random draws follow the counter") {
  run_both(R"ir(graph "random" f64
%0: f64[2 x 3] = random uniform
%1: f64 = random normal
%2: f64[2 x 1] = random uniform
%3: f64[2 x 1] = scan sum rows %2
output "a" %0
output "b" %1
output "c" %3
)ir");
}

TEST_CASE("an endless loop can be interrupted") {
  const Program program = compile(R"ir(graph "endless" f64
%0: f64 = constant inf
%1: logical = constant 1
%2: int = convert %0
%3: int = loop while_true "" %2, %1 {
  arguments %4: int
  yield %1
}
)ir");
  const std::atomic<bool> interrupt = true;
  RunOptions options;
  options.interrupt = &interrupt;
  const RunResult result = program.run({}, options);
  CHECK(result.status.code == RunCode::interrupted);
  CHECK(result.status.trips == std::vector<std::int64_t>{1});
}

TEST_CASE("too large a matrix is an error, not a crash") {
  const Program program = compile(R"ir(graph "large" f64
symbol n value 0 lower 2
parameter n: int
%0: int = parameter n
%1: f64[n x n] = random uniform
output "x" %1
)ir");
  const RunResult result = program.run({Tensor::scalar(4e9, Element::integer)});
  CHECK(result.status.code == RunCode::out_of_memory);
}

TEST_CASE("wrong parameters are refused") {
  const Program program = compile(R"ir(graph "parameters" f64
symbol n rows 0 lower 2
parameter A: f64[n x n]
%0: f64[n x n] = parameter A
output "A" %0
)ir");
  CHECK(program.run({}).status.code == RunCode::internal_error);
  CHECK(program.run({Tensor::dense(Element::real, 2, 3)}).status.code == RunCode::internal_error);
  CHECK(program.run({Tensor::dense(Element::single, 2, 2)}).status.code == RunCode::internal_error);
  CHECK(program.run({Tensor::dense(Element::real, 2, 2)}).status.ok());
}

TEST_CASE("a manifest survives its bytes, and damaged bytes are refused") {
  const Program program = compile(R"ir(graph "manifest" f64
symbol n rows 0 lower 2
parameter A: f64[n x n] diagonal(-n + 1, 0, 1) spd
parameter tol: f64
%0: f64[n x n] diagonal(-n + 1, 0, 1) spd = parameter A
%1: f64 = parameter tol
%2: logical = map lt %1, %1
check err id "a:b" "x = %g, %s" (_, "lit") %2, %1
output "tol" %1
)ir");
  Manifest manifest = program.manifest;
  manifest.sources.push_back({"a.la", "text\n"});
  const std::string bytes = to_bytes(manifest);
  const Result<Manifest> read = manifest_from_bytes(bytes);
  REQUIRE(read.ok());
  CHECK(to_bytes(read.value()) == bytes);
  CHECK(read.value().parameters[0].type == manifest.parameters[0].type);
  CHECK(read.value().steps[0].attribute == manifest.steps[0].attribute);
  CHECK(!manifest_from_bytes(bytes.substr(0, bytes.size() - 1)).ok());
  CHECK(!manifest_from_bytes(bytes + "x").ok());
  CHECK(!manifest_from_bytes("").ok());
}

TEST_CASE("objects and listings come from the same emission") {
  const Program program = compile("graph \"object\" f64\n%0: f64 = constant 1\noutput \"x\" %0\n");
  const Result<std::string> object = codegen::emit_object(program.graph, program.manifest, {});
  REQUIRE(object.ok());
  CHECK(object.value().substr(1, 3) == "ELF");
  CHECK(object.value().find("lac_manifest_size") != std::string::npos);
  CHECK(codegen::emit_llvm_text(program.graph, {}, {}).value().find("define i32 @lac_program") != std::string::npos);
  CHECK(codegen::emit_asm(program.graph, {}).value().find("lac_program:") != std::string::npos);
}

TEST_CASE("the CPU is chosen by name") {
  const Plan graph = test::cpu_plan(parse_graph("graph \"cpu\" f64\n%0: f64 = constant 1\noutput \"x\" %0\n").take());
  codegen::CodegenOptions options;
  options.cpu = "x86-64-v2";
  CHECK(codegen::emit_asm(graph, options).ok());
  options.cpu = "z80";
  const Result<std::string> refused = codegen::emit_asm(graph, options);
  REQUIRE(!refused.ok());
  CHECK(refused.failure().message.find("z80") != std::string::npos);
}
