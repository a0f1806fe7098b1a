#include "ir/types/size.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "ir/types/extent.h"
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
  CHECK(may_equal(symbols(), Size(largest), Size(largest)));
  CHECK_FALSE(may_equal(symbols(), Size(largest), 5));
}

TEST_CASE("sizes evaluate exactly below 2^53 and keep their sign beyond") {
  const auto at = [](const Size& size, std::int64_t n_value, std::int64_t m_value) {
    return size.evaluate([&](SymbolId id) { return id == n_id ? n_value : m_value; });
  };
  constexpr std::int64_t p26 = 1 << 26, p32 = std::int64_t{1} << 32, p40 = std::int64_t{1} << 40;
  CHECK(at(n * n * 2 - 1, p26, 0) == beyond_extents);  // 2^53 is rounded to: its neighbours are not known apart
  CHECK(at(n * n, p26, 0) == p26 * p26);
  CHECK(at(n - 1, largest_extent - 1, 0) == largest_extent - 2);
  CHECK(at(n * n + 1, p32, 0) == beyond_extents);
  CHECK(at(1 - n * n, p32, 0) == -beyond_extents);
  CHECK(at(n * n + m * m + 5, p40, 2 * p40) == beyond_extents);
  CHECK(at(n * n - m * m + 5, p40, 2 * p40) == -beyond_extents);
  CHECK(at(n * n - m * m + 5, 2 * p40, p40) == beyond_extents);
  CHECK(at(n * n - m * m + 5, p40, p40) == beyond_extents);  // 5 is lost beside 2^80: too large rather than wrong
  CHECK(at(n * m, beyond_extents, 0) == 0);
  CHECK(at(n - 1, beyond_extents, 0) == beyond_extents);
  CHECK(at(n - m, beyond_extents, beyond_extents) == beyond_extents);
  CHECK(at(n - m + 7, largest_extent, largest_extent - 1) == 8);  // integers hold it
  CHECK(at(n - 32 * m, largest_extent, largest_extent) == -beyond_extents);
  CHECK(evaluate_sum(n * n, [&](SymbolId) { return p32; }).number() == 0x1p64);
  CHECK(evaluate_sum(0 - n * n, [&](SymbolId) { return p32; }).number() == -0x1p64);
}

TEST_CASE("extents, their products and numbers as sizes") {
  CHECK(checked_count(std::int64_t{1} << 26, std::int64_t{1} << 26) == std::int64_t{1} << 52);
  CHECK(checked_count(std::int64_t{1} << 26, std::int64_t{1} << 27) == std::nullopt);
  CHECK(checked_count(274177, 67280421310721) == std::nullopt);  // 2^64 + 1
  CHECK(checked_count(-1, 0) == std::nullopt);
  CHECK(checked_count(0, largest_extent) == 0);
  CHECK(checked_count(0, largest_extent + 1) == std::nullopt);
  CHECK(size_of_number(0x1p53 - 1) == largest_extent);
  CHECK(size_of_number(0x1p53) == beyond_extents);
  CHECK(size_of_number(-1e300) == -beyond_extents);
  CHECK(size_of_number(-std::numeric_limits<double>::infinity()) == -beyond_extents);
  CHECK(size_of_number(std::numeric_limits<double>::quiet_NaN()) == 0);
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

TEST_CASE("sizes are equal however they came about") {
  const Size product = n * m, twice = n + n;
  CHECK(product - product == Size(0));
  CHECK((product + n) - product == n);
  CHECK(((product + n) - product).as_symbol() == n_id);
  CHECK(twice - n == n);
  CHECK((n * 0).is(0));
  CHECK((n + 3) * 1 == n + 3);
  CHECK(1 * product == product);
  CHECK(0 * product == Size(0));
  CHECK(n + m - n == m);
  CHECK(Size::from_terms({{2, {n_id}}, {5, {}}, {-1, {n_id}}}) == n + 5);
  CHECK(Size::from_terms({{1, {m_id, n_id}}, {0, {n_id}}}) == product);
  CHECK(Size::from_terms((twice * m + 4).terms()) == 2 * n * m + 4);
  CHECK((n + 1).lower_bound(symbols()) == 3);
  CHECK((1 - n).lower_bound(symbols()) == std::nullopt);
  CHECK((product - 1).lower_bound(symbols()) == 3);
  CHECK(unbounded.lower_bound(symbols()) == std::nullopt);
  CHECK((n + 2).substitute([](SymbolId) { return std::optional<Size>(m - 2); }) == m);
}

TEST_CASE("a size is divided by one term where that leaves nothing") {
  CHECK(quotient(n * n, n) == n);
  CHECK(quotient(2 * n * m + 4 * n, 2 * n) == m + 2);
  CHECK(quotient(6, 3) == Size(2));
  CHECK(quotient(0, n) == Size(0));
  CHECK_FALSE(quotient(n * n + 1, n));
  CHECK_FALSE(quotient(n, 2));
  CHECK_FALSE(quotient(n * n - 1, n - 1));
  CHECK_FALSE(quotient(0, 0));
}
