// Files that keep what was costly to make. One is replaced by renaming, so that readers see the old or the new, and
// read only where it is whole and nobody but this user can have put it there: what it holds is run. No failure of the
// disk is a failure of the caller's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lac::runtime {

/// For names of files and to find damage, not against intent.
std::uint64_t content_hash(std::string_view bytes);
/// 16 digits.
std::string hexadecimal(std::uint64_t number);

/// Whether nobody but this user can have put something there: it is his, no link, and not everybody may write to it.
bool is_own(const std::filesystem::path& file_or_folder);

struct CacheFile {
  std::vector<char> bytes;  ///< what `write_cache_file` was given
  std::string problem;      ///< why what is there is not read; empty where nothing is there
};
/// Not empty: found. An entry that is used has been written or read within a day of its modification time.
CacheFile read_cache_file(const std::filesystem::path& file);
/// Makes the folder where it is missing, for this user alone. What hindered it; empty: written.
std::string write_cache_file(const std::filesystem::path& file, std::string_view payload) noexcept;

/// Removes the files of `folder` whose names begin with one of `kinds`, the longest unused first, where they have more
/// than `bytes`: an eighth more than is needed, as who looks next has to look at all of them again. Files that another
/// process writes at the time are left alone.
void trim_cache_folder(const std::filesystem::path& folder, const std::vector<std::string_view>& kinds,
                       std::uintmax_t bytes) noexcept;

}  // namespace lac::runtime
