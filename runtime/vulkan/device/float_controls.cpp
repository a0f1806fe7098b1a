#include "runtime/vulkan/device/float_controls.h"

#include <cstddef>

namespace lac::runtime::vulkan {
namespace {

// Of the SPIR-V specification. An instruction's first word is its length and its opcode.
constexpr std::size_t header_words = 5;
constexpr std::uint32_t op_entry_point = 15, op_execution_mode = 16, op_capability = 17;
constexpr std::uint32_t capability_signed_zero_inf_nan_preserve = 4466, mode_signed_zero_inf_nan_preserve = 4461;

constexpr std::uint32_t instruction(std::uint32_t words, std::uint32_t opcode) { return words << 16 | opcode; }

}  // namespace

std::vector<std::uint32_t> preserving_nan(const std::vector<std::uint32_t>& spirv, bool single, bool real) {
  if (spirv.size() < header_words || (!single && !real)) return spirv;
  std::vector<std::uint32_t> result(spirv.begin(), spirv.begin() + header_words);
  result.insert(result.end(), {instruction(2, op_capability), capability_signed_zero_inf_nan_preserve});
  for (std::size_t at = header_words; at < spirv.size();) {
    const std::size_t words = spirv[at] >> 16;
    if (words == 0 || at + words > spirv.size()) return spirv;  // not SPIR-V: the driver says so
    result.insert(result.end(), spirv.begin() + at, spirv.begin() + at + words);
    if ((spirv[at] & 0xffff) == op_entry_point)
      for (std::uint32_t width : {32u, 64u})
        if (width == 32 ? single : real)
          result.insert(result.end(),
                        {instruction(4, op_execution_mode), spirv[at + 2], mode_signed_zero_inf_nan_preserve, width});
    at += words;
  }
  return result;
}

}  // namespace lac::runtime::vulkan
