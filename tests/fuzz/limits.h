// What an input may use. Blocks larger than the limit are refused with std::bad_alloc (or a null pointer of calloc), so
// that programs and files that ask for much meet what they would meet on a small machine.
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

}  // namespace lac::fuzz
