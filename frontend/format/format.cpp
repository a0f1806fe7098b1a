#include "frontend/format.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "frontend/ast/print.h"
#include "frontend/format/spacing.h"
#include "frontend/lexer/comments.h"
#include "frontend/lexer/lexer.h"
#include "frontend/lexer/literals.h"
#include "frontend/parser.h"

namespace lac::frontend {
namespace {

using Kind = TokenKind;
constexpr std::size_t indent_width = 2, most_blank_lines = 2;

bool opens_block(Kind kind) {
  return kind == Kind::kw_if || kind == Kind::kw_for || kind == Kind::kw_while || kind == Kind::kw_do ||
         kind == Kind::kw_switch || kind == Kind::kw_function || kind == Kind::kw_try ||
         kind == Kind::kw_unwind_protect;
}

bool closes_block(Kind kind) {
  return kind == Kind::kw_end || kind == Kind::kw_endfor || kind == Kind::kw_endfunction || kind == Kind::kw_endif ||
         kind == Kind::kw_endwhile || kind == Kind::kw_endswitch || kind == Kind::kw_until ||
         kind == Kind::kw_end_try_catch || kind == Kind::kw_end_unwind_protect;
}

bool divides_block(Kind kind) {
  return kind == Kind::kw_else || kind == Kind::kw_elseif || kind == Kind::kw_case || kind == Kind::kw_otherwise ||
         kind == Kind::kw_catch || kind == Kind::kw_unwind_protect_cleanup;
}

bool is_directive(Kind kind) { return kind == Kind::kw_param || kind == Kind::kw_output || kind == Kind::kw_precision; }

std::string_view without_blanks_at_end(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::size_t blanks_at_start(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_blank(text[count])) ++count;
  return count;
}

/// A continuation by a backslash, which Octave gives up, in today's form: `show \` would be a command and its word.
std::string with_dots(std::string_view tail) {
  return tail.starts_with('\\') ? "..." + std::string(tail.substr(1)) : std::string(tail);
}

class Formatter {
 public:
  Formatter(std::string_view text, const std::vector<Token>& tokens) : text_(text), tokens_(tokens) {}

  std::string run() {
    while (begin_ < text_.size()) {
      const std::size_t end = end_of_line();
      format_line(text_.substr(begin_, end - begin_), end);
      begin_ = end + 1;
    }
    return std::move(out_);
  }

 private:
  /// Of the line that begins at begin_; a string that goes on behind a line break keeps its lines together.
  std::size_t end_of_line() const {
    std::size_t end = std::min(text_.find('\n', begin_), text_.size());
    for (std::size_t i = next_; i < tokens_.size() && tokens_[i].span.begin < end; ++i)
      if (tokens_[i].span.end > end + 1) end = std::min(text_.find('\n', tokens_[i].span.end), text_.size());
    return end;
  }

  void format_line(std::string_view line, std::size_t end) {
    if (in_block_comment()) {
      skip_line_end(end);
      return put(without_blanks_at_end(line));
    }
    const std::vector<SpacedToken> tokens = tokens_of_line(end);
    if (tokens.empty()) return format_empty(line);
    const Kind first = tokens.front().token->kind;
    const std::size_t written = blanks_at_start(line);
    std::size_t indent = depth() * indent_width;
    if (closes_block(first) && !open_.empty()) indent -= levels(open_.back()) * indent_width;
    else if (divides_block(first)) indent -= std::min(indent, indent_width);
    if (continued_) indent = shifted(written);
    else shift_ = static_cast<std::ptrdiff_t>(indent) - static_cast<std::ptrdiff_t>(written);
    const std::size_t code_end = tokens.back().token->span.end - begin_;
    std::string text(indent, ' ');
    text += is_directive(first) && !continued_ ? line.substr(written, code_end - written) : spaced(tokens);
    finish(text, line, code_end);
    put(text);
    count_blocks(tokens);
  }

  /// A blank line, a comment, or a lone continuation mark.
  void format_empty(std::string_view line) {
    const std::string content = with_dots(without_blanks_at_end(line.substr(blanks_at_start(line))));
    if (content.empty()) {
      ++blank_lines_;
      continued_ = continued_ && roles_.inside_brackets();
      return;
    }
    const bool test = content.starts_with("%!") || content.starts_with("#!");
    const std::size_t written = blanks_at_start(line);
    const std::size_t indent = continued_ ? shifted(written) : depth() * indent_width;
    put(test && !continued_ ? std::string(without_blanks_at_end(line)) : std::string(indent, ' ') + content);
    continued_ = roles_.inside_brackets() || (continued_ && content.starts_with("..."));
  }

  /// Where a column of the statement at hand comes to lie.
  std::size_t shifted(std::size_t column) const {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(column) + shift_, 0));
  }

  bool in_block_comment() {
    const std::string_view content = line_at(text_, begin_);
    if (is_block_mark(content, '{')) ++block_comments_;
    else if (block_comments_ == 0) return false;
    else if (is_block_mark(content, '}')) --block_comments_;
    return true;
  }

  std::vector<SpacedToken> tokens_of_line(std::size_t end) {
    std::vector<SpacedToken> line;
    std::size_t previous_end = begin_;
    for (; next_ < tokens_.size() && tokens_[next_].span.begin < end; ++next_) {
      const Token& token = tokens_[next_];
      const std::string_view written = text_.substr(token.span.begin, token.span.end - token.span.begin);
      if (token.kind == Kind::newline || token.kind == Kind::end_of_file || written.empty()) continue;
      SpacedToken spaced_token;
      spaced_token.token = &token;
      spaced_token.written = written;
      if (!line.empty()) spaced_token.gap = text_.substr(previous_end, token.span.begin - previous_end);
      roles_.assign(spaced_token);
      line.push_back(spaced_token);
      previous_end = token.span.end;
    }
    skip_line_end(end);
    return line;
  }

  /// What ends the line, also between the rows of a matrix: it belongs to no line's text.
  void skip_line_end(std::size_t end) {
    while (next_ < tokens_.size() && tokens_[next_].span.begin == end) {
      const Token& token = tokens_[next_];
      if (token.kind != Kind::newline && token.kind != Kind::semicolon && token.span.end > token.span.begin) break;
      ++next_;
    }
  }

  /// Adds what follows the code: a comment at its column where there is room, or a continuation mark.
  void finish(std::string& text, std::string_view line, std::size_t code_end) {
    const std::string_view rest = line.substr(code_end);
    const std::size_t gap = blanks_at_start(rest);
    const std::string tail = with_dots(without_blanks_at_end(rest.substr(gap)));
    continued_ = roles_.inside_brackets() || tail.starts_with("...");
    if (tail.empty()) return;
    if (tail.starts_with("...")) {
      text += " " + tail;
      return;
    }
    const std::size_t least = text.size() + (gap > 1 ? 2 : 1);
    text.resize(std::max(least, shifted(code_end + gap)), ' ');
    text += tail;
  }

  /// A case stands between the switch and what belongs to it.
  static std::size_t levels(Kind block) { return block == Kind::kw_switch ? 2 : 1; }
  std::size_t depth() const {
    std::size_t all = 0;
    for (const Kind block : open_) all += levels(block);
    return all;
  }

  void count_blocks(const std::vector<SpacedToken>& line) {
    for (const SpacedToken& each : line) {
      if (opens_block(each.token->kind)) open_.push_back(each.token->kind);
      if (closes_block(each.token->kind) && !open_.empty()) open_.pop_back();
    }
  }

  void put(std::string_view line) {
    if (!out_.empty()) out_.append(std::min(blank_lines_, most_blank_lines), '\n');
    blank_lines_ = 0;
    out_.append(line).push_back('\n');
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  Roles roles_;
  std::string out_;
  std::size_t begin_ = 0;        ///< of the line at hand
  std::size_t next_ = 0;         ///< the next token
  std::vector<Kind> open_;       ///< the words of the open blocks
  std::size_t blank_lines_ = 0;  ///< not yet written
  std::ptrdiff_t shift_ = 0;     ///< what the indentation of the statement at hand changed by
  bool continued_ = false;       ///< the line continues the statement before it
  int block_comments_ = 0;
};

}  // namespace

std::optional<std::string> format(FileId file, SourceManager& sources, Diagnostics& diagnostics) {
  const std::optional<ast::Program> before = parse(file, sources, diagnostics);
  if (!before) return std::nullopt;
  const std::string name = sources.file(file).name;
  std::string text = Formatter(sources.file(file).text, lex(file, sources).tokens).run();
  const FileId formatted = sources.add(name, text);
  Diagnostics ignored;
  const std::optional<ast::Program> after = parse(formatted, sources, ignored);
  if (!after || ast::print(*before) != ast::print(*after))
    diagnostics.error({}, "formatting '" + name + "' would change what it means: this is a fault of the formatter");
  return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace lac::frontend
