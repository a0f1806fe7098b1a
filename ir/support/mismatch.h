// The table that a failed assert (observed, expected) shows: Octave's columns.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lac {

inline constexpr std::string_view mismatch_head = "\n\n  Location  |  Observed  |  Expected  |  Reason";

/// One row, with a line end in front. The texts stand around the middles of their columns, the reason at its start.
inline std::string mismatch_row(std::string_view location, std::string_view observed, std::string_view expected,
                                std::string_view reason) {
  std::string row;
  const auto put = [&row](std::string_view text, std::size_t column) {
    row.resize(std::max(row.size(), column), ' ');
    row += text;
  };
  const auto middle = [](std::string_view text, std::size_t column) {
    const std::size_t half = (text.size() + 1) / 2;
    return column > half ? column - half : 0;
  };
  put(location, middle(location, 6));
  put(observed, std::max(middle(observed, 19), row.size() + 1));
  put(expected, std::max(middle(expected, 32), row.size() + 1));
  put(reason, std::max<std::size_t>(41, row.size() + 1));
  return "\n" + row;
}

}  // namespace lac
