#include "runtime/files/matrix_market.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "runtime/files/csv.h"
#include "runtime/files/files.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/structure.h"

using namespace lac;
using namespace lac::runtime;
namespace fs = std::filesystem;

namespace {

std::vector<double> read_values(const std::string& text) {
  const Result<Tensor> read = read_matrix_market(text, "t.mtx");
  if (!read) FAIL(read.failure().message);
  std::vector<double> values;
  for (std::int64_t i = 0; i < read.value().rows(); ++i)
    for (std::int64_t j = 0; j < read.value().cols(); ++j) values.push_back(read.value().at(i, j));
  return values;
}

std::string failure_of(const std::string& text) {
  const Result<Tensor> read = read_matrix_market(text, "t.mtx");
  return read ? "accepted" : read.failure().message;
}

const std::string real_general = "%%MatrixMarket matrix coordinate real general\n";
const std::string real_array = "%%MatrixMarket matrix array real general\n";

// A folder of its own for files a test writes.
struct TemporaryFolder {
  fs::path path;
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "lac-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

}  // namespace

TEST_CASE("coordinate files of every field and symmetry are read") {
  CHECK(read_values(real_general + "2 2 2\n1 2 1.5\n2 1 -2e-1\n") == std::vector<double>{0, 1.5, -0.2, 0});
  CHECK(read_values("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n") ==
        std::vector<double>{1, 1, 1, 0});
  CHECK(read_values("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n") ==
        std::vector<double>{0, -3, 3, 0});
  CHECK(read_values("%%MatrixMarket vector coordinate real general\n3 1\n2 7\n") == std::vector<double>{0, 7, 0});
  CHECK(read_values(real_general + "0 3 0\n").empty());
}

TEST_CASE("array files are column-major, symmetric ones hold the lower triangle") {
  CHECK(read_values(real_array + "2 2\n1\n2\n3\n4\n") == std::vector<double>{1, 3, 2, 4});
  CHECK(read_values("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n") == std::vector<double>{1, 2, 2, 3});
  CHECK(read_values("%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n") == std::vector<double>{0, -5, 5, 0});
}

TEST_CASE("the text may be written freely") {
  CHECK(read_values(" %%matrixmarket MATRIX Coordinate Real General\n% c\n\n 2 2 2\n\n% c\n 1\t1  +1D1 \n2 2 .5") ==
        std::vector<double>{10, 0, 0, 0.5});
  CHECK(read_values("%%MatrixMarket matrix coordinate real general\r\n1 1 1\r\n1 1 5\r\n") == std::vector<double>{5});
  CHECK(read_values("%%MatrixMarket matrix coordinate real general\r1 1 1\r1 1 5\r") == std::vector<double>{5});
  CHECK(read_values(real_array + "1 2\n-Inf\n1e-400\n") ==
        std::vector<double>{-std::numeric_limits<double>::infinity(), 0});
}

TEST_CASE("duplicates are added") {
  CHECK(read_values(real_general + "1 2 3\n1 2 1\n1 1 5\n1 2 2\n") == std::vector<double>{5, 3});
}

TEST_CASE("what is wrong is named with its line") {
  struct Case {
    std::string text, message;
  };
  const Case cases[] = {
      {"", "t.mtx:1: the file is empty"},
      {"1 2 3\n", "t.mtx:1: not a Matrix Market file: the first line must start with '%%MatrixMarket'"},
      {"%%MatrixMarket matrix coordinate complex general\n",
       "t.mtx:1: the field 'complex' is not supported: only real matrices are"},
      {"%%MatrixMarket matrix coordinate real hermitian\n",
       "t.mtx:1: the symmetry 'hermitian' is not supported: only real matrices are"},
      {"%%MatrixMarket matrix coordinate\n",
       "t.mtx:1: bad Matrix Market banner: expected the field (real, double, integer, unsigned-integer, pattern), "
       "found "
       "the banner ends"},
      {"%%MatrixMarket matrix array pattern general\n",
       "t.mtx:1: bad Matrix Market banner: 'pattern' needs the format 'coordinate'"},
      {real_general, "t.mtx:2: the file ends before the size line"},
      {real_general + "2 2\n", "t.mtx:2: the size line must be 'rows cols entries': it ends early"},
      {real_general + "2 2 1 1\n", "t.mtx:2: the size line must be 'rows cols entries': unexpected '1'"},
      {real_general + "2 -2 1\n", "t.mtx:2: the size line must be 'rows cols entries': '-2' is not a size"},
      {real_general + "3000000000 1 1\n",
       "t.mtx:2: the sizes 3000000000 x 1 with 1 entries exceed the limit of 2147483647"},
      {real_general + "268435456 1 0\n",
       "t.mtx:2: 268435456 rows for 0 entries: compressed rows would take 1024 MB for almost nothing"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
       "t.mtx:2: a symmetric or skew-symmetric matrix must be square, not 2 x 3"},
      {real_general + "2 2 2\n1 1 1\n", "t.mtx:4: the file ends after 1 of 2 entries"},
      {real_general + "2 2 1\n1 1 1\n% c\n2 2 1\n", "t.mtx:5: unexpected '2' after the last of 1 entries"},
      {real_general + "2 2 1\n3 1 1\n", "t.mtx:3: row index 3 is out of range 1..2"},
      {real_general + "2 2 1\n1 0 1\n", "t.mtx:3: column index 0 is out of range 1..2"},
      {real_general + "2 2 1\n1.5 1 1\n", "t.mtx:3: '1.5' is not a row index"},
      {real_general + "2 2 1\n1 1 x\n", "t.mtx:3: 'x' is not a number"},
      {real_general + "2 2 1\n1 1 1e999\n", "t.mtx:3: '1e999' is too large for double precision"},
      {real_general + "2 2 1\n1 1\n", "t.mtx:3: the entry has no value"},
      {real_general + "2 2 1\n1 1 1 2\n", "t.mtx:3: unexpected '2' after the entry"},
      {"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
       "t.mtx:3: a value of an 'integer' matrix is not an integer"},
      {real_array + "2 2\n1\n2\n3\n", "t.mtx:6: the file ends after 3 of 4 entries"},
  };
  for (const Case& c : cases) CHECK(failure_of(c.text) == c.message);
}

TEST_CASE("what is written reads back bit for bit") {
  TemporaryFolder folder;
  const double tiny = std::numeric_limits<double>::denorm_min();
  const Tensor dense = Tensor::dense(Element::real, 2, 3, {0.1, -1.0 / 3.0, 1e300, tiny, 0, 12345678901234567.0});
  for (const char* name : {"x.mtx", "x.npy", "x.csv", "X.MTX"}) {
    const std::string path = folder.file(name);
    for (const Tensor& a : {dense, to_csr(dense), to_storage(dense, Storage::diagonal)}) {
      REQUIRE(write_tensor(path, a));
      const Result<Tensor> read = read_tensor(path);
      REQUIRE(read);
      for (std::int64_t i = 0; i < 2; ++i)
        for (std::int64_t j = 0; j < 3; ++j) CHECK(read.value().at(i, j) == dense.at(i, j));
    }
  }
  CHECK(read_tensor(folder.file("X.MTX")).value().storage() == Storage::csr);
  CHECK(folder.entries() == 4);
}

TEST_CASE("an integer that a double cannot hold is refused") {
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 ";
  const std::string refused = "t.mtx:3: an integer above 2^53 in size cannot be held exactly in double precision";
  for (const char* value :
       {"9007199254740993", "-9007199254740993", "9007199254740993.0", "1e300", "9223372036854775808"})
    CHECK(failure_of(banner + value + "\n") == refused);
  CHECK(read_values(banner + "9007199254740992\n") == std::vector<double>{9007199254740992.0});
  CHECK(read_values(banner + "-9007199254740992\n") == std::vector<double>{-9007199254740992.0});
  CHECK(read_values(banner + "1e3\n") == std::vector<double>{1000});
  CHECK(failure_of("%%MatrixMarket matrix array integer general\n1 1\n9007199254740993\n") == refused);
}

TEST_CASE("files that cannot be read or written fail with a message and leave nothing behind") {
  TemporaryFolder folder;
  const Tensor a = Tensor::scalar(1);
  CHECK(read_tensor(folder.file("none.mtx")).failure().message ==
        folder.file("none.mtx") + ": cannot open: No such file or directory");
  fs::create_directory(folder.path / "d.mtx");
  CHECK(read_tensor(folder.file("d.mtx")).failure().message == folder.file("d.mtx") + ": is a directory, not a file");
  CHECK(write_tensor(folder.file("d.mtx"), a).failure().message ==
        folder.file("d.mtx") + ": cannot write: it is a directory");
  CHECK(write_tensor(folder.file("no/x.mtx"), a).failure().message ==
        folder.file("no/x.mtx") + ": cannot write: No such file or directory");
  CHECK_FALSE(write_tensor(folder.file("x.mtx.gz"), a).ok());
  CHECK_FALSE(write_tensor(folder.file("x"), a).ok());
  CHECK(folder.entries() == 1);
  if (fs::exists("/dev/full"))
    CHECK(write_file("/dev/full", "x").failure().message == "/dev/full: cannot write: No space left on device");
  REQUIRE(write_file(folder.file("g.mtx"), std::string("\x7f\x45\x00\x01\xff\xfe", 6)));
  CHECK(read_tensor(folder.file("g.mtx")).failure().message ==
        folder.file("g.mtx") + ":1: not a Matrix Market file: the first line must start with '%%MatrixMarket'");
}

TEST_CASE("a file is replaced as a whole: links and permissions stay") {
  TemporaryFolder folder;
  REQUIRE(write_tensor(folder.file("a.csv"), Tensor::scalar(1)));
  fs::permissions(folder.file("a.csv"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a.csv", folder.file("b.csv"));
  REQUIRE(write_tensor(folder.file("b.csv"), Tensor::scalar(2)));
  CHECK(fs::is_symlink(folder.file("b.csv")));
  CHECK(read_tensor(folder.file("a.csv")).value().as_scalar() == 2);
  CHECK(fs::status(folder.file("a.csv")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a new file has the mode that the umask leaves, which nobody touches, and a program may be executed") {
  TemporaryFolder folder;
  const mode_t before = umask(0027);
  REQUIRE(write_file(folder.file("data"), "x"));
  REQUIRE(write_file(folder.file("program"), "x", FileUse::program));
  REQUIRE(write_file(folder.file("replaced"), "x"));
  REQUIRE(write_file(folder.file("replaced"), "y", FileUse::program));
  CHECK(umask(before) == 0027);
  CHECK(static_cast<unsigned>(fs::status(folder.file("data")).permissions()) == 0640);
  CHECK(static_cast<unsigned>(fs::status(folder.file("program")).permissions()) == 0750);
  CHECK(static_cast<unsigned>(fs::status(folder.file("replaced")).permissions()) == 0750);
  CHECK(folder.entries() == 3);
}

TEST_CASE("a file has no name before it is whole") {
  TemporaryFolder folder;
  const std::string path = folder.file("big.csv");
  REQUIRE(write_file(path, "before"));
  const pid_t writer = fork();
  if (writer == 0) {
    signal(SIGXFSZ, SIG_DFL);
    const rlimit little = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &little);  // the write below ends the process by a signal, in the middle
    const auto written = write_file(path, std::string(4 << 20, 'x'));
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(writer, &status, 0) == writer);
  CHECK(WIFSIGNALED(status));
  CHECK(folder.entries() == 1);
  CHECK(read_file(path).value() == "before");
}

TEST_CASE("csv rows must agree and hold numbers") {
  CHECK(read_csv("# c\n1, 2\n\n3\t4\n", "t.csv").value().at(1, 0) == 3);
  CHECK(read_csv("1,2\n3\n", "t.csv").failure().message == "t.csv:2: the row has 1 numbers, the first one has 2");
  CHECK(read_csv("x,y\n1,2\n", "t.csv").failure().message == "t.csv:1: 'x' is not a number");
  CHECK(read_csv("1,,2\n", "t.csv").failure().message == "t.csv:1: an empty field");
  CHECK(read_csv("", "t.csv").failure().message == "t.csv: the file holds no numbers");
}

namespace {

// The collection of real matrices beside the repository, or "" where it is absent.
std::string data_folder() {
  if (const char* named = std::getenv("LAC_DATA_DIR")) return named;
  const fs::path beside = fs::path(LAC_SOURCE_DIR).parent_path() / "shared" / "data";
  return fs::exists(beside) ? beside.string() : "";
}

struct Expectation {
  const char* file;
  std::int64_t rows, cols, nonzeros;
};

}  // namespace

TEST_CASE("files of other projects are read") {
  const std::string folder = data_folder();
  if (folder.empty()) {
    WARN("skipped: no data folder (set LAC_DATA_DIR)");
    return;
  }
  const Expectation expectations[] = {
      {"fmm/2col_array.mtx", 3, 2, 6},
      {"fmm/nist_ex1_freeformat.mtx", 5, 5, 8},
      {"fmm/permissive/permissive_lines_indented.mtx", 1, 1, 1},
      {"fmm/permissive/permissive_banner_leading_spaces_eye3.mtx", 3, 3, 3},
      {"fmm/python-misc/windows_newlines.mtx", 3, 3, 3},
      {"fmm/python-matrix_coordinate_real_skew-symmetric.mtx", 3, 3, 5},
      {"fmm/symmetry/coordinate_symmetric_row.mtx", 3, 3, 5},
      {"fmm/symmetry/coordinate_symmetric_row_general_dup.mtx", 3, 3, 5},
      {"fmm/symmetry_array/array_symmetric.mtx", 3, 3, 9},
      {"lagraph/comments_west0067.mtx", 67, 67, 295},
      {"lagraph/empty.mtx", 3, 4, 0},
      {"lagraph/skew_fp32.mtx", 6, 6, 20},
      {"suitesparse/cholmod-fullrsa.mtx", 2, 2, 4},
      {"suitesparse/spqr-a0.mtx", 0, 0, 0},
      {"suitesparse/spqr-a10.mtx", 1, 0, 0},
      {"../spd/494_bus.mtx", 494, 494, 1666},
  };
  for (const Expectation& e : expectations) {
    const Result<Tensor> read = read_tensor(folder + "/format/" + e.file);
    INFO(e.file);
    CHECK(read);
    if (!read) continue;
    CHECK(read.value().rows() == e.rows);
    CHECK(read.value().cols() == e.cols);
    CHECK(count_nonzeros(read.value()) == e.nonzeros);
  }
}

TEST_CASE("malformed files of other projects are refused") {
  const std::string folder = data_folder();
  if (folder.empty()) {
    WARN("skipped: no data folder (set LAC_DATA_DIR)");
    return;
  }
  std::vector<std::string> files = {"lagraph/full_noheader.mtx",         "lagraph/west0067_noheader.mtx",
                                    "other/headerless-gre_115.mtx",      "other/rmatrix-wrong.mtx",
                                    "other/not-a-gzip-cegb2802.mtx.gz",  "suitesparse/cholmod-fullcrud.mtx",
                                    "suitesparse/cholmod-fullcrud2.mtx", "suitesparse/cholmod-mangle1.mtx",
                                    "suitesparse/cholmod-mangle3.mtx",   "suitesparse/mongoose-bad_header.mtx",
                                    "suitesparse/spqr-a2.mtx",           "suitesparse/spqr-r2.mtx",
                                    "suitesparse/cholmod-c.mtx",         "suitesparse/paru-row0.mtx"};
  for (const char* number : {"1", "11", "13", "15", "2", "4", "6", "8"})
    files.push_back(std::string("lagraph/mangled") + number + ".mtx");
  for (const auto& entry : fs::directory_iterator(folder + "/format/fmm/invalid"))
    files.push_back("fmm/invalid/" + entry.path().filename().string());
  for (const std::string& file : files) {
    const std::string path = folder + "/format/" + file;
    const Result<Tensor> read = read_tensor(path);
    INFO(file);
    CHECK_FALSE(read.ok());
    if (!read) CHECK(read.failure().message.rfind(path + ":", 0) == 0);
  }
}
