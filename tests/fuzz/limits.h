// What an input may use. It computes for some seconds only, and blocks larger than the limit are refused with
// std::bad_alloc (or a null pointer of calloc), so that programs and files that ask for much meet what they would meet
// on a small machine.
#pragma once

#include <cstddef>

namespace lac::fuzz {

inline constexpr std::size_t large_block = std::size_t{64} << 20;

/// While it lives, blocks have at most `bytes`, in all threads.
class BlockLimit {
 public:
  explicit BlockLimit(std::size_t bytes);
  ~BlockLimit();
  BlockLimit(const BlockLimit&) = delete;
  BlockLimit& operator=(const BlockLimit&) = delete;

 private:
  std::size_t before_;
};

/// While it lives, the process ends with SIGABRT when it has computed for `most_seconds` (not: when so much time has
/// passed, which says nothing on a busy machine). Under the sanitizers, which take ten to twenty times as long.
class WorkLimit {
 public:
  static constexpr int most_seconds = 60;

  WorkLimit();
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;
};

}  // namespace lac::fuzz
