#include "runtime/library/lapack.h"

#include <dlfcn.h>

namespace lac::runtime::lapack {
namespace {

void* open_library(const char* file, int mode) {
  void* library = ::dlopen(file, mode);
  if (library == nullptr)
    throw InternalError(std::string(::dlerror()) + "; the packages libopenblas0 and liblapacke provide it");
  return library;
}

template <class Signature>
Signature* symbol_in(void* library, const char* name) {
  void* symbol = ::dlsym(library, name);
  if (symbol == nullptr) throw InternalError(std::string("no function ") + name + " in the LAPACK libraries");
  return reinterpret_cast<Signature*>(symbol);
}

// OpenBLAS is global, so that LAPACKE finds its LAPACK before any other.
void* open_libraries() {
  void* blas = open_library("libopenblas.so.0", RTLD_LAZY | RTLD_GLOBAL);
  void* lapacke = open_library("liblapacke.so.3", RTLD_LAZY);
  symbol_in<void(int)>(blas, "openblas_set_num_threads")(1);
  symbol_in<void(int)>(lapacke, "LAPACKE_set_nancheck")(0);
  return lapacke;
}

}  // namespace

void* loaded_symbol(const char* name) {
  static void* const libraries = open_libraries();
  return reinterpret_cast<void*>(symbol_in<void()>(libraries, name));
}

bool fits(const Tensor& tensor) {
  constexpr std::int64_t limit = std::numeric_limits<lapack_int>::max();
  return tensor.rows() <= limit && tensor.cols() <= limit;
}

}  // namespace lac::runtime::lapack
