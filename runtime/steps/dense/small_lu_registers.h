// Vector registers for small_lu_steps.h. All of it is local to the file that includes it, which is compiled for one
// kind of machine.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

// GCC 12 says so of its own _mm512_undefined_ps.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace lac::runtime {
namespace {  // NOLINT(google-build-namespaces)

// Lanes where the mask is -1, and only their memory.
inline __m128 load_some(const float* from, __m128i mask) { return _mm_maskload_ps(from, mask); }
inline __m256 load_some(const float* from, __m256i mask) { return _mm256_maskload_ps(from, mask); }
inline __m128d load_some(const double* from, __m128i mask) { return _mm_maskload_pd(from, mask); }
inline __m256d load_some(const double* from, __m256i mask) { return _mm256_maskload_pd(from, mask); }
inline void store_some(float* to, __m128i mask, __m128 x) { _mm_maskstore_ps(to, mask, x); }
inline void store_some(float* to, __m256i mask, __m256 x) { _mm256_maskstore_ps(to, mask, x); }
inline void store_some(double* to, __m128i mask, __m128d x) { _mm_maskstore_pd(to, mask, x); }
inline void store_some(double* to, __m256i mask, __m256d x) { _mm256_maskstore_pd(to, mask, x); }

// x[lane[l]] in lane l.
inline __m128 permute(__m128 x, __m128i lane) { return _mm_permutevar_ps(x, lane); }
inline __m256 permute(__m256 x, __m256i lane) { return _mm256_permutevar8x32_ps(x, lane); }
inline __m128d permute(__m128d x, __m128i lane) { return _mm_permutevar_pd(x, _mm_slli_epi64(lane, 1)); }
inline __m256d permute(__m256d x, __m256i lane) {  // as pairs of singles
  const __m256i low = _mm256_slli_epi64(lane, 1), high = _mm256_add_epi64(low, _mm256_set1_epi64x(1));
  const __m256i pairs = _mm256_or_si256(low, _mm256_slli_epi64(high, 32));
  return _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(x), pairs));
}

#ifdef __AVX512F__
inline __m512 load_some(const float* from, __m512i mask) {
  return _mm512_maskz_loadu_ps(_mm512_movepi32_mask(mask), from);
}
inline __m512d load_some(const double* from, __m512i mask) {
  return _mm512_maskz_loadu_pd(_mm512_movepi64_mask(mask), from);
}
inline void store_some(float* to, __m512i mask, __m512 x) { _mm512_mask_storeu_ps(to, _mm512_movepi32_mask(mask), x); }
inline void store_some(double* to, __m512i mask, __m512d x) {
  _mm512_mask_storeu_pd(to, _mm512_movepi64_mask(mask), x);
}
inline __m512 permute(__m512 x, __m512i lane) { return _mm512_permutexvar_ps(lane, x); }
inline __m512d permute(__m512d x, __m512i lane) { return _mm512_permutexvar_pd(lane, x); }
#endif

/// What intrinsics take and give. `equal` are the lanes in which both are, as bits; `first_of` has the first lane among
/// `lanes` in every lane.
template <class T, int bytes>
struct Machine;
template <>
struct Machine<float, 16> {
  using Vector = __m128;
  using Mask = __m128i;
#ifdef __AVX512F__
  static unsigned equal(Mask a, Mask b) { return _mm_cmpeq_epi32_mask(a, b); }
  static Mask first_of(unsigned lanes, Mask of) {
    const Mask x = _mm_maskz_compress_epi32(static_cast<__mmask8>(lanes), of);
    return _mm_broadcastd_epi32(x);
  }
#else
  static unsigned equal(Mask a, Mask b) {
    return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a, b))));
  }
#endif
};
template <>
struct Machine<double, 16> {
  using Vector = __m128d;
  using Mask = __m128i;
#ifdef __AVX512F__
  static unsigned equal(Mask a, Mask b) { return _mm_cmpeq_epi64_mask(a, b); }
  static Mask first_of(unsigned lanes, Mask of) {
    const Mask x = _mm_maskz_compress_epi64(static_cast<__mmask8>(lanes), of);
    return _mm_broadcastq_epi64(x);
  }
#else
  static unsigned equal(Mask a, Mask b) {
    return static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(_mm_cmpeq_epi64(a, b))));
  }
#endif
};
template <>
struct Machine<float, 32> {
  using Vector = __m256;
  using Mask = __m256i;
#ifdef __AVX512F__
  static unsigned equal(Mask a, Mask b) { return _mm256_cmpeq_epi32_mask(a, b); }
  static Mask first_of(unsigned lanes, Mask of) {
    const Mask x = _mm256_maskz_compress_epi32(static_cast<__mmask8>(lanes), of);
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(x));
  }
#else
  static unsigned equal(Mask a, Mask b) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b))));
  }
#endif
};
template <>
struct Machine<double, 32> {
  using Vector = __m256d;
  using Mask = __m256i;
#ifdef __AVX512F__
  static unsigned equal(Mask a, Mask b) { return _mm256_cmpeq_epi64_mask(a, b); }
  static Mask first_of(unsigned lanes, Mask of) {
    const Mask x = _mm256_maskz_compress_epi64(static_cast<__mmask8>(lanes), of);
    return _mm256_broadcastq_epi64(_mm256_castsi256_si128(x));
  }
#else
  static unsigned equal(Mask a, Mask b) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b))));
  }
#endif
};
#ifdef __AVX512F__
template <>
struct Machine<float, 64> {
  using Vector = __m512;
  using Mask = __m512i;
  static unsigned equal(Mask a, Mask b) { return _mm512_cmpeq_epi32_mask(a, b); }
  static Mask first_of(unsigned lanes, Mask of) {
    const Mask x = _mm512_maskz_compress_epi32(static_cast<__mmask16>(lanes), of);
    return _mm512_broadcastd_epi32(_mm512_castsi512_si128(x));
  }
};
template <>
struct Machine<double, 64> {
  using Vector = __m512d;
  using Mask = __m512i;
  static unsigned equal(Mask a, Mask b) { return _mm512_cmpeq_epi64_mask(a, b); }
  static Mask first_of(unsigned lanes, Mask of) {
    const Mask x = _mm512_maskz_compress_epi64(static_cast<__mmask8>(lanes), of);
    return _mm512_broadcastq_epi64(_mm512_castsi512_si128(x));
  }
};
#endif

/// Registers of `bytes` with elements of T.
template <class T, int bytes>
struct Registers {
  using Element = T;
  using Index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  static constexpr int lanes = bytes / static_cast<int>(sizeof(T));
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef Index Indices __attribute__((vector_size(bytes)));  ///< as a mask -1 or 0 in each lane
  using Of = Machine<T, bytes>;

  static Vector splat(T value) { return value - Vector{}; }
  static Indices index(Index value) { return value - Indices{}; }
  static Indices iota() {
    Indices lane;
    for (int l = 0; l < lanes; ++l) lane[l] = l;
    return lane;
  }

  static Vector load(const T* from) {
    Vector x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
  static void store(T* to, Vector x) { std::memcpy(to, &x, sizeof x); }
  /// Lanes below `count`, and only their memory; zeros in the others.
  static Vector load(const T* from, int count) {
    return (Vector)load_some(from, (typename Of::Mask)(iota() < index(count)));
  }
  static void store(T* to, Vector x, int count) {
    store_some(to, (typename Of::Mask)(iota() < index(count)), (typename Of::Vector)x);
  }

  static Vector permuted(Vector x, Indices lane) {
    return (Vector)permute((typename Of::Vector)x, (typename Of::Mask)lane);
  }

  /// The lanes in which both are equal, as bits.
  static unsigned equal(Indices a, Indices b) { return Of::equal((typename Of::Mask)a, (typename Of::Mask)b); }
  /// The number of the lane, in every lane, of which `bit` is the bit.
  static Indices lane_of(unsigned bit) {
#ifdef __AVX512F__
    return (Indices)Of::first_of(bit, (typename Of::Mask)iota());
#else
    return index(__builtin_ctz(bit));
#endif
  }

  /// y - a*b, rounded once.
  static Vector subtract_product(Vector y, Vector a, Vector b) {
    for (int l = 0; l < lanes; ++l) {
      if constexpr (sizeof(T) == 4) y[l] = __builtin_fmaf(-a[l], b[l], y[l]);
      else y[l] = __builtin_fma(-a[l], b[l], y[l]);
    }
    return y;
  }

  static constexpr Index bits_of_infinity = static_cast<Index>(sizeof(T) == 4 ? 0x7f800000 : 0x7ff0000000000000);

  static Vector magnitude(Vector x) {
    constexpr Index sign = Index(1) << (8 * sizeof(T) - 1);
    return (Vector)((Indices)x & index(~sign));
  }
  /// The largest, the smallest of all lanes, in every lane.
  static Indices largest(Indices x) {
    return everywhere(x, [](Indices a, Indices b) { return a > b ? a : b; });
  }
  static Indices smallest(Indices x) {
    return everywhere(x, [](Indices a, Indices b) { return a < b ? a : b; });
  }

 private:
  template <int half, int... lane>
  static Indices exchanged(Indices x, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(x, x, (lane ^ half)...);
  }
  template <int half = lanes / 2, class F>
  static Indices everywhere(Indices x, F combine) {
    x = combine(x, exchanged<half>(x, std::make_integer_sequence<int, lanes>()));
    if constexpr (half > 1) return everywhere<half / 2>(x, combine);
    else return x;
  }
};

}  // namespace
}  // namespace lac::runtime
