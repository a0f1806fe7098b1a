// The functions that compiled code calls.
#pragma once

namespace lac::runtime {

/// The address of a function of the runtime (plan/abi_functions.def), of libm or of SLEEF, which is loaded when code
/// asks for it first; null where nobody has it. Thread-safe.
void* find_symbol(const char* name);

}  // namespace lac::runtime
