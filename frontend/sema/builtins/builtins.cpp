#include "frontend/sema/builtins/builtins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "frontend/sema/builtins/characters.h"
#include "frontend/sema/builtins/parts.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "ir/types/extent.h"
#include "ir/types/text.h"

namespace lac::frontend {

ValueId Call::matrix(std::size_t i) const {
  const Binding& arg = args[i];
  if (arg.is_text()) fail("argument " + std::to_string(i + 1) + " must be a matrix, but is a string");
  if (arg.is_function()) fail("argument " + std::to_string(i + 1) + " must be a matrix, but is a function handle");
  if (arg.is_complex())
    return require_real_value(
        emit, parts_of(emit, arg),
        name + ": argument " + std::to_string(i + 1) + " is complex, and " + name + " is for real values here");
  if (arg.is_array())
    fail("argument " + std::to_string(i + 1) + " must be a matrix, but is an array of " +
         std::to_string(arg.aggregate->lead.size() + 1) + " dimensions");
  if (arg.is_aggregate())
    fail("wrong type argument '" + std::string(arg.is_cell() ? "cell array" : "struct") + "': argument " +
         std::to_string(i + 1) + " must be a matrix");
  if (arg.is_integer()) fail("integer classes are outside this function here: convert with double(x)");
  if (arg.is_map()) fail(std::string(map_remedy));
  if (!arg.is_matrix()) throw LowerError{};
  return arg.value;
}

ValueId Call::dense(std::size_t i) const { return frontend::dense(emit, matrix(i)); }

ValueId Call::scalar(std::size_t i) const {
  return as_scalar(emit, dense(i), span, name + ": argument " + std::to_string(i + 1));
}

Size Call::size(std::size_t i) const { return to_size(emit, dense(i), span, true); }

std::int64_t Call::constant_integer(std::size_t i, const std::string& what) const {
  const auto number = emit.constant_of(matrix(i));
  if (!number || *number != std::trunc(*number)) fail(what + " must be a constant integer");
  return size_of_number(*number);
}

const std::string& Call::text(std::size_t i) const {
  if (!is_text(i)) fail("argument " + std::to_string(i + 1) + " must be a string");
  if (!args[i].is_known_text())
    fail("argument " + std::to_string(i + 1) + " must be a string that is known before the program runs");
  return args[i].text;
}

ValueId Call::array(std::size_t i) const { return args[i].is_text() ? characters(emit, args[i]) : matrix(i); }

Binding repeated(Call& call, const Binding& value, const Size& rows, const Size& cols) {
  const auto extent = [&](const Size& size) { return Binding::matrix(call.emit.builder.size(size)); };
  return call.walk.call_by_name("repmat", {value, extent(rows), extent(cols)}, 1, call.span).front();
}

bool Call::is_empty_literal(std::size_t i) const {
  if (i >= args.size() || !args[i].is_matrix()) return false;
  const Type t = type(args[i].value);
  return t.rows.is(0) && t.cols.is(0);
}

ValueId vector_argument(Call& call, std::size_t i, const std::string& message) {
  Emitter& e = call.emit;
  const ValueId value = call.dense(i);
  const Type t = call.type(value);
  const Size count = t.count();
  if (!t.is_vector() && !count.is(0)) {
    if (e.facts.distinct(e.graph, t.rows, 1) && e.facts.distinct(e.graph, t.cols, 1) &&
        e.facts.nonnegative(e.graph, t.rows - 1) && e.facts.nonnegative(e.graph, t.cols - 1))
      call.fail(message);
    ValueId fine = e.equal_sizes(count, 0);
    for (const Size& extent : {t.rows, t.cols})
      fine = e.builder.map(ScalarOp::logical_or, fine, e.equal_sizes(extent, 1));
    e.require(fine, call.name + ": " + message, {});
  }
  return t.is_scalar() ? value : e.builder.reshape(value, count, 1);
}

Axis default_axis(Call& call, ValueId& value) {
  const Type t = call.type(value);
  if (t.rows.is(1) || t.cols.is(1)) return Axis::all;
  if (t.rows.is(0) && t.cols.is(0)) return Axis::all;
  Emitter& e = call.emit;
  if (t.rows == t.cols && e.facts.less_equal(e.graph, t.rows, 1)) return Axis::all;  // 1x1 or 0x0
  const auto has_some = [&](const Size& extent) { return e.facts.nonnegative(e.graph, extent - 1); };
  const bool never_row = e.facts.not_one(e.graph, t.rows);
  if (never_row && (has_some(t.rows) || has_some(t.cols))) return Axis::rows;
  // Decided by the run: a row and [] become columns, so that the result is 1x1.
  const ValueId turned = e.builder.map(ScalarOp::logical_or, e.equal_sizes(t.rows, 1), e.is_zero_by_zero(t));
  const Size rows = e.chosen(turned, t.count(), t.rows), cols = e.chosen(turned, 1, t.cols);
  value = e.builder.reshape(value, rows, cols);
  return Axis::rows;
}

Axis dimension_axis(Call& call, std::size_t argument) {
  const std::int64_t dimension = call.constant_integer(argument, "DIM");
  if (dimension == 1) return Axis::rows;
  if (dimension == 2) return Axis::cols;
  call.fail("DIM must be 1 or 2");
}

std::optional<Axis> any_dimension(Call& call, std::size_t argument, const std::string& complaint) {
  const auto number = call.emit.constant_of(call.matrix(argument));
  if (!number) call.fail("DIM must be a constant");
  if (complaint.find("integer") != std::string::npos && *number != std::trunc(*number)) call.fail(complaint);
  const double dimension = std::trunc(*number);
  if (!(dimension >= 1)) call.fail(complaint + (complaint.ends_with('=') ? " " + number_text(dimension) : ""));
  if (dimension > 2) return std::nullopt;
  return dimension == 1 ? Axis::rows : Axis::cols;
}

std::optional<std::string> take_option(Call& call) {
  if (call.args.empty() || !call.args.back().is_text()) return std::nullopt;
  std::string option = call.args.back().text;
  call.args.pop_back();
  return option;
}

void require_no_negative_size(Call& call, ValueId extents) {
  Emitter& e = call.emit;
  const std::string message = "SIZE must be non-negative";
  if (const auto known = e.constant_of(extents)) {
    if (*known < 0) call.fail(message);
    return;
  }
  const Type t = call.type(extents);
  const bool is_size = t.is_scalar() && t.element == Element::integer;
  if (is_size && e.facts.nonnegative(e.graph, as_size(e.graph, extents))) return;
  const ValueId fine = e.builder.map(ScalarOp::ge, extents, e.builder.constant(0, t.element));
  e.require(t.is_scalar() ? fine : e.builder.reduce(fine, {ReduceOp::all, Axis::all}), call.name + ": " + message, {});
}

ValueId nonzero_mask(Call& call, ValueId value) {
  const Element element = call.type(value).element;
  Builder& b = call.emit.builder;
  return element == Element::logical ? value : b.map(ScalarOp::ne, value, b.constant(0, element));
}

ValueId all_true(Call& call, ValueId truth) {
  return call.type(truth).is_scalar() ? truth : call.emit.builder.reduce(truth, {ReduceOp::all, Axis::all});
}

namespace {

const std::map<std::string_view, const Builtin*>& table() {
  static const std::map<std::string_view, const Builtin*> all = [] {
    std::map<std::string_view, const Builtin*> map;
    for (const auto& chapter :
         {fill_builtins(),     construct_builtins(),  shape_builtins(),     elementwise_builtins(),
          reduce_builtins(),   scan_builtins(),       rearrange_builtins(), search_builtins(),
          filter_builtins(),   function_builtins(),   norm_builtins(),      factor_builtins(),
          solve_builtins(),    text_builtins(),       effect_builtins(),    assert_builtins(),
          sparse_builtins(),   system_builtins(),     file_builtins(),      aggregate_builtins(),
          session_builtins(),  complex_builtins(),    fourier_builtins(),   character_builtins(),
          pattern_builtins(),  array_builtins(),      plot_builtins(),      figure_builtins(),
          integer_builtins(),  bit_builtins(),        word_builtins(),      parts_builtins(),
          load_builtins(),     save_builtins(),       path_builtins(),      textscan_builtins(),
          scanning_builtins(), reflection_builtins(), picture_builtins()})
      for (const Builtin& builtin : chapter) map.emplace(builtin.name, &builtin);
    return map;
  }();
  return all;
}

}  // namespace

const Builtin* find_builtin(std::string_view name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& entry : table()) names.emplace_back(entry.first);
  return names;
}

}  // namespace lac::frontend
