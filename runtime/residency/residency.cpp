#include "runtime/residency/residency.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lac::runtime::residency {

namespace {

/// The size of a resource for this shape: buffers in steps of 256 bytes, and never empty.
std::int64_t resource_bytes(const DeviceShape& shape) {
  constexpr std::int64_t step = 256;
  return shape.is_image() ? shape.bytes : std::max(step, (shape.bytes + step - 1) / step * step);
}

/// The largest pooled buffer that may hold this many bytes. Under a budget nothing is wasted, so that what fits by its
/// own size always fits.
std::int64_t largest_for(std::int64_t bytes, const Options& options) {
  return options.budget > 0 ? bytes : bytes + bytes / 4;
}

}  // namespace

ItemId Residency::add(DeviceShape shape, bool on_host) {
  Item item;
  item.shape = shape;
  item.on_host = on_host;
  item.alive = true;
  if (free_items_.empty()) return items_.push(item);
  const ItemId id = free_items_.back();
  free_items_.pop_back();
  items_[id] = item;
  return id;
}

Actions Residency::drop(ItemId id) {
  Actions actions;
  leave_device(id, actions);
  items_[id] = {};
  free_items_.push_back(id);
  return actions;
}

Result<Actions> Residency::prepare(const std::vector<Use>& uses) {
  if (const auto fits = check_fits(uses); !fits) return fits.failure();
  for (const Use& use : uses) pin(use.item);
  Actions actions;
  for (const auto& [id, access] : uses) {
    Item& item = items_[id];
    item.last_use = ++clock_;
    place(id, actions);
    const bool needs_contents = access != Access::write;
    if (needs_contents && !item.on_device && item.on_host) {
      actions.push_back({ActionKind::upload, id, item.resource, item.shape});
      ++counters_.uploads;
      counters_.upload_bytes += static_cast<std::uint64_t>(item.shape.bytes);
      item.on_device = true;
    }
  }
  for (const auto& [id, access] : uses) {
    if (access == Access::read) continue;
    items_[id].on_device = true;
    items_[id].on_host = false;
  }
  return actions;
}

Actions Residency::finish(const std::vector<Use>& uses) {
  for (const Use& use : uses) unpin(use.item);
  Actions actions;
  if (!options_.evict_all) return actions;
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    if (evictable(items_[ItemId{i}])) evict(ItemId{i}, actions);
  }
  return actions;
}

Actions Residency::use_on_host(ItemId id) {
  Actions actions;
  download(id, actions);
  return actions;
}

Actions Residency::write_on_host(ItemId id) {
  Actions actions;
  items_[id].on_host = true;
  items_[id].on_device = false;
  if (items_[id].pins == 0) leave_device(id, actions);
  return actions;
}

void Residency::pin(ItemId id) { ++items_[id].pins; }
void Residency::unpin(ItemId id) { --items_[id].pins; }

Result<Actions> Residency::make_room(std::int64_t bytes) {
  Actions actions;
  const std::int64_t goal = std::max<std::int64_t>(counters_.bytes - bytes, 0);
  while (counters_.bytes > goal) {
    if (pool_.empty()) {
      const ItemId victim = least_recently_used();
      if (!victim) break;
      evict(victim, actions);
    }
    free_pooled(0, actions);
  }
  if (actions.empty()) {
    return Failure{fmt::format("the device has no memory for {} bytes more; {} are in use", bytes, counters_.bytes)};
  }
  return actions;
}

Actions Residency::trim() {
  Actions actions;
  while (!pool_.empty()) free_pooled(0, actions);
  return actions;
}

ItemId Residency::least_recently_used() const {
  ItemId oldest;
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    const ItemId id{i};
    if (evictable(items_[id]) && (!oldest || items_[id].last_use < items_[oldest].last_use)) oldest = id;
  }
  return oldest;
}

Result<bool> Residency::check_fits(const std::vector<Use>& uses) const {
  if (options_.budget == 0) return true;
  const auto held = [&](const Item& item) {
    return item.resource.valid() ? resources_.at(item.resource) : resource_bytes(item.shape);
  };
  std::set<ItemId> needed;
  std::int64_t pinned_bytes = 0;
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[ItemId{i}];
    if (item.pins == 0 || !item.resource.valid()) continue;
    pinned_bytes += held(item);
    needed.insert(ItemId{i});
  }
  std::int64_t bytes = pinned_bytes, largest = 0;
  for (const Use& use : uses) {
    const std::int64_t own = held(items_[use.item]);
    largest = std::max(largest, own);
    if (needed.insert(use.item).second) bytes += own;
  }
  if (bytes <= options_.budget) return true;
  if (largest > options_.budget) {
    return Failure{
        fmt::format("a matrix takes {} bytes on the device, and --device-memory allows {}", largest, options_.budget)};
  }
  const std::string kept = pinned_bytes > 0 ? fmt::format(" ({} of them for a whole loop)", pinned_bytes) : "";
  return Failure{fmt::format("{} bytes{} are needed on the device at once, and --device-memory allows {}", bytes, kept,
                             options_.budget)};
}

/// The position in the pool of the smallest resource that suits, the one put there last where several are equal.
std::optional<std::size_t> Residency::find_pooled(const DeviceShape& shape) const {
  const std::int64_t bytes = resource_bytes(shape), largest = largest_for(bytes, options_);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    const DeviceShape& offer = pool_[i].shape;
    const bool suits = shape.is_image() ? offer.width == shape.width && offer.height == shape.height
                                        : !offer.is_image() && offer.bytes >= bytes && offer.bytes <= largest;
    if (suits && (!best || offer.bytes <= pool_[*best].shape.bytes)) best = i;
  }
  return best;
}

void Residency::place(ItemId id, Actions& actions) {
  Item& item = items_[id];
  if (item.resource.valid()) return;
  const std::int64_t bytes = resource_bytes(item.shape);
  while (true) {
    if (const auto position = find_pooled(item.shape)) {
      item.resource = pool_[*position].resource;
      pool_.erase(pool_.begin() + static_cast<std::ptrdiff_t>(*position));
      ++counters_.pool_hits;
      actions.push_back({ActionKind::reuse, id, item.resource, item.shape});
      return;
    }
    if (options_.budget == 0 || counters_.bytes + bytes <= options_.budget) break;
    if (pool_.empty()) {
      evict(least_recently_used(), actions);  // there is one: check_fits
    } else {
      free_pooled(0, actions);
    }
  }
  item.resource = ResourceId{next_resource_++};
  resources_[item.resource] = bytes;
  ++counters_.resources_created;
  counters_.bytes += bytes;
  counters_.peak_bytes = std::max(counters_.peak_bytes, counters_.bytes);
  actions.push_back({ActionKind::allocate, id, item.resource, {bytes, item.shape.width, item.shape.height}});
}

void Residency::leave_device(ItemId id, Actions& actions) {
  Item& item = items_[id];
  if (!item.resource.valid()) return;
  actions.push_back({ActionKind::release, id, item.resource, item.shape});
  pool_.push_back({item.resource, {resources_.at(item.resource), item.shape.width, item.shape.height}});
  item.resource = {};
  item.on_device = false;
}

void Residency::evict(ItemId id, Actions& actions) {
  ++counters_.evictions;
  download(id, actions);
  leave_device(id, actions);
}

void Residency::download(ItemId id, Actions& actions) {
  Item& item = items_[id];
  if (item.on_host || !item.on_device) return;
  actions.push_back({ActionKind::download, id, item.resource, item.shape});
  ++counters_.downloads;
  counters_.download_bytes += static_cast<std::uint64_t>(item.shape.bytes);
  item.on_host = true;
}

void Residency::free_pooled(std::size_t position, Actions& actions) {
  const Pooled pooled = pool_[position];
  pool_.erase(pool_.begin() + static_cast<std::ptrdiff_t>(position));
  actions.push_back({ActionKind::free, {}, pooled.resource, pooled.shape});
  counters_.bytes -= pooled.shape.bytes;
  ++counters_.resources_freed;
  resources_.erase(pooled.resource);
}

}  // namespace lac::runtime::residency
