// A run as a list of commands that needs no lac: what a shader pack holds (docs/shader_packs.md).
//
// A Pack is recorded while a program runs for a device, which does nothing: the commands of that run are taken. So
// sizes, scalar parameters and the choice of shaders are that run's. What the commands compute depends on the contents
// of the input matrices alone: a run that would ask the host for something that kernels have made is refused while it
// is recorded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ir/plan/shader.h"
#include "ir/types/storage.h"
#include "ir/types/type.h"
#include "runtime/vulkan/stream/command_taker.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

class Launcher;

/// Bytes of Pack::buffers[buffer].
struct PackRange {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0, bytes = 0;
  bool operator==(const PackRange&) const = default;
};

struct PackDispatch {
  std::uint32_t shader = 0;          ///< of Pack::shaders
  std::vector<PackRange> resources;  ///< in the order of the shader's bindings, without its `parameters`
  std::vector<std::byte> parameters;
  std::array<std::uint32_t, 3> groups = {1, 1, 1};
  std::optional<PackRange> counts;  ///< indirect: where the groups lie
  bool operator==(const PackDispatch&) const = default;
};
struct PackCopy {
  PackRange from, to;
  bool operator==(const PackCopy&) const = default;
};
struct PackFill {
  PackRange to;
  std::uint32_t word = 0;
  bool operator==(const PackFill&) const = default;
};
struct PackUpload {
  PackRange to;
  std::vector<std::byte> bytes;
  bool operator==(const PackUpload&) const = default;
};
struct PackCommand;
/// The commands again and again, as long as the first word of `state` (control::State, ir/plan/control.h) is not zero
/// when they begin.
struct PackLoop {
  PackRange state;
  std::vector<PackCommand> commands;
  bool operator==(const PackLoop&) const;
};
/// The commands of one arm: `chosen` where the number of this element at `condition` is not zero, else `others`.
struct PackBranch {
  PackRange condition;
  Element element = Element::logical;
  std::vector<PackCommand> chosen, others;
  bool operator==(const PackBranch&) const;
};
/// The program ends here with an error: there are no outputs.
struct PackFail {
  std::string what;  ///< the text of the error, as a template
  bool operator==(const PackFail&) const = default;
};
struct PackCommand {
  std::variant<PackDispatch, PackCopy, PackFill, PackUpload, PackLoop, PackBranch, PackFail> what;
  bool operator==(const PackCommand&) const = default;
};
inline bool PackLoop::operator==(const PackLoop&) const = default;
inline bool PackBranch::operator==(const PackBranch&) const = default;

/// An array of a parameter, as it lies in its buffer before the first command.
struct PackInput {
  std::string name;
  ArrayRole role = ArrayRole::values;
  Element element = Element::real;  ///< of values
  std::int64_t rows = 0, cols = 0;
  PackRange range;
  std::vector<std::byte> bytes;  ///< of the recorded run
};

/// A result: in a buffer behind the last command, or `first` + trips * `step` where `trips` is the second word of a
/// loop's state.
struct PackOutput {
  std::string name;
  Element element = Element::real;
  std::int64_t rows = 1, cols = 1;
  PackRange range;
  bool counted = false;
  double first = 0, step = 0;
};

struct Pack {
  std::vector<const ShaderStage*> shaders;  ///< of the program that was run
  std::vector<std::uint64_t> buffers;       ///< their bytes; contents are undefined at first
  std::vector<PackInput> inputs;
  std::vector<PackCommand> commands;
  std::vector<PackOutput> outputs;
  std::vector<std::string> remarks;  ///< what the run did that the pack does not
};

/// What is refused where the host would need a number that kernels make.
inline constexpr const char* looked_at_by_host = "a number that kernels make is needed by the host here";

/// More would be a loop that somebody wants to play as one.
inline constexpr std::size_t most_pack_commands = 100000;

class PackRecorder : public CommandTaker {
 public:
  explicit PackRecorder(Pack& pack) : pack_(pack) {}

  /// `refuse` is told what a pack cannot have, and throws.
  void attach(const Launcher& launcher, std::function<void(const std::string&)> refuse);

  PackRange range(const BufferRange& range);

  /// From here to the next call uploads are the arrays of an input, and none of the commands.
  void begin_input() { taking_input_ = true; }
  void end_input() { taking_input_ = false; }
  /// The bytes that were uploaded there as an input.
  std::vector<std::byte> input_bytes(const PackRange& range) const;

  /// Commands go to a list of their own until it is taken.
  void open_list() { lists_.emplace_back(); }
  std::vector<PackCommand> take_list();
  void add(PackCommand command);

  /// In an arm that may not be the one that is played: a check that fails there is none of the run's.
  bool in_arm() const { return arms_ > 0; }
  void enter_arm() { ++arms_; }
  void leave_arm() { --arms_; }

  Pack& pack() { return pack_; }

  void dispatched(const Dispatch& dispatch, const GroupCounts& groups, const BufferRange* counts) override;
  void copied(const BufferRange& from, const BufferRange& to) override;
  void filled(const BufferRange& to, std::uint32_t word) override;
  void uploaded(std::span<const std::byte> bytes, const BufferRange& to) override;
  void looked_at(const BufferRange& from) override;

 private:
  std::vector<PackCommand>& list() { return lists_.empty() ? pack_.commands : lists_.back(); }
  std::uint32_t shader(const Pipeline& pipeline);

  Pack& pack_;
  std::vector<std::vector<PackCommand>> lists_;
  const Launcher* launcher_ = nullptr;
  std::function<void(const std::string&)> refuse_;
  std::unordered_map<const Buffer*, std::uint32_t> buffers_;
  std::vector<std::shared_ptr<Buffer>> alive_;  ///< so that no address serves twice
  std::vector<PackUpload> inputs_;
  bool taking_input_ = false;
  int arms_ = 0;
};

/// Thrown by a check that fails in an arm: what follows there is never done.
struct ArmEnds {
  std::string what;  ///< the text of the error, as a template
};

}  // namespace lac::runtime::vulkan
