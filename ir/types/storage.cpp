#include "ir/types/storage.h"

#include <array>

namespace lac {
namespace {

constexpr std::int64_t index_bytes = 4;  // int32

constexpr std::array values_alone = {StorageArray{ArrayRole::values}};
constexpr std::array compressed_rows = {StorageArray{ArrayRole::row_pointers, ArrayExtent::rows_and_one, index_bytes},
                                        StorageArray{ArrayRole::columns, ArrayExtent::stored, index_bytes},
                                        StorageArray{ArrayRole::values}};

// In the order of Storage.
constexpr std::array<StorageFormat, 3> formats = {{
    {"dense", values_alone},
    {"csr", compressed_rows, true},
    {"diagonal", values_alone},
}};

constexpr std::array<std::string_view, array_roles> role_names = {"values", "row pointers", "columns"};

}  // namespace

const StorageFormat& format(Storage storage) { return formats[static_cast<std::size_t>(storage)]; }

std::string_view name(ArrayRole role) { return role_names[static_cast<std::size_t>(role)]; }

std::size_t position_of(ArrayRole role, Storage storage) {
  std::size_t position = 0;
  for (const StorageArray& array : format(storage).arrays) {
    if (array.role == role) return position;
    ++position;
  }
  return position;
}

}  // namespace lac
