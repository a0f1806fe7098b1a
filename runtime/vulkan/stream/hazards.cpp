#include "runtime/vulkan/stream/hazards.h"

#include <algorithm>

namespace lac::runtime::vulkan {
namespace {

constexpr AccessSet compute = bit(Access::compute_read) | bit(Access::compute_write);
constexpr AccessSet transfer = bit(Access::transfer_read) | bit(Access::transfer_write);

/// A barrier of Vulkan names whole stages, and flushing what a stage wrote costs nothing where it wrote nothing: so one
/// barrier serves a stage's reads and writes alike, and the next command needs none.
AccessSet widened(AccessSet accesses) {
  if (accesses & compute) accesses |= compute;
  if (accesses & transfer) accesses |= transfer;
  return accesses;
}

constexpr bool has(AccessSet set, int access) { return (set >> access & 1) != 0; }

constexpr AccessSet graphics_accesses = bit(Access::graphics_read) | bit(Access::attachment_write);

}  // namespace

Barrier start_barrier(bool graphics) {
  const AccessSet device = compute | transfer | bit(Access::indirect_read) | (graphics ? graphics_accesses : 0);
  return {device, device};
}

Barrier end_barrier(bool graphics) {
  const AccessSet writes = bit(Access::compute_write) | bit(Access::transfer_write) |
                           (graphics ? bit(Access::attachment_write) : AccessSet{0});
  return {writes, bit(Access::host_read)};
}

bool HazardTracker::conflicts(const Past& past, const ResourceAccess& now) const {
  if (past.end <= now.begin || now.end <= past.begin) return false;
  if (!is_write(past.access) && !is_write(now.access)) return false;
  return ordered_[static_cast<int>(past.access)][static_cast<int>(now.access)] <= past.time;
}

void HazardTracker::remember(ResourceAccess now) {
  std::vector<Past>& past = past_[now.resource];
  if (is_write(now.access)) {
    // A write stands for everything of earlier commands that it covers: what waits for it has waited for them too.
    std::erase_if(past, [&](const Past& p) { return p.time < time_ && now.begin <= p.begin && p.end <= now.end; });
  } else {
    // Reads of one kind that touch become one, of the later time: at worst a writer waits once more than it must.
    std::erase_if(past, [&](const Past& p) {
      if (p.access != now.access || p.end < now.begin || now.end < p.begin) return false;
      now.begin = std::min(now.begin, p.begin);
      now.end = std::max(now.end, p.end);
      return true;
    });
  }
  past.push_back({now.begin, now.end, now.access, time_});
}

Barrier HazardTracker::before(std::span<const ResourceAccess> command) {
  Barrier barrier;
  for (const ResourceAccess& now : command) {
    const auto found = past_.find(now.resource);
    if (found == past_.end()) continue;
    for (const Past& past : found->second) {
      if (!conflicts(past, now)) continue;
      barrier.before |= bit(past.access);
      barrier.after |= bit(now.access);
    }
  }
  barrier = {widened(barrier.before), widened(barrier.after)};
  for (int earlier = 0; earlier < access_count; ++earlier) {
    for (int later = 0; later < access_count; ++later) {
      if (has(barrier.before, earlier) && has(barrier.after, later)) ordered_[earlier][later] = time_;
    }
  }
  for (const ResourceAccess& now : command) remember(now);
  ++time_;
  return barrier;
}

}  // namespace lac::runtime::vulkan
