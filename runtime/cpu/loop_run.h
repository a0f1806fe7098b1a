// One loop of a plan, run by compiled code for an executor whose values live elsewhere (LoopPlan::native).
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/cpu/context.h"
#include "runtime/cpu/executor.h"

namespace lac::runtime {

/// First `read` and `hand`, then `run` once, then what it results in.
class LoopRun {
 public:
  /// `program` runs by tiers; it and `parameters` outlive this. `trips` are those of the loops around this one.
  LoopRun(const CpuProgram& program, const std::vector<Tensor>& parameters, std::vector<std::int64_t> trips,
          const RunOptions& options);

  /// A value that the loop reads and nobody writes.
  void read(ValueId value, Tensor tensor) { give(value, std::move(tensor), false); }
  /// A value that it carries on from: its elements may be written, a copy of them where others hold them too.
  void hand(ValueId value, Tensor tensor) { give(value, std::move(tensor), true); }

  RunStatus run(OpId loop);

  double scalar(ValueId result) const;
  /// Dense, of these extents. Once for each result.
  Tensor matrix(ValueId result, std::int64_t rows, std::int64_t cols);
  Statistics statistics() const;

 private:
  void give(ValueId value, Tensor tensor, bool own);
  const Type& type(ValueId value) const;

  const CpuProgram& program_;
  const RunOptions options_;
  abi::Context run_;
  std::vector<std::uint64_t> words_;  ///< by ValueId
};

}  // namespace lac::runtime
