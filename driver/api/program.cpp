#include <algorithm>
#include <future>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "driver/api/access.h"
#include "driver/core/backend.h"
#include "driver/core/host_run.h"
#include "driver/core/signature.h"
#include "driver/core/statistics.h"
#include "driver/core/trace_json.h"
#include "driver/core/watch.h"
#include "runtime/files/files.h"

namespace lac::api {

namespace {

using driver::Module;
using driver::Specialisation;

std::string shape_text(const frontend::ParameterInfo& info) {
  if (!info.is_matrix) return "scalar";
  std::string text;
  for (const char c : info.dims) {
    if (c == ',') text += " x";
    else if (c != '(' && c != ')') text += c;
  }
  return info.dims.find(',') == std::string::npos ? text + " x 1" : text;
}

std::vector<Parameter> describe_parameters(const frontend::Interface& interface) {
  std::vector<Parameter> result;
  for (const frontend::ParameterInfo& info : interface.parameters) {
    std::string properties;
    for (const std::string& word : info.properties) properties += (properties.empty() ? "" : " ") + word;
    result.push_back({info.name, shape_text(info), std::move(properties), info.default_text, info.comment});
  }
  return result;
}

driver::FunctionFinder finder_for(const Options& options) {
  driver::FunctionFinder finder;
  finder.directories = options.include_directories;
  return finder;
}

bool has_warnings(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.items().begin(), diagnostics.items().end(),
                     [](const lac::Diagnostic& item) { return item.severity == lac::Severity::warning; });
}

/// A specialisation with the texts that its places refer to. Immutable.
struct Compiled {
  std::shared_ptr<const Specialisation> code;
  std::shared_ptr<const SourceManager> sources;
};
using CompiledRef = std::shared_ptr<const Compiled>;

/// With as many specialisations, what comes is compiled for all values, also where Options::by_value is set.
constexpr std::size_t most_by_value = 8;

}  // namespace

/// What `load` sets does not change afterwards and is read without a lock. `compiling` is held while the backend works;
/// `table` for as long as a list of specialisations is looked through, so a run that finds its own never waits for a
/// compilation.
struct Program::Impl {
  Options options;
  std::unique_ptr<Module> module;
  lac::Element precision = lac::Element::real;
  std::vector<Diagnostic> diagnostics;  ///< of reading and parsing
  std::vector<Parameter> parameters;
  bool usable = false;

  std::mutex compiling;
  std::unique_ptr<driver::Backend> backend;  ///< under `compiling`

  mutable std::mutex table;
  std::vector<CompiledRef> specialisations;  ///< under `table`; only grows

  void load(std::string name, std::string text, driver::FunctionFinder finder);
  driver::BindResult bind(const Arguments& arguments, driver::HostRun& host, Diagnostics& found);
  /// For what nobody runs.
  driver::BindResult bind(const Arguments& arguments, bool assume_missing, Diagnostics& found);
  /// For the values at hand, where symbols leave shapes open.
  driver::CompileRequest request(const driver::Binding& binding, SourceManager& sources) const;
  CompiledRef known(const driver::Binding& binding) const;
  /// The known specialisation, else a new one. Null, with what is wrong in `messages`, where there is none.
  /// `memory_limit`: of the run that it is for, 0 without one.
  CompiledRef specialise(const driver::Binding& binding, std::int64_t memory_limit, std::vector<Diagnostic>& messages,
                         bool& compiled);
  /// Why one more specialisation was compiled than there are.
  void remark_on_another(const driver::Binding& binding, std::vector<Diagnostic>& messages) const;
  bool rejects(const Diagnostics& found) const {
    return found.has_errors() || (options.warnings_are_errors && has_warnings(found));
  }

  Result run(const Arguments& arguments, const RunOptions& run_options);
  Checked prepare(const Arguments& arguments);
  Checked check(const Arguments& arguments);
  template <class Action>
  Emitted emit(const Arguments& arguments, const Action& action);
};

namespace {

/// Runs `action`; what it throws (a bug of the compiler, no memory, a sink for dumps) becomes an error of `answer`.
template <class Answer, class Action, class Fail>
Answer guarded(const Action& action, const Fail& fail) {
  try {
    return action();
  } catch (const InternalError& error) {
    return fail(std::string("internal error: ") + error.what());
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  } catch (...) {
    return fail("something was thrown that is no std::exception, by a sink of the host");
  }
}

Result failed_result(Outcome outcome, std::vector<Diagnostic> diagnostics) {
  Result result;
  ResultAccess::fail(result, outcome, std::move(diagnostics));
  return result;
}

std::vector<Matrix> inputs_of(const std::vector<lac::Parameter>& parameters,
                              const std::vector<runtime::Tensor>& tensors) {
  std::vector<Matrix> inputs;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    inputs.push_back(MatrixAccess::make(parameters[i].name, tensors[i]));
  }
  return inputs;
}

}  // namespace

void Program::Impl::load(std::string name, std::string text, driver::FunctionFinder finder) {
  module = driver::parse_module(std::move(name), std::move(text), std::move(finder));
  diagnostics = driver::to_api(module->diagnostics, module->sources);
  usable = module->ok() && !rejects(module->diagnostics);
  if (!usable) return;
  parameters = describe_parameters(module->interface);
  precision = driver::precision_of(module->interface, options);
  if (auto warning = driver::natural_precision_warning(module->interface, options, precision))
    diagnostics.push_back(std::move(*warning));
  backend = driver::make_backend(options.target);
  backend->adopt(*module);
}

driver::BindResult Program::Impl::bind(const Arguments& arguments, driver::HostRun& host, Diagnostics& found) {
  return driver::bind(*module, ArgumentsAccess::read(arguments, host),
                      {precision, options.detect_storage, false, options.files, &host}, found);
}

driver::BindResult Program::Impl::bind(const Arguments& arguments, bool assume_missing, Diagnostics& found) {
  const RunOptions no_limits;  // for the host's own words
  driver::HostRun host(no_limits, options.files);
  return driver::bind(*module, ArgumentsAccess::read(arguments, host),
                      {precision, options.detect_storage, assume_missing, options.files}, found);
}

driver::CompileRequest Program::Impl::request(const driver::Binding& binding, SourceManager& sources) const {
  const bool by_value = options.by_value && [&] {
    const std::lock_guard lock(table);
    return specialisations.size() < most_by_value;
  }();
  driver::CompileRequest wanted{binding.signature, {}, precision, &options, &sources};
  if (by_value) wanted.by_value = driver::signature_by_value(binding);
  return wanted;
}

CompiledRef Program::Impl::known(const driver::Binding& binding) const {
  const std::vector<frontend::ParameterSignature> by_value = driver::signature_by_value(binding);
  const std::lock_guard lock(table);
  const auto found = std::ranges::find_if(specialisations, [&](const CompiledRef& each) {
    return each->code->signature == binding.signature || each->code->signature == by_value;
  });
  return found == specialisations.end() ? nullptr : *found;
}

CompiledRef Program::Impl::specialise(const driver::Binding& binding, std::int64_t memory_limit,
                                      std::vector<Diagnostic>& messages, bool& compiled) {
  if (auto found = known(binding)) return found;
  const std::lock_guard lock(compiling);
  if (auto found = known(binding)) return found;  // another thread has made it in the meantime
  const auto sources = std::make_shared<SourceManager>(module->sources);
  Diagnostics found;
  driver::CompileRequest wanted = request(binding, *sources);
  wanted.memory_limit = memory_limit;
  auto code = backend->compile(*module, wanted, found);
  for (Diagnostic& each : driver::to_api(found, *sources)) messages.push_back(std::move(each));
  if (!code || rejects(found)) return nullptr;
  if (options.remarks) remark_on_another(binding, messages);
  compiled = true;
  auto made = std::make_shared<const Compiled>(Compiled{std::move(code), sources});
  const std::lock_guard adding(table);
  specialisations.push_back(made);
  return made;
}

void Program::Impl::remark_on_another(const driver::Binding& binding, std::vector<Diagnostic>& messages) const {
  const std::lock_guard lock(table);
  if (specialisations.empty()) return;
  const auto differences = [&](const CompiledRef& each) {
    return driver::differing(each->code->signature, binding.signature).size();
  };
  const CompiledRef& nearest = *std::ranges::min_element(specialisations, {}, differences);
  Diagnostics found;
  found.add(driver::specialisation_remark(module->interface, nearest->code->signature, binding.signature));
  for (Diagnostic& each : driver::to_api(found, module->sources)) messages.push_back(std::move(each));
}

Result Program::Impl::run(const Arguments& arguments, const RunOptions& run_options) {
  if (!usable) return failed_result(Outcome::failed, diagnostics);
  driver::HostRun host(run_options, options.files);
  Diagnostics found;
  const driver::BindResult bound = bind(arguments, host, found);
  std::vector<Diagnostic> messages = driver::to_api(found, module->sources);
  if (bound.outcome != Outcome::ok) {
    Result ended = failed_result(host.interrupted() ? Outcome::interrupted : bound.outcome, messages);
    ResultAccess::limit(ended, host.limit());
    return ended;
  }
  bool compiled = false;
  const std::int64_t bound_at = host.trace() != nullptr ? host.trace()->now() : 0;
  const CompiledRef chosen = specialise(bound.binding, run_options.memory_limit, messages, compiled);
  if (!chosen || rejects(found)) return failed_result(Outcome::failed, messages);
  const Specialisation& code = *chosen->code;
  const SourceManager& sources = *chosen->sources;
  Result result;
  ResultAccess::describe(result, std::string(driver::name(code.interpreted ? Target::interp : options.target)),
                         precision == lac::Element::single ? "single" : "double");
  ResultAccess::fail(result, Outcome::ok, messages);
  if (!code.run) return result;  // stopped after a pass
  const std::vector<runtime::Tensor> tensors = driver::tensors_for(code.parameters, bound.binding);
  const CompileTimes times = compiled ? code.times : CompileTimes{};
  const std::int64_t begun = host.trace() != nullptr ? host.trace()->now() : 0;
  runtime::RunResult ended = host.execute(code, sources, tensors);
  if (const runtime::Trace* trace = host.trace())
    ResultAccess::trace(result,
                        driver::trace_json(*trace, {bound_at, begun, trace->now(), times}, code.locations, sources));
  for (Diagnostic& warning : host.take_warnings()) messages.push_back(std::move(warning));
  const Outcome outcome = driver::outcome_of(ended.status);
  if (outcome == Outcome::ok) {
    for (Diagnostic& late : host.came_late()) messages.push_back(std::move(late));
  } else {
    messages.push_back(driver::to_api(ended.status, code.locations, sources, bound.binding.parameters));
  }
  Statistics statistics = driver::to_api(std::move(ended.statistics), times, code.locations, sources);
  ResultAccess::fill(result, outcome, std::move(messages), inputs_of(code.parameters, tensors), std::move(ended),
                     std::move(statistics));
  ResultAccess::figures(result, host.figures());
  ResultAccess::limit(result, host.limit());
  ResultAccess::warnings_left_out(result, host.warnings_left_out());
  return result;
}

Checked Program::Impl::prepare(const Arguments& arguments) {
  if (!usable) return {Outcome::failed, {}, diagnostics};
  Checked result;
  Diagnostics found;
  const driver::BindResult bound = bind(arguments, false, found);
  result.outcome = bound.outcome;
  result.diagnostics = driver::to_api(found, module->sources);
  if (!result.ok()) return result;
  bool compiled = false;
  const CompiledRef chosen = specialise(bound.binding, 0, result.diagnostics, compiled);
  if (!chosen || rejects(found)) result.outcome = Outcome::failed;
  else if (chosen->code->warm) chosen->code->warm();
  return result;
}

Checked Program::Impl::check(const Arguments& arguments) {
  if (!usable) return {Outcome::failed, {}, diagnostics};
  Checked result;
  SourceManager sources = module->sources;
  Diagnostics found;
  const driver::BindResult bound = bind(arguments, true, found);
  result.outcome = bound.outcome;
  if (result.ok()) {
    double milliseconds = 0;
    driver::CompileRequest wanted = request(bound.binding, sources);
    wanted.describe = true;
    wanted.by_value.clear();
    const auto lowered = driver::lower_module(*module, wanted, milliseconds, found);
    if (!lowered || rejects(found)) result.outcome = Outcome::failed;
    for (const frontend::VariableInfo& info : lowered ? lowered->variables : std::vector<frontend::VariableInfo>{}) {
      const std::uint32_t line = info.span.valid() ? sources.begin(info.span).line : 0;
      result.variables.push_back(
          {info.scope, info.name, info.type, info.element, info.storage, info.shape, info.properties, line});
    }
  }
  result.diagnostics = driver::to_api(found, sources);
  return result;
}

template <class Action>
Emitted Program::Impl::emit(const Arguments& arguments, const Action& action) {
  if (!usable) return {Outcome::failed, {}, diagnostics};
  Emitted result;
  SourceManager sources = module->sources;
  Diagnostics found;
  const driver::BindResult bound = bind(arguments, true, found);
  result.outcome = bound.outcome;
  if (result.ok()) {
    const std::lock_guard lock(compiling);
    lac::Result<driver::Shown> shown = action(request(bound.binding, sources), found);
    if (shown) {
      result.text = std::move(shown.value().text);
      result.files = std::move(shown.value().files);
    } else if (!found.has_errors()) {
      found.error({}, shown.failure().message);
    }
    if (!shown || rejects(found)) result.outcome = Outcome::failed;
  }
  result.diagnostics = driver::to_api(found, sources);
  return result;
}

Program::Program(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Program Program::from_text(std::string text, std::string name, Options options) {
  auto impl = std::make_shared<Impl>();
  impl->options = std::move(options);
  impl->load(std::move(name), std::move(text), finder_for(impl->options));
  return Program(std::move(impl));
}

Program Program::from_file(const std::string& path, Options options) {
  auto impl = std::make_shared<Impl>();
  impl->options = std::move(options);
  lac::Result<std::string> text = path == "-" ? driver::read_standard_input() : runtime::read_file(path);
  if (text) {
    driver::FunctionFinder finder = finder_for(impl->options);
    if (impl->options.files && path != "-")
      finder.directories.insert(finder.directories.begin(), driver::directory_of(path));
    impl->load(path, text.take(), std::move(finder));
  } else {
    impl->module = std::make_unique<Module>();
    impl->diagnostics = {driver::plain_error(text.failure().message)};
  }
  return Program(std::move(impl));
}

bool Program::ok() const { return impl_->usable; }
const std::vector<Diagnostic>& Program::diagnostics() const { return impl_->diagnostics; }
std::string Program::message() const { return driver::rendered(impl_->diagnostics); }
const std::vector<Parameter>& Program::parameters() const { return impl_->parameters; }
const std::vector<std::string>& Program::outputs() const { return impl_->module->interface.outputs; }
const std::string& Program::help() const { return impl_->module->interface.help; }

Result Program::run(const Arguments& arguments, const RunOptions& options) {
  return guarded<Result>(
      [&] { return impl_->run(arguments, options); },
      [](const std::string& message) { return failed_result(Outcome::failed, {driver::plain_error(message)}); });
}

Checked Program::prepare(const Arguments& arguments) {
  return guarded<Checked>([&] { return impl_->prepare(arguments); },
                          [](const std::string& message) {
                            return Checked{Outcome::failed, {}, {driver::plain_error(message)}};
                          });
}

std::future<Checked> Program::prepare_in_background(const Arguments& arguments) {
  const auto work = [program = *this, arguments]() mutable { return program.prepare(arguments); };
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

Checked Program::check(const Arguments& arguments) {
  return guarded<Checked>([&] { return impl_->check(arguments); },
                          [](const std::string& message) {
                            return Checked{Outcome::failed, {}, {driver::plain_error(message)}};
                          });
}

Emitted Program::emit(std::string_view what, const Arguments& arguments) {
  const std::vector<Pass> known = stages();
  if (std::none_of(known.begin(), known.end(), [&](const Pass& stage) { return stage.name == what; })) {
    return {Outcome::usage, {}, {driver::plain_error("there is no stage '" + std::string(what) + "'")}};
  }
  return guarded<Emitted>(
      [&] {
        return impl_->emit(arguments, [&](const driver::CompileRequest& request, Diagnostics& found) {
          return impl_->backend->emit(what, *impl_->module, request, found);
        });
      },
      [](const std::string& message) {
        return Emitted{Outcome::failed, {}, {driver::plain_error(message)}};
      });
}

Emitted Program::build(const std::string& path, BuildKind kind, const Arguments& examples) {
  return guarded<Emitted>(
      [&] {
        std::optional<driver::Watch> watch;  // nothing runs: it tells of compiling
        if (impl_->options.progress) watch.emplace(impl_->options.progress);
        return impl_->emit(
            examples, [&](const driver::CompileRequest& request, Diagnostics& found) -> lac::Result<driver::Shown> {
              driver::CompileRequest for_all_values = request;
              for_all_values.by_value.clear();
              auto built = impl_->backend->build(path, kind, *impl_->module, for_all_values, found);
              if (!built) return built.failure();
              return driver::Shown{built.take()};
            });
      },
      [](const std::string& message) {
        return Emitted{Outcome::failed, {}, {driver::plain_error(message)}};
      });
}

bool Functions::ok() const {
  return std::none_of(diagnostics.begin(), diagnostics.end(),
                      [](const Diagnostic& each) { return each.severity == Severity::error; });
}

Functions functions_of(std::string text, std::string name) {
  const std::unique_ptr<Module> module = driver::parse_module(std::move(name), std::move(text), {});
  Functions functions;
  functions.diagnostics = driver::to_api(module->diagnostics, module->sources);
  if (!module->program) return functions;
  for (const frontend::ast::Function& each : module->program->functions) {
    const auto line = [&](std::uint32_t offset) { return module->sources.position(each.span.file, offset).line; };
    functions.list.push_back({each.name.text, line(each.span.begin), line(each.span.end)});
  }
  return functions;
}

int Program::compilations() const {
  const std::lock_guard lock(impl_->table);
  return static_cast<int>(impl_->specialisations.size());
}

}  // namespace lac::api
