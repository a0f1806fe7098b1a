// Regular expressions over strings, as Octave's regexp and regexprep use them.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "ir/support/result.h"

namespace lac {

using Matches = std::vector<std::smatch>;

/// A regular expression of ECMAScript in which '.' matches the end of a line too, and tokens may have names.
class TextPattern {
 public:
  /// Fails where the pattern is not understood, or uses what is outside the language.
  static Result<TextPattern> of(const std::string& written, bool ignore_case);

  /// The matches in their order, no empty ones, as Octave leaves them out; `once`: at most the first. They refer to
  /// `text`.
  Matches matches(const std::string& text, bool once) const;
  /// What regexprep makes; `format` is `replacement_format` of the replacement.
  std::string replaced(const std::string& text, const std::string& format, bool once) const;

 private:
  explicit TextPattern(std::regex expression) : expression_(std::move(expression)) {}
  std::regex expression_;
};

/// The names of the tokens of a pattern, empty for those without one.
std::vector<std::string> token_names(const std::string& pattern);
/// What replaces a match, as std::regex reads it. `escapes`: escapes of a single-quoted string are still to be
/// expanded.
std::string replacement_format(const std::string& replacement, bool escapes);

}  // namespace lac
