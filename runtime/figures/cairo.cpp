#include "runtime/figures/cairo.h"

#include <dlfcn.h>

#include <string>

namespace lac::runtime::figures {
namespace {

struct Opened {
  Cairo functions;
  std::string problem;
};

Opened open() {
  Opened opened;
  void* library = ::dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    opened.problem = "a PNG file needs libcairo.so.2, which the package libcairo2 provides; .svg files need nothing";
    return opened;
  }
  const auto find = [&](auto& function, const char* name) {
    void* symbol = ::dlsym(library, name);
    if (symbol == nullptr) opened.problem = std::string("no function ") + name + " in libcairo.so.2";
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
#define LAC_CAIRO(result, name, parameters) find(opened.functions.name, "cairo_" #name);
  LAC_CAIRO_FUNCTIONS(LAC_CAIRO)
#undef LAC_CAIRO
  return opened;
}

}  // namespace

Result<const Cairo*> cairo() {
  static const Opened opened = open();
  if (!opened.problem.empty()) return Failure{opened.problem};
  return &opened.functions;
}

}  // namespace lac::runtime::figures
