// What shaders see of a matrix: a buffer for each array of its storage (ir/types/storage.h), or one image.
#pragma once

#include <array>

#include "ir/types/storage.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

struct MatrixResources {
  std::array<BoundResource, array_roles> arrays = {};  ///< by role; an image stands for the values

  BoundResource& operator[](ArrayRole role) { return arrays[static_cast<std::size_t>(role)]; }
  const BoundResource& operator[](ArrayRole role) const { return arrays[static_cast<std::size_t>(role)]; }
  const BoundResource& values() const { return (*this)[ArrayRole::values]; }
};

}  // namespace lac::runtime::vulkan
