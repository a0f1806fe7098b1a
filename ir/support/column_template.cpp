#include "ir/support/column_template.h"

#include <algorithm>
#include <iterator>

namespace lac {
namespace {

struct Conversion {
  std::string_view name;
  DataClass data_class;
};

// Longer names come before those that they begin with.
constexpr Conversion conversions[] = {
    {"d8", DataClass::int8},    {"d16", DataClass::int16},  {"d32", DataClass::int32},  {"d64", DataClass::int64},
    {"u8", DataClass::uint8},   {"u16", DataClass::uint16}, {"u32", DataClass::uint32}, {"u64", DataClass::uint64},
    {"f32", DataClass::single}, {"f64", DataClass::real},   {"d", DataClass::int32},    {"u", DataClass::uint32},
    {"f", DataClass::real},     {"n", DataClass::real},     {"s", DataClass::text},
};

constexpr std::string_view blanks = " \t\n";

/// The conversion behind a '%', which is taken off.
Result<ColumnPart> take_conversion(std::string_view& text) {
  ColumnPart part;
  part.skipped = text.starts_with('*');
  if (part.skipped) text.remove_prefix(1);
  const auto* found =
      std::ranges::find_if(conversions, [&](const Conversion& each) { return text.starts_with(each.name); });
  if (found == std::end(conversions))
    return Failure{"the conversion '%" + std::string(part.skipped ? "*" : "") + std::string(text.substr(0, 1)) +
                   "' is outside the language: %f, %n, %d, %u and %s are the columns, without widths"};
  text.remove_prefix(found->name.size());
  part.data_class = found->data_class;
  return part;
}

/// The text up to a blank or a conversion, which is taken off; "%%" is a '%'.
ColumnPart take_literal(std::string_view& text) {
  ColumnPart part;
  while (!text.empty() && blanks.find(text[0]) == std::string_view::npos &&
         (text[0] != '%' || text.starts_with("%%"))) {
    part.literal += text[0];
    text.remove_prefix(text[0] == '%' ? 2 : 1);
  }
  return part;
}

}  // namespace

Result<std::vector<ColumnPart>> column_template(std::string_view text) {
  std::vector<ColumnPart> parts;
  while (!text.empty()) {
    if (blanks.find(text[0]) != std::string_view::npos) {
      text.remove_prefix(1);
    } else if (text[0] != '%' || text.starts_with("%%")) {
      parts.push_back(take_literal(text));
    } else {
      text.remove_prefix(1);
      Result<ColumnPart> part = take_conversion(text);
      if (!part) return part.failure();
      parts.push_back(part.take());
    }
  }
  if (std::ranges::none_of(parts, &ColumnPart::is_column)) return Failure{"the template has no columns"};
  return parts;
}

}  // namespace lac
