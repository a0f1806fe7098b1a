// Files of variables: what is written reads back, what other programs write is read, and hostile bytes end in a
// message.
#include "runtime/files/data/data_file.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <memory>

#include "runtime/files/data/inflate.h"
#include "runtime/files/data/mat_file.h"
#include "runtime/files/data/octave_text.h"
#include "runtime/files/data/utf.h"
#include "runtime/tensor/convert.h"

using namespace lac;
using namespace lac::runtime;

namespace {

DataValue text_value(const std::string& text) {
  std::vector<double> codes;
  for (const char c : text) codes.push_back(static_cast<unsigned char>(c));
  return matrix_value(DataClass::text, Tensor::dense(Element::integer, text.empty() ? 0 : 1,
                                                     static_cast<std::int64_t>(text.size()), codes));
}

DataValue numbers(DataClass data_class, std::int64_t rows, std::int64_t cols, const std::vector<double>& values) {
  return matrix_value(data_class, Tensor::dense(element_of(data_class), rows, cols, values));
}

DataValue cells(std::int64_t rows, std::int64_t cols, std::vector<DataValue> items) {
  DataValue value;
  value.form.data_class = DataClass::cell;
  value.form.extents = {rows, cols};
  value.items = std::move(items);
  return value;
}

DataValue record(std::vector<std::string> fields, std::vector<DataValue> items) {
  DataValue value;
  value.form.data_class = DataClass::record;
  value.form.fields = std::move(fields);
  value.form.extents = {
      1, value.form.fields.empty() ? 1 : static_cast<std::int64_t>(items.size() / value.form.fields.size())};
  value.items = std::move(items);
  return value;
}

/// A variable of every kind.
std::vector<NamedValue> all_kinds() {
  const Tensor sparse = csr_from_triplets(Element::real, 3, 2, {{0, 1, 1.5}, {2, 0, -2}});
  const Tensor other = csr_from_triplets(Element::real, 3, 2, {{1, 1, 3}});
  DataValue array = numbers(DataClass::uint8, 4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  array.form.extents = {2, 2, 2};
  return {{"x", numbers(DataClass::real, 1, 1, {1.0 / 3})},
          {"m", numbers(DataClass::real, 2, 2, {1, std::numeric_limits<double>::infinity(), -0.0, 1e300})},
          {"none", numbers(DataClass::real, 0, 3, {})},
          {"z", complex_value(DataClass::real, Tensor::scalar(1), Tensor::scalar(2))},
          {"f", numbers(DataClass::single, 1, 2, {0.1, 2})},
          {"b", numbers(DataClass::logical, 1, 2, {1, 0})},
          {"i", numbers(DataClass::int64, 1, 2, {-9007199254740992.0, 7})},
          {"t", text_value("abc \n # name: y")},
          {"empty", text_value("")},
          {"u", text_value("h\xc3\xa9llo \xf0\x9f\x98\x80")},
          {"s", matrix_value(DataClass::real, sparse)},
          {"zs", complex_value(DataClass::real, sparse, other)},
          {"nd", array},
          {"c", cells(1, 2, {numbers(DataClass::int8, 1, 1, {-1}), cells(0, 0, {})})},
          {"st", record({"a", "bc"}, {text_value("q"), cells(1, 1, {text_value("r")})})},
          {"sa", record({"p"}, {numbers(DataClass::real, 1, 1, {1}), text_value("x")})}};
}

bool same(const Tensor& a, const Tensor& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.stored() != b.stored()) return false;
  for (std::int64_t k = 0; k < a.stored(); ++k)
    if (a.stored_value(k) != b.stored_value(k)) return false;
  return true;
}

bool same(const DataValue& a, const DataValue& b) {
  if (!(form_of(a) == form_of(b)) || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same(a.items[i], b.items[i])) return false;
  return same(a.re, b.re) && same(a.im, b.im);
}

std::string bytes_of(DataFormat format, const std::vector<NamedValue>& variables) {
  if (format == DataFormat::text) return format_octave_text(variables);
  return mat_header() + format_mat_variables(variables, format == DataFormat::compressed_mat).value();
}

/// Why the first variable of the text has no value.
std::string problem_of(const std::string& text) {
  const Result<DataFile> file = parse_data(text, "f");
  return file ? file.value().variables.at(0).problem : "";
}

std::string failure_of(const std::string& bytes) {
  const Result<DataFile> file = parse_data(bytes, "f");
  return file ? "accepted" : file.failure().message;
}

std::string word(std::uint32_t value, bool swapped = false) {
  std::string bytes(reinterpret_cast<const char*>(&value), 4);
  if (swapped) std::swap(bytes[0], bytes[3]), std::swap(bytes[1], bytes[2]);
  return bytes;
}

}  // namespace

TEST_CASE("what is written in each format reads back") {
  const std::vector<NamedValue> variables = all_kinds();
  for (const DataFormat format : {DataFormat::text, DataFormat::mat, DataFormat::compressed_mat}) {
    const Result<DataFile> file = parse_data(bytes_of(format, variables), "f");
    REQUIRE(file.ok());
    REQUIRE(file.value().variables.size() == variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      INFO(variables[i].name);
      CHECK(file.value().variables[i].name == variables[i].name);
      CHECK(same(file.value().variables[i].value, variables[i].value));
    }
  }
}

TEST_CASE("every beginning of a file ends in a message or in fewer variables") {
  for (const DataFormat format : {DataFormat::text, DataFormat::mat, DataFormat::compressed_mat}) {
    const std::string bytes = bytes_of(format, all_kinds());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Result<DataFile> file = parse_data(bytes.substr(0, size), "f");
      if (file) CHECK(file.value().variables.size() <= all_kinds().size());
      else CHECK(file.failure().message.starts_with("f"));
    }
  }
}

TEST_CASE("a damaged byte anywhere crashes nothing") {
  for (const DataFormat format : {DataFormat::text, DataFormat::mat, DataFormat::compressed_mat}) {
    const std::string bytes = bytes_of(format, all_kinds());
    const MemoryBudget::Scope limited(std::make_shared<MemoryBudget>(std::int64_t{1} << 26));
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (const char damage : {'\0', '\xff', '9', static_cast<char>(bytes[at] ^ 1)}) {
        std::string damaged = bytes;
        damaged[at] = damage;
        try {
          (void)parse_data(damaged, "f");
        } catch (const std::bad_alloc&) {
        }
      }
  }
}

TEST_CASE("counts that the file cannot hold are refused before memory is reserved") {
  const MemoryBudget::Scope limited(std::make_shared<MemoryBudget>(1 << 20));
  CHECK(failure_of("# name: x\n# type: matrix\n# rows: 100000\n# columns: 100000\n 1 2\n") ==
        "f:5: the file ends too early");
  CHECK(failure_of("# name: x\n# type: matrix\n# rows: 9000000000000000000\n# columns: 9\n 1\n") ==
        "f:5: there is no room for so many elements");
  CHECK(failure_of("# name: x\n# type: cell\n# rows: 1000000\n# columns: 1000000\n") == "f:5: the file ends too early");
  CHECK(failure_of("# name: x\n# type: string\n# elements: 1\n# length: 99999999\nabc\n") ==
        "f:5: a string ends too early");
  CHECK(failure_of("# name: x\n# type: sparse matrix\n# nnz: 1\n# rows: 2\n# columns: 2\n3 1 5\n") ==
        "f:6: an index lies outside of the matrix");
  CHECK(failure_of("# name: x\n# type: sparse matrix\n# nnz: 99999\n# rows: 2\n# columns: 2\n1 1 5\n") ==
        "f:6: the file ends too early");
}

TEST_CASE("structs and cells nest to a limit") {
  std::string text = "# name: x\n";
  for (int depth = 0; depth < 5000; ++depth) text += "# type: cell\n# rows: 1\n# columns: 1\n# name: <cell-element>\n";
  CHECK(failure_of(text).find("too deep") != std::string::npos);
  DataValue value = cells(1, 1, {numbers(DataClass::real, 1, 1, {1})});
  for (int depth = 0; depth < 200; ++depth) value = cells(1, 1, {value});
  CHECK(failure_of(bytes_of(DataFormat::compressed_mat, {{"x", value}})).find("too deep") != std::string::npos);
}

TEST_CASE("what is compressed is inflated within the memory of the run") {
  const std::string zeros(std::size_t{1} << 26, '\0');
  const std::string bomb = deflated(word(14) + word(1U << 26) + zeros);
  const std::string file = mat_header() + word(15) + word(static_cast<std::uint32_t>(bomb.size())) + bomb;
  const auto budget = std::make_shared<MemoryBudget>(std::int64_t{1} << 22);
  const MemoryBudget::Scope limited(budget);
  CHECK_THROWS_AS((void)parse_data(file, "f"), std::bad_alloc);
  CHECK(budget->refused());
}

TEST_CASE("a MAT file of the other byte order, with small elements and a narrow storage of doubles") {
  std::string header = mat_header();
  std::swap(header[124], header[125]);
  std::swap(header[126], header[127]);
  const std::string array = word(6, true) + word(8, true) + word(6, true) + word(0, true) +  // flags: double
                            word(5, true) + word(8, true) + word(1, true) + word(2, true) +  // 1 x 2
                            word(1U << 16 | 1, true) + "x" + std::string(3, '\0') +          // the name, in its tag
                            word(2U << 16 | 2, true) + "\x07\xff" + std::string(2, '\0');    // two bytes, in their tag
  const Result<DataFile> file = parse_data(header + word(14, true) + word(array.size(), true) + array, "f");
  REQUIRE(file.ok());
  CHECK(same(file.value().find("x")->value, numbers(DataClass::real, 1, 2, {7, 255})));
}

TEST_CASE("variables of classes that the language lacks have a problem in place of a value") {
  const std::string array = word(6) + word(8) + word(16) + word(0) +          // flags: a function handle
                            word(1U << 16 | 1) + "g" + std::string(3, '\0');  // its name
  const std::string other = format_mat_variables({{"x", numbers(DataClass::real, 1, 1, {3})}}, false).value();
  const Result<DataFile> file = parse_data(mat_header() + word(14) + word(array.size()) + array + other, "f");
  REQUIRE(file.ok());
  CHECK(file.value().find("g")->problem.find("function handle") != std::string::npos);
  CHECK(file.value().find("x")->value.re.as_scalar() == 3);
}

TEST_CASE("numbers are brought into their class") {
  CHECK(in_class(DataClass::int8, 300) == 127);
  CHECK(in_class(DataClass::uint16, -3) == 0);
  CHECK(in_class(DataClass::int32, 2.5) == 3);
  CHECK(in_class(DataClass::uint8, std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(!in_class(DataClass::uint64, 0x1p60));
  CHECK(parse_data("# name: x\n# type: int8 scalar\n999\n", "f").value().variables[0].value.re.as_scalar() == 127);
  CHECK(problem_of("# name: x\n# type: int64 scalar\n9007199254740993000\n").find("2^53") != std::string::npos);
}

TEST_CASE("what is outside of the language in a text leaves the variables around it readable") {
  const std::string handle =
      "# type: function handle\n@<anonymous>\n@(x) x + a\n# length: 1\n# name: a\n# type: scalar\n3\n\n";
  const std::string cells = "# name: c\n# type: cell\n# rows: 1\n# columns: 2\n# name: <cell-element>\n" + handle +
                            "# name: <cell-element>\n# type: scalar\n1\n\n";
  const std::string pages = "# name: z\n# type: complex matrix\n# ndims: 3\n 1 1 2\n(1,2)\n(3,4)\n";
  const Result<DataFile> file = parse_data(
      "# name: f\n" + handle + cells + pages + "# name: o\n# type: object\n# name: x\n# type: scalar\n7\n", "f");
  REQUIRE(file.ok());
  REQUIRE(file.value().variables.size() == 5);
  CHECK(file.value().find("f")->problem.find("function handle") != std::string::npos);
  CHECK(file.value().find("c")->problem.find("function handle") != std::string::npos);
  CHECK(file.value().find("z")->problem.find("complex of more than two dimensions") == 0);
  CHECK(file.value().find("o")->problem.find("'object'") != std::string::npos);
  CHECK(file.value().find("x")->value.re.as_scalar() == 7);
}

TEST_CASE("complex arrays of more than two dimensions, and structs without number, in a MAT file") {
  DataValue pages =
      complex_value(DataClass::real, Tensor::dense(Element::real, 4, 2), Tensor::dense(Element::real, 4, 2));
  pages.form.extents = {2, 2, 2};
  DataValue structs;
  structs.form.data_class = DataClass::record;
  structs.form.extents = {1 << 30, 1 << 20};
  const std::string bytes =
      format_mat_variables({{"z", pages}, {"s", structs}, {"x", numbers(DataClass::real, 1, 1, {3})}}, false).value();
  const Result<DataFile> file = parse_data(mat_header() + bytes, "f");
  REQUIRE(file.ok());
  CHECK(file.value().find("z")->problem == "complex of more than two dimensions, which is outside the language");
  CHECK(file.value().find("s")->problem.find("structs") != std::string::npos);
  CHECK(file.value().find("x")->value.re.as_scalar() == 3);
}

TEST_CASE("empty values and ranges of Octave's text") {
  const auto read = [](const std::string& type) {
    const Result<DataFile> file = parse_data("# name: x\n# type: " + type, "f");
    REQUIRE(file.ok());
    return file.value().variables[0].value;
  };
  CHECK(read("null_matrix\n# rows: 0\n# columns: 0\n").form.extents == std::vector<std::int64_t>{0, 0});
  CHECK(read("null_sq_string\n# elements: 0\n").form.data_class == DataClass::text);
  CHECK(read("null_string\n# elements: 0\n").form.double_quoted);
  CHECK(read("double_range\n# base, limit, increment\n5 7 0\n").re.cols() == 0);
  CHECK(same(read("range\n# base, limit, increment\n5 2 0\n"), numbers(DataClass::real, 1, 2, {5, 5})));
}

TEST_CASE("bytes that are no UTF-8 come back from a MAT file") {
  const DataValue text = numbers(DataClass::text, 1, 2, {97, 255});
  const Result<DataFile> file = parse_data(mat_header() + format_mat_variables({{"t", text}}, false).value(), "f");
  REQUIRE(file.ok());
  CHECK(same(file.value().find("t")->value, text));
}

TEST_CASE("tables of numbers") {
  const auto table = [](const std::string& text) { return parse_data(text, "t"); };
  const Result<DataFile> good = table("% a\n1 2,3 # b\n\n4\t5 NA\r\n");
  REQUIRE(good.ok());
  CHECK(good.value().variables[0].name.empty());
  CHECK(good.value().variables[0].value.re.at(1, 1) == 5);
  CHECK(std::isinf(table("1e400 1\n").value().variables[0].value.re.at(0, 0)));
  CHECK(table("1 2;\n3 4;\n").value().variables[0].value.re.at(1, 1) == 4);
  CHECK(table("1;2\n3;4\n").value().variables[0].value.re.at(1, 0) == 3);
  CHECK(table("1+2i 3\n").failure().message == "t:1: '1+2i' is no number");
  CHECK(table("1 2\n3\n").failure().message == "t:2: 1 numbers stand in a line, where the lines before have 2");
  CHECK(table("1 2\n3 x\n").failure().message == "t:2: 'x' is no number");
  CHECK(table("% nothing\n").failure().message == "t: the file holds no numbers");
}

TEST_CASE("other formats are refused by name") {
  CHECK(failure_of("\x89HDF\r\n\x1a\n").find("HDF5") != std::string::npos);
  CHECK(failure_of("Octave-1-L....").find("binary") != std::string::npos);
  CHECK(failure_of("\x1f\x8b rest").find("gzip") != std::string::npos);
  CHECK(failure_of("MATLAB 5.0 MAT-file, written by nobody") ==
        "f: the MAT file cannot be read: it ends too early, or is damaged");
}

TEST_CASE("values are held against the form that they should have") {
  FileForm form;
  for (const NamedValue& variable : all_kinds())
    form.variables.push_back({variable.name, generalised(form_of(variable.value)), {}});
  const auto file = [] { return parse_data(bytes_of(DataFormat::mat, all_kinds()), "f").take(); };
  CHECK(values_of_form(file(), form, "f").ok());
  form.variables.resize(2);
  CHECK(values_of_form(file(), form, "f").ok());
  form.is_all = true;
  CHECK(values_of_form(file(), form, "f").failure().message.find("holds 'none'") != std::string::npos);
  form.is_all = false;
  form.variables[0].form.data_class = DataClass::int8;
  CHECK(values_of_form(file(), form, "f").failure().message == "f: x is 1x1 double, where 1x1 int8 was expected");
}

TEST_CASE("forms as text") {
  FileForm form;
  form.is_all = true;
  for (const NamedValue& variable : all_kinds()) form.variables.push_back({variable.name, form_of(variable.value), {}});
  const std::string text = serialised(form);
  CHECK(parsed_form(text) == form);
  for (std::size_t size = 0; size < text.size(); ++size) CHECK(!parsed_form(text.substr(0, size)));
}

TEST_CASE("characters of other encodings") {
  CHECK(utf8_of({'a', 0xe9, 0x20ac, 0xd83d, 0xde00}) == "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(utf8_of({0xd83d, 'x'}) == "\xef\xbf\xbdx");
  CHECK(utf16_of("\xf0\x9f\x98\x80") == std::vector<std::uint16_t>{0xd83d, 0xde00});
  CHECK(!utf16_of("\xc3"));
  CHECK(!utf16_of("\xff"));
}
