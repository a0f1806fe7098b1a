#include "tests/fuzz/made_program.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>
#include <string_view>

namespace lac::fuzz {
namespace {

// In templates: N a number that is mostly small, K a small positive number, W any number (overflows, NaN, fractions),
// R a subscript, V a full vector or matrix variable, U a vector, M a matrix, Q a sparse matrix, E an elementwise
// expression of one element, X an expression of any shape. A line break is a line break.
constexpr const char* statements[] = {
    // stores through ranges of every kind
    "U(R) = N;",
    "U(R) = N;",
    "U(R) = U(R);",
    "U(R) += 1;",
    "M(R, R) = N;",
    "M(R, K) = N;",
    "M(K, R) = M(K, R);",
    "M(R, :) = M(R, :);",
    "V(R) = X;",
    "M(R, R) = X;",
    "U(W:W:W) = N;",
    "U(W:W) = N;",
    "M(W:W, W:W:W) = 1;",
    // growth
    "M(W, W) = 1;",
    "M(K, W) = 2;",
    "U(W) = 3;",
    "V(end+1, :) = 1;",
    "M(:, end+1) = N;",
    "U(end+1) = N;",
    "U(end+K) = N;",
    "M(end+1, end+1) = N;",
    "for i = 1:K\n  M(i, i+1) = i;\nend",
    "for i = R\n  U(end+1) = 1;\nend",
    // element loops that read what they write
    "for i = 2:numel(U)\n  U(i) = 0.5*U(i-1) + U(i);\nend",
    "for i = 2:numel(x)\n  y(i) = 0.5*y(i-1) + x(i);\nend",
    "for i = numel(U)-1:-1:1\n  U(i) -= U(i+1);\nend",
    "for i = N:N:N\n  U(i) = U(i+K) + 1;\nend",
    "for i = 1:numel(U)\n  k = mod(i*K, numel(U)) + 1; t = U(i); U(i) = U(k); U(k) = t;\nend",
    "for k = 1:numel(U)-1\n  U(k) += K; U(k+1) -= K;\nend",
    "for i = 2:rows(M)\n  M(i, :) += M(i-1, :);\nend",
    "for i = 1:rows(M)\n  for j = 1:columns(M)\n    M(i, j) = M(j, i) + 1;\n  end\nend",
    "for i = 1:numel(U)\n  if U(i) > K, U(i) = U(max(i-1, 1)); end\nend",
    "for i = R\n  t = t + i;\nend",
    "for i = W:N:W\n  t += 1; if t > 50, break; end\nend",
    "k = 0;\nwhile k < K\n  k++; U(k) = U(end-k+1) + k;\nend",
    "U(2:end) = U(1:end-1);",
    "U(1:end-1) += U(2:end);",
    "U(end:-1:1) = U;",
    "M = M';\nM(:, 1) = M(:, end);",
    // run-time sizes and empties
    "U = U(U > N);",
    "U = U(R);",
    "M = M(R, R);",
    "x = find(V > N);",
    "y = V(:);",
    "x = N:N;",
    "x = N:N:N;",
    "x = W:W:W; x = x(1:min(end, K));",
    "t = numel(W:W:W);",
    "V = zeros(N, N);",
    "V = ones(K, K - z);",
    "t = sum(sum(ones(W, W)));",
    "t = numel(zeros(W, W));",
    "V = repmat(V, K, N);",
    "V = reshape(V, N, []);",
    "V = reshape(V, K, K);",
    "x = [x, y];",
    "V = [V; V];",
    "A = [A, X];",
    "[x, k] = max(V);",
    "[y, k] = sort(U);",
    "V = X;",
    "V = X;",
    "t = E;",
    "U = cumsum(U(R));",
    "if E > N\n  U = [];\nend",
    "if isempty(U)\n  U = K;\nend",
    // sparse, with diagonals
    "Q = Q + N*eye(rows(Q));",
    "Q = Q + eye(K);",
    "Q = Q * diag(ones(1, columns(Q)) * K);",
    "Q = diag(1:rows(Q)) * Q;",
    "Q = Q * speye(columns(Q));",
    "Q(K, K) = N;",
    "Q(W, K) = 1;",
    "Q = Q';",
    "Q = Q(R, :);",
    "Q = Q(:, R);",
    "Q = Q(:, any(full(Q) > N));",
    "Q = Q .* (Q > N);",
    "Q = [Q; Q];",
    "Q = sparse(U, U, U);",
    "Q = sparse([K K], [K K], [N N]);",
    "Q = tril(Q, N);",
    "Q = Q * Q;",
    "x = Q * ones(columns(Q), 1);",
    "for i = 1:rows(Q)\n  Q(i, i) = i;\nend",
    "t = nnz(Q) + full(sum(sum(Q)));",
    // structs and cells
    "o.v = V; o.n = N; o.v(end) = K; U = o.v;",
    "o.v = U; for i = 1:K\n  o.v(end+1) = N; o.n = i;\nend\nU = o.v;",
    "w = {V, N, U}; w{2} += 1; w{end} = w{1}; U = w{3};",
    "w = {U, V}; for i = 1:2\n  w{i} = w{i} * N;\nend\nV = w{2};",
    "b(1).p = N; for i = 2:K\n  b(i).p = b(i-1).p + 1;\nend\nt = sum([b.p]);",
    "b(2).p = [N; N]; b(1).p = [K; K]; k = K; if k > 2, k = 2; end, b(k).p(1) = 7; V = [b.p];",
    "switch K\n  case {1, 2}\n    t = N;\n  case 3\n    U = V;\n  otherwise\n    t = 0;\nend",
    // functions, and what fails
    "h = @(v) v + N; t = h(U(K));",
    "V = arrayfun(@(v) v + N, U);",
    "w = cellfun(@(v) v * N, {U, V}, 'UniformOutput', false); V = w{end};",
    "t = g(K);",
    "t = g(N);",
    "try\n  U(W) = N; t = V(N, K);\ncatch err\n  t = numel(err.message);\nend",
    "try, error('a:b', 'x %d', N); catch err, t = numel(err.identifier); end",
    "for i = 1:K\n  try, U(R) = U(i); catch, t += 1; end\nend",
    "do\n  t += K;\nuntil t > N",
    "[x, y] = deal(y, x);",
    // deletion
    "U(R) = [];",
    "M(:, R) = [];",
    "M(R, :) = [];",
    "V(V > N) = [];",
    "w = {N, U, V}; w(R) = []; t = numel(w);",
    "b = struct('p', {N, K, N}); b(R) = []; t = numel(b);",
    "for i = 1:K\n  if numel(U) > N, U(K) = []; end\nend",
    // complex numbers
    "c = U + 1i * N; t = real(sum(c .* conj(c))); U = imag(c);",
    "c = complex(V, W); c(R) = 2i; V = abs(c');",
    "c = fft(U); c(R) *= 1i; U = real(ifft(c));",
    "c = roots([1 N K]); U = real(c);",
    "c = 1i; for i = 1:K\n  c = c * (N + 2i); c(R) = i;\nend\nt = abs(c(1));",
    // arrays of more dimensions
    "d = zeros(K, K, K); d(K, :, N) = 1; V = d(:, :, 1); t = sum(d(:));",
    "d = cat(3, M, M); d(:, :, end+1) = N; d = permute(d, [3 1 2]); V = d(:, :, 1);",
    "d = reshape(1:8, 2, 2, 2); for i = 1:K\n  d(:, :, i) = d(:, :, 1) * N;\nend\nV = squeeze(sum(d, 3));",
    "d = ones(K, 1, N); d(:, R, 1) = []; t = numel(d) + size(d, 3);",
    // integers
    "n = int32(V) * N; V = double(n); t = double(sum(n(:)));",
    "n = uint8(U) + W; U = double(bitand(n, uint8(K)));",
    "n = int8(W); n += N; n(K) = W; t = double(n(1));",
    "n = idivide(int32(U), int32(K)); n(R) = N; U = double(n);",
    "U = single(U); U(R) = N; U = double(U);",
    // cells and structs that the run fills
    "w = {}; for i = 1:K\n  w{end+1} = U(1:min(end, i));\nend\nU = w{K};",
    "w = cell(1, K); w{K} = U; w(N) = {V}; t = sum(cellfun(@numel, w));",
    "w = num2cell(U); w(R) = {N}; U = [w{:}];",
    "w = {}; for i = 1:K\n  if i > N, w{end+1} = {i, U}; end\nend\nt = numel(w);",
    "b = struct('p', {}); for i = 1:K\n  b(end+1).p = U(R);\nend\nU = b(N).p;",
    "b = struct('p', {N, K}); for i = 1:2\n  b(i).q = V; b(K).p = [b(i).p, i];\nend\nt = numel(b(1).p);",
    "o.a.b = U; o.a.b(R) = N; o = setfield(o, 'c', V); U = o.a.b; t = numel(fieldnames(o));",
    "m = containers.Map(); m('a') = N; m(sprintf('%d', K)) = K; t = m.Count; if isKey(m, '1'), t = m('1'); end",
    "m = containers.Map('KeyType', 'double', 'ValueType', 'any'); for i = 1:K\n  m(i) = U;\nend\nU = m(N);",
    // strings
    "s = 'a b,c'; s(R) = 'x'; t = numel(s); disp(s);",
    "w = strsplit('a,b,,c', ','); s = strjoin(w(R), '-'); t = numel(s);",
    "s = num2str(N); t = str2double([s '1']);",
    "s = regexprep('abab', 'a(b?)', '$1-'); t = numel(s(R));",
    "[s, w] = regexp('a1b22', '\\d+', 'start', 'match'); t = numel(w{K}) + s(K);",
    "s = sprintf('%d,', U); w = strsplit(s, ','); U = cellfun(@str2double, w);",
    "s = mat2str(V); t = numel(s); disp(s(1:min(K, end)));",
    "switch num2str(K)\n  case {'1', '2'}\n    t = N;\n  otherwise\n    t = numel(upper('ab'));\nend",
    "s = fopen('none.txt'); if s > 0, w = fgetl(s); fclose(s); end",
    "M = full(Q);",
};

constexpr const char* expressions[] = {"V + N",
                                       "V .* V",
                                       "-V",
                                       "V'",
                                       "V > N",
                                       "sum(V)",
                                       "sum(V, 2)",
                                       "max(V, N)",
                                       "min(V)",
                                       "any(V > N)",
                                       "cumsum(V)",
                                       "diff(U)",
                                       "U(end:-1:1)",
                                       "fliplr(M)",
                                       "circshift(U, N)",
                                       "abs(V)",
                                       "mod(V, K)",
                                       "floor(V / 2)",
                                       "kron(V, [1 2])",
                                       "N:N",
                                       "zeros(N, N)",
                                       "ones(1, N)",
                                       "eye(N, K)",
                                       "V(:)'",
                                       "find(V)",
                                       "max(V, [], 2)",
                                       "prod(size(V))",
                                       "numel(V) + V",
                                       "U(R)",
                                       "M(R, R)",
                                       "diag(U)",
                                       "diag(M)",
                                       "full(Q)",
                                       "M * M'",
                                       "x(:) * y(:)'",
                                       "repmat(N, K, K)",
                                       "[N, N; N, N]",
                                       "all(V)",
                                       "isempty(V)",
                                       "cumsum(M, 2)",
                                       "tril(M)",
                                       "mean(U > N)",
                                       "sort(V)",
                                       "unique(V)"};

constexpr const char* single[] = {"sum(U)",  "numel(V)", "N",       "max(U(:))",  "U(end)",    "U(K)",
                                  "M(K, K)", "nnz(V)",   "rows(V)", "columns(M)", "min(U(:))", "isempty(V)"};

constexpr const char* subscripts[] = {
    ":",       "K",     "1:K",          "K:-1:1",    "K:K",      "N:N",     "1:2:end",     "end:-1:1", "2:end",
    "1:end-1", "[K K]", "[]",           "N:0",       "K:1",      "1:0",     "zeros(1, 0)", "U > N",    "find(x > N)",
    "W:W",     "K:W:K", "end+1",        "1:K:end+K", "[K, end]", "end",     "N",           "W",        "1:min(K, end)",
    "K+z:K",   "1:z",   "(1:K)(K:end)", "N:0.5:K",   "1:N",      "1:K-0.5", "x",           "K:N:K"};

constexpr const char* wild_numbers[] = {"NaN",   "Inf",    "-Inf",           "0",    "-1",    "0.5",
                                        "1.5",   "-0.5",   "2^31",           "2^32", "2^40",  "2^52",
                                        "2^53",  "2^53+2", "2^62",           "2^63", "-2^63", "2^64",
                                        "1e300", "274177", "67280421310721", "2^26", "-2^31", "3037000500"};

class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    std::string text =
        "function show(v)\n  printf(\"%d \", size(v)); printf(\"%.9g \", full(v)); printf(\"\\n\");\nend\n"
        "z = floor(rand()); t = 0;\n";
    if (chance(4)) text = "function r = g(n)\n  if n < 2, r = 1; else, r = n + g(n - 1); end\nend\n" + text;
    text += "x = mod((1:" + size() + ") * " + small() + ", 5);\n";
    text += "y = mod((1:" + size() + ")" + (chance(2) ? "'" : "") + " * 3, 7);\n";
    text += "A = mod((1:" + size() + ")' + 2*(1:" + size() + "), 5);\n";
    text += "B = zeros(" + size() + ", " + size() + ");\n";
    const std::string n = size();
    text += "S = sparse(mod(1:" + n + ", " + n + ") + 1, 1:" + n + ", " + small() + ", " + n + ", " + n + ");\n";
    for (std::uint32_t count = 2 + below(6); count > 0 && text.size() < most_text; --count)
      text += filled(one_of(statements)) + "\n";
    return text + "show(x); show(y); show(A); show(B); show(S); show(t);\n";
  }

 private:
  static constexpr std::size_t most_text = 850;

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }
  template <std::size_t count>
  const char* one_of(const char* const (&list)[count]) {
    return list[below(count)];
  }

  // What only a run knows, one time in two: z is 0.
  std::string perhaps_hidden(const std::string& number) { return chance(2) ? number : "(" + number + "+z)"; }

  std::string small() { return perhaps_hidden(std::to_string(1 + below(5))); }
  std::string size() {
    static constexpr int sizes[] = {0, 1, 2, 3, 4, 5, 5, 7, 17, 33};
    return perhaps_hidden(std::to_string(sizes[below(10)]));
  }
  std::string number() {
    if (chance(12)) return wild();
    return perhaps_hidden(std::to_string(static_cast<int>(below(8)) - 2));
  }
  std::string wild() { return perhaps_hidden(chance(3) ? std::to_string(below(9)) : one_of(wild_numbers)); }

  std::string hole(char kind) {
    switch (kind) {
      case 'N': return number();
      case 'K': return small();
      case 'W': return wild();
      case 'R': return deeper(subscripts, ":");
      case 'E': return deeper(single, "t");
      case 'X': return deeper(expressions, "x");
      case 'V': return std::string(1, "xyAB"[below(4)]);
      case 'U': return vector_;
      case 'M': return matrix_;
      default: return "S";
    }
  }

  template <std::size_t count>
  std::string deeper(const char* const (&list)[count], const char* shallow) {
    if (depth_ > 2) return shallow;
    ++depth_;
    std::string text = fill(one_of(list));
    --depth_;
    return text;
  }

  // One vector and one matrix in all of a statement.
  std::string filled(const char* text) {
    vector_ = chance(2) ? "x" : "y";
    matrix_ = chance(2) ? "A" : "B";
    return fill(text);
  }

  std::string fill(std::string_view text) {
    constexpr std::string_view holes = "NKWRVUMQEX";
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1]));
      const bool longer = i + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[i + 1]));
      if (!word && !longer && holes.find(text[i]) != std::string_view::npos) result += hole(text[i]);
      else result += text[i];
    }
    return result;
  }

  std::mt19937 random_;
  std::string vector_, matrix_;
  int depth_ = 0;
};

// Names whose results are exact, or the same bits wherever they are computed.
const std::set<std::string, std::less<>>& exact_names() {
  static const std::set<std::string, std::less<>> names = {
      "function", "end",       "for",  "if",   "else",   "elseif",  "while",  "break", "show",    "printf", "size",
      "full",     "floor",     "rand", "mod",  "sum",    "max",     "min",    "any",   "all",     "numel",  "rows",
      "columns",  "zeros",     "ones", "eye",  "repmat", "reshape", "find",   "sort",  "isempty", "cumsum", "diff",
      "fliplr",   "circshift", "abs",  "prod", "diag",   "kron",    "unique", "tril",  "mean",    "nnz",    "speye",
      "sparse",   "NaN",       "Inf",  "x",    "y",      "A",       "B",      "S",     "z",       "t",      "i",
      "j",        "k",         "v",    "d",    "g",      "n",       "disp",   "true",  "false",   "ans"};
  return names;
}

bool is_exact_number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return *end == '\0' && std::ldexp(value, 4) == std::floor(std::ldexp(value, 4));
}

}  // namespace

std::string made_program(std::uint32_t seed) { return Maker(seed).program(); }

bool is_exact_program(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto is_word = [&](std::size_t at) {
      return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    };
    if (text[i] == '"') {
      i = std::min(text.find('"', i + 1), text.size() - 1) + 1;
      continue;
    }
    if (!is_word(i)) {
      if (text[i] == '\\' || (text[i] == '/' && text.compare(i, 3, "/ 2") != 0)) return false;
      ++i;
      continue;
    }
    std::size_t end = i;
    const bool number = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    while (is_word(end) || (number && end < text.size() && text[end] == '.')) ++end;
    const std::string word = text.substr(i, end - i);
    if (number ? !is_exact_number(word) : !exact_names().contains(word)) return false;
    if (word == "rand" && (i < 6 || text.compare(i - 6, 6, "floor(") != 0)) return false;
    i = end;
  }
  return true;
}

}  // namespace lac::fuzz
