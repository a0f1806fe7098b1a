#include <cmath>
#include <numbers>

#include "runtime/figures/drawing.h"

namespace lac::runtime::figures {
namespace {

using Path = std::vector<Point>;

Path star(int points, double outer, double inner) {
  Path path;
  for (int k = 0; k < 2 * points; ++k) {
    const double angle = std::numbers::pi * (k / static_cast<double>(points) - 0.5), r = k % 2 == 0 ? outer : inner;
    path.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return path;
}

Path circle(double r) {
  constexpr int corners = 16;
  Path path;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    path.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return path;
}

}  // namespace

Outline marker_outline(char letter, double size) {
  const double r = size / 2, d = r * 0.75;
  const Path plus[] = {{{-r, 0}, {r, 0}}, {{0, -r}, {0, r}}}, cross[] = {{{-d, -d}, {d, d}}, {{-d, d}, {d, -d}}};
  switch (letter) {
    case '+': return {{plus[0], plus[1]}, false};
    case 'x': return {{cross[0], cross[1]}, false};
    case '*': return {{plus[0], plus[1], cross[0], cross[1]}, false};
    case 's': return {{{{-r, -r}, {r, -r}, {r, r}, {-r, r}}}, true};
    case 'd': return {{{{0, -r * 1.2}, {r * 0.9, 0}, {0, r * 1.2}, {-r * 0.9, 0}}}, true};
    case '^': return {{{{0, -r}, {r, r * 0.8}, {-r, r * 0.8}}}, true};
    case 'v': return {{{{0, r}, {r, -r * 0.8}, {-r, -r * 0.8}}}, true};
    case '>': return {{{{r, 0}, {-r * 0.8, r}, {-r * 0.8, -r}}}, true};
    case '<': return {{{{-r, 0}, {r * 0.8, r}, {r * 0.8, -r}}}, true};
    case 'p': return {{star(5, r * 1.2, r * 0.5)}, true};
    case 'h': return {{star(6, r * 1.2, r * 0.65)}, true};
    default: return {{circle(r)}, true};
  }
}

}  // namespace lac::runtime::figures
