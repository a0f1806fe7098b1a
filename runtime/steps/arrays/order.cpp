// Orders of dense values: sort, sortrows, unique. NaN stands above all numbers; equal values keep their order.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "runtime/steps/steps.h"
#include "runtime/stop.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {
namespace {

using Places = std::vector<std::int64_t>;

bool below(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }
bool precedes(double a, double b, bool descending) { return descending ? below(b, a) : below(a, b); }

/// A line of a matrix: `length` elements, `step` apart.
struct Line {
  std::int64_t first, step, length;
};

// The poll is the step's: many short lines count as one long one.
std::vector<double> read(const Tensor& x, const Line& line, StopPoll& poll) {
  std::vector<double> values(static_cast<std::size_t>(line.length));
  for (std::int64_t k = 0; k < line.length; ++k, poll())
    values[static_cast<std::size_t>(k)] = x.stored_value(line.first + k * line.step);
  return values;
}

Places ascending(std::int64_t count) {
  Places places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), std::int64_t{0});
  return places;
}

Places order_of(const std::vector<double>& values, bool descending, StopPoll& poll) {
  Places order = ascending(static_cast<std::int64_t>(values.size()));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    poll();
    return precedes(values[static_cast<std::size_t>(a)], values[static_cast<std::size_t>(b)], descending);
  });
  return order;
}

/// Rows of A in the order of its signed columns, from 1.
Places row_order(const Tensor& a, const Places& columns, StopPoll& poll) {
  Places order = ascending(a.rows());
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t p, std::int64_t q) {
    for (std::int64_t column : columns) {
      poll();
      const std::int64_t start = (std::abs(column) - 1) * a.rows();
      const double x = a.stored_value(start + p), y = a.stored_value(start + q);
      if (precedes(x, y, column < 0)) return true;
      if (precedes(y, x, column < 0)) return false;
    }
    return false;
  });
  return order;
}

Places all_columns(const Tensor& a) {
  Places columns = ascending(a.cols());
  for (std::int64_t& column : columns) ++column;
  return columns;
}

/// Which of `count` items are the same, and which stands for each group.
struct Groups {
  Places group;           ///< of each item
  Places representative;  ///< of each group
};

/// `order` puts equal items side by side, each run in order of appearance.
Groups group(const Places& order, bool last, StopPoll& poll,
             const std::function<bool(std::int64_t, std::int64_t)>& equal) {
  Groups groups{Places(order.size()), {}};
  for (std::size_t k = 0; k < order.size(); ++k, poll()) {
    if (k == 0 || !equal(order[k - 1], order[k])) groups.representative.push_back(order[k]);
    else if (last) groups.representative.back() = order[k];
    groups.group[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(groups.representative.size()) - 1;
  }
  return groups;
}

/// The groups renumbered by their representatives' places.
void by_appearance(Groups& groups, StopPoll& poll) {
  Places order = ascending(static_cast<std::int64_t>(groups.representative.size()));
  std::ranges::sort(order, {}, [&](std::int64_t g) {
    poll();
    return groups.representative[static_cast<std::size_t>(g)];
  });
  Places rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    rank[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
  for (std::int64_t& g : groups.group) g = rank[static_cast<std::size_t>(g)];
  std::ranges::sort(groups.representative);
}

void store_from_one(Tensor& target, const Places& places) {
  for (std::size_t k = 0; k < places.size() && static_cast<std::int64_t>(k) < target.count(); ++k)
    target.set_stored_value(static_cast<std::int64_t>(k), static_cast<double>(places[k] + 1));
}

Tensor empty_result(const ResultType& type) { return Tensor::dense(type.element, type.rows, type.cols); }

}  // namespace

// Positions are left out where their result has no elements.
Output sort(const Input& input) {
  const Tensor x = to_dense(input.operands[0]);
  const auto option = [&](std::size_t k) { return input.operands.size() > k ? input.operands[k].as_scalar() : 0; };
  const bool along_rows = option(1) == 2 || (option(1) == 0 && x.rows() == 1), descending = option(2) != 0;
  Tensor sorted = empty_result(input.results[0]), places = empty_result(input.results[1]);
  const std::int64_t length = along_rows ? x.cols() : x.rows(), lines = along_rows ? x.rows() : x.cols();
  StopPoll poll;
  for (std::int64_t n = 0; n < lines; ++n) {
    const Line line{along_rows ? n : n * length, along_rows ? x.rows() : 1, length};
    const std::vector<double> values = read(x, line, poll);
    const Places order = order_of(values, descending, poll);
    for (std::int64_t k = 0; k < length; ++k, poll()) {
      const std::int64_t from = order[static_cast<std::size_t>(k)], to = line.first + k * line.step;
      sorted.set_stored_value(to, values[static_cast<std::size_t>(from)]);
      if (!places.empty()) places.set_stored_value(to, static_cast<double>(from + 1));
    }
  }
  return std::vector{sorted, places};
}

Output sort_rows(const Input& input) {
  const Tensor a = to_dense(input.operands[0]);
  const Tensor& wanted = input.operands[1];
  Places columns;
  for (std::int64_t k = 0; k < wanted.count(); ++k) {
    const double column = wanted.stored_value(k);  // checked before, but this may run earlier
    if (std::abs(column) >= 1 && std::abs(column) <= static_cast<double>(a.cols()))
      columns.push_back(static_cast<std::int64_t>(column));
  }
  if (wanted.empty()) columns = all_columns(a);
  Tensor order = empty_result(input.results[0]);
  StopPoll poll;
  store_from_one(order, row_order(a, columns, poll));
  return std::vector{order};
}

Output unique(const Input& input) {
  const Tensor x = to_dense(input.operands[0]);
  const auto option = [&](std::size_t k) { return input.operands[k].as_scalar() != 0; };
  const bool rows = option(1), last = option(2), stable = option(3);
  StopPoll poll;
  const auto same_rows = [&](std::int64_t p, std::int64_t q) {
    for (std::int64_t k = 0; k < x.count(); k += x.rows(), poll())
      if (x.stored_value(k + p) != x.stored_value(k + q)) return false;
    return true;
  };
  const auto same_values = [&](std::int64_t p, std::int64_t q) { return x.stored_value(p) == x.stored_value(q); };
  Groups groups = rows ? group(row_order(x, all_columns(x), poll), last, poll, same_rows)
                       : group(order_of(read(x, {0, 1, x.count()}, poll), false, poll), last, poll, same_values);
  if (stable) by_appearance(groups, poll);
  Tensor values = empty_result(input.results[0]), places = empty_result(input.results[1]),
         ranks = empty_result(input.results[2]);
  for (std::size_t k = 0; k < groups.representative.size(); ++k) {
    const auto to = static_cast<std::int64_t>(k);
    const std::int64_t from = groups.representative[k];
    if (!rows) values.set_stored_value(to, x.stored_value(from));
    else
      for (std::int64_t j = 0; j < x.cols(); ++j)
        values.set_stored_value(j * values.rows() + to, x.stored_value(j * x.rows() + from));
  }
  store_from_one(places, groups.representative);
  store_from_one(ranks, groups.group);
  const auto count = static_cast<double>(groups.representative.size());
  return std::vector{values, places, ranks, Tensor::scalar(count, input.results[3].element)};
}

}  // namespace lac::runtime::steps
