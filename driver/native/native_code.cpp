#include "driver/native/native_code.h"

#include <optional>
#include <string>

#include "driver/native/code_generator.h"
#include "driver/native/unit_key.h"
#include "ir/graph/text.h"
#include "ir/plan/units.h"
#include "ir/support/parallel.h"
#include "ir/support/timed.h"
#include "runtime/cpu/symbols.h"

namespace lac::driver {
namespace {

constexpr const char* program_name = "lac_program";

}  // namespace

/// The objects of the kernels that are pieces, in the order of PlanUnits::kernels, and that of the program behind them.
struct UnitObjects {
  PlanUnits units;
  std::vector<std::uint32_t> pieces;  ///< numbers of PlanUnits::kernels
  std::vector<std::string> bytes;
};

namespace {

class UnitCompiler {
 public:
  UnitCompiler(const Plan& plan, const codegen::CodegenOptions& options, ContentStore* store)
      : plan_(plan), options_(options), store_(store), units_(plan_units(plan, options.check_bounds)) {
    for (std::uint32_t n = 0; n < units_.kernels.size(); ++n)
      if (units_.is_piece[n]) pieces_.push_back(n);
  }

  Result<UnitObjects> compile(CodeTimes* times) {
    std::vector<std::string> objects(pieces_.size() + 1);
    std::vector<std::string> keys;
    if (store_ != nullptr) {
      const Result<std::string> options_key = key_of_options(options_);
      if (!options_key) return options_key.failure();
      for (const std::uint32_t piece : pieces_) keys.push_back(options_key.value() + units_.kernel_texts[piece]);
      keys.push_back(options_key.value() + print_anonymous(plan_));
      for (std::size_t n = 0; n < objects.size(); ++n) objects[n] = store_->find(keys[n]);
    }
    if (times != nullptr) times->units.resize(objects.size());
    if (const auto problem = compile_missing(objects, keys, times)) return *problem;
    return UnitObjects{std::move(units_), std::move(pieces_), std::move(objects)};
  }

 private:
  std::optional<Failure> compile_missing(std::vector<std::string>& objects, const std::vector<std::string>& keys,
                                         CodeTimes* times) {
    std::vector<std::size_t> missing;
    // The program first: it takes longest.
    for (std::size_t n = objects.size(); n-- > 0;)
      if (objects[n].empty()) missing.push_back(n);
    if (missing.empty()) return std::nullopt;
    const Result<const codegen::Generator*> generator = code_generator();
    if (!generator) return generator.failure();
    std::vector<std::optional<Failure>> problems(missing.size());
    in_parallel(missing.size(), [&](std::size_t m) {
      const std::size_t n = missing[m];
      const bool is_kernel = n < pieces_.size();
      const KernelId kernel = is_kernel ? units_.kernels[pieces_[n]] : KernelId{};
      codegen::CodegenOptions how = options_;
      if (times != nullptr) {
        times->units[n].name = is_kernel ? plan_.kernels[kernel].name : "program";
        how.times = &times->units[n].times;
      }
      Result<std::string> object = is_kernel ? generator.value()->compile_kernel(plan_, kernel, how)
                                             : generator.value()->compile_program(plan_, how);
      if (!object) {
        problems[m] = object.failure();
        return;
      }
      objects[n] = object.take();
      if (store_ != nullptr) store_->keep(keys[n], objects[n]);
    });
    for (std::optional<Failure>& problem : problems)
      if (problem) return problem;
    return std::nullopt;
  }

  const Plan& plan_;
  const codegen::CodegenOptions& options_;
  ContentStore* store_;
  PlanUnits units_;
  std::vector<std::uint32_t> pieces_;
};

}  // namespace

NativeCode::NativeCode(const Plan& plan, const UnitObjects& objects, runtime::LoadedCode code)
    : code_(std::move(code)) {
  entry_ = reinterpret_cast<abi::ProgramFunction>(code_.find(objects.pieces.size(), program_name));
  std::vector<abi::KernelCode> codes(objects.units.kernels.size());
  for (std::size_t n = 0; n < objects.pieces.size(); ++n) codes[objects.pieces[n]] = kernel_code(code_, n);
  for (std::uint32_t k = 0; k < plan.kernels.size(); ++k) kernels_.push_back(codes[objects.units.of[KernelId{k}]]);
}

Result<NativeCode> NativeCode::make(const Plan& plan, const codegen::CodegenOptions& options, ContentStore* store,
                                    CodeTimes* times) {
  const Result<UnitObjects> objects = UnitCompiler(plan, options, store).compile(times);
  if (!objects) return objects.failure();
  const std::vector<std::string>& bytes = objects.value().bytes;
  const std::vector<std::string_view> views(bytes.begin(), bytes.end());
  double linking = 0;
  Result<runtime::LoadedCode> code =
      timed(linking, [&] { return runtime::LoadedCode::load(views, runtime::find_symbol); });
  if (times != nullptr) times->linking = linking;
  if (!code) return code.failure();
  return NativeCode(plan, objects.value(), code.take());
}

}  // namespace lac::driver
