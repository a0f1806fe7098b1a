// Which kinds of data a built program has code for.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/core/module.h"

namespace lac::driver {

using Signature = std::vector<frontend::ParameterSignature>;

enum class Added { served, refused };

/// Where the search for other kinds of data ends, whatever it has found.
struct VariantLimits {
  std::size_t served = 0;                            ///< calls of `add` that end well
  std::size_t tries() const { return 4 * served; }   ///< calls of `add`, each about as long as a `lac check`
  std::size_t looks() const { return 64 * served; }  ///< signatures that are made, those that need no code among them
};

/// A kind of data whose compilation was ended by an exception.
struct BrokenVariant {
  Signature signature;
  std::string message;  ///< "internal error: ...", "out of memory"
};

/// What of an exception is told, `action` being the compilation of one kind of data: the others may do without it.
std::optional<std::string> thrown_by(const std::function<void()>& action);

/// Calls `add` with signatures that differ from `base`, nearest first, until a limit is reached or there are no more:
/// - each size of the `param` lines, and each scalar parameter that is an integer, as 0, as 1 and as larger;
/// - each matrix with several rows and columns as dense and as csr (csr code serves diagonal storage too);
/// - each parameter with a default that is computed, given and not given;
/// - each other scalar parameter as a real number, which serves integers too, and as an integer.
/// Those that differ in one of these come before those that differ in two. None is served by `base` or by one before it
/// that `add` did not refuse. What `add` throws refuses its signature, and is handed back.
std::vector<BrokenVariant> for_each_variant(const Module& module, const Signature& base, Element precision,
                                            const VariantLimits& limits,
                                            const std::function<Added(const Signature&)>& add);

}  // namespace lac::driver
