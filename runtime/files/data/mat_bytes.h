// The bytes of MATLAB level 5 MAT files: data elements, each a tag with its type and size and the bytes behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lac::runtime::mat {

enum class Type : std::uint32_t {
  int8 = 1,
  uint8 = 2,
  int16 = 3,
  uint16 = 4,
  int32 = 5,
  uint32 = 6,
  single = 7,
  real = 9,
  int64 = 12,
  uint64 = 13,
  matrix = 14,
  compressed = 15,
  utf8 = 16,
  utf16 = 17,
  utf32 = 18,
};

/// The class of an array, in its flags.
enum class Class : std::uint32_t {
  cell = 1,
  record = 2,
  object = 3,
  text = 4,
  sparse = 5,
  real = 6,
  single = 7,
  int8 = 8,
  uint8 = 9,
  int16 = 10,
  uint16 = 11,
  int32 = 12,
  uint32 = 13,
  int64 = 14,
  uint64 = 15,
  function = 16,
  opaque = 17,
};

inline constexpr std::uint32_t complex_flag = 0x800, global_flag = 0x400, logical_flag = 0x200;
inline constexpr std::size_t header_size = 128;

/// Bytes of one number; 0 where the type is none of numbers.
std::size_t size_of(Type type);

struct Element {
  Type type = Type::int8;
  std::string_view bytes = {};
};

/// Walks over the elements of a file or of an array.
class Elements {
 public:
  Elements(std::string_view bytes, bool swapped) : rest_(bytes), swapped_(swapped) {}

  bool at_end() const { return rest_.empty(); }
  std::size_t remaining() const { return rest_.size(); }
  bool swapped() const { return swapped_; }
  /// Nothing where what is left is no element, or claims more bytes than there are.
  std::optional<Element> next();

 private:
  std::uint32_t word(std::size_t at) const;

  std::string_view rest_;
  bool swapped_;
};

/// How many numbers an element has, and each of them, as stored or as a double.
std::size_t count_of(const Element& element);
double number_at(const Element& element, std::size_t i, bool swapped);

/// Appends elements in the byte order of the machine.
class Output {
 public:
  std::string bytes;

  template <class T>
  void numbers(Type type, const std::vector<T>& values) {
    raw(type, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void raw(Type type, std::string_view data);
};

}  // namespace lac::runtime::mat
