// The JSON of Result::statistics_json: the keys of `lac run --stats=json`, which are stable. Transfers are all zero on
// targets whose memory is the host's.
#include <fmt/format.h>

#include <iterator>

#include "driver/include/lac/lac.hpp"

namespace lac::api {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

template <class Range, class Format>
std::string list(const Range& range, const Format& format) {
  std::string result = "[";
  for (const auto& item : range) {
    if (result.size() > 1) result += ", ";
    result += format(item);
  }
  return result + "]";
}

std::string kernel_json(const KernelStatistics& kernel) {
  const std::string lines = list(kernel.lines, [](std::uint32_t line) { return std::to_string(line); });
  return fmt::format(
      "{{\"name\": {}, \"kind\": {}, \"lines\": {}, \"loop\": {}, \"launches\": {}, \"bytes_read\": {}, "
      "\"bytes_written\": {}, \"matrix_bytes\": {}, \"vector_bytes\": {}, \"flops\": {}, \"ms\": {:.4f}}}",
      quoted(kernel.name), quoted(kernel.kind), lines, kernel.loop, kernel.launches, kernel.bytes_read,
      kernel.bytes_written, kernel.matrix_bytes, kernel.vector_bytes, kernel.flops, kernel.ms);
}

}  // namespace

std::string Result::statistics_json() const {
  const Statistics& s = statistics_;
  const std::string loops = list(s.loops, [](const LoopStatistics& loop) {
    return fmt::format("{{\"line\": {}, \"trips\": {}}}", loop.line, loop.trips);
  });
  return fmt::format(
      "{{\"target\": {}, \"precision\": {}, \"cache\": \"off\", \"compile_ms\": {{\"parse\": {:.3f}, \"lower\": "
      "{:.3f}, "
      "\"passes\": {:.3f}, \"codegen\": {:.3f}}}, \"run_ms\": {:.3f}, \"loops\": {}, \"kernels\": {}, \"transfers\": "
      "{{\"uploads\": 0, \"upload_bytes\": 0, \"downloads\": 0, \"download_bytes\": 0, \"scalar_readbacks\": 0, "
      "\"polls\": 0, \"waits\": 0, \"submits\": 0, \"render_passes\": 0}}, \"memory\": {{\"resources_created\": {}, "
      "\"pool_hits\": {}, \"peak_bytes\": {}, \"evictions\": 0}}}}",
      quoted(target_), quoted(precision_), s.compile_ms.parse, s.compile_ms.lower, s.compile_ms.passes,
      s.compile_ms.codegen, s.run_ms, loops, list(s.kernels, kernel_json), s.resources_created, s.pool_hits,
      s.peak_bytes);
}

}  // namespace lac::api
