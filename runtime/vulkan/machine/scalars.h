// The scalar arena of a run: one device buffer of slots (ir/plan/shader.h), one for each scalar that a kernel reads or
// writes there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "ir/types/type.h"
#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

class Arena;

/// One scalar: known to the host, in a slot, or both. Like any value of the plan it is written once. From publish() on
/// the commands recorded so far have written its slot: a look at the arena passes over those before.
class Scalar {
 public:
  Scalar(Arena& arena, Element element) : arena_(arena), element_(element) {}
  ~Scalar();
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;

  Element element() const { return element_; }
  std::optional<double> known() const { return known_; }
  void publish() { published_ = true; }

 private:
  friend class Arena;

  Arena& arena_;
  Element element_;
  std::optional<double> known_;
  std::int32_t slot_ = -1;
  bool published_ = false;
};

using ScalarRef = std::shared_ptr<Scalar>;

/// Lives longer than its scalars. Slots of ended scalars are used again: the order of the stream keeps them apart.
class Arena {
 public:
  Arena(Device& device, Stream& stream);

  /// Known to the host; it gets a slot when one is asked for.
  ScalarRef hold(double value, Element element);
  /// In a slot that a kernel will write.
  ScalarRef make(Element element);

  /// The scalar's slot; its value is put there if it had none.
  std::int32_t slot(Scalar& scalar);
  /// The value; waits for the device where the host does not know it.
  double value(Scalar& scalar);

  /// Room for so many slots, so that asking for one of them does not move the arena.
  void reserve(std::size_t slots);

  /// All slots. Asking for slots may move them to a larger buffer: bind this after the slots of a launch are known.
  BufferRange range();
  BufferRange range(Scalar& scalar);

  std::int64_t readbacks() const { return readbacks_; }

 private:
  friend class Scalar;

  std::int32_t take_slot(Scalar& owner);
  void grow(std::size_t slots);
  void read(std::size_t first, std::size_t count);

  Device& device_;
  Stream& stream_;
  std::shared_ptr<Buffer> buffer_;
  std::vector<Scalar*> owners_;  ///< by slot; null: free, or arrivals_slot
  /// A heap: the lowest is taken next, so that every trip of a loop takes the same ones.
  std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> free_;
  std::int64_t readbacks_ = 0;
};

}  // namespace lac::runtime::vulkan
