// Programs of drawn sizes, ranges and overlaps (made_program.h): compiled for this machine with every access to memory
// asserted, and run; what they print and how they end is what the oracle says.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "driver/native/native_code.h"
#include "ir/plan/manifest.h"
#include "passes/make_plan.h"
#include "passes/pass_manager.h"
#include "runtime/cpu/executor.h"
#include "runtime/interp/interpreter.h"
#include "tests/fuzz/made_program.h"
#include "tests/fuzz/program_run.h"
#include "tests/fuzz/program_text.h"

using namespace lac;

namespace {

constexpr std::size_t most_ops = 3'000;
constexpr double tolerance = 1e-9;

fuzz::Outcome run_native(const Plan& plan, const driver::NativeCode& code) {
  const Manifest manifest = make_manifest(plan);
  return fuzz::limited_run(
      [&](const runtime::RunOptions& options) { return runtime::run_cpu(code.program(manifest), {}, options); });
}

driver::NativeCode compile(const Plan& plan) {
  codegen::CodegenOptions options;
  options.verify = options.check_bounds = true;
  Result<driver::NativeCode> code = driver::NativeCode::make(plan, options, nullptr);
  if (code) return code.take();
  std::fprintf(stderr, "%s\n", code.failure().message.c_str());
  std::abort();
}

// For a program that the oracle could not run for its size: the compiled one may need no memory and run for hours, so
// it gets a process with a second of its own. Only a crash is a finding.
void run_apart(const Plan& plan, const driver::NativeCode& code) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit seconds{1, 1};
    setrlimit(RLIMIT_CPU, &seconds);
    run_native(plan, code);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return;
  const bool out_of_time = WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU);
  if (out_of_time || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return;
  std::fprintf(stderr, "compiled, where the oracle had no memory: ends with status %d\n", status);
  std::abort();
}

// Equal but for the rounding of numbers.
bool same_text(const std::string& a, const std::string& b) {
  const char *p = a.c_str(), *q = b.c_str();
  while (*p != '\0' && *q != '\0') {
    char *p_end = nullptr, *q_end = nullptr;
    const double x = std::strtod(p, &p_end), y = std::strtod(q, &q_end);
    if (p_end == p || q_end == q) {
      if (*p++ != *q++) return false;
      continue;
    }
    const bool equal = x == y || (std::isnan(x) && std::isnan(y)) ||
                       std::abs(x - y) <= tolerance * std::max({1.0, std::abs(x), std::abs(y)});
    if (!equal) return false;
    p = p_end;
    q = q_end;
  }
  return *p == *q;
}

[[noreturn]] void differ(const fuzz::Outcome& oracle, const fuzz::Outcome& native) {
  std::fprintf(stderr, "oracle:\n%s%s\ncompiled:\n%s%s\n", oracle.text.c_str(), oracle.status.message.c_str(),
               native.text.c_str(), native.status.message.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::WorkLimit limit;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find("write") != std::string::npos) return 0;  // nothing is written to the disk
  fuzz::Program program(text, false);
  if (!program.lowered || program.diagnostics.has_errors()) return 0;
  Graph& graph = program.lowered->graph;
  if (!graph.parameters.empty() || graph.ops.size() > most_ops) return 0;
  const fuzz::Outcome oracle =
      fuzz::limited_run([&](const runtime::RunOptions& options) { return interpret(graph, {}, options); });
  passes::ManagerOptions options;
  options.verify = true;
  options.capabilities.straight_loops = true;
  if (!passes::run_pipeline(graph, *passes::find_pipeline("cpu"), options).ok()) std::abort();
  if (graph.ops.size() > most_ops) return 0;
  const Plan plan = passes::make_plan(std::move(graph), options.capabilities);
  const driver::NativeCode code = compile(plan);
  if (!oracle.has_result()) {
    run_apart(plan, code);
    return 0;
  }
  const fuzz::Outcome native = run_native(plan, code);
  if (!native.has_result()) return 0;
  if (oracle.status.code != native.status.code) differ(oracle, native);
  if (!fuzz::is_exact_program(text)) return 0;
  if (oracle.status.message != native.status.message || !same_text(oracle.text, native.text)) differ(oracle, native);
  return 0;
}
