// What the words of drawing share: a command for the figures of the run, and how arguments are read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

/// A command and its operands by name, as runtime/figures/arguments.h reads them.
class Drawing {
 public:
  Drawing(Call& call, std::string_view command) : call_(call), words_(command) {}

  /// Argument i, whatever it is: a string or numbers.
  void add(std::string_view name, std::size_t i);
  void add(std::string_view name, ValueId value);
  void add_text(std::string_view name, const std::string& text);
  /// The string, or the strings of the cells.
  void add_texts(std::string_view name, const Binding& binding);
  void emit();

 private:
  Call& call_;
  std::string words_;
  std::vector<ValueId> operands_;
};

/// What a handle is where it stands as an argument; none: the argument is no handle.
enum class Handle : std::uint8_t { none, axes, figure, other };
Handle handle_at(const Call& call, std::size_t i);
/// Takes gca or gcf off the front. Fails where it is another handle.
void skip_handle(Call& call);
/// As many handles as the caller asks for: values that nothing can be done with.
std::vector<Binding> handles(const Call& call);

/// Whether a string, in lower case, names a property; what it is called in commands: empty where it is passed over.
bool is_property(const std::string& name);
std::string_view role_of_property(const std::string& name);
/// "r--o", as Octave's plot takes it.
bool is_line_style(std::string_view text);

/// The pairs from argument i on, into the command.
void add_properties(Call& call, std::size_t i, Drawing& drawing);

/// Begins a picture that takes the place of an earlier one, unless that is held.
void begin_plot(Call& call);

}  // namespace lac::frontend
