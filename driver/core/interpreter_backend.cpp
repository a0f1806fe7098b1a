#include "driver/core/backend.h"
#include "driver/core/outside_answers.h"
#include "runtime/interp/interpreter.h"

namespace lac::driver {

std::string_view name(api::Target target) {
  constexpr std::string_view names[] = {"cpu", "interp", "vulkan", "vulkan-fragment"};
  return names[static_cast<int>(target)];
}

namespace {

std::optional<frontend::Lowered> lower_for(const std::vector<frontend::ParameterSignature>& signature,
                                           const Module& module, const CompileRequest& request,
                                           Diagnostics& diagnostics) {
  frontend::LowerOptions options =
      lower_options(module, request.precision, request.options && request.options->files, request.memory_limit);
  options.check_domain = request.options && request.options->check_domain;
  options.describe = request.describe;
  options.session = request.session;
  if (request.answers) record(options, *request.answers);
  return frontend::lower(*module.program, signature, *request.sources, options, diagnostics);
}

}  // namespace

std::optional<frontend::Lowered> lower_module(const Module& module, const CompileRequest& request, double& lower_ms,
                                              Diagnostics& diagnostics) {
  const double start = now_ms();
  Diagnostics said;
  auto lowered = lower_for(request.signature, module, request, said);
  if (lowered && lowered->open_shapes > 0 && !request.by_value.empty()) {
    Diagnostics said_by_value;
    auto by_value = lower_for(request.by_value, module, request, said_by_value);
    if (by_value && by_value->open_shapes < lowered->open_shapes) {
      lowered = std::move(by_value);
      said = std::move(said_by_value);
    }
  }
  for (const Diagnostic& each : said.items()) diagnostics.add(each);
  lower_ms = now_ms() - start;
  return lowered;
}

std::shared_ptr<const Specialisation> compile_for_interpreter(const Module& module, const CompileRequest& request,
                                                              Diagnostics& diagnostics) {
  auto result = std::make_shared<Specialisation>();
  result->times.parse = module.parse_ms;
  result->interpreted = true;
  auto lowered = lower_module(module, request, result->times.lower, diagnostics);
  if (!lowered) return nullptr;
  result->signature = std::move(lowered->signature);
  auto graph = std::make_shared<const Graph>(std::move(lowered->graph));
  result->parameters = graph->parameters;
  result->locations = graph->locations;
  result->run = [graph](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
    return runtime::interpret(*graph, parameters, options);
  };
  return result;
}

}  // namespace lac::driver
