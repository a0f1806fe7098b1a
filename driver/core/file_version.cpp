#include "driver/core/file_version.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace lac::driver {
namespace {

std::filesystem::path own_file() {
  Dl_info info = {};
  link_map* object = nullptr;
  const auto* here = reinterpret_cast<const void*>(&own_version);
  if (::dladdr1(here, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 || object == nullptr) return {};
  return object->l_name != nullptr && *object->l_name != '\0' ? object->l_name : "/proc/self/exe";
}

/// A note of the linker about all that it linked, where it made one: tells builds apart whose files are of one time.
std::string build_id() {
  std::string id;
  const auto visit = [](dl_phdr_info* object, std::size_t, void* found) {
    const auto here = reinterpret_cast<ElfW(Addr)>(&own_version);
    const std::span headers(object->dlpi_phdr, object->dlpi_phnum);
    const bool ours = std::ranges::any_of(headers, [&](const ElfW(Phdr) & part) {
      const ElfW(Addr) begin = object->dlpi_addr + part.p_vaddr;
      return part.p_type == PT_LOAD && here >= begin && here < begin + part.p_memsz;
    });
    if (!ours) return 0;
    for (const ElfW(Phdr) & part : headers) {
      if (part.p_type != PT_NOTE) continue;
      const char* note = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
      for (const char* end = note + part.p_memsz; end - note >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)));) {
        const auto* header = reinterpret_cast<const ElfW(Nhdr)*>(note);
        const char* name = note + sizeof *header;
        const char* value = name + (header->n_namesz + 3) / 4 * 4;
        if (header->n_type == NT_GNU_BUILD_ID) static_cast<std::string*>(found)->assign(value, header->n_descsz);
        note = value + (header->n_descsz + 3) / 4 * 4;
      }
    }
    return 1;
  };
  ::dl_iterate_phdr(visit, &id);
  return id;
}

}  // namespace

std::string file_version(const std::filesystem::path& file) {
  struct stat status = {};
  if (file.empty() || ::stat(file.c_str(), &status) != 0) return {};
  return std::string(LAC_VERSION) + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) +
         "." + std::to_string(status.st_mtim.tv_nsec);
}

const std::string& own_version() {
  static const std::string version = [] {
    const std::string file = file_version(own_file());
    return file.empty() ? file : file + " " + build_id();
  }();
  return version;
}

}  // namespace lac::driver
