// The JSON of Result::statistics_json: the keys of `lac run --stats=json`, which are stable.
#include <fmt/format.h>

#include <iterator>

#include "driver/core/places.h"
#include "driver/include/lac/lac.hpp"
#include "ir/support/json_text.h"

namespace lac::api {

namespace {

template <class Range, class Format>
std::string list(const Range& range, const Format& format) {
  std::string result = "[";
  for (const auto& item : range) {
    if (result.size() > 1) result += ", ";
    result += format(item);
  }
  return result + "]";
}

std::string place_json(const Place& place) { return quoted_json(driver::text_of(place)); }

std::string kernel_json(const KernelStatistics& kernel) {
  const std::string lines = list(kernel.lines, [](std::uint32_t line) { return std::to_string(line); });
  return fmt::format(
      "{{\"id\": {}, \"name\": {}, \"kind\": {}, \"lines\": {}, \"places\": {}, \"loop\": {}, \"launches\": {}, "
      "\"bytes_read\": {}, "
      "\"bytes_written\": {}, \"matrix_bytes\": {}, \"vector_bytes\": {}, \"flops\": {}, \"ms\": {:.4f}}}",
      quoted_json(kernel.id), quoted_json(kernel.name), quoted_json(kernel.kind), lines,
      list(kernel.places, place_json), kernel.loop, kernel.launches, kernel.bytes_read, kernel.bytes_written,
      kernel.matrix_bytes, kernel.vector_bytes, kernel.flops, kernel.ms);
}

std::string transfers_json(const TransferStatistics& t) {
  return fmt::format(
      "{{\"uploads\": {}, \"upload_bytes\": {}, \"downloads\": {}, \"download_bytes\": {}, \"scalar_readbacks\": {}, "
      "\"polls\": {}, \"waits\": {}, \"submits\": {}, \"dispatches\": {}, \"render_passes\": {}}}",
      t.uploads, t.upload_bytes, t.downloads, t.download_bytes, t.scalar_readbacks, t.polls, t.waits, t.submits,
      t.dispatches, t.render_passes);
}

std::string_view name(CacheUse use) {
  constexpr std::string_view names[] = {"off", "hit", "miss"};
  return names[static_cast<int>(use)];
}

}  // namespace

std::string Result::statistics_json() const {
  const Statistics& s = statistics_;
  const std::string loops = list(s.loops, [](const LoopStatistics& loop) {
    return fmt::format(
        "{{\"line\": {}, \"place\": {}, \"trips\": {}, \"launches\": {}, \"straight\": {}, \"steps\": {}, "
        "\"copied_bytes\": {}}}",
        loop.line, place_json(loop.place), loop.trips, loop.launches, loop.straight, loop.steps, loop.copied_bytes);
  });
  return fmt::format(
      "{{\"file\": {}, \"target\": {}, \"precision\": {}, \"cache\": {}, \"compile_ms\": {{\"parse\": {:.3f}, "
      "\"lower\": "
      "{:.3f}, "
      "\"passes\": {:.3f}, \"codegen\": {:.3f}}}, \"run_ms\": {:.3f}, \"loops\": {}, \"kernels\": {}, \"transfers\": "
      "{}, "
      "\"memory\": {{\"resources_created\": {}, \"pool_hits\": {}, \"peak_bytes\": {}, \"evictions\": {}, "
      "\"sliced_matrices\": {}}}}}",
      quoted_json(s.file), quoted_json(target_), quoted_json(precision_), quoted_json(name(s.compile_ms.cache)),
      s.compile_ms.parse, s.compile_ms.lower, s.compile_ms.passes, s.compile_ms.codegen, s.run_ms, loops,
      list(s.kernels, kernel_json), transfers_json(s.transfers), s.resources_created, s.pool_hits, s.peak_bytes,
      s.evictions, s.sliced_matrices);
}

}  // namespace lac::api
