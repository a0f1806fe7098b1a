// Changes to texts that keep most of them programs: whole lines, names and numbers instead of bytes.
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sema/builtins.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr const char* statements[] = {"for i = 1:3",
                                      "while x < 10",
                                      "do",
                                      "until x > 3",
                                      "if x > 1",
                                      "elseif x",
                                      "else",
                                      "end",
                                      "break",
                                      "continue",
                                      "return",
                                      "function y = f(x)",
                                      "x = [1 2; 3 4];",
                                      "x(end + 1) = 2;",
                                      "x = [];",
                                      "x += 1;",
                                      "x++;",
                                      "[a, b] = size(x);",
                                      "x = sparse(eye(3))",
                                      "x(2, :) = [];",
                                      "x = x';",
                                      "f = @(t) t + x;",
                                      "x = f(2);",
                                      "s = sprintf('%d', x)",
                                      "x = x(:)",
                                      "x(x > 1) = 0;",
                                      "disp(x)",
                                      "printf('%g\\n', x)",
                                      "x = 1:n;",
                                      "error('a %d', x)",
                                      "x = zeros(3, 0);",
                                      "x = 'text';",
                                      "param n=4",
                                      "x = ~x;",
                                      "x = !isempty(x)",
                                      "x = single(x);",
                                      "x(:, end + 1) = y;",
                                      "[s, i] = sort(x);",
                                      "x = A \\ b",
                                      "y = x .^ 2;",
                                      "output x",
                                      "x = NaN;",
                                      "x = rand(2, 3) > 1",
                                      "x = num2str(x);",
                                      "x = true;",
                                      "x(2:3) = 7;",
                                      "x = x * x;",
                                      "%{\n%}"};
constexpr const char* pieces[] = {
    "0",     "1",    "2",   "-1", "end",  "Inf",    "NaN", "1e9",     "1e308", "2.5",  ":",      "[]",  "x",  "'s'",
    "\"s\"", "true", "eps", "x'", "x(1)", "x(end)", "1:3", "[1 2 3]", "[1;2]", "@sin", "@(t) t", "(x)", "!x", "-x",
    "+",     "*",    ".*",  "\\", "/",    "^",      ".^",  "==",      "<",     "&&",   "|",      "'",   ",",  ";"};

struct Piece {
  std::size_t begin, size;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

class Mutation {
 public:
  Mutation(std::string text, unsigned seed) : text_(std::move(text)), random_(seed) { split(); }

  std::string apply() {
    switch (below(7)) {
      case 0: return with_lines(line_at(), 0, std::string(any(statements)) + "\n");
      case 1: return with_lines(line_at(), 1 + below(3), "");
      case 2: return with_lines(line_at(), 0, lines_[line_at()]);
      case 3: return wrapped();
      case 4: return with_piece(piece_of_text());
      case 5: return with_piece(any(pieces));
      default: return with_piece(call());
    }
  }

 private:
  void split() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size() - 1) + 1;
      lines_.push_back(text_.substr(at, end - at));
      at = end;
    }
    if (lines_.empty()) lines_.emplace_back("\n");
    for (std::size_t at = 0; at < text_.size();) {
      std::size_t end = at + 1;
      while (is_word(text_[at]) && end < text_.size() && is_word(text_[end])) ++end;
      if (std::isspace(static_cast<unsigned char>(text_[at])) == 0) pieces_.push_back({at, end - at});
      at = end;
    }
    if (pieces_.empty()) pieces_.push_back({0, 0});
  }

  std::size_t below(std::size_t count) { return random_() % count; }
  std::size_t line_at() { return below(lines_.size()); }
  template <std::size_t count>
  std::string any(const char* const (&choices)[count]) {
    return choices[below(count)];
  }
  std::string written(Piece piece) const { return text_.substr(piece.begin, piece.size); }
  std::string piece_of_text() { return written(pieces_[below(pieces_.size())]); }

  std::string with_lines(std::size_t at, std::size_t removed, const std::string& inserted) const {
    std::string result;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (i == at) result += inserted;
      if (i < at || i >= at + removed) result += lines_[i];
    }
    return result;
  }
  std::string wrapped() {
    static constexpr const char* openings[] = {"for k = 1:3\n", "if x > 1\n", "while true\n", "function r = g(x)\n"};
    const std::size_t first = line_at(), last = std::min(lines_.size(), first + 1 + below(5));
    std::string body = any(openings);
    for (std::size_t i = first; i < last; ++i) body += lines_[i];
    return with_lines(first, last - first, body + "end\n");
  }
  std::string with_piece(const std::string& inserted) {
    const Piece old = pieces_[below(pieces_.size())];
    std::string result = text_;
    return result.replace(old.begin, old.size, inserted);
  }
  std::string call() {
    static const std::vector<std::string> names = lac::frontend::builtin_names();
    std::string result = names[below(names.size())] + "(" + piece_of_text();
    for (std::size_t more = below(3); more > 0; --more) result += ", " + (below(2) ? any(pieces) : piece_of_text());
    return result + ")";
  }

  std::string text_;
  std::mt19937 random_;
  std::vector<std::string> lines_;
  std::vector<Piece> pieces_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (unsigned changes = 0; changes <= seed % 3; ++changes) text = Mutation(std::move(text), seed + changes).apply();
  const std::size_t kept = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), kept);
  return kept;
}
