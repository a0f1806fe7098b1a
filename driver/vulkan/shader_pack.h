// A recorded run (runtime/vulkan/pack/pack.h) as the files of a shader pack: docs/shader_packs.md.
#pragma once

#include <string>
#include <vector>

#include "driver/include/lac/lac.hpp"
#include "runtime/vulkan/pack/pack.h"

namespace lac::driver {

/// pack.json, data.bin and the shaders, as SPIR-V and in every language that can express them.
std::vector<api::EmittedFile> files_of(const runtime::vulkan::Pack& pack, const std::string& program);

}  // namespace lac::driver
