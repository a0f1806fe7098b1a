#include "driver/native/machine.h"

#include <cstdint>

#include "driver/core/cpu_check.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lac::driver {
namespace {

#if defined(__x86_64__)

// CPUID (Intel SDM, volume 2A): vendor; model and features, without the number of the core at hand; extended features;
// what of the register state the system saves; AMD's features.
std::string identity() {
  std::string text;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  const auto add = [&](std::uint32_t number) { text += std::to_string(number) + " "; };
  __cpuid(0, a, b, c, d);
  const std::uint32_t most = a;
  add(b), add(c), add(d);
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) add(a), add(c), add(d);
  for (const std::uint32_t leaf : {0u, 1u})
    if (most >= 7 && __get_cpuid_count(7, leaf, &a, &b, &c, &d) != 0) add(leaf == 1 ? a : 0), add(b), add(c), add(d);
  if (__get_cpuid(0x80000001, &a, &b, &c, &d) != 0) add(c), add(d);
  add(saved_register_state());
  return text;
}

#else

std::string identity() { return "one machine"; }

#endif

}  // namespace

const std::string& machine_identity() {
  static const std::string text = identity();
  return text;
}

}  // namespace lac::driver
