// A Plan that runs at once and is compiled while it runs (runtime/cpu/tiers.h).
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/llvm/options.h"
#include "driver/core/content_store.h"
#include "ir/plan/manifest.h"
#include "ir/plan/plan.h"
#include "ir/support/result.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/loaded_code.h"
#include "runtime/cpu/tiers.h"

namespace lac::driver {

/// When code is made of it: what runs find worth it, beside them; nothing; or, for tests, each thing as soon as it was
/// run uncompiled once, while the run waits.
enum class Compiling : std::uint8_t { when_worth_it, never, at_once };

/// Thread-safe; lives until its last compilation has ended.
class TieredCode : public std::enable_shared_from_this<TieredCode> {
 public:
  /// With the code of kernels and loops that earlier processes left in `store` (may be null).
  static std::shared_ptr<TieredCode> make(Plan plan, codegen::CodegenOptions options, VectorIsa isa,
                                          std::shared_ptr<ContentStore> store, Compiling compiling);

  /// To run with the manifest of the plan, which outlives the result.
  runtime::CpuProgram program(const Manifest& manifest) { return {nullptr, nullptr, &manifest, tiers_.get()}; }

  /// Compiles all of it that is not compiled yet, side by side; what cannot be is run uncompiled.
  void compile_all();

  /// Whether it began with code of earlier processes.
  bool has_kept() const { return has_kept_; }

  /// Behind a run: leaves to later processes how long it did without code.
  void note_run();

 private:
  using Unit = runtime::Tiers::Unit;

  TieredCode(Plan plan, codegen::CodegenOptions options, std::shared_ptr<ContentStore> store);

  std::vector<Unit> all_units() const;
  std::string key_of(Unit unit) const;
  /// What earlier processes left; what they began and did not end.
  std::vector<Unit> load_kept();
  void install_kept(const std::vector<Unit>& units, const std::vector<std::string>& objects);
  bool keeps() const { return store_ != nullptr && !options_key_.empty(); }
  void mark(Unit unit, std::string_view content, std::int64_t noted_now);
  std::int64_t& noted(Unit unit) {
    return (unit.kind == Unit::Kind::kernel ? kernel_noted_ : loop_noted_)[unit.number];
  }
  std::int64_t was_noted(Unit unit) {
    const std::lock_guard lock(mutex_);
    return noted(unit);
  }
  void compile(Unit unit);
  void install(Unit unit, const runtime::LoadedCode& code, std::size_t object);

  const Plan plan_;
  const codegen::CodegenOptions options_;
  const std::shared_ptr<ContentStore> store_;
  std::vector<OpId> loops_;
  std::string options_key_, program_text_;
  bool has_kept_ = false;
  bool was_interrupted_ = false;  ///< an earlier run ended before its code was made
  std::unique_ptr<runtime::Tiers> tiers_;
  std::mutex mutex_;
  std::deque<runtime::LoadedCode> code_;  ///< under `mutex_`, as what follows
  std::deque<abi::KernelCode> kernels_;
  std::vector<bool> kernel_done_, loop_done_;
  std::vector<std::int64_t> kernel_noted_, loop_noted_;  ///< nanoseconds without code, as on disk
  std::atomic<std::int64_t> looked_at_ns_ = 0;           ///< nanoseconds of all, when they were looked at last
};

}  // namespace lac::driver
