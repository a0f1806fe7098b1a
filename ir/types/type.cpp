#include "ir/types/type.h"

namespace lac {

std::string_view name(Element element) {
  static constexpr std::string_view names[] = {"logical", "int", "f32", "f64"};
  return names[static_cast<int>(element)];
}

std::int64_t byte_size(Element element) {
  static constexpr std::int64_t sizes[] = {1, 8, 4, 8};
  return sizes[static_cast<int>(element)];
}

Element arithmetic_join(Element a, Element b) {
  if (a == Element::single || b == Element::single) return Element::single;
  if (a == Element::real || b == Element::real) return Element::real;
  return Element::integer;
}

Element join(Element a, Element b) {
  return a == Element::logical && b == Element::logical ? Element::logical : arithmetic_join(a, b);
}

const std::vector<PropertyName>& property_names() {
  static const std::vector<PropertyName> names = {{Property::symmetric, "symmetric"},
                                                  {Property::spd, "spd"},
                                                  {Property::lower, "lower"},
                                                  {Property::upper, "upper"},
                                                  {Property::orthogonal, "orthogonal"}};
  return names;
}

Size stored_elements(const Type& type) {
  if (type.storage == Storage::diagonal) return type.rows * Size(static_cast<std::int64_t>(type.offsets.size()));
  return type.count();
}

std::string to_string(const Type& type, const std::function<std::string(SymbolId)>& name_of) {
  std::string text(name(type.element));
  if (!type.is_scalar()) text += "[" + to_string(type.rows, name_of) + " x " + to_string(type.cols, name_of) + "]";
  if (type.storage != Storage::dense) text += " " + std::string(name(type.storage));
  if (type.storage == Storage::diagonal) {
    text += "(";
    for (std::size_t i = 0; i < type.offsets.size(); ++i) text += (i ? ", " : "") + to_string(type.offsets[i], name_of);
    text += ")";
  }
  for (const PropertyName& entry : property_names()) {
    if (entry.property == Property::symmetric && type.properties.has(Property::spd)) continue;  // implied
    if (type.properties.has(entry.property)) text += " " + std::string(entry.name);
  }
  return text;
}

}  // namespace lac
