// Files that keep what was costly to make. A broken, foreign or half-written one reads as if it were not there; one is
// replaced by renaming, so that readers see the old or the new. No failure of the disk is a failure of the caller's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lac::runtime {

/// FNV-1a: for names of files and to find damage, not against intent.
std::uint64_t content_hash(std::string_view bytes);
/// 16 digits.
std::string hexadecimal(std::uint64_t number);

/// Whether nobody but this user can have put something there: it is his, and not everybody may write to it. What is
/// read from a cache is run.
bool is_own(const std::filesystem::path& file_or_folder);

/// What `write_cache_file` was given; empty where the file or its folder is not our own, not there or not whole.
std::vector<char> read_cache_file(const std::filesystem::path& file);
/// Makes the folder where it is missing, for this user alone. False where nothing could be written.
bool write_cache_file(const std::filesystem::path& file, std::string_view payload) noexcept;

}  // namespace lac::runtime
