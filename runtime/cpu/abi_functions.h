// The C functions that generated code calls, defined in abi_*.cpp of this folder.
#pragma once

#include "ir/plan/abi.h"

extern "C" {
#define LAC_ABI(name, ...) lac::abi::name##_function name;
#include "ir/plan/abi_functions.def"
#undef LAC_ABI
}
