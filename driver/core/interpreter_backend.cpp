#include "driver/core/backend.h"
#include "driver/core/outside_answers.h"
#include "runtime/interp/interpreter.h"

namespace lac::driver {

std::string_view name(api::Target target) {
  constexpr std::string_view names[] = {"cpu", "interp", "vulkan", "vulkan-fragment"};
  return names[static_cast<int>(target)];
}

std::optional<frontend::Lowered> lower_module(const Module& module, const CompileRequest& request, double& lower_ms,
                                              Diagnostics& diagnostics) {
  const double start = now_ms();
  frontend::LowerOptions options =
      lower_options(module, request.precision, request.options && request.options->files, request.memory_limit);
  options.check_domain = request.options && request.options->check_domain;
  options.describe = request.describe;
  options.session = request.session;
  if (request.answers) record(options, *request.answers);
  auto lowered = frontend::lower(*module.program, request.signature, *request.sources, options, diagnostics);
  lower_ms = now_ms() - start;
  return lowered;
}

std::shared_ptr<const Specialisation> compile_for_interpreter(const Module& module, const CompileRequest& request,
                                                              Diagnostics& diagnostics) {
  auto result = std::make_shared<Specialisation>();
  result->signature = request.signature;
  result->times.parse = module.parse_ms;
  result->interpreted = true;
  auto lowered = lower_module(module, request, result->times.lower, diagnostics);
  if (!lowered) return nullptr;
  auto graph = std::make_shared<const Graph>(std::move(lowered->graph));
  result->parameters = graph->parameters;
  result->locations = graph->locations;
  result->run = [graph](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
    return runtime::interpret(*graph, parameters, options);
  };
  return result;
}

}  // namespace lac::driver
