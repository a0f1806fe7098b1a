// Where matrices of a run lie. Large blocks stay at hand when they are given back: a host that runs a program every
// frame does not pay for fresh pages every frame (the system clears each of them first: as long as a pass over it).
#pragma once

#include <cstddef>

namespace lac::runtime {

/// From this size on a block has pages of 2 MiB, where the system gives them, and stays at hand.
inline constexpr std::size_t large_block = std::size_t{4} << 20;
/// Bytes that stay at hand in this process, at most, the newest ones; none where its addresses are limited (ulimit -v).
/// The system may take their pages back at any time without a word (MADV_FREE): they are a loan of what nobody needs.
inline constexpr std::size_t most_kept = std::size_t{1} << 30;

/// Uninitialised memory, 64-byte aligned, and a large block near the start of a page of 2 MiB, where no two of eight in
/// a row begin in the same set of a cache; null where there is none. `bytes` is a multiple of 64. Thread-safe.
void* take_block(std::size_t bytes);
/// Of a block that was taken with so many bytes.
void give_back_block(void* block, std::size_t bytes);

/// For memory that nobody has written to yet and that is about to be written whole (else it takes more than it would
/// have), where it is large. A kernel goes through many matrices side by side, each page of which it has to look up:
/// pages of 2 MiB save a tenth to a fifth of its time.
void ask_for_large_pages(void* memory, std::size_t bytes);

/// What is at hand. It is dropped where the system refuses memory.
std::size_t kept_bytes();
void drop_kept_blocks();

}  // namespace lac::runtime
