#include "runtime/figures/style.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lac::runtime::figures {
namespace {

struct NamedColor {
  char letter;
  std::string_view name;
  Color color;
};

constexpr NamedColor named_colors[] = {
    {'k', "black", {0, 0, 0}},    {'r', "red", {255, 0, 0}},       {'g', "green", {0, 255, 0}},
    {'b', "blue", {0, 0, 255}},   {'y', "yellow", {255, 255, 0}},  {'m', "magenta", {255, 0, 255}},
    {'c', "cyan", {0, 255, 255}}, {'w', "white", {255, 255, 255}},
};

constexpr Color order[] = {{0, 114, 189},  {217, 83, 25},  {237, 177, 32}, {126, 47, 142},
                           {119, 172, 48}, {77, 190, 238}, {162, 20, 47}};

struct NamedDash {
  std::string_view name;
  Dash dash;
};

constexpr NamedDash dashes[] = {  // longer names first: a style is read from its beginning
    {"--", Dash::dashed},
    {"-.", Dash::dash_dotted},
    {"-", Dash::solid},
    {":", Dash::dotted},
    {"none", Dash::none}};

struct NamedMarker {
  std::string_view name;
  char letter;
};

constexpr NamedMarker markers[] = {{"none", 0},       {"circle", 'o'},    {"cross", 'x'}, {"diamond", 'd'},
                                   {"hexagram", 'h'}, {"pentagram", 'p'}, {"plus", '+'},  {"point", '.'},
                                   {"square", 's'},   {"star", '*'}};
constexpr std::string_view marker_letters = "+o*.xsd^v><ph";

/// A colour map as stops at equal distances.
struct Stops {
  std::string_view name;
  std::array<Color, 17> colors;
  int count;
};

constexpr Stops maps[] = {
    {"viridis",
     {{{68, 1, 84},
       {72, 24, 106},
       {71, 45, 123},
       {66, 64, 134},
       {59, 82, 139},
       {51, 99, 141},
       {44, 114, 142},
       {38, 129, 142},
       {33, 144, 140},
       {31, 159, 136},
       {40, 174, 128},
       {62, 188, 116},
       {93, 201, 99},
       {130, 211, 76},
       {171, 220, 50},
       {213, 226, 26},
       {253, 231, 37}}},
     17},
    {"jet",
     {{{0, 0, 128},
       {0, 0, 255},
       {0, 128, 255},
       {0, 255, 255},
       {128, 255, 128},
       {255, 255, 0},
       {255, 128, 0},
       {255, 0, 0},
       {128, 0, 0}}},
     9},
    {"gray", {{{0, 0, 0}, {255, 255, 255}}}, 2},
    {"hot",
     {{{0, 0, 0},
       {85, 0, 0},
       {170, 0, 0},
       {255, 0, 0},
       {255, 85, 0},
       {255, 170, 0},
       {255, 255, 0},
       {255, 255, 128},
       {255, 255, 255}}},
     9},
    {"cool", {{{0, 255, 255}, {255, 0, 255}}}, 2},
    {"spring", {{{255, 0, 255}, {255, 255, 0}}}, 2},
    {"summer", {{{0, 128, 102}, {255, 255, 102}}}, 2},
    {"autumn", {{{255, 0, 0}, {255, 255, 0}}}, 2},
    {"winter", {{{0, 0, 255}, {0, 255, 128}}}, 2},
    {"bone",
     {{{0, 0, 0},
       {28, 28, 39},
       {56, 56, 78},
       {84, 84, 116},
       {112, 123, 144},
       {139, 167, 172},
       {167, 200, 200},
       {211, 228, 228},
       {255, 255, 255}}},
     9},
    {"copper", {{{0, 0, 0}, {64, 40, 25}, {128, 80, 51}, {191, 119, 76}, {255, 159, 101}, {255, 199, 127}}}, 6},
    {"hsv", {{{255, 0, 0}, {255, 255, 0}, {0, 255, 0}, {0, 255, 255}, {0, 0, 255}, {255, 0, 255}, {255, 0, 0}}}, 7},
    {"ocean", {{{0, 0, 0}, {0, 0, 85}, {0, 64, 170}, {128, 160, 212}, {255, 255, 255}}}, 5},
};

std::optional<Color> hexadecimal(std::string_view name) {
  if (name.size() != 7 || name[0] != '#') return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + 7, value, 16);
  if (error != std::errc() || end != name.data() + 7) return std::nullopt;
  return Color{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
               static_cast<std::uint8_t>(value)};
}

std::uint8_t mixed(std::uint8_t a, std::uint8_t b, double t) {
  return static_cast<std::uint8_t>(std::lround(a + (b - a) * t));
}

}  // namespace

Color order_color(std::size_t index) { return order[index % std::size(order)]; }

std::optional<Color> color_named(std::string_view name) {
  for (const NamedColor& each : named_colors)
    if (each.name == name || (name.size() == 1 && each.letter == name[0])) return each.color;
  return hexadecimal(name);
}

std::optional<Dash> dash_named(std::string_view name) {
  for (const NamedDash& each : dashes)
    if (each.name == name) return each.dash;
  return std::nullopt;
}

std::optional<char> marker_named(std::string_view name) {
  for (const NamedMarker& each : markers)
    if (each.name == name) return each.letter;
  if (name.size() == 1 && marker_letters.find(name[0]) != std::string_view::npos) return name[0];
  return std::nullopt;
}

bool apply_style(std::string_view style, Look& look) {
  Look found = look;
  bool has_dash = false;
  while (!style.empty()) {
    std::size_t read = 0;
    for (const NamedDash& each : dashes)
      if (read == 0 && each.name != "none" && style.starts_with(each.name)) {
        found.dash = each.dash;
        has_dash = true;
        read = each.name.size();
      }
    if (read == 0)
      if (const auto color = color_named(style.substr(0, 1))) {
        found.color = color;
        read = 1;
      }
    if (read == 0 && marker_letters.find(style[0]) != std::string_view::npos) {
      found.marker = style[0];
      read = 1;
    }
    if (read == 0) return false;
    style.remove_prefix(read);
  }
  if (found.marker != 0 && !has_dash) found.dash = Dash::none;
  look = found;
  return true;
}

std::vector<Color> colormap_named(std::string_view name, int n) {
  const auto* stops = std::ranges::find(maps, name == "default" ? "viridis" : name, &Stops::name);
  if (stops == std::end(maps)) return {};
  const std::vector<Color> corners(stops->colors.begin(), stops->colors.begin() + stops->count);
  std::vector<Color> map;
  for (int k = 0; k < n; ++k) map.push_back(color_at(corners, n > 1 ? static_cast<double>(k) / (n - 1) : 0));
  return map;
}

Color color_at(const std::vector<Color>& map, double t) {
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), map.size() - 1),
             above = std::min(below + 1, map.size() - 1);
  const Color a = map[below], b = map[above];
  const double rest = place - static_cast<double>(below);
  return {mixed(a.red, b.red, rest), mixed(a.green, b.green, rest), mixed(a.blue, b.blue, rest)};
}

}  // namespace lac::runtime::figures
