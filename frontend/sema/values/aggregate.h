// Structs, arrays of structs and cell arrays: rows of values with names, known while the program is compiled. What
// they are made of is known there; the run brings the values of their leaves, which are matrices like any other.
//
// In an Environment an aggregate lies flat: under its name the form alone, each leaf under a path of its own (`s.pos`,
// `c{3}`, `s(2).pos`). So branches and loops treat leaves as variables. Everywhere else it is one Binding, a tree.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"
#include "ir/support/result.h"

namespace lac::frontend {

/// How it is known whether a struct has a field: it does; what the field holds tells; nothing does, for it may be there
/// and hold nothing.
enum class Presence : std::uint8_t { certain, by_contents, unknown };

/// What the elements of an aggregate hold under one name.
struct Slot {
  std::string name;  ///< of the field; empty for the contents of cells
  std::vector<Binding> items;
  /// Of what is stacked, in place of items: a row of elements (sema/stacks), a column for each, and the shape of
  /// what a column is.
  Binding stack = {};
  std::int64_t item_rows = 0, item_cols = 0;
  /// Or the elements lie one behind the other, and `places` tells of each its rows, its columns, where it begins, and
  /// whether it is of the class of the others: 0 of those that are [] of doubles among others.
  bool ragged = false;
  Binding places = {};
  bool vacant = false;  ///< of what is stacked: there was no element yet, so the stack may become any
  bool gaps = false;  ///< of what is ragged and not doubles: some may never have been given anything, as `places` tells
  /// Of what is stacked: a field that some structs lack, which each hold in a cell, where the others have none.
  bool optional = false;
  /// Of one struct: whether it has the field, where that holds a struct or cells; all other items tell themselves
  /// (Binding::defined).
  Presence presence = Presence::certain;
};

/// rows x cols structs with the same fields, or as many cells. Elements are in column-major order.
struct Aggregate {
  std::int64_t rows = 1, cols = 1;
  std::vector<Slot> slots;  ///< fields in the order in which they were made; of a cell array: one
  /// A row of structs or cells, one stack for each field: how many there are, and which is meant, the run may find. The
  /// extents above mean nothing then. A field that was not given to the last elements has fewer columns.
  bool stacked = false;
  bool column = false;  ///< a column of them, of what is stacked
  /// Of stacked structs that stand for cells: each is a row of so many cells of kinds of their own, its fields.
  std::int64_t tuple = 0;
  /// Of an array of three and more dimensions: its extents but for the last one. Its elements are one matrix, a column
  /// for each place along the last dimension; see arrays/array.h.
  std::vector<Size> lead = {};

  std::int64_t count() const { return stacked ? -1 : rows * cols; }  ///< -1: the run finds it (count_of)
  const Slot* find(std::string_view name) const;
};

/// One struct without fields.
Binding empty_record();
/// `items` in column-major order.
Binding cell_array(std::int64_t rows, std::int64_t cols, std::vector<Binding> items);
/// Of a cell array, in column-major order.
inline const std::vector<Binding>& items_of(const Binding& cell) {
  if (cell.aggregate->stacked) throw InternalError("cells that the run finds, where they must be known");
  return cell.aggregate->slots.front().items;
}
/// What an element holds under a name; null where no field has it.
const Binding* item_of(const Binding& aggregate, std::string_view name, std::int64_t element = 0);
/// The aggregate with another item there; a field that is new is added, [] for the other elements.
Binding with_item(const Binding& aggregate, std::string_view name, std::int64_t element, Binding item,
                  const Binding& nothing);
/// The aggregate with rows x cols elements, which are not fewer in either direction; `nothing` in those that are new.
Binding resized(const Binding& aggregate, std::int64_t rows, std::int64_t cols, const Binding& nothing);
/// The elements at these places, rows x cols of them.
Binding selected(const Binding& aggregate, const std::vector<std::int64_t>& elements, std::int64_t rows,
                 std::int64_t cols);

/// How many elements there are: of stacked structs as many as the field has that was given to most of them.
Size count_of(Emitter& e, const Aggregate& aggregate);
/// How many of them a slot of what is stacked has: a row is a matrix with a column for each element, two of them of
/// complex values, or stacked itself.
Size count_of(Emitter& e, const Slot& slot);
/// Rows and columns of structs or cells.
struct AggregateExtents {
  Size rows, cols;
};
AggregateExtents extents_of(Emitter& e, const Aggregate& aggregate);

/// The tree without what the leaves hold.
Binding form_of(const Binding& binding);
/// The tree as if all that it holds had been given (Binding::given).
Binding without_given(Binding binding);
/// The same names, extents and kinds of aggregates throughout.
bool same_form(const Binding& a, const Binding& b);
/// Whether a branch can have either as its result.
bool of_one_kind(const Binding& a, const Binding& b);
/// What Octave says where a struct lacks a field.
inline std::string no_member(const std::string& field) { return "structure has no member '" + field + "'"; }
/// "1x3 cell array", "struct", "1x2 struct array with fields pos, vel".
std::string form_text(const Binding& aggregate);

/// Of more elements than these none is chosen while the program runs.
inline constexpr std::int64_t most_chosen = 64;
/// Whether the run can choose one of the elements: they are few, and a branch can have each as its result.
bool can_be_chosen(const Aggregate& a);

/// A row of cells as a struct with a field for each, "1", "2", ..., and such a struct as cells.
Binding record_of_tuple(const Binding& cells);
Binding tuple_of_record(const Binding& record);

/// Calls `visit` with the path and the value of every leaf below `path`.
void for_each_leaf(const Binding& binding, const std::string& path,
                   const std::function<void(const std::string& path, const Binding& leaf)>& visit);
/// Whether the name is the path of a leaf, and the variable that it is of.
bool is_leaf(std::string_view name);
std::string root_of(std::string_view name);
/// Whether the leaf at `path` lies at or below `prefix`.
bool lies_below(std::string_view path, std::string_view prefix);

/// Whether the run finds whether one struct has the field: one arm of a branch alone may have given it.
bool may_lack(const Slot& field);
/// Whether it has, a logical scalar. Of a struct or cells that may lack: whether anything is there that they hold;
/// fails where they hold nothing.
ValueId presence_of(Emitter& e, const Slot& field);
/// Whether any value is there that the item holds; it is there itself where it holds none.
ValueId presence_of(Emitter& e, const Binding& item);
/// What an element has in the field where it has it: of a struct each field may still lack.
Binding as_present(const Slot& field, std::size_t element = 0);
/// With all that it holds there.
Binding as_complete(const Binding& item);
/// The item, which is there only where `there` holds.
Binding with_presence(Emitter& e, const Binding& item, ValueId there);

/// What values of a leaf are called in generated code: `s_pos`.
std::string value_name(const std::string& path);

/// Sets the variable, an aggregate flat; what an aggregate before it has left goes.
void put(Environment& env, const std::string& name, const Binding& binding);
/// The variable as a whole, with all of its leaves; poisoned where there is none.
Binding whole(const Environment& env, const std::string& name);

}  // namespace lac::frontend
