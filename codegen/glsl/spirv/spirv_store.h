// SPIR-V that was made before. Who generates shaders may be given one: turning text into SPIR-V costs 10 to 50 ms each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lac::codegen::glsl {

/// A map from keys, which say all that the SPIR-V depends on, to modules. Both are called from several threads at once.
class SpirvStore {
 public:
  virtual ~SpirvStore() = default;
  /// Empty where there is none.
  virtual std::vector<std::uint32_t> find(const std::string& key) = 0;
  virtual void keep(const std::string& key, const std::vector<std::uint32_t>& spirv) = 0;
};

}  // namespace lac::codegen::glsl
