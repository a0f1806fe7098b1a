#include "codegen/glsl/kernel/context.h"

#include <algorithm>

namespace lac::codegen::glsl {
namespace {

/// The kernel's name as the beginning of file names: with its number where another kernel has the same name.
std::string unique_name(const Graph& plan, KernelId id) {
  const auto name = [&](KernelId kernel) {
    const std::string& given = plan.kernels[kernel].name;
    return legal_name(given.empty() ? "kernel" : given);
  };
  for (std::uint32_t n = 0; n < id.index; ++n)
    if (name(KernelId{n}) == name(id)) return name(id) + "_" + std::to_string(id.index);
  return name(id);
}

/// "kernel r_norm", then "cg.la:12: r = r - alpha * q;" for each line that the kernel came from.
std::vector<std::string> source_lines(const Graph& plan, const Kernel& kernel, const SourceManager* sources) {
  std::vector<std::string> lines = {kernel.name.empty() ? "a kernel" : "kernel " + kernel.name};
  for (LocationId id : kernel.locations) {
    if (!sources || !plan.locations.contains(id) || !plan.locations[id].span.valid()) continue;
    const Span& span = plan.locations[id].span;
    const std::uint32_t number = sources->begin(span).line;
    std::string text(sources->line(span.file, number));
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    // A backslash at the end would continue the comment.
    while (!text.empty() && (text.back() == '\\' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
    const std::string line = sources->file(span.file).name + ":" + std::to_string(number) + ": " + text;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

KernelContext kernel_context(const Plan& plan, const Op& launch, const GlslOptions& options) {
  const KernelId id = attribute<KernelId>(launch);
  const Kernel& kernel = plan.kernels[id];
  KernelContext context{plan,
                        kernel,
                        options,
                        unique_name(plan, id) + (options.split ? "_split" : ""),
                        {},
                        {},
                        {},
                        launch.reuse,
                        source_lines(plan, kernel, options.sources)};
  for (ValueId input : launch.operands) {
    context.places.push_back(plan.places[input]);
    context.inputs.push_back(plan.values[input].layout);
  }
  for (ValueId output : launch.results) context.outputs.push_back(plan.values[output].layout);
  return context;
}

}  // namespace lac::codegen::glsl
