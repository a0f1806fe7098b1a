// A matrix without structure that a storage could use: rows of many lengths, columns near the diagonal.
#pragma once

#include <random>
#include <utility>
#include <vector>

#include "bench/poisson.h"

namespace lac::bench {

/// L + I/100 for the Laplacian L of points in the plane, one at random in each of side x side cells, where those closer
/// than 1.4 cells are neighbours: rows of many lengths, 6 entries in the mean.
inline Matrix mesh(int side) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  const int order = side * side;
  std::vector<std::pair<float, float>> points(static_cast<std::size_t>(order));
  for (auto& [x, y] : points) {
    x = uniform(random);
    y = uniform(random);
  }
  const auto are_near = [&](int row, int column) {
    const auto& [x, y] = points[static_cast<std::size_t>(row)];
    const auto& [u, v] = points[static_cast<std::size_t>(column)];
    const float across = x - u + static_cast<float>(row % side - column % side);
    const float down = y - v + static_cast<float>(row / side - column / side);
    return across * across + down * down < 1.4F * 1.4F;
  };
  std::vector<Eigen::Triplet<float>> entries;
  entries.reserve(7 * points.size());
  for (int row = 0; row < order; ++row) {
    int neighbours = 0;
    for (int down = -2; down <= 2; ++down)
      for (int across = -2; across <= 2; ++across) {
        const int x = row % side + across, y = row / side + down;
        if ((across == 0 && down == 0) || x < 0 || x >= side || y < 0 || y >= side || !are_near(row, y * side + x))
          continue;
        entries.emplace_back(row, y * side + x, -1.0F);
        ++neighbours;
      }
    entries.emplace_back(row, row, static_cast<float>(neighbours) + 0.01F);
  }
  Matrix matrix(order, order);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace lac::bench
