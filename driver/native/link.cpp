#include "driver/native/link.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "ir/support/interface_stamp.h"
#include "runtime/files/files.h"

extern char** environ;

namespace lac::driver {

namespace {

namespace fs = std::filesystem;

/// A temporary folder that disappears with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "lac-XXXXXX").string();
    if (::mkdtemp(pattern.data())) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  bool ok() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// Runs a program with its output in `log`; the exit status, or why it did not start.
Result<int> run_command(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Failure{command[0] + " cannot be started: " + std::strerror(error)};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Failure{command[0] + ": " + std::strerror(errno)};
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::vector<std::string> link_command(const std::vector<std::string>& objects, const std::string& libraries,
                                      const std::string& output) {
  const char* compiler = std::getenv("CC");
  std::vector<std::string> command = {compiler && *compiler ? compiler : "cc"};
  command.insert(command.end(), objects.begin(), objects.end());
  // The program loads at any address, and what the loader has filled in is read-only before `main`.
  command.insert(command.end(), {"-pie", "-Wl,-z,relro,-z,now,-z,noexecstack", "-o", output, "-L" + libraries,
                                 "-Wl,--as-needed", "-Wl,--strip-debug", "-Wl,--gc-sections"});
  for (const char* library : {"lac_program", "lac_runtime", "lac_frontend", "lac_ir", "sleef", "tbb", "fmt", "openblas",
                              "png", "gif", "z", "stdc++", "m", "pthread"}) {
    command.push_back(std::string("-l") + library);
  }
#ifdef LAC_SANITIZED
  command.push_back("-fsanitize=address,undefined");
#endif
  return command;
}

bool holds_libraries(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "liblac_program.a", error);
}

}  // namespace

std::vector<fs::path> library_directories() {
  if (const char* given = std::getenv("LAC_LIBRARY_DIR")) return {given};
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {beside / "lib", beside.parent_path() / "lib", beside.parent_path() / LAC_INSTALL_LIBDIR};
}

Result<std::string> library_directory() {
  const std::vector<fs::path> folders = library_directories();
  for (const fs::path& folder : folders)
    if (holds_libraries(folder)) return folder.string();
  return Failure{"liblac_program.a is not in " + folders.front().string() + ": set LAC_LIBRARY_DIR to its folder"};
}

std::string of_another_build(const std::string& file) {
  return file +
         " is of another build of lac: LAC_LIBRARY_DIR is to name the folder of the libraries that came with this one";
}

Result<Linked> link_program(const std::vector<std::string>& objects, const std::string& path) {
  Result<std::string> libraries = library_directory();
  if (!libraries) return libraries.failure();
  const std::string archive = libraries.value() + "/liblac_ir.a";
  const Result<std::string> archived = runtime::read_file(archive);
  if (!archived) return archived.failure();
  if (archived.value().find(ir::interface_stamp()) == std::string::npos) return Failure{of_another_build(archive)};
  const TemporaryFolder folder;
  if (!folder.ok()) return Failure{"no temporary folder can be made"};
  std::vector<std::string> names;
  for (const std::string& object : objects) {
    names.push_back(folder.file("program" + std::to_string(names.size()) + ".o"));
    const auto written = runtime::write_file(names.back(), object);
    if (!written) return written.failure();
  }
  const std::string program = folder.file("program");
  const Result<int> status = run_command(link_command(names, libraries.value(), program), folder.file("log"));
  if (!status) return status.failure();
  if (status.value() != 0) {
    const Result<std::string> log = runtime::read_file(folder.file("log"));
    return Failure{path + ": the link failed:\n" + (log ? log.value() : "")};
  }
  const Result<std::string> bytes = runtime::read_file(program);
  if (!bytes) return bytes.failure();
  const auto written = runtime::write_file(path, bytes.value(), runtime::FileUse::program);
  if (!written) return written.failure();
  return Linked{};
}

}  // namespace lac::driver
