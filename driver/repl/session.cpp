// A session: inputs are cut into statements, each of which is compiled with the variables at hand.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <set>

#include "driver/api/access.h"
#include "driver/repl/session_impl.h"
#include "frontend/evaluated/evaluated.h"
#include "frontend/parser.h"
#include "frontend/sema/names/names.h"

namespace lac::api {

namespace {

namespace ast = frontend::ast;
using driver::SessionValue;

/// The variables that a statement may look at.
std::set<std::string> mentioned(const ast::Block& statements) {
  std::set<std::string> names = frontend::assigned_names(statements);
  for (const auto& [name, reads] : frontend::read_counts(statements)) names.insert(name);
  return names;
}

bool is_quiet(const std::string& text, std::size_t end) {
  const std::size_t next = text.find_first_not_of(" \t", end);
  return next != std::string::npos && text[next] == ';';
}

}  // namespace

const ast::Program* Session::Impl::parse(const std::string& input, std::string name, Diagnostics& found) {
  const FileId file = module.sources.add(std::move(name), input);
  std::optional<ast::Program> tree = frontend::parse(file, module.sources, found);
  if (!tree) return nullptr;
  frontend::put_evaluated_texts(*tree, module.sources, found);
  if (found.has_errors()) return nullptr;
  trees.push_back(std::move(*tree));
  return &trees.back();
}

void Session::Impl::put(const ast::Statement& statement) {
  ast::Program program;
  program.file = statement.span.file;
  program.statements = {statement};
  for (const auto& [name, function] : functions) program.functions.push_back(function);
  module.program = std::move(program);
  module.interface = {};
}

// These take names from strings, some of them from patterns.
frontend::Session Session::Impl::session_for(const ast::Block& statements) const {
  frontend::Session session;
  const std::set<std::string> names = mentioned(statements);
  const bool all = std::ranges::any_of(std::array{"exist", "clear", "clearvars", "save"},
                                       [&](const char* word) { return names.count(word) != 0; });
  for (const auto& [name, value] : values)
    if (all || names.count(name) != 0) {
      session.variables.push_back(value.variable);
      for (const auto& [parameter, tensor] : value.tensors) {
        session.sizes[parameter + ".rows"] = tensor.rows();
        session.sizes[parameter + ".cols"] = tensor.cols();
        const double number = tensor.is_scalar() ? tensor.as_scalar() : 0;
        if (number >= 2 && number < 9e15 && number == std::floor(number))
          session.sizes[parameter] = static_cast<std::int64_t>(number);
      }
    }
  return session;
}

std::optional<frontend::Session> Session::Impl::query(const std::string& input, std::vector<Diagnostic>& diagnostics,
                                                      Diagnostics& found) {
  const ast::Program* program = parse(input, "input", found);
  if (!program) return std::nullopt;
  if (program->statements.size() != 1) {
    fail(diagnostics, {}, "one statement is expected");
    return std::nullopt;
  }
  put(program->statements.front());
  return session_for(program->statements);
}

driver::CompileRequest Session::Impl::request(frontend::Session& session) {
  driver::CompileRequest result;
  result.precision = precision;
  result.options = &options;
  result.session = &session;
  result.sources = &module.sources;
  return result;
}

bool Session::Impl::fail(std::vector<Diagnostic>& diagnostics, Span span, const std::string& message) {
  diagnostics.push_back(driver::to_api({lac::Severity::error, span, 0, message}, module.sources));
  return false;
}

bool Session::Impl::guarded(std::vector<Diagnostic>& diagnostics, const std::function<bool()>& action) {
  try {
    return action();
  } catch (const lac::InternalError& error) {
    return fail(diagnostics, {}, std::string("internal error: ") + error.what());
  } catch (const std::bad_alloc&) {
    return fail(diagnostics, {}, "out of memory");
  } catch (const std::exception& error) {
    return fail(diagnostics, {}, error.what());
  } catch (...) {
    return fail(diagnostics, {}, "something was thrown that is no std::exception, by a sink of the host");
  }
}

SessionResult Session::Impl::run(const std::string& input, const RunOptions& run_options, const std::string& name) {
  SessionResult result;
  Diagnostics found;
  const ast::Program* program = parse(input, name.empty() ? "input " + std::to_string(++inputs) : name, found);
  result.diagnostics = driver::to_api(found, module.sources);
  if (!program) result.outcome = Outcome::failed;
  if (!program) return result;
  for (const ast::Function& function : program->functions) functions.insert_or_assign(function.name.text, function);
  driver::HostRun host(run_options, options.files);
  for (const ast::Statement& statement : program->statements) {
    const auto action = [&] { return run_statement(statement, {host, run_options}, result); };
    if (!guarded(result.diagnostics, action)) {
      if (result.outcome == Outcome::ok) result.outcome = Outcome::failed;
      break;
    }
    remember(statement);
    if (result.exit_status || std::holds_alternative<ast::Return>(statement.node)) break;
  }
  return result;
}

bool Session::Impl::run_statement(const ast::Statement& statement, const Running& running, SessionResult& result) {
  if (std::holds_alternative<ast::Output>(statement.node) || std::holds_alternative<ast::Return>(statement.node))
    return true;
  if (std::holds_alternative<ast::Param>(statement.node)) return run_param(statement, running, result);
  if (const auto* node = std::get_if<ast::Precision>(&statement.node)) {
    if (node->name.text != "single" && node->name.text != "double")
      return fail(result.diagnostics, node->name.span, "say 'precision single' or 'precision double'");
    if (options.precision == Precision::natural)
      precision = node->name.text == "single" ? lac::Element::single : lac::Element::real;
    return true;
  }
  return run_lowered(statement, running, result);
}

// The value that is there, else the default.
bool Session::Impl::run_param(const ast::Statement& statement, const Running& running, SessionResult& result) {
  const auto& param = std::get<ast::Param>(statement.node);
  const std::string& name = param.name.text;
  if (values.count(name) == 0) {
    if (!param.default_value)
      return fail(result.diagnostics, param.name.span,
                  "parameter '" + name + "' has no value and no default: set " + name + " first");
    ast::Assign assign;
    assign.targets.push_back({param.name, std::nullopt, {}, false, param.name.span});
    assign.value = param.default_value;
    assign.op_span = param.name.span;
    if (!run_lowered({statement.span, std::move(assign)}, running, result)) return false;
    accepted += name + " = " + std::string(module.sources.text(param.default_value->span)) + ";\n";
  }
  return fit_sizes(param, result);
}

void Session::Impl::define_size(const std::string& name, const std::string& matrix, std::size_t axis, double extent) {
  values[name] = driver::scalar_value(name, extent);
  accepted += name + (axis == 0 ? " = rows(" : " = columns(") + matrix + ");\n";
}

// NaN, which no extent equals, for what is no scalar.
double size_of(const SessionValue& value) {
  const bool scalar = value.variable.kind == frontend::SessionVariable::Kind::matrix && !value.tensors.empty() &&
                      value.tensors.begin()->second.is_scalar();
  return scalar ? value.tensors.begin()->second.as_scalar() : std::numeric_limits<double>::quiet_NaN();
}

// Names of sizes get their numbers; numbers and names that are known must agree.
bool Session::Impl::fit_sizes(const ast::Param& param, SessionResult& result) {
  const SessionValue& value = values.at(param.name.text);
  if (value.variable.kind != frontend::SessionVariable::Kind::matrix)
    return fail(result.diagnostics, param.name.span, "parameter '" + param.name.text + "' must be a matrix");
  if (!param.dims) return true;
  const runtime::Tensor& tensor = value.tensors.at(value.variable.parameter);
  const std::int64_t extents[] = {tensor.rows(), tensor.cols()};
  struct NewSize {
    std::size_t axis;
    double extent;
  };
  std::map<std::string, NewSize> sizes;  // defined once both axes are known to fit
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto extent = static_cast<double>(extents[axis]);
    double wanted = axis < param.dims->size() ? extent : 1;
    if (axis < param.dims->size()) {
      const ast::Expr& dim = *(*param.dims)[axis];
      const auto* name = std::get_if<ast::Identifier>(&dim.node);
      const auto known = name ? values.find(name->name) : values.end();
      if (const auto* number = std::get_if<ast::Number>(&dim.node)) wanted = number->value;
      const auto bound = name ? sizes.find(name->name) : sizes.end();
      if (bound != sizes.end()) wanted = bound->second.extent;
      else if (known != values.end()) wanted = size_of(known->second);
      else if (name) sizes[name->name] = {axis, extent};
    }
    if (wanted != extent)
      return fail(result.diagnostics, param.name.span,
                  param.name.text + " is " + std::to_string(extents[0]) + "x" + std::to_string(extents[1]) +
                      ", not as declared");
  }
  for (const auto& [name, size] : sizes) define_size(name, param.name.text, size.axis, size.extent);
  return true;
}

runtime::RunResult Session::Impl::execute(const driver::Specialisation& code,
                                          const std::vector<runtime::Tensor>& tensors, const Running& running,
                                          SessionResult& result) {
  runtime::RunOptions& to = running.host.options;
  if (random) {
    to.seed = random->seed;
    to.draws = random->draws;
  }
  to.warnings_off = warnings_off;
  to.digits = digits;
  to.figures = &figures;
  to.open_files = &open_files;
  runtime::RunResult ended = running.host.execute(code, module.sources, tensors);
  for (Diagnostic& warning : running.host.take_warnings())
    if (!running.wanted.on_warning) result.diagnostics.push_back(std::move(warning));
  result.warnings_left_out = running.wanted.on_warning ? 0 : running.host.warnings_left_out();
  return ended;
}

bool Session::Impl::run_lowered(const ast::Statement& statement, const Running& running, SessionResult& result) {
  put(statement);
  frontend::Session session = session_for({statement});
  Diagnostics found;
  const auto code = backend->compile(module, request(session), found);
  for (Diagnostic& each : driver::to_api(found, module.sources)) result.diagnostics.push_back(std::move(each));
  if (!code || found.has_errors()) return false;
  if (!code->run) return true;  // stopped after a pass
  driver::Binding binding;
  for (const auto& [name, value] : values)
    for (const auto& [parameter, tensor] : value.tensors)
      binding.parameters.push_back({parameter, "in the session", tensor});
  const std::vector<runtime::Tensor> tensors = driver::tensors_for(code->parameters, binding);
  const runtime::RunResult ended = execute(*code, tensors, running, result);
  random = ended.random;
  warnings_off = ended.warnings_off;
  digits = ended.digits;
  if (driver::is_exit(ended.status)) {
    result.exit_status = driver::exit_status_of(ended.status);
    return true;
  }
  if (!ended.status.ok()) {
    result.outcome = driver::outcome_of(ended.status);
    result.limit = running.host.limit();
    result.diagnostics.push_back(driver::to_api(ended.status, code->locations, module.sources, binding.parameters));
    return false;
  }
  for (const std::string& name : session.cleared) values.erase(name);
  for (const frontend::SessionVariable& kept : session.kept) {
    SessionValue value;
    if (driver::take_value(kept, ended.outputs, value)) values.insert_or_assign(kept.name, std::move(value));
  }
  return true;
}

void Session::Impl::remember(const ast::Statement& statement) {
  if (std::holds_alternative<ast::Param>(statement.node)) return;  // told as assignments
  const std::string& text = module.sources.file(statement.span.file).text;
  accepted += module.sources.text(statement.span);
  accepted += is_quiet(text, statement.span.end) ? ";\n" : "\n";
}

}  // namespace lac::api
