// A text in lines and in pieces, for changes that keep most texts programs.
#pragma once

#include <string>
#include <vector>

namespace lac::fuzz {

/// Lines keep their ends; pieces are words, numbers and single other characters, without blanks. There is at least one
/// of each, if an empty one. The text must outlive it.
class Parts {
 public:
  enum class Kind { word, bracket, other };

  explicit Parts(const std::string& text);

  std::size_t lines() const { return lines_.size(); }
  std::string lines_from(std::size_t first, std::size_t count) const;
  std::string with_lines(std::size_t at, std::size_t removed, const std::string& inserted) const;

  std::size_t pieces() const { return pieces_.size(); }
  Kind kind(std::size_t i) const;
  std::string piece(std::size_t i) const { return text_.substr(pieces_[i].begin, pieces_[i].end - pieces_[i].begin); }
  std::string with_piece(std::size_t i, const std::string& inserted) const;

  /// From piece `i` to the end of the bracket that it or the next piece opens, if one does: `x`, `(1 + x)`, `f(x, 2)`.
  std::string expression(std::size_t i) const;
  std::string with_expression(std::size_t i, const std::string& inserted) const;

 private:
  struct Range {
    std::size_t begin, end;
  };
  std::size_t expression_end(std::size_t i) const;

  const std::string& text_;
  std::vector<std::string> lines_;
  std::vector<Range> pieces_;
};

/// Letters, digits, '_' and '.'.
bool is_word(char c);

}  // namespace lac::fuzz
