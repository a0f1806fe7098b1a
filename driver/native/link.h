// From an object file to an executable, with the system's compiler.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ir/support/result.h"

namespace lac::driver {

struct Linked {};

/// Links `objects` (bytes) with the static libraries of lac into an executable at `path`, all of it or nothing. The
/// compiler is `cc`, or what the environment's CC names; it is started directly, without a shell.
Result<Linked> link_program(const std::vector<std::string>& objects, const std::string& path);

/// Where the libraries that come with lac may be: lib/ beside the running program, ../lib next to its folder, or where
/// lac was installed. LAC_LIBRARY_DIR in the environment overrides.
std::vector<std::filesystem::path> library_directories();
/// What is said of a library that was compiled with other headers (ir::interface_stamp).
std::string of_another_build(const std::string& file);
/// The one that has liblac_program.a.
Result<std::string> library_directory();

}  // namespace lac::driver
