// Whether the machine at hand can run code for another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lac::driver {

/// Of `needed`, "avx2,bmi2,...", what `has` denies; in order.
template <class Has>
std::vector<std::string> missing_features(std::string_view needed, const Has& has) {
  std::vector<std::string> missing;
  while (!needed.empty()) {
    const std::string_view feature = needed.substr(0, needed.find(','));
    needed.remove_prefix(feature.size() + (feature.size() < needed.size() ? 1 : 0));
    if (!has(feature)) missing.emplace_back(feature);
  }
  return missing;
}

/// The low half of XCR0, which says what register state the system saves (Intel SDM, volume 1, section 13.3); 0 where
/// it does not tell.
std::uint32_t saved_register_state();

/// Of what code needs, what this machine has not: to be asked before the code is called.
std::vector<std::string> missing_here(std::string_view needed);

}  // namespace lac::driver
