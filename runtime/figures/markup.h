// The markup of texts in figures: \alpha, x^2, e^{-t}, u_{ij}, {\bf ...}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lac::runtime::figures {

/// A part of a text, in UTF-8: on the line, or smaller above (1) or below (-1) it.
struct Run {
  std::string text;
  int level = 0;
};

std::vector<Run> runs_of(std::string_view text);

/// How wide the text is, about, in units of its size: at least as wide as in Helvetica.
double text_width(std::string_view text);

constexpr double script_size = 0.75, script_shift = 0.4;  ///< of smaller parts, in units of the size

}  // namespace lac::runtime::figures
