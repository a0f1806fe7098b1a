// Colours, line styles and colour maps by their Octave names.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/figures/figure.h"

namespace lac::runtime::figures {

/// Octave's colour order of lines.
Color order_color(std::size_t index);

/// 'r', "red", "#rrggbb".
std::optional<Color> color_named(std::string_view name);
std::optional<Dash> dash_named(std::string_view name);
/// One of Octave's markers by its letter or name; 0 is "none".
std::optional<char> marker_named(std::string_view name);

/// "r--o": what it names is set, and a marker without a line style takes the line away. False: it is no style.
bool apply_style(std::string_view style, Look& look);

/// viridis, jet, gray, ... with n colours; empty where there is no such map.
std::vector<Color> colormap_named(std::string_view name, int n = 64);
/// The colour at t from 0 to 1, the ends beyond.
Color color_at(const std::vector<Color>& map, double t);

}  // namespace lac::runtime::figures
