// Which kinds of data a built program has code for.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "driver/core/module.h"

namespace lac::driver {

using Signature = std::vector<frontend::ParameterSignature>;

enum class Added { served, refused, enough };

/// Calls `add` with signatures that differ from `base`, nearest first, until it says `enough` or there are no more:
/// - each size of the `param` lines, and each scalar parameter that is an integer, as 0, as 1 and as larger;
/// - each matrix with several rows and columns as dense and as csr (csr code serves diagonal storage too);
/// - each parameter with a default that is computed, given and not given;
/// - each other scalar parameter as a real number, which serves integers too, and as an integer.
/// Those that differ in one of these come before those that differ in two. None is served by `base` or by one before it
/// that `add` did not refuse.
void for_each_variant(const Module& module, const Signature& base, Element precision,
                      const std::function<Added(const Signature&)>& add);

}  // namespace lac::driver
