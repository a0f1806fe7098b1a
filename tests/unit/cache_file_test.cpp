#include "runtime/files/cache_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

using namespace lac::runtime;
namespace fs = std::filesystem;

TEST_CASE("a cache is used where it is this user's own") {
  std::string name = (fs::temp_directory_path() / "lac-cache-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()));
  const fs::path folder = fs::path(name) / "code";
  const fs::path file = folder / "object-1.bin";
  const auto read = [&] {
    const std::vector<char> bytes = read_cache_file(file).bytes;
    return std::string(bytes.begin(), bytes.end());
  };
  REQUIRE(write_cache_file(file, "code").empty());
  CHECK(static_cast<unsigned>(fs::status(folder).permissions()) == 0700);
  CHECK(read() == "code");

  SECTION("a folder that everybody may write to") {
    chmod(folder.c_str(), 0777);
    CHECK(read().empty());
    CHECK_FALSE(write_cache_file(file, "other").empty());
  }
  SECTION("a file that everybody may write to") {
    chmod(file.c_str(), 0666);
    CHECK(read().empty());
  }
  SECTION("a link to a file") {
    fs::rename(file, folder / "elsewhere");
    fs::create_symlink("elsewhere", file);
    CHECK(read().empty());
  }
  SECTION("another user's") {
    if (geteuid() == 0) {  // nobody else can give files away
      REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
      CHECK(read().empty());
      REQUIRE(chown(file.c_str(), 0, 0) == 0);
      REQUIRE(chown(folder.c_str(), 65534, 65534) == 0);
      CHECK(read().empty());
      CHECK_FALSE(write_cache_file(file, "other").empty());
    }
  }
  fs::remove_all(name);
}
