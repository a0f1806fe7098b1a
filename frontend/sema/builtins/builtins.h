// The built-in functions: one table entry each, grouped by chapter of the language reference.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/sema/builtins/walk.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// A call being lowered. Arguments are already lowered; helpers report errors in Octave's words.
struct Call {
  Emitter& emit;
  Walk& walk;
  std::string name;
  std::vector<Binding> args;
  int nargout;
  Span span;
  ScalarOp function = ScalarOp::add;                   ///< of elementwise entries
  const std::vector<ast::ExprPtr>* written = nullptr;  ///< the arguments as written, where there are any

  std::size_t count() const { return args.size(); }
  [[noreturn]] void fail(const std::string& message) const { emit.fail(span, name + ": " + message); }
  ValueId matrix(std::size_t i) const;  ///< argument i as a matrix of any storage
  ValueId dense(std::size_t i) const;   ///< argument i as a dense matrix
  ValueId scalar(std::size_t i) const;
  Size size(std::size_t i) const;  ///< argument i as a size, negative counting as 0
  std::int64_t constant_integer(std::size_t i, const std::string& what) const;
  const std::string& text(std::size_t i) const;  ///< argument i as a string that is known
  ValueId array(std::size_t i) const;            ///< argument i as a matrix, a string as its codes
  bool is_text(std::size_t i) const { return i < args.size() && args[i].is_text(); }
  bool is_empty_literal(std::size_t i) const;
  const Type& type(ValueId value) const { return emit.type(value); }
};

/// repmat(value, rows, cols)
Binding repeated(Call& call, const Binding& value, const Size& rows, const Size& cols);

using Handler = std::vector<Binding> (*)(Call&);

struct Builtin {
  std::string_view name;
  int fewest, most;  ///< arguments; most -1: any number
  int results;       ///< most results
  Handler handler;
  ScalarOp function = ScalarOp::add;
};

std::span<const Builtin> fill_builtins();
std::span<const Builtin> construct_builtins();
std::span<const Builtin> shape_builtins();
std::span<const Builtin> elementwise_builtins();
std::span<const Builtin> reduce_builtins();
std::span<const Builtin> scan_builtins();
std::span<const Builtin> rearrange_builtins();
std::span<const Builtin> norm_builtins();
std::span<const Builtin> factor_builtins();
std::span<const Builtin> search_builtins();
std::span<const Builtin> filter_builtins();
std::span<const Builtin> function_builtins();
std::span<const Builtin> solve_builtins();
std::span<const Builtin> text_builtins();
std::span<const Builtin> character_builtins();
std::span<const Builtin> scanning_builtins();
std::span<const Builtin> reflection_builtins();
std::span<const Builtin> pattern_builtins();
std::span<const Builtin> effect_builtins();
std::span<const Builtin> assert_builtins();
std::span<const Builtin> sparse_builtins();
std::span<const Builtin> system_builtins();
std::span<const Builtin> file_builtins();
std::span<const Builtin> path_builtins();
std::span<const Builtin> load_builtins();
std::span<const Builtin> save_builtins();
std::span<const Builtin> textscan_builtins();
std::span<const Builtin> integer_builtins();
std::span<const Builtin> bit_builtins();
std::span<const Builtin> aggregate_builtins();
std::span<const Builtin> session_builtins();
std::span<const Builtin> complex_builtins();
std::span<const Builtin> fourier_builtins();
std::span<const Builtin> array_builtins();
std::span<const Builtin> plot_builtins();
std::span<const Builtin> figure_builtins();
std::span<const Builtin> picture_builtins();

const Builtin* find_builtin(std::string_view name);
/// What a function is where an argument is sparse, if that differs; its own handler gets such arguments otherwise.
const Builtin* find_sparse_overload(std::string_view name);
/// What it is where an argument is a struct or a cell array; null: it takes none, or does not mind.
const Builtin* find_aggregate_overload(std::string_view name);
/// What it is where the run finds how many cells or structs there are; null: as for others, or it takes none.
const Builtin* find_stacked_overload(std::string_view name);
/// Whether a function without such an overload takes them: it asks for the form alone, or hands them on.
bool takes_rows(std::string_view name);
/// Whether it is a cell array or an array of structs of which the run finds how many elements there are.
bool is_row_of_run(const Binding& value);
/// What it is where an argument is complex; null: it takes real values alone, or does not mind.
const Builtin* find_complex_overload(std::string_view name);
std::span<const Builtin> complex_factor_overloads();
/// What it is of arrays of more than two dimensions, and where it may make one of matrices; null: it takes none.
const Builtin* find_array_overload(std::string_view name);
std::vector<std::string> builtin_names();

// -- shared by several chapters

inline std::vector<Binding> one(ValueId value) { return {Binding::matrix(value)}; }
/// The axis that sum(x), max(x), ... work along, Axis::all where the result is a scalar anyway.
Axis default_axis(Call& call, ValueId& value);
/// Argument i as a dense matrix in floating elements; a square one where the message says what is wrong otherwise.
ValueId floating_matrix(Call& call, std::size_t i);
/// Argument i as n x 1, where it is a vector or has no elements; another shape fails with `message`, at run time where
/// it is found there.
ValueId vector_argument(Call& call, std::size_t i, const std::string& message);
ValueId square_matrix(Call& call, std::size_t i, const std::string& not_square);
/// Axis of an explicit dimension argument 1 or 2.
Axis dimension_axis(Call& call, std::size_t argument);
/// The same; none for a larger dimension, along which every element of a matrix stands alone. `complaint` is Octave's
/// message about a DIM below 1; one that ends with '=' shows the number.
std::optional<Axis> any_dimension(Call& call, std::size_t argument, const std::string& complaint);
/// Takes the last argument off where it is a string.
std::optional<std::string> take_option(Call& call);
/// Which elements are not zero.
ValueId nonzero_mask(Call& call, ValueId value);
/// What reshape says of an extent below 0, or of one in a vector of them, at run time where it is found there.
void require_no_negative_size(Call& call, ValueId extents);
/// Whether all elements are true, as a scalar.
ValueId all_true(Call& call, ValueId truth);
/// The parts of argument i, a matrix or a complex value; a string as its codes.
Complex complex_argument(Call& call, std::size_t i);
inline std::vector<Binding> one(Call& call, const Complex& value) { return {complex_binding(call.emit, value)}; }

/// A function called with every element, cell or struct of its arguments, written out: cellfun and arrayfun with their
/// options.
std::vector<Binding> map_elements(Call& call);
/// sscanf, fscanf: the template at argument 1, how many numbers are taken and how many stand below each other (0: all)
/// as argument 2 asks; operands of the steps that look for them.
std::vector<ValueId> numbers_wanted(Call& call);
/// Takes "UniformOutput" and its value off the arguments of cellfun and arrayfun: whether results are numbers.
bool takes_uniform_output(Call& call);

}  // namespace lac::frontend
