#include "runtime/vulkan/loop/region_chunk.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ir/support/result.h"
#include "runtime/vulkan/memory/elements.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::uint64_t count_bytes = 12;
constexpr std::uint64_t range_words = 3;
constexpr std::uint64_t most_words = std::uint64_t{1} << 30;  ///< positions and strides are ints

template <class T>
constexpr std::uint64_t bytes_of(const T& count) {
  return static_cast<std::uint64_t>(count);
}

/// A range that a shader can be given, and the word where the wanted one begins: bindings are aligned, slots are not.
std::pair<BufferRange, std::int32_t> aligned(const BufferRange& range) {
  const std::uint64_t before = range.offset % 256;
  return {{range.buffer, range.offset - before, range.bytes() + before}, static_cast<std::int32_t>(before / 4)};
}

std::int32_t words_of(std::uint64_t bytes) {
  if (bytes / 4 > most_words)
    throw DeviceError(DeviceErrorKind::limit, "a matrix of " + std::to_string(bytes) +
                                                  " bytes is too large to be copied or extended by a loop on the "
                                                  "device: run with --loops=host");
  return static_cast<std::int32_t>(bytes / 4);
}

}  // namespace

// The log may be written and read by the host only: it is where both can reach it. The record holds the state as the
// chunk left it; the state itself goes on changing.
ChunkBuffers::ChunkBuffers(Device& device, const ChunkCapacity& room)
    : capacity(room),
      counts(device.make_buffer(count_bytes * bytes_of(capacity.sites))),
      base(device.make_buffer(count_bytes * bytes_of(capacity.sites) + 4 * range_words * bytes_of(capacity.branches),
                              BufferUse::upload)),
      log(device.make_buffer(scalar_slot_bytes * bytes_of(std::max(1, capacity.log_slots)), BufferUse::readback)),
      record(device.make_buffer(sizeof(control::State), BufferUse::readback)) {
  std::memset(base->mapped(), 0, base->size());
}

ChunkRecorder::ChunkRecorder(Machine& machine, bool predicated, std::shared_ptr<Buffer> state)
    : machine_(machine), predicated_(predicated) {
  own(control::Buffer::state) = {std::move(state)};
  static_cast<void>(machine.scalars().make(Element::logical));  // there is an arena from now on
}

// -- what decides -----------------------------------------------------------------------------------------------------

void ChunkRecorder::begin(const ChunkBuffers& buffers, std::int32_t entry, const ChunkCapacity& wanted) {
  buffers_ = &buffers;
  own(control::Buffer::counts) = {buffers.counts};
  own(control::Buffer::base) = {buffers.base};
  own(control::Buffer::log) = {buffers.log};
  site_ = log_ = branches_ = 0;
  sites_ = wanted.sites;
  if (predicated_) arm(entry, wanted.log_slots);
}

void ChunkRecorder::arm(std::int32_t entry, std::int32_t log_slots) {
  control(ControlShader::arm_chunk, control::ArmParameters{entry, sites_, log_slots}, true);
  submits_ = machine_.stream().counters().submits;
}

// The device may have read `base` before what follows was written there.
void ChunkRecorder::resume() {
  if (machine_.stream().counters().submits == submits_) return;
  arm(control::unchanged, 0);
  for (const OpenBranch& branch : open_)
    if (branch.is_decided) set_predicate(branch, true);
}

void ChunkRecorder::close_trip(std::int32_t condition) {
  if (!predicated_) return;
  control(ControlShader::close_trip, control::CloseParameters{condition, site_ + 1, sites_});
}

void ChunkRecorder::check(std::int32_t condition, std::int32_t number) {
  decide(open_.size());
  control(ControlShader::check, control::CheckParameters{condition, site_ + 1, sites_, number});
}

// Until an arm's end is known, the range reaches to the last site: right for what is recorded up to then.
void ChunkRecorder::open_branch(const ScalarRef& condition) {
  const auto range_at = static_cast<std::int32_t>(range_words) * (buffers_->capacity.sites + branches_++);
  if (branches_ > buffers_->capacity.branches)
    throw InternalError("more branches than the chunk of a loop has room for");
  set_word(range_at + 1, sites_);
  set_word(range_at + 2, sites_);
  open_.push_back({condition, range_at});
}

void ChunkRecorder::other_arm() {
  set_word(open_.back().range_at + 1, site_);
  open_.back().second = true;
}

/// The first `count` of the open branches, outermost first. One whose first arm is over has an empty range for it: what
/// that arm did looked at the condition itself.
void ChunkRecorder::decide(std::size_t count) {
  for (OpenBranch& branch : std::span(open_).first(count)) {
    if (branch.is_decided) continue;
    branch.is_decided = true;
    set_word(branch.range_at, site_ + 1);
    set_predicate(branch, false);
  }
}

void ChunkRecorder::close_branch() {
  set_word(open_.back().range_at + 2, site_);
  open_.pop_back();
}

void ChunkRecorder::set_predicate(const OpenBranch& branch, bool direct) {
  const std::int32_t slot = machine_.scalars().slot(*branch.condition);
  control(ControlShader::set_predicate, control::PredicateParameters{slot, branch.range_at}, direct);
}

void ChunkRecorder::set_word(std::int32_t at, std::int32_t word) {
  std::memcpy(buffers_->base->mapped() + 4 * static_cast<std::size_t>(at), &word, sizeof word);
}

// -- scalars ----------------------------------------------------------------------------------------------------------

std::int32_t ChunkRecorder::log(const std::vector<std::int32_t>& slots) {
  control::LogParameters parameters{log_, static_cast<std::int32_t>(slots.size()), {}};
  std::copy(slots.begin(), slots.end(), parameters.slots.begin());
  log_ += 1 + parameters.count;
  if (log_ > buffers_->capacity.log_slots) throw InternalError("more text than the chunk of a loop has room for");
  decide(open_.size());
  control(ControlShader::log_scalars, parameters);
  return parameters.at;
}

void ChunkRecorder::copy_scalars(std::span<const ScalarCopy> copies) {
  Arena& arena = machine_.scalars();
  while (!copies.empty()) {
    const auto some = copies.first(std::min<std::size_t>(copies.size(), control::copy_capacity));
    control::CopyScalarsParameters parameters;
    parameters.count = static_cast<std::int32_t>(some.size());
    for (std::size_t k = 0; k < some.size(); ++k) {
      parameters.from[k] = some[k].from ? arena.slot(*some[k].from) : -1;
      parameters.values[k] = to_slot(some[k].number, some[k].to->element());
      parameters.to[k] = arena.slot(*some[k].to);
    }
    decide(open_.size());
    control(ControlShader::copy_scalars, parameters);
    copies = copies.subspan(some.size());
  }
}

// -- commands ---------------------------------------------------------------------------------------------------------

void ChunkRecorder::site(const Dispatch& dispatch, const GroupCounts& groups) {
  Stream& stream = machine_.stream();
  if (!predicated_) return stream.dispatch(dispatch, groups);
  resume();
  if (site_ == sites_) throw InternalError("more dispatches than the chunk of a loop has room for");
  const std::uint64_t at = count_bytes * bytes_of(site_++);
  const std::uint32_t words[] = {groups.x, groups.y, groups.z};
  std::memcpy(buffers_->base->mapped() + at, words, count_bytes);
  stream.dispatch_indirect(dispatch, {buffers_->counts, at, count_bytes});
}

template <class Parameters>
void ChunkRecorder::control(ControlShader which, const Parameters& parameters, bool direct, const GroupCounts& groups) {
  const ShaderStage& stage = machine_.shaders().control.at(static_cast<std::size_t>(which));
  std::vector<BoundResource> resources;
  for (const Binding& binding : stage.bindings)
    resources.push_back(
        {binding.kind == ResourceKind::scalars ? machine_.scalars().range() : own_[binding.index], nullptr});
  const std::span<const std::byte> bytes = std::as_bytes(std::span(&parameters, 1)).first(stage.parameter_bytes);
  const Dispatch dispatch{machine_.launcher().pipeline(stage, resources), resources, bytes};
  if (direct) machine_.stream().dispatch(dispatch, groups);
  else site(dispatch, groups);
}

void ChunkRecorder::launch(const std::vector<BoundStage>& stages, const KernelLabels& labels) {
  for (const BoundStage& stage : stages)
    if (!stage.empty()) {
      decide(open_.size());
      site(stage.dispatch(labels.of(stage.stage->kind)), stage.groups);
    }
}

void ChunkRecorder::copy(const BufferRange& from, const BufferRange& to) {
  if (!predicated_) return machine_.stream().copy(from, to);
  const auto [source, from_at] = aligned(from);
  const auto [target, to_at] = aligned(to);
  own(control::Buffer::from) = source;
  own(control::Buffer::to) = target;
  control::CopyWordsParameters parameters{words_of(std::min(from.bytes(), to.bytes())), from_at, to_at};
  if (!open_.empty()) {
    decide(open_.size() - 1);
    const OpenBranch& innermost = open_.back();
    if (!innermost.is_decided) {
      parameters.condition = machine_.scalars().slot(*innermost.condition);
      parameters.wanted = innermost.second ? 0 : 1;
    }
  }
  control(ControlShader::copy_words, parameters, false, groups_of(parameters.words));
}

void ChunkRecorder::clear(const BufferRange& range) {
  if (!predicated_) return machine_.stream().fill(range, 0);
  const auto [target, to_at] = aligned(range);
  own(control::Buffer::to) = target;
  const std::int32_t words = words_of(range.bytes());
  decide(open_.size());
  control(ControlShader::clear_words, control::ClearWordsParameters{words, to_at}, false, groups_of(words));
}

GroupCounts ChunkRecorder::groups_of(std::int32_t words) const {
  const std::int64_t most = machine_.device().limits().group_count[0];
  return {static_cast<std::uint32_t>(std::clamp<std::int64_t>(words / control::words_per_group, 1, most)), 1, 1};
}

Ticket ChunkRecorder::end() {
  Stream& stream = machine_.stream();
  if (predicated_) stream.copy(own(control::Buffer::state), {buffers_->record});
  return stream.submit();
}

control::State ChunkRecorder::state_of(const ChunkBuffers& buffers) {
  control::State state;
  std::memcpy(&state, buffers.record->mapped(), sizeof state);
  return state;
}

std::uint64_t ChunkRecorder::log_of(const ChunkBuffers& buffers, std::int32_t slot) {
  std::uint64_t word = 0;
  std::memcpy(&word, buffers.log->mapped() + scalar_slot_bytes * static_cast<std::size_t>(slot), sizeof word);
  return word;
}

}  // namespace lac::runtime::vulkan
