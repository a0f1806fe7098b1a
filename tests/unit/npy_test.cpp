#include "runtime/files/npy.h"

#include <catch2/catch.hpp>

#include "runtime/tensor/convert.h"

using namespace lac;
using namespace lac::runtime;

namespace {

// An .npy file with this header dictionary and these data bytes.
std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string out = std::string("\x93NUMPY") + version + '\0';
  out += {static_cast<char>(dictionary.size()), '\0'};
  if (version > 1) out += {'\0', '\0'};
  return out + dictionary + data;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
         ", }\n";
}

template <class T>
std::string bytes(std::initializer_list<T> values) {
  std::string out;
  for (const T value : values) out.append(reinterpret_cast<const char*>(&value), sizeof value);
  return out;
}

std::string failure_of(const std::string& file) {
  const Result<Tensor> read = read_npy(file, "t.npy");
  return read ? "accepted" : read.failure().message;
}

}  // namespace

TEST_CASE("every element type and both orders are read") {
  const std::string data = bytes<double>({1, 2, 3, 4, 5, 6});
  for (const char version : {'\1', '\2', '\3'}) {
    const Tensor c = read_npy(npy(header("<f8", "(2, 3)"), data, version), "t.npy").value();
    CHECK(c.at(0, 1) == 2);
    CHECK(c.at(1, 0) == 4);
    const Tensor f = read_npy(npy(header("<f8", "(2, 3)", true), data, version), "t.npy").value();
    CHECK(f.at(0, 1) == 3);
    CHECK(f.at(1, 0) == 2);
  }
  CHECK(read_npy(npy(header("<f4", "(2,)"), bytes<float>({1.5f, 2})), "t").value().element() == Element::single);
  CHECK(read_npy(npy(header("|b1", "(2,)"), std::string("\0\1", 2)), "t").value().element() == Element::logical);
  CHECK(read_npy(npy(header("<i2", "(2,)"), bytes<std::int16_t>({-3, 4})), "t").value().at(0, 0) == -3);
  CHECK(read_npy(npy(header("|u1", "(1, 2)"), "\xff\x01"), "t").value().at(0, 0) == 255);
  CHECK(read_npy(npy(header(">i4", "(1,)"), std::string("\0\0\1\0", 4)), "t").value().at(0, 0) == 256);
  CHECK(read_npy(npy(header("<u8", "()"), bytes<std::uint64_t>({7})), "t").value().as_scalar() == 7);
  CHECK(read_npy(npy(header("<f8", "(0, 3)"), ""), "t").value().cols() == 3);
}

TEST_CASE("what the reader cannot hold is refused by name") {
  const std::string one = bytes<double>({1});
  CHECK(failure_of("") == "t.npy: the file is empty");
  CHECK(failure_of("garbage") == "t.npy: not an NPY file: it does not start with '\\x93NUMPY'");
  CHECK(failure_of(std::string("\x93NUMPY\x01\x00\xff\xff", 10)) == "t.npy: the file ends inside the NPY header");
  CHECK(failure_of(npy(header("<f8", "(1,)"), one, '\4')) == "t.npy: NPY format version 4.0 is not known");
  CHECK(failure_of(npy(header("<c16", "(1,)"), one + one)) == "t.npy: complex arrays are not supported (dtype '<c16')");
  CHECK(failure_of(npy(header("|O", "(1,)"), one)) ==
        "t.npy: object (pickled Python) arrays are not supported (dtype '|O')");
  CHECK(failure_of(npy(header("<f2", "(4,)"), one)) == "t.npy: half precision arrays are not supported (dtype '<f2')");
  CHECK(failure_of(npy(header("<f8", "(1, 1, 1)"), one)) ==
        "t.npy: the array has 3 dimensions: only matrices are supported");
  CHECK(failure_of(npy(header("<f8", "(2, 3)"), one)) ==
        "t.npy: the file is truncated: a 2 x 3 array needs more than the 1 values it holds");
  CHECK(failure_of(npy(header("<f8", "(1,)"), one + "x")) == "t.npy: 1 bytes follow the last value");
  CHECK(failure_of(npy(header("<i8", "(1,)"), bytes<std::int64_t>({(1LL << 53) + 1}))) ==
        "t.npy: an integer above 2^53 in size cannot be held exactly in double precision");
  CHECK(failure_of(npy(header("<f8", "(9223372036854775807, 0)"), "")) ==
        "t.npy: a 9223372036854775807 x 0 array: a matrix has at most 9007199254740991 rows and columns");
  CHECK(failure_of(npy(header("<f8", "(0, 9007199254740992)"), "")) ==
        "t.npy: a 0 x 9007199254740992 array: a matrix has at most 9007199254740991 rows and columns");
  CHECK(failure_of(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", one)) ==
        "t.npy: structured NPY arrays are not supported");
}

TEST_CASE("a header that is half understood is refused") {
  const std::string data = bytes<double>({1, 2, 3, 4, 5, 6});
  const auto of = [&](const std::string& dictionary) { return failure_of(npy(dictionary, data)); };
  const std::string rest = "'descr': '<f8', 'shape': (2, 3)";
  CHECK(of("{'fortran_order': Trze, " + rest + "}") ==
        "t.npy: the NPY header is malformed: 'fortran_order' is neither True nor False");
  CHECK(of("{'fortran_order': Truest, " + rest + "}") ==
        "t.npy: the NPY header is malformed: 'fortran_order' is neither True nor False");
  CHECK(of("{'fortran_order': False, " + rest + ", 'shape': (3, 2)}") ==
        "t.npy: the NPY header is malformed: 'shape' is there twice");
  CHECK(of("{'fortran_order': False, " + rest + ", 'order': 1}") ==
        "t.npy: the NPY header is malformed: there is no key 'order'");
  CHECK(of("{'fortran_order': False, 'descr': '<f8'}") == "t.npy: the NPY header lacks 'shape'");
  CHECK(of("'fortran_order': False, " + rest) == "t.npy: the NPY header is malformed: it does not start with '{'");
  CHECK(of("{'fortran_order': False, " + rest) ==
        "t.npy: the NPY header is malformed: ',' or '}' is expected at its end");
  CHECK(of("{'fortran_order': False " + rest + "}") ==
        "t.npy: the NPY header is malformed: 'fortran_order' is neither True nor False");
  CHECK(of("{'shape': (2, 3) 'descr': '<f8', 'fortran_order': False}") ==
        "t.npy: the NPY header is malformed: ',' or '}' is expected at ''descr': ''");
  CHECK(of("{'fortran_order': False, " + rest + "} x") == "t.npy: the NPY header is malformed: '}' is not its end");
  for (const char* shape : {"(2, 3", "(2 3)", "(2, -3)", "(6)", "[2, 3]", "(2, x)"})
    CHECK(of("{'fortran_order': False, 'descr': '<f8', 'shape': " + std::string(shape) + "}") ==
          "t.npy: the NPY header is malformed: 'shape' is no tuple of sizes");
  CHECK(failure_of(std::string("\x93NUMPY\x01\x02") + npy(header("<f8", "(2, 3)"), data).substr(8)) ==
        "t.npy: NPY format version 1.2 is not known");
  CHECK(of("{ \"shape\" : (2L, 3L,),'descr':\"<f8\",\n'fortran_order':False}\n") == "accepted");
}

TEST_CASE("what is written reads back with its element") {
  const std::vector<double> values{1, 0, -0.5, 3};
  for (const Element element : {Element::real, Element::single, Element::logical}) {
    const Tensor a = Tensor::dense(element, 2, 2, values);
    const std::string file = format_npy(a);
    CHECK(file.size() == 128 + 4 * static_cast<std::size_t>(byte_size(element)));
    const Tensor b = read_npy(file, "t").value();
    CHECK(b.element() == element);
    for (int k = 0; k < 4; ++k) CHECK(b.stored_value(k) == a.stored_value(k));
    CHECK(format_npy(to_csr(a)) == file);
  }
  CHECK(read_npy(format_npy(Tensor::scalar(5, Element::integer)), "t").value().as_scalar() == 5);
}
