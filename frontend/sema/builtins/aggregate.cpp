// Structs and cell arrays: what makes them, and what takes them apart.
#include "frontend/sema/values/aggregate.h"

#include <algorithm>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/parts.h"
#include "frontend/sema/builtins/stacked.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

Binding nothing(Call& call) { return Binding::matrix(call.emit.nothing()); }

Binding truth(Call& call, bool value) {
  return Binding::matrix(call.emit.builder.constant(value ? 1 : 0, Element::logical));
}

const Binding& record(Call& call, std::size_t i) {
  if (!call.args[i].is_record()) call.fail("argument must be a struct");
  return call.args[i];
}

// struct(), struct(name, value, ...): a value in a cell is the field's, one of several cells makes an array.
std::vector<Binding> struct_of(Call& call) {
  if (call.count() == 1 && call.args[0].is_record()) return {call.args[0]};
  if (call.count() == 1 && call.is_empty_literal(0)) return {Binding::of(Binding::Kind::record, {0, 0, {}})};
  if (call.count() % 2 != 0) call.fail("additional arguments must occur as \"field\", VALUE pairs");
  std::int64_t rows = 1, cols = 1;
  for (std::size_t i = 1; i < call.count(); i += 2) {
    if (!call.args[i].is_cell()) continue;
    const Aggregate& a = *call.args[i].aggregate;
    if (a.stacked) return {structs_of_run(call)};
    if (a.count() == 1 || (a.rows == rows && a.cols == cols)) continue;
    if (rows != 1 || cols != 1) call.fail("dimensions of parameter " + std::to_string(i + 1) + " do not match");
    rows = a.rows;
    cols = a.cols;
  }
  Aggregate made{rows, cols, {}};
  for (std::size_t i = 0; i < call.count(); i += 2) {
    const std::string& name = call.text(i);
    const Binding& value = call.args[i + 1];
    const bool each = value.is_cell() && value.aggregate->count() != 1;
    Slot slot{name, {}};
    if (each) slot.items = items_of(value);
    else slot.items.assign(static_cast<std::size_t>(made.count()), value.is_cell() ? items_of(value).front() : value);
    const auto old = std::ranges::find(made.slots, name, &Slot::name);
    if (old != made.slots.end()) *old = std::move(slot);
    else made.slots.push_back(std::move(slot));
  }
  return {Binding::of(Binding::Kind::record, std::move(made))};
}

/// cell(1, n), cell(n, 1), where the run finds n; cell(size(x)) of what is a row or a column.
Binding cells_of_run(Call& call) {
  if (call.count() == 1)
    if (const auto extents = written_elements(call.emit, call.matrix(0)); extents && extents->size() == 2)
      call.args = {Binding::matrix((*extents)[0]), Binding::matrix((*extents)[1])};
  const auto is_one = [&](std::size_t i) { return call.emit.constant_of(call.scalar(i)) == 1.0; };
  if (call.count() != 2 || (!is_one(0) && !is_one(1)))
    call.fail("the run finds how many cells there are, which must be a row, cell(1, n), or a column, cell(n, 1)");
  RowForm form;
  form.kind = Binding::Kind::cell;
  form.column = !is_one(0);
  form.slots.push_back({.ragged = true});
  form.slots.front().row.element = call.emit.graph.precision;
  const Binding none = empty_row(call.emit, form);
  Aggregate made = *none.aggregate;
  made.slots.front() = slot_padded(call.emit, made.slots.front(), call.size(form.column ? 0 : 1));
  return Binding::of(Binding::Kind::cell, std::move(made));
}

// cell(n), cell(m, n), cell([m n])
std::vector<Binding> cell_of(Call& call) {
  std::vector<std::int64_t> extents;
  for (std::size_t i = 0; i < call.count(); ++i) {
    const auto numbers = numbers_of(call.emit, call.matrix(i));
    if (!numbers) return {cells_of_run(call)};
    for (const double number : *numbers) {
      if (number > 0x1p62) call.fail("out of memory or dimension too large for Octave's index type");
      extents.push_back(std::max<std::int64_t>(static_cast<std::int64_t>(number), 0));
    }
  }
  if (extents.empty()) extents = {0};
  if (extents.size() == 1) extents.push_back(extents[0]);
  if (extents.size() > 2) call.fail("more than two dimensions: cell arrays have two");
  constexpr std::int64_t most = 1'000'000;
  if (extents[0] > most || extents[1] > most || extents[0] * extents[1] > most)
    call.fail("more than " + std::to_string(most) + " cells");
  return {cell_array(extents[0], extents[1],
                     std::vector<Binding>(static_cast<std::size_t>(extents[0] * extents[1]), nothing(call)))};
}

std::vector<Binding> isstruct(Call& call) { return {truth(call, call.args[0].is_record())}; }
std::vector<Binding> iscell(Call& call) { return {truth(call, call.args[0].is_cell())}; }
std::vector<Binding> iscellstr(Call& call) {
  const Binding& c = call.args[0];
  const bool strings = c.is_cell() && std::ranges::all_of(items_of(c), &Binding::is_text);
  ValueId all = truth(call, strings).value;
  for (const Binding& item : strings ? items_of(c) : std::vector<Binding>())
    if (item.given) all = call.emit.builder.map(ScalarOp::logical_and, all, item.given);
  return {Binding::matrix(all)};
}

std::vector<Binding> isfield(Call& call) {
  const Binding &s = call.args[0], &name = call.args[1];
  // A field that one branch alone has given has a truth value that says whether it is there.
  const auto has = [&](const Binding& field) {
    if (field.is_text() && !field.is_known_text() && s.is_record()) {
      ValueId any = truth(call, false).value;
      for (const Slot& slot : s.aggregate->slots)
        any = call.emit.builder.map(ScalarOp::logical_or, any,
                                    same_strings(call.emit, field, Binding::string(slot.name, false)));
      return any;
    }
    const bool known = s.is_record() && field.is_known_text();
    const Slot* slot = known ? s.aggregate->find(field.text) : nullptr;
    if (!slot) return truth(call, false).value;
    return s.aggregate->stacked ? presence_of(call.emit, slot->stack) : presence_of(call.emit, *slot);
  };
  if (!name.is_cell()) return one(has(name));
  std::vector<ValueId> found;
  for (const Binding& item : items_of(name)) found.push_back(has(item));
  if (found.empty()) return {nothing(call)};
  return one(literal(call.emit, found, name.aggregate->rows, name.aggregate->cols));
}

/// Whether the run finds which fields the struct has.
bool has_fields_of_run(const Binding& s) {
  const Aggregate& a = *s.aggregate;
  return a.count() == 1 && std::ranges::any_of(a.slots, [](const Slot& slot) { return may_lack(slot); });
}

std::vector<Binding> fieldnames(Call& call) {
  if (!call.args[0].is_record()) call.fail("Invalid input argument");
  if (has_fields_of_run(call.args[0])) return {names_of_run(call, call.args[0].aggregate->slots)};
  std::vector<Binding> names;
  for (const Slot& slot : call.args[0].aggregate->slots) names.push_back(Binding::string(slot.name, false));
  const auto count = static_cast<std::int64_t>(names.size());
  return {cell_array(count, 1, std::move(names))};
}

std::vector<Binding> numfields(Call& call) {
  Builder& b = call.emit.builder;
  const auto number = [&](std::size_t count) { return b.constant(static_cast<double>(count), Element::integer); };
  if (!call.args[0].is_record()) return one(number(0));
  const std::vector<Slot>& slots = call.args[0].aggregate->slots;
  if (!has_fields_of_run(call.args[0])) return one(number(slots.size()));
  ValueId count = number(0);
  for (const Slot& slot : slots)
    count = b.map(ScalarOp::add, count, b.convert(presence_of(call.emit, slot), Element::integer));
  return one(count);
}

std::vector<Binding> rmfield(Call& call) {
  Aggregate made = *record(call, 0).aggregate;
  const std::vector<Binding> names = call.args[1].is_cell() ? items_of(call.args[1]) : std::vector{call.args[1]};
  for (const Binding& name : names) {
    if (!name.is_known_text()) call.fail("the name of the field must be known while the program is compiled");
    const std::string missing = "structure does not contain remove field ";
    const Slot* slot = made.find(name.text);
    if (!slot) call.fail(missing + name.text);
    if (made.count() == 1 && may_lack(*slot))
      call.emit.require(presence_of(call.emit, *slot), "rmfield: " + missing + name.text, {});
    std::erase_if(made.slots, [&](const Slot& slot) { return slot.name == name.text; });
  }
  return {Binding::of(Binding::Kind::record, std::move(made))};
}

Binding with_field(Call& call, const Binding& s, std::size_t name) {
  if (!s.is_record() || s.aggregate->count() != 1) call.fail("the struct must be 1x1");
  if (name + 2 == call.count()) return with_item(s, call.text(name), 0, call.args[name + 1], nothing(call));
  const Binding* inner = item_of(s, call.text(name));
  const Binding changed = with_field(call, inner && inner->is_record() ? *inner : empty_record(), name + 1);
  return with_item(s, call.text(name), 0, changed, nothing(call));
}

// setfield(s, "a", "b", ..., value): the struct whose field b of the field a ... is the value
std::vector<Binding> setfield(Call& call) { return {with_field(call, record(call, 0), 1)}; }

// getfield(s, "a", "b", ...): the field b of the field a ...
std::vector<Binding> getfield(Call& call) {
  Binding value = record(call, 0);
  for (std::size_t i = 1; i < call.count(); ++i) {
    const bool single = value.is_record() && value.aggregate->count() == 1;
    const Slot* slot = single ? value.aggregate->find(call.text(i)) : nullptr;
    if (slot && may_lack(*slot))
      call.emit.require(presence_of(call.emit, *slot), no_member(slot->name), {}, "Octave:invalid-indexing");
    if (!slot) call.emit.fail(call.span, no_member(call.text(i)));
    value = as_present(*slot);
  }
  return {value};
}

std::vector<Binding> struct2cell(Call& call) {
  const Binding& s = record(call, 0);
  if (s.aggregate->count() != 1) call.fail("of an array of structs has three dimensions, cell arrays have two");
  std::vector<Binding> items;
  for (const Slot& slot : s.aggregate->slots) items.push_back(slot.items.front());
  const auto count = static_cast<std::int64_t>(items.size());
  return {cell_array(count, 1, std::move(items))};
}

// cell2struct(c, names[, dim]) of a vector of cells, or of a matrix of them with a field a row (dim 1) or column (2).
std::vector<Binding> cell2struct(Call& call) {
  if (!call.args[0].is_cell()) call.fail("argument CELL must be of type cell");
  if (!call.args[1].is_cell()) call.fail("FIELDS must be a cell array of strings or a character matrix");
  const Aggregate& c = *call.args[0].aggregate;
  const bool by_rows = call.count() < 3 || call.constant_integer(2, "DIM") == 1;
  const std::vector<Binding>& names = items_of(call.args[1]);
  if (static_cast<std::int64_t>(names.size()) != (by_rows ? c.rows : c.cols))
    call.fail("number of FIELDS does not match dimension");
  const std::int64_t count = by_rows ? c.cols : c.rows;
  Aggregate made{count, 1, {}};
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (!names[f].is_known_text()) call.fail("the names of fields must be known while the program is compiled");
    Slot slot{names[f].text, {}};
    for (std::int64_t k = 0; k < count; ++k) {
      const auto at = static_cast<std::int64_t>(f);
      slot.items.push_back(
          items_of(call.args[0])[static_cast<std::size_t>(by_rows ? k * c.rows + at : at * c.rows + k)]);
    }
    made.slots.push_back(std::move(slot));
  }
  return {Binding::of(Binding::Kind::record, std::move(made))};
}

/// Element k of a matrix of a constant shape.
ValueId element_of(Call& call, ValueId value, std::int64_t k) {
  if (call.type(value).is_scalar()) return value;
  return call.emit.builder.index(value, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1);
}

std::vector<Binding> num2cell(Call& call) {
  if (call.args[0].is_cell()) call.fail("of a cell array is outside the language");
  const ValueId value = call.array(0);
  const Type t = call.type(value);
  if (!t.rows.is_constant() || !t.cols.is_constant()) {
    if (call.count() < 2) return {cells_of_elements(call, call.args[0])};
    const std::int64_t dim = call.constant_integer(1, "DIMS");
    if (dim != 1 && dim != 2) call.fail("dimension vectors for DIM must be 1 or 2");
    return call.walk.call_by_name("num2cell_by_lines", call.args, 1, call.span);
  }
  if (call.count() > 1) return {lines_in_cells(call, value)};
  std::vector<Binding> items;
  for (std::int64_t k = 0; k < t.rows.constant() * t.cols.constant(); ++k) {
    const ValueId element = element_of(call, value, k);
    items.push_back(call.is_text(0) ? Binding::computed_text(element, false) : Binding::matrix(element));
  }
  return {cell_array(t.rows.constant(), t.cols.constant(), std::move(items))};
}

constexpr std::string_view mixed = "wrong type elements or mixed cells, structs, and matrices";

// cell2mat of cells that hold cells, or structs.
Binding joined_aggregates(Call& call, const Aggregate& c) {
  const std::vector<Binding>& items = c.slots.front().items;
  std::vector<Binding> lines;
  for (std::int64_t i = 0; i < c.rows; ++i) {
    std::vector<Binding> line;
    for (std::int64_t j = 0; j < c.cols; ++j) line.push_back(items[static_cast<std::size_t>(j * c.rows + i)]);
    lines.push_back(call.walk.call_by_name("horzcat", std::move(line), 1, call.span).front());
  }
  return call.walk.call_by_name("vertcat", std::move(lines), 1, call.span).front();
}

std::vector<Binding> cell2mat(Call& call) {
  if (!call.args[0].is_cell()) call.fail("C must be a cell array");
  const Aggregate& c = *call.args[0].aggregate;
  if (c.count() == 0)
    return one(call.emit.builder.fill(call.emit.builder.constant(0, call.emit.graph.precision), c.rows, c.cols));
  const std::vector<Binding>& items = items_of(call.args[0]);
  const IntegerClass integer_class = integer_class_of(items);
  if (integer_class != IntegerClass::none) {
    std::vector<Binding> numbers;
    for (const Binding& item : items) {
      if (item.integer_class != integer_class) call.fail(std::string(mixed));
      numbers.push_back(item.numbers());
    }
    const Binding joined =
        call.walk.call_by_name("cell2mat", {cell_array(c.rows, c.cols, std::move(numbers))}, 1, call.span).front();
    return {with_class(joined, integer_class)};
  }
  const bool texts = std::ranges::all_of(items, &Binding::is_text);
  const bool aggregates = items.front().is_aggregate() && std::ranges::all_of(items, [&](const Binding& item) {
                            return item.kind == items.front().kind && !item.is_array();
                          });
  if (aggregates) return {joined_aggregates(call, c)};
  if (!texts && !std::ranges::all_of(items, &Binding::is_matrix)) call.fail(std::string(mixed));
  std::vector<Binding> lines;
  for (std::int64_t i = 0; i < c.rows; ++i) {
    std::vector<Binding> line;
    for (std::int64_t j = 0; j < c.cols; ++j) line.push_back(items[static_cast<std::size_t>(j * c.rows + i)]);
    if (texts) {
      lines.push_back(join_strings(call.emit, line, call.span));
      continue;
    }
    std::vector<ValueId> values;
    for (const Binding& item : line) values.push_back(item.value);
    lines.push_back(Binding::matrix(concatenate(call.emit, values, Axis::cols, call.span)));
  }
  if (texts) return {stack_strings(call.emit, lines, call.span)};
  std::vector<ValueId> values;
  for (const Binding& line : lines) values.push_back(line.value);
  return one(concatenate(call.emit, values, Axis::rows, call.span));
}

std::vector<Binding> of_cells(Call& call) { call.fail("C must be a cell array"); }

// keys(m), values(m), isKey(m, key), remove(m, key) of what is none.
std::vector<Binding> of_map(Call& call) { call.fail("argument 1 must be a containers.Map"); }
std::vector<Binding> isobject(Call& call) { return {truth(call, false)}; }

}  // namespace

std::span<const Builtin> aggregate_builtins() {
  static constexpr Builtin entries[] = {
      {"cellfun", 2, -1, 16, of_cells},      {"structfun", 2, -1, 16, of_cells},
      {"struct", 0, -1, 1, struct_of},       {"cell", 0, -1, 1, cell_of},
      {"isstruct", 1, 1, 1, isstruct},       {"iscell", 1, 1, 1, iscell},
      {"iscellstr", 1, 1, 1, iscellstr},     {"isfield", 2, 2, 1, isfield},
      {"fieldnames", 1, 1, 1, fieldnames},   {"numfields", 1, 1, 1, numfields},
      {"rmfield", 2, 2, 1, rmfield},         {"setfield", 3, -1, 1, setfield},
      {"getfield", 2, -1, 1, getfield},      {"struct2cell", 1, 1, 1, struct2cell},
      {"cell2struct", 2, 3, 1, cell2struct}, {"num2cell", 1, 2, 1, num2cell},
      {"cell2mat", 1, 1, 1, cell2mat},       {"keys", 1, 1, 1, of_map},
      {"values", 1, 2, 1, of_map},           {"isKey", 2, 2, 1, of_map},
      {"remove", 2, 2, 1, of_map},           {"isobject", 1, 1, 1, isobject},
  };
  return entries;
}

}  // namespace lac::frontend
