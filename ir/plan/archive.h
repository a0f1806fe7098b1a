// Bytes of IR values: fields in the order of their declaration, integers little-endian as in memory, every sequence
// with its length in front. One description of each type (`describe`) serves writing and reading. Whoever adds a type
// in another file opens namespace lac::archive there.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/plan/manifest.h"

namespace lac::archive {

class Writer {
 public:
  void bytes(const void* data, std::size_t count) { text.append(static_cast<const char*>(data), count); }
  void number(std::uint64_t number) {
    for (; number >= 128; number >>= 7) text.push_back(static_cast<char>(number | 128));
    text.push_back(static_cast<char>(number));
  }
  std::string text;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest(text) {}
  void bytes(void* data, std::size_t count) {
    if (count > rest.size()) {
      failed = true;
      if (count > 0) std::memset(data, 0, count);
      return;
    }
    if (count > 0) std::memcpy(data, rest.data(), count);
    rest.remove_prefix(count);
  }
  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest.empty()) break;
      const auto group = static_cast<unsigned char>(rest.front());
      rest.remove_prefix(1);
      number |= static_cast<std::uint64_t>(group & 127) << shift;
      if (group < 128) return number;
    }
    failed = true;
    return 0;
  }
  std::string_view rest;
  bool failed = false;
};

// A sequence cannot have more items than bytes are left: corrupt lengths must not allocate.
inline std::size_t length(Writer& writer, std::size_t size) {
  writer.number(size);
  return size;
}
inline std::size_t length(Reader& reader, std::size_t) {
  const std::uint64_t count = reader.number();
  if (count > reader.rest.size()) reader.failed = true;
  return reader.failed ? 0 : count;
}

template <class T>
concept Byte = (std::is_enum_v<T> || std::is_integral_v<T>)&&sizeof(T) == 1;
template <class T>
concept Integer = std::is_integral_v<T> && sizeof(T) > 1;

template <class Archive, class T>
requires Byte<T> || std::is_floating_point_v<T>
void describe(Archive& archive, T& value) { archive.bytes(&value, sizeof value); }

template <Integer T>
void describe(Writer& writer, T& value) {
  if constexpr (std::is_signed_v<T>) {
    const auto bits = static_cast<std::uint64_t>(value);
    writer.number((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
  } else {
    writer.number(value);
  }
}

template <Integer T>
void describe(Reader& reader, T& value) {
  const std::uint64_t number = reader.number();
  if constexpr (std::is_signed_v<T>) value = static_cast<T>((number >> 1) ^ (0 - (number & 1)));
  else value = static_cast<T>(number);
}

template <class Archive, class T>
requires(std::is_enum_v<T> && sizeof(T) > 1) void describe(Archive& archive, T& value) {
  auto number = static_cast<std::uint32_t>(value);
  describe(archive, number);
  value = static_cast<T>(number);
}

template <class Archive>
void describe(Archive&, std::monostate&) {}

template <class Archive, class Tag>
void describe(Archive& archive, Id<Tag>& id) {
  std::uint32_t behind = id.index + 1;  // none is 0
  describe(archive, behind);
  id.index = behind - 1;
}

template <class Archive>
void describe(Archive& archive, std::string& text) {
  text.resize(length(archive, text.size()));
  archive.bytes(text.data(), text.size());
}

// Every overload is found through the archive's namespace, whatever the order of declaration.
#define LAC_DESCRIBE(Type, ...)                  \
  template <class Archive>                       \
  void describe(Archive& archive, Type& value) { \
    all(archive __VA_OPT__(, ) __VA_ARGS__);     \
  }

LAC_DESCRIBE(Size::Term, value.coefficient, value.factors)
LAC_DESCRIBE(SizeSymbol, value.name, value.origin, value.parameter, value.value, value.lower)
LAC_DESCRIBE(Type, value.element, value.rows, value.cols, value.storage, value.properties, value.offsets)
LAC_DESCRIBE(Span, value.file, value.begin, value.end)
LAC_DESCRIBE(Location, value.span, value.function, value.caller, value.loops)
LAC_DESCRIBE(Parameter, value.name, value.type, value.span)
LAC_DESCRIBE(Reduction, value.op, value.axis)
LAC_DESCRIBE(Subscript, value.kind, value.first, value.step, value.count)
LAC_DESCRIBE(Subscripts, value.axes)
LAC_DESCRIBE(Transposes, value.left, value.right)
LAC_DESCRIBE(Message, value.stream, value.id, value.format, value.arguments)
LAC_DESCRIBE(Display, value.name, value.form, value.indent)
LAC_DESCRIBE(LoopInfo, value.kind, value.variable)
LAC_DESCRIBE(ParameterIndex, value.index)
LAC_DESCRIBE(SourceText, value.name, value.text)

template <class Archive, class... Fields>
void all(Archive& archive, Fields&... fields) {
  (describe(archive, fields), ...);
}

template <class Archive, class T>
void describe(Archive& archive, std::vector<T>& items) {
  items.resize(length(archive, items.size()));
  for (T& item : items) describe(archive, item);
}

template <class Archive, class Key, class T, class Items>
void describe(Archive& archive, IdVector<Key, T, Items>& items) {
  items.resize(length(archive, items.size()));
  for (T& item : items) describe(archive, item);
}

// Maps and sets: as sequences of what is in them.
template <class Key, class T>
void describe(Writer& writer, std::map<Key, T>& items) {
  length(writer, items.size());
  for (auto& [key, item] : items) {
    Key written = key;
    describe(writer, written);
    describe(writer, item);
  }
}

template <class Key, class T>
void describe(Reader& reader, std::map<Key, T>& items) {
  for (std::size_t left = length(reader, 0); left > 0; --left) {
    Key key{};
    describe(reader, key);
    describe(reader, items[key]);
  }
}

template <class T>
void describe(Writer& writer, std::set<T>& items) {
  length(writer, items.size());
  for (T item : items) describe(writer, item);
}

template <class T>
void describe(Reader& reader, std::set<T>& items) {
  for (std::size_t left = length(reader, 0); left > 0; --left) {
    T item{};
    describe(reader, item);
    items.insert(item);
  }
}

inline void describe(Writer& writer, Numbers& numbers) {
  std::vector<double> values = *numbers.values;
  describe(writer, values);
}

inline void describe(Reader& reader, Numbers& numbers) {
  std::vector<double> values;
  describe(reader, values);
  numbers.values = std::make_shared<std::vector<double>>(std::move(values));
}

template <class Archive, class T>
void describe(Archive& archive, std::optional<T>& item) {
  bool present = item.has_value();
  describe(archive, present);
  if (present && !item) item.emplace();
  if (present) describe(archive, *item);
}

template <class... Ts>
void describe(Writer& writer, std::variant<Ts...>& value) {
  auto index = static_cast<std::uint8_t>(value.index());
  describe(writer, index);
  std::visit([&](auto& held) { describe(writer, held); }, value);
}

template <class... Ts>
void describe(Reader& reader, std::variant<Ts...>& value) {
  std::uint8_t index = 0;
  describe(reader, index);
  std::uint8_t candidate = 0;
  const auto read_if = [&]<class T>(std::type_identity<T>) {
    if (index == candidate++) {
      T held{};
      describe(reader, held);
      value = std::move(held);
    }
  };
  (read_if(std::type_identity<Ts>{}), ...);
  if (index >= sizeof...(Ts)) reader.failed = true;
}

template <class Archive, class T, std::size_t Count>
void describe(Archive& archive, std::array<T, Count>& items) {
  for (T& item : items) describe(archive, item);
}

inline void describe(Writer& writer, Size& size) {
  std::int64_t constant = size.constant();
  describe(writer, constant);
  if (size.is_constant()) return writer.number(0);
  std::vector<Size::Term> terms = (size - constant).terms();
  describe(writer, terms);
}

inline void describe(Reader& reader, Size& size) {
  std::int64_t constant = 0;
  std::vector<Size::Term> terms;
  describe(reader, constant);
  describe(reader, terms);
  size = terms.empty() ? Size(constant) : Size::from_terms(terms) + constant;
}

template <class Archive>
void describe(Archive& archive, Properties& properties) {
  std::uint8_t bits = 0;
  for (const PropertyName& entry : property_names())
    if (properties.has(entry.property)) bits |= static_cast<std::uint8_t>(entry.property);
  describe(archive, bits);
  for (const PropertyName& entry : property_names())
    if (bits & static_cast<std::uint8_t>(entry.property)) properties.add(entry.property);
}

/// The bytes of `value` behind `signature`.
template <class T>
std::string written(std::string_view signature, T value) {  // by value: `describe` takes what reading fills in
  Writer writer;
  writer.bytes(signature.data(), signature.size());
  describe(writer, value);
  return std::move(writer.text);
}

/// What `written` was given; nothing where it did not write these bytes, as far as lengths tell: enums are not looked
/// at, so the bytes must be our own (a file of the cache by its hash, a program's own manifest).
template <class T>
std::optional<T> read(std::string_view signature, std::string_view bytes) {
  if (!bytes.starts_with(signature)) return std::nullopt;
  Reader reader(bytes.substr(signature.size()));
  T value{};
  describe(reader, value);
  if (reader.failed || !reader.rest.empty()) return std::nullopt;
  return value;
}

}  // namespace lac::archive
