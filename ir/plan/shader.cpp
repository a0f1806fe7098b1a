#include "ir/plan/shader.h"

#include <algorithm>

namespace lac {

std::string_view name(StageKind kind) {
  static constexpr std::string_view names[] = {"main", "combine", "control", "copy"};
  return names[static_cast<int>(kind)];
}

std::optional<ArrayRole> array_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::values: return ArrayRole::values;
    case ResourceKind::row_pointers: return ArrayRole::row_pointers;
    case ResourceKind::columns: return ArrayRole::columns;
    default: return std::nullopt;
  }
}

std::uint32_t block_bytes(const ShaderStage& stage) {
  std::uint32_t bytes = stage.parameter_bytes;
  for (const Binding& binding : stage.bindings)
    if (binding.address_at >= 0) bytes = std::max(bytes, static_cast<std::uint32_t>(binding.address_at) + 8);
  return bytes;
}

}  // namespace lac
