// What functions of matrices are where an argument is a struct or a cell array: questions, and other shapes.
#include "frontend/sema/builtins/aggregate_overloads.h"

#include <algorithm>
#include <cmath>

#include "frontend/sema/builtins/effect.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/nothing.h"
#include "frontend/sema/values/show.h"
#include "frontend/sema/values/strings.h"
#include "ir/types/extent.h"

namespace lac::frontend {

ValueId number(Call& call, std::int64_t value) {
  return call.emit.builder.constant(static_cast<double>(value), Element::integer);
}

ValueId truth(Call& call, bool value) { return call.emit.builder.constant(value ? 1 : 0, Element::logical); }

const Aggregate& aggregate_argument(Call& call) {
  if (!call.args[0].is_aggregate()) call.fail("argument 1 must be a struct or a cell array here");
  return *call.args[0].aggregate;
}

bool has_no_elements(Call& call, const Binding& value) {
  if (value.is_cell()) return value.aggregate->count() == 0;
  return value.is_matrix() && call.type(value.value).count().is(0);
}

namespace {

ValueId number(Call& call, const Size& size) { return call.emit.builder.size(size); }

std::vector<Binding> numel(Call& call) { return one(number(call, count_of(call.emit, aggregate_argument(call)))); }
/// Of {s.f} none where there are no cells.
Size rows_of(Call& call, const Aggregate& a) {
  const Size rows = extents_of(call.emit, a).rows;
  if (!may_be_nothing(call.emit, a)) return rows;
  return call.emit.chosen(call.emit.equal_sizes(count_of(call.emit, a), 0), 0, rows);
}

std::vector<Binding> rows(Call& call) { return one(number(call, rows_of(call, aggregate_argument(call)))); }
std::vector<Binding> columns(Call& call) {
  return one(number(call, extents_of(call.emit, aggregate_argument(call)).cols));
}
std::vector<Binding> ndims(Call& call) { return one(number(call, 2)); }
std::vector<Binding> isempty(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  return one(a.stacked ? call.emit.equal_sizes(count_of(call.emit, a), 0) : truth(call, a.count() == 0));
}
std::vector<Binding> length(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  if (a.stacked) return one(number(call, count_of(call.emit, a)));
  return one(number(call, a.count() == 0 ? 0 : std::max(a.rows, a.cols)));
}

std::vector<Binding> size(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  const Size rows = rows_of(call, a), cols = extents_of(call.emit, a).cols;
  if (call.count() == 2) {
    const std::int64_t axis = call.constant_integer(1, "DIM");
    if (axis < 1) call.fail("requested dimension DIM (= " + std::to_string(axis) + ") out of range");
    return one(number(call, axis == 1 ? rows : axis == 2 ? cols : Size(1)));
  }
  if (call.nargout < 2) return one(literal(call.emit, {number(call, rows), number(call, cols)}, 1, 2));
  std::vector<Binding> extents = one(number(call, rows));
  extents.push_back(Binding::matrix(number(call, cols)));
  while (static_cast<int>(extents.size()) < call.nargout) extents.push_back(Binding::matrix(number(call, 1)));
  return extents;
}

std::vector<Binding> class_of(Call& call) {
  return {Binding::string(call.args[0].is_cell() ? "cell" : "struct", false)};
}

std::vector<Binding> yes(Call& call) { return one(truth(call, true)); }
std::vector<Binding> no(Call& call) { return one(truth(call, false)); }
std::vector<Binding> isscalar(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  return one(a.stacked ? call.emit.equal_sizes(count_of(call.emit, a), 1) : truth(call, a.count() == 1));
}
std::vector<Binding> isvector(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  if (a.stacked) return one(call.emit.builder.map(ScalarOp::ge, number(call, count_of(call.emit, a)), number(call, 1)));
  return one(truth(call, (a.rows == 1 || a.cols == 1) && a.count() >= 1));
}
std::vector<Binding> isrow(Call& call) {
  return one(call.emit.equal_sizes(extents_of(call.emit, aggregate_argument(call)).rows, 1));
}
std::vector<Binding> iscolumn(Call& call) {
  return one(call.emit.equal_sizes(extents_of(call.emit, aggregate_argument(call)).cols, 1));
}

ValueId both(Call& call, ValueId a, ValueId b) {
  if (const auto known = call.emit.constant_of(a)) return *known != 0 ? b : a;
  if (const auto known = call.emit.constant_of(b)) return *known != 0 ? a : b;
  return call.emit.builder.map(ScalarOp::logical_and, a, b);
}

ValueId equal(Call& call, const Binding& a, const Binding& b) {
  if (!a.is_aggregate() && !b.is_aggregate())
    return call.walk.call_by_name("isequal", {a, b}, 1, call.span).front().value;
  if (a.kind != b.kind) return truth(call, false);
  if (is_row_of_run(a) || is_row_of_run(b))
    return call.walk.call_by_name("isequal", {a, b}, 1, call.span).front().value;
  const Aggregate &x = *a.aggregate, &y = *b.aggregate;
  if (x.rows != y.rows || x.cols != y.cols || x.slots.size() != y.slots.size()) return truth(call, false);
  ValueId same = truth(call, true);
  for (const Slot& slot : x.slots) {
    const Slot* other = y.find(slot.name);
    if (!other) return truth(call, false);
    const bool of_strings = (a.is_cell() || slot.items.size() > 1) &&
                            std::ranges::all_of(slot.items, &Binding::is_text) &&
                            std::ranges::all_of(other->items, &Binding::is_text);
    for (std::size_t i = 0; i < slot.items.size(); ++i) {
      const Binding &one = slot.items[i], &its = other->items[i];
      same = both(call, same, of_strings ? same_in_cells(call.emit, one, its) : equal(call, one, its));
    }
  }
  return same;
}

std::vector<Binding> isequal(Call& call) {
  ValueId same = truth(call, true);
  for (std::size_t i = 1; i < call.count(); ++i) same = both(call, same, equal(call, call.args[0], call.args[i]));
  return one(same);
}
std::vector<Binding> transposed(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.cols; ++j) order.push_back(j * a.rows + i);
  return {selected(call.args[0], order, a.cols, a.rows)};
}

std::vector<Binding> reshape(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  std::optional<std::int64_t> given[2];
  if (call.count() == 2) {
    const auto both = numbers_of(call.emit, call.matrix(1));
    const auto whole = [](double number) { return number == std::trunc(number); };
    if (!both || both->size() != 2 || !std::ranges::all_of(*both, whole))
      call.fail("the size must be two numbers that are known while compiling");
    for (std::size_t i = 0; i < 2; ++i) given[i] = static_cast<std::int64_t>((*both)[i]);
  } else {
    constexpr const char* names[] = {"the number of rows", "the number of columns"};
    for (std::size_t i = 0; i < 2; ++i)
      if (!has_no_elements(call, call.args[i + 1])) given[i] = call.constant_integer(i + 1, names[i]);
  }
  if (!given[0] && !given[1]) call.fail("only a single dimension can be unknown");
  for (const auto& each : given)
    if (each && *each < 0) call.fail("SIZE must be non-negative");
  for (std::size_t i = 0; i < 2; ++i) {  // [] is what the other leaves
    if (given[i]) continue;
    const std::int64_t other = *given[1 - i];
    if (other <= 0 || a.count() % other != 0)
      call.fail("SIZE is not divisible by the product of known dimensions (= " + std::to_string(other) + ")");
    given[i] = a.count() / other;
  }
  const std::int64_t rows = *given[0], cols = *given[1];
  if (rows * cols != a.count())
    call.fail("can't reshape " + std::to_string(a.rows) + "x" + std::to_string(a.cols) + " array to " +
              std::to_string(rows) + "x" + std::to_string(cols) + " array");
  Aggregate made = a;
  made.rows = rows;
  made.cols = cols;
  return {Binding::of(call.args[0].kind, std::move(made))};
}

// repmat(c, m, n), repmat(c, [m n]) of a cell array or of structs; fewer than none are none.
std::vector<Binding> repmat(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  if (call.count() == 2)
    if (const auto both = numbers_of(call.emit, call.matrix(1)); both && both->size() == 2) {
      call.args.pop_back();
      for (const double each : *both) call.args.push_back(Binding::matrix(number(call, size_of_number(each))));
    }
  if (call.count() == 3 && !a.stacked && a.rows == 1 && a.cols == 1) {
    const auto down = call.emit.constant_of(call.matrix(1)), across = call.emit.constant_of(call.matrix(2));
    if ((down == 1 && !across) || (across == 1 && !down && call.args[0].is_cell()))
      return call.walk.call_by_name("repmat_by_loop", call.args, 1, call.span);
  }
  const auto times = [&](std::size_t i, const char* name) {
    return std::max<std::int64_t>(call.constant_integer(i, name), 0);
  };
  const std::int64_t down = times(1, "M"), across = call.count() > 2 ? times(2, "N") : down;
  if (a.stacked) call.fail("how many there are must be known while the program is compiled");
  std::vector<std::int64_t> order;
  for (std::int64_t j = 0; j < a.cols * across; ++j)
    for (std::int64_t i = 0; i < a.rows * down; ++i) order.push_back(j % a.cols * a.rows + i % a.rows);
  return {selected(call.args[0], order, a.rows * down, a.cols * across)};
}

// fliplr and flipud, of a row or column as a whole; flip along the longer side.
std::vector<Binding> flipped(Call& call) {
  const Aggregate& a = aggregate_argument(call);
  const bool rows = call.name == "flipud" || (call.name == "flip" && a.rows > 1);
  std::vector<std::int64_t> order;
  for (std::int64_t j = 0; j < a.cols; ++j)
    for (std::int64_t i = 0; i < a.rows; ++i)
      order.push_back(rows ? j * a.rows + a.rows - 1 - i : (a.cols - 1 - j) * a.rows + i);
  return {selected(call.args[0], order, a.rows, a.cols)};
}

// accumarray({i, j}, v, ...): the subscripts in cells, as columns side by side.
std::vector<Binding> accumarray(Call& call) {
  if (!call.args[0].is_cell()) call.fail("SUBS must be numeric");
  std::vector<Binding> columns;
  for (const Binding& item : items_of(call.args[0])) {
    columns.push_back(call.walk.call_by_name("vec", {item}, 1, call.span).front());
  }
  call.args[0] = call.walk.call_by_name("horzcat", std::move(columns), 1, call.span).front();
  return call.walk.call_by_name(call.name, call.args, 1, call.span);
}

std::vector<Binding> display(Call& call) {
  print_binding(call.emit, "", call.args[0]);
  return {};
}

constexpr Builtin own_entries[] = {
    {"numel", 1, 1, 1, numel},
    {"length", 1, 1, 1, length},
    {"rows", 1, 1, 1, rows},
    {"columns", 1, 1, 1, columns},
    {"ndims", 1, 1, 1, ndims},
    {"isempty", 1, 1, 1, isempty},
    {"size", 1, 2, 8, size},
    {"class", 1, 1, 1, class_of},
    {"ismatrix", 1, 1, 1, yes},
    {"accumarray", 2, 6, 1, accumarray},
    {"isnumeric", 1, 1, 1, no},
    {"isreal", 1, 1, 1, no},
    {"ischar", 1, 1, 1, no},
    {"isstring", 1, 1, 1, no},
    {"islogical", 1, 1, 1, no},
    {"is_function_handle", 1, 1, 1, no},
    {"issparse", 1, 1, 1, no},
    {"isscalar", 1, 1, 1, isscalar},
    {"isvector", 1, 1, 1, isvector},
    {"isrow", 1, 1, 1, isrow},
    {"iscolumn", 1, 1, 1, iscolumn},
    {"isequal", 2, -1, 1, isequal},
    {"transpose", 1, 1, 1, transposed},
    {"ctranspose", 1, 1, 1, transposed},
    {"reshape", 2, 3, 1, reshape},
    {"repmat", 2, 3, 1, repmat},
    {"fliplr", 1, 1, 1, flipped},
    {"flipud", 1, 1, 1, flipped},
    {"flip", 1, 1, 1, flipped},
    {"disp", 1, 1, 1, shown_or_kept<display>},
    {"assert", 1, -1, 0, assertion},
};

}  // namespace

const Builtin* find_aggregate_overload(std::string_view name) {
  for (const std::span<const Builtin> entries : {std::span<const Builtin>(own_entries), string_cell_overloads(),
                                                 string_order_overloads(), each_element_overloads()})
    if (const auto found = std::ranges::find(entries, name, &Builtin::name); found != entries.end()) return &*found;
  return nullptr;
}

}  // namespace lac::frontend
