#include "codegen/llvm/jit_object.h"

#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <future>
#include <thread>

#include "codegen/llvm/beside.h"
#include "codegen/llvm/machine_code.h"
#include "codegen/llvm/module.h"
#include "codegen/llvm/target.h"

namespace lac::codegen {
namespace {

bool calls_sleef(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with("Sleef_")) return true;
  return false;
}

// Whether a loop does nothing but scalar arithmetic: then its speed is that of lac_program_body's own code.
bool has_scalar_loop(const Graph& plan) {
  const auto launches = [&](OpId id) {
    bool found = false;
    for (BlockId block : plan.ops[id].blocks)
      for_each_op(plan, block, [&](OpId inner) {
        const OpKind kind = plan.ops[inner].kind;
        found |= kind == OpKind::launch || kind == OpKind::library;
      });
    return found;
  };
  bool found = false;
  for_each_op(plan, plan.body, [&](OpId id) { found |= plan.ops[id].kind == OpKind::loop && !launches(id); });
  return found;
}

// What runs once per launch is not worth the optimising code generator.
void hurry(llvm::Module& module, bool hurry_program) {
  for (llvm::Function& function : module) {
    const llvm::StringRef name = function.getName();
    const bool cold = name.ends_with("_blocks") || name.ends_with("_finish") || (name == body_name && hurry_program);
    if (function.isDeclaration() || !cold) continue;
    function.addFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::NoInline);
  }
}

Result<JitObject> compile_object(const Graph& plan, const CodegenOptions& options, Part part) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = make_target_machine(options, CodeUse::jit);
  if (!machine) return machine.failure();
  const CompiledModule compiled = compile_module(plan, options, *machine.value(), part);
  hurry(*compiled.module, !has_scalar_loop(plan));
  Result<std::string> bytes = machine_code(*compiled.module, *machine.value(), MachineFile::object);
  if (!bytes) return bytes.failure();
  return JitObject{bytes.take(), calls_sleef(*compiled.module)};
}

// A kernel takes some milliseconds, a thread with its own code generator about one.
std::uint32_t part_count(const Graph& plan) {
  const std::size_t worthwhile = 1 + plan.kernels.size() / 3;
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, std::min<std::size_t>(worthwhile, 8)));
}

}  // namespace

Result<std::vector<JitObject>> compile_objects(const Graph& plan, const CodegenOptions& options) {
  const std::uint32_t count = part_count(plan);
  std::vector<std::future<Result<JitObject>>> others;
  for (std::uint32_t part = 1; part < count; ++part)
    others.push_back(beside([&plan, &options, part, count] { return compile_object(plan, options, {part, count}); }));
  std::vector<JitObject> objects;
  const auto add = [&](Result<JitObject> object) -> std::optional<Failure> {
    if (!object) return object.failure();
    objects.push_back(object.take());
    return std::nullopt;
  };
  if (const auto problem = add(compile_object(plan, options, {0, count}))) return *problem;
  for (auto& other : others)
    if (const auto problem = add(other.get())) return *problem;
  return objects;
}

}  // namespace lac::codegen
