#include "driver/cli/test_blocks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

namespace lac::cli {

namespace {

struct Word {
  std::string_view word;
  BlockKind kind;
};
constexpr std::array<Word, 12> words = {{{"assert", BlockKind::test},
                                         {"fail", BlockKind::test},
                                         {"test", BlockKind::test},
                                         {"error", BlockKind::error},
                                         {"warning", BlockKind::warning},
                                         {"shared", BlockKind::shared},
                                         {"function", BlockKind::function},
                                         {"endfunction", BlockKind::ignored},
                                         {"end", BlockKind::ignored},
                                         {"demo", BlockKind::skipped},
                                         {"testif", BlockKind::skipped},
                                         {"xtest", BlockKind::skipped}}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.emplace_back(text.substr(start, end - start));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    start = end + 1;
  }
  return lines;
}

void blank(std::string& line, std::size_t begin, std::size_t end) {
  std::fill(line.begin() + static_cast<std::ptrdiff_t>(begin), line.begin() + static_cast<std::ptrdiff_t>(end), ' ');
}

std::size_t skip_blanks(const std::string& line, std::size_t at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  return at;
}

/// Takes `<pattern>` at `at` out of the line; `\>` is a '>' of the pattern.
std::optional<std::string> take_angle(std::string& line, std::size_t at) {
  if (at >= line.size() || line[at] != '<') return std::nullopt;
  std::string inside;
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '>') {
      blank(line, at, i + 1);
      return inside;
    }
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '>') ++i;
    inside += line[i];
  }
  return std::nullopt;
}

/// `<*12345>` and `<12345>` are numbers of bug reports, not patterns.
bool is_bug_number(const std::string& text) {
  const std::size_t start = text.starts_with('*') ? 1 : 0;
  return text.size() > start && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(),
                                            [](char c) { return c >= '0' && c <= '9'; });
}

/// `id=NAME` and `<pattern>` after %!error or %!warning, in either order.
void take_expectation(TestBlock& block, std::size_t at) {
  std::string& line = block.code.front();
  for (int part = 0; part < 3; ++part) {
    at = skip_blanks(line, at);
    if (line.compare(at, 3, "id=") == 0) {
      std::size_t end = at + 3;
      while (end < line.size() && !is_blank(line[end])) ++end;
      block.id = line.substr(at + 3, end - at - 3);
      blank(line, at, end);
    } else if (const auto inside = take_angle(line, at); inside && !is_bug_number(*inside)) {
      block.pattern = *inside;
    }
  }
}

/// `shared x, y`: a variable that the block's own statements do not set is [].
void take_shared(TestBlock& block, std::size_t at) {
  std::string& line = block.code.front();
  const std::size_t end = std::min(line.find_first_of("%#", at), line.size());
  std::string names = line.substr(at, end - at);
  line.assign(line.size(), ' ');
  std::string code;
  for (const std::string& each : block.code) code += each + "\n";
  std::string set;
  for (std::size_t i = 0; i < names.size();) {
    if (!is_letter(names[i])) {
      ++i;
      continue;
    }
    std::size_t stop = i;
    while (stop < names.size() && is_word(names[stop])) ++stop;
    const std::string name = names.substr(i, stop - i);
    block.names.push_back(name);
    if (code.find(name) == std::string::npos) set += name + " = []; ";
    i = stop;
  }
  line = set;
}

/// The text of a string literal that starts at `at`, which moves behind it.
std::optional<std::string> literal_at(const std::string& text, std::size_t& at) {
  while (at < text.size() && (is_blank(text[at]) || text[at] == ',' || text[at] == '(')) ++at;
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return std::nullopt;
  const char quote = text[at++];
  std::string inside;
  for (; at < text.size(); ++at) {
    if (text[at] == quote && at + 1 < text.size() && text[at + 1] == quote) ++at;
    else if (text[at] == quote) return ++at, inside;
    else if (quote == '"' && text[at] == '\\' && at + 1 < text.size() && text[at + 1] != 'n') ++at;
    inside += text[at];
  }
  return std::nullopt;
}

/// `fail ("code", ["warning",] "pattern")` expects what %!error and %!warning expect. Other calls stay as they are.
void take_fail(TestBlock& block, std::size_t at) {
  if (block.code.size() != 1) return;
  const std::string line = block.code.front();
  const std::optional<std::string> code = literal_at(line, at);
  if (!code) return;
  block.kind = BlockKind::error;
  std::optional<std::string> next = literal_at(line, at);
  if (next == "warning") {
    block.kind = BlockKind::warning;
    next = literal_at(line, at);
  }
  block.pattern = next.value_or("");
  block.code.front() = *code + ";";
}

/// The name that `function [outs] = name (ins)` defines.
void take_function(TestBlock& block, std::size_t at) {
  std::string line = block.code.front().substr(at);
  line.erase(std::min(line.find_first_of("%#"), line.size()));
  const std::size_t equals = line.find('=');
  std::size_t begin = equals == std::string::npos ? 0 : equals + 1;
  while (begin < line.size() && !is_letter(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && is_word(line[end])) ++end;
  block.names = {line.substr(begin, end - begin)};
}

void read_head(TestBlock& block) {
  std::string& line = block.code.front();
  std::size_t end = 2;
  while (end < line.size() && is_letter(line[end])) ++end;
  block.word = line.substr(2, end - 2);
  blank(line, 0, 2);
  if (block.word.empty()) {
    block.kind = BlockKind::ignored;  // %!# and %!%: a comment
    return;
  }
  const auto found = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.word == block.word; });
  block.kind = found == words.end() ? BlockKind::unknown : found->kind;
  if (block.word == "test" || block.kind == BlockKind::error || block.kind == BlockKind::warning) blank(line, 2, end);
  if (block.kind == BlockKind::error || block.kind == BlockKind::warning) take_expectation(block, end);
  else if (block.kind == BlockKind::test) take_angle(line, skip_blanks(line, end));
  if (block.word == "fail") take_fail(block, end);
  if (block.kind == BlockKind::shared) take_shared(block, end);
  if (block.kind == BlockKind::function) take_function(block, end);
}

/// A string between double quotes that a '\' at the end of the line continues: blanks in front would be part of it.
bool goes_on_in_string(const std::string& line) {
  return line.ends_with('\\') && std::count(line.begin(), line.end(), '"') % 2 == 1;
}

TestBlock make_block(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  TestBlock block;
  block.first_line = static_cast<std::uint32_t>(begin + 1);
  block.last_line = static_cast<std::uint32_t>(end);
  block.source.assign(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                      lines.begin() + static_cast<std::ptrdiff_t>(end));
  block.code = block.source;
  for (std::size_t i = 1; i < block.code.size(); ++i) {
    if (goes_on_in_string(block.code[i - 1])) block.code[i].erase(0, 2);
    else blank(block.code[i], 0, 2);
  }
  read_head(block);
  return block;
}

/// Whether a test sets one of the shared variables: later blocks see its value.
bool sets_shared(const TestBlock& test, const TestBlock& shared) {
  for (const std::string& name : shared.names) {
    const std::regex assignment("(^|[;,\\s\\[])" + name + R"(\s*(\([^=]*\))?\s*[-+*/]?=(?!=))");
    for (const std::string& line : test.code) {
      if (std::regex_search(line, assignment)) return true;
    }
  }
  return false;
}

bool mentions(const TestBlock& block, const std::string& name) {
  const std::regex word("\\b" + name + "\\b");
  return std::any_of(block.code.begin(), block.code.end(),
                     [&](const std::string& line) { return std::regex_search(line, word); });
}

/// The functions that `wanted` mention, and those that these mention.
std::vector<const TestBlock*> with_functions(std::vector<const TestBlock*> wanted,
                                             const std::vector<const TestBlock*>& functions) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (const TestBlock* function : functions) {
      const bool known = std::find(wanted.begin(), wanted.end(), function) != wanted.end();
      if (!known && mentions(*wanted[i], function->names.front())) wanted.push_back(function);
    }
  }
  return wanted;
}

bool has_end(const TestBlock& block) {
  for (const std::string& line : block.code) {
    const std::size_t at = skip_blanks(line, 0);
    if (line.compare(at, 11, "endfunction") == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<TestBlock> test_blocks(std::string_view text) {
  const std::vector<std::string> lines = lines_of(text);
  const auto is_block_line = [&](std::size_t i) { return i < lines.size() && lines[i].starts_with("%!"); };
  std::vector<TestBlock> blocks;
  for (std::size_t begin = 0; begin < lines.size();) {
    if (!is_block_line(begin)) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (is_block_line(end) && (lines[end].size() == 2 || is_blank(lines[end][2]))) ++end;
    blocks.push_back(make_block(lines, begin, end));
    begin = end;
    if (blocks.back().kind != BlockKind::function || has_end(blocks.back())) continue;
    // The line %!endfunction looks like a block of its own; without it the function ends with its block.
    if (is_block_line(end) && (lines[end].starts_with("%!end"))) {
      blocks.back().last_line += 1;
      blocks.back().source.push_back(lines[end]);
      blocks.back().code.push_back("  endfunction");
      ++begin;
    } else {
      blocks.back().code.back() += "\n endfunction";
    }
  }
  return blocks;
}

std::string program_of(std::string_view text, const std::vector<api::Function>& functions,
                       const std::vector<TestBlock>& blocks, std::size_t index) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> result(lines.size());
  for (const api::Function& function : functions) {
    for (std::uint32_t i = function.first_line; i <= function.last_line && i <= lines.size(); ++i) {
      result[i - 1] = lines[i - 1];
    }
  }
  const auto put = [&](const TestBlock& block) {
    for (std::size_t i = 0; i < block.code.size(); ++i) result[block.first_line - 1 + i] = block.code[i];
  };
  std::size_t shared = index;  // none
  std::vector<const TestBlock*> defined;
  for (std::size_t i = 0; i < index; ++i) {
    if (blocks[i].kind == BlockKind::shared) shared = i;
    if (blocks[i].kind != BlockKind::function) continue;
    std::erase_if(defined, [&](const TestBlock* earlier) { return earlier->names == blocks[i].names; });
    defined.push_back(&blocks[i]);
  }
  std::vector<const TestBlock*> wanted = {&blocks[index]};
  for (std::size_t i = shared; i < index; ++i) {
    if (i == shared || (blocks[i].word == "test" && sets_shared(blocks[i], blocks[shared])))
      wanted.push_back(&blocks[i]);
  }
  for (const TestBlock* block : with_functions(std::move(wanted), defined)) put(*block);
  std::string program;
  for (const std::string& line : result) program += line + "\n";
  return program;
}

}  // namespace lac::cli
