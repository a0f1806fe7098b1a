// Which copy of a value is valid where, and what has to be done so that it is valid where it is needed next. A pure
// policy: it knows bytes and resource numbers, and whoever runs it executes the actions that it returns.
//
// An item is something that lives on the host, on the device, or on both; a resource is memory on the device that holds
// at most one item. Every call settles its own state as if the returned actions were done at once and in order, so they
// must be: a caller whose action fails can only ask for room (make_room) or give up the whole Residency.
//
// Actions do not wait for the device. Freed and reused resources may still be in use by commands that were recorded
// earlier: a caller keeps freed ones alive until those commands are done, and orders uses of one resource by barriers.
// A download is the exception: when the action is done the host has the bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/support/id.h"
#include "ir/support/result.h"

namespace lac::runtime::residency {

using ItemId = Id<struct ItemTag>;
using ResourceId = Id<struct ResourceTag>;  ///< never given twice: a freed resource's number does not come back

/// What an item takes on the device. Buffers have width 0; images are RGBA32F and `bytes` is width * height * 16.
struct DeviceShape {
  std::int64_t bytes = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  bool is_image() const { return width != 0; }
};

enum class ActionKind : std::uint8_t {
  allocate,  ///< make `resource` of `shape` and hold `item` in it; contents undefined
  reuse,     ///< `resource`, made earlier and at least as large, holds `item` from now on; contents undefined
  upload,    ///< host copy of `item` -> `resource`
  download,  ///< `resource` -> host copy of `item`
  release,   ///< `resource` no longer holds `item`; the resource stays, for another item
  free,      ///< destroy `resource`
};

struct Action {
  ActionKind kind = ActionKind::allocate;
  ItemId item = {};
  ResourceId resource = {};
  DeviceShape shape = {};  ///< allocate: what to make (bytes are the resource's); else: the item's
};
using Actions = std::vector<Action>;

enum class Access : std::uint8_t {
  read,    ///< the item's contents are needed and stay
  write,   ///< every element is overwritten: nothing is uploaded, the host copy is out of date afterwards
  update,  ///< contents are needed and change: uploaded, the host copy is out of date afterwards
};

struct Use {
  ItemId item = {};
  Access access = Access::read;
};

struct Options {
  std::int64_t budget = 0;  ///< bytes of all resources, pooled ones included; 0: no limit
  bool evict_all = false;   ///< every unpinned item leaves the device after each use (a test of everything here)
};

struct Counters {
  std::uint64_t uploads = 0;
  std::uint64_t upload_bytes = 0;
  std::uint64_t downloads = 0;
  std::uint64_t download_bytes = 0;
  std::uint64_t evictions = 0;  ///< items that left the device though they live on
  std::uint64_t resources_created = 0;
  std::uint64_t resources_freed = 0;
  std::uint64_t pool_hits = 0;
  std::int64_t bytes = 0;       ///< of all resources now
  std::int64_t peak_bytes = 0;  ///< the largest `bytes` so far
};

class Residency {
 public:
  explicit Residency(Options options = {}) : options_(options) {}

  /// A new item; `on_host`: it has a valid host copy, else it has no contents until it is written.
  ItemId add(DeviceShape shape, bool on_host);
  /// The item ends, pinned or not; its resource goes to the pool and its number to a later item.
  Actions drop(ItemId item);

  /// Before a launch: every item is on the device at once, valid for its access, and is pinned until `finish` with the
  /// same uses. An item may occur several times. On a Failure (the pinned items and these pass the budget; numbers are
  /// in the message) nothing has changed.
  Result<Actions> prepare(const std::vector<Use>& uses);
  /// After the launch is recorded: undoes the pins of `prepare`.
  Actions finish(const std::vector<Use>& uses);

  /// Before the host reads: the host copy is valid. Contents stay on the device too.
  Actions use_on_host(ItemId item);
  /// After the host wrote every element: the host copy alone is valid. A pinned item keeps its resource.
  Actions write_on_host(ItemId item);

  /// Pinned items stay in their resource (a loop's carried values, for instance); pins are counted.
  void pin(ItemId item);
  void unpin(ItemId item);

  /// After the device refused an `allocate` of this many bytes: frees pooled resources, then evicts, until at least as
  /// many are given back, or as many as can be. A Failure where there is nothing to give.
  Result<Actions> make_room(std::int64_t bytes);
  /// Frees every pooled resource.
  Actions trim();

  /// Where the item is now; none where it is not on the device.
  ResourceId resource(ItemId item) const { return items_[item].resource; }
  bool valid_on_device(ItemId item) const { return items_[item].on_device; }
  bool valid_on_host(ItemId item) const { return items_[item].on_host; }
  const DeviceShape& shape(ItemId item) const { return items_[item].shape; }
  const Counters& counters() const { return counters_; }

 private:
  struct Item {
    DeviceShape shape;
    ResourceId resource;
    std::uint64_t last_use = 0;
    std::int32_t pins = 0;
    bool on_host = false;
    bool on_device = false;
    bool alive = false;
  };
  struct Pooled {
    ResourceId resource;
    DeviceShape shape;
  };

  bool evictable(const Item& item) const { return item.alive && item.resource.valid() && item.pins == 0; }
  ItemId least_recently_used() const;
  Result<bool> check_fits(const std::vector<Use>& uses) const;
  std::optional<std::size_t> find_pooled(const DeviceShape& shape) const;
  void place(ItemId id, Actions& actions);
  void leave_device(ItemId id, Actions& actions);
  void evict(ItemId id, Actions& actions);
  void download(ItemId id, Actions& actions);
  void free_pooled(std::size_t position, Actions& actions);

  Options options_;
  Counters counters_;
  IdVector<ItemId, Item> items_;
  std::vector<ItemId> free_items_;
  std::vector<Pooled> pool_;                      ///< oldest first
  std::map<ResourceId, std::int64_t> resources_;  ///< bytes of those that exist, pooled or held
  std::uint64_t clock_ = 0;
  std::uint32_t next_resource_ = 0;
};

}  // namespace lac::runtime::residency
