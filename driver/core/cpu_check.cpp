#include "driver/core/cpu_check.h"

#include <algorithm>
#include <iterator>

namespace lac::driver {

namespace {

#if defined(__x86_64__)

struct Feature {
  std::string_view name;  ///< LLVM's
  bool (*here)();
};

// What instructions belong to; how fast they are, and what only systems use, is not asked for.
#define LAC_FEATURE(name)                                                \
  {                                                                      \
    name, [] { return static_cast<bool>(__builtin_cpu_supports(name)); } \
  }
constexpr Feature features[] = {
    LAC_FEATURE("sse3"),         LAC_FEATURE("ssse3"),
    LAC_FEATURE("sse4.1"),       LAC_FEATURE("sse4.2"),
    LAC_FEATURE("sse4a"),        LAC_FEATURE("popcnt"),
    LAC_FEATURE("lzcnt"),        LAC_FEATURE("movbe"),
    LAC_FEATURE("bmi"),          LAC_FEATURE("bmi2"),
    LAC_FEATURE("adx"),          LAC_FEATURE("aes"),
    LAC_FEATURE("pclmul"),       LAC_FEATURE("sha"),
    LAC_FEATURE("f16c"),         LAC_FEATURE("avx"),
    LAC_FEATURE("avx2"),         LAC_FEATURE("fma"),
    LAC_FEATURE("fma4"),         LAC_FEATURE("xop"),
    LAC_FEATURE("gfni"),         LAC_FEATURE("vaes"),
    LAC_FEATURE("vpclmulqdq"),   LAC_FEATURE("avx512f"),
    LAC_FEATURE("avx512cd"),     LAC_FEATURE("avx512dq"),
    LAC_FEATURE("avx512bw"),     LAC_FEATURE("avx512vl"),
    LAC_FEATURE("avx512ifma"),   LAC_FEATURE("avx512vbmi"),
    LAC_FEATURE("avx512vbmi2"),  LAC_FEATURE("avx512vnni"),
    LAC_FEATURE("avx512bitalg"), LAC_FEATURE("avx512vpopcntdq"),
    LAC_FEATURE("avx512bf16"),
};
#undef LAC_FEATURE

bool is_here(std::string_view name) {
  const auto known = std::find_if(std::begin(features), std::end(features),
                                  [&](const Feature& feature) { return feature.name == name; });
  return known == std::end(features) || known->here();
}

#else

bool is_here(std::string_view) { return true; }

#endif

}  // namespace

std::vector<std::string> missing_here(std::string_view needed) { return missing_features(needed, is_here); }

}  // namespace lac::driver
