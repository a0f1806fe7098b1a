#include "runtime/files/scan_columns.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ir/support/missing.h"
#include "runtime/files/data/data_value.h"
#include "runtime/files/number.h"
#include "runtime/stop.h"

namespace lac::runtime {
namespace {

constexpr std::string_view usual_blanks = " \b\t";

class Scan {
 public:
  Scan(std::string_view text, const std::vector<ColumnPart>& parts, const ColumnRules& rules)
      : text_(text), parts_(parts), rules_(rules) {
    for (const char c : usual_blanks)
      if (rules.delimiters.find(c) == std::string::npos) blanks_ += c;
    for (const ColumnPart& part : parts)
      if (part.is_column()) found_.columns.emplace_back();
  }

  Result<ScannedColumns> run() {
    for (std::size_t line = 0; line < rules_.lines_left_out && !at_end(); ++line)
      at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    for (std::size_t row = 0; row < rules_.most_rows && take_row(); ++row) poll_();
    if (!problem_.empty()) return Failure{problem_};
    found_.end = at_;
    return std::move(found_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  bool at_line_end() const {
    return text_[at_] == '\n' || (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n');
  }
  bool at_delimiter() const {
    return !at_end() && (at_line_end() || rules_.delimiters.find(text_[at_]) != std::string::npos);
  }
  void skip_blanks() {
    while (!at_end() && blanks_.find(text_[at_]) != std::string::npos) ++at_;
  }
  /// Behind a field: blanks and the delimiter that ends it.
  void end_field() {
    skip_blanks();
    field_was_ended_ = at_delimiter();
    if (!field_was_ended_) return;
    do {
      at_ += text_[at_] == '\r' && at_line_end() ? 2 : 1;
      if (!rules_.delimiters_are_one) return;
      skip_blanks();
    } while (at_delimiter());
  }

  /// False where nothing more is read.
  bool take_row() {
    skip_blanks();
    for (; rules_.has_words && !at_end() && at_line_end(); skip_blanks()) at_ += text_[at_] == '\r' ? 2 : 1;
    if (at_end()) return false;
    std::size_t column = 0;
    for (const ColumnPart& part : parts_) {
      skip_blanks();
      if (at_end() && !field_was_ended_) return false;
      if (!take_part(part, part.is_column() ? &found_.columns[column] : nullptr)) return false;
      if (part.is_column()) ++column;
    }
    return true;
  }

  bool take_part(const ColumnPart& part, ScannedColumn* column) {
    if (!part.literal.empty()) return take_literal(part.literal);
    if (at_end() || at_delimiter()) {
      if (column) add_empty(part, *column);
      if (!at_end()) end_field();
      return true;
    }
    const bool taken = part.data_class == DataClass::text ? take_text(column) : take_number(part, column);
    if (taken) end_field();
    return taken;
  }

  bool take_literal(const std::string& literal) {
    if (!text_.substr(at_).starts_with(literal)) return false;
    at_ += literal.size();
    end_field();
    return true;
  }

  static void add_empty(const ColumnPart& part, ScannedColumn& column) {
    if (part.data_class == DataClass::text) column.lengths.push_back(0);
    else column.numbers.push_back(is_integer(part.data_class) ? 0 : std::numeric_limits<double>::quiet_NaN());
  }

  bool take_text(ScannedColumn* column) {
    const std::size_t begin = at_;
    while (!at_end() && !at_delimiter() &&
           (!rules_.delimiters.empty() || blanks_.find(text_[at_]) == std::string::npos))
      ++at_;
    if (!column) return true;
    column->characters += text_.substr(begin, at_ - begin);
    column->lengths.push_back(at_ - begin);
    return true;
  }

  bool take_word(const ColumnPart& part, ScannedColumn* column) {
    const std::size_t begin = at_;
    while (!at_end() && !at_delimiter() && blanks_.find(text_[at_]) == std::string::npos) ++at_;
    const std::size_t end = std::exchange(at_, begin);
    const std::optional<double> number = parse();
    const bool is_number = number && (at_ == end || part_follows(part));
    if (!is_number) at_ = end;
    return keep(part, is_number ? *number : std::numeric_limits<double>::quiet_NaN(), column);
  }
  /// Whether the template has more for the word than the number.
  bool part_follows(const ColumnPart& part) const { return &part != &parts_.back() && !(&part + 1)->literal.empty(); }

  bool take_number(const ColumnPart& part, ScannedColumn* column) {
    if (rules_.has_words) return take_word(part, column);
    const std::optional<double> number = parse();
    if (!number && !rules_.delimiters.empty() && !rules_.has_words)
      problem_ = "a field that begins with '" + std::string(text_.substr(at_, 1)) + "' is no number";
    return number && keep(part, *number, column);
  }

  bool keep(const ColumnPart& part, double number, ScannedColumn* column) {
    const std::optional<double> held = in_class(part.data_class, number);
    if (!held) problem_ = "a number is beyond 2^53, up to which they are exact here";
    if (held && column) column->numbers.push_back(*held);
    return held.has_value();
  }

  std::optional<double> parse() {
    if (rules_.has_words && text_.substr(at_).starts_with("NA") && !text_.substr(at_).starts_with("NAN")) {
      at_ += 2;
      return missing_value();
    }
    const char* begin = text_.data() + at_;
    const ParsedNumber<double> parsed = parse_double(begin, text_.data() + text_.size());
    if (parsed.error != NumberError::none) return std::nullopt;
    at_ += static_cast<std::size_t>(parsed.end - begin);
    return parsed.value;
  }

  std::string_view text_;
  const std::vector<ColumnPart>& parts_;
  const ColumnRules& rules_;
  std::string blanks_;
  std::size_t at_ = 0;
  bool field_was_ended_ = false;  ///< by a delimiter
  std::string problem_;
  ScannedColumns found_;
  StopPoll poll_;
};

}  // namespace

Result<ScannedColumns> scan_columns(std::string_view text, const std::vector<ColumnPart>& parts,
                                    const ColumnRules& rules) {
  if (text.empty()) {
    ScannedColumns none;
    none.columns.resize(static_cast<std::size_t>(std::ranges::count_if(parts, &ColumnPart::is_column)));
    return none;
  }
  return Scan(text, parts, rules).run();
}

}  // namespace lac::runtime
