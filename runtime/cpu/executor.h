// Runs compiled programs: JIT-compiled in this process or linked into it.
#pragma once

#include <vector>

#include "ir/plan/abi.h"
#include "ir/plan/manifest.h"
#include "runtime/run.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

class Tiers;

/// Code and what the runtime must know of it; all of it outlives the runs.
struct CpuProgram {
  abi::ProgramFunction entry = nullptr;
  const abi::KernelCode* kernels = nullptr;  ///< by KernelId; null rows: of straight code alone
  const Manifest* manifest = nullptr;
  Tiers* tiers = nullptr;  ///< then they run the program, and `entry` and `kernels` are null
};

/// Does ahead what the first run in this process would have to: loads the libraries that the program's steps call, and
/// starts the threads. What cannot be had is left to the run, which says so.
void warm_cpu(const CpuProgram& program);

/// `parameters` are in the order of Manifest::parameters, already of their element and storage; their extents bind the
/// size symbols. Values of parameters are read where they lie and never written. Several runs of one program may go
/// side by side. Lines in the statistics need Manifest::sources.
RunResult run_cpu(const CpuProgram& program, const std::vector<Tensor>& parameters, const RunOptions& options);

}  // namespace lac::runtime
