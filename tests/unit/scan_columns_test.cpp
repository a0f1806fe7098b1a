// The columns of a text, as textscan takes it apart.
#include "runtime/files/scan_columns.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace lac;
using namespace lac::runtime;

namespace {

Result<ScannedColumns> scanned(const std::string& text, const std::string& format, const ColumnRules& rules = {}) {
  return scan_columns(text, column_template(format).value(), rules);
}

std::vector<double> numbers(const std::string& text, const std::string& format, std::size_t column) {
  return scanned(text, format).value().columns.at(column).numbers;
}

}  // namespace

TEST_CASE("templates name columns, what is left out and what stands between") {
  const auto parts = column_template("%f x%%y%*s %d8").value();
  REQUIRE(parts.size() == 4);
  CHECK(parts[0].is_column());
  CHECK(parts[1].literal == "x%y");
  CHECK((parts[2].skipped && parts[2].data_class == DataClass::text));
  CHECK(parts[3].data_class == DataClass::int8);
  CHECK(column_template("%5f").failure().message.find("'%5'") != std::string::npos);
  CHECK(column_template("%[abc]").failure().message.find("'%['") != std::string::npos);
  CHECK(column_template("x").failure().message == "the template has no columns");
}

TEST_CASE("rows end where the text or the numbers do") {
  CHECK(numbers("1 2\n3 4\n5", "%f %f", 1) == std::vector<double>{2, 4});
  CHECK(numbers("1 2\n3 4\n5", "%f %f", 0) == std::vector<double>{1, 3, 5});
  CHECK(std::isnan(numbers("1 2\n3 4\n5\n", "%f %f", 1).back()));
  CHECK(numbers("1 x 2", "%f", 0) == std::vector<double>{1});
  CHECK(numbers("1.5 300", "%d %u8", 1) == std::vector<double>{255});
  CHECK(scanned("1 2\n3", "%f").value().end == 5);
}

TEST_CASE("delimiters, lines left out and a number of rows") {
  const ColumnRules rules{",", false, 1, 2};
  const Result<ScannedColumns> found = scanned("head\na b,1\n,2\nc,3\n", "%s %f", rules);
  REQUIRE(found.ok());
  CHECK(found.value().columns[0].characters == "a b");
  CHECK(found.value().columns[0].lengths == std::vector<std::size_t>{3, 0});
  CHECK(found.value().columns[1].numbers == std::vector<double>{1, 2});
  CHECK(scanned("1,x", "%f %f", {","}).failure().message == "a field that begins with 'x' is no number");
  CHECK(scanned("a\nb", "%f", {"", false, 1000000000}).value().columns[0].numbers.empty());
}

TEST_CASE("words, as strread takes a text apart") {
  ColumnRules rules;
  rules.has_words = true;
  const auto words = [&](const std::string& text, const std::string& format, std::size_t column) {
    return scanned(text, format, rules).value().columns.at(column);
  };
  CHECK(std::isnan(words("1 x 3", "%f", 0).numbers.at(1)));
  CHECK(std::isnan(words("1x 3", "%f", 0).numbers.at(0)));
  CHECK(words("1 x 3", "%d", 0).numbers == std::vector<double>{1, 0, 3});
  CHECK(words("1kg 2kg", "%fkg", 0).numbers == std::vector<double>{1, 2});
  CHECK(words("x\n\r\n\ny\n", "%s", 0).lengths.size() == 2);
  CHECK(words("1 NA", "%f", 0).numbers.size() == 2);
  CHECK(numbers("1 NA", "%f", 0) == std::vector<double>{1});  // none for textscan
}
