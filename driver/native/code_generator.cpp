#include "driver/native/code_generator.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "driver/core/file_version.h"
#include "driver/native/link.h"
#include "ir/support/interface_stamp.h"

namespace lac::driver {
namespace {

namespace fs = std::filesystem;

/// Where the dynamic loader looks for libraries of this program: its run path, and the system's folders.
std::vector<fs::path> loader_folders() {
  std::vector<fs::path> folders;
  void* program = ::dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size;
  if (program == nullptr || ::dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return folders;
  std::vector<char> memory(size.dls_size);
  auto* info = reinterpret_cast<Dl_serinfo*>(memory.data());
  if (::dlinfo(program, RTLD_DI_SERINFOSIZE, info) != 0 || ::dlinfo(program, RTLD_DI_SERINFO, info) != 0)
    return folders;
  for (unsigned n = 0; n < info->dls_cnt; ++n) folders.emplace_back(info->dls_serpath[n].dls_name);
  return folders;
}

Result<fs::path> generator_file() {
  std::vector<fs::path> folders = library_directories();
  for (fs::path& folder : loader_folders()) folders.push_back(std::move(folder));
  std::error_code error;
  for (const fs::path& folder : folders)
    if (const fs::path file = folder / codegen::generator_library; fs::is_regular_file(file, error)) return file;
  return Failure{std::string(codegen::generator_library) + ", which compiles, is neither in " +
                 (folders.empty() ? std::string("any folder") : folders.front().string()) +
                 " nor where this program's libraries are: set LAC_LIBRARY_DIR to its folder"};
}

Result<const codegen::Generator*> open_generator() {
  const Result<fs::path> file = generator_file();
  if (!file) return file.failure();
  void* library = ::dlopen(file.value().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Failure{std::string("the code generator cannot be opened: ") + ::dlerror()};
  using Open = const codegen::Generator* (*)();
  const auto open = reinterpret_cast<Open>(::dlsym(library, codegen::generator_symbol));
  using Stamp = const char* (*)();
  const auto stamp = reinterpret_cast<Stamp>(::dlsym(library, codegen::generator_stamp_symbol));
  if (open == nullptr) return Failure{file.value().string() + " is no code generator"};
  if (stamp == nullptr || std::string_view(stamp()) != ir::interface_stamp())
    return Failure{of_another_build(file.value().string())};
  return open();
}

Result<std::string> version_of_file() {
  const Result<fs::path> file = generator_file();
  if (!file) return file.failure();
  const std::string version = file_version(file.value());
  if (version.empty()) return Failure{file.value().string() + " cannot be read"};
  return version;
}

}  // namespace

Result<const codegen::Generator*> code_generator() {
  static const Result<const codegen::Generator*> generator = open_generator();
  return generator;
}

Result<std::string> generator_version() {
  static const Result<std::string> version = version_of_file();
  return version;
}

}  // namespace lac::driver
