// What the elements of a stacked struct array or cell array are made of: as much as is known while the program is
// compiled. A form is plain data; it outlives the attempt to lower a loop that found it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {

struct SlotForm;

/// Of a row of elements: of one class, or structs with the same fields, or cells.
struct RowForm {
  Binding::Kind kind = Binding::Kind::matrix;  ///< matrix, complex, text, integer, record or cell
  IntegerClass integer_class = IntegerClass::none;
  Element element = Element::integer;  ///< of a matrix
  bool single = false;                 ///< a matrix of class single where others are double
  bool open = false;                   ///< nothing but [] so far: it takes the class of what comes
  bool column = false, row = false;    ///< of structs or cells: certainly a column, certainly a row
  std::int64_t tuple = 0;              ///< of structs that stand for rows of so many cells (Aggregate::tuple)
  std::vector<SlotForm> slots;         ///< of structs and cells
};

RowForm form_of_kind(Binding::Kind kind);

/// Whether an element that was never given is of the class of the others.
bool is_of_doubles(const RowForm& form);

/// Structs whose fields are all matrices of one constant shape: one matrix for each, which costs nothing to index.
bool is_columns(const RowForm& form);

/// Of what the elements hold under one name.
struct SlotForm {
  std::string name = {};
  bool vacant = false;              ///< there are no elements yet
  bool ragged = false;              ///< each has extents of its own
  bool gaps = false;                ///< some may be [] of doubles among others (Slot::gaps)
  bool optional = false;            ///< of structs that have fields of their own: some may lack this one; it is ragged
  std::int64_t rows = 1, cols = 1;  ///< else of each
  RowForm row = {};
};

/// A part of a variable, by its slots and items from the outside in, that is to be stacked in this form.
struct StackedPart {
  std::vector<std::pair<std::size_t, std::size_t>> path;
  RowForm form;
};
using StackedParts = std::vector<StackedPart>;

RowForm row_form(const Emitter& e, const Binding& row);
SlotForm slot_form(const Emitter& e, const Slot& slot);
/// Of a slot that holds this value; nothing where no row takes it (functions, maps, arrays of more dimensions).
std::optional<SlotForm> item_form(const Emitter& e, const Binding& value);
/// Of all elements of an aggregate whose elements are known.
std::optional<RowForm> elements_form(const Emitter& e, const Binding& aggregate);

/// What the fields of structs have in common: those of an array are fields of all its elements, [] where they were not
/// given; structs that lie in cells or in fields have each their own.
enum class Fields : bool { shared, own };
/// The form that holds the elements of both; nothing where they are of different kinds.
std::optional<RowForm> joined_form(const RowForm& a, const RowForm& b, Fields fields = Fields::shared);
std::optional<SlotForm> joined_form(const SlotForm& a, const SlotForm& b);

/// Whether each element keeps its class among the others where a row holds the elements of both: `joined_form` would
/// make a truth value among numbers a number, and doubles among singles single.
bool keeps_classes(const RowForm& a, const RowForm& b);

/// Whether one of them, which has no elements yet, takes the class of the other's.
bool takes_class(const RowForm& a, const RowForm& b);

/// Apart from the elements of matrices, which loops and branches join by themselves, whether there are any, and `row`.
bool operator==(const RowForm& a, const RowForm& b);
bool operator==(const SlotForm& a, const SlotForm& b);

}  // namespace lac::frontend
