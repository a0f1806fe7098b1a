// Places of a compilation as people name them.
#pragma once

#include <string>

#include "driver/core/report.h"

namespace lac::driver {

/// No file and line 0 where it is not known.
api::Place place_of(LocationId id, const Locations& locations, const SourceManager& sources);

/// "solvers/cg.la:33".
std::string text_of(const api::Place& place);

}  // namespace lac::driver
