// Which build of lac a file is, for keys of what is kept on disk.
#pragma once

#include <filesystem>
#include <string>

namespace lac::driver {

/// lac's version with the size and the time of the file; empty where it cannot be looked at.
std::string file_version(const std::filesystem::path& file);
/// Of the program or library that holds this code.
const std::string& own_version();

}  // namespace lac::driver
