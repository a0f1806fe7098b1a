// Bytes of files: what they take and wait for can be ended from outside; links stay links; and without /proc.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <new>
#include <string>

#include "runtime/files/files.h"
#include "runtime/stop.h"

using namespace lac::runtime;
namespace fs = std::filesystem;

namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "lac-bytes-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }

  fs::path path;
};

const std::atomic<bool> stop = true;

RunOptions interrupted_run() {
  RunOptions options;
  options.interrupt = &stop;
  return options;
}

/// For tests that would else wait for ever, or take all memory: `work` in a process of its own, which ends after a
/// while. The status that it ended with, 255 where it did not end by itself.
template <class Work>
int in_a_process(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    int status = 254;
    try {
      status = work();
    } catch (...) {
    }
    ::_exit(status);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

}  // namespace

TEST_CASE("reading what has no end is ended from outside") {
  const RunOptions options = interrupted_run();
  CHECK(in_a_process([&] {
          const StopScope scope(options);
          try {
            static_cast<void>(read_file("/dev/zero"));
          } catch (const Stopped& stopped) {
            return stopped.code == RunCode::interrupted ? 3 : 4;
          }
          return 5;
        }) == 3);
}

TEST_CASE("the bytes of a file count in the budget") {
  TemporaryFolder folder;
  const auto budget = std::make_shared<MemoryBudget>(1 << 20);
  CHECK(in_a_process([&] {
          const MemoryBudget::Scope scope(budget);
          try {
            static_cast<void>(read_file("/dev/zero"));
          } catch (const std::bad_alloc&) {
            return budget->refused() ? 3 : 4;
          }
          return 5;
        }) == 3);
  REQUIRE(write_file(folder.file("small"), std::string(1000, 'x')));
  fs::resize_file(folder.file("small"), 1000);
  REQUIRE(write_file(folder.file("large"), ""));
  fs::resize_file(folder.file("large"), std::uintmax_t{1} << 40);  // nothing is on the disk
  const MemoryBudget::Scope scope(budget);
  CHECK_THROWS_AS(read_file(folder.file("large")), std::bad_alloc);
  CHECK(read_file(folder.file("small")).value().size() == 1000);
  CHECK(budget->take(1 << 20));  // all of it is back
}

TEST_CASE("waiting for the other end of a pipe is ended from outside") {
  TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  const RunOptions options = interrupted_run();
  for (const bool writes : {false, true}) {
    CHECK(in_a_process([&] {
            const StopScope scope(options);
            try {
              if (writes) static_cast<void>(write_file(folder.file("pipe"), "x"));
              else static_cast<void>(read_file(folder.file("pipe")));
            } catch (const Stopped&) {
              return 3;
            }
            return 5;
          }) == 3);
  }
}

TEST_CASE("a pipe brings what its writer writes, however late it comes") {
  TemporaryFolder folder;
  const std::string path = folder.file("pipe"), text(300000, 'x');  // more than a pipe holds
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const pid_t writer = ::fork();
  if (writer == 0) {
    ::usleep(100000);
    ::_exit(write_file(path, text) ? 0 : 1);
  }
  CHECK(read_file(path).value() == text);
  int status = 0;
  REQUIRE(::waitpid(writer, &status, 0) == writer);
  CHECK(status == 0);
}

TEST_CASE("what nobody can write to is not waited for") {
  TemporaryFolder folder;
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = folder.file("socket");
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(in_a_process([&] { return write_file(path, "x") ? 5 : 3; }) == 3);
  ::close(listener);
}

TEST_CASE("a link to a file that is not there yet stays a link") {
  TemporaryFolder folder;
  fs::create_directory(folder.path / "inner");
  fs::create_symlink("inner/next", folder.path / "link");
  fs::create_symlink(folder.path / "file", folder.path / "inner" / "next");
  REQUIRE(write_file(folder.file("link"), "x"));
  CHECK(fs::is_symlink(folder.path / "link"));
  CHECK(fs::is_symlink(folder.path / "inner" / "next"));
  CHECK(!fs::is_symlink(folder.path / "file"));
  CHECK(read_file(folder.file("file")).value() == "x");
  fs::create_symlink("round", folder.path / "round");
  CHECK(!write_file(folder.file("round"), "x"));
  CHECK(fs::is_symlink(folder.path / "round"));
  CHECK(folder.entries() == 4);
}

TEST_CASE("files are written where /proc is not mounted") {
  TemporaryFolder folder;
  for (const bool root : {true, false}) {
    const int status = in_a_process([&] {
      if (::chroot(folder.path.c_str()) != 0 || ::chdir("/") != 0) return 9;
      if (!root && (::chmod("/", 0777) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0)) return 9;
      const std::string path = root ? "/a" : "/b";
      if (!write_file(path, "x") || !write_file(path, "y")) return 5;
      return read_file(path).value() == "y" ? 3 : 4;
    });
    if (status == 9) return static_cast<void>(std::puts("skipped: this user may not change the root"));
    CHECK(status == 3);
  }
  CHECK(folder.entries() == 2);
}
