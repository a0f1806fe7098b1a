#include "driver/core/places.h"

namespace lac::driver {

api::Place place_of(LocationId id, const Locations& locations, const SourceManager& sources) {
  if (!locations.contains(id) || !locations[id].span.valid()) return {};
  const Span& span = locations[id].span;
  return {sources.file(span.file).name, sources.begin(span).line};
}

std::string text_of(const api::Place& place) { return place.file + ":" + std::to_string(place.line); }

}  // namespace lac::driver
