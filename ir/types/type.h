// The type of a value: element, storage, shape, properties.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/types/size.h"
#include "ir/types/storage.h"

namespace lac {

/// `integer` holds exact integers (sizes, counters, indices) as IEEE doubles on every target, whatever the program's
/// precision; so arithmetic on it is Octave's. `logical` is stored as one byte, 0 or 1.
enum class Element : std::uint8_t { logical, integer, single, real };

/// "logical", "int", "f32", "f64".
std::string_view name(Element element);
std::int64_t byte_size(Element element);
inline bool is_floating(Element element) { return element == Element::single || element == Element::real; }

/// The element of an arithmetic result (Octave's mixing: single wins over double, logical counts as integer).
Element arithmetic_join(Element a, Element b);
/// The element of a variable that holds either: logical only if both are.
Element join(Element a, Element b);

enum class Property : std::uint8_t {
  symmetric = 1,
  spd = 2,
  lower = 4,
  upper = 8,
  orthogonal = 16,
};

/// A set of properties. spd implies symmetric.
class Properties {
 public:
  bool has(Property p) const { return (bits_ & static_cast<std::uint8_t>(p)) != 0; }
  void add(Property p) {
    bits_ |= static_cast<std::uint8_t>(p);
    if (p == Property::spd) add(Property::symmetric);
  }
  bool empty() const { return bits_ == 0; }
  friend bool operator==(const Properties&, const Properties&) = default;

 private:
  std::uint8_t bits_ = 0;
};

struct PropertyName {
  Property property;
  std::string_view name;
};
/// The names as `param` lines write them.
const std::vector<PropertyName>& property_names();

struct Type {
  Element element = Element::real;
  Size rows = 1;
  Size cols = 1;
  Storage storage = Storage::dense;
  Properties properties = {};
  std::vector<Size> offsets = {};  ///< of diagonal storage: ascending where comparable

  static Type scalar(Element element) { return {element}; }
  static Type matrix(Element element, Size rows, Size cols) { return {element, std::move(rows), std::move(cols)}; }

  bool is_scalar() const { return storage == Storage::dense && rows.is(1) && cols.is(1); }
  bool is_dense() const { return storage == Storage::dense; }
  bool is_sparse() const { return storage != Storage::dense; }
  bool is_vector() const { return rows.is(1) || cols.is(1); }
  Size count() const { return rows * cols; }
  bool same_shape(const Type& other) const { return rows == other.rows && cols == other.cols; }
  friend bool operator==(const Type&, const Type&) = default;
};

/// Elements in memory of a matrix that is dense or diagonals.
Size stored_elements(const Type& type);

/// "f64", "f64[n x 1]", "f64[n x n] csr spd", "f32[n^2 x n^2] diagonal(-n, -1, 0, 1, n)".
std::string to_string(const Type& type, const std::function<std::string(SymbolId)>& name_of);

}  // namespace lac
