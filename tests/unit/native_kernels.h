// Compiles one kernel for the CPU, runs it, and compares it with the kernel interpreter.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/kernel_data.h"

namespace lac::test {

/// Inputs are KernelData's. Outputs must be within tolerance * (1 + |expected|), and the same bits however the blocks
/// are cut and whether rows of a csr matrix are taken in slices. `cpu` as in --cpu.
void check_native(const std::string& kernel, const std::vector<Sizes>& sizes, double tolerance = 1e-11,
                  const std::string& cpu = "native");

/// The outputs of the kernel for size 333 in every symbol; nothing where this machine cannot run the code.
std::vector<runtime::Tensor> native_outputs(const std::string& kernel, const std::string& cpu);

}  // namespace lac::test
