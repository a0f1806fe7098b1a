// Kernels that every target has: maps, accesses and reductions in all their forms.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/kernel_data.h"

namespace lac::test {

struct KernelCase {
  std::string name;  ///< what it is about
  std::string text;  ///< with symbols n and m; its blocks are those of the cpu, which other targets do not look at
  std::vector<Sizes> sizes;
  double tolerance;  ///< relative to 1 + |expected|
};

const std::vector<KernelCase>& kernel_cases();

/// A stencil of two matrices, `l ? r + a*x : x`, that holds more values at one time than a processor has registers.
std::string wide_stencil(const std::string& element);

/// Lengths n around the widths of vectors and blocks, and extents n and m, of which some fill a block and some do not.
const std::vector<Sizes>& lengths();
const std::vector<Sizes>& shapes();

}  // namespace lac::test
