// Calls of functions that take and give the machine's vectors, over strips.
#pragma once

#include <cstdint>

#include "ir/plan/vector_isa.h"

namespace lac::runtime {

/// y = function(x); `count` is a multiple of the vector's elements.
void call_vectors(VectorIsa isa, const void* function, const double* x, double* y, std::int64_t count);
void call_vectors(VectorIsa isa, const void* function, const float* x, float* y, std::int64_t count);
/// z = function(x, y)
void call_vectors(VectorIsa isa, const void* function, const double* x, const double* y, double* z, std::int64_t count);
void call_vectors(VectorIsa isa, const void* function, const float* x, const float* y, float* z, std::int64_t count);

}  // namespace lac::runtime
