#include "runtime/steps/sparse/matching.h"

#include <vector>

#include "runtime/stop.h"

namespace lac::runtime {
namespace {

class Matching {
 public:
  explicit Matching(const EigenColumns& a)
      : a_(a),
        column_of_(static_cast<std::size_t>(a.rows()), -1),
        seen_(static_cast<std::size_t>(a.rows()), -1),
        next_(static_cast<std::size_t>(a.cols()), 0) {}

  int size() {
    int matched = 0;
    for (int j = 0; j < a_.cols(); ++j, poll_()) matched += augment(j);
    return matched;
  }

 private:
  /// Looks for a path from the free column `start` to a free row, depth first, and flips it.
  bool augment(int start) {
    std::vector<int> columns = {start}, rows;  // rows[k] leads from columns[k] to columns[k + 1]
    next_[static_cast<std::size_t>(start)] = a_.outerIndexPtr()[start];
    while (!columns.empty()) {
      const int j = columns.back(), row = next_row(j, start);
      if (row < 0) {
        columns.pop_back();
        if (!rows.empty()) rows.pop_back();
        continue;
      }
      rows.push_back(row);
      const int other = column_of_[static_cast<std::size_t>(row)];
      if (other < 0) {
        for (std::size_t k = 0; k < columns.size(); ++k) column_of_[static_cast<std::size_t>(rows[k])] = columns[k];
        return true;
      }
      columns.push_back(other);
      next_[static_cast<std::size_t>(other)] = a_.outerIndexPtr()[other];
    }
    return false;
  }

  /// The next row of column j that this search has not met, or -1.
  int next_row(int j, int search) {
    int& k = next_[static_cast<std::size_t>(j)];
    for (; k < a_.outerIndexPtr()[j + 1]; ++k) {
      const int row = a_.innerIndexPtr()[k];
      if (seen_[static_cast<std::size_t>(row)] == search) continue;
      seen_[static_cast<std::size_t>(row)] = search;
      return row;
    }
    return -1;
  }

  const EigenColumns& a_;
  std::vector<int> column_of_, seen_, next_;
  StopPoll poll_;
};

}  // namespace

int maximum_matching(const EigenColumns& a) { return Matching(a).size(); }

}  // namespace lac::runtime
