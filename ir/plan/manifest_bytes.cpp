// The byte form of a manifest: fields in the order of their declaration, integers little-endian as in memory, every
// sequence with its length in front. One description of each type (`describe`) serves writing and reading.
#include <cstring>
#include <limits>
#include <type_traits>

#include "ir/plan/manifest.h"

namespace lac {
namespace {

constexpr std::string_view signature = "lac manifest 1\n";

class Writer {
 public:
  void bytes(const void* data, std::size_t count) { text.append(static_cast<const char*>(data), count); }
  std::string text;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest(text) {}
  void bytes(void* data, std::size_t count) {
    if (count > rest.size()) {
      failed = true;
      std::memset(data, 0, count);
      return;
    }
    std::memcpy(data, rest.data(), count);
    rest.remove_prefix(count);
  }
  std::string_view rest;
  bool failed = false;
};

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// A sequence cannot have more items than bytes are left: corrupt lengths must not allocate.
std::uint32_t length(Writer& writer, std::size_t size) {
  const auto count = static_cast<std::uint32_t>(size);
  writer.bytes(&count, sizeof count);
  return count;
}
std::uint32_t length(Reader& reader, std::size_t) {
  std::uint32_t count = 0;
  reader.bytes(&count, sizeof count);
  if (count > reader.rest.size()) reader.failed = true;
  return reader.failed ? 0 : count;
}

template <class Archive, Plain T>
void describe(Archive& archive, T& value) {
  archive.bytes(&value, sizeof value);
}

template <class Archive>
void describe(Archive&, std::monostate&) {}

template <class Archive, class Tag>
void describe(Archive& archive, Id<Tag>& id) {
  describe(archive, id.index);
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
LAC_DESCRIBE(Display, value.name, value.form)
LAC_DESCRIBE(LoopInfo, value.kind, value.variable)
LAC_DESCRIBE(ParameterIndex, value.index)
LAC_DESCRIBE(StepOperand, value.element, value.storage, value.scalar, value.offsets)
LAC_DESCRIBE(Step, value.kind, value.location, value.attribute, value.operands, value.results, value.loop)
LAC_DESCRIBE(LoopEntry, value.location, value.info)
LAC_DESCRIBE(SlotSize, value.constant, value.slot)
LAC_DESCRIBE(KernelResult, value.name, value.element, value.rows, value.cols, value.slot)
LAC_DESCRIBE(KernelEntry, value.name, value.locations, value.loop, value.partials_slot, value.partial_count,
             value.results)
LAC_DESCRIBE(SourceText, value.name, value.text)
LAC_DESCRIBE(Manifest, value.name, value.precision, value.parameters, value.symbols, value.outputs, value.steps,
             value.loops, value.kernels, value.locations, value.sources, value.host_data)
#undef LAC_DESCRIBE

template <class Archive, class... Fields>
void all(Archive& archive, Fields&... fields) {
  (describe(archive, fields), ...);
}

template <class Archive, class T>
void describe(Archive& archive, std::vector<T>& items) {
  items.resize(length(archive, items.size()));
  for (T& item : items) describe(archive, item);
}

template <class Archive, class Key, class T>
void describe(Archive& archive, IdVector<Key, T>& items) {
  items.resize(length(archive, items.size()));
  for (T& item : items) describe(archive, item);
}

void describe(Writer& writer, Numbers& numbers) {
  std::vector<double> values = *numbers.values;
  describe(writer, values);
}

void describe(Reader& reader, Numbers& numbers) {
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

void describe(Writer& writer, Size& size) {
  std::vector<Size::Term> terms = size.terms();
  describe(writer, terms);
}

void describe(Reader& reader, Size& size) {
  std::vector<Size::Term> terms;
  describe(reader, terms);
  size = 0;
  for (const Size::Term& term : terms) {
    Size product(term.coefficient);
    for (SymbolId factor : term.factors) product = product * Size::symbol(factor);
    size = size + product;
  }
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

}  // namespace

std::string to_bytes(const Manifest& manifest) {
  Writer writer;
  writer.bytes(signature.data(), signature.size());
  Manifest copy = manifest;  // `describe` takes fields by reference to non-const, as reading needs
  describe(writer, copy);
  return std::move(writer.text);
}

Result<Manifest> manifest_from_bytes(std::string_view bytes) {
  if (bytes.substr(0, signature.size()) != signature) return Failure{"not a manifest of this version of lac"};
  Reader reader(bytes.substr(signature.size()));
  Manifest manifest;
  describe(reader, manifest);
  if (reader.failed || !reader.rest.empty()) return Failure{"damaged manifest"};
  return manifest;
}

}  // namespace lac
