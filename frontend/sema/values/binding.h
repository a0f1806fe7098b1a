// What names mean while a program is lowered.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "frontend/ast/ast.h"
#include "ir/graph/graph.h"
#include "ir/support/persistent_map.h"

namespace lac::frontend {

struct Closure;
struct Aggregate;
struct Slot;

/// Octave's integer classes; `none` is of all that is not of one.
enum class IntegerClass : std::uint8_t { none, int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

/// What a name or an expression stands for at compile time. Functions and strings that are known never reach the Graph;
/// a string that the program computes is a matrix of character codes there. Of structs and cell arrays only what their
/// fields and cells hold does, of complex values the real and the imaginary parts (frontend/sema/complex), of integer
/// classes a matrix of whole numbers that lie in the range of the class (frontend/sema/integers).
struct Binding {
  enum class Kind { matrix, complex, text, integer, function, record, cell, array, map, variant, poisoned };

  Kind kind = Kind::poisoned;  ///< poisoned: an error was reported where it was made; using it stays silent
  ValueId value = {};  ///< matrix; integer; text that is computed: its codes, one row unless it came from a matrix
  std::string text;    ///< text that is known; map: the hidden variable with what it holds (program/maps.h)
  bool double_quoted = false;                       ///< text: as a template, its escapes are processed already
  IntegerClass integer_class = IntegerClass::none;  ///< integer
  std::shared_ptr<const Closure> function;
  std::shared_ptr<const Aggregate> aggregate;  ///< record: a struct or an array of them; cell; array: of three and more
                                               ///< dimensions; complex: its parts; variant: the kinds that it
                                               ///< may be of (values/variant.h)
  ValueId defined = {};       ///< a logical scalar: whether the variable has a value here; invalid: it certainly has
  ValueId given = {};         ///< what an element holds: a logical scalar, whether it was given that, else it is [] of
                              ///< doubles (Slot::gaps); invalid: it certainly was
  std::string poison;         ///< poisoned: why reading it is an error, if not yet reported
  bool of_two_kinds = false;  ///< poisoned: it could be a variant

  static Binding matrix(ValueId value) {
    Binding binding;
    binding.kind = Kind::matrix;
    binding.value = value;
    return binding;
  }
  static Binding string(std::string text, bool double_quoted) {
    Binding binding;
    binding.kind = Kind::text;
    binding.text = std::move(text);
    binding.double_quoted = double_quoted;
    return binding;
  }
  static Binding computed_text(ValueId codes, bool double_quoted) {
    Binding binding = string({}, double_quoted);
    binding.value = codes;
    return binding;
  }
  static Binding integer(IntegerClass integer_class, ValueId value) {
    Binding binding = matrix(value);
    binding.kind = Kind::integer;
    binding.integer_class = integer_class;
    return binding;
  }
  static Binding handle(std::shared_ptr<const Closure> function) {
    Binding binding;
    binding.kind = Kind::function;
    binding.function = std::move(function);
    return binding;
  }

  static Binding map(std::string contents) {
    Binding binding = string(std::move(contents), false);
    binding.kind = Kind::map;
    return binding;
  }

  static Binding of(Kind kind, Aggregate aggregate);

  bool is_matrix() const { return kind == Kind::matrix; }
  bool is_integer() const { return kind == Kind::integer; }
  bool is_text() const { return kind == Kind::text; }
  bool is_known_text() const { return is_text() && !value; }
  bool is_function() const { return kind == Kind::function; }
  bool is_map() const { return kind == Kind::map; }
  bool is_record() const { return kind == Kind::record; }
  bool is_cell() const { return kind == Kind::cell; }
  bool is_array() const { return kind == Kind::array; }
  bool is_variant() const { return kind == Kind::variant; }
  bool is_complex() const { return kind == Kind::complex; }
  bool is_aggregate() const { return is_record() || is_cell() || is_array(); }
  /// Made of leaves: what is an aggregate, complex values with their two parts, and variants.
  bool is_compound() const { return aggregate != nullptr; }
  /// One value of the Graph or, of text, what may become one: what branches and loops carry.
  bool is_leaf() const { return is_matrix() || is_text() || is_integer(); }
  /// A leaf of the same class.
  bool has_class_of(const Binding& other) const { return kind == other.kind && integer_class == other.integer_class; }
  /// A leaf of this class with that value.
  Binding with_value(ValueId other) const {
    if (is_text()) return computed_text(other, double_quoted);
    return is_integer() ? integer(integer_class, other) : matrix(other);
  }
  /// What is of an integer class as the numbers that it holds, anything else as it is.
  Binding numbers() const { return is_integer() ? matrix(value) : *this; }
  /// The same at run time, as far as can be told.
  bool same_as(const Binding& other) const;
};

inline constexpr std::string_view map_remedy =
    "a containers.Map cannot be used here: take what it holds, m(key), or values(m) as a cell array";

/// Every branch and loop starts from a copy and is compared with it.
using Environment = PersistentMap<std::string, Binding>;

/// `@name`, or `@(params) body` with the variables it captured.
struct Closure {
  std::string name;  ///< of a plain handle; empty for an anonymous function
  const ast::AnonymousFunction* anonymous = nullptr;
  Environment captured;
  Span span;
};

/// @name
inline Binding function_named(std::string name, Span span) {
  auto closure = std::make_shared<Closure>();
  closure->name = std::move(name);
  closure->span = span;
  return Binding::handle(std::move(closure));
}

}  // namespace lac::frontend
