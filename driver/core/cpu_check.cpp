#include "driver/core/cpu_check.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lac::driver {

namespace {

#if defined(__x86_64__)

enum class Register : std::uint8_t { b, c, a };
/// What the system must save of the registers that code of a feature uses.
enum class State : std::uint8_t { any, avx, avx512 };

/// Where CPUID tells of a feature (Intel SDM, volume 2A; AMD64 manual, volume 3): compilers know different parts of
/// this.
struct Feature {
  std::string_view name;  ///< LLVM's
  std::uint32_t leaf, subleaf;
  Register where;
  unsigned bit;
  State state = State::any;
};

// What instructions belong to; how fast they are, and what only systems use, is not asked for.
constexpr std::uint32_t amd = 0x80000001;
constexpr Feature features[] = {
    {"sse3", 1, 0, Register::c, 0},
    {"pclmul", 1, 0, Register::c, 1},
    {"ssse3", 1, 0, Register::c, 9},
    {"fma", 1, 0, Register::c, 12, State::avx},
    {"sse4.1", 1, 0, Register::c, 19},
    {"sse4.2", 1, 0, Register::c, 20},
    {"movbe", 1, 0, Register::c, 22},
    {"popcnt", 1, 0, Register::c, 23},
    {"aes", 1, 0, Register::c, 25},
    {"avx", 1, 0, Register::c, 28, State::avx},
    {"f16c", 1, 0, Register::c, 29, State::avx},
    {"bmi", 7, 0, Register::b, 3},
    {"avx2", 7, 0, Register::b, 5, State::avx},
    {"bmi2", 7, 0, Register::b, 8},
    {"avx512f", 7, 0, Register::b, 16, State::avx512},
    {"avx512dq", 7, 0, Register::b, 17, State::avx512},
    {"adx", 7, 0, Register::b, 19},
    {"avx512ifma", 7, 0, Register::b, 21, State::avx512},
    {"avx512cd", 7, 0, Register::b, 28, State::avx512},
    {"sha", 7, 0, Register::b, 29},
    {"avx512bw", 7, 0, Register::b, 30, State::avx512},
    {"avx512vl", 7, 0, Register::b, 31, State::avx512},
    {"avx512vbmi", 7, 0, Register::c, 1, State::avx512},
    {"avx512vbmi2", 7, 0, Register::c, 6, State::avx512},
    {"gfni", 7, 0, Register::c, 8},
    {"vaes", 7, 0, Register::c, 9, State::avx},
    {"vpclmulqdq", 7, 0, Register::c, 10, State::avx},
    {"avx512vnni", 7, 0, Register::c, 11, State::avx512},
    {"avx512bitalg", 7, 0, Register::c, 12, State::avx512},
    {"avx512vpopcntdq", 7, 0, Register::c, 14, State::avx512},
    {"avx512bf16", 7, 1, Register::a, 5, State::avx512},
    {"lzcnt", amd, 0, Register::c, 5},
    {"sse4a", amd, 0, Register::c, 6},
    {"xop", amd, 0, Register::c, 11, State::avx},
    {"fma4", amd, 0, Register::c, 16, State::avx},
};

bool is_saved(State state) {
  constexpr std::uint32_t avx = 0x6, avx512 = 0xe6;
  if (state == State::any) return true;
  const std::uint32_t wanted = state == State::avx ? avx : avx512;
  return (saved_register_state() & wanted) == wanted;
}

bool is_here(const Feature& feature) {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(feature.leaf, feature.subleaf, &a, &b, &c, &d) == 0) return false;
  const std::uint32_t word = feature.where == Register::a ? a : feature.where == Register::b ? b : c;
  return (word >> feature.bit & 1) != 0 && is_saved(feature.state);
}

bool is_here(std::string_view name) {
  const auto* known = std::ranges::find(features, name, &Feature::name);
  return known == std::end(features) || is_here(*known);
}

#else

bool is_here(std::string_view) { return true; }

#endif

}  // namespace

std::uint32_t saved_register_state() {
#if defined(__x86_64__)
  constexpr std::uint32_t tells = 1u << 27;  // OSXSAVE
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & tells) == 0) return 0;
  std::uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
#else
  return 0;
#endif
}

std::vector<std::string> missing_here(std::string_view needed) {
  return missing_features(needed, [](std::string_view name) { return is_here(name); });
}

}  // namespace lac::driver
