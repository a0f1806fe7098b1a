// What a few built-in functions ask of the program that calls them. All others turn their arguments into values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "ir/support/source.h"

namespace lac::frontend {

struct SlotForm;

class Walk {
 public:
  // -- calls: of functions that are arguments, and of functions of the language or the program by their names
  virtual std::vector<Binding> call_closure(const Closure& closure, std::vector<Binding> args, int nargout,
                                            Span span) = 0;
  virtual std::vector<Binding> call_by_name(const std::string& name, std::vector<Binding> args, int nargout,
                                            Span span) = 0;
  /// `closure` on every element of arguments of one shape, matrices or complex values; results have that shape.
  virtual std::vector<Binding> map_function(const Closure& closure, const std::vector<Binding>& arguments, int nargout,
                                            Span span) = 0;

  /// The value of an expression that is given as a string. It sees the variables of the caller, or none.
  virtual Binding value_of_text(const std::string& text, bool sees_variables, Span span) = 0;
  /// The same without variables; nothing where the expression has an error.
  virtual std::optional<Binding> value_if_any(const std::string& text, Span span) = 0;

  // -- the function that makes the call, or the file
  struct Caller {
    std::string name;  ///< empty at file level
    int nargin = 0, nargout = 0;
    std::vector<std::string> arguments = {};  ///< the variables that its arguments are; "" of any other
    std::vector<bool> ignored = {};           ///< which of its results stand as ~ in [~, x] = f(y); none: no such list
  };
  virtual Caller caller() const = 0;
  /// How many arguments and results a function of the program or the library has; -1 - n: n and any more. Nothing of
  /// one that is built in.
  struct Signature {
    int nargin = 0, nargout = 0;
  };
  virtual std::optional<Signature> signature_of(const Closure& closure, Span span) = 0;
  /// What the error said that is being handled; nothing outside of handlers, and behind another try in one.
  virtual std::optional<Binding> last_error() const = 0;
  /// Of the errors that may have been caught so far.
  virtual std::vector<std::string> identifiers_of_errors() const = 0;
  /// Whether the caller's variable has a value, as a logical scalar.
  virtual ValueId has_value(const std::string& name) = 0;
  /// What `clear` does to global variables: only the caller's names go, or their values too, or nothing else goes.
  enum class OfGlobals { names, values, alone };
  /// Takes their values from the variables of the caller that are `selected`.
  virtual void clear(const std::function<bool(const std::string&)>& selected, OfGlobals globals, Span span) = 0;

  /// The variables of the caller that have a value, or may have one; sorted.
  virtual std::vector<std::string> variable_names() const = 0;
  /// The value of one; fails where it has none.
  virtual Binding variable(const std::string& name, Span span) = 0;
  /// Gives it one. In loops it must be a name that the text says is assigned (names.h); fails where it is global or
  /// persistent.
  virtual void set_variable(const std::string& name, const Binding& value, Span span) = 0;
  /// Whether the call stands in a loop, or in a function that became a loop.
  virtual bool in_loop() const = 0;

  /// Of what a call would leave: elements of which class and shape. Nothing of the call stays.
  virtual std::vector<std::optional<SlotForm>> forms_of(const std::function<std::vector<Binding>()>& call) = 0;

  /// Whether the program itself defines this function.
  virtual bool defines(const std::string& name) const = 0;

 protected:
  ~Walk() = default;
};

}  // namespace lac::frontend
