// A cursor over the bytes of a text file that knows its line, so that every failure can name its place. Lines end in
// LF, CR LF or CR.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/support/result.h"
#include "runtime/files/number.h"
#include "runtime/stop.h"

namespace lac::runtime {

/// Between numbers and lines it hears that the run of the StopScope is to end.
class Scanner {
 public:
  Scanner(std::string_view text, std::string name)
      : name_(std::move(name)), cursor_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() const { return cursor_ == end_; }
  bool at_line_end() const { return cursor_ == end_ || *cursor_ == '\n' || *cursor_ == '\r'; }
  char peek() const { return *cursor_; }
  std::int64_t line() const { return line_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - cursor_); }

  void skip_blanks() {
    while (cursor_ != end_ && (*cursor_ == ' ' || *cursor_ == '\t')) ++cursor_;
  }
  bool skip(char c) {
    if (cursor_ == end_ || *cursor_ != c) return false;
    ++cursor_;
    return true;
  }
  void skip_line() {
    while (!at_line_end()) ++cursor_;
    next_line();
  }
  /// Steps over the newline that must be here (or stays at the end of the text).
  void next_line() {
    if (cursor_ == end_) return;
    if (*cursor_ == '\r' && cursor_ + 1 != end_ && cursor_[1] == '\n') ++cursor_;
    ++cursor_;
    ++line_;
    poll_();
  }
  /// Skips blank lines and lines that start with `comment`; false at the end of the text.
  bool skip_to_content(char comment) {
    for (;;) {
      skip_blanks();
      if (cursor_ == end_) return false;
      if (at_line_end()) next_line();
      else if (*cursor_ == comment) skip_line();
      else return true;
    }
  }
  /// The word at the cursor up to a blank, comma or line end, not consumed; shortened for messages.
  std::string word() const;
  std::string take_word();

  /// A number that ends at a blank, a comma or a line end.
  NumberError take(double& value) { return take_parsed(parse_double(cursor_, end_), value); }
  NumberError take(std::int64_t& value) { return take_parsed(parse_integer(cursor_, end_), value); }

  /// "name:line: what".
  Failure failure(const std::string& what) const;

 private:
  static bool ends_number(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ','; }
  template <class T>
  NumberError take_parsed(const ParsedNumber<T>& parsed, T& value) {
    if (parsed.error != NumberError::none) return parsed.error;
    if (parsed.end != end_ && !ends_number(*parsed.end)) return NumberError::not_a_number;
    cursor_ = parsed.end;
    poll_();
    value = parsed.value;
    return NumberError::none;
  }

  std::string name_;
  const char* cursor_;
  const char* end_;
  std::int64_t line_ = 1;
  StopPoll poll_;
};

}  // namespace lac::runtime
