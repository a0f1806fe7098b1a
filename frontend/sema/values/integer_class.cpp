#include "frontend/sema/values/integer_class.h"

#include <cmath>
#include <cstddef>
#include <iterator>

namespace lac::frontend {
namespace {

constexpr IntegerClassInfo infos[] = {
    {"", 0, false},      {"int8", 8, true},     {"int16", 16, true},   {"int32", 32, true},   {"int64", 64, true},
    {"uint8", 8, false}, {"uint16", 16, false}, {"uint32", 32, false}, {"uint64", 64, false},
};

}  // namespace

double IntegerClassInfo::lowest() const { return is_signed ? -std::ldexp(1.0, bits - 1) : 0; }
double IntegerClassInfo::highest() const { return std::ldexp(1.0, is_signed ? bits - 1 : bits) - 1; }

const IntegerClassInfo& info(IntegerClass integer_class) { return infos[static_cast<int>(integer_class)]; }

IntegerClass integer_class_named(std::string_view name) {
  for (std::size_t i = 1; i < std::size(infos); ++i)
    if (infos[i].name == name) return static_cast<IntegerClass>(i);
  return IntegerClass::none;
}

IntegerClass integer_class_of_bits(int bits, bool is_signed) {
  for (std::size_t i = 1; i < std::size(infos); ++i)
    if (infos[i].bits == bits && infos[i].is_signed == is_signed) return static_cast<IntegerClass>(i);
  return IntegerClass::none;
}

std::string_view class_name(Element element) {
  return element == Element::logical ? "logical" : element == Element::single ? "single" : "double";
}

}  // namespace lac::frontend
