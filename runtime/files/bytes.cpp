#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "runtime/files/files.h"
#include "runtime/stop.h"

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

// Pipes and devices may keep who opens, reads or writes them waiting for ever. Nothing here waits longer than that, or
// moves more bytes, without a look at what may end the run.
constexpr int longest_wait = 20;  // milliseconds
constexpr std::size_t most_bytes = std::size_t{1} << 24;

/// Until the descriptor is ready, or its other end is gone. A pipe that nobody has opened for writing is not.
void wait_until_ready(int fd, short event) {
  pollfd wanted{fd, event, 0};
  poll_stop();
  while (::poll(&wanted, 1, longest_wait) == 0) poll_stop();
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    poll_stop();
    const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), most_bytes));
    if (written < 0 && errno == EAGAIN) wait_until_ready(fd, POLLOUT);
    else if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Waits for somebody who reads from it, if it is a pipe.
int open_to_write(const std::string& path, bool pipe) {
  for (;;) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 || errno != ENXIO || !pipe) return fd;
    poll_stop();
    ::poll(nullptr, 0, longest_wait);
  }
}

Result<Written> write_directly(const std::string& path, bool pipe, std::string_view bytes) {
  Descriptor file(open_to_write(path, pipe));
  if (file.get() < 0 || !write_all(file.get(), bytes) || !file.close()) return system_failure(path, "write");
  return Written{bytes.size()};
}

/// The file behind a symbolic link, which need not be there yet, so that the link stays one.
std::string followed(std::string path) {
  if (char* resolved = ::realpath(path.c_str(), nullptr)) {
    path = resolved;
    std::free(resolved);
    return path;
  }
  constexpr int most_links = 40;  // as the system: beyond it they go round in a circle
  char target[PATH_MAX];
  for (int links = 0; links < most_links; ++links) {
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    if (size <= 0 || static_cast<std::size_t>(size) == sizeof target) break;
    const std::string_view next(target, static_cast<std::size_t>(size));
    path.resize(next.front() == '/' ? 0 : path.find_last_of('/') + 1);
    path += next;
  }
  return path;
}

/// The new content of `path` while it is written, in the same folder. Where the file system can and it is not `named`
/// from the start, it has no name until it is whole, so that a process that is killed leaves nothing behind. Its mode
/// is that of a file that open(2) makes: the umask is the process's and is not asked for.
class Unfinished {
 public:
  Unfinished(const std::string& path, mode_t mode, bool named) : path_(path) {
    std::string folder = path.substr(0, path.find_last_of('/') + 1);
    if (folder.empty()) folder = ".";
    if (!named) file_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
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
  /// It was whole, without a name, and the system gave it none.
  bool stayed_nameless() const { return nameless_; }

  /// Puts the file in the place of what was at `path`; its bytes are on the disk before its name is.
  bool finish() {
    if (::fsync(file_.get()) != 0 && errno != EINVAL && errno != EROFS) return false;
    nameless_ = name_.empty() && !take_name([&](const char* name) { return link_to(name); });
    if (nameless_) return false;
    if (!file_.close() || ::rename(name_.c_str(), path_.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  /// By /proc, or where it is not mounted by the descriptor, which only some processes may.
  bool link_to(const char* name) const {
    const std::string self = "/proc/self/fd/" + std::to_string(file_.get());
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) return true;
    return errno == ENOENT && ::linkat(file_.get(), "", AT_FDCWD, name, AT_EMPTY_PATH) == 0;
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
  bool nameless_ = false;
  Descriptor file_{-1};
};

}  // namespace

Result<std::string> read_file(const std::string& path, MemoryBudget::Share* held) {
  MemoryBudget::Share own;
  MemoryBudget::Share& share = held != nullptr ? *held : own;
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return system_failure(path, "open");
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return system_failure(path, "read");
  if (S_ISDIR(status.st_mode)) return Failure{path + ": is a directory, not a file"};
  std::string bytes;
  const auto grow = [&](std::size_t more) {
    if (!share.take(more)) throw std::bad_alloc();
    bytes.resize(bytes.size() + more);
  };
  grow(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : 65536);
  if (S_ISFIFO(status.st_mode)) wait_until_ready(file.get(), POLLIN);  // it would look empty
  std::size_t size = 0;
  for (;;) {
    poll_stop();
    const ssize_t got = ::read(file.get(), bytes.data() + size, std::min(bytes.size() - size, most_bytes));
    if (got < 0 && errno == EAGAIN) wait_until_ready(file.get(), POLLIN);
    else if (got < 0 && errno != EINTR) return system_failure(path, "read");
    if (got < 0) continue;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == bytes.size()) grow(bytes.size());
  }
  bytes.resize(size);
  return bytes;
}

Result<Written> write_file(const std::string& named, std::string_view bytes, FileUse use) {
  const std::string path = followed(named);
  struct stat status = {};
  const bool exists = ::lstat(path.c_str(), &status) == 0;
  if (exists && S_ISLNK(status.st_mode)) {  // still
    errno = ELOOP;
    return system_failure(path, "write");
  }
  if (exists && S_ISDIR(status.st_mode)) return Failure{path + ": cannot write: it is a directory"};
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, S_ISFIFO(status.st_mode), bytes);
  if (exists && ::access(path.c_str(), W_OK) != 0) return system_failure(path, "write");
  const bool keeps_mode = exists && use == FileUse::data;
  for (const bool named : {false, true}) {
    Unfinished file(path, use == FileUse::program ? 0777 : 0666, named);
    const bool complete = file.get() >= 0 && write_all(file.get(), bytes) &&
                          (!keeps_mode || ::fchmod(file.get(), status.st_mode & 07777) == 0) && file.finish();
    if (complete) return Written{bytes.size()};
    if (!file.stayed_nameless()) break;
  }
  return system_failure(path, "write");
}

}  // namespace lac::runtime
