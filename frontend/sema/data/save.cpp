// save: variables into a file, by their names.
#include <algorithm>
#include <iterator>
#include <optional>

#include "frontend/sema/builtins/files.h"
#include "frontend/sema/data/data_forms.h"
#include "frontend/sema/names/patterns.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

struct Format {
  std::string_view option;
  std::string_view name;  ///< of the format, as the step takes it
};

constexpr Format formats[] = {
    {"-text", "text"},
    {"-ascii", "ascii"},
    {"-mat", "mat"},
    {"-mat-binary", "mat"},
    {"-v6", "mat"},
    {"-V6", "mat"},
    {"-6", "mat"},
    {"-v7", "compressed mat"},
    {"-V7", "compressed mat"},
    {"-7", "compressed mat"},
    {"-mat7-binary", "compressed mat"},
};

constexpr std::string_view hdf5 = "HDF5 files are outside the language: save with -v7, or with -text";
constexpr std::string_view binary = "this binary format is outside the language: save with -v7, or with -text";

struct Refused {
  std::string_view option, why;
};

constexpr Refused refused[] = {
    {"-hdf5", hdf5},
    {"-float-hdf5", hdf5},
    {"-v7.3", hdf5},
    {"-V7.3", hdf5},
    {"-7.3", hdf5},
    {"-binary", binary},
    {"-float-binary", binary},
    {"-v4", binary},
    {"-V4", binary},
    {"-4", binary},
    {"-mat4-binary", binary},
    {"-zip", "compressed text is outside the language: -v7 compresses"},
    {"-z", "compressed text is outside the language: -v7 compresses"},
    {"-double", "it is outside the language: write tables of all digits with dlmwrite(file, x, \"precision\", 16)"},
    {"-tabs", "it is outside the language: write tables with dlmwrite(file, x, \"\\t\")"},
};

struct Request {
  std::string_view format = "text";
  bool append = false;
  std::optional<std::string> structure;  ///< of which fields are saved
  std::vector<std::string> names;        ///< or patterns of them; none: all
};

void take_option(Call& call, const std::string& option, Request& request) {
  const auto* format = std::ranges::find(formats, option, &Format::option);
  const auto* other = std::ranges::find(refused, option, &Refused::option);
  if (format != std::end(formats)) request.format = format->name;
  else if (option == "-append") request.append = true;
  else if (other != std::end(refused)) call.fail("'" + option + "': " + std::string(other->why));
  else call.fail("Unrecognized option '" + option + "'");
}

/// What the arguments ask for; the path is left as the only one.
Request request_of(Call& call) {
  Request request;
  std::optional<Binding> path;
  for (std::size_t i = 0; i < call.count(); ++i) {
    const bool is_known = call.is_text(i) && call.args[i].is_known_text();
    const bool is_option = is_known && call.args[i].text.size() > 1 && call.args[i].text.front() == '-';
    if (is_known && call.args[i].text == "-struct" && path) {
      if (++i == call.count()) call.fail("missing struct name");
      request.structure = call.text(i);
    } else if (is_option) {
      take_option(call, call.args[i].text, request);
    } else if (!path) {
      if (!call.is_text(i)) call.fail("the name of the file must be a string");
      path = call.args[i];
    } else {
      request.names.push_back(call.text(i));
    }
  }
  if (!path) call.fail("the name of the file is missing");
  if (path->is_known_text() && path->text == "-") call.fail("variables are saved to files alone: show them with disp");
  call.args = {*path};
  return request;
}

/// Those of `all` that are asked for, in the order in which they are.
std::vector<std::string> chosen(Call& call, const std::vector<std::string>& all, const std::vector<std::string>& asked,
                                const std::string& what) {
  if (asked.empty()) return all;
  std::vector<std::string> names;
  for (const std::string& pattern : asked) {
    if (pattern.find('[') != std::string::npos) call.fail("sets of letters are outside the language: use '?'");
    const std::size_t before = names.size();
    for (const std::string& name : all)
      if (fits_pattern(pattern, name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
    if (names.size() == before && std::ranges::none_of(names, [&](auto& name) { return fits_pattern(pattern, name); }))
      call.fail("no such " + what + " '" + pattern + "'");
  }
  return names;
}

void add_fields(Call& call, const Request& request, SavedValues& values) {
  const Binding record = call.walk.variable(*request.structure, call.span);
  if (!record.is_record() || record.aggregate->count() != 1)
    call.fail("'" + *request.structure + "' is not a scalar structure");
  std::vector<std::string> fields;
  for (const Slot& slot : record.aggregate->slots) {
    if (may_lack(slot)) call.fail("whether '" + *request.structure + "." + slot.name + "' is there the run finds");
    fields.push_back(slot.name);
  }
  for (const std::string& field : chosen(call, fields, request.names, "field"))
    values.add(field, *item_of(record, field));
}

bool are_plain(const std::vector<std::string>& names) {
  return std::ranges::none_of(names, is_pattern) && !names.empty();
}

void add_variables(Call& call, const Request& request, SavedValues& values) {
  if (call.walk.in_loop() && !are_plain(request.names))
    call.fail("in loops and functions that call themselves the variables are named: save(file, \"x\")");
  const bool asks_for_each = are_plain(request.names);
  for (const std::string& name : chosen(call, call.walk.variable_names(), request.names, "variable")) {
    if (!asks_for_each && call.emit.constant_of(call.walk.has_value(name)) != 1.0)
      call.fail("whether '" + name + "' has a value the run finds: name the variables that are saved");
    values.add(name, call.walk.variable(name, call.span));
  }
}

void require_numbers(Call& call, const FileForm& form) {
  for (const NamedForm& variable : form.variables)
    if (has_items(variable.form.data_class) || variable.form.is_complex || variable.form.extents.size() > 2)
      call.fail("unable to save " + variable.name + " in ASCII format, which has matrices of real numbers alone");
}

/// MAT files have whole matrices, and one class of strings.
void forget_structure(DataForm& form) {
  form.structure = DataStructure::none;
  form.double_quoted = false;
  for (DataForm& item : form.items) forget_structure(item);
}

/// What is known of the file behind the call.
void note_saved(Call& call, const Request& request, FileForm saved) {
  PersistentMap<std::string, FileForm>& known = call.emit.facts.saved_files;
  const std::string key = path_key(call.args[0]);
  FileForm all;
  if (request.append) {
    const auto before = known.find(key);
    if (before == known.end()) return;
    all = before->second;
  }
  if (request.format == "ascii") {
    DataForm table;
    table.extents = {DataForm::any, DataForm::any};
    saved.variables = {{"", table, {}}};
  }
  for (NamedForm& variable : saved.variables) {
    if (request.format != "text") forget_structure(variable.form);
    const auto old = std::ranges::find(all.variables, variable.name, &NamedForm::name);
    if (old == all.variables.end()) all.variables.push_back(std::move(variable));
    else *old = std::move(variable);
  }
  all.is_all = true;
  known.insert_or_assign(key, std::move(all));
}

// save(options, path, options, names), save(options, path, "-struct", s, fields)
std::vector<Binding> save(Call& call) {
  Emitter& e = call.emit;
  const Request request = request_of(call);
  SavedValues values(e, call.span);
  if (request.structure) add_fields(call, request, values);
  else add_variables(call, request, values);
  if (request.format == "ascii") require_numbers(call, values.form);
  std::vector<ValueId> operands = {path_of(call, 0), e.builder.text(std::string(request.format)),
                                   e.builder.constant(request.append ? 1 : 0, Element::logical),
                                   e.builder.text(serialised(values.form))};
  operands.insert(operands.end(), values.leaves.begin(), values.leaves.end());
  e.builder.library(LibraryFn::data_save, operands, {});
  note_saved(call, request, std::move(values.form));
  return {};
}

}  // namespace

std::span<const Builtin> save_builtins() {
  static constexpr Builtin entries[] = {{"save", 1, -1, 0, save}};
  return entries;
}

}  // namespace lac::frontend
