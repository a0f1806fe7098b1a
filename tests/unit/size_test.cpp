#include "ir/types/size.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "ir/types/text.h"
#include "ir/types/type.h"

using namespace lac;

namespace {

const SymbolId n_id{0}, m_id{1}, free_id{2};
const Size n = Size::symbol(n_id), m = Size::symbol(m_id), unbounded = Size::symbol(free_id);

std::string name_of(SymbolId id) { return id == n_id ? "n" : id == m_id ? "m" : "f"; }
std::string text(const Size& size) { return to_string(size, name_of); }

SymbolTable symbols() {
  SymbolTable table;
  table.push({"n", SymbolOrigin::parameter_rows, 0, {}, 2});
  table.push({"m", SymbolOrigin::parameter_cols, 0, {}, 2});
  table.push({"f", SymbolOrigin::value, 0, ValueId{0}, SizeSymbol::unbounded});
  return table;
}

SymbolId lookup(const std::string& name) { return name == "n" ? n_id : name == "m" ? m_id : free_id; }
const SymbolLookup lookups = {[](const std::string& name, bool) { return lookup(name); },
                              [](std::uint32_t) { return free_id; }};

}  // namespace

TEST_CASE("sizes have one normal form") {
  CHECK((n + 1) * (n - 1) == n * n - 1);
  CHECK(n * m == m * n);
  CHECK(n - n == Size(0));
  CHECK((n - n).is_constant());
  CHECK(2 * n + 3 - n == n + 3);
  CHECK((n + m) * (n + m) == n * n + 2 * n * m + m * m);
  CHECK_FALSE(n == m);
  CHECK(n.as_symbol() == n_id);
  CHECK_FALSE((n + 1).as_symbol());
}

TEST_CASE("sizes print as polynomials and read back") {
  CHECK(text(Size(0)) == "0");
  CHECK(text(Size(-3)) == "-3");
  CHECK(text(n - 1) == "n - 1");
  CHECK(text(1 - n) == "-n + 1");
  CHECK(text(n * n * 2 + m * n - 5) == "2*n^2 + n*m - 5");
  for (const Size& size : {Size(0), Size(-3), n - 1, 1 - n, n * n * 2 + m * n - 5, unbounded * n - n}) {
    const std::string written = text(size);
    TextReader reader(written);
    CHECK(text(reader.size(lookups)) == text(size));
  }
}

TEST_CASE("bounds hold for every value of the symbols") {
  const SymbolTable table = symbols();
  CHECK((n - 1).lower_bound(table) == 1);
  CHECK((n * n - 1).lower_bound(table) == 3);
  CHECK((n * m - n).lower_bound(table) == 2);
  CHECK((n * n - n).lower_bound(table) == 2);
  CHECK_FALSE((n - m).lower_bound(table));
  CHECK_FALSE((1 - n).lower_bound(table));
  CHECK_FALSE((unbounded + 1).lower_bound(table));
  CHECK((unbounded - unbounded + 4).lower_bound(table) == 4);
}

TEST_CASE("sizes evaluate and substitute") {
  const Size size = n * n - 2 * m + 1;
  CHECK(size.evaluate([](SymbolId id) { return id == n_id ? 5 : 3; }) == 20);
  CHECK(size.substitute([](SymbolId id) { return id == m_id ? std::optional<Size>(n - 1) : std::nullopt; }) ==
        n * n - 2 * n + 3);
}

TEST_CASE("sizes stop at the largest number") {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  CHECK((Size(5'000'000'000) * Size(5'000'000'000)).constant() == largest);
  CHECK((Size(5'000'000'000) * Size(-5'000'000'000)).constant() == -largest);
  CHECK((Size(largest) + 1).constant() == largest);
  CHECK((0 - Size(std::numeric_limits<std::int64_t>::min())).constant() == largest);
  CHECK((n * n + 1).evaluate([](SymbolId) { return std::int64_t{1} << 32; }) == largest);
}

TEST_CASE("types print and read back") {
  Type banded = Type::matrix(Element::single, n * n, n * n);
  banded.storage = Storage::diagonal;
  banded.offsets = {0 - n, -1, 0, 1, n};
  banded.properties.add(Property::spd);
  CHECK(to_string(banded, name_of) == "f32[n^2 x n^2] diagonal(-n, -1, 0, 1, n) spd");
  CHECK(banded.properties.has(Property::symmetric));
  Type triangular = Type::matrix(Element::real, n, m);
  triangular.properties.add(Property::lower);
  for (const Type& type : {banded, triangular, Type::scalar(Element::logical), Type::matrix(Element::integer, 0, n)}) {
    const std::string written = to_string(type, name_of);
    TextReader reader(written);
    CHECK(reader.type(lookups) == type);
  }
}

TEST_CASE("strings and numbers read back") {
  for (const std::string& s : {std::string("plain"), std::string("a\"b\\c\n\t\x01"), std::string()}) {
    const std::string written = quoted(s);
    CHECK(TextReader(written).quoted_string() == s);
  }
  for (double number : {0.0, -0.0, 0.1, 1e300, -5e-324, 1.0 / 3}) {
    const std::string written = number_text(number);
    CHECK(TextReader(written).number() == number);
  }
  CHECK(std::isnan(TextReader("nan").number()));
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
}
