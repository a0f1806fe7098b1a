#include "runtime/vulkan/machine/scalars.h"

#include <span>

#include "ir/plan/shader.h"
#include "ir/support/result.h"
#include "runtime/vulkan/memory/elements.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::size_t first_slots = 1024;
constexpr std::size_t read_at_once = 512;  ///< slots: up to here a readback takes them all

}  // namespace

Scalar::~Scalar() {
  if (slot_ < 0) return;
  arena_.owners_[static_cast<std::size_t>(slot_)] = nullptr;
  arena_.free_.push(slot_);
}

Arena::Arena(Device& device, Stream& stream) : device_(device), stream_(stream) {}

ScalarRef Arena::hold(double value, Element element) {
  auto scalar = std::make_shared<Scalar>(*this, element);
  scalar->known_ = value;
  return scalar;
}

ScalarRef Arena::make(Element element) {
  auto scalar = std::make_shared<Scalar>(*this, element);
  scalar->slot_ = take_slot(*scalar);
  return scalar;
}

std::int32_t Arena::take_slot(Scalar& owner) {
  if (free_.empty() && (!buffer_ || owners_.size() * scalar_slot_bytes == buffer_->size())) grow(2 * owners_.size());
  if (free_.empty()) {
    free_.push(static_cast<std::int32_t>(owners_.size()));
    owners_.push_back(nullptr);
  }
  const std::int32_t slot = free_.top();
  free_.pop();
  owners_[static_cast<std::size_t>(slot)] = &owner;
  return slot;
}

void Arena::reserve(std::size_t slots) {
  if (!buffer_ || buffer_->size() < slots * scalar_slot_bytes) grow(slots);
}

void Arena::grow(std::size_t slots) {
  slots = std::max(first_slots, slots);
  std::shared_ptr<Buffer> larger = device_.make_buffer(slots * scalar_slot_bytes);
  if (owners_.empty()) {
    stream_.fill({larger, arrivals_slot * scalar_slot_bytes, scalar_slot_bytes}, 0);
    owners_.push_back(nullptr);
  } else {
    const std::uint64_t bytes = owners_.size() * scalar_slot_bytes;
    stream_.copy({buffer_, 0, bytes}, {larger, 0, bytes});
  }
  buffer_ = std::move(larger);
}

std::int32_t Arena::slot(Scalar& scalar) {
  if (scalar.slot_ >= 0) return scalar.slot_;
  if (!scalar.known_) throw InternalError("a scalar that is nowhere");
  scalar.slot_ = take_slot(scalar);
  const std::uint64_t word = to_slot(*scalar.known_, scalar.element_);
  stream_.upload(std::as_bytes(std::span(&word, 1)), range(scalar));
  return scalar.slot_;
}

BufferRange Arena::range() {
  if (!buffer_) grow(first_slots);
  return {buffer_};
}

BufferRange Arena::range(Scalar& scalar) {
  const auto at = static_cast<std::uint64_t>(slot(scalar)) * scalar_slot_bytes;  // may move the arena
  return {buffer_, at, scalar_slot_bytes};
}

// One wait serves every scalar that was computed until now, as long as that costs no more than one.
double Arena::value(Scalar& scalar) {
  if (scalar.known_) return *scalar.known_;
  scalar.publish();
  ++readbacks_;
  if (owners_.size() <= read_at_once) read(0, owners_.size());
  else read(static_cast<std::size_t>(scalar.slot_), 1);
  return scalar.known_.value();
}

void Arena::read(std::size_t first, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  stream_.read({buffer_, first * scalar_slot_bytes, count * scalar_slot_bytes},
               std::as_writable_bytes(std::span(words)));
  for (std::size_t n = 0; n < count; ++n)
    if (Scalar* owner = owners_[first + n]; owner != nullptr && owner->published_ && !owner->known_)
      owner->known_ = from_slot(words[n], owner->element_);
}

}  // namespace lac::runtime::vulkan
