// The instruction sets that vector functions and multiply-adds are chosen by. Who computes kernels in two ways must
// choose the same: SLEEF rounds each width's functions in its own way.
#pragma once

#include <cstdint>
#include <string>

namespace lac {

enum class VectorIsa : std::uint8_t { sse2, sse4, avx2, avx512f };

inline bool has_fma(VectorIsa isa) { return isa >= VectorIsa::avx2; }
/// Whether a vector of elements at any places is loaded quicker than they are one by one (docs/decisions.md says where
/// that was measured).
inline bool has_gathers(VectorIsa isa) { return isa >= VectorIsa::avx512f; }
/// Bytes of a vector.
inline unsigned vector_bytes(VectorIsa isa) {
  return isa == VectorIsa::avx512f ? 64 : isa == VectorIsa::avx2 ? 32 : 16;
}
/// SLEEF's function of `stem` ("exp") and `accuracy` ("u10") over the machine's vectors.
inline std::string sleef_name(VectorIsa isa, const char* stem, const char* accuracy, bool single) {
  constexpr const char* suffixes[] = {"sse2", "sse4", "avx2", "avx512f"};
  return std::string("Sleef_") + stem + (single ? "f" : "d") + std::to_string(vector_bytes(isa) / (single ? 4 : 8)) +
         "_" + accuracy + suffixes[static_cast<int>(isa)];
}

}  // namespace lac
