#include "driver/core/file_version.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

namespace lac::driver {
namespace {

std::filesystem::path own_file() {
  Dl_info info = {};
  link_map* object = nullptr;
  const auto* here = reinterpret_cast<const void*>(&own_version);
  if (::dladdr1(here, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 || object == nullptr) return {};
  return object->l_name != nullptr && *object->l_name != '\0' ? object->l_name : "/proc/self/exe";
}

}  // namespace

std::string file_version(const std::filesystem::path& file) {
  struct stat status = {};
  if (file.empty() || ::stat(file.c_str(), &status) != 0) return {};
  return std::string(LAC_VERSION) + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) +
         "." + std::to_string(status.st_mtim.tv_nsec);
}

const std::string& own_version() {
  static const std::string version = file_version(own_file());
  return version;
}

}  // namespace lac::driver
