#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/files/files.h"

namespace lac::runtime {
namespace {

Failure system_failure(const std::string& path, const char* doing) {
  return {path + ": cannot " + doing + ": " + std::strerror(errno)};
}

/// Closes on every path out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool close() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<Written> write_directly(const std::string& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0 || !write_all(file.get(), bytes) || !file.close()) return system_failure(path, "write");
  return Written{bytes.size()};
}

// The file behind a symbolic link, so that the link stays one.
std::string followed(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result(resolved);
  std::free(resolved);
  return result;
}

// mkstemp makes files that only the owner can read; the result gets what open(..., 0666) would have given it.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return system_failure(path, "open");
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return system_failure(path, "read");
  if (S_ISDIR(status.st_mode)) return Failure{path + ": is a directory, not a file"};
  std::string bytes(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : 65536, '\0');
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure(path, "read");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == bytes.size()) bytes.resize(2 * bytes.size());
  }
  bytes.resize(size);
  return bytes;
}

Result<Written> write_file(const std::string& named, std::string_view bytes) {
  const std::string path = followed(named);
  struct stat status = {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return Failure{path + ": cannot write: it is a directory"};
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, bytes);
  if (exists && ::access(path.c_str(), W_OK) != 0) return system_failure(path, "write");
  std::string temporary = path + ".XXXXXX";
  Descriptor file(::mkstemp(temporary.data()));
  if (file.get() < 0) return system_failure(path, "write");
  const mode_t mode = exists ? status.st_mode & 07777 : default_mode();
  const bool complete = write_all(file.get(), bytes) && ::fchmod(file.get(), mode) == 0 && file.close() &&
                        ::rename(temporary.c_str(), path.c_str()) == 0;
  if (complete) return Written{bytes.size()};
  const Failure failure = system_failure(path, "write");
  ::unlink(temporary.c_str());
  return failure;
}

}  // namespace lac::runtime
