// Bytes compressed by zlib, as MAT files have them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/tensor/memory.h"

namespace lac::runtime {

/// The first `most` bytes of what the stream holds, or all; they count in `held`, and memory grows as they come.
/// Nothing where the stream is damaged. Throws std::bad_alloc where the memory of the run does not do.
std::optional<std::string> inflated(std::string_view stream, std::size_t most, MemoryBudget::Share& held);
std::string deflated(std::string_view bytes);

}  // namespace lac::runtime
