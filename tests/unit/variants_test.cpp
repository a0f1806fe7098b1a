#include "driver/native/variants.h"

#include <catch2/catch.hpp>
#include <new>
#include <string>

#include "ir/support/result.h"

namespace lac::driver {
namespace {

struct Found {
  std::size_t calls = 0;
  std::vector<BrokenVariant> broken;
};

using Kind = frontend::ParameterSignature::Kind;

/// `count` scalar parameters of one kind, and what `add` says of every other.
Found search(std::size_t count, Kind kind, Element precision, std::size_t served,
             const std::function<Added(std::size_t call)>& add) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "param p" + std::to_string(i) + " = 0.5\n";
  const auto module = parse_module("p.la", text + "y = p0\n", {});
  REQUIRE(module->ok());
  frontend::ParameterSignature each;
  each.kind = kind;
  Found found;
  found.broken = for_each_variant(*module, Signature(count, each), precision, VariantLimits{served},
                                  [&](const Signature&) { return add(found.calls++); });
  return found;
}

Added serve(std::size_t) { return Added::served; }
Added refuse(std::size_t) { return Added::refused; }

TEST_CASE("real code in double serves every scalar, so nothing is tried beside it") {
  CHECK(search(40, Kind::real_scalar, Element::real, 15, serve).calls == 0);
  CHECK(search(40, Kind::real_scalar, Element::single, 15, serve).calls == 15);
}

TEST_CASE("the search ends when enough kinds are served") {
  CHECK(search(40, Kind::integer_symbol, Element::real, 15, serve).calls == 15);
  CHECK(search(40, Kind::integer_symbol, Element::real, 0, serve).calls == 0);
}

TEST_CASE("the search ends where everything is refused") {
  const VariantLimits limits{15};
  CHECK(search(40, Kind::integer_symbol, Element::real, 15, refuse).calls == limits.tries());
}

TEST_CASE("what is served already counts as looked at") {
  // Each of the 14 as a real number serves it as 0, 1 and larger too: 4^14 signatures, of which 2^14 need code.
  const VariantLimits limits{999};
  const std::size_t calls = search(14, Kind::integer_symbol, Element::real, limits.served, serve).calls;
  CHECK(calls > 100);
  CHECK(calls <= limits.served);
}

TEST_CASE("an exception refuses one kind of data and is told") {
  const Found found = search(2, Kind::integer_symbol, Element::single, 15, [](std::size_t call) {
    if (call == 0) throw InternalError("a bug");
    if (call == 1) throw std::bad_alloc();
    return Added::served;
  });
  REQUIRE(found.broken.size() == 2);
  CHECK(found.broken[0].message == "internal error: a bug");
  CHECK(found.broken[1].message == "out of memory");
  CHECK(found.broken[0].signature != found.broken[1].signature);
  CHECK(found.calls == 15);  // 4 * 4 kinds but the base: those that were ended are not tried again
}

}  // namespace
}  // namespace lac::driver
