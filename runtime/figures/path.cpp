#include "runtime/figures/path.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace lac::runtime::figures {
namespace {

using Path = std::vector<Point>;

constexpr double around = 3;          // pixels outside the box that are still drawn
constexpr double column_width = 0.5;  // pixels
constexpr double tolerance = 0.05;    // pixels

bool is_finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

/// The part of the segment inside the box, as two parameters from 0 to 1 (Liang and Barsky); false: none.
bool clip(Point a, Point b, const Box& box, double& from, double& to) {
  from = 0;
  to = 1;
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double steps[4] = {-dx, dx, -dy, dy};
  const double rooms[4] = {a.x - (box.left - around), box.right() + around - a.x, a.y - (box.top - around),
                           box.bottom() + around - a.y};
  for (int side = 0; side < 4; ++side) {
    if (steps[side] == 0) {
      if (rooms[side] < 0) return false;
      continue;
    }
    const double at = rooms[side] / steps[side];
    if (steps[side] < 0) from = std::max(from, at);
    else to = std::min(to, at);
  }
  return from <= to;
}

/// Of consecutive points in one column: the first, the extremes, the last.
template <double Point::*along, double Point::*across>
Path thinned(const Path& path) {
  Path kept;
  for (std::size_t begin = 0; begin < path.size();) {
    const double column = std::floor(path[begin].*along / column_width);
    std::size_t end = begin, low = begin, high = begin;
    while (end < path.size() && std::floor(path[end].*along / column_width) == column) {
      if (path[end].*across < path[low].*across) low = end;
      if (path[end].*across > path[high].*across) high = end;
      ++end;
    }
    std::set<std::size_t> places = {begin, std::min(low, high), std::max(low, high), end - 1};
    for (const std::size_t place : places) kept.push_back(path[place]);
    begin = end;
  }
  return kept;
}

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  if (length == 0) return std::hypot(p.x - a.x, p.y - a.y);
  return std::abs((p.x - a.x) * dy - (p.y - a.y) * dx) / length;
}

/// Douglas and Peucker: what a straight line shows within the tolerance has no points of its own.
Path straightened(const Path& path) {
  if (path.size() < 3) return path;
  std::vector<char> kept(path.size(), 0);
  kept.front() = kept.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, path.size() - 1}};
  while (!open.empty()) {
    const auto [begin, end] = open.back();
    open.pop_back();
    std::size_t farthest = begin;
    double most = tolerance;
    for (std::size_t k = begin + 1; k < end; ++k) {
      const double d = std::max(distance(path[k], path[begin], path[end]),
                                std::hypot(path[k].x - path[begin].x, path[k].y - path[begin].y) -
                                    std::hypot(path[end].x - path[begin].x, path[end].y - path[begin].y));
      if (d > most) {
        most = d;
        farthest = k;
      }
    }
    if (farthest == begin) continue;
    kept[farthest] = 1;
    open.emplace_back(begin, farthest);
    open.emplace_back(farthest, end);
  }
  Path result;
  for (std::size_t k = 0; k < path.size(); ++k)
    if (kept[k]) result.push_back(path[k]);
  return result;
}

Path simplified(const Path& path) {
  return straightened(thinned<&Point::y, &Point::x>(thinned<&Point::x, &Point::y>(path)));
}

}  // namespace

std::vector<Path> visible_paths(const Path& line, const Box& box) {
  std::vector<Path> paths;
  Path open;
  const auto close = [&] {
    if (open.size() > 1) paths.push_back(simplified(open));
    open.clear();
  };
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    const Point a = line[k], b = line[k + 1];
    double from = 0, to = 1;
    if (!is_finite(a) || !is_finite(b) || !clip(a, b, box, from, to)) {
      close();
      continue;
    }
    const auto at = [&](double t) { return Point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; };
    if (from > 0) close();
    if (open.empty()) open.push_back(at(from));
    open.push_back(at(to));
    if (to < 1) close();
  }
  close();
  return paths;
}

Path visible_area(const Path& corners, const Box& box) {
  Path area;
  constexpr double widths = 4;
  for (const Point& corner : corners) {
    if (std::isnan(corner.x) || std::isnan(corner.y)) continue;
    area.push_back({std::clamp(corner.x, box.left - widths * box.width, box.right() + widths * box.width),
                    std::clamp(corner.y, box.top - widths * box.height, box.bottom() + widths * box.height)});
  }
  return area.size() > 6 ? simplified(area) : area;
}

Path visible_points(const Path& points, const Box& box) {
  constexpr double slack = 0.5;
  std::set<std::pair<long, long>> taken;
  Path kept;
  for (const Point& p : points) {
    if (!is_finite(p) || p.x < box.left - slack || p.x > box.right() + slack || p.y < box.top - slack ||
        p.y > box.bottom() + slack)
      continue;
    if (taken.emplace(std::lround(p.x / column_width), std::lround(p.y / column_width)).second) kept.push_back(p);
  }
  return kept;
}

}  // namespace lac::runtime::figures
