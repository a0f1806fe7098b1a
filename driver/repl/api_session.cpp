// The calls of the public header that ask a session something, or start it.
#include <algorithm>
#include <set>
#include <system_error>
#include <thread>

#include "driver/api/access.h"
#include "driver/core/function_help.h"
#include "driver/repl/session_impl.h"
#include "frontend/builtin_help.h"
#include "runtime/files/files.h"
#include "runtime/steps/library.h"

namespace lac::api {

namespace {

namespace ast = frontend::ast;

Variable to_api(const frontend::VariableInfo& info) {
  return {info.scope, info.name, info.type, info.element, info.storage, info.shape, info.properties, 0};
}

void append(std::vector<Diagnostic>& to, std::vector<Diagnostic> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

Session::Session(Options options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
  if (impl_->options.precision == Precision::single) impl_->precision = lac::Element::single;
  impl_->backend = driver::make_backend(impl_->options.target);
  impl_->module.finder.directories = impl_->options.include_directories;
}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

void Session::load_libraries() {
  try {
    impl_->loading = std::jthread(runtime::load_lapack);
  } catch (const std::system_error&) {
  }
}

SessionResult Session::run(const std::string& input, const RunOptions& options, const std::string& name) {
  return impl_->run(input, options, name);
}

SessionResult Session::run_file(const std::string& path, const RunOptions& options) {
  lac::Result<std::string> text = runtime::read_file(path);
  if (!text) {
    SessionResult failed;
    failed.outcome = Outcome::failed;
    failed.diagnostics = {driver::plain_error(text.failure().message)};
    return failed;
  }
  std::vector<std::string>& folders = impl_->module.finder.directories;
  const std::string folder = driver::directory_of(path);
  if (impl_->options.files && std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  return impl_->run(text.value(), options, path);
}

namespace {

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') return matches(name, pattern.substr(1)) || (!name.empty() && matches(name.substr(1), pattern));
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) && matches(name.substr(1), pattern.substr(1));
}

bool matches_any(const std::string& name, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return matches(name, pattern); });
}

}  // namespace

void Session::forget(const std::vector<std::string>& names) {
  std::erase_if(impl_->values, [&](const auto& each) { return names.empty() || matches_any(each.first, names); });
}

void Session::forget_all_but(const std::vector<std::string>& names) {
  std::erase_if(impl_->values, [&](const auto& each) { return !matches_any(each.first, names); });
}

void Session::forget_functions(const std::vector<std::string>& names) {
  std::erase_if(impl_->functions, [&](const auto& each) { return names.empty() || matches_any(each.first, names); });
}

std::vector<Variable> Session::variables() const {
  std::vector<Variable> list;
  for (const auto& [name, value] : impl_->values) list.push_back(driver::describe(value));
  return list;
}

std::optional<Matrix> Session::value(const std::string& name) const {
  const auto found = impl_->values.find(name);
  if (found == impl_->values.end() || found->second.variable.kind != frontend::SessionVariable::Kind::matrix)
    return std::nullopt;
  return MatrixAccess::make(name, found->second.tensors.at(found->second.variable.parameter));
}

std::vector<std::string> Session::functions() const {
  std::vector<std::string> names;
  for (const auto& [name, function] : impl_->functions) names.push_back(name);
  return names;
}

Checked Session::type(const std::string& input) {
  Checked result;
  if (const auto known = impl_->values.find(input); known != impl_->values.end()) {
    result.variables = {driver::describe(known->second)};
    return result;
  }
  Diagnostics found;
  const bool done = impl_->guarded(result.diagnostics, [&] {
    std::optional<frontend::Session> session = impl_->query(input, result.diagnostics, found);
    if (!session) return false;
    driver::CompileRequest request = impl_->request(*session);
    request.describe = true;
    double milliseconds = 0;
    const auto lowered = driver::lower_module(impl_->module, request, milliseconds, found);
    if (!lowered) return false;
    for (const frontend::VariableInfo& info : lowered->variables)
      if (info.scope.empty() && std::ranges::count(session->kept, info.name, &frontend::SessionVariable::name) != 0)
        result.variables.push_back(to_api(info));
    return true;
  });
  result.outcome = done ? Outcome::ok : Outcome::failed;
  append(result.diagnostics, driver::to_api(found, impl_->module.sources));
  return result;
}

Emitted Session::emit(std::string_view what, const std::string& input) {
  Emitted result;
  if (std::ranges::count(stages(), what, &Pass::name) == 0)
    return {Outcome::usage, {}, {driver::plain_error("there is no stage '" + std::string(what) + "'")}};
  Diagnostics found;
  const bool done = impl_->guarded(result.diagnostics, [&] {
    std::optional<frontend::Session> session = impl_->query(input, result.diagnostics, found);
    if (!session) return false;
    lac::Result<driver::Shown> shown = impl_->backend->emit(what, impl_->module, impl_->request(*session), found);
    if (!shown && !found.has_errors()) return impl_->fail(result.diagnostics, {}, shown.failure().message);
    if (shown) result.text = std::move(shown.value().text);
    return static_cast<bool>(shown);
  });
  result.outcome = done ? Outcome::ok : Outcome::failed;
  append(result.diagnostics, driver::to_api(found, impl_->module.sources));
  return result;
}

Emitted Session::help(const std::string& name) const {
  ast::Program program;
  for (const auto& [known, function] : impl_->functions) program.functions.push_back(function);
  const auto help = driver::function_help(name, &program, impl_->module.sources, impl_->module.finder);
  if (!help) return {Outcome::failed, {}, {driver::plain_error("there is no function '" + name + "'")}};
  return {Outcome::ok, *help + "\n", {}};
}

std::vector<std::string> Session::completions(const std::string& prefix) const {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    if (name.starts_with(prefix)) names.insert(name);
  };
  for (const auto& [name, value] : impl_->values) add(name);
  for (const auto& [name, function] : impl_->functions) add(name);
  for (const std::string& name : frontend::names_of_builtins()) add(name);
  for (const driver::LibraryText& entry : driver::solver_library()) add(std::string(entry.name));
  return {names.begin(), names.end()};
}

std::string Session::program() const {
  std::string text;
  for (const auto& [name, function] : impl_->functions)
    text += std::string(impl_->module.sources.text(function.span)) + "\n\n";
  return text + impl_->accepted;
}

}  // namespace lac::api
