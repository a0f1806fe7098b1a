#include "runtime/files/scanner.h"

namespace lac::runtime {

std::string Scanner::word() const {
  constexpr std::size_t longest = 40;
  const char* p = cursor_;
  while (p != end_ && !ends_number(*p)) ++p;
  std::string text(cursor_, p);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  return text;
}

std::string Scanner::take_word() {
  skip_blanks();
  const char* begin = cursor_;
  while (cursor_ != end_ && !ends_number(*cursor_)) ++cursor_;
  return {begin, cursor_};
}

Failure Scanner::failure(const std::string& what) const { return {name_ + ":" + std::to_string(line_) + ": " + what}; }

}  // namespace lac::runtime
