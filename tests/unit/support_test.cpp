#include <catch2/catch.hpp>

#include "ir/support/diagnostics.h"

TEST_CASE("the nearest name is suggested, a far one is not") {
  CHECK(lac::nearest_name("tolerence", {"tol", "tolerance", "maxit"}) == "tolerance");
  CHECK(lac::nearest_name("zzzzzz", {"tol", "tolerance", "maxit"}).empty());
}
