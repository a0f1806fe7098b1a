// Which kernels leave everything as it is where a scalar says so.
#include "ir/kernel/guard.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "tests/unit/kernel_data.h"

using namespace lac;

namespace {

std::optional<Guard> guard_in(const std::string& out, const std::string& body) {
  const Graph graph = test::parse_kernel(
      "kernel k0 \"k\" domain [n x 1] flat block 32 lanes 16 {\n"
      "  in x: f64[n x 1], l: logical, a: f64[n x 1], b: f64[n x 1], m: logical[n x 1], g: f64\n  out " +
      out + "\n  $0 = load x[i]\n  $1 = load l\n  $2 = load a[i]\n  $3 = load b[i]\n" + body + "}\n");
  return guard_of(*graph.kernels.begin());
}

}  // namespace

TEST_CASE("a kernel that chooses between new and old by one scalar has it as its guard") {
  CHECK(guard_in("y: f64[n x 1] from a", "  $4 = select $1, $0, $2\n  store y[i] = $4\n") == Guard{1, true});
  CHECK(guard_in("y: f64[n x 1] from a", "  $4 = select $1, $2, $0\n  store y[i] = $4\n") == Guard{1, false});
  CHECK(guard_in("y: f64[n x 1] from a, z: f64[n x 1] from b",
                 "  $4 = select $1, $0, $2\n  $5 = select $1, $2, $3\n  store y[i] = $4\n  store z[i] = $5\n") ==
        Guard{1, true});
}

TEST_CASE("what changes something whatever the scalar is has no guard") {
  CHECK(!guard_in("y: f64[n x 1]", "  $4 = select $1, $0, $2\n  store y[i] = $4\n"));         // it is written whole
  CHECK(!guard_in("y: f64[n x 1] from b", "  $4 = select $1, $0, $2\n  store y[i] = $4\n"));  // another's old element
  CHECK(!guard_in("y: f64[n x 1] from a", "  $4 = neg $2\n  store y[i] = $4\n"));
  // chosen at each point; by a number; by what is computed
  CHECK(!guard_in("y: f64[n x 1] from a", "  $4 = load m[i]\n  $5 = select $4, $0, $2\n  store y[i] = $5\n"));
  CHECK(!guard_in("y: f64[n x 1] from a",
                  "  $4 = load g\n  $5 = constant 0\n  $6 = gt $4, $5\n  $7 = select $6, $0, $2\n  store y[i] = $7\n"));
  // one result the one way, one the other; and one by no choice
  CHECK(!guard_in("y: f64[n x 1] from a, z: f64[n x 1] from b",
                  "  $4 = select $1, $0, $2\n  $5 = select $1, $3, $0\n  store y[i] = $4\n  store z[i] = $5\n"));
  CHECK(!guard_in("y: f64[n x 1] from a, z: f64[n x 1]",
                  "  $4 = select $1, $0, $2\n  store y[i] = $4\n  store z[i] = $3\n"));
  CHECK(!guard_in("y: f64[n x 1] from a, s: f64",
                  "  $4 = select $1, $0, $2\n  store y[i] = $4\n  reduce s = sum all $4\n"));
  // the element of another place
  CHECK(
      !guard_in("y: f64[n x 1] from a", "  $4 = load a[n - i - 1, 0]\n  $5 = select $1, $0, $4\n  store y[i] = $5\n"));
}
