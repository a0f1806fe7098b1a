// The pieces of the text forms: writing and reading of names, numbers, sizes and types.
//
// Texts are lines; spaces separate, ';' starts a comment that ends with its line.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ir/types/type.h"

namespace lac {

/// In double quotes, with \n \t \" \\ and \xHH for what is not printable.
std::string quoted(std::string_view text);
/// The shortest text that reads back as the same double; "inf", "-inf", "nan", "na" (missing.h).
std::string number_text(double number);
/// A letter or '_', then letters, digits, '_' and '.'.
bool is_identifier(std::string_view text);
/// As it is if an identifier, else quoted.
std::string name_text(std::string_view name);

/// How sizes name symbols: by name (which may have been quoted), or "%number" for runtime sizes.
struct SymbolLookup {
  std::function<SymbolId(const std::string& name, bool quoted)> named;
  std::function<SymbolId(std::uint32_t number)> numbered;
};

/// Reads one text from left to right. Every `accept` takes what it names if that comes next; every other function
/// takes it or throws a TextError with the place.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  bool at_end();       ///< nothing but blank lines follows
  bool at_line_end();  ///< nothing follows on this line
  void end_line();     ///< takes the line's end and the blank lines after it
  bool next_is(char c);
  bool next_is_digit();
  bool next_word_is(std::string_view word) { return peek_word() == word; }

  bool accept(char c);
  void expect(char c);
  bool accept_word(std::string_view word);
  void expect_word(std::string_view word);
  std::string identifier();
  std::string name();  ///< an identifier or a quoted string
  std::string quoted_string();
  std::int64_t integer();
  double number();
  std::uint32_t reference(char sigil);  ///< the number after the sigil, as in "%12"

  Size size(const SymbolLookup& symbols);  ///< sums of products: "2*n^2 - n*%3 + 1"
  Element element();
  Type type(const SymbolLookup& symbols);

  [[noreturn]] void fail(const std::string& message) const;

 private:
  void skip_spaces();
  std::string_view peek_word();
  Size size_factor(const SymbolLookup& symbols);
  Size size_product(const SymbolLookup& symbols);

  std::string_view text_;
  std::size_t at_ = 0;
};

/// "line:column: what is wrong"; caught by the function that owns the reader.
struct TextError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace lac
