// Which line of the program a place belongs to that may lie in a file of the library.
#pragma once

#include "ir/graph/graph.h"

namespace lac {

/// The place in the file where the calls began that led to `id`: itself, or the call there of what stands elsewhere.
inline LocationId place_in_program(const IdVector<LocationId, Location>& locations, LocationId id) {
  if (!locations.contains(id)) return id;
  LocationId outermost = id;
  while (locations.contains(locations[outermost].caller)) outermost = locations[outermost].caller;
  LocationId at = id;
  while (locations[at].span.file != locations[outermost].span.file) at = locations[at].caller;
  return at;
}

}  // namespace lac
