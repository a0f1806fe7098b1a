// A branch outside of loops on what kernels compute, in a shader pack (pack.h): the engine plays one arm of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/vulkan/machine/machine.h"
#include "runtime/vulkan/pack/pack.h"

namespace lac::runtime::vulkan {

/// Both arms are recorded, the second from what the first one found. Each leaves the results in places that are the
/// branch's own, unless both leave the same.
class BranchInPack {
 public:
  BranchInPack(Machine& machine, PackRecorder& pack, const Op& op);

  /// Defines the branch's results.
  void record();

 private:
  /// No values where a check fails that the host knows: the arm never comes to its end.
  struct Arm {
    std::vector<PackCommand> commands;
    std::optional<std::vector<Value>> left;
    std::string error;  ///< what it ends with then
    RandomState random;
  };

  Arm run(std::size_t which);
  void restore();
  void agree_on_random(const Arm& chosen, const Arm& other);
  void add(PackBranch branch, Arm chosen, Arm other);
  Value home_of(std::size_t result, const Value& one, const Value& other);
  void bring_home(Arm& arm, const std::vector<Value>& homes);
  void copy(const Value& from, const Value& to);

  Machine& machine_;
  PackRecorder& pack_;
  const Op& op_;
  std::vector<std::pair<ValueId, Value>> outside_;  ///< what the arms find
};

}  // namespace lac::runtime::vulkan
