#include "driver/core/trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/core/places.h"
#include "ir/support/json_text.h"

namespace lac::driver {
namespace {

using runtime::TraceKind;
using runtime::TraceSpan;
using runtime::TraceTrack;

constexpr std::string_view kinds[] = {"kernel", "step", "copy", "loop", "trip"};
constexpr std::string_view tracks[] = {"host", "device"};  // by TraceTrack; a thread each

/// "line": "solvers/cg.la:51"; empty where the place is not known.
std::string line_argument(LocationId location, const Locations& locations, const SourceManager& sources) {
  const api::Place place = place_of(location, locations, sources);
  if (place.line == 0) return {};
  return "\"line\": " + quoted_json(text_of(place));
}

std::string amount_argument(const TraceSpan& span) {
  if (span.amount == 0) return {};
  if (span.kind == TraceKind::loop) return fmt::format("\"trips\": {}", span.amount);
  if (span.kind == TraceKind::trip) return fmt::format("\"trip\": {}", span.amount);
  const std::int64_t elapsed = span.end - span.begin;
  std::string text = fmt::format("\"bytes\": {}", span.amount);
  if (elapsed > 0)
    text += fmt::format(", \"GB/s\": {:.2f}", static_cast<double>(span.amount) / static_cast<double>(elapsed));
  return text;
}

class Events {
 public:
  void thread(int number, std::string_view name) {
    add(fmt::format("{{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": {}, \"args\": {{\"name\": {}}}}}",
                    number, quoted_json(name)));
  }
  void complete(int thread, std::string_view name, std::string_view category, std::int64_t begin, std::int64_t end,
                std::string_view arguments) {
    add(fmt::format(
        "{{\"name\": {}, \"cat\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}, "
        "\"args\": {{{}}}}}",
        quoted_json(name), category, thread, microseconds(begin), microseconds(end - begin), arguments));
  }
  std::string take() { return std::move(text_); }

 private:
  static double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-3; }
  void add(const std::string& event) { text_ += (text_.empty() ? "\n" : ",\n") + event; }

  std::string text_;
};

/// What came before the run: its arguments, then compiling with its phases one after the other.
void add_compiling(Events& events, const TracedRun& run) {
  events.complete(1, "arguments", "compile", 0, run.bound, "");
  const api::CompileTimes& times = run.compile_ms;
  const std::pair<std::string_view, double> phases[] = {
      {"lower", times.lower}, {"passes", times.passes}, {"code", times.codegen}};
  std::int64_t begin = run.bound;
  for (const auto& [name, ms] : phases) {
    const std::int64_t end = std::min(begin + static_cast<std::int64_t>(ms * 1e6), run.begin);
    if (ms > 0) events.complete(1, name, "compile", begin, end, "");
    begin = end;
  }
  if (begin > run.bound) events.complete(1, "compile", "compile", run.bound, run.begin, "");
}

/// "kernel": "k3", "line": "solvers/cg.la:51": what of it is known.
std::string arguments_of(const runtime::TraceName& name, const Locations& locations, const SourceManager& sources) {
  const std::string line = line_argument(name.location, locations, sources);
  if (name.kernel.empty()) return line;
  return "\"kernel\": " + quoted_json(name.kernel) + (line.empty() ? "" : ", ") + line;
}

}  // namespace

std::string trace_json(const runtime::Trace& trace, const TracedRun& run, const Locations& locations,
                       const SourceManager& sources) {
  Events events;
  events.thread(1, tracks[0]);
  add_compiling(events, run);
  events.complete(1, "run", "run", run.begin, run.end, "");
  std::vector<std::string> arguments;
  for (const runtime::TraceName& name : trace.names()) arguments.push_back(arguments_of(name, locations, sources));
  bool device = false;
  for (const TraceSpan& span : trace.spans()) {
    const std::string amount = amount_argument(span), &known = arguments[span.name];
    device |= span.track == TraceTrack::device;
    events.complete(1 + static_cast<int>(span.track), trace.names()[span.name].text, kinds[static_cast<int>(span.kind)],
                    span.begin, span.end, known + (known.empty() || amount.empty() ? "" : ", ") + amount);
  }
  if (device) events.thread(2, tracks[1]);
  return fmt::format("{{\"displayTimeUnit\": \"ns\", \"left_out\": {}, \"traceEvents\": [{}\n]}}\n", trace.left_out(),
                     events.take());
}

}  // namespace lac::driver
