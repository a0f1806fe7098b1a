#include "frontend/sema/data/data_forms.h"

#include <algorithm>
#include <optional>

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

std::int64_t constant_or_any(const Size& size) { return size.is_constant() ? size.constant() : DataForm::any; }
std::int64_t one_or_any(const Size& size) { return size.is(1) ? 1 : DataForm::any; }

DataClass class_of(Element element) {
  if (element == Element::logical) return DataClass::logical;
  return element == Element::single ? DataClass::single : DataClass::real;
}

DataClass class_of(IntegerClass integer_class) {
  for (int i = static_cast<int>(DataClass::int8); i <= static_cast<int>(DataClass::uint64); ++i)
    if (lac::name(static_cast<DataClass>(i)) == info(integer_class).name) return static_cast<DataClass>(i);
  throw InternalError("an integer class that files lack");
}

Element element_of(const Emitter& e, DataClass data_class) {
  if (data_class == DataClass::real) return e.graph.precision;
  if (data_class == DataClass::logical) return Element::logical;
  return data_class == DataClass::single ? Element::single : Element::integer;
}

Binding in_class_of(const DataForm& form, const Binding& numbers) {
  return is_integer(form.data_class) ? with_class(numbers, integer_class_named(lac::name(form.data_class))) : numbers;
}

}  // namespace

// -- saving

void SavedValues::refuse(const std::string& path, const std::string& why) {
  e_.fail(span_, "save: '" + path + "' is " + why);
}

void SavedValues::add(const std::string& name, const Binding& value) {
  form.variables.push_back({name, form_of(value, name), {}});
}

DataForm SavedValues::form_of(const Binding& value, const std::string& path) {
  if (value.defined) refuse(path, "a part that one branch alone has given: whether it is there the run finds");
  switch (value.kind) {
    case Binding::Kind::matrix: return of_matrix(value.value);
    case Binding::Kind::complex: return of_complex(value);
    case Binding::Kind::text: return of_text(value);
    case Binding::Kind::array: return of_array(value);
    case Binding::Kind::record:
    case Binding::Kind::cell: return of_items(value, path);
    case Binding::Kind::integer: break;
    case Binding::Kind::function: refuse(path, "a function handle, which no file can hold here: save what it captures");
    case Binding::Kind::map: refuse(path, "a containers.Map: save keys(m) and values(m)");
    case Binding::Kind::variant: refuse(path, "a value of a kind that the run finds: save it where its kind is known");
    case Binding::Kind::poisoned: throw LowerError{};
  }
  DataForm form = of_matrix(value.value);
  form.data_class = class_of(value.integer_class);
  return form;
}

DataForm SavedValues::of_matrix(ValueId matrix) {
  const Type t = e_.type(matrix);
  DataForm form;
  form.data_class = class_of(t.element);
  form.is_sparse = t.is_sparse();
  form.extents = {one_or_any(t.rows), one_or_any(t.cols)};
  if (const auto diagonal = form.is_sparse ? std::nullopt : diagonal_of(e_, matrix)) {
    form.structure = DataStructure::diagonal;
    form.extents = {DataForm::any, DataForm::any};
    leaves.push_back(literal(e_, {e_.builder.size(t.rows), e_.builder.size(t.cols)}, 1, 2));
    matrix = *diagonal;
  } else if (const auto known = e_.facts.permutations.find(matrix); known != e_.facts.permutations.end()) {
    form.structure = DataStructure::permutation;
    matrix = known->second.cols;
  }
  leaves.push_back(matrix);
  return form;
}

DataForm SavedValues::of_complex(const Binding& value) {
  const Complex parts = parts_of(e_, value);
  const Type t = e_.type(parts.re);
  DataForm form;
  form.data_class = class_of(t.element);
  form.is_sparse = t.is_sparse();
  form.is_complex = true;
  form.extents = {one_or_any(t.rows), one_or_any(t.cols)};
  leaves.push_back(parts.re);
  leaves.push_back(parts.im);
  return form;
}

DataForm SavedValues::of_text(const Binding& text) {
  const ValueId characters = frontend::characters(e_, text);
  const Type t = e_.type(characters);
  DataForm form;
  form.data_class = DataClass::text;
  form.double_quoted = text.double_quoted;
  form.extents = {e_.facts.less_equal(e_.graph, t.rows, 1) ? 1 : DataForm::any, DataForm::any};
  leaves.push_back(characters);
  return form;
}

DataForm SavedValues::of_array(const Binding& array) {
  const IntegerClass integer_class = element_class(array);
  const Array a = array_of(e_, numbers_of(array));
  DataForm form;
  form.data_class =
      integer_class == IntegerClass::none ? class_of(e_.type(a.elements).element) : class_of(integer_class);
  form.extents.clear();
  std::vector<ValueId> extents;
  for (const Size& extent : a.extents) {
    extents.push_back(e_.builder.size(extent));
    form.extents.push_back(constant_or_any(extent));
  }
  form.extents.back() = DataForm::any;
  leaves.push_back(literal(e_, extents, 1, static_cast<std::int64_t>(extents.size())));
  leaves.push_back(a.elements);
  return form;
}

DataForm SavedValues::of_items(const Binding& aggregate, const std::string& path) {
  const Aggregate& a = *aggregate.aggregate;
  const bool is_cell = aggregate.is_cell();
  if (a.stacked)
    refuse(path, std::string(is_cell ? "a cell array" : "an array of structs") +
                     " of which the run finds how many elements there are: save what they hold as a matrix, or give "
                     "it a size that is known");
  DataForm form;
  form.data_class = is_cell ? DataClass::cell : DataClass::record;
  form.extents = {a.rows, a.cols};
  for (const Slot& slot : a.slots) {
    if (may_lack(slot)) refuse(path + "." + slot.name, "a field that one branch alone has given");
    if (!is_cell) form.fields.push_back(slot.name);
    for (std::size_t i = 0; i < slot.items.size(); ++i)
      form.items.push_back(
          form_of(slot.items[i], is_cell ? path + "{" + std::to_string(i + 1) + "}" : path + "." + slot.name));
  }
  return form;
}

// -- loading

Size LoadedValues::extent(const DataForm& form, std::size_t dimension) {
  if (form.extents[dimension] != DataForm::any) return form.extents[dimension];
  const ValueId leaf = e_.builder.constant(static_cast<double>(leaf_), Element::integer);
  const ValueId which = e_.builder.constant(static_cast<double>(dimension), Element::integer);
  return size_found(e_, e_.builder.library(LibraryFn::data_extent, {leaf, which}, {Type::scalar(Element::integer)})[0]);
}

// One at most, where strings of the form have one row: "" has none.
Size LoadedValues::rows_of_text(const DataForm& form) {
  if (form.extents[0] != 1) return extent(form, 0);
  DataForm of_run = form;
  of_run.extents[0] = DataForm::any;
  const Size rows = extent(of_run, 0);
  if (const auto symbol = rows.as_symbol()) e_.facts.at_most(*symbol, 1);
  return rows;
}

ValueId LoadedValues::leaf(const Type& type) {
  const ValueId which = e_.builder.constant(static_cast<double>(leaf_++), Element::integer);
  return e_.builder.library(LibraryFn::data_leaf, {which}, {type})[0];
}

Binding LoadedValues::next(const DataForm& form) {
  if (has_items(form.data_class)) return of_items(form);
  if (form.extents.size() > 2) return of_array(form);
  if (form.data_class != DataClass::text) return of_numbers(form);
  const Size rows = rows_of_text(form), cols = extent(form, 1);
  return Binding::computed_text(leaf(Type::matrix(Element::integer, rows, cols)), form.double_quoted);
}

ValueId LoadedValues::integers(std::int64_t rows) {
  DataForm form;
  form.extents = {rows, DataForm::any};
  return leaf(Type::matrix(Element::integer, rows, extent(form, 1)));
}

Binding LoadedValues::of_numbers(const DataForm& form) {
  const Size rows = extent(form, 0), cols = extent(form, 1);
  if (form.structure != DataStructure::none) return of_structure(form, rows, cols);
  const Element element = element_of(e_, form.data_class);
  const Type type = form.is_sparse ? csr_type(element, rows, cols) : Type::matrix(element, rows, cols);
  const ValueId re = leaf(type);
  if (form.is_complex) return complex_binding(e_, {re, leaf(type)});
  return in_class_of(form, Binding::matrix(re));
}

Binding LoadedValues::of_structure(const DataForm& form, const Size& rows, const Size& cols) {
  const Element element = element_of(e_, form.data_class);
  if (form.structure == DataStructure::permutation)
    return Binding::matrix(  // the leaf has the row of each column
        structured_transpose(e_, permutation_matrix(e_, leaf(Type::matrix(Element::integer, rows, 1)), element))
            .value());
  const Type diagonal = Type::matrix(element, e_.minimum(rows, cols), 1);
  const ValueId re = leaf(diagonal);
  if (!form.is_complex) return Binding::matrix(diagonal_matrix(e_, re, rows, cols));
  const ValueId im = leaf(diagonal);
  return complex_binding(e_, {without_structure(e_, diagonal_matrix(e_, re, rows, cols)),
                              without_structure(e_, diagonal_matrix(e_, im, rows, cols))});
}

Binding LoadedValues::of_array(const DataForm& form) {
  Array array;
  for (std::size_t i = 0; i < form.extents.size(); ++i) array.extents.push_back(extent(form, i));
  const Size rows = product(array.extents, 0, array.count() - 1);
  array.elements = leaf(Type::matrix(element_of(e_, form.data_class), rows, array.extents.back()));
  return in_class_of(form, as_binding(e_, array));
}

Binding LoadedValues::of_items(const DataForm& form) {
  Aggregate made{form.extents[0], form.extents[1], {}};
  const bool is_cell = form.data_class == DataClass::cell;
  if (is_cell) made.slots.push_back({});
  for (const std::string& field : form.fields) made.slots.push_back({field, {}});
  const auto count = static_cast<std::size_t>(form.extents[0] * form.extents[1]);
  for (std::size_t i = 0; i < form.items.size(); ++i)
    made.slots[is_cell ? 0 : i / count].items.push_back(next(form.items[i]));
  return Binding::of(is_cell ? Binding::Kind::cell : Binding::Kind::record, std::move(made));
}

}  // namespace lac::frontend
