// What every executor takes besides the program, and what it gives back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph/attributes.h"
#include "ir/types/extent.h"
#include "runtime/stats.h"
#include "runtime/tensor/tensor.h"
#include "runtime/text/number_format.h"

namespace lac::runtime {

namespace figures {
struct Figures;
}
class CapturedText;
class OpenFiles;

enum class RunCode : std::int32_t {
  ok = 0,
  error = 1,        ///< the program or its data failed: a check, `error(...)`, a library step
  interrupted = 2,  ///< RunOptions::interrupt was set
  out_of_memory = 3,
  internal_error = 4,  ///< a bug in the compiler, e.g. a buffer read after its release
  time_limit = 5,      ///< RunOptions::deadline has passed
};

/// RunStatus::message of RunCode::out_of_memory, in Octave's words.
inline const std::string out_of_memory_text = "error: " + std::string(too_large_text);

struct RunStatus {
  RunCode code = RunCode::ok;
  std::string message = {};              ///< Octave's text, "error: index (5,_): out of bound; value 5 out of bound 4"
  std::string id = {};                   ///< of `error("id:x", ...)`; may be empty
  LocationId location = {};              ///< into Graph::locations (or the manifest's); invalid when there is no place
  std::vector<std::int64_t> trips = {};  ///< of the enclosing loops, from 1, the innermost last

  bool ok() const { return code == RunCode::ok; }
};

/// Which warnings a program has switched off.
struct WarningSwitches {
  bool all = false;              ///< whether those that `except` does not name are off
  std::set<std::string> except;  ///< ids with the other state

  bool off(const std::string& id) const { return all != except.contains(id); }
};

struct RunWarning {
  std::string message;  ///< "warning: matrix singular to machine precision"
  std::string id;       ///< "Octave:singular-matrix"; may be empty
  LocationId location;
};

/// How much is kept of what a program warns: the first ones, as many and as long together as here, so that a run does
/// not grow with them.
struct KeptWarnings {
  static constexpr std::int64_t most = 1000, most_bytes = std::int64_t{1} << 20;
  std::int64_t count = 0, bytes = 0, left_out = 0;

  /// Whether one more with so much text is kept; after the first that is not, none is.
  bool take(std::size_t text);
};

using NamedTensor = std::pair<std::string, Tensor>;

/// Where the generator of rand and randn stands.
struct RandomState {
  std::uint64_t seed = 42;
  std::uint64_t draws = 0;  ///< since it was seeded
};

struct RunResult {
  RunStatus status;
  std::vector<NamedTensor> outputs;  ///< in program order; on failure what had been output before it
  std::vector<RunWarning> warnings;  ///< in the order they arose; an executor does not write them to RunOptions::err
  KeptWarnings kept = {};            ///< of which these are
  Statistics statistics;
  WarningSwitches warnings_off = {};           ///< what `warning("off", id)` and `warning("on", id)` left behind
  ShownDigits digits = ShownDigits::few;       ///< what `format long` and `format short` left behind
  RandomState random = {};                     ///< where the generator of rand and randn stands
  std::set<std::uint32_t> domain_warned = {};  ///< locations whose `domain_warning` has been said
};

/// Where a run is, for who watches it from another thread: each number by itself, as of some moment.
struct RunPlace {
  std::atomic<std::uint32_t> location = LocationId::none;  ///< of what was begun last
  std::atomic<std::uint32_t> loop = LocationId::none;      ///< location of the outermost loop that runs
  std::atomic<std::int64_t> trip = 0;                      ///< of that loop, from 1
  /// The sides of the comparison by which that loop goes on, after its last trip; NaN: not known.
  std::atomic<double> left = std::numeric_limits<double>::quiet_NaN(), right = left.load();

  // The thread of the run is the only one that writes.
  void enter(LocationId at, std::int64_t at_trip) {
    if (loop.load(std::memory_order_relaxed) != at.index) {
      loop.store(at.index, std::memory_order_relaxed);
      left.store(std::numeric_limits<double>::quiet_NaN(), std::memory_order_relaxed);
    }
    trip.store(at_trip, std::memory_order_relaxed);
  }
  void leave() { loop.store(LocationId::none, std::memory_order_relaxed); }
  void begin() {
    location.store(LocationId::none, std::memory_order_relaxed);
    leave();
  }
};

class Trace;

/// Text is handed to the sinks in program order, from the thread that called the executor. An empty sink drops it.
struct RunOptions {
  std::function<void(std::string_view)> out = {};
  std::function<void(std::string_view)> err = {};
  /// Called for each warning as it arises (so that it can be shown in order with the text), in addition to the list,
  /// and for those as well that the list leaves out.
  std::function<void(const RunWarning&)> warn = {};
  const std::atomic<bool>* interrupt = nullptr;  ///< see stop_requested
  std::int64_t deadline = 0;                     ///< of coarse_now(); 0: none
  RunPlace* place = nullptr;                     ///< kept up to date, where somebody watches
  bool files = false;                            ///< whether the program may read and write files
  std::uint64_t seed = 42;                       ///< of rand and randn
  std::uint64_t draws = 0;                       ///< how many numbers of that seed earlier runs took
  WarningSwitches warnings_off = {};             ///< as RunResult::warnings_off, from earlier runs
  ShownDigits digits = ShownDigits::few;         ///< as RunResult::digits, from earlier runs
  int threads = 0;                               ///< 0: as many as the machine has
  bool check_nan = false;                        ///< stop at the first op whose floating result holds a NaN
  bool statistics = false;                       ///< measure times (counts are always kept)
  figures::Figures* figures = nullptr;           ///< borrowed: where the program draws; null: nowhere
  OpenFiles* open_files = nullptr;               ///< borrowed: what fopen has opened; null: it opens none
  CapturedText* captured = nullptr;              ///< borrowed: what is kept instead of shown; null: nothing is
  Trace* trace = nullptr;                        ///< borrowed: where to note when what happened
};

/// Hands what the program shows to where it goes.
void show_text(const RunOptions& options, Stream stream, std::string_view text);

/// What a run begins with: the state that `options` carries over from an earlier one.
inline RunResult begin_run(const RunOptions& options) {
  RunResult result;
  result.random = {options.seed, options.draws};
  result.warnings_off = options.warnings_off;
  result.digits = options.digits;
  return result;
}

}  // namespace lac::runtime
