// Calls: functions are inlined, handles are known at compile time, built-ins come from tables.
#include <algorithm>
#include <iterator>
#include <span>

#include "frontend/ast/print.h"
#include "frontend/evaluated/evaluated.h"
#include "frontend/parser.h"
#include "frontend/sema/arrays/functions.h"
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/each_element.h"
#include "frontend/sema/builtins/integer_functions.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/names/outside.h"
#include "frontend/sema/program/describe.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/restored.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/stack.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

/// What inlining and peeling may make of a text, which is allowed an operation for each byte besides: every level of
/// calls or of loops may double the program.
constexpr std::size_t most_ops = 100'000, most_statements = 100'000;

/// What functions of numbers do with strings among their first arguments.
struct TextRule {
  std::string_view names;  ///< each between blanks
  std::size_t strings;     ///< how many arguments may be strings, whose codes the function gets
  bool keeps_text;         ///< whether its first result is a string again: it only moves and chooses elements
};

constexpr TextRule text_rules[] = {
    {" circshift diag flip fliplr flipud repmat reshape rot90 sort sortrows transpose tril triu unique ", 1, true},
    {" intersect setdiff setxor union ", 2, true},
    {" abs all any ceil find fix floor nnz prod round sum ", 1, false},
    {" histc max min ", 2, false},
};

const TextRule* text_rule(const std::string& name) {
  const auto rule = std::ranges::find_if(
      text_rules, [&](const TextRule& each) { return each.names.find(" " + name + " ") != std::string_view::npos; });
  return rule == std::end(text_rules) ? nullptr : &*rule;
}

bool takes_any(const std::vector<ast::Parameter>& params) {
  return !params.empty() && params.back().name.text == "varargin";
}

bool gives_any(const ast::Function& function) {
  return !function.outs.empty() && function.outs.back().text == "varargout";
}

/// The parameters, each with its argument; what is left goes into the cells of varargin.
void pass(Environment& env, const std::vector<ast::Parameter>& params, const std::vector<Binding>& args) {
  const std::size_t named = params.size() - (takes_any(params) ? 1 : 0);
  for (std::size_t i = 0; i < std::min(named, args.size()); ++i)
    if (!params[i].ignored) put(env, params[i].name.text, args[i]);
  if (!takes_any(params)) return;
  std::vector<Binding> rest;
  if (args.size() > named) rest.assign(args.begin() + static_cast<std::ptrdiff_t>(named), args.end());
  const auto count = static_cast<std::int64_t>(rest.size());
  put(env, "varargin", cell_array(count == 0 ? 0 : 1, count, std::move(rest)));
}

/// As Octave names what is indexed: by the variable that it is a part of; nothing of what a call has made.
std::string name_in_messages(const ast::Expr& expr, const Environment& env) {
  const ast::Expr& bare = strip_parens(expr);
  if (const auto access = ast::access_of(bare)) return name_in_messages(**access->base, env);
  const auto* identifier = std::get_if<ast::Identifier>(&bare.node);
  return identifier && env.count(identifier->name) != 0 ? identifier->name : "";
}

/// Of arguments as written those that are variables, by their names.
std::vector<std::string> variables_in(const std::vector<ast::ExprPtr>* written, const Environment& env) {
  std::vector<std::string> names;
  if (!written) return names;
  for (const ast::ExprPtr& argument : *written) {
    const auto* identifier = std::get_if<ast::Identifier>(&argument->node);
    names.push_back(identifier && env.count(identifier->name) != 0 ? identifier->name : "");
  }
  return names;
}

/// As nargin(f) counts them: below 0 where the last one stands for any more.
int count_in_signature(std::size_t listed, bool any) {
  const int count = static_cast<int>(listed);
  return any ? -count : count;
}

/// Functions of structs and cells that look at no value in them.
bool asks_of_form(const std::string& name) {
  static const std::set<std::string_view> names = {
      "isfield",  "isstruct", "iscell",   "class",     "isa",        "numel",     "isempty",
      "size",     "length",   "rows",     "columns",   "setfield",   "isrow",     "iscolumn",
      "ndims",    "isreal",   "ischar",   "isnumeric", "fieldnames", "numfields", "isscalar",
      "isvector", "ismatrix", "issquare", "iscellstr", "islogical",  "getfield",  "rmfield"};
  return names.count(name) != 0;
}

/// Functions whose result hangs on the class of an element, which is another one where it is [] (Binding::given).
bool asks_of_class(const std::string& name) {
  static const std::set<std::string_view> names = {
      "class",  "isa",    "ischar",   "iscellstr", "isnumeric", "isreal",  "isfloat", "isinteger", "islogical",
      "isbool", "iscell", "isstruct", "iscomplex", "strcmp",    "strcmpi", "strncmp", "strncmpi"};
  return names.count(name) != 0;
}

/// Functions that tell truth values from numbers.
bool tells_logical(const std::string& name) {
  static const std::set<std::string_view> names = {"class", "isa", "isnumeric", "isfloat", "islogical", "isbool"};
  return names.count(name) != 0;
}

}  // namespace

std::vector<Binding> Lowerer::lower_arguments(const std::vector<ast::ExprPtr>& args) {
  std::vector<Binding> values;
  for (const ast::ExprPtr& arg : args) {
    if (std::holds_alternative<ast::Colon>(arg->node)) values.push_back(Binding::string(":", true));
    else
      for (Binding& value : lower_values(*arg)) values.push_back(std::move(value));
  }
  return values;
}

std::vector<Binding> Lowerer::call(const ast::Expr& callee, const std::vector<ast::ExprPtr>& args, int nargout,
                                   Span span) {
  if (auto values = map_access(callee, &args, span)) return *std::move(values);
  const auto* identifier = std::get_if<ast::Identifier>(&callee.node);
  std::string name;
  Binding value;
  if (identifier) {
    name = identifier->name;
    if (frame_->env.count(name) == 0 && frame_->assigned.count(name) == 0)
      return call_named(name, args, nargout, span, callee.span);
    value = lookup(name, callee.span);
  } else {
    value = lower_expr(callee);
    const bool plain = value.is_matrix() && emit_.type(value.value).is_dense() && args.size() <= 2;
    name = plain ? name_in_messages(callee, frame_->env) : source_of(callee);
  }
  return index_binding(value, name, args, nargout, span);
}

std::vector<Binding> Lowerer::index_binding(const Binding& value, const std::string& name,
                                            const std::vector<ast::ExprPtr>& args, int nargout, Span span) {
  const bool one = args.size() == 1 && !ast::is_list(ast::strip_parens(*args[0]));
  if (value.is_array() || ((value.is_matrix() || value.is_integer()) && (one || args.size() > 2)))
    return {with_class(index_array(numbers_of(value), name, args, span), element_class(value))};
  if (value.is_aggregate()) return {elements_of(value, name, args, span)};
  if (value.is_map()) return {read_map(value, args, span)};
  if (value.is_function()) {
    std::vector<Binding> arguments = lower_arguments(args);
    emit_.at(span);
    return call_closure(*value.function, std::move(arguments), nargout, span);
  }
  if (value.is_text()) {
    if (args.empty()) return {value};
    const ValueId read = index_value(characters(emit_, value), name, args, span);
    if (auto characters = known_characters(emit_, value, read))
      return {Binding::string(*std::move(characters), value.double_quoted)};
    return {Binding::computed_text(read, value.double_quoted)};
  }
  if (value.is_integer()) return {value.with_value(index_value(value.value, name, args, span))};
  if (value.is_complex()) return {index_complex(value, name, args, span)};
  if (!value.is_matrix()) throw LowerError{};
  return {Binding::matrix(index_value(value.value, name, args, span))};
}

std::vector<Binding> Lowerer::call_named(const std::string& name, const std::vector<ast::ExprPtr>& args, int nargout,
                                         Span span, Span name_span) {
  if (auto values = call_with_list(name, args, nargout, span)) return *std::move(values);
  std::vector<Binding> arguments = lower_arguments(args);
  emit_.at(span);
  written_arguments_ = &args;
  return call_bound(name, std::move(arguments), nargout, span, name_span);
}

std::vector<Binding> Lowerer::call_by_name(const std::string& name, std::vector<Binding> args, int nargout, Span span) {
  return call_bound(name, std::move(args), nargout, span, span);
}

/// What the function is where an argument or its result is an array of more than two dimensions; functions of the
/// program itself come first.
const Builtin* Lowerer::array_function(const std::string& name, const std::vector<Binding>& args, int nargout) const {
  const Builtin* builtin = defines(name) ? nullptr : find_array_overload(name);
  if (!builtin) return nullptr;
  const bool of_arrays = std::ranges::any_of(args, &Binding::is_array) || may_make_array(emit_, name, args, nargout);
  return of_arrays ? builtin : nullptr;
}

/// Whether a name is a function of the language, and none that a program has defined or reads from a file of its own.
bool Lowerer::is_of_language(const std::string& name, Span written) const {
  if (defines(name)) return false;
  const auto& library = emit_.options.library_functions;
  if (std::ranges::find(library, name) != library.end()) return true;
  return !own_function(name, written) && find_builtin(name);
}

std::vector<Binding> Lowerer::call_bound(const std::string& name, std::vector<Binding> args, int nargout, Span span,
                                         Span name_span) {
  emit_.operands = {};
  const std::vector<ast::ExprPtr>* written = std::exchange(written_arguments_, nullptr);
  if (!defines(name) && take_error_handler(*this, emit_, name, args, span) && std::ranges::any_of(args, is_row_of_run))
    emit_.fail(span,
               name +
                   ": \"ErrorHandler\" over cells of a number that the run finds is outside the language: write a "
                   "loop with a try");
  if (asks_of_class(name) && is_of_language(name, name_span))
    if (const auto arg = std::ranges::find_if(args, [](const Binding& each) { return bool(each.given); });
        arg != args.end())
      return {asked_where_given(name, args, static_cast<std::size_t>(arg - args.begin()), span)};
  if (tells_logical(name) && !args.empty() && args[0].is_matrix() && !of_library(span) &&
      is_of_language(name, name_span))
    require_one_class(emit_, args[0].value, name + ": the argument");
  if (std::ranges::any_of(args, &Binding::is_map) && !own_function(name, name_span) && find_builtin(name))
    if (auto values = call_of_map(name, args, nargout, span)) return *std::move(values);
  if (auto made = integer_call(emit_, *this, name, args, nargout, span, is_of_language(name, name_span))) return *made;
  const Builtin* of_arrays = array_function(name, args, nargout);
  if (of_arrays && std::ranges::any_of(args, &Binding::is_complex)) {
    const bool of_matrices = std::ranges::none_of(args, &Binding::is_array);
    if (of_matrices && name == "squeeze" && args.size() == 1) return {complex_binding(emit_, parts_of(emit_, args[0]))};
    if (name != "size_equal") emit_.fail(span, std::string(complex_arrays));
  }
  if (of_arrays) {
    for (const Binding& arg : args) require_values(arg, name);
    return call_builtin(*of_arrays, name, std::move(args), nargout, span, written);
  }
  const auto call_it = [&](const ast::Function& function) {
    argument_names_ = variables_in(written, frame_->env);
    return call_function(function, std::move(args), nargout, span);
  };
  if (const ast::Function* own = own_function(name, name_span)) return call_it(*own);
  const bool complex = std::ranges::any_of(args, &Binding::is_complex);
  const bool sparse = std::ranges::any_of(
      args, [&](const Binding& arg) { return arg.is_matrix() && emit_.type(arg.value).is_sparse(); });
  const bool aggregate =
      std::ranges::any_of(args, [](const Binding& arg) { return arg.is_aggregate() && !arg.is_array(); });
  if (aggregate && !defines(name))
    if (auto made = joined_by_name(name, args, span)) return {*std::move(made)};
  for (std::size_t i = 0; i < args.size(); ++i) {  // how many structs there are is a value where they are stacked
    const bool as_written = written && written->size() == args.size();
    const std::string named = as_written ? source_of(*(*written)[i]) : name;
    if (name == "disp" || name == "display") require_shown(args[i], named);
    else if (args[i].is_aggregate() && (args[i].aggregate->stacked || !asks_of_form(name)))
      require_values(args[i], named);
  }
  const bool rows = std::ranges::any_of(args, is_row_of_run);
  if (const Builtin* of_rows = rows && !defines(name) ? find_stacked_overload(name) : nullptr)
    return call_builtin(*of_rows, name, std::move(args), nargout, span, written);
  if (rows && find_builtin(name) && !takes_rows(name))
    emit_.fail(span, name +
                         ": how many cells or structs there are in an argument is found by the run: write a loop "
                         "over them");
  const Builtin* builtin = aggregate ? find_aggregate_overload(name)
                           : complex ? find_complex_overload(name)
                           : sparse  ? find_sparse_overload(name)
                                     : nullptr;
  if (!builtin) builtin = find_builtin(name);
  if (const TextRule* rule = text_rule(name); rule && !aggregate && is_of_language(name, name_span)) {
    const auto data = std::span(args).first(std::min(args.size(), rule->strings));
    const auto text = std::ranges::find_if(data, &Binding::is_text);
    if (text != data.end()) {
      const bool double_quoted = text->double_quoted;
      for (Binding& each : data)
        if (each.is_text()) each = Binding::matrix(characters(emit_, each));
      std::vector<Binding> results = call_bound(name, std::move(args), nargout, span, name_span);
      if (rule->keeps_text && results[0].is_matrix())
        results[0] = Binding::computed_text(emit_.builder.convert(results[0].value, Element::integer), double_quoted);
      return results;
    }
  }
  if (builtin) return call_builtin(*builtin, name, std::move(args), nargout, span, written);
  if (const ast::Function* function = find_function(name)) return call_it(*function);
  refuse_unknown(name, written && !written->empty(), name_span);
}

// What is asked of an element that may never have been given anything, which is [] then.
Binding Lowerer::asked_where_given(const std::string& name, std::vector<Binding> args, std::size_t at, Span span) {
  const ValueId given = std::exchange(args[at].given, {});
  std::vector<Binding> without = args;
  without[at] = Binding::matrix(emit_.builder.fill(emit_.builder.constant(0, emit_.graph.precision), 0, 0));
  return chosen(
      given, [&] { return call_by_name(name, args, 1, span).front(); },
      [&] { return call_by_name(name, without, 1, span).front(); });
}

std::vector<Binding> Lowerer::call_builtin(const Builtin& builtin, const std::string& name, std::vector<Binding> args,
                                           int nargout, Span span, const std::vector<ast::ExprPtr>* written) {
  const int given = static_cast<int>(args.size());
  if (given < builtin.fewest || (builtin.most >= 0 && given > builtin.most))
    emit_.fail(span, "Invalid call to " + name + ".  Correct usage is with " + std::to_string(builtin.fewest) +
                         (builtin.most < 0                ? " or more"
                          : builtin.most > builtin.fewest ? " to " + std::to_string(builtin.most)
                                                          : "") +
                         " arguments, not " + std::to_string(given));
  if (nargout > builtin.results) emit_.fail(span, name + ": function called with too many outputs");
  for (const Binding& each : args) note_class(emit_, each);
  Call call{emit_, *this, name, std::move(args), nargout, span, builtin.function, written};
  const std::optional<Emitter::Snapshot> before = tries_.empty() ? std::nullopt : std::optional(emit_.save());
  const bool again = name == "rethrow" || (name == "error" && given == 1 && call.args[0].is_record());
  std::vector<ErrorPlace> thrown_at;
  const Restored passed_on(passed_on_);
  if (again && call.args[0].is_record()) thrown_at = places_in(call.args[0]);
  if (again) passed_on_ = &thrown_at;
  std::vector<Binding> results = builtin.handler(call);
  if (before && std::ranges::any_of(results, [&](const Binding& each) { return nothing_holds(each); })) {
    emit_.restore(*before);
    emit_.require(emit_.builder.constant(0, Element::logical), std::string(too_large_text), {}, "Octave:bad-alloc");
  }
  return results;
}

bool Lowerer::nothing_holds(const Binding& value) const {
  if (!value.is_matrix() || emit_.type(value.value).is_sparse()) return false;
  return too_many_elements(emit_.type(value.value).rows, emit_.type(value.value).cols);
}

void Lowerer::refuse_unknown(const std::string& name, bool called, Span span) {
  if (const auto found = emit_.options.find_function ? emit_.options.find_function(name) : std::nullopt; found) {
    const std::string file = found->path.substr(found->path.rfind('/') + 1);
    emit_.fail(span, "'" + name + "' undefined: functions are read from files that end in .la, and " + file +
                         " does not; rename it to " + name + ".la, or copy its text to the end of the program");
  }
  if (const std::string remedy = outside_remedy(name); !remedy.empty()) emit_.fail(span, "'" + name + remedy);
  if (!tries_.empty()) stop_as_undefined(name, span);  // Octave has no such function either
  std::vector<std::string> known = builtin_names();
  frame_->env.for_each([&](const std::string& variable, const Binding&) { known.push_back(variable); });
  for (const auto& entry : functions_) known.push_back(entry.first);
  known.insert(known.end(), emit_.options.library_functions.begin(), emit_.options.library_functions.end());
  const std::string near = nearest_name(name, known);
  const std::string hint = !near.empty() ? "; did you mean '" + near + "'?"
                           : called      ? ": it is not a function of the language"
                                         : "";
  emit_.fail(span, "'" + name + "' undefined" + hint, undefined_notes(name));
}

// A function of the file in which the name stands, else of the program or one that was read before.
const ast::Function* Lowerer::own_function(const std::string& name, Span written) const {
  if (const auto file = functions_of_files_.find(written.file.index); file != functions_of_files_.end())
    if (const auto found = file->second.find(name); found != file->second.end()) return found->second;
  const auto found = functions_.find(name);
  return found == functions_.end() || libraries_.contains(name) ? nullptr : found->second;
}

const ast::Function* Lowerer::find_function(const std::string& name) {
  if (!emit_.options.find_function) return nullptr;
  if (libraries_.contains(name)) return functions_.at(name);
  const auto found = emit_.options.find_function(name);
  if (!found || !found->path.ends_with(".la")) return nullptr;
  const FileId file = emit_.sources.add(found->path, found->text);
  std::optional<ast::Program> program = parse(file, emit_.sources, emit_.diagnostics);
  if (!program) throw LowerError{};
  put_evaluated_texts(*program, emit_.sources, emit_.diagnostics);
  auto kept = std::make_shared<ast::Program>(std::move(*program));
  libraries_[name] = kept;
  const ast::Function* result = nullptr;
  for (const ast::Function& function : kept->functions) {
    functions_of_files_[file.index].emplace(function.name.text, &function);
    begin_shared(function.name.text, function.body);
    if (function.name.text == name) result = &function;
  }
  if (result) functions_.emplace(name, result);
  else {
    emit_.diagnostics.error({file, 0, 0}, "this file should define the function '" + name + "'");
    throw LowerError{};
  }
  return result;
}

Binding Lowerer::value_of_text(const std::string& text, bool sees_variables, Span span) {
  // What a session keeps would outlive the tree.
  if (emit_.options.session) emit_.fail(span, "the text of a function is outside of sessions: write the function");
  ast::ExprPtr& expr = texts_[text];
  if (!expr) expr = parse_expression(emit_.sources.add("a string", text), emit_.sources, emit_.diagnostics);
  if (!expr) throw LowerError{};
  struct Apart {
    explicit Apart(Frame& of) : frame(of), variables(std::exchange(of.env, {})) {}
    ~Apart() { frame.env = std::move(variables); }
    Frame& frame;
    Environment variables;
  };
  std::optional<Apart> apart;
  if (!sees_variables) apart.emplace(*frame_);
  const Binding value = lower_expr(*expr);
  emit_.at(span);
  return value;
}

std::optional<Binding> Lowerer::value_if_any(const std::string& text, Span span) {
  const Snapshot before = save();
  const std::size_t errors = emit_.diagnostics.error_count();
  try {
    Binding value = value_of_text(text, false, span);
    if (emit_.diagnostics.error_count() == errors) return value;
  } catch (const LowerError&) {
  }
  restore(before);
  return std::nullopt;
}

std::vector<Binding> Lowerer::call_closure(const Closure& closure, std::vector<Binding> args, int nargout, Span span) {
  if (!closure.anonymous) {
    std::vector<Binding> results = call_bound(closure.name, std::move(args), nargout, span, closure.span);
    for (const Binding& each : results) refuse_variant(each, span);
    return results;
  }
  static const ast::Block nothing;
  const auto& params = closure.anonymous->params;
  if (args.size() > params.size() && !takes_any(params))
    emit_.fail(span, "@<anonymous>: function called with too many inputs");
  Frame inner;
  inner.name = "@<anonymous>";
  inner.body = &nothing;
  inner.env = closure.captured;
  inner.caller = emit_.locate(span);
  inner.call_span = span;
  inner.nargin = static_cast<int>(args.size());
  inner.nargout = nargout;
  for (const ast::Parameter& param : params) inner.assigned.insert(param.name.text);
  pass(inner.env, params, args);
  return in_frame(inner, span, [&] {
    note_place(*closure.anonymous->body);
    return lower_multi(*closure.anonymous->body, nargout);
  });
}

std::optional<Walk::Signature> Lowerer::signature_of(const Closure& closure, Span span) {
  if (closure.anonymous) {
    const auto& params = closure.anonymous->params;
    return Signature{count_in_signature(params.size(), takes_any(params)), -1};
  }
  const ast::Function* function = own_function(closure.name, closure.span);
  if (!function && !find_builtin(closure.name)) {
    function = find_function(closure.name);
    if (!function) refuse_unknown(closure.name, true, span);
  }
  if (!function) return std::nullopt;
  return Signature{count_in_signature(function->params.size(), takes_any(function->params)),
                   count_in_signature(function->outs.size(), gives_any(*function))};
}

void Lowerer::limit_size(Span span, const std::string& called) {
  const std::size_t operations = most_ops + text_size_;
  const bool statements = statements_lowered_ > most_statements;
  if (emit_.graph.ops.size() <= operations && !statements) return;
  const std::string function = called.empty() && frame_->loops.empty() ? frame_->name : called;
  const std::string reason =
      function.empty() ? "the first trips of loops that change the shape of a variable are written out, and " +
                             std::to_string(frame_->loops.size()) +
                             " loops inside each other do; give the variables of these loops their final shapes before "
                             "the loops, zeros(m, n) for example"
                       : "with every call replaced by what the function does, it has more than " +
                             (statements ? std::to_string(most_statements) + " statements"
                                         : std::to_string(operations) + " operations") +
                             "; call " + function + " in a loop instead";
  emit_.diagnostics.error(span, "the program is too large: " + reason);
  throw TooLarge{};
}

// Runs with `inner` as the active frame; what was active comes back however that ends.
std::vector<Binding> Lowerer::in_frame(Frame& inner, Span span, const std::function<std::vector<Binding>()>& body) {
  struct Guard {
    Lowerer& lowerer;
    Frame* outer = lowerer.frame_;
    LocationId location = lowerer.emit_.builder.location;
    std::vector<EndContext> ends = std::exchange(lowerer.ends_, {});
    ~Guard() {
      lowerer.stack_.pop_back();
      lowerer.activate(outer);
      lowerer.emit_.builder.location = location;
      lowerer.ends_ = std::move(ends);
    }
  };
  if (stack_.size() > 300) emit_.fail(span, "calls are nested deeper than 300");
  ++statements_lowered_;
  limit_size(span, inner.function ? inner.name : "this function");
  stack_.push_back(&inner);
  const Guard guard{*this};
  inner.outer = frame_;
  inner.arms = emit_.arms();
  Frame& outer = *frame_;
  enter_with_shared(outer, inner);
  activate(&inner);
  std::vector<Binding> results;
  on_deep_stack([&] { results = body(); });
  leave_with_shared(inner, outer);
  return results;
}

void Lowerer::refuse_call(const ast::Function& function, std::size_t args, int nargout, Span span) {
  const std::string& name = function.name.text;
  limit_recursion(function, span);
  const auto at_most = [&](const char* what, std::size_t count) {
    return std::vector<Note>{
        {function.name.span, name + " has " + std::to_string(count) + " " + what + (count == 1 ? "" : "s")}};
  };
  if (args > function.params.size() && !takes_any(function.params))
    emit_.fail(span, name + ": function called with too many inputs", at_most("parameter", function.params.size()));
  if (nargout > static_cast<int>(function.outs.size()) && !gives_any(function))
    emit_.fail(span, name + ": function called with too many outputs", at_most("result", function.outs.size()));
}

std::vector<Binding> Lowerer::call_function(const ast::Function& function, std::vector<Binding> args, int nargout,
                                            Span span) {
  refuse_call(function, args.size(), nargout, span);
  return call_recursive(function, std::move(args), nargout, span);
}

std::vector<Binding> Lowerer::call_once(const ast::Function& function, std::vector<Binding> args, int nargout,
                                        Span span, const StackMachine* machine, NumberClasses* numbers) {
  Frame inner;
  inner.function = &function;
  inner.machine = machine;
  inner.name = function.name.text;
  inner.body = &function.body;
  inner.caller = emit_.locate(span);
  inner.call_span = span;
  inner.nargin = static_cast<int>(args.size());
  inner.nargout = nargout;
  inner.arguments = std::exchange(argument_names_, {});
  if (ignored_.first == span) inner.ignored = ignored_.second;
  inner.assigned = assigned_names(function.body);
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    inner.assigned.insert(function.params[i].name.text);
    inner.first_assignment.emplace(function.params[i].name.text, function.params[i].name.span);
  }
  pass(inner.env, function.params, args);
  for (const ast::Name& out : function.outs) {
    inner.assigned.insert(out.text);
    inner.read_at_end.insert(out.text);
  }
  if (emit_.options.describe || emit_.options.on_variable) inner.scope = specialisation(emit_, inner.name, args);
  return in_frame(inner, span, [&] {
    for (std::size_t i = args.size(); i < function.params.size(); ++i)
      if (const ast::Parameter& param = function.params[i]; param.default_value)
        assign_name(param.name.text, lower_expr(*param.default_value));
    if (machine)
      for (const auto& [name, stack] : machine->stacks)
        put(frame_->env, stack, *stacked(cell_array(0, 0, {}), Stacking::rows));
    for (const ast::Parameter& param : function.params) mention(param.name.text, param.name.span);
    lower_list(function.body);
    if (emit_.options.describe) describe(inner.scope);
    if (numbers) *numbers = numbers_that_wait(*machine);
    return results_of(function, nargout, span);
  });
}

// A cell of varargout that is the value of an expression: nothing behind that asks for it by a name.
void Lowerer::refuse_poisoned(const Binding& result, Span span) {
  if (result.kind != Binding::Kind::poisoned) return;
  if (result.poison.empty()) throw LowerError{};
  emit_.fail(span, result.poison,
             {{{}, "a result that has a name, as in function r = f(x), may be of one kind or another"}});
}

// What the body of a function has left in its results.
std::vector<Binding> Lowerer::results_of(const ast::Function& function, int nargout, Span span) {
  const std::string& name = function.name.text;
  std::vector<Binding> results;
  const std::size_t named = function.outs.size() - (gives_any(function) ? 1 : 0);
  const std::size_t wanted = std::min<std::size_t>(named, static_cast<std::size_t>(std::max(nargout, 1)));
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::string& out = function.outs[i].text;
    if (frame_->env.count(out) != 0) {
      const Binding left = whole(frame_->env, out);
      const bool may_lack = nargout == 0 && left.is_leaf() && left.defined;  // no error where nobody asks for it
      results.push_back(may_lack || left.is_variant() ? left : lookup(out, function.outs[i].span));
      continue;
    }
    if (i >= static_cast<std::size_t>(nargout)) break;
    const std::string why = "some elements undefined in return list: '" + out + "' is never set";
    if (i + 1 == wanted && frame_->machine) {  // no call of it comes back
      emit_.at(span);
      emit_.require(emit_.builder.constant(0, Element::logical), name + ": " + why, {});
      throw Unreachable{};
    }
    if (i + 1 == wanted && !tries_.empty()) stop_as_undefined(out, function.outs[i].span);
    if (i + 1 == wanted) emit_.fail(span, name + ": " + why);
    Binding never;  // an error only where the caller keeps it
    never.poison = name + ": " + why;
    results.push_back(std::move(never));
  }
  if (!gives_any(function) || frame_->env.count("varargout") == 0) return results;
  const Binding rest = lookup("varargout", function.outs.back().span);
  if (!rest.is_cell()) emit_.fail(span, "varargout must be a cell array object");
  for (const Binding& item : rest.aggregate->slots.front().items) results.push_back(item);
  if (nargout <= 1 && !results.empty()) refuse_poisoned(results.front(), function.outs.back().span);
  const std::size_t most = static_cast<std::size_t>(std::max(nargout, 1));
  if (results.size() > most) results.resize(most);
  return results;
}

}  // namespace lac::frontend
