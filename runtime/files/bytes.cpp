#include <fcntl.h>
#include <sys/random.h>
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
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }

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

/// The new content of `path` while it is written, in the same folder. Where the file system can, it has no name until
/// it is whole, so that a process that is killed leaves nothing behind. Its mode is that of a file that open(2) makes:
/// the umask is the process's and is not asked for.
class Unfinished {
 public:
  Unfinished(const std::string& path, mode_t mode) : path_(path) {
    std::string folder = path.substr(0, path.find_last_of('/') + 1);
    if (folder.empty()) folder = ".";
    file_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    if (file_.get() < 0)
      take_name([&](const char* name) {
        file_ = Descriptor(::open(name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode));
        return file_.get() >= 0;
      });
  }
  ~Unfinished() {
    const int reason = errno;
    if (!name_.empty()) ::unlink(name_.c_str());
    errno = reason;
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  int get() const { return file_.get(); }

  /// Puts the file in the place of what was at `path`; its bytes are on the disk before its name is.
  bool finish() {
    if (::fsync(file_.get()) != 0 && errno != EINVAL && errno != EROFS) return false;
    if (name_.empty() && !take_name([&](const char* name) { return link_to(name); })) return false;
    if (!file_.close() || ::rename(name_.c_str(), path_.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  bool link_to(const char* name) const {
    const std::string self = "/proc/self/fd/" + std::to_string(file_.get());
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  }

  /// Tries names beside `path_` that nobody can foresee until `take` succeeds with one, or fails for another reason
  /// than that the name is taken.
  template <class Take>
  bool take_name(const Take& take) {
    static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (int attempt = 0; attempt < 100; ++attempt) {
      unsigned char random[8];
      if (::getrandom(random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) return false;
      std::string name = path_ + ".";
      for (const unsigned char byte : random) name += letters[byte % letters.size()];
      if (take(name.c_str())) {
        name_ = std::move(name);
        return true;
      }
      if (errno != EEXIST) return false;
    }
    return false;
  }

  std::string path_;
  std::string name_;  ///< what it is called so far; empty: nothing
  Descriptor file_{-1};
};

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

Result<Written> write_file(const std::string& named, std::string_view bytes, FileUse use) {
  const std::string path = followed(named);
  struct stat status = {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return Failure{path + ": cannot write: it is a directory"};
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, bytes);
  if (exists && ::access(path.c_str(), W_OK) != 0) return system_failure(path, "write");
  const bool keeps_mode = exists && use == FileUse::data;
  Unfinished file(path, use == FileUse::program ? 0777 : 0666);
  const bool complete = file.get() >= 0 && write_all(file.get(), bytes) &&
                        (!keeps_mode || ::fchmod(file.get(), status.st_mode & 07777) == 0) && file.finish();
  if (complete) return Written{bytes.size()};
  return system_failure(path, "write");
}

}  // namespace lac::runtime
