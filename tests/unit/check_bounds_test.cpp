// Code that asserts its accesses (CodegenOptions::check_bounds): each kind of access outside its buffer is refused with
// its kernel, access, index and count; what is inside is as without.
#include <catch2/catch.hpp>
#include <cstring>

#include "codegen/llvm/machine/object.h"
#include "driver/native/native_code.h"
#include "ir/graph/parse_text.h"
#include "ir/plan/manifest.h"
#include "runtime/cpu/abi_functions.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/pool.h"
#include "runtime/tensor/convert.h"
#include "tests/unit/plans.h"

using namespace lac;
using runtime::RunCode;
using runtime::RunResult;
using runtime::Tensor;

namespace {

constexpr std::int64_t length = 20;

Plan read(const std::string& text) {
  Result<Graph> parsed = parse_graph(text);
  if (!parsed) FAIL(parsed.failure().message);
  return test::cpu_plan(parsed.take());
}

RunResult run(const std::string& text, const std::vector<Tensor>& parameters, bool check_bounds) {
  const Plan graph = read(text);
  const Manifest manifest = make_manifest(graph);
  Result<driver::NativeCode> code = driver::NativeCode::make(graph, {"native", true, check_bounds}, nullptr);
  if (!code) FAIL(code.failure().message);
  return runtime::run_cpu(code.value().program(manifest), parameters, {});
}

// x and y are n x 1, A is n x n in the storage; the kernel makes z, which is n x 1.
std::string program(const std::string& storage, const std::string& kernel) {
  return "graph \"bounds\" f64\nsymbol n rows 0 lower 2\nparameter x: f64[n x 1]\nparameter y: f64[n x 1]\n"
         "parameter A: f64[n x n] " +
         storage + "\n%0 x: f64[n x 1] = parameter x\n%1 y: f64[n x 1] = parameter y\n%2 A: f64[n x n] " + storage +
         " = parameter A\n%3 z: f64[n x 1] = launch k0 %0, %1, %2\noutput \"z\" %3\nrelease %3\n\n" + kernel;
}

std::string body(const std::string& storage, const std::string& text, const std::string& head = "[n x 1] columns") {
  return "kernel k0 \"z\" domain " + head + " block 32 lanes 16 {\n  in x: f64[n x 1], y: f64[n x 1], A: f64[n x n] " +
         storage + "\n  out z: f64[n x 1]\n" + text + "}\n";
}

Tensor tridiagonal(Storage storage) {
  Tensor a = Tensor::diagonal(Element::real, length, length, {-1, 0, 1});
  for (std::int64_t i = 0; i < length; ++i) {
    if (i > 0) a.set_stored_value(i, -1);
    a.set_stored_value(length + i, 2.5);
    if (i + 1 < length) a.set_stored_value(2 * length + i, -1);
  }
  return runtime::to_storage(a, storage);
}

std::vector<Tensor> parameters(Storage storage) {
  std::vector<double> ones(length, 1.0), places(length);
  for (std::int64_t i = 0; i < length; ++i) places[static_cast<std::size_t>(i)] = static_cast<double>(i + 1);
  return {Tensor::dense(Element::real, length, 1, places), Tensor::dense(Element::real, length, 1, ones),
          tridiagonal(storage)};
}

struct Case {
  Storage storage;
  std::string head, text, message;
};

const std::vector<Case>& outside() {
  static const std::string columns = "[n x 1] columns", rows = "[n x 1] rows";
  static const std::string sum =
      "  contract k over STORAGE row of A: f64 {\n    $0 = matrix_element\n"
      "    $1 = load y[INDEX]\n    $2 = mul $0, $1\n    sum $2\n  }\n"
      "  $0 = contraction\n  store z[i] = $0\n";
  const auto product = [](const std::string& storage, const std::string& index) {
    std::string text = sum;
    text.replace(text.find("STORAGE"), 7, storage);
    return text.replace(text.find("INDEX"), 5, index);
  };
  static const std::vector<Case> all = {
      {Storage::dense, columns, "  $0 = load x[i + 1]\n  store z[i] = $0\n",
       "kernel 'z': load of input 1 'x' at index 20 (from 0) of 20"},
      {Storage::dense, columns, "  $0 = load y[i - 1]\n  store z[i] = $0\n",
       "kernel 'z': load of input 2 'y' at index -1 (from 0) of 20"},
      {Storage::dense, columns, "  $0 = load x[n, 0]\n  store z[i] = $0\n",
       "kernel 'z': load of input 1 'x' at index 20 (from 0) of 20"},
      {Storage::dense, columns, "  $0 = load A[i + 1, 3]\n  store z[i] = $0\n",
       "kernel 'z': load of input 3 'A', its row at index 20 (from 0) of 20"},
      {Storage::dense, columns,
       "  $0 = load x[i]\n  $1 = constant 2\n  $2 = mul $0, $1\n  $3: int = convert $2\n"
       "  $4 = load y[@$3]\n  store z[i] = $4\n",
       "kernel 'z': load of input 2 'y' at index 21 (from 0) of 20"},
      {Storage::dense, columns, "  $0 = load x[i]\n  store z[2*i] = $0\n",
       "kernel 'z': store to output 1 'z' at index 20 (from 0) of 20"},
      {Storage::dense, columns, "  $0 = load x[i]\n  store z[i + 5] = $0\n",
       "kernel 'z': store to output 1 'z' at index 20 (from 0) of 20"},
      {Storage::csr, rows, product("csr", "k + 1"), "kernel 'z': load of input 2 'y' at index 20 (from 0) of 20"},
      {Storage::diagonal, rows, product("diagonal", "k + 1"),
       "kernel 'z': load of input 2 'y' at index 20 (from 0) of 20"},
      {Storage::dense, "[2*n x 1] columns", "  $0 = load x[i]\n  store z[0, 0] = $0\n",
       "kernel 'z': load of input 1 'x' at index 20 (from 0) of 20"},
      {Storage::csr, "[2*n x 1] rows", product("csr", "k"),
       "kernel 'z': load of input 3 'A', its row pointers at index 21 (from 0) of 21"},
  };
  return all;
}

std::string annotation(Storage storage) {
  return storage == Storage::dense ? "" : storage == Storage::csr ? "csr" : "diagonal(-1, 0, 1)";
}

}  // namespace

TEST_CASE("an access outside its buffer ends the run with its place") {
  for (const Case& c : outside()) {
    INFO(c.text);
    const std::string storage = annotation(c.storage);
    const RunResult result = run(program(storage, body(storage, c.text, c.head)), parameters(c.storage), true);
    CHECK(result.status.code == RunCode::internal_error);
    CHECK(result.status.message == c.message);
  }
}

TEST_CASE("elements are counted by what was asked for, also where the product of the extents wraps") {
  runtime::Pool pool;
  const runtime::PoolBuffer* buffer = pool.acquire(10 * 8);  // its memory has room for more
  CHECK(lac_elements(buffer, 0, 10, 1, 8) == 10);
  CHECK(lac_elements(buffer, 0, 3, 2, 8) == 6);
  CHECK(lac_elements(buffer, 0, 274177, 67280421310721, 8) == 10);
  CHECK(lac_elements(buffer, 0, -1, -1, 8) == 0);
  const runtime::PoolBuffer* sparse = pool.borrow(tridiagonal(Storage::csr));
  CHECK(lac_elements(sparse, 0, INT64_MAX, 1, 8) == 3 * length - 2);
  CHECK(lac_elements(sparse, 1, INT64_MAX, 1, 8) == length + 1);
  CHECK(lac_elements(sparse, 2, INT64_MAX, 1, 8) == 3 * length - 2);
}

TEST_CASE("elements that nobody wrote are NaN") {
  const std::string text = program("", body("", "  $0 = load x[i]\n  store z[0, 0] = $0\n"));
  const RunResult result = run(text, parameters(Storage::dense), true);
  REQUIRE(result.status.message == "");
  CHECK(result.outputs[0].second.at(0, 0) == length);
  for (std::int64_t i = 1; i < length; ++i) CHECK(std::isnan(result.outputs[0].second.at(i, 0)));
}

TEST_CASE("an element outside a buffer is refused in the program itself") {
  const std::string text = R"ir(graph "element" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]
parameter k: int
%0 x: f64[n x 1] = parameter x
%1 k: int = parameter k
%2: f64 = index [at %1] %0
output "y" %2
)ir";
  const Tensor x = Tensor::dense(Element::real, length, 1, std::vector<double>(length, 3.0));
  CHECK(run(text, {x, Tensor::scalar(length - 1, Element::integer)}, true).outputs.at(0).second.as_scalar() == 3);
  for (const double k : {-1.0, static_cast<double>(length), 1e15}) {
    const RunResult result = run(text, {x, Tensor::scalar(k, Element::integer)}, true);
    CHECK(result.status.code == RunCode::internal_error);
    CHECK(result.status.message.starts_with("load of an element at index "));
    CHECK(result.status.message.ends_with(" (from 0) of 20"));
  }
  // No matrix has that many elements: that is found first.
  CHECK(run(text, {x, Tensor::scalar(1e18, Element::integer)}, true).status.code == RunCode::out_of_memory);
}

TEST_CASE("the code is the same without the mode, and the results are with it") {
  const std::string text = program("csr", body("csr",
                                               "  contract k over csr row of A: f64 {\n    $0 = matrix_element\n"
                                               "    $1 = load y[k]\n    $2 = mul $0, $1\n    sum $2\n  }\n"
                                               "  $0 = contraction\n  $1 = load x[i]\n  $2 = mul $0, $1\n"
                                               "  store z[i] = $2\n",
                                               "[n x 1] rows"));
  const RunResult plain = run(text, parameters(Storage::csr), false);
  const RunResult checked = run(text, parameters(Storage::csr), true);
  REQUIRE(checked.status.message == "");
  const Tensor &a = plain.outputs[0].second, &b = checked.outputs[0].second;
  CHECK(std::memcmp(a.data(), b.data(), a.value_bytes()) == 0);
  const std::string code = codegen::emit_llvm_text(read(text), {}, {}).value();
  for (const char* name : {"lac_outside(", "lac_elements(", "call void @lac_check_bounds("})
    CHECK(code.find(std::string("call i32 @") + name) == std::string::npos);
  CHECK(code.find("call i64 @lac_elements") == std::string::npos);
  CHECK(code.find("lac_check_bounds(ptr %") == std::string::npos);
}
