#include "frontend/sema/program/carried.h"

#include <catch2/catch.hpp>
#include <vector>

namespace lac::frontend {
namespace {

Carried of_element(Element element) {
  Carried carried;
  carried.element = element;
  return carried;
}

/// One for each step that a variable can rise, whatever it was before.
std::vector<Carried> steps() {
  std::vector<Carried> all;
  for (Element element : {Element::logical, Element::integer, Element::real, Element::single})
    all.push_back(of_element(element));
  for (int axis = 0; axis < 2; ++axis) {
    all.emplace_back().varies[axis] = true;
    all.emplace_back().shrinks[axis] = true;
  }
  all.emplace_back().grows = true;
  all.emplace_back().may_lack = true;
  all.emplace_back().csr = true;
  all.emplace_back().other_text = true;
  all.emplace_back().late = Carried::Late{Type::scalar(Element::real)};
  return all;
}

Carried joined(Carried a, const Carried& b) {
  a.join(b);
  return a;
}

}  // namespace

TEST_CASE("a join of carried types is above both, and no higher than needed") {
  const std::vector<Carried> all = steps();
  for (const Carried& a : all)
    for (const Carried& b : all) {
      const Carried both = joined(a, b), turned = joined(b, a);
      CHECK((both.covers(a) && both.covers(b)));
      CHECK((both.covers(turned) && turned.covers(both)));
      if (a.covers(b)) CHECK(a.covers(both));
    }
}

TEST_CASE("the elements of carried variables rise in the order of their joins") {
  const Element chain[] = {Element::logical, Element::integer, Element::real, Element::single};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) CHECK(of_element(chain[i]).covers(of_element(chain[j])) == (i >= j));
}

TEST_CASE("a carried variable rises its height and no further") {
  Carried carried;
  int rises = 0;
  for (const Carried& step : steps()) {
    CHECK(!carried.covers(step));
    carried.join(step);
    ++rises;
  }
  CHECK(rises == Carried::height);
  for (const Carried& step : steps()) CHECK(carried.covers(step));
}

TEST_CASE("variables that are not named are at the bottom") {
  CarriedTypes types, needed;
  CHECK(covers(types, {{"x", Carried{}}}));
  needed["x"].varies[0] = true;
  CHECK(!covers(types, needed));
  join(types, needed);
  CHECK(covers(types, needed));
}

}  // namespace lac::frontend
