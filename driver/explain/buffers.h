// Which values of a plan share memory.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/graph/graph.h"

namespace lac::driver {

struct Buffer {
  std::string name;  ///< of the first value in it that has one
  std::string type;
  bool borrowed = false;  ///< a parameter's: never written
};

/// Numbers the buffers of a plan's matrices. Ops must be told in program order, the ops of blocks in between. A value
/// lies in one buffer, behind a branch in that of either arm.
class Buffers {
 public:
  explicit Buffers(const Graph& plan) : plan_(plan) {}

  /// What is known before the op's blocks are walked through: results of plain ops, arguments of loops. Returns the
  /// buffers that the op writes.
  std::vector<std::uint32_t> enter(const Op& op);
  /// Results of ops with blocks. Returns the buffers that the op itself writes: where a scalar becomes a matrix.
  std::vector<std::uint32_t> leave(const Op& op);

  /// Distinct, in order; scalars have none.
  std::vector<std::uint32_t> of(const std::vector<ValueId>& values) const;
  const std::vector<Buffer>& all() const { return buffers_; }

 private:
  using Numbers = std::vector<std::uint32_t>;

  Numbers of(ValueId value) const;
  std::uint32_t make(ValueId value, bool borrowed);
  void put(ValueId value, Numbers numbers);

  const Graph& plan_;
  std::vector<Buffer> buffers_;
  std::unordered_map<ValueId, Numbers> numbers_;
};

}  // namespace lac::driver
