// What runs leave on disk for later ones: compiled shaders and pipelines.
#pragma once

#include <filesystem>

#include "driver/include/lac/lac.hpp"

namespace lac::driver {

/// LAC_CACHE_DIR, else $XDG_CACHE_HOME/lac, else ~/.cache/lac; empty: none of the three is there.
std::filesystem::path cache_folder();

/// The files of ours in a cache folder; others are not looked at. Files that cannot be read count for nothing.
api::Cache look_at_cache(const std::filesystem::path& folder);
/// Removes them; what is left.
api::Cache clear_cache(const std::filesystem::path& folder);

}  // namespace lac::driver
