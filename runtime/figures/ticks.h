// Where the ticks of an axis stand, and what is written at them.
#pragma once

#include <string>
#include <vector>

#include "runtime/figures/figure.h"

namespace lac::runtime::figures {

struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;  ///< of the values; with markup: 10^{3}
  std::string factor;               ///< what all labels are multiplied by, e.g. "\times10^{5}"; mostly empty
  std::vector<double> minor;        ///< without labels
};

/// 1, 2 or 5 times a power of ten: the least such step that needs at most `most` intervals.
double nice_step(double extent, int most);

/// The range of an axis that shows data from low to high: up to the next ticks, or as it is where `tight`. Data at one
/// place stands in the middle of a range; no data: 0 to 1. Logarithmic: powers of ten, the data are positive.
Range axis_range(Range data, bool logarithmic, bool tight, int most);

/// At most `most` intervals between ticks that lie in the range.
Ticks ticks_of(Range range, bool logarithmic, int most);
/// Labels for given values.
Ticks ticks_at(const std::vector<double>& values);

}  // namespace lac::runtime::figures
