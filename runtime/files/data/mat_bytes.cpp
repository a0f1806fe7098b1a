#include "runtime/files/data/mat_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lac::runtime::mat {
namespace {

constexpr std::size_t tag_size = 8, alignment = 8, most_in_tag = 4;

template <class T>
T value_at(const char* bytes, bool swapped) {
  char ordered[sizeof(T)];
  std::memcpy(ordered, bytes, sizeof(T));
  if (swapped) std::reverse(std::begin(ordered), std::end(ordered));
  T value;
  std::memcpy(&value, ordered, sizeof(T));
  return value;
}

std::size_t padding(std::size_t size) { return (alignment - size % alignment) % alignment; }

template <class T>
double number(const char* bytes, bool swapped) {
  return static_cast<double>(value_at<T>(bytes, swapped));
}

struct Format {
  Type type;
  std::size_t size;
  double (*number)(const char* bytes, bool swapped);
};

constexpr Format formats[] = {
    {Type::int8, 1, number<std::int8_t>},    {Type::uint8, 1, number<std::uint8_t>},
    {Type::int16, 2, number<std::int16_t>},  {Type::uint16, 2, number<std::uint16_t>},
    {Type::int32, 4, number<std::int32_t>},  {Type::uint32, 4, number<std::uint32_t>},
    {Type::single, 4, number<float>},        {Type::real, 8, number<double>},
    {Type::int64, 8, number<std::int64_t>},  {Type::uint64, 8, number<std::uint64_t>},
    {Type::utf8, 1, number<std::uint8_t>},   {Type::utf16, 2, number<std::uint16_t>},
    {Type::utf32, 4, number<std::uint32_t>},
};

const Format* format_of(Type type) {
  const auto* format = std::ranges::find(formats, type, &Format::type);
  return format == std::end(formats) ? nullptr : format;
}

}  // namespace

std::size_t size_of(Type type) {
  const Format* format = format_of(type);
  return format == nullptr ? 0 : format->size;
}

std::uint32_t Elements::word(std::size_t at) const { return value_at<std::uint32_t>(rest_.data() + at, swapped_); }

// Up to four bytes lie in the tag itself, whose first half then has their number above the type.
std::optional<Element> Elements::next() {
  if (rest_.size() < tag_size) return std::nullopt;
  const std::uint32_t first = word(0), small = first >> 16U;
  Element element{static_cast<Type>(small != 0 ? first & 0xffffU : first)};
  if (small != 0) {
    if (small > most_in_tag) return std::nullopt;
    element.bytes = rest_.substr(tag_size - most_in_tag, small);
    rest_.remove_prefix(tag_size);
    return element;
  }
  const std::size_t size = word(most_in_tag);
  if (size > rest_.size() - tag_size) return std::nullopt;
  element.bytes = rest_.substr(tag_size, size);
  const std::size_t behind = element.type == Type::compressed ? 0 : padding(size);
  rest_.remove_prefix(std::min(tag_size + size + behind, rest_.size()));
  return element;
}

std::size_t count_of(const Element& element) {
  const std::size_t size = size_of(element.type);
  return size == 0 ? 0 : element.bytes.size() / size;
}

double number_at(const Element& element, std::size_t i, bool swapped) {
  const Format& format = *format_of(element.type);
  return format.number(element.bytes.data() + i * format.size, swapped);
}

// Octave reads the length of field names in the small form alone.
void Output::raw(Type type, std::string_view data) {
  if (size_of(type) != 0 && !data.empty() && data.size() <= most_in_tag) {
    const std::uint32_t tag = static_cast<std::uint32_t>(type) | static_cast<std::uint32_t>(data.size()) << 16U;
    bytes.append(reinterpret_cast<const char*>(&tag), sizeof tag);
    bytes += data;
    bytes.append(most_in_tag - data.size(), '\0');
    return;
  }
  const std::uint32_t tag[] = {static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(data.size())};
  bytes.append(reinterpret_cast<const char*>(tag), sizeof tag);
  bytes += data;
  if (type != Type::compressed) bytes.append(padding(data.size()), '\0');
}

}  // namespace lac::runtime::mat
