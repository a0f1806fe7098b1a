// What control shaders (ControlShader in shader.h) take: their buffers and parameters, for codegen and the runtime.
//
// A loop on the device runs in chunks: a number of trips recorded one after the other and submitted as one. Each of
// its dispatches is a *site*: an indirect dispatch whose counts lie in the chunk's `counts` at 12 bytes a site.
// arm_chunk fills them from `base` where the loop is still active; whatever ends the loop or decides a branch zeroes
// the counts of the sites that must not run. So a site runs exactly if nothing before it zeroed it.
//
// Every control shader is one workgroup, but copy_words and clear_words, which stride over any number.
#pragma once

#include <array>
#include <cstdint>

namespace lac::control {

/// Binding::index of the bindings of kind ResourceKind::control.
enum class Buffer : std::uint8_t {
  state,   ///< one State, alive as long as the loop
  counts,  ///< of a chunk: the counts of its sites, three words each
  base,    ///< of a chunk: what the counts are while the site is to run; behind them the ranges of predicates
  log,     ///< of a chunk: entries of 8-byte slots, see LogParameters
  from,    ///< copy_words
  to,      ///< copy_words, clear_words
};

struct State {
  std::uint32_t active = 0;
  std::uint32_t trips = 0;   ///< trips that came to their end
  std::uint32_t failed = 0;  ///< CheckParameters::number of the check that ended the loop, or 0
  std::uint32_t unused = 0;
};

/// A condition is the arena slot of a logical scalar, or one of these.
inline constexpr std::int32_t always = -1;
inline constexpr std::int32_t never = -2;
inline constexpr std::int32_t unchanged = -3;  ///< arm_chunk: as the chunk before left the state

// The parameters of each shader, laid out as they stand here. `first` .. `last` are sites, `last` excluded.

/// active = entry (then trips = failed = 0), or as it was; counts = active ? base : 0; the log's marks are cleared.
struct ArmParameters {
  std::int32_t entry = always;
  std::int32_t sites = 0;
  std::int32_t log_slots = 0;
};

/// trips += 1; where the condition is false, active = 0 and the sites' counts are zeroed.
struct CloseParameters {
  std::int32_t condition = always;
  std::int32_t first = 0, last = 0;
};

/// Zeroes [middle, last) where the condition is true, else [first, middle). These three are the words of `base` from
/// `range_at` on, as they are not known yet when the command is recorded.
struct PredicateParameters {
  std::int32_t condition = always;
  std::int32_t range_at = 0;
};

/// Where the condition is false: active = 0, failed = number, the sites' counts are zeroed.
struct CheckParameters {
  std::int32_t condition = never;
  std::int32_t first = 0, last = 0;
  std::int32_t number = 0;
};

/// log[at].x = 1 (the mark of an entry that ran); log[at + 1 + k] = arena[slots[k]] for k < count.
inline constexpr int log_capacity = 16;
struct LogParameters {
  std::int32_t at = 0;
  std::int32_t count = 0;
  std::array<std::int32_t, log_capacity> slots = {};
};

/// arena[to[k]] = from[k] < 0 ? values[k] : arena[from[k]] for k < count, all read before any is written.
inline constexpr int copy_capacity = 6;
struct CopyScalarsParameters {
  std::array<std::uint64_t, copy_capacity> values = {};
  std::array<std::int32_t, copy_capacity> from = {};
  std::array<std::int32_t, copy_capacity> to = {};
  std::int32_t count = 0;
};
inline constexpr std::uint32_t copy_scalars_bytes = 100;  ///< without the padding at the end

/// to[to_at + k] = from[from_at + k] for k < words, of 4 bytes each, where the condition is as wanted.
struct CopyWordsParameters {
  std::int32_t words = 0;
  std::int32_t from_at = 0, to_at = 0;
  std::int32_t condition = always;
  std::int32_t wanted = 1;  ///< true or false
};

/// to[to_at + k] = 0 for k < words.
struct ClearWordsParameters {
  std::int32_t words = 0;
  std::int32_t to_at = 0;
};
inline constexpr std::int64_t words_per_group = 1024;  ///< of both

}  // namespace lac::control
