// What a contraction's term is made of.
#pragma once

#include <optional>

#include "ir/kernel/kernel.h"

namespace lac {

/// The term of this sum is added by one fma where the machine has it.
bool is_product_term(const Contraction& contraction, std::size_t sum);
/// Terms of csr that are 0 or NaN by themselves where the element is zero.
bool is_plain_product(const Contraction& contraction);
/// Such terms whose loads that depend on k lie at the k-th place from one that is the same for all rows: they can be
/// had for entries of several rows at once.
bool is_product_of_entries(const Kernel& kernel, const Contraction& contraction);

/// The factors of a term `left * right`, as instructions of the prologue.
struct Factors {
  InstrId left = {}, right = {};
};

/// Nothing where the term is not a product in the contraction's element, or there are several.
std::optional<Factors> factors_of(const Contraction& contraction);
/// The factors where left does not depend on j, nor right on i: matrix * matrix.
std::optional<Factors> separate_factors(const Contraction& contraction);

/// Neighbouring k are neighbours in the memory of some load that `root` needs and that depends on k and on `other`
/// (rows: i, cols: j).
bool k_is_contiguous(const Body& prologue, InstrId root, Axis other);

}  // namespace lac
