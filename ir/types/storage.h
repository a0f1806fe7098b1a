// How matrices lie in memory, as data: which arrays each storage has, of what and how many. Slots of kernels, bindings
// of shaders, uploads, checks of positions and counts of bytes follow from here; only what reads elements one by one
// (products, cursors, the algorithms on tensors) knows a storage by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lac {

/// dense: column-major, leading dimension = rows. csr: compressed rows, columns ascending. diagonal: one stored vector
/// per diagonal, values[d * rows + i] = A(i, i + offsets[d]) (0-based), offsets ascending, zero where out of range.
/// In csr and diagonal storage an absent or zero entry contributes nothing to a product (so 0 * Inf does not arise).
enum class Storage : std::uint8_t { dense, csr, diagonal };

enum class ArrayRole : std::uint8_t { values, row_pointers, columns };
inline constexpr std::size_t array_roles = 3;

enum class ArrayExtent : std::uint8_t {
  stored,        ///< one for each stored value
  rows_and_one,  ///< where each row begins, and the last ends
};

struct StorageArray {
  ArrayRole role = ArrayRole::values;
  ArrayExtent extent = ArrayExtent::stored;
  std::int64_t index_bytes = 0;  ///< of an element that is an index; 0: it is an element of the matrix
};

struct StorageFormat {
  std::string_view name;                      ///< in the text of types
  std::span<const StorageArray> arrays = {};  ///< in the order of a kernel's slots
  bool is_counted_at_run = false;  ///< how many values are stored is known where there is a matrix, not from its type
};

const StorageFormat& format(Storage storage);
inline std::string_view name(Storage storage) { return format(storage).name; }

/// "values", "row pointers", "columns".
std::string_view name(ArrayRole role);
/// Where the array stands in format(storage).arrays, which has it.
std::size_t position_of(ArrayRole role, Storage storage);

/// How many elements the array of a matrix has, in whatever counts.
template <class Count>
Count extent_of(const StorageArray& array, const Count& rows, const Count& stored) {
  return array.extent == ArrayExtent::rows_and_one ? rows + Count(1) : stored;
}

}  // namespace lac
