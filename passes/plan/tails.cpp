#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

constexpr std::size_t longest_tail = 4;  ///< kernels: each adds parameters to the launch
constexpr std::size_t farthest = 64;     ///< ops behind the launch that are looked at

using ValueSet = std::unordered_set<ValueId>;

class Search {
 public:
  explicit Search(Plan& plan) : plan_(plan) {
    for_each_op(plan, plan.body, [&](OpId id) {
      if (plan.ops[id].kind == OpKind::launch) ++launches_[attribute<KernelId>(plan.ops[id])];
    });
  }

  void block(BlockId id) {
    const std::vector<OpId>& ops = plan_.blocks[id].ops;
    for (std::size_t n = 0; n < ops.size(); ++n) {
      const Op& op = plan_.ops[ops[n]];
      for (BlockId inner : op.blocks) block(inner);
      if (!is_only_launch(op) || taken_.contains(ops[n])) continue;
      if (!ends_in_one_group(plan_.kernels[attribute<KernelId>(op)])) continue;
      std::vector<OpId> tail = behind(op, std::span(ops).subspan(n + 1, std::min(farthest, ops.size() - n - 1)));
      taken_.insert(tail.begin(), tail.end());
      if (!tail.empty()) plan_.tails.emplace(ops[n], std::move(tail));
    }
  }

 private:
  /// What of the ops that follow a launch it may do: what takes nothing that the others of them make, and whose sizes
  /// the host knows before the launch.
  std::vector<OpId> behind(const Op& launch, std::span<const OpId> ops) const {
    std::vector<OpId> tail;
    ValueSet others, unknown(launch.results.begin(), launch.results.end());
    for (OpId id : ops) {
      const Op& op = plan_.ops[id];
      const bool fits = tail.size() < longest_tail && !taken_.contains(id) && is_only_launch(op) &&
                        stands_in_tail(plan_, op) && !takes_any(op, others) && !has_size_of(op, unknown);
      if (fits) tail.push_back(id);
      else others.insert(op.results.begin(), op.results.end());
      unknown.insert(op.results.begin(), op.results.end());
    }
    return tail;
  }

  /// Shaders are made once for each kernel.
  bool is_only_launch(const Op& op) const {
    return op.kind == OpKind::launch && launches_.at(attribute<KernelId>(op)) == 1;
  }

  static bool takes_any(const Op& launch, const ValueSet& values) {
    return std::ranges::any_of(launch.operands, [&](ValueId value) { return values.contains(value); });
  }

  bool has_size_of(const Op& launch, const ValueSet& values) const {
    bool found = false;
    for_each_size(plan_.kernels[attribute<KernelId>(launch)], [&](const Size& size) {
      for_each_value_in(plan_, size, [&](ValueId value) { found |= values.contains(value); });
    });
    return found;
  }

  Plan& plan_;
  std::set<OpId> taken_;
  std::map<KernelId, int> launches_;
};

}  // namespace

void choose_tails(Plan& plan, const Capabilities& capabilities) {
  if (capabilities.workgroups && capabilities.device_scalars) Search(plan).block(plan.body);
}

}  // namespace lac::passes
