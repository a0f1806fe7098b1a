// How many lanes of a vector of points are computed together.
#pragma once

#include "codegen/llvm/kernel/function.h"

namespace lac::codegen {

/// All `kernel_lanes` where what the nest's body holds at one time fits the machine's registers; else the lanes of one
/// register, one part of the vector after the other, so that nothing waits in memory meanwhile.
unsigned lanes_together(const KernelFunction& f, const Nest& nest);

/// Of a vector that has not all of its points: as many, but those of one register on machines without masks, where each
/// load, store and choice by one is several instructions.
unsigned masked_lanes_together(const KernelFunction& f, const Nest& nest);

}  // namespace lac::codegen
