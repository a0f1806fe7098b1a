// The classes of numbers: their names, and the ranges of integers.
#pragma once

#include <string_view>

#include "frontend/sema/values/binding.h"
#include "ir/types/type.h"

namespace lac::frontend {

/// 2^53: from here on doubles have no room for every whole number.
inline constexpr double exact_limit = 9007199254740992.0;

struct IntegerClassInfo {
  std::string_view name;
  int bits;
  bool is_signed;
  double lowest() const;
  double highest() const;
  bool is_wide() const { return bits == 64; }  ///< its range is larger than that of exact doubles
};

const IntegerClassInfo& info(IntegerClass integer_class);
/// `none` where the name is of no integer class.
IntegerClass integer_class_named(std::string_view name);
/// The class of so many bits; `none` where there is none.
IntegerClass integer_class_of_bits(int bits, bool is_signed);

/// Of a matrix that is of no integer class: "logical", "single" or "double".
std::string_view class_name(Element element);

}  // namespace lac::frontend
