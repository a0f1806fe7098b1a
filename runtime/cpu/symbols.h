// The addresses of the ABI functions, for a JIT in the same process.
#pragma once

#include <span>

namespace lac::runtime {

struct AbiSymbol {
  const char* name;
  void* address;
};

/// In the order of plan/abi_functions.def.
std::span<const AbiSymbol> abi_symbols();

}  // namespace lac::runtime
