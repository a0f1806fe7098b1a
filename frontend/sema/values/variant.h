// Values of which the run decides the kind: a matrix on one path, a string on another. One has a slot that tells the
// kind it is of, and one for each kind that it may be of. Outside of Environments they are the values of variables and
// the results of functions alone: where a statement reads one it is of one kind (program/variants.cpp).
#pragma once

#include <optional>
#include <string>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// Whether the value may be one of several kinds.
bool can_vary(const Binding& value);
/// The form of a value that may be what either may be. Nothing where both may be cells, or structs, of two forms.
std::optional<Binding> variant_form(const Binding& a, const Binding& b);
/// The value in that form. The other kinds are poisoned: nothing is there.
Binding as_variant(Emitter& e, const Binding& value, const Binding& form);

/// How many kinds a variant may be of, in an order of their own.
std::size_t kind_count(const Binding& variant);
/// What tells the kind: a leaf, defined where the variant is.
const Binding& tag_of(const Binding& variant);
/// Whether it is of that kind.
ValueId is_of_kind(Emitter& e, const Binding& variant, std::size_t kind);
/// What it is if it is of that kind.
const Binding& alternative(const Binding& variant, std::size_t kind);
/// "matrix or string"
std::string kinds_text(const Binding& variant);

}  // namespace lac::frontend
