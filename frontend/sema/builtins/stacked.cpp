#include "frontend/sema/builtins/stacked.h"

#include <algorithm>

#include "frontend/sema/builtins/aggregate_overloads.h"
#include "frontend/sema/builtins/unique_options.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/nothing.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

using Kind = Binding::Kind;

std::vector<Binding> run(Call& call, const std::string& function, std::vector<Binding> args, int nargout) {
  return call.walk.call_by_name(function, std::move(args), nargout, call.span);
}

/// The form of a cell array with one slot.
Binding cells(Slot slot, bool column) {
  slot.name.clear();
  return Binding::of(Kind::cell, {1, 1, {std::move(slot)}, true, column});
}

/// Structs or cells as a row.
Binding as_row(Call& call, const Binding& aggregate) {
  if (aggregate.aggregate->stacked) return aggregate;
  const auto form = elements_form(call.emit, aggregate);
  if (!form) call.fail("the run finds how many elements another argument has, so all here must be of one kind");
  return row_of(call.emit, aggregate, *form);
}

/// The elements of an argument as cells: what cells hold, structs, elements of a matrix.
Binding as_cells(Call& call, const Binding& argument) {
  if (!argument.is_aggregate()) return cells_of_elements(call, argument);
  const Binding row = as_row(call, argument);
  if (row.is_cell()) return row;
  Slot slot;
  slot.item_rows = slot.item_cols = 1;
  slot.stack = row;
  return cells(std::move(slot), row.aggregate->column);
}

/// As a column where it is a row, and the other way round.
Binding turned(const Binding& row) {
  Aggregate made = *row.aggregate;
  made.column = !made.column;
  return Binding::of(row.kind, std::move(made));
}

/// What results of one function call are gathered in: as many zeros as there are cells.
Binding zeros_like(Call& call, const SlotForm& form, const Binding& first) {
  Emitter& e = call.emit;
  const auto zeros = [&](Element element) {
    const auto [rows, cols] = extents_of(e, *first.aggregate);
    return e.builder.fill(e.builder.constant(0, element), rows, cols);
  };
  switch (form.row.kind) {
    case Kind::matrix: return Binding::matrix(zeros(form.row.element));
    case Kind::integer: return Binding::integer(form.row.integer_class, zeros(Element::integer));
    case Kind::text: return Binding::computed_text(zeros(Element::integer), false);
    case Kind::complex: return complex_binding(e, {zeros(e.graph.precision), zeros(e.graph.precision)});
    default: call.fail("all values must be scalars when UniformOutput = true; use the 'UniformOutput', false option");
  }
}

/// What there is no call for is 0x0 as the cells are.
void note_result(Emitter& e, const Binding& result) {
  if (is_row_of_run(result)) note_nothing(e, result);
  else if (result.is_matrix()) note_nothing(e, result.value);
}

// cellfun(f, c, ...), arrayfun(f, s, ...)
std::vector<Binding> each(Call& call) {
  Emitter& e = call.emit;
  const bool uniform = takes_uniform_output(call);
  const Binding f = call.args[0].is_function() ? call.args[0] : function_named(call.text(0), call.span);
  std::vector<Binding> arguments;
  for (std::size_t i = 1; i < call.count(); ++i) {
    if (call.name == "cellfun" && !call.args[i].is_cell()) call.fail("C must be a cell array");
    arguments.push_back(as_cells(call, call.args[i]));
  }
  const auto counted = [&](const Binding& cells) { return count_of(e, *cells.aggregate); };
  const auto shaping = std::ranges::find_if(arguments, [&](const Binding& cells) { return !counted(cells).is(1); });
  const Size count = shaping == arguments.end() ? Size(1) : counted(*shaping);
  for (std::size_t i = 0; shaping != arguments.end() && i < arguments.size(); ++i) {
    if (counted(arguments[i]).is(1)) {  // one stands for as many as there are
      arguments[i] = as_cells(call, repeated(call, call.args[i + 1], 1, count));
      continue;
    }
    e.require(e.equal_sizes(count, counted(arguments[i])),
              call.name + ": all the input arguments must have the same size and shape (arg " +
                  std::to_string(shaping - arguments.begin() + 1) + " and arg " + std::to_string(i + 1) + ")",
              {});
  }
  const int wanted = std::max(call.nargout, 1);
  if (wanted > 2) call.fail("more than two results where the run finds how many elements there are");
  const auto forms = call.walk.forms_of([&] {
    std::vector<Binding> items;
    for (const Binding& argument : arguments) items.push_back(slot_item(e, argument.aggregate->slots.front(), 0));
    return call.walk.call_closure(*f.function, std::move(items), call.nargout, call.span);
  });
  if (forms.empty() && call.nargout == 0) {
    arguments.insert(arguments.begin(), f);
    run(call, "cellfun_by_calls", std::move(arguments), 0);
    return {};
  }
  if (static_cast<int>(forms.size()) < wanted) call.fail("function returned fewer than nargout values");
  std::vector<Binding> inputs = {f};
  if (uniform)
    for (int i = 0; i < wanted; ++i) {
      const auto& form = forms[static_cast<std::size_t>(i)];
      if (!form || (!form->ragged && form->rows * form->cols != 1))
        call.fail("all values must be scalars when UniformOutput = true; use the 'UniformOutput', false option");
      inputs.push_back(zeros_like(call, *form, arguments[0]));
    }
  const std::string loop =
      std::string(uniform ? "cellfun_by_numbers" : "cellfun_by_cells") + (wanted == 2 ? "_two" : "");
  inputs.insert(inputs.end(), arguments.begin(), arguments.end());
  std::vector<Binding> made = run(call, loop, std::move(inputs), wanted);
  if (!uniform && arguments[0].aggregate->column)
    for (Binding& cell : made) cell = turned(cell);
  if (may_be_nothing(e, *arguments[0].aggregate))
    for (const Binding& result : made) note_result(e, result);
  return made;
}

std::vector<Binding> lines(Call& call) { return run(call, "char_by_loop", call.args, 1); }

std::vector<Binding> transposed(Call& call) { return {turned(call.args[0])}; }

Binding truths(Call& call, const Binding& cells) {
  SlotForm form;
  form.row.element = Element::logical;
  return zeros_like(call, form, cells);
}

// strcmp(c, s), strcmp(c, d), strncmp(c, s, n) and those without regard to case
std::vector<Binding> compared(Call& call) {
  if (!call.args[0].is_cell()) std::swap(call.args[0], call.args[1]);
  const Binding c = as_cells(call, call.args[0]);
  std::vector<Binding> inputs = {truths(call, c), function_named(call.name, call.span), c, call.args[1]};
  if (call.args[1].is_cell()) inputs.back() = as_cells(call, call.args[1]);
  if (call.count() > 2) inputs.push_back(call.args[2]);
  return run(call, call.args[1].is_cell() ? "strcmp_by_pairs" : "strcmp_by_loop", std::move(inputs), 1);
}

// [found, place] = ismember(s, c), ismember(c, d)
std::vector<Binding> ismember(Call& call) {
  if (!call.args[1].is_cell()) call.fail("S must be a cell array of strings where A is one");
  const Binding set = as_cells(call, call.args[1]);
  if (!call.args[0].is_cell()) return run(call, "ismember_by_loop", {call.args[0], set}, 2);
  const Binding c = as_cells(call, call.args[0]);
  SlotForm number;
  return run(call, "ismember_by_cells", {truths(call, c), zeros_like(call, number, c), c, set}, 2);
}

// [sorted, order] = sort(c), sort(c, "descend"); [once, first, place] = unique(c, options...)
std::vector<Binding> sort(Call& call) {
  const bool descends = call.count() > 1 && call.text(1) == "descend";
  const Binding mode = Binding::matrix(call.emit.builder.constant(descends ? 1 : 0, Element::logical));
  const Binding c = as_cells(call, call.args[0]);
  std::vector<Binding> made = run(call, "sort_by_strings", {c, mode}, 2);
  if (c.aggregate->column) made[1] = run(call, "transpose", {made[1]}, 1).front();
  return made;
}

std::vector<Binding> unique(Call& call) {
  const UniqueOptions options = unique_options(call);
  const Binding c = as_cells(call, call.args[0]);
  const bool turns = options.legacy && !c.aggregate->column;
  if (call.nargout > 2 && options.stable) warn_no_ranks(call);
  std::vector<Binding> made =
      run(call, "unique_by_strings",
          {c, Binding::matrix(truth(call, options.last)), Binding::matrix(truth(call, options.stable))},
          std::max(call.nargout, 1));
  for (std::size_t i = 1; turns && i < made.size(); ++i) made[i] = run(call, "transpose", {made[i]}, 1).front();
  return made;
}

std::vector<Binding> strjoin(Call& call) {
  std::vector<Binding> inputs = {as_cells(call, call.args[0])};
  inputs.push_back(escapes_expanded(call.count() > 1 ? call.args[1] : Binding::string(" ", false)));
  return run(call, "strjoin_by_loop", std::move(inputs), 1);
}

std::vector<Binding> cell2mat(Call& call) {
  const Binding c = as_cells(call, call.args[0]);
  return run(call, c.aggregate->column ? "vertcat_by_loop" : "horzcat_by_loop", {c}, 1);
}

/// Whether both hold the same, by a loop for each field.
ValueId equal(Call& call, const Binding& a, const Binding& b) {
  if (a.kind != b.kind || a.aggregate->slots.size() != b.aggregate->slots.size()) return truth(call, false);
  const Binding first = as_row(call, a), second = as_row(call, b);
  ValueId same = truth(call, true);
  for (const Slot& slot : first.aggregate->slots) {
    const Slot* other = second.aggregate->find(slot.name);
    if (!other) return truth(call, false);
    const ValueId next = run(call, "isequal_by_loop", {cells(slot, false), cells(*other, false)}, 1).front().value;
    same = call.emit.builder.map(ScalarOp::logical_and, same, next);
  }
  return same;
}

std::vector<Binding> isequal(Call& call) {
  ValueId same = truth(call, true);
  for (std::size_t i = 1; i < call.count(); ++i)
    same = call.emit.builder.map(ScalarOp::logical_and, same, equal(call, call.args[0], call.args[i]));
  return one(same);
}

std::vector<Binding> iscellstr(Call& call) {
  const Binding& c = call.args[0];
  const bool strings = c.is_cell() && c.aggregate->stacked && c.aggregate->slots.front().stack.is_text();
  if (strings) return one(all_given(call.emit, c.aggregate->slots.front()));
  return one(call.emit.builder.constant(0, Element::logical));
}

// upper(c), strtrim(c), strrep(c, a, b): of what each cell holds, in cells again
std::vector<Binding> of_each_string(Call& call) {
  const Binding c = as_cells(call, call.args[0]);
  std::vector<Binding> inputs = {function_named(call.name, call.span), c};
  inputs.insert(inputs.end(), call.args.begin() + 1, call.args.end());
  const Binding made = run(call, "cellfun_by_strings", std::move(inputs), 1).front();
  return {c.aggregate->column ? turned(made) : made};
}

// [word, rest] = strtok(c, separators)
std::vector<Binding> strtok(Call& call) {
  const bool column = call.args[0].aggregate->column;
  std::vector<Binding> made = run(call, "strtok_by_loop", call.args, 2);
  for (Binding& cells : made) cells = column ? turned(cells) : cells;
  return made;
}

// strcat(c, s, d), two at a time
std::vector<Binding> strcat_of(Call& call) {
  Binding joined;
  bool column = false;
  for (std::size_t i = 0; i < call.count(); ++i) {
    Binding part = call.args[i];
    if (!part.is_cell()) part = cell_array(1, 1, run(call, "strcat", {part}, 1));
    column = column || (is_row_of_run(part) && part.aggregate->column);
    joined = i == 0 ? as_cells(call, part) : run(call, "strcat_by_pairs", {joined, as_cells(call, part)}, 1).front();
  }
  return {joined.aggregate->column == column ? joined : turned(joined)};
}

// fliplr of a row, flipud of a column, flip of both; across there is nothing to turn.
std::vector<Binding> flipped(Call& call) {
  const bool column = call.args[0].aggregate->column;
  if (call.name != "flip" && (call.name == "flipud") != column) return {call.args[0]};
  return run(call, "flip_by_positions", {call.args[0]}, 1);
}

constexpr std::string_view takers[] = {
    "numel",
    "length",
    "isscalar",
    "isvector",
    "isrow",
    "iscolumn",
    "ismatrix",
    "rows",
    "columns",
    "ndims",
    "isempty",
    "size",
    "class",
    "isa",
    "isnumeric",
    "isreal",
    "ischar",
    "islogical",
    "is_function_handle",
    "issparse",
    "isstruct",
    "iscell",
    "isfield",
    "fieldnames",
    "numfields",
    "rmfield",
    "orderfields",
    "setfield",
    "getfield",
    "struct",
    "struct2cell",
    "disp",
    "display",
    "horzcat",
    "vertcat",
    "deal",
    "exist",
    "func2str",
    "isobject",
    "isargout",
    "assert",
};

}  // namespace

Binding cells_of_elements(Call& call, const Binding& given) {
  Emitter& e = call.emit;
  const Binding vector =
      given.is_known_text() ? Binding::computed_text(characters(e, given), given.double_quoted) : given;
  const Type t = e.type(vector.is_text() ? vector.value : parts_of(e, vector.numbers()).re);
  const bool column = !t.rows.is(1) && t.cols.is(1);
  if (!column && !t.rows.is(1))
    e.refuse_unless(
        e.builder.map(ScalarOp::le, e.builder.size(t.rows), e.builder.constant(1, Element::integer)),
        call.name + ": the run finds how many elements there are, which must be a row, or certainly a column");
  Slot slot;
  slot.item_rows = slot.item_cols = 1;
  const auto row = [&](ValueId part) { return e.builder.reshape(part, 1, t.count()); };
  slot.stack = vector.is_complex() ? complex_binding(e, each_part(parts_of(e, vector), row))
                                   : vector.with_value(row(vector.value));
  return cells(std::move(slot), column);
}

namespace {

/// What a field of `count` structs holds, a value for each in a cell or one for all, as a slot of a row.
Slot field_of_structs(Call& call, const std::string& name, const Binding& value, const Size& count) {
  Emitter& e = call.emit;
  Binding all = value;
  if (!value.is_cell() || value.aggregate->count() == 1) {
    all = repeated(call, value.is_cell() ? value : cell_array(1, 1, {value}), 1, count);
  }
  all = as_row(call, all);
  e.require(e.equal_sizes(count_of(e, *all.aggregate), count),
            call.name + ": the cells of one parameter must be as many as those of another", {});
  Slot slot = all.aggregate->slots.front();
  slot.name = name;
  return slot;
}

}  // namespace

Binding structs_of_run(Call& call) {
  Aggregate made{1, 1, {}, true};
  const auto first = std::ranges::find_if(call.args, is_row_of_run);
  made.column = first->aggregate->column;
  const Size count = count_of(call.emit, *first->aggregate);
  for (std::size_t i = 0; i < call.count(); i += 2) {
    Slot slot = field_of_structs(call, call.text(i), call.args[i + 1], count);
    const auto old = std::ranges::find(made.slots, slot.name, &Slot::name);
    if (old != made.slots.end()) *old = std::move(slot);
    else made.slots.push_back(std::move(slot));
  }
  return Binding::of(Kind::record, std::move(made));
}

Binding names_of_run(Call& call, const std::vector<Slot>& fields) {
  Emitter& e = call.emit;
  RowForm form;
  form.kind = Kind::cell;
  form.column = true;
  form.slots.push_back({.ragged = true, .row = form_of_kind(Kind::text)});
  Binding names = empty_row(e, form);
  for (const Slot& field : fields) {
    const Binding cell = row_of(e, cell_array(1, 1, {Binding::string(field.name, false)}), form);
    const ValueId there = e.builder.convert(presence_of(e, field), Element::integer);
    names = row_joined(e, names, row_slice(e, cell, 0, e.bounded_size(there)));
  }
  return names;
}

const Builtin* find_stacked_overload(std::string_view name) {
  static constexpr Builtin entries[] = {
      {"cellfun", 2, -1, 16, each},
      {"arrayfun", 2, -1, 16, each},
      {"transpose", 1, 1, 1, transposed},
      {"ctranspose", 1, 1, 1, transposed},
      {"strcmp", 2, 2, 1, compared},
      {"strcmpi", 2, 2, 1, compared},
      {"strncmp", 3, 3, 1, compared},
      {"strncmpi", 3, 3, 1, compared},
      {"ismember", 2, 2, 2, ismember},
      {"sort", 1, 2, 2, sort},
      {"unique", 1, 4, 3, unique},
      {"strjoin", 1, 2, 1, strjoin},
      {"cell2mat", 1, 1, 1, cell2mat},
      {"isequal", 2, -1, 1, isequal},
      {"iscellstr", 1, 1, 1, iscellstr},
      {"upper", 1, 1, 1, of_each_string},
      {"lower", 1, 1, 1, of_each_string},
      {"toupper", 1, 1, 1, of_each_string},
      {"tolower", 1, 1, 1, of_each_string},
      {"strtrim", 1, 1, 1, of_each_string},
      {"strrep", 3, 3, 1, of_each_string},
      {"regexprep", 3, 3, 1, of_each_string},
      {"deblank", 1, 1, 1, of_each_string},
      {"strtok", 1, 2, 2, strtok},
      {"strcat", 1, -1, 1, strcat_of},
      {"fliplr", 1, 1, 1, flipped},
      {"flip", 1, 1, 1, flipped},
      {"flipud", 1, 1, 1, flipped},
      {"char", 1, 1, 1, lines},
  };
  const auto found = std::ranges::find(entries, name, &Builtin::name);
  return found == std::end(entries) ? nullptr : found;
}

bool takes_rows(std::string_view name) { return std::ranges::find(takers, name) != std::end(takers); }

bool is_row_of_run(const Binding& value) { return (value.is_record() || value.is_cell()) && value.aggregate->stacked; }

}  // namespace lac::frontend
