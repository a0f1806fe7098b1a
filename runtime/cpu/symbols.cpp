#include "runtime/cpu/symbols.h"

#include <dlfcn.h>

#include <string_view>
#include <unordered_map>

#include "runtime/cpu/abi_functions.h"

namespace lac::runtime {
namespace {

const std::unordered_map<std::string_view, void*>& runtime_functions() {
  static const std::unordered_map<std::string_view, void*> functions = {
#define LAC_ABI(name, ...) {#name, reinterpret_cast<void*>(&name)},
#include "ir/plan/abi_functions.def"
#undef LAC_ABI
  };
  return functions;
}

// Never closed: code lives as long as it likes.
void* in_library(const char* library, const char* name) {
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle == nullptr ? nullptr : ::dlsym(handle, name);
}

}  // namespace

void* find_symbol(const char* name) {
  const auto own = runtime_functions().find(name);
  if (own != runtime_functions().end()) return own->second;
  if (std::string_view(name).starts_with("Sleef_")) return in_library("libsleef.so.3", name);
  void* found = ::dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : in_library("libm.so.6", name);
}

}  // namespace lac::runtime
