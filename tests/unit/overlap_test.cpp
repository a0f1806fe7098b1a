#include "ir/kernel/overlap.h"

#include <catch2/catch.hpp>

using namespace lac;

namespace {

AccessMap rows_from(const Size& first) {
  AccessMap map = AccessMap::identity();
  map.row.base = first;
  return map;
}

AccessMap positions(const Size& first, const Size& step) {
  AccessMap map;
  map.linear = true;
  map.row.base = first;
  map.row.i = step;
  return map;
}

struct Fixture {
  SymbolTable symbols;
  SymbolId n = symbols.push({"n", SymbolOrigin::parameter_rows, 0, {}, 2});
  SymbolId open = symbols.push({"", SymbolOrigin::value, 0, {}, SizeSymbol::unbounded});
  Size size_n = Size::symbol(n), size_open = Size::symbol(open);

  bool apart(const Points& points, const AccessMap& read, const AccessMap& store) const {
    return reads_no_other_store(symbols, points, read, store);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "one point reads before it stores, wherever that is") {
  CHECK(apart({1, 1, 1}, rows_from(0), rows_from(1)));
  CHECK(apart({1, 1, size_n}, rows_from(size_open), rows_from(3)));
  CHECK_FALSE(apart({2, 1, 1}, rows_from(0), rows_from(1)));
}

TEST_CASE_METHOD(Fixture, "points that read where they store do not meet, unless positions repeat") {
  const Points points{size_n, size_n, 1};
  CHECK(apart(points, rows_from(3), rows_from(3)));
  AccessMap scatter = rows_from(0);
  scatter.row_gather = InstrId{0};
  CHECK_FALSE(apart(points, scatter, scatter));
  AccessMap along_k = rows_from(0);
  along_k.row.k = 1;
  CHECK_FALSE(apart({size_n, size_n, size_n}, along_k, along_k));
}

TEST_CASE_METHOD(Fixture, "ranges that are disjoint on one axis do not meet") {
  const Points points{size_n, 5, 1};
  CHECK(apart(points, rows_from(0), rows_from(size_n)));
  CHECK(apart(points, rows_from(size_n), rows_from(0)));
  CHECK_FALSE(apart(points, rows_from(0), rows_from(size_n - 1)));
  CHECK_FALSE(apart(points, rows_from(0), rows_from(size_open)));  // may be anything
  AccessMap reversed = rows_from(size_n - 1);
  reversed.row.i = -1;  // n - 1 ... 0
  CHECK(apart(points, reversed, rows_from(size_n)));
  CHECK_FALSE(apart(points, reversed, rows_from(size_n - 1)));
  AccessMap column = rows_from(0);
  column.col.j = 0;
  column.col.base = 7;
  CHECK(apart(points, column, rows_from(0)));  // columns 0 to 4 are stored
  AccessMap gathered = column;
  gathered.row_gather = InstrId{0};
  CHECK(apart(points, gathered, rows_from(0)));
  AccessMap wrapped = column;
  wrapped.col.step = AffineIndex::Step::modulo;
  wrapped.col.amount = 5;
  CHECK_FALSE(apart(points, wrapped, rows_from(0)));
}

TEST_CASE_METHOD(Fixture, "what k runs through counts") {
  AccessMap read = rows_from(0);
  read.row.i = 0;
  read.row.k = 1;
  CHECK(apart({size_n, 3, size_n}, read, rows_from(size_n)));
  CHECK_FALSE(apart({size_n, 3, size_n + 1}, read, rows_from(size_n)));
}

TEST_CASE_METHOD(Fixture, "positions compare with positions alone") {
  const Points points{size_n, 1, 1};
  CHECK(apart(points, positions(0, 2), positions(2 * size_n, 2)));
  CHECK(apart(points, positions(0, 2), positions(1, 2)));  // odd and even
  CHECK(apart(points, positions(2 * size_n, 2), positions(1, 4)));
  CHECK_FALSE(apart(points, positions(size_n, 2), positions(1, 2)));
  CHECK_FALSE(apart(points, positions(0, 2), positions(2, 2)));
  CHECK_FALSE(apart(points, positions(0, 2), positions(1, 3)));
  CHECK_FALSE(apart(points, positions(0, 1), rows_from(size_n)));
  AccessMap divided = positions(size_n, 1);
  divided.row.step = AffineIndex::Step::divide;
  divided.row.amount = 2;
  CHECK_FALSE(apart(points, divided, positions(0, 1)));
}
