#include "runtime/cpu/strip/vector_call.h"

#include <cstring>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace lac::runtime {
namespace {

// The compiler passes a vector in the register that the function expects where the caller may use it: so one caller for
// each width, for the machine that has it.
#define LAC_VECTOR_CALLS(target_, isa, bytes_)                                                                  \
  typedef double isa##_d __attribute__((vector_size(bytes_)));                                                  \
  typedef float isa##_f __attribute__((vector_size(bytes_)));                                                   \
  template <class Vector, class T>                                                                              \
  __attribute__((target(target_))) void isa##_one(const void* function, const T* x, T* y, std::int64_t count) { \
    const auto call = reinterpret_cast<Vector (*)(Vector)>(const_cast<void*>(function));                        \
    for (std::int64_t l = 0; l < count; l += static_cast<std::int64_t>(sizeof(Vector) / sizeof(T))) {           \
      Vector a;                                                                                                 \
      std::memcpy(&a, x + l, sizeof a);                                                                         \
      a = call(a);                                                                                              \
      std::memcpy(y + l, &a, sizeof a);                                                                         \
    }                                                                                                           \
  }                                                                                                             \
  template <class Vector, class T>                                                                              \
  __attribute__((target(target_))) void isa##_two(const void* function, const T* x, const T* y, T* z,           \
                                                  std::int64_t count) {                                         \
    const auto call = reinterpret_cast<Vector (*)(Vector, Vector)>(const_cast<void*>(function));                \
    for (std::int64_t l = 0; l < count; l += static_cast<std::int64_t>(sizeof(Vector) / sizeof(T))) {           \
      Vector a, b;                                                                                              \
      std::memcpy(&a, x + l, sizeof a);                                                                         \
      std::memcpy(&b, y + l, sizeof b);                                                                         \
      a = call(a, b);                                                                                           \
      std::memcpy(z + l, &a, sizeof a);                                                                         \
    }                                                                                                           \
  }
#if defined(__x86_64__)
LAC_VECTOR_CALLS("sse2", sse, 16)
LAC_VECTOR_CALLS("avx2", avx2, 32)
LAC_VECTOR_CALLS("avx512f", avx512f, 64)
#else
#error "strips call SLEEF's functions for x86-64"
#endif
#undef LAC_VECTOR_CALLS

}  // namespace

void call_vectors(VectorIsa isa, const void* function, const double* x, double* y, std::int64_t count) {
  if (isa == VectorIsa::avx512f) return avx512f_one<avx512f_d>(function, x, y, count);
  if (isa == VectorIsa::avx2) return avx2_one<avx2_d>(function, x, y, count);
  sse_one<sse_d>(function, x, y, count);
}
void call_vectors(VectorIsa isa, const void* function, const float* x, float* y, std::int64_t count) {
  if (isa == VectorIsa::avx512f) return avx512f_one<avx512f_f>(function, x, y, count);
  if (isa == VectorIsa::avx2) return avx2_one<avx2_f>(function, x, y, count);
  sse_one<sse_f>(function, x, y, count);
}
void call_vectors(VectorIsa isa, const void* function, const double* x, const double* y, double* z,
                  std::int64_t count) {
  if (isa == VectorIsa::avx512f) return avx512f_two<avx512f_d>(function, x, y, z, count);
  if (isa == VectorIsa::avx2) return avx2_two<avx2_d>(function, x, y, z, count);
  sse_two<sse_d>(function, x, y, z, count);
}
void call_vectors(VectorIsa isa, const void* function, const float* x, const float* y, float* z, std::int64_t count) {
  if (isa == VectorIsa::avx512f) return avx512f_two<avx512f_f>(function, x, y, z, count);
  if (isa == VectorIsa::avx2) return avx2_two<avx2_f>(function, x, y, z, count);
  sse_two<sse_f>(function, x, y, z, count);
}

}  // namespace lac::runtime
