#include "runtime/files/matrix_market.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "runtime/files/scanner.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

constexpr std::int64_t index_limit = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t many_rows = std::int64_t{1} << 24;  ///< more than these must be worth their memory

constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew };

struct Banner {
  bool vector = false;
  bool coordinate = false;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
};

struct Sizes {
  std::int64_t rows = 0;
  std::int64_t cols = 1;
  std::int64_t entries = 0;  ///< as the file counts them: without the mirrored ones
};

std::string lower(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

template <class T>
struct Word {
  const char* text;
  T value;
};

constexpr std::array objects = {Word<bool>{"matrix", false}, Word<bool>{"vector", true}};
constexpr std::array formats = {Word<bool>{"coordinate", true}, Word<bool>{"array", false}};
constexpr std::array fields = {Word<Field>{"real", Field::real}, Word<Field>{"double", Field::real},
                               Word<Field>{"integer", Field::integer}, Word<Field>{"unsigned-integer", Field::integer},
                               Word<Field>{"pattern", Field::pattern}};
constexpr std::array symmetries = {Word<Symmetry>{"general", Symmetry::general},
                                   Word<Symmetry>{"symmetric", Symmetry::symmetric},
                                   Word<Symmetry>{"skew-symmetric", Symmetry::skew}};

// Reads one word of the banner by its table. `refused` is a word of the format that this reader has no use for.
template <class T, std::size_t N>
std::optional<Failure> take_banner_word(Scanner& in, const char* what, const std::array<Word<T>, N>& words,
                                        const char* refused, T& value) {
  in.skip_blanks();
  const std::string shown = in.word();
  const std::string word = lower(in.take_word());
  for (const Word<T>& known : words)
    if (word == known.text) {
      value = known.value;
      return std::nullopt;
    }
  if (refused != nullptr && word == refused)
    return in.failure(std::string("the ") + what + " '" + word + "' is not supported: only real matrices are");
  std::string expected;
  for (const Word<T>& known : words) expected += (expected.empty() ? "" : ", ") + std::string(known.text);
  const std::string found = word.empty() ? std::string("the banner ends") : "'" + shown + "'";
  return in.failure("bad Matrix Market banner: expected the " + std::string(what) + " (" + expected + "), found " +
                    found);
}

Result<Banner> read_banner(Scanner& in) {
  in.skip_blanks();
  if (in.at_end()) return in.failure("the file is empty");
  const std::string first = lower(in.take_word());
  if (first != "%%matrixmarket" && first != "%matrixmarket")
    return in.failure("not a Matrix Market file: the first line must start with '%%MatrixMarket'");
  Banner banner;
  if (auto failed = take_banner_word(in, "object", objects, nullptr, banner.vector)) return *failed;
  if (auto failed = take_banner_word(in, "format", formats, nullptr, banner.coordinate)) return *failed;
  if (auto failed = take_banner_word(in, "field", fields, "complex", banner.field)) return *failed;
  if (auto failed = take_banner_word(in, "symmetry", symmetries, "hermitian", banner.symmetry)) return *failed;
  in.skip_blanks();
  if (!in.at_line_end())
    return in.failure("bad Matrix Market banner: unexpected '" + in.word() + "' after the symmetry");
  if (banner.field == Field::pattern && !banner.coordinate)
    return in.failure("bad Matrix Market banner: 'pattern' needs the format 'coordinate'");
  if (banner.field == Field::pattern && banner.symmetry == Symmetry::skew)
    return in.failure("bad Matrix Market banner: 'pattern' cannot be 'skew-symmetric'");
  if (banner.vector && banner.symmetry != Symmetry::general)
    return in.failure("bad Matrix Market banner: a vector is 'general'");
  return banner;
}

std::int64_t array_entries(const Sizes& sizes, Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::general: return sizes.rows * sizes.cols;
    case Symmetry::symmetric: return sizes.rows * (sizes.rows + 1) / 2;
    case Symmetry::skew: return sizes.rows == 0 ? 0 : sizes.rows * (sizes.rows - 1) / 2;
  }
  return 0;
}

std::optional<Failure> check_sizes(const Scanner& in, const Banner& banner, const Sizes& sizes) {
  if (sizes.rows > index_limit || sizes.cols > index_limit || sizes.entries > index_limit)
    return in.failure("the sizes " + std::to_string(sizes.rows) + " x " + std::to_string(sizes.cols) + " with " +
                      std::to_string(sizes.entries) + " entries exceed the limit of 2147483647");
  if (banner.symmetry != Symmetry::general && sizes.rows != sizes.cols)
    return in.failure("a symmetric or skew-symmetric matrix must be square, not " + std::to_string(sizes.rows) + " x " +
                      std::to_string(sizes.cols));
  if (banner.coordinate && sizes.entries > 0 && (sizes.rows == 0 || sizes.cols == 0))
    return in.failure("an empty matrix cannot have " + std::to_string(sizes.entries) + " entries");
  if (banner.coordinate && sizes.rows > many_rows && sizes.entries < sizes.rows / 64)
    return in.failure(std::to_string(sizes.rows) + " rows for " + std::to_string(sizes.entries) +
                      " entries: compressed rows would take " + std::to_string(sizes.rows >> 18) +
                      " MB for almost nothing");
  return std::nullopt;
}

Result<Sizes> read_sizes(Scanner& in, const Banner& banner) {
  if (!in.skip_to_content('%')) return in.failure("the file ends before the size line");
  Sizes sizes;
  std::vector<std::int64_t*> numbers{&sizes.rows};
  if (!banner.vector) numbers.push_back(&sizes.cols);
  if (banner.coordinate) numbers.push_back(&sizes.entries);
  const std::string layout =
      std::string("rows") + (banner.vector ? "" : " cols") + (banner.coordinate ? " entries" : "");
  for (std::int64_t* number : numbers) {
    in.skip_blanks();
    const std::string word = in.word();
    if (in.at_line_end()) return in.failure("the size line must be '" + layout + "': it ends early");
    if (in.take(*number) != NumberError::none || *number < 0)
      return in.failure("the size line must be '" + layout + "': '" + word + "' is not a size");
  }
  in.skip_blanks();
  if (!in.at_line_end()) return in.failure("the size line must be '" + layout + "': unexpected '" + in.word() + "'");
  if (auto failed = check_sizes(in, banner, sizes)) return *failed;
  if (!banner.coordinate) sizes.entries = array_entries(sizes, banner.symmetry);
  return sizes;
}

std::optional<Failure> take_index(Scanner& in, const char* axis, std::int64_t size, std::int64_t& index) {
  in.skip_blanks();
  if (in.at_line_end()) return in.failure(std::string("the entry ends before its ") + axis + " index");
  if (in.take(index) != NumberError::none) return in.failure("'" + in.word() + "' is not a " + axis + " index");
  if (index < 1 || index > size)
    return in.failure(std::string(axis) + " index " + std::to_string(index) + " is out of range 1.." +
                      std::to_string(size));
  return std::nullopt;
}

std::optional<Failure> too_large_integer(const Scanner& in) {
  return in.failure("an integer above 2^53 in size cannot be held exactly in double precision");
}

std::optional<Failure> take_value(Scanner& in, Field field, double& value) {
  in.skip_blanks();
  if (in.at_line_end()) return in.failure("the entry has no value");
  if (std::int64_t integer = 0; field == Field::integer && in.take(integer) == NumberError::none) {
    value = static_cast<double>(integer);
    return integer > largest_exact || integer < -largest_exact ? too_large_integer(in) : std::nullopt;
  }
  const NumberError error = in.take(value);
  if (error == NumberError::out_of_range) return in.failure("'" + in.word() + "' is too large for double precision");
  if (error != NumberError::none) return in.failure("'" + in.word() + "' is not a number");
  if (field == Field::integer && !(std::trunc(value) == value && std::isfinite(value)))
    return in.failure("a value of an 'integer' matrix is not an integer");
  // What was written with a point or an exponent may have been rounded to 2^53.
  if (field == Field::integer && std::abs(value) >= static_cast<double>(largest_exact)) return too_large_integer(in);
  return std::nullopt;
}

Failure missing_entries(const Scanner& in, std::int64_t found, std::int64_t expected) {
  return in.failure("the file ends after " + std::to_string(found) + " of " + std::to_string(expected) + " entries");
}

// What follows the last entry must be blank or comment.
std::optional<Failure> check_end(Scanner& in, std::int64_t expected) {
  if (!in.skip_to_content('%')) return std::nullopt;
  return in.failure("unexpected '" + in.word() + "' after the last of " + std::to_string(expected) + " entries");
}

std::optional<Failure> check_entry_end(Scanner& in) {
  in.skip_blanks();
  if (in.at_line_end()) return std::nullopt;
  return in.failure("unexpected '" + in.word() + "' after the entry");
}

// At least two bytes of text stand behind every entry: a wrong count must not reserve more than the file can fill.
std::size_t plausible_count(const Scanner& in, std::int64_t entries) {
  return std::min(static_cast<std::size_t>(entries), in.remaining() / 2 + 1);
}

Result<Tensor> read_coordinate(Scanner& in, const Banner& banner, const Sizes& sizes) {
  std::vector<Triplet> entries;
  const bool mirrored = banner.symmetry != Symmetry::general;
  entries.reserve(plausible_count(in, sizes.entries) * (mirrored ? 2 : 1));
  const double mirror_sign = banner.symmetry == Symmetry::skew ? -1.0 : 1.0;
  for (std::int64_t k = 0; k < sizes.entries; ++k) {
    if (!in.skip_to_content('%')) return missing_entries(in, k, sizes.entries);
    std::int64_t row = 0;
    std::int64_t col = 1;
    double value = 1.0;
    if (auto failed = take_index(in, "row", sizes.rows, row)) return *failed;
    if (!banner.vector)
      if (auto failed = take_index(in, "column", sizes.cols, col)) return *failed;
    if (banner.field != Field::pattern)
      if (auto failed = take_value(in, banner.field, value)) return *failed;
    if (auto failed = check_entry_end(in)) return *failed;
    const auto i = static_cast<std::int32_t>(row - 1);
    const auto j = static_cast<std::int32_t>(col - 1);
    entries.push_back({i, j, value});
    if (mirrored && i != j) entries.push_back({j, i, mirror_sign * value});
  }
  if (auto failed = check_end(in, sizes.entries)) return *failed;
  if (static_cast<std::int64_t>(entries.size()) > index_limit)
    return in.failure("the expanded matrix has more than 2147483647 entries");
  return csr_from_triplets(Element::real, sizes.rows, sizes.cols, entries);
}

Result<Tensor> read_array(Scanner& in, const Banner& banner, const Sizes& sizes) {
  std::vector<double> values;
  values.reserve(plausible_count(in, sizes.entries));
  for (std::int64_t k = 0; k < sizes.entries; ++k) {
    double value = 0.0;
    if (!in.skip_to_content('%')) return missing_entries(in, k, sizes.entries);
    if (auto failed = take_value(in, banner.field, value)) return *failed;
    if (auto failed = check_entry_end(in)) return *failed;
    values.push_back(value);
  }
  if (auto failed = check_end(in, sizes.entries)) return *failed;
  Tensor result = Tensor::for_writing(Element::real, sizes.rows, sizes.cols);
  double* to = result.mutable_values<double>();
  if (banner.symmetry == Symmetry::general) {
    std::copy(values.begin(), values.end(), to);
    return result;
  }
  const bool skew = banner.symmetry == Symmetry::skew;
  const double* from = values.data();
  for (std::int64_t j = 0; j < sizes.cols; ++j)  // the lower triangle, column by column; skew: without the diagonal
    for (std::int64_t i = skew ? j + 1 : j; i < sizes.rows; ++i) {
      to[i * sizes.rows + j] = skew ? -*from : *from;
      to[j * sizes.rows + i] = *from++;
    }
  return result;
}

void append_value(std::string& out, const Tensor& a, std::int64_t k) {
  if (a.element() == Element::single) append_number(out, a.values<float>()[k]);
  else append_number(out, a.stored_value(k));
}

}  // namespace

Result<Tensor> read_matrix_market(std::string_view text, const std::string& name) {
  Scanner in(text, name);
  const Result<Banner> banner = read_banner(in);
  if (!banner) return banner.failure();
  in.skip_line();
  const Result<Sizes> sizes = read_sizes(in, banner.value());
  if (!sizes) return sizes.failure();
  in.skip_line();
  return banner.value().coordinate ? read_coordinate(in, banner.value(), sizes.value())
                                   : read_array(in, banner.value(), sizes.value());
}

std::string format_matrix_market(const Tensor& a) {
  const char* field = is_floating(a.element()) ? "real" : "integer";
  const std::string shape = std::to_string(a.rows()) + " " + std::to_string(a.cols());
  std::string out =
      "%%MatrixMarket matrix " + std::string(a.is_dense() ? "array " : "coordinate ") + field + " general\n";
  StopPoll poll;
  if (a.is_dense()) {
    out += shape + "\n";
    for (std::int64_t k = 0; k < a.count(); ++k, poll()) {
      append_value(out, a, k);
      out += '\n';
    }
    return out;
  }
  const Tensor csr = to_csr(a);
  out += shape + " " + std::to_string(csr.stored()) + "\n";
  for (std::int64_t i = 0; i < csr.rows(); ++i)
    for (std::int32_t k = csr.row_pointers()[i]; k < csr.row_pointers()[i + 1]; ++k, poll()) {
      append_number(out, i + 1);
      out += ' ';
      append_number(out, std::int64_t{csr.column_indices()[k]} + 1);
      out += ' ';
      append_value(out, csr, k);
      out += '\n';
    }
  return out;
}

}  // namespace lac::runtime
