#include "runtime/cpu/symbols.h"

#include "runtime/cpu/abi_functions.h"

namespace lac::runtime {

std::span<const AbiSymbol> abi_symbols() {
  static const AbiSymbol symbols[] = {
#define LAC_ABI(name, ...) {#name, reinterpret_cast<void*>(&name)},
#include "ir/plan/abi_functions.def"
#undef LAC_ABI
  };
  return symbols;
}

}  // namespace lac::runtime
