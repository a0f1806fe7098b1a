// Proves on plans of vulkan-fragment that no rendering scope reads a texture, or draws into one, before the scope that
// it depends on is done with it: by the barriers that the runtime would record (runtime/vulkan/stream/hazards.h),
// looked at by a rule of their own, pair by pair.
//
// A launch is a scope that reads the textures of its operands and draws into those of its results; what the host does
// to matrices are transfers. A released texture serves the next result of its type at once, the worst that a pool can
// do. Loops run twice, so that a trip meets the next one; branches take their first arm in one run, the second in
// another.
//
// usage: plan_barriers PLAN...        files as `lac emit plan` prints them; exits 1 where a pair is not ordered
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/plan/plan_text.h"
#include "runtime/vulkan/stream/hazards.h"

namespace {

using namespace lac;
using runtime::vulkan::Access;
using runtime::vulkan::Barrier;
using runtime::vulkan::bit;
using runtime::vulkan::ResourceAccess;
using Command = std::vector<ResourceAccess>;

/// The commands of one run of a plan, in order.
class Recording {
 public:
  Recording(const Plan& plan, std::size_t arm) : plan_(plan), arm_(arm) { block(plan.body); }

  std::vector<Command> take() { return std::move(commands_); }

 private:
  void block(BlockId id) {
    for (OpId op : plan_.blocks[id].ops) visit(plan_.ops[op]);
  }

  void visit(const Op& op) {
    switch (op.kind) {
      case OpKind::launch:
      case OpKind::copy: return work(op, Access::graphics_read, Access::attachment_write);
      case OpKind::release: return release(op);
      case OpKind::reshape: return hand_on(op.operands, op.results);
      case OpKind::loop: return loop(op);
      case OpKind::branch: return branch(op);
      default: return work(op, Access::transfer_read, Access::transfer_write);
    }
  }

  /// A draw reads nothing that it draws into: results have textures that are free, and only then what they take over
  /// is.
  void work(const Op& op, Access read, Access write) {
    Command reads, writes;
    for (ValueId operand : op.operands)
      if (textures_.contains(operand)) reads.push_back({textures_.at(operand), 0, 1, read});
    const bool is_scope = write == Access::attachment_write;
    for (ValueId result : op.results) {
      if (!is_scope && plan_.type(result).is_scalar()) continue;
      textures_[result] = texture_for(plan_.type(result));
      writes.push_back({textures_.at(result), 0, 1, write});
    }
    for (std::int32_t taken : op.reuse)
      if (taken >= 0) free(op.operands[static_cast<std::size_t>(taken)]);
    if (!is_scope) {  // the host reads, then it writes
      commands_.push_back(reads);
      commands_.push_back(writes);
      return;
    }
    reads.insert(reads.end(), writes.begin(), writes.end());
    commands_.push_back(reads);
  }

  void release(const Op& op) {
    for (ValueId operand : op.operands) free(operand);
  }

  void free(ValueId value) {
    const auto found = textures_.find(value);
    if (found == textures_.end()) return;
    free_[type_text(plan_.type(value))].push_back(found->second);
    textures_.erase(found);
  }

  void hand_on(const std::vector<ValueId>& from, const std::vector<ValueId>& to, std::size_t first_from = 0,
               std::size_t first_to = 0) {
    std::vector<std::uint64_t> handed;
    for (std::size_t n = first_from; n < from.size(); ++n)
      handed.push_back(textures_.contains(from[n]) ? textures_.at(from[n]) : 0);
    for (std::size_t n = 0; n < handed.size() && first_to + n < to.size(); ++n)
      if (handed[n] != 0) textures_[to[first_to + n]] = handed[n];
  }

  void loop(const Op& op) {
    const Block& body = plan_.blocks[op.blocks[0]];
    hand_on(op.operands, body.arguments, 2, 1);
    for (int trip = 0; trip < 2; ++trip) {
      block(op.blocks[0]);
      hand_on(body.yields, body.arguments, 1, 1);
    }
    hand_on(body.arguments, op.results, 1, 1);
  }

  void branch(const Op& op) {
    block(op.blocks[arm_]);
    hand_on(plan_.blocks[op.blocks[arm_]].yields, op.results);
  }

  std::uint64_t texture_for(const Type& type) {
    std::vector<std::uint64_t>& free = free_[type_text(type)];
    if (free.empty()) return ++made_;
    const std::uint64_t last = free.back();
    free.pop_back();
    return last;
  }

  static std::string type_text(const Type& type) {
    return to_string(type, [](SymbolId id) { return std::to_string(id.index); });
  }

  const Plan& plan_;
  std::size_t arm_;
  std::vector<Command> commands_;
  std::unordered_map<ValueId, std::uint64_t> textures_;
  std::map<std::string, std::vector<std::uint64_t>> free_;
  std::uint64_t made_ = 0;
};

struct Proof {
  std::int64_t scopes = 0, pairs = 0, open = 0, unseen = 0;
};

/// Whether what happened in `access` before barrier `first` is done before `later` of the command behind barrier
/// `last`: by one of the barriers in between, or by a chain of them.
bool is_ordered(const std::vector<Barrier>& barriers, std::size_t first, std::size_t last, Access access,
                Access later) {
  runtime::vulkan::AccessSet waited = bit(access), done = 0;
  for (std::size_t n = first; n <= last; ++n) {
    if ((barriers[n].before & waited) == 0) continue;
    waited |= barriers[n].after;
    done |= barriers[n].after;
  }
  return (done & bit(later)) != 0;
}

std::vector<Barrier> barriers_of(const std::vector<Command>& commands) {
  runtime::vulkan::HazardTracker tracker;
  std::vector<Barrier> barriers;
  for (const Command& command : commands) barriers.push_back(tracker.before(command));
  return barriers;
}

/// Adds what there is; the pairs that are not ordered.
std::int64_t prove(const std::vector<Command>& commands, const std::vector<Barrier>& barriers, Proof& proof) {
  std::int64_t open = 0;
  std::map<std::uint64_t, std::vector<std::pair<std::size_t, Access>>> uses;
  for (std::size_t n = 0; n < commands.size(); ++n) {
    proof.scopes +=
        std::ranges::any_of(commands[n], [](const auto& a) { return a.access == Access::attachment_write; });
    for (const ResourceAccess& now : commands[n])
      for (const auto& [before, access] : uses[now.resource]) {
        if (!runtime::vulkan::is_write(access) && !runtime::vulkan::is_write(now.access)) continue;
        ++proof.pairs;
        open += !is_ordered(barriers, before + 1, n, access, now.access);
      }
    for (const ResourceAccess& now : commands[n]) uses[now.resource].emplace_back(n, now.access);
  }
  return open;
}

/// The pairs that are not ordered. Without barriers all must be open: a proof that sees
/// none proves nothing.
std::int64_t prove(const std::vector<Command>& commands, Proof& proof) {
  std::vector<Barrier> barriers = barriers_of(commands);
  const std::int64_t pairs = proof.pairs, open = prove(commands, barriers, proof);
  std::ranges::fill(barriers, Barrier{});
  Proof without;
  proof.unseen += prove(commands, barriers, without) != proof.pairs - pairs;
  return open;
}

}  // namespace

int main(int count, char** files) {
  Proof all;
  for (int n = 1; n < count; ++n) {
    std::ifstream file(files[n]);
    std::ostringstream text;
    text << file.rdbuf();
    const Result<Plan> plan = parse_plan(text.str());
    if (!plan) {
      std::cerr << files[n] << ": " << plan.failure().message << '\n';
      return 1;
    }
    std::int64_t open = 0;
    for (const std::size_t arm : {0U, 1U}) open += prove(Recording(plan.value(), arm).take(), all);
    if (open != 0) std::cerr << files[n] << ": " << open << " pairs are not ordered\n";
    all.open += open;
  }
  std::cout << "plans " << count - 1 << " scopes " << all.scopes << " pairs " << all.pairs << " open " << all.open
            << " unseen " << all.unseen << '\n';
  return all.open + all.unseen == 0 ? 0 : 1;
}
