#include "runtime/figures/contour.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lac::runtime::figures {
namespace {

using Path = std::vector<Point>;

/// An edge of the grid by the node that it begins at, and whether it leads to the next row.
struct Edge {
  std::int64_t row, col;
  bool down;
  auto operator<=>(const Edge&) const = default;
};

struct Node {
  std::int64_t row, col;
};

/// The corners of a cell in turn, and the edges from each to the next.
struct Cell {
  Node nodes[4];
  Edge edges[4];
};

Cell cell_at(std::int64_t i, std::int64_t j) {
  return {{{i, j}, {i, j + 1}, {i + 1, j + 1}, {i + 1, j}},
          {{i, j, false}, {i, j + 1, true}, {i + 1, j, false}, {i, j, true}}};
}

double value(const Grid& grid, Node node) { return grid.at(node.row, node.col); }

Point crossing(const Grid& grid, Node a, Node b, double level, const NodePlace& place) {
  const double va = value(grid, a), vb = value(grid, b), t = (level - va) / (vb - va);
  const Point pa = place(a.row, a.col), pb = place(b.row, b.col);
  return {pa.x + t * (pb.x - pa.x), pa.y + t * (pb.y - pa.y)};
}

bool is_whole(const Grid& grid, const Cell& cell) {
  return std::ranges::all_of(cell.nodes, [&](Node node) { return std::isfinite(value(grid, node)); });
}

/// Pairs of edges that a line of the level joins inside the cell.
std::vector<std::pair<int, int>> joined_edges(const Grid& grid, const Cell& cell, double level) {
  std::vector<int> crossed;
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    sum += value(grid, cell.nodes[k]);
    if ((value(grid, cell.nodes[k]) >= level) != (value(grid, cell.nodes[(k + 1) % 4]) >= level)) crossed.push_back(k);
  }
  if (crossed.size() == 2) return {{crossed[0], crossed[1]}};
  if (crossed.size() < 4) return {};
  const bool same = (value(grid, cell.nodes[0]) >= level) == (sum / 4 >= level);  // a saddle: the middle decides
  if (same) return {{0, 1}, {2, 3}};
  return {{3, 0}, {1, 2}};
}

/// Joins segments that share an edge of the grid.
class Chains {
 public:
  void add(const Edge& a, const Edge& b) {
    next_[a].push_back(b);
    next_[b].push_back(a);
  }

  std::vector<std::vector<Edge>> take() {
    std::vector<std::vector<Edge>> chains;
    for (const bool ends_only : {true, false})  // open lines from their ends, then those that close
      for (auto& [edge, others] : next_)
        if (!others.empty() && (!ends_only || others.size() == 1)) chains.push_back(walk(edge));
    return chains;
  }

 private:
  std::vector<Edge> walk(Edge at) {
    std::vector<Edge> chain = {at};
    while (!next_[at].empty()) {
      const Edge to = next_[at].back();
      next_[at].pop_back();
      std::vector<Edge>& back = next_[to];
      back.erase(std::ranges::find(back, at));
      chain.push_back(at = to);
    }
    return chain;
  }

  std::map<Edge, std::vector<Edge>> next_;
};

}  // namespace

std::vector<double> contour_levels(const Grid& values, const std::vector<double>& given) {
  if (given.size() > 1) {
    std::vector<double> levels = given;
    std::ranges::sort(levels);
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    return levels;
  }
  constexpr double usual = 10, most = 1000;
  const double count = given.empty() ? usual : std::min(std::floor(given[0]), most);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double each : values.values)
    if (std::isfinite(each)) {
      low = std::min(low, each);
      high = std::max(high, each);
    }
  std::vector<double> levels;
  for (double k = 1; k <= count && low < high; ++k) levels.push_back(low + (high - low) * k / (count + 1));
  return levels;
}

std::vector<Path> contour_lines(const Grid& values, double level, const NodePlace& place) {
  Chains chains;
  for (std::int64_t j = 0; j + 1 < values.cols; ++j)
    for (std::int64_t i = 0; i + 1 < values.rows; ++i) {
      const Cell cell = cell_at(i, j);
      if (!is_whole(values, cell)) continue;
      for (const auto& [a, b] : joined_edges(values, cell, level)) chains.add(cell.edges[a], cell.edges[b]);
    }
  std::vector<Path> lines;
  for (const auto& chain : chains.take()) {
    Path line;
    for (const Edge& edge : chain) {
      const Node a{edge.row, edge.col}, b = edge.down ? Node{edge.row + 1, edge.col} : Node{edge.row, edge.col + 1};
      line.push_back(crossing(values, a, b, level, place));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Path> contour_areas(const Grid& values, double level, const NodePlace& place) {
  std::vector<Path> areas;
  const auto inside = [&](const Cell& cell) {
    return std::ranges::all_of(cell.nodes, [&](Node node) { return value(values, node) >= level; });
  };
  for (std::int64_t i = 0; i + 1 < values.rows; ++i)
    for (std::int64_t j = 0; j + 1 < values.cols;) {
      const Cell cell = cell_at(i, j);
      if (!is_whole(values, cell)) {
        ++j;
        continue;
      }
      if (inside(cell)) {  // a run of whole cells is one area
        std::int64_t end = j;
        while (end + 1 < values.cols && is_whole(values, cell_at(i, end)) && inside(cell_at(i, end))) ++end;
        Path run;
        for (std::int64_t k = j; k <= end; ++k) run.push_back(place(i, k));
        for (std::int64_t k = end; k >= j; --k) run.push_back(place(i + 1, k));
        areas.push_back(std::move(run));
        j = end;
        continue;
      }
      Path part;
      for (int k = 0; k < 4; ++k) {
        const Node a = cell.nodes[k], b = cell.nodes[(k + 1) % 4];
        const bool here = value(values, a) >= level, there = value(values, b) >= level;
        if (here) part.push_back(place(a.row, a.col));
        if (here != there) part.push_back(crossing(values, a, b, level, place));
      }
      if (part.size() > 2) areas.push_back(std::move(part));
      ++j;
    }
  return areas;
}

}  // namespace lac::runtime::figures
