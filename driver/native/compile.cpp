#include "driver/native/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/ast/print.h"
#include "ir/graph/dot.h"
#include "ir/graph/text.h"
#include "ir/plan/plan_text.h"
#include "ir/plan/plan_verifier.h"
#include "passes/make_plan.h"

namespace lac::driver {

namespace {

bool wants(const api::Options& options, std::string_view item) {
  return options.dump_sink && std::find(options.dump.begin(), options.dump.end(), item) != options.dump.end();
}

/// Hands out graphs between passes.
class Dumper {
 public:
  Dumper(const api::Options& options, const SourceManager& sources) : options_(options), sources_(sources) {}

  /// graph and dot before the first pass, graph:after=PASS each time the pass has run, kernels of the plan, or of the
  /// schedule where that is the end.
  void after(std::string_view pass, const Graph& graph) {
    if (pass.empty()) {
      give("graph", graph);
      if (wants(options_, "dot")) options_.dump_sink("dot", dot(graph));
      if (options_.print_passes) previous_ = print(graph, &sources_);
      return;
    }
    const std::string item = "graph:after=" + std::string(pass);
    if (options_.print_passes) {
      give_changed(item, graph);
    } else {
      give(item, graph);
    }
    const bool last = pass == "plan_memory" || (pass == "schedule" && options_.stop_after == pass);
    if (last && wants(options_, "kernels")) options_.dump_sink("kernels", print_kernels(graph, &sources_));
  }

  void give(std::string_view item, const Graph& graph) {
    if (wants(options_, item)) options_.dump_sink(std::string(item), print(graph, &sources_));
  }

 private:
  void give_changed(const std::string& item, const Graph& graph) {
    std::string text = print(graph, &sources_);
    if (text != previous_) options_.dump_sink(item, text);
    previous_ = std::move(text);
  }

  const api::Options& options_;
  const SourceManager& sources_;
  std::string previous_;
};

std::string time_table(const api::CompileTimes& before, const std::vector<passes::PassTime>& times) {
  std::string text =
      fmt::format("{:<16} {:>9.3f} ms\n{:<16} {:>9.3f} ms\n", "parse", before.parse, "lower", before.lower);
  double total = before.parse + before.lower;
  for (const passes::PassTime& time : times) {
    text += fmt::format("{:<16} {:>9.3f} ms{}\n", time.name, time.milliseconds, time.changed ? "" : "  (no change)");
    total += time.milliseconds;
  }
  return text + fmt::format("{:<16} {:>9.3f} ms\n", "total", total);
}

/// In builds that verify, what the pass manager does behind every pass.
void require_valid([[maybe_unused]] const Plan& plan) {
#ifdef LAC_VERIFY_PASSES
  const std::vector<std::string> problems = verify_plan(plan);
  if (problems.empty()) return;
  std::string message = "make_plan broke the plan";
  for (const std::string& problem : problems) message += "\n  " + problem;
  throw InternalError(message + "\n" + print_plan(plan));
#endif
}

}  // namespace

const PlanTarget& cpu_plan() {
  static const PlanTarget target = {
      "cpu", {.growth_in_place = true, .several_nests = true, .several_sums = true, .straight_loops = true}};
  return target;
}

// Fewer inputs and outputs than on the cpu: each is a storage buffer, of which a stage has 64 on many devices and 8
// more are ours; and drivers compile a kernel with many loads slowly.
const PlanTarget& vulkan_plan(bool texels) {
  constexpr auto capabilities = [](bool packed) {
    return Capabilities{.max_inputs = 20,
                        .max_outputs = 14,
                        .max_reductions = 12,
                        .device_scalars = true,
                        .matrix_products = true,
                        .growth_in_place = !packed,
                        .growth_launches = !packed,
                        .device_loops = DeviceLoops::all,
                        .device_steps = true,
                        .native_loops = true,
                        .workgroups = true,
                        .texels = packed};
  };
  static const PlanTarget buffers = {"vulkan", capabilities(false)};
  static const PlanTarget packed = {"vulkan", capabilities(true)};
  return texels ? packed : buffers;
}

const PlanTarget& pack_plan() {
  static const PlanTarget target = [] {
    PlanTarget packed = vulkan_plan();
    packed.capabilities.device_counters = true;
    packed.capabilities.native_loops = false;
    return packed;
  }();
  return target;
}

// Results are textures of their own: what the plan says about taking over is an offer.
const PlanTarget& fragment_plan() {
  static const PlanTarget target = [] {
    PlanTarget passes = vulkan_plan();
    passes.capabilities.max_outputs = 8;  // render targets
    passes.capabilities.max_reductions = 6;
    passes.capabilities.device_loops = DeviceLoops::of_kernels;
    passes.capabilities.device_steps = false;
    passes.capabilities.native_loops = false;
    passes.capabilities.workgroups = false;
    return passes;
  }();
  return target;
}

std::optional<Compilation> compile_to_plan(const Module& module, const CompileRequest& request,
                                           const PlanTarget& target, Diagnostics& diagnostics) {
  const api::Options& options = *request.options;
  if (wants(options, "ast")) options.dump_sink("ast", frontend::ast::print(*module.program));
  Compilation result;
  result.times.parse = module.parse_ms;
  auto lowered = lower_module(module, request, result.times.lower, diagnostics);
  if (!lowered) return std::nullopt;
  const double start = now_ms();
  Graph graph = std::move(lowered->graph);
  result.signature = std::move(lowered->signature);
  passes::ManagerOptions manager;
  manager.stop_after = options.stop_after;
  manager.explains = options.remarks;
  manager.capabilities = target.capabilities;
  manager.capabilities.fusion = options.fuse;
  Dumper dumper(options, *request.sources);
  if (options.dump_sink) manager.after = [&](std::string_view pass, const Graph& graph) { dumper.after(pass, graph); };
  const std::string pipeline = std::string(target.pipeline) + (options.retime && options.fuse ? "" : "-no-retime");
  Result<passes::ManagerReport> report = run_pipeline(graph, *passes::find_pipeline(pipeline), manager);
  if (!report) {
    diagnostics.error({}, report.failure().message);
    return std::nullopt;
  }
  for (const Diagnostic& remark : report.value().remarks) {
    if (options.remarks) diagnostics.add(remark);
  }
  result.stopped = !options.stop_after.empty();
  result.plan = result.stopped ? Plan(std::move(graph)) : passes::make_plan(std::move(graph), manager.capabilities);
  if (!result.stopped) require_valid(result.plan);
  result.times.passes = now_ms() - start;
  if (!result.stopped && wants(options, "plan")) options.dump_sink("plan", print_plan(result.plan, request.sources));
  if (options.time_passes && options.dump_sink)
    options.dump_sink("time-passes", time_table(result.times, report.value().times));
  return result;
}

bool dump_stages(std::span<const std::string_view> names, const api::Options& options, Diagnostics& diagnostics,
                 const std::function<Result<Shown>(std::string_view)>& show) {
  for (const std::string_view name : names) {
    if (!wants(options, name)) continue;
    const Result<Shown> shown = show(name);
    if (!shown) {
      diagnostics.error({}, shown.failure().message);
      return false;
    }
    options.dump_sink(std::string(name), shown.value().text);
  }
  return true;
}

std::optional<Result<Shown>> show_graph_stage(std::string_view what, const Module& module,
                                              const CompileRequest& request, const PlanTarget& target,
                                              Diagnostics& diagnostics) {
  if (what == "ast") return Shown{frontend::ast::print(*module.program)};
  if (what == "graph" || what == "dot") {
    double milliseconds = 0;
    const auto lowered = lower_module(module, request, milliseconds, diagnostics);
    if (!lowered) return Failure{"the program does not lower"};
    return Shown{what == "graph" ? print(lowered->graph, request.sources) : dot(lowered->graph)};
  }
  if (what != "plan" && what != "kernels") return std::nullopt;
  const auto compiled = compile_to_plan(module, request, target, diagnostics);
  if (!compiled) return Failure{"the program does not compile"};
  if (what == "kernels") return Shown{print_kernels(compiled->plan, request.sources)};
  return Shown{compiled->stopped ? print(compiled->plan, request.sources)
                                 : print_plan(compiled->plan, request.sources)};
}

}  // namespace lac::driver
