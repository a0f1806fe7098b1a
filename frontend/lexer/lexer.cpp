#include "frontend/lexer/lexer.h"

#include <utility>

#include "frontend/lexer/commands.h"
#include "frontend/lexer/comments.h"
#include "frontend/lexer/literals.h"
#include "frontend/lexer/targets.h"

namespace lac::frontend {
namespace {

using Kind = TokenKind;
constexpr std::size_t max_file_size = std::size_t{1} << 30;

struct Bracket {
  char open;
  bool anonymous_params;  ///< the parentheses of `@(x)`: what follows them is the body, not another element
  bool lists;             ///< of a matrix or a cell array, where blanks and ends of lines separate: not of an index
};

/// A '\' with nothing but blanks and a comment behind it: the old form of `...`.
bool backslash_continues(std::string_view text, std::size_t i) {
  if (i >= text.size() || text[i] != '\\') return false;
  while (++i < text.size() && is_blank(text[i])) {
  }
  return i < text.size() && (text[i] == '\n' || is_comment_mark(text[i]));
}

class Lexer {
 public:
  Lexer(FileId file, std::string_view text, LexerOptions options) : file_(file), text_(text), options_(options) {}

  std::vector<Token> run();

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool in_brackets() const { return !brackets_.empty() && brackets_.back().lists; }
  bool starts_statement() const;
  bool after_operand() const;
  bool starts_operand() const;
  bool block_comment_here() const;
  bool evident_statement_here() const;

  Token& emit(Kind kind, std::size_t end);
  void refuse(std::size_t end, std::string message);
  void skip_blanks();
  void line_end();
  void skip_block_comment();
  void close_all_brackets();
  void scan_token();
  void word();
  void call_with(const Command& command, std::size_t name_end);
  void quoted();
  void number();
  void point();
  void operator_or_bracket();
  void open_bracket(Kind kind);
  void close_bracket(Kind kind);
  void end_body();
  void foreign_byte();

  FileId file_;
  std::string_view text_;
  LexerOptions options_;
  std::size_t pos_ = 0;
  bool space_ = false;
  std::vector<Token> tokens_;
  std::vector<Bracket> brackets_;
  std::size_t body_follows_ = SIZE_MAX;  ///< index of the ')' that closes the parameters of an anonymous function
};

Token& Lexer::emit(Kind kind, std::size_t end) {
  Token token;
  token.kind = kind;
  token.space_before = std::exchange(space_, false);
  token.depth = static_cast<std::uint32_t>(brackets_.size());
  token.span = Span{file_, static_cast<std::uint32_t>(pos_), static_cast<std::uint32_t>(end)};
  tokens_.push_back(std::move(token));
  pos_ = end;
  return tokens_.back();
}

void Lexer::refuse(std::size_t end, std::string message) { emit(Kind::refused, end).text = std::move(message); }

bool Lexer::starts_statement() const {
  if (!brackets_.empty()) return false;
  if (tokens_.empty()) return true;
  switch (tokens_.back().kind) {
    case Kind::newline:
    case Kind::comma:
    case Kind::semicolon:
    case Kind::kw_do:
    case Kind::kw_else:
    case Kind::kw_otherwise: return true;
    default: return false;
  }
}

bool Lexer::after_operand() const {
  if (tokens_.empty()) return false;
  const Token& last = tokens_.back();
  switch (last.kind) {
    case Kind::number:
    case Kind::string:
    case Kind::identifier:
    case Kind::field:
    case Kind::magic_end:
    case Kind::right_bracket:
    case Kind::right_brace:
    case Kind::hermitian:
    case Kind::transpose: return true;
    case Kind::right_paren: return tokens_.size() - 1 != body_follows_;
    case Kind::increment:
    case Kind::decrement: return !last.space_before;  // written onto its operand
    default: return false;
  }
}

/// Whether the character at pos_ can begin an element of a matrix after a blank.
bool Lexer::starts_operand() const {
  const char c = at(pos_);
  const char next = at(pos_ + 1);
  if (is_name_part(c)) return true;
  switch (c) {
    case '"':
    case '\'':
    case '(':
    case '[':
    case '{':
    case '@': return true;
    case '.': return is_digit(next);
    case '!':
    case '~': return next != '=';
    case '+':
    case '-': {
      const char after = at(pos_ + (next == c ? 2 : 1));
      return !is_blank(after) && after != '\n' && after != '=' && after != '\0';
    }
    default: return false;
  }
}

void Lexer::skip_blanks() {
  for (;;) {
    if (pos_ < text_.size() && is_blank(text_[pos_])) {
      ++pos_;
    } else if (text_.substr(pos_, 3) == "..." || backslash_continues(text_, pos_)) {
      while (pos_ < text_.size() && text_[pos_] != '\n') ++pos_;
      if (pos_ < text_.size()) ++pos_;
    } else {
      return;
    }
    space_ = true;
  }
}

bool Lexer::block_comment_here() const {
  return is_comment_mark(at(pos_)) && at(pos_ + 1) == '{' && is_block_mark(line_at(text_, pos_), '{');
}

void Lexer::skip_block_comment() {
  const std::size_t begin = pos_;
  std::size_t line = pos_;
  int depth = 0;
  while (line < text_.size()) {
    const std::string_view content = line_at(text_, line);
    if (is_block_mark(content, '{')) ++depth;
    if (is_block_mark(content, '}')) --depth;
    const std::size_t end = std::min(text_.find('\n', line), text_.size());
    if (depth == 0) {
      pos_ = end;
      space_ = true;
      return;
    }
    line = end + 1;
  }
  refuse(begin + 2, "this block comment is never closed: '%}' belongs on a line of its own");
  pos_ = text_.size();
}

/// At a comment, a newline or the end of the text: one token for all of it.
void Lexer::line_end() {
  const std::size_t begin = pos_;
  std::string comment;
  if (is_comment_mark(at(pos_))) {
    const std::size_t end = std::min(text_.find('\n', pos_), text_.size());
    comment = comment_text(text_.substr(pos_, end - pos_));
    pos_ = end;
    space_ = true;
  }
  if (pos_ >= text_.size()) {
    if (!comment.empty()) emit(Kind::newline, pos_).text = std::move(comment);
    return;
  }
  const std::size_t next = pos_ + 1;
  end_body();
  if (brackets_.empty()) {
    if (!tokens_.empty() && tokens_.back().kind != Kind::newline) {
      pos_ = begin;
      emit(Kind::newline, next).text = std::move(comment);
    }
  } else if (in_brackets()) {
    emit(Kind::semicolon, next);
  }
  pos_ = next;
  space_ = true;
  if (!brackets_.empty() && evident_statement_here()) close_all_brackets();
}

/// Inside brackets no line begins with `name =` or `name(...) =`, for assignments are statements, and no line is just
/// `end` unless the brackets go on behind it. Where one does, a bracket was left open.
bool Lexer::evident_statement_here() const {
  std::size_t i = pos_;
  while (is_blank(at(i))) ++i;
  const std::size_t begin = i;
  if (!is_name_start(at(i))) return false;
  while (is_name_part(at(i))) ++i;
  if (text_.substr(begin, i - begin) == "end") {
    while (is_blank(at(i)) || at(i) == ';') ++i;
    if (at(i) != '\n' && !is_comment_mark(at(i)) && i < text_.size()) return false;
    while (is_blank(at(i)) || at(i) == '\n') ++i;
    constexpr std::string_view goes_on = ")],;:+-*/";
    return i >= text_.size() || goes_on.find(text_[i]) == std::string_view::npos;
  }
  int depth = 0;
  for (; i < text_.size() && text_[i] != '\n' && (depth > 0 || is_blank(text_[i]) || text_[i] == '('); ++i) {
    depth += text_[i] == '(' ? 1 : text_[i] == ')' ? -1 : 0;
  }
  return at(i) == '=' && at(i + 1) != '=';
}

/// The statement ends behind the last thing it holds, so that this is where a message points.
void Lexer::close_all_brackets() {
  while (tokens_.back().kind == Kind::semicolon && tokens_.back().depth > 0) tokens_.pop_back();
  brackets_.clear();
  Token& end = emit(Kind::newline, pos_);
  end.span.begin = end.span.end = tokens_[tokens_.size() - 2].span.end;
}

void Lexer::word() {
  std::size_t end = pos_;
  while (is_name_part(at(end))) ++end;
  const std::string_view name = text_.substr(pos_, end - pos_);
  if (const std::optional<Kind> keyword = find_keyword(name)) {
    if (!brackets_.empty() && *keyword == Kind::kw_end) {
      emit(Kind::magic_end, end);
      return;
    }
    if (!brackets_.empty()) close_all_brackets();
    emit(*keyword, end);
    return;
  }
  if (options_.statements && starts_statement()) {
    std::size_t next = end;
    while (is_blank(at(next))) ++next;
    const std::optional<Kind> directive = find_directive(name);
    if (directive && next > end && is_name_start(at(next))) {
      emit(*directive, end);
      return;
    }
    Command command = find_command(text_, pos_, end);
    if (!command.message.empty()) return refuse(command.end, std::move(command.message));
    if (!command.words.empty()) return call_with(command, end);
  }
  emit(Kind::identifier, end).text = name;
}

/// `format long` is format("long"): brackets and commas that nobody wrote have no width.
void Lexer::call_with(const Command& command, std::size_t name_end) {
  const std::string_view name = text_.substr(pos_, name_end - pos_);
  emit(Kind::identifier, name_end).text = name;
  brackets_.push_back({'(', false, false});
  emit(Kind::left_paren, pos_);
  for (const Command::Word& word : command.words) {
    if (word.begin != command.words.front().begin) emit(Kind::comma, pos_);
    pos_ = word.begin;
    emit(Kind::string, word.end).text = word.text;
  }
  brackets_.pop_back();
  emit(Kind::right_paren, pos_);
}

void Lexer::quoted() {
  StringLiteral literal = scan_string(text_, pos_);
  if (!literal.error.empty()) {
    refuse(literal.end, std::move(literal.error));
    return;
  }
  const bool double_quoted = text_[pos_] == '"';
  Token& token = emit(Kind::string, literal.end);
  token.text = std::move(literal.text);
  token.double_quoted = double_quoted;
}

void Lexer::number() {
  NumberLiteral literal = scan_number(text_, pos_);
  if (!literal.error.empty()) {
    refuse(literal.end, std::move(literal.error));
  } else {
    Token& token = emit(Kind::number, literal.end);
    token.number = literal.value;
    token.imaginary = literal.imaginary;
    token.integer_bits = literal.integer_bits;
    token.integer_signed = literal.integer_signed;
  }
}

/// A '.' that begins neither a number nor an operator: of a field.
void Lexer::point() {
  std::size_t begin = pos_ + 1;
  while (is_blank(at(begin))) ++begin;
  std::size_t end = begin;
  while (is_name_part(at(end))) ++end;
  if (after_operand() && at(begin) == '(') {
    emit(Kind::point, pos_ + 1);
  } else if (after_operand() && is_name_start(at(begin))) {
    emit(Kind::field, end).text = text_.substr(begin, end - begin);
  } else {
    refuse(pos_ + 1, "unexpected '.'");
  }
}

void Lexer::open_bracket(Kind kind) {
  const bool params = kind == Kind::left_paren && !tokens_.empty() && tokens_.back().kind == Kind::at;
  const bool lists = kind != Kind::left_paren && !(kind == Kind::left_brace && after_operand());
  brackets_.push_back({text_[pos_], params, lists});
  emit(kind, pos_ + 1);
}

void Lexer::close_bracket(Kind kind) {
  const char open = kind == Kind::right_paren ? '(' : kind == Kind::right_bracket ? '[' : '{';
  std::size_t keep = brackets_.size();
  while (keep > 0 && brackets_[keep - 1].open != open) --keep;
  const std::size_t new_size = keep > 0 ? keep - 1 : brackets_.empty() ? 0 : brackets_.size() - 1;
  const bool params = new_size < brackets_.size() && brackets_[new_size].anonymous_params;
  brackets_.resize(new_size);
  emit(kind, pos_ + 1);
  if (!params) return;
  body_follows_ = tokens_.size() - 1;
  if (in_brackets()) brackets_.push_back({'@', false, false});  // {@(x) x +1, 2}: blanks in the body separate nothing
}

/// Of an anonymous function that is an element of a matrix or a cell array.
void Lexer::end_body() {
  if (!brackets_.empty() && brackets_.back().open == '@') brackets_.pop_back();
}

void Lexer::operator_or_bracket() {
  const OperatorMatch match = find_operator(text_, pos_);
  if (match.length == 0) {
    foreign_byte();
    return;
  }
  const Kind kind = match.kind;
  switch (kind) {
    case Kind::left_paren:
    case Kind::left_bracket:
    case Kind::left_brace: open_bracket(kind); return;
    case Kind::right_paren:
    case Kind::right_bracket:
    case Kind::right_brace: close_bracket(kind); return;
    default: {
      if (kind == Kind::comma || kind == Kind::semicolon) end_body();
      emit(kind, pos_ + match.length);
    }
  }
}

void Lexer::foreign_byte() {
  const char c = text_[pos_];
  if (static_cast<unsigned char>(c) < 0x80) {
    const bool printable = c > ' ' && c < 0x7f;
    refuse(pos_ + 1, printable ? std::string("unexpected character '") + c + "'"
                               : "unexpected byte " + std::to_string(static_cast<int>(c)) + ": is this a text file?");
    return;
  }
  const std::size_t length = utf8_length(text_, pos_);
  std::size_t end = pos_;
  while (end < text_.size() && static_cast<unsigned char>(text_[end]) >= 0x80) ++end;
  refuse(end, length == 0 ? "these bytes are not UTF-8 text"
                          : "unexpected character '" + std::string(text_.substr(pos_, length)) +
                                "': names and operators are ASCII");
}

void Lexer::scan_token() {
  if (in_brackets() && space_ && after_operand() && starts_operand()) emit(Kind::comma, pos_);
  const char c = text_[pos_];
  if (is_name_start(c)) {
    word();
  } else if (is_digit(c) || (c == '.' && is_digit(at(pos_ + 1)))) {
    number();
  } else if (c == '"') {
    quoted();
  } else if (c == '\'' && !after_operand()) {
    quoted();
  } else if (c == '.' && find_operator(text_, pos_).length == 0) {
    point();
  } else {
    operator_or_bracket();
  }
}

std::vector<Token> Lexer::run() {
  if (text_.size() >= max_file_size) {
    refuse(1, "this file is larger than 1 GiB");
    pos_ = text_.size();
  }
  if (text_.substr(0, 3) == "\xef\xbb\xbf") pos_ = 3;  // byte order mark
  for (;;) {
    skip_blanks();
    if (pos_ >= text_.size()) break;
    if (block_comment_here()) {
      skip_block_comment();
    } else if (text_[pos_] == '\n' || is_comment_mark(text_[pos_])) {
      line_end();
    } else {
      scan_token();
    }
  }
  brackets_.clear();
  emit(Kind::end_of_file, pos_);
  return std::move(tokens_);
}

}  // namespace

TokenStream lex(FileId file, const SourceManager& sources, LexerOptions options) {
  const std::string_view text = sources.file(file).text;
  TokenStream stream;
  stream.tokens = Lexer(file, text, options).run();
  mark_targets(stream.tokens);
  stream.help = opening_comment(text);
  return stream;
}

}  // namespace lac::frontend
