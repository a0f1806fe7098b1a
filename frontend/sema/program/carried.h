// What is known of the variables that a loop carries, beyond their values before the loop. A lattice: the types of a
// loop are the least element that the loop's body does not lead out of, and are found by going up from the bottom.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "frontend/sema/values/binding.h"
#include "ir/types/type.h"

namespace lac::frontend {

/// One variable. A product of chains, ordered part by part; the bottom is "as before the loop". Every chain is finite:
/// of the element there are four above the bottom (logical < integer < real < single), of all else one, so that a
/// variable rises `height` times at most.
struct Carried {
  std::optional<Element> element;    ///< of its values
  bool varies[2] = {false, false};   ///< rows, columns: the extent is not the same in all trips
  bool shrinks[2] = {false, false};  ///< and falls below what it is before the loop
  bool grows = false;                ///< tried: the second trip changes the shape again
  bool may_lack = false;             ///< it has no value on some path
  bool csr = false;                  ///< sparse, of a pattern that the loop changes
  bool other_text = false;           ///< a string in a struct or a cell that is known and becomes another one
  /// First assigned inside the loop: what it is there. Its element may rise and its extents may vary, as others' do.
  struct Late {
    Type type;
    Binding form = {};  ///< a leaf of its class
  };
  std::optional<Late> late;

  static constexpr int height = 4 + 2 + 2 + 1 + 1 + 1 + 1 + 1;

  /// The order: whether `other` is below this or equal to it.
  bool covers(const Carried& other) const;
  /// Goes up to the least upper bound of both.
  void join(const Carried& other);
};

/// The product over all variables; those that are not named are at the bottom.
using CarriedTypes = std::map<std::string, Carried>;

bool covers(const CarriedTypes& types, const CarriedTypes& other);
void join(CarriedTypes& types, const CarriedTypes& other);

}  // namespace lac::frontend
