// load: variables from a file. What they are must be known while the program is compiled: from a save before, or from
// a look at the file.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

#include "frontend/sema/builtins/files.h"
#include "frontend/sema/data/data_forms.h"
#include "frontend/sema/names/patterns.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

/// The run tells the formats apart.
constexpr std::string_view formats[] = {"-force", "-ascii", "-text", "-mat", "-mat-binary", "-v6",
                                        "-V6",    "-6",     "-v7",   "-V7",  "-7",          "-mat7-binary"};

/// What the call asks for; the path is left as its only argument.
struct Request {
  std::vector<std::string> names = {};
  bool is_table = false;  ///< -ascii
};

Request request_of(Call& call) {
  Request request;
  std::optional<Binding> path;
  for (std::size_t i = 0; i < call.count(); ++i) {
    const bool is_option = call.is_text(i) && call.args[i].text.starts_with("-");
    if (is_option && std::ranges::find(formats, call.args[i].text) == std::end(formats))
      call.fail("the option '" + call.args[i].text + "' is outside the language");
    if (is_option) request.is_table |= call.args[i].text == "-ascii";
    else if (path) request.names.push_back(call.text(i));
    else path = call.args[i];
  }
  if (!path) call.fail("the name of the file is missing");
  if (!path->is_text()) call.fail("the name of the file must be a string");
  call.args = {*path};
  return request;
}

std::string shown_path(const Call& call) {
  return call.args[0].is_known_text() ? "'" + call.args[0].text + "'" : "the file";
}

/// What is known of the file, or why nothing is.
Result<FileForm> form_of_file(Call& call) {
  const auto& saved = call.emit.facts.saved_files;
  if (const auto known = saved.find(path_key(call.args[0])); known != saved.end()) return known->second;
  if (!call.args[0].is_known_text()) return Failure{"its name is found by the run"};
  if (!call.emit.options.form_of_file) return Failure{"here compiling looks at no files"};
  return call.emit.options.form_of_file(call.args[0].text);
}

DataForm table_form() {
  DataForm form;
  form.extents = {DataForm::any, DataForm::any};
  return form;
}

void open(Call& call, const FileForm& form) {
  Emitter& e = call.emit;
  e.builder.library(LibraryFn::data_open,
                    {path_of(call, 0), e.builder.text(serialised(form)), e.builder.text(call.name)}, {});
}

/// The program ends here, in the step where it may reach no files or finds none.
[[noreturn]] void stop(Call& call, const std::string& complaint) {
  open(call, {});
  call.emit.refuse_unless(call.emit.builder.constant(0, Element::logical), "load: " + complaint);
  throw Unreachable{};
}

/// Whether the file is there, and what it is makes the reason: it names the path then.
bool is_about_contents(const Call& call, const std::string& reason) {
  return call.args[0].is_known_text() && reason.starts_with(call.args[0].text + ":");
}

[[noreturn]] void refuse_unknown(Call& call, const std::string& reason) {
  const std::string complaint = is_about_contents(call, reason)
                                    ? reason
                                    : "what " + shown_path(call) +
                                          " holds must be known while the program is compiled: " + reason +
                                          "; have the program save it before, or have the file there when it is "
                                          "compiled; x = load(file) reads a table of "
                                          "numbers that is not there yet";
  const bool is_certain = call.emit.options.form_of_file && !call.emit.errors;
  if (is_certain) call.emit.diagnostics.error(call.span, "load: " + complaint);
  stop(call, complaint);
}

std::string names_in(const FileForm& form) {
  std::string names;
  for (const NamedForm& variable : form.variables) names += (names.empty() ? "" : ", ") + variable.name;
  return names;
}

void require_fit(Call& call, const FileForm& form, const std::string& pattern) {
  if (pattern.find('[') != std::string::npos) call.fail("sets of letters are outside the language: use '?'");
  const auto fits = [&](const NamedForm& variable) { return fits_pattern(pattern, variable.name); };
  if (std::ranges::any_of(form.variables, fits)) return;
  Emitter& e = call.emit;
  if (e.errors)
    e.require(e.builder.constant(0, Element::logical),
              "load: empty name keyword or no data found in file '" + as_format(call.args[0].text) + "'", {});
  call.fail(shown_path(call) + " holds no variable '" + pattern + "': it holds " + names_in(form));
}

/// Those that are asked for, in the order of the file.
FileForm selected(Call& call, const FileForm& form, const std::vector<std::string>& asked) {
  for (const std::string& pattern : asked) require_fit(call, form, pattern);
  FileForm taken;
  taken.is_all = asked.empty() && form.is_all;
  for (const NamedForm& variable : form.variables) {
    const auto names_it = [&](const std::string& pattern) { return fits_pattern(pattern, variable.name); };
    if (!asked.empty() && std::ranges::none_of(asked, names_it)) continue;
    if (!variable.problem.empty())
      call.fail("'" + variable.name + "' in " + shown_path(call) + " is " + variable.problem +
                (asked.empty() ? ": name the variables that are needed" : ""));
    taken.variables.push_back(variable);
  }
  return taken;
}

/// What Octave calls the matrix of a table: the name of the file, as far as it is one of a variable.
std::string name_of_table(Call& call) {
  if (!call.args[0].is_known_text())
    call.fail("the variable would be called as the file, whose name the run finds: write x = load(file)");
  std::string name = call.args[0].text;
  name = name.substr(name.rfind('/') + 1);
  name = name.substr(0, name.rfind('.'));
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  const bool begins = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
  return begins ? name : "X" + name;
}

bool is_table(const FileForm& form) { return form.variables.size() == 1 && form.variables.front().name.empty(); }

void require_names_in_loop(Call& call, const std::vector<std::string>& asked) {
  if (!call.walk.in_loop() || (!asked.empty() && std::ranges::none_of(asked, is_pattern))) return;
  call.fail(
      "in loops and functions that call themselves the variables are named: load(file, \"x\"), or s = load(file)");
}

void set_variables(Call& call, const FileForm& form, const std::vector<std::string>& asked) {
  const bool table = is_table(form);
  if (table || asked.empty()) require_names_in_loop(call, table ? std::vector<std::string>() : asked);
  for (const std::string& name : asked) require_names_in_loop(call, {name});
  const FileForm taken = table ? form : selected(call, form, asked);
  open(call, taken);
  LoadedValues values(call.emit);
  for (const NamedForm& variable : taken.variables)
    call.walk.set_variable(table ? name_of_table(call) : variable.name, values.next(variable.form), call.span);
}

Binding as_value(Call& call, const FileForm& form, const std::vector<std::string>& asked) {
  const FileForm taken = is_table(form) ? form : selected(call, form, asked);
  open(call, taken);
  LoadedValues values(call.emit);
  if (is_table(form)) return values.next(taken.variables.front().form);
  Aggregate fields;
  for (const NamedForm& variable : taken.variables)
    fields.slots.push_back({variable.name, {values.next(variable.form)}});
  return Binding::of(Binding::Kind::record, std::move(fields));
}

// load(options, path, names); s = load(options, path, names)
std::vector<Binding> load(Call& call) {
  const Request request = request_of(call);
  const std::vector<std::string>& asked = request.names;
  const std::string named = call.args[0].is_known_text() ? as_format(call.args[0].text) : "";
  require_file(call, "load: unable to find file " + named);
  Result<FileForm> form = form_of_file(call);
  const bool may_be_table = request.is_table || (call.nargout > 0 && asked.empty());
  if (!form && !may_be_table) refuse_unknown(call, form.failure().message);
  const FileForm table{{{"", table_form(), {}}}, false};
  const FileForm known = form && !request.is_table ? form.take() : table;
  if (call.nargout > 0) return {as_value(call, known, asked)};
  set_variables(call, known, asked);
  return {};
}

}  // namespace

std::span<const Builtin> load_builtins() {
  static constexpr Builtin entries[] = {{"load", 1, -1, 1, load}};
  return entries;
}

}  // namespace lac::frontend
