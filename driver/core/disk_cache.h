// The folder of what runs leave on disk for later ones: compiled kernels, shaders and pipelines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "driver/include/lac/lac.hpp"

namespace lac::driver {

/// LAC_CACHE_DIR, else $XDG_CACHE_HOME/lac, else ~/.cache/lac; empty: none of the three is there.
std::filesystem::path cache_folder();
/// Where compiled code is in it; empty: nowhere.
std::filesystem::path code_folder();
/// How the names of its files begin.
const std::vector<std::string_view>& code_kinds();
/// What the files of `code_folder` may take in all, in bytes: LAC_CACHE_LIMIT in MiB (0: nothing stays), else 512 MiB.
std::uintmax_t cache_limit();

/// The files of ours in a cache folder; others are not looked at. Files that cannot be read count for nothing.
api::Cache look_at_cache(const std::filesystem::path& folder);
/// Removes them; what is left.
api::Cache clear_cache(const std::filesystem::path& folder);

}  // namespace lac::driver
