#include "runtime/files/npy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "ir/types/extent.h"
#include "runtime/files/number.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

static_assert(std::endian::native == std::endian::little, "the NPY reader and writer assume a little-endian host");

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
  std::string descr;  ///< NumPy's type string: byte order, kind, bytes
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::string_view data;
};

Failure bad(const std::string& name, const std::string& what) { return {name + ": " + what}; }

/// The dictionary literal of an NPY header, as numpy.lib.format writes it: the keys descr, fortran_order and shape,
/// each once, in any order. Anything else is refused: a header that is half understood gives a matrix that is wrong.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  std::optional<Failure> parse(Header& header) {
    if (!take('{')) return malformed("it does not start with '{'");
    while (!take('}')) {
      std::string key;
      if (!take_string(key) || !take(':')) return malformed("a key in quotes and ':' is expected " + here());
      if (auto failed = take_value(key, header)) return failed;
      if (!take(',') && peek() != '}') return malformed("',' or '}' is expected " + here());
    }
    if (peek() != '\0') return malformed("'}' is not its end");
    for (const Entry& entry : entries_)
      if (!entry.seen) return bad(name_, "the NPY header lacks '" + std::string(entry.key) + "'");
    return std::nullopt;
  }

 private:
  struct Entry {
    std::string_view key;
    bool (HeaderParser::*take)(Header&);
    std::string_view form;
    bool seen = false;
  };

  std::optional<Failure> take_value(const std::string& key, Header& header) {
    const auto entry = std::ranges::find(entries_, std::string_view(key), &Entry::key);
    if (entry == std::end(entries_)) return malformed("there is no key '" + key + "'");
    if (std::exchange(entry->seen, true)) return malformed("'" + key + "' is there twice");
    if (key == "descr" && peek() == '[') return bad(name_, "structured NPY arrays are not supported");
    if ((this->*entry->take)(header)) return std::nullopt;
    return malformed("'" + key + "' is " + std::string(entry->form));
  }

  bool take_descr(Header& header) { return take_string(header.descr); }

  bool take_order(Header& header) {
    header.fortran_order = take_word("True");
    return header.fortran_order || take_word("False");
  }

  bool take_shape(Header& header) {
    if (!take('(')) return false;
    while (!take(')')) {
      peek();
      const auto parsed = parse_integer(rest_.data(), rest_.data() + rest_.size());
      if (parsed.error != NumberError::none || parsed.value < 0) return false;
      header.shape.push_back(parsed.value);
      rest_.remove_prefix(static_cast<std::size_t>(parsed.end - rest_.data()));
      take('L');  // Python 2 wrote long integers so
      if (take(',')) continue;
      if (header.shape.size() == 1 || peek() != ')') return false;  // (3) is a number, (3,) is a shape
    }
    return true;
  }

  /// The next character that is no blank; '\0' at the end.
  char peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool take(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take_word(std::string_view word) {
    peek();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    const char next = peek();
    return next == ',' || next == '}';
  }

  bool take_string(std::string& text) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return false;
    const std::size_t close = rest_.find(quote, 1);
    if (close == std::string_view::npos) return false;
    text = std::string(rest_.substr(1, close - 1));
    rest_.remove_prefix(close + 1);
    return true;
  }

  std::string here() { return peek() == '\0' ? "at its end" : "at '" + std::string(rest_.substr(0, 10)) + "'"; }
  Failure malformed(const std::string& what) const { return bad(name_, "the NPY header is malformed: " + what); }

  std::string_view rest_;
  const std::string& name_;
  Entry entries_[3] = {{"descr", &HeaderParser::take_descr, "no type in quotes"},
                       {"fortran_order", &HeaderParser::take_order, "neither True nor False"},
                       {"shape", &HeaderParser::take_shape, "no tuple of sizes"}};
};

Result<std::string_view> header_text(std::string_view bytes, const std::string& name, std::string_view& data) {
  if (bytes.empty()) return bad(name, "the file is empty");
  if (bytes.substr(0, magic.size()) != magic) return bad(name, "not an NPY file: it does not start with '\\x93NUMPY'");
  if (bytes.size() < 10) return bad(name, "the file ends inside the NPY header");
  const auto byte = [&](std::size_t k) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[k])); };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0)
    return bad(name, "NPY format version " + std::to_string(version) + "." + std::to_string(byte(7)) + " is not known");
  const std::size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start) return bad(name, "the file ends inside the NPY header");
  const std::size_t length =
      version == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (bytes.size() < start + length) return bad(name, "the file ends inside the NPY header");
  data = bytes.substr(start + length);
  return bytes.substr(start, length);
}

Result<Header> parse_header(std::string_view bytes, const std::string& name) {
  Header header;
  const Result<std::string_view> found = header_text(bytes, name, header.data);
  if (!found) return found.failure();
  if (auto failed = HeaderParser(found.value(), name).parse(header)) return *failed;
  if (header.shape.size() > 2)
    return bad(name,
               "the array has " + std::to_string(header.shape.size()) + " dimensions: only matrices are supported");
  return header;
}

/// How to read one stored value, by the type string without its byte order.
struct Kind {
  std::string_view text;
  std::size_t bytes;
  Element element;
};

constexpr Kind kinds[] = {
    {"f8", 8, Element::real}, {"f4", 4, Element::single}, {"b1", 1, Element::logical}, {"i1", 1, Element::real},
    {"i2", 2, Element::real}, {"i4", 4, Element::real},   {"i8", 8, Element::real},    {"u1", 1, Element::real},
    {"u2", 2, Element::real}, {"u4", 4, Element::real},   {"u8", 8, Element::real},
};

template <class T>
T load(const char* from, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// Copies `count` values of type From, where element (i, j) of the file's order lies at `position(k)` of the result.
template <class From, class To, class Position>
bool copy_values(std::string_view data, bool swapped, std::int64_t count, To* to, Position&& position) {
  bool exact = true;
  for (std::int64_t k = 0; k < count; ++k) {
    const From value = load<From>(data.data() + k * static_cast<std::int64_t>(sizeof(From)), swapped);
    const To converted = std::is_same_v<To, std::uint8_t> ? static_cast<To>(value != From{0}) : static_cast<To>(value);
    if constexpr (sizeof(From) == 8 && std::is_integral_v<From>)
      exact = exact && value <= From{1} << 53 && (std::is_unsigned_v<From> || value >= -(static_cast<From>(1) << 53));
    to[position(k)] = converted;
  }
  return exact;
}

template <class F>
bool with_kind(std::string_view text, F&& f) {
  if (text == "f8") return f(double{}, double{});
  if (text == "f4") return f(float{}, float{});
  if (text == "b1") return f(std::uint8_t{}, std::uint8_t{});
  if (text == "i1") return f(std::int8_t{}, double{});
  if (text == "i2") return f(std::int16_t{}, double{});
  if (text == "i4") return f(std::int32_t{}, double{});
  if (text == "i8") return f(std::int64_t{}, double{});
  if (text == "u1") return f(std::uint8_t{}, double{});
  if (text == "u2") return f(std::uint16_t{}, double{});
  if (text == "u4") return f(std::uint32_t{}, double{});
  return f(std::uint64_t{}, double{});
}

Result<Tensor> read_values(const Header& header, const Kind& kind, const std::string& name) {
  const std::int64_t rows = header.shape.empty() ? 1 : header.shape[0];
  const std::int64_t cols = header.shape.size() < 2 ? 1 : header.shape[1];
  if (!is_extent(rows) || !is_extent(cols))
    return bad(name, "a " + std::to_string(rows) + " x " + std::to_string(cols) + " array: a matrix has at most " +
                         std::to_string(largest_extent) + " rows and columns");
  const auto available = static_cast<std::int64_t>(header.data.size() / kind.bytes);
  if (rows != 0 && cols > available / rows && cols != 0)
    return bad(name, "the file is truncated: a " + std::to_string(rows) + " x " + std::to_string(cols) +
                         " array needs more than the " + std::to_string(available) + " values it holds");
  const std::int64_t count = rows * cols;
  if (header.data.size() != static_cast<std::size_t>(count) * kind.bytes)
    return bad(name, std::to_string(header.data.size() - static_cast<std::size_t>(count) * kind.bytes) +
                         " bytes follow the last value");
  Tensor result = Tensor::for_writing(kind.element, rows, cols);
  const bool swapped = header.descr.front() == '>';
  const auto position = [&](std::int64_t k) {
    return header.fortran_order || rows == 1 || cols == 1 ? k : k % cols * rows + k / cols;
  };
  const bool exact = with_kind(kind.text, [&](auto from, auto to) {
    return copy_values<decltype(from)>(header.data, swapped, count, result.mutable_values<decltype(to)>(), position);
  });
  if (!exact) return bad(name, "an integer above 2^53 in size cannot be held exactly in double precision");
  return result;
}

}  // namespace

Result<Tensor> read_npy(std::string_view bytes, const std::string& name) {
  const Result<Header> header = parse_header(bytes, name);
  if (!header) return header.failure();
  const std::string& descr = header.value().descr;
  const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos;
  const std::string_view text = std::string_view(descr).substr(has_order ? 1 : 0);
  for (const Kind& kind : kinds)
    if (text == kind.text) return read_values(header.value(), kind, name);
  const char* what = text.empty()     ? "untyped"
                     : text[0] == 'c' ? "complex"
                     : text[0] == 'O' ? "object (pickled Python)"
                     : text == "f2"   ? "half precision"
                     : text[0] == 'U' ? "string"
                     : text[0] == 'S' ? "string"
                                      : "such";
  return bad(name, std::string(what) + " arrays are not supported (dtype '" + descr + "')");
}

std::string format_npy(const Tensor& a) {
  const Tensor dense = to_dense(a);
  const char* descr = dense.element() == Element::single    ? "<f4"
                      : dense.element() == Element::logical ? "|b1"
                      : dense.element() == Element::integer ? "<i8"
                                                            : "<f8";
  std::string header = std::string("{'descr': '") + descr + "', 'fortran_order': True, 'shape': (" +
                       std::to_string(a.rows()) + ", " + std::to_string(a.cols()) + "), }";
  const std::size_t padding = 64 - (magic.size() + 4 + header.size() + 1) % 64;
  header += std::string(padding % 64, ' ') + "\n";
  std::string out(magic);
  out += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  out += header;
  if (dense.element() == Element::integer) {
    for (std::int64_t k = 0; k < dense.count(); ++k) {
      const auto value = static_cast<std::int64_t>(dense.stored_value(k));
      out.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  } else if (dense.count() > 0) {
    out.append(static_cast<const char*>(dense.data()), dense.value_bytes());
  }
  return out;
}

}  // namespace lac::runtime
