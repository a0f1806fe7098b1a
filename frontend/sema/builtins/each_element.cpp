// cellfun, arrayfun, structfun: a function of each element, written out.
#include "frontend/sema/builtins/each_element.h"

#include <algorithm>

#include "frontend/sema/builtins/aggregate_overloads.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

/// Element k of an argument: what a cell holds, one struct of an array, an element of a matrix.
Binding argument_of(Call& call, const Binding& argument, std::int64_t k) {
  if (argument.is_cell()) return items_of(argument)[static_cast<std::size_t>(k)];
  if (argument.is_record()) return selected(argument, {k}, 1, 1);
  const Complex parts = parts_of(call.emit, argument.numbers());
  if (call.type(parts.re).is_scalar()) return argument;
  const Subscripts here{{{SubscriptKind::range, k, 1, 1}}};
  if (argument.is_integer()) return argument.with_value(call.emit.builder.index(parts.re, here, {}, 1, 1));
  return complex_binding(call.emit,
                         each_part(parts, [&](ValueId part) { return call.emit.builder.index(part, here, {}, 1, 1); }));
}

std::pair<std::int64_t, std::int64_t> extents_of(Call& call, const Binding& argument) {
  if (argument.is_aggregate() && argument.aggregate->stacked)
    call.fail("the run finds how many structs there are: write a loop over them");
  if (argument.is_aggregate()) return {argument.aggregate->rows, argument.aggregate->cols};
  if (!argument.is_matrix() && !argument.is_integer() && !argument.is_complex()) call.fail("arguments must be arrays");
  const Type t = call.type(parts_of(call.emit, argument.numbers()).re);
  if (!t.rows.is_constant() || !t.cols.is_constant())
    call.fail("how many results there are must be known while the program is compiled");
  return {t.rows.constant(), t.cols.constant()};
}

/// Single characters as a string of that shape; poisoned where a value is none.
Binding gathered_characters(Call& call, const std::vector<Binding>& values, std::int64_t rows, std::int64_t cols) {
  std::vector<ValueId> characters;
  for (const Binding& value : values) {
    if (!value.is_text()) return {};
    characters.push_back(codes(call.emit, value));
    if (!call.type(characters.back()).is_scalar()) return {};
  }
  if (characters.empty()) return {};
  return Binding::computed_text(literal(call.emit, characters, rows, cols), false);
}

}  // namespace

Binding gathered(Call& call, const std::vector<Binding>& values, std::int64_t rows, std::int64_t cols, bool uniform) {
  if (!uniform) return cell_array(rows, cols, values);
  if (const Binding text = gathered_characters(call, values, rows, cols); text.is_text()) return text;
  const auto is_one_cell = [](const Binding& value) { return value.is_cell() && value.aggregate->count() == 1; };
  if (!values.empty() && std::ranges::all_of(values, is_one_cell)) {  // Octave takes cells of one element as they are
    std::vector<Binding> items;
    for (const Binding& value : values) items.push_back(items_of(value).front());
    return cell_array(rows, cols, std::move(items));
  }
  const bool complex = std::ranges::any_of(values, &Binding::is_complex);
  const IntegerClass integer_class = integer_class_of(values);
  std::vector<ValueId> scalars, imaginary;
  for (const Binding& given : values) {
    if (given.integer_class != integer_class) call.fail("return values must be of the same type (class)");
    const Binding value = given.numbers();
    const bool is_number = value.is_matrix() || value.is_complex();
    Complex parts = is_number ? parts_of(call.emit, value) : Complex{};
    const auto one_element = [&](ValueId part) {
      const Type t = call.type(part);
      return (t.rows.is(1) || !t.rows.is_constant()) && (t.cols.is(1) || !t.cols.is_constant());
    };
    if (!is_number || !one_element(parts.re))
      call.fail("all values must be scalars when UniformOutput = true; use the 'UniformOutput', false option");
    parts.re = as_scalar(call.emit, parts.re, call.span, call.name + ": the value of the function");
    if (parts.im) parts.im = as_scalar(call.emit, parts.im, call.span, call.name + ": the value of the function");
    scalars.push_back(parts.re);
    if (complex) imaginary.push_back(imaginary_part(call.emit, parts));
  }
  if (scalars.empty()) return Binding::matrix(call.emit.builder.fill(number(call, 0), rows, cols));
  const ValueId re = literal(call.emit, scalars, rows, cols);
  if (integer_class != IntegerClass::none) return Binding::integer(integer_class, re);
  return complex ? complex_binding(call.emit, {re, literal(call.emit, imaginary, rows, cols)}) : Binding::matrix(re);
}

namespace {

/// Whether the run finds how many elements a matrix among the arguments has.
bool counts_by_run(Call& call) {
  for (std::size_t i = 1; i < call.count() && !call.is_text(i); ++i) {
    const Binding& arg = call.args[i];
    if (!arg.is_matrix() && !arg.is_integer() && !arg.is_complex()) continue;
    const Type t = call.type(parts_of(call.emit, arg.numbers()).re);
    if (!t.rows.is_constant() || !t.cols.is_constant()) return true;
  }
  return false;
}

std::vector<Binding> each(Call& call) {
  if (counts_by_run(call)) return find_stacked_overload(call.name)->handler(call);
  const bool uniform = takes_uniform_output(call);
  using Extents = std::pair<std::int64_t, std::int64_t>;
  const auto is_one = [&](std::size_t i) { return extents_of(call, call.args[i]) == Extents{1, 1}; };
  std::size_t shaping = 1;  // the first argument of other than one element, which stands for as many as there are
  while (shaping + 1 < call.count() && is_one(shaping)) ++shaping;
  const auto [rows, cols] = extents_of(call, call.args[shaping]);
  for (std::size_t i = shaping + 1; i < call.count(); ++i)
    if (!is_one(i) && extents_of(call, call.args[i]) != Extents{rows, cols})
      call.fail("all the input arguments must have the same size and shape (arg " + std::to_string(shaping) +
                " and arg " + std::to_string(i) + ")");
  const std::size_t wanted = static_cast<std::size_t>(std::max(call.nargout, 1));
  std::vector<std::vector<Binding>> results(wanted);
  for (std::int64_t k = 0; k < rows * cols; ++k) {
    std::vector<Binding> arguments;
    for (std::size_t i = 1; i < call.count(); ++i)
      arguments.push_back(argument_of(call, call.args[i], is_one(i) ? 0 : k));
    const Binding& f = call.args[0];
    const std::vector<Binding> values =
        f.is_function() ? call.walk.call_closure(*f.function, std::move(arguments), call.nargout, call.span)
                        : call.walk.call_by_name(call.text(0), std::move(arguments), call.nargout, call.span);
    if (values.size() < wanted && call.nargout == 0) continue;
    for (std::size_t i = 0; i < wanted; ++i) {
      if (i >= values.size()) call.fail("function returned fewer than nargout values");
      results[i].push_back(values[i]);
    }
  }
  const bool calls = rows * cols > 0 || !uniform || !call.args[0].is_function();
  if (call.nargout == 0 && (!calls || (rows * cols > 0 && results[0].empty()))) return {};
  std::vector<Binding> made;
  for (const auto& values : results) made.push_back(gathered(call, values, rows, cols, uniform));
  return made;
}

}  // namespace

std::vector<Binding> map_elements(Call& call) { return each(call); }

namespace {

/// Of arguments [1, end) the first of other than one element, which says how many calls there are; the last if none is.
std::size_t shaping_argument(Emitter& e, const std::vector<Binding>& args, std::size_t end) {
  const auto is_one = [&](const Binding& arg) {
    if (arg.is_aggregate()) return !arg.is_array() && !arg.aggregate->stacked && arg.aggregate->count() == 1;
    if (arg.is_known_text()) return arg.text.size() == 1;
    const ValueId value = arg.is_complex() ? parts_of(e, arg).re : arg.value;
    return arg.is_function() || (value && e.type(value).rows.is(1) && e.type(value).cols.is(1));
  };
  std::size_t shaping = 1;
  while (shaping + 1 < end && is_one(args[shaping])) ++shaping;
  return shaping;
}

}  // namespace

bool take_error_handler(Walk& walk, Emitter& e, const std::string& name, std::vector<Binding>& args, Span span) {
  if (name != "cellfun" && name != "arrayfun") return false;
  const auto option = std::ranges::find_if(args, [](const Binding& arg) {
    return arg.is_known_text() && (arg.text == "ErrorHandler" || arg.text == "errorhandler");
  });
  if (option - args.begin() < 2 || args.end() - option < 2) return false;
  std::vector<Binding> functions = {args[0], *std::next(option)};
  for (Binding& function : functions)
    if (function.is_known_text()) function = walk.call_by_name("str2func", {function}, 1, span)[0];
  const auto is_option = [](const Binding& arg) {
    return arg.is_known_text() && (arg.text == "UniformOutput" || arg.text == "uniformoutput");
  };
  const auto end = std::find_if(args.begin() + 2, option, is_option) - args.begin();
  functions.push_back(args[shaping_argument(e, args, static_cast<std::size_t>(end))]);
  args.erase(option, option + 2);
  std::vector<Binding> handled = walk.call_by_name("errors_by_handler", std::move(functions), 2, span);
  args[0] = std::move(handled[0]);
  args.insert(args.begin() + 1, std::move(handled[1]));
  return true;
}

bool takes_uniform_output(Call& call) {
  bool uniform = true;
  while (call.count() > 3 && call.args[call.count() - 2].is_known_text()) {
    const std::string& option = call.args[call.count() - 2].text;
    if (option != "UniformOutput" && option != "uniformoutput")
      call.fail("option \"" + option + "\" is outside the language");
    const auto flag = call.emit.constant_of(call.matrix(call.count() - 1));
    if (!flag) call.fail("\"UniformOutput\" must be true or false");
    uniform = *flag != 0;
    call.args.resize(call.count() - 2);
  }
  return uniform;
}

namespace {

// structfun(f, s): the function of every field
std::vector<Binding> structfun(Call& call) {
  if (!call.args[1].is_record() || call.args[1].aggregate->count() != 1) call.fail("S must be a scalar structure");
  const Aggregate s = *call.args[1].aggregate;
  std::vector<Binding> items;
  for (const Slot& slot : s.slots) items.push_back(slot.items.front());
  const auto count = static_cast<std::int64_t>(items.size());
  call.args[1] = cell_array(count, 1, std::move(items));
  std::vector<Binding> made = each(call);
  for (Binding& result : made) {
    if (!result.is_cell()) continue;
    Aggregate fields{1, 1, {}};
    for (std::size_t k = 0; k < s.slots.size(); ++k) fields.slots.push_back({s.slots[k].name, {items_of(result)[k]}});
    result = Binding::of(Binding::Kind::record, std::move(fields));
  }
  return made;
}

/// cellfun("size", c, k), cellfun("isclass", c, name): the old forms, whose last argument is no cell array.
std::optional<Binding> of_each_cell(Call& call) {
  if (!call.args[0].is_known_text() || call.count() != 3 || !call.args[1].is_cell()) return std::nullopt;
  const std::string& name = call.args[0].text;
  if (name != "size" && name != "isclass") return std::nullopt;
  const Aggregate cells = *call.args[1].aggregate;
  std::vector<Binding> made;
  for (const Binding& item : items_of(call.args[1])) {
    const auto result = [&](const char* function, std::vector<Binding> arguments) {
      return call.walk.call_by_name(function, std::move(arguments), 1, call.span).front();
    };
    made.push_back(name == "size" ? result("size", {item, call.args[2]})
                                  : result("strcmp", {result("class", {item}), call.args[2]}));
  }
  return gathered(call, made, cells.rows, cells.cols, true);
}

std::vector<Binding> cellfun(Call& call) {
  if (const auto made = of_each_cell(call)) return {*made};
  for (std::size_t i = 1; i < call.count() && !(i > 1 && call.is_text(i)); ++i)
    if (!call.args[i].is_cell()) call.fail("C must be a cell array");
  return each(call);
}
}  // namespace

std::span<const Builtin> each_element_overloads() {
  static constexpr Builtin entries[] = {
      {"cellfun", 2, -1, 16, cellfun},
      {"structfun", 2, -1, 16, structfun},
      {"arrayfun", 2, -1, 16, each},
  };
  return entries;
}

}  // namespace lac::frontend
