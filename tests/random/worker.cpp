// Runs programs that arrive on standard input on the oracle, after every pass, and natively, for random_programs.py.
//
// A program is one line with its number of bytes, then its text. The answer is a block
//     stage NAME BYTES
//     what the program printed; at its end "error: ..." where it failed
// for each stage, then "end". Stage `graph` is the oracle on the graph as lowered, `after PASS` the oracle on the graph
// that the pass has changed, `plan` and `vulkan-plan` the oracle on the plans of both targets, `cpu` compiled code. A
// program that does not compile has the one stage `refused`. With --no-native there is no stage `cpu`: many more
// programs in the same time. With --check-bounds compiled code asserts its accesses to memory.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "driver/core/binding.h"
#include "driver/native/compile.h"
#include "driver/native/native_code.h"
#include "driver/native/tiered_code.h"
#include "ir/graph/text.h"
#include "ir/plan/manifest.h"
#include "ir/plan/plan_verifier.h"
#include "passes/make_plan.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/strip/kernel.h"
#include "runtime/interp/interpreter.h"

using namespace lac;

namespace {

void answer(const std::string& stage, const std::string& text) {
  std::cout << "stage " << stage << " " << text.size() << "\n" << text << "\n";
}

std::string printed(const std::function<runtime::RunResult(const runtime::RunOptions&)>& run) {
  std::string text;
  runtime::RunOptions options;
  options.threads = 1;
  options.out = [&](std::string_view part) { text += part; };
  const runtime::RunResult result = run(options);
  if (!result.status.ok()) text += result.status.message + "\n";
  return text;
}

std::string rendered_text(const Diagnostics& diagnostics, const driver::Module& module) {
  return driver::rendered(driver::to_api(diagnostics, module.sources));
}

struct Bound {
  driver::Binding binding;
  Graph graph;
  std::vector<runtime::Tensor> tensors;
};

std::optional<Bound> lowered(driver::Module& module, Diagnostics& diagnostics) {
  if (!module.ok()) return std::nullopt;
  driver::BindResult bound = driver::bind(module, {}, {}, diagnostics);
  if (bound.outcome != api::Outcome::ok) return std::nullopt;
  const api::Options options;
  const driver::CompileRequest request{bound.binding.signature, {}, Element::real, &options, &module.sources};
  double milliseconds = 0;
  auto program = driver::lower_module(module, request, milliseconds, diagnostics);
  if (!program || diagnostics.has_errors()) return std::nullopt;
  Bound result{std::move(bound.binding), std::move(program->graph), {}};
  result.tensors = driver::tensors_for(result.graph.parameters, result.binding);
  return result;
}

std::string run_native(const Plan& plan, const std::vector<runtime::Tensor>& tensors, bool check_bounds) {
  Result<driver::NativeCode> code = driver::NativeCode::make(plan, {"native", true, check_bounds}, nullptr);
  if (!code) return "internal error: " + code.failure().message;
  const Manifest manifest = make_manifest(plan);
  return printed([&](const runtime::RunOptions& options) {
    return runtime::run_cpu(code.value().program(manifest), tensors, options);
  });
}

/// Begun uncompiled: each kernel goes on compiled at its second launch, each loop at its third trip.
std::string run_in_tiers(const Plan& plan, const std::vector<runtime::Tensor>& tensors) {
  const codegen::CodegenOptions options{"native", true};
  const auto code = driver::TieredCode::make(plan, options, runtime::vector_isa_of(options.cpu).value(), nullptr,
                                             driver::Compiling::at_once);
  const Manifest manifest = make_manifest(plan);
  return printed(
      [&](const runtime::RunOptions& running) { return runtime::run_cpu(code->program(manifest), tensors, running); });
}

/// The plan, which verifies.
Plan planned(Graph graph, const driver::PlanTarget& target) {
  Plan plan = passes::make_plan(std::move(graph), target.capabilities);
  const std::vector<std::string> problems = verify_plan(plan);
  if (!problems.empty()) throw InternalError("the plan is not sound: " + problems.front());
  return plan;
}

void run_program(const std::string& text, bool native, bool check_bounds) {
  const auto module = driver::parse_module("random.la", text, {});
  Diagnostics diagnostics;
  std::optional<Bound> program = lowered(*module, diagnostics);
  if (!program) {
    answer("refused", rendered_text(module->diagnostics, *module) + rendered_text(diagnostics, *module));
    return;
  }
  const auto interpreted = [&](const auto& graph_or_plan) {
    return printed(
        [&](const runtime::RunOptions& options) { return interpret(graph_or_plan, program->tensors, options); });
  };
  const Graph lowered_graph = program->graph;
  passes::ManagerOptions options;
  options.capabilities = driver::cpu_plan().capabilities;
  options.verify = true;
  std::string previous;
  options.after = [&](std::string_view pass, const Graph& graph) {
    std::string now = print(graph);
    if (now == previous) return;
    previous = std::move(now);
    answer(pass.empty() ? "graph" : "after " + std::string(pass), interpreted(graph));
  };
  if (!passes::run_pipeline(program->graph, *passes::find_pipeline("cpu"), options).ok())
    throw InternalError("the pipeline cpu does not run");
  const Plan plan = planned(std::move(program->graph), driver::cpu_plan());
  answer("plan", interpreted(plan));
  Graph for_device = lowered_graph;
  options.capabilities = driver::vulkan_plan().capabilities;
  options.after = {};
  if (!passes::run_pipeline(for_device, *passes::find_pipeline("vulkan"), options).ok())
    throw InternalError("the pipeline vulkan does not run");
  answer("vulkan-plan", interpreted(planned(std::move(for_device), driver::vulkan_plan())));
  if (!native) return;
  answer("cpu", run_native(plan, program->tensors, check_bounds));
  if (!check_bounds) answer("tiers", run_in_tiers(plan, program->tensors));
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string_view> options(words + 1, words + count);
  const bool native = std::ranges::find(options, "--no-native") == options.end();
  const bool check_bounds = std::ranges::find(options, "--check-bounds") != options.end();
  for (std::string line; std::getline(std::cin, line);) {
    std::string text(std::stoul(line), '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    std::cin.ignore(1);  // the line break after the text
    try {
      run_program(text, native, check_bounds);
    } catch (const std::exception& problem) {
      answer("internal", problem.what());
    }
    std::cout << "end" << std::endl;
  }
}
