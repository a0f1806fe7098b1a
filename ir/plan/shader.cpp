#include "ir/plan/shader.h"

namespace lac {

std::string_view name(StageKind kind) {
  static constexpr std::string_view names[] = {"main", "combine", "control", "copy"};
  return names[static_cast<int>(kind)];
}

}  // namespace lac
