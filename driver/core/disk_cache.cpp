#include "driver/core/disk_cache.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/files/cache_file.h"

namespace lac::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* code_name = "code";

bool is_ours(const fs::path& file) {
  const std::string name = file.filename().string();
  return std::ranges::any_of(code_kinds(), [&](std::string_view kind) { return name.starts_with(kind); });
}

std::vector<fs::path> code_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder / code_name, error), end; !error && entry != end; entry.increment(error))
    if (is_ours(entry->path()) && entry->is_regular_file(error)) files.push_back(entry->path());
  return files;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files = code_in(folder);
  std::error_code error;
  // Functions of the library that an editor looked at.
  for (fs::recursive_directory_iterator entry(folder / "text", error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".la" && entry->is_regular_file(error)) files.push_back(entry->path());
  return files;
}

std::vector<std::string> ignored_in(const fs::path& folder) {
  std::error_code error;
  const fs::path code = folder / code_name;
  if (fs::exists(fs::symlink_status(code, error)) && !runtime::is_own(code)) return {code.string()};
  std::vector<std::string> ignored;
  for (const fs::path& file : code_in(folder))
    if (!runtime::is_own(file)) ignored.push_back(file.string());
  return ignored;
}

}  // namespace

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  if (const fs::path given = variable("LAC_CACHE_DIR"); !given.empty()) return given;
  if (const fs::path cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache / "lac";
  const fs::path home = variable("HOME");
  return home.empty() ? fs::path() : home / ".cache" / "lac";
}

fs::path code_folder() {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / code_name;
}

const std::vector<std::string_view>& code_kinds() {
  static const std::vector<std::string_view> kinds = {"plan-", "object-", "shader-", "pipelines-"};
  return kinds;
}

std::uintmax_t cache_limit() {
  constexpr std::uintmax_t mebibyte = 1 << 20;
  constexpr std::uintmax_t usual = 512, most = UINTMAX_MAX / mebibyte;
  const char* given = std::getenv("LAC_CACHE_LIMIT");
  std::uintmax_t wanted = usual;
  const std::string_view text = given ? given : "";
  const auto read = std::from_chars(text.data(), text.data() + text.size(), wanted);
  const bool is_number = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return (is_number ? std::min(wanted, most) : usual) * mebibyte;
}

namespace {

/// Why the folder cannot be looked at; empty where it can, or where there is none yet.
std::string problem_of(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return {};
  if (!error && !fs::is_directory(status)) return "it is no folder";
  if (!error) fs::directory_iterator(folder, error);
  return error ? error.message() : std::string();
}

}  // namespace

api::Cache look_at_cache(const fs::path& folder) {
  api::Cache cache{folder.string()};
  for (const fs::path& each : {folder, folder / code_name})
    if (cache.problem.empty() && !folder.empty()) cache.problem = problem_of(each);
  cache.ignored = ignored_in(folder);
  for (const fs::path& file : files_in(folder)) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    if (error) continue;
    ++cache.files;
    cache.bytes += static_cast<std::int64_t>(bytes);
  }
  return cache;
}

api::Cache clear_cache(const fs::path& folder) {
  for (const fs::path& file : files_in(folder)) {
    std::error_code error;
    fs::remove(file, error);
  }
  return look_at_cache(folder);
}

}  // namespace lac::driver
