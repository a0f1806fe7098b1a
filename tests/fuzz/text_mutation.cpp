#include "tests/fuzz/text_mutation.h"

#include <cctype>
#include <random>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "tests/fuzz/text_parts.h"

namespace lac::fuzz {
namespace {

// `x` stands for a name of the text.
constexpr const char* statements[] = {
    "for i = 1:3",
    "for i = x",
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
    "x(end + 1, :) = x(1, :);",
    "x = [];",
    "x += 1;",
    "x++;",
    "[a, b] = size(x);",
    "x = sparse(eye(3))",
    "x = sparse(x);",
    "x(2, :) = [];",
    "x(1) = [];",
    "x = x';",
    "f = @(t) t + x;",
    "x = f(2);",
    "x = arrayfun(@(t) t + 1, x)",
    "s = sprintf('%d', x)",
    "x = x(:)",
    "x(x > 1) = 0;",
    "x = x(x > 1)",
    "x = x(end:-1:1);",
    "x = x(1, :);",
    "x(:, 1)",
    "disp(x)",
    "x",
    "printf('%g\\n', x)",
    "x = 1:n;",
    "error('a %d', x)",
    "x = zeros(3, 0);",
    "x = 'text';",
    "x = \"te\\nxt\";",
    "param n=4",
    "x = ~x;",
    "x = !isempty(x)",
    "x = single(x);",
    "precision single",
    "x(:, end + 1) = y;",
    "[s, i] = sort(x);",
    "x = A \\ b",
    "x = x / x;",
    "y = x .^ 2;",
    "output x",
    "x = NaN;",
    "x = rand(2, 3) > 1",
    "x = num2str(x);",
    "x = true;",
    "x(2:3) = 7;",
    "x(2, 3) = 7;",
    "x = x * x;",
    "x = [x, x; x, x];",
    "x = [x; 1];",
    "x = cumsum(x, 2);",
    "assert(x, x)",
    "%{\n%}",
    "if x, x = 1; end",
    "x = merge(x, 1, 2);",
    "s.x = x;",
    "s.x.y(2) = 3;",
    "x = s.x;",
    "b(end + 1).x = x;",
    "b(x).y += 1;",
    "x = [b.x];",
    "s.(x) = 1;",
    "x = {x, 's', @sin};",
    "x{end + 1} = x;",
    "x{2}.y{3} = 4;",
    "x = x{1};",
    "[x{:}]",
    "disp(x{:})",
    "x = cell(2, 3)",
    "x = struct('a', {1, 2})",
    "x = cellfun(@numel, x)",
    "x = fieldnames(x);",
    "for x = {1, 's'}",
    "switch x",
    "case {1, 's'}",
    "case x",
    "otherwise",
    "function varargout = f(varargin)",
    "[x, s.y] = varargin{:};",
};
constexpr const char* operands[] = {
    "0",         "1",           "2",         "-1",    "end",    "Inf", "NaN",  "1e9",     "1e308",      "2.5",
    ":",         "[]",          "'s'",       "\"s\"", "true",   "eps", "1:3",  "[1 2 3]", "[1;2]",      "@sin",
    "@(t) t",    "zeros(0, 3)", "''",        "0:0",   "-0",     "1:0", "3:-1", "i",       "[1 2; 3 4]", "eye(3)",
    "sparse(2)", "(2)",         "single(3)", "{}",    "{1, 2}", ".x",  ".(x)", "{1}",     "{end}",      "{:}",
};
constexpr const char* operators[] = {"+", "-", "*", ".*", "\\", "/",  "^",  ".^", "==", "!=", "<", ">=", "&&", "||",
                                     "|", "&", ":", ",",  ";",  "\n", "++", "+=", "=",  "!",  "-", "./", ".'", "'"};
constexpr const char* openings[] = {"for k = 1:3\n",       "if x > 1\n", "while true\n",
                                    "function r = g(x)\n", "do\n",       "switch x\ncase 1\n"};

class Change {
 public:
  Change(const std::string& text, std::mt19937& random) : parts_(text), random_(random) {}

  std::string apply() {
    switch (below(10)) {
      case 0:
      case 1: return parts_.with_lines(line(), 0, named(any(statements)) + "\n");
      case 2: return parts_.with_lines(line(), 1 + below(3), "");
      case 3: return parts_.with_lines(line(), 0, parts_.lines_from(line(), 1 + below(3)));
      case 4: return wrapped();
      case 5: return parts_.with_piece(piece(), below(2) != 0 ? any(operands) : any(operators));
      case 6: return parts_.with_piece(word(), parts_.piece(word()));
      case 7: return parts_.with_expression(word(), operand());
      case 8: return parts_.with_piece(of_kind(Parts::Kind::other), any(operators));
      default: return parts_.with_expression(word(), call());
    }
  }

  std::string crossed_with(const std::string& text) {
    Change other(text, random_);
    switch (below(4)) {
      case 0: return parts_.with_expression(word(), other.parts_.expression(other.word()));
      case 1: return parts_.with_piece(piece(), other.parts_.expression(other.piece()));
      default: return parts_.with_lines(line(), below(3), other.parts_.lines_from(other.line(), 1 + below(4)));
    }
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  template <std::size_t count>
  std::string any(const char* const (&choices)[count]) {
    return choices[below(count)];
  }
  std::size_t line() { return below(parts_.lines()); }
  std::size_t piece() { return below(parts_.pieces()); }
  std::size_t of_kind(Parts::Kind kind) {
    for (int attempt = 0; attempt < 20; ++attempt)
      if (const std::size_t i = piece(); parts_.kind(i) == kind) return i;
    return piece();
  }
  std::size_t word() { return of_kind(Parts::Kind::word); }

  std::string operand() {
    switch (below(3)) {
      case 0: return any(operands);
      case 1: return parts_.expression(word());
      default: return parts_.piece(word());
    }
  }
  std::string call() {
    static const std::vector<std::string> names = frontend::builtin_names();
    std::string result = names[below(names.size())] + "(" + operand();
    for (std::size_t more = below(3); more > 0; --more) result += ", " + operand();
    return result + ")";
  }
  std::string wrapped() {
    const std::size_t first = line(), count = 1 + below(5);
    return parts_.with_lines(first, count, named(any(openings)) + parts_.lines_from(first, count) + "end\n");
  }
  /// `statement` about a name of the text.
  std::string named(const std::string& statement) {
    const std::string name = parts_.piece(word());
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) return statement;
    std::string result;
    for (std::size_t i = 0; i < statement.size(); ++i) {
      const bool joined =
          (i > 0 && is_word(statement[i - 1])) || (i + 1 < statement.size() && is_word(statement[i + 1]));
      result += statement[i] == 'x' && !joined ? name : std::string(1, statement[i]);
    }
    return result;
  }

  Parts parts_;
  std::mt19937& random_;
};

}  // namespace

std::string mutated(const std::string& text, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string result = text;
  for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
    const std::string before = result;
    result = Change(before, random).apply();
  }
  return result;
}

std::string crossed(const std::string& text, const std::string& other, std::uint32_t seed) {
  std::mt19937 random(seed);
  return Change(text, random).crossed_with(other);
}

}  // namespace lac::fuzz
