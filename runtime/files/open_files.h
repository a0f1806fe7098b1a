// The files that a program holds open: fopen, fclose and what reads and writes by the number of a file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// What `load` has read: the matrices of its variables, each until it is taken.
struct LoadedLeaves {
  struct Leaf {
    std::vector<std::int64_t> extents;  ///< of the value, which of an array are more than those of its matrix
    Tensor matrix;
  };
  std::vector<Leaf> leaves = {};
};

/// Files by their numbers: the lowest that is free, from 3; 0 to 2 are the streams of the process. A file that is read
/// is taken as it is when it is opened, with its bytes in the budget of the thread until it is closed. What was written
/// is in the file once it is closed, or opened again here. All are closed with the object. Not for several threads.
class OpenFiles {
 public:
  static constexpr std::int64_t first_number = 3;

  /// Modes "r", "w" and "a", each with "t" or "b" behind it, which make no difference. -1 where the file cannot be
  /// opened, and `problem` says why; a Failure where there is no such mode.
  Result<std::int64_t> open(const std::string& path, const std::string& mode);
  /// Whether there is no such file any more; `problem` says why it is still there.
  bool remove(const std::string& path);
  /// Whether there is the folder now, with those that it lies in; `problem` says why not, or that it was there before.
  bool make_folder(const std::string& path);
  /// Whether the folder, which must be empty, is gone.
  bool remove_folder(const std::string& path);
  bool rename(const std::string& old_path, const std::string& new_path);
  /// In the words of the system, of the last of those above; empty where it was done.
  const std::string& problem() const { return problem_; }

  /// Failures, of all functions: no file of that number is open; it is open for the other direction; the disk.
  Result<bool> close(std::int64_t number);
  Result<bool> close_all();
  Result<bool> write(std::int64_t number, std::string_view text);
  bool is_open(std::int64_t number) const { return files_.contains(number); }
  /// What was written is in the file.
  Result<bool> flush(std::int64_t number);
  /// Whether what was read last came to the end of the file; never of one that is written.
  Result<bool> at_end(std::int64_t number);
  Result<bool> rewind(std::int64_t number);
  /// How many bytes come before what is read or written next.
  Result<std::int64_t> tell(std::int64_t number);
  enum class From : std::uint8_t { beginning, here, end };
  /// False, and nothing is changed, where the place lies outside of the file. Of a file that is read.
  Result<bool> seek(std::int64_t number, std::int64_t bytes, From from);
  /// What has not been read. It stays so until `skip` takes some of it off.
  Result<std::string_view> rest(std::int64_t number);
  void skip(std::int64_t number, std::size_t bytes);

  LoadedLeaves loaded;

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct File {
    std::string path;
    std::unique_ptr<std::FILE, Closer> written = nullptr;  ///< null: it is read
    std::string bytes = {};
    std::size_t read = 0;  ///< of the bytes
    bool at_end = false;
    MemoryBudget::Share held{};
  };

  Result<File*> find(std::int64_t number);
  Result<File> opened(const std::string& path, char direction);
  void flush_all();
  bool done(const std::error_code& error);

  std::map<std::int64_t, File> files_;
  std::string problem_;
};

}  // namespace lac::runtime
